'use strict';

/* What this browser remembers: steps that were seen, guesses, the theme. One entry, less than a kilobyte. */
const Memory = (() => {
    const NAME = 'perceptron';
    let own = {};
    try { /* some browsers have no memory for pages from disk: then it lasts as long as the page */
        own = JSON.parse(localStorage.getItem(NAME) || '{}') || {};
    } catch (error) {
        own = {};
    }

    function store() {
        try {
            localStorage.setItem(NAME, JSON.stringify(own));
        } catch (error) { /* as above */ }
    }

    return {
        get: (key, otherwise = null) => Object.hasOwn(own, key) ? own[key] : otherwise,
        set(key, value) {
            own[key] = value;
            store();
        },
        forget() {
            own = {};
            store();
        }
    };
})();
