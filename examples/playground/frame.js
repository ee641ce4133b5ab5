'use strict';

/* Tabs and themes. A tab is made when it is first opened; the address's fragment names it. */
(() => {
    const names = Object.keys(Playground.tabs).length ? ['plane', 'digits', 'words', 'bits'] : [];
    const tab = name => document.getElementById(`tab-${name}`), section = name => document.getElementById(`tab-of-${name}`);
    const started = {};
    let open = null;

    function fail(error) {
        const line = document.getElementById('failed');
        line.textContent = `This page cannot work here: ${error.message}.`;
        line.hidden = false;
        throw error;
    }

    async function start(name) {
        await Playground.ready;
        await Playground.tabs[name].start(section(name));
    }

    async function show(name) {
        const before = open;
        open = name;
        for (const each of names) {
            tab(each).setAttribute('aria-selected', String(each === name));
            tab(each).tabIndex = each === name ? 0 : -1;
            section(each).hidden = each !== name;
        }
        if (before && before !== name && started[before]) Playground.tabs[before].hide();
        const first = !started[name];
        started[name] = started[name] || start(name);
        await started[name].catch(fail);
        if (open === name) Playground.tabs[name].show();
        return first;
    }

    /* ---- Addresses: #tab?key=value&..., and story=id.step and view=... of any tab ---- */

    const states = {}; /* of each tab, as it last was */
    const hash = name => {
        const all = new URLSearchParams(states[name]);
        if (Stories.now()) all.set('story', Stories.now());
        if (document.documentElement.dataset.view) all.set('view', document.documentElement.dataset.view);
        return `#${name}${all.size ? `?${all}` : ''}`;
    };

    let late = '', timer = 0; /* browsers take only so many changes of the address in a second */

    function catchUp() {
        clearTimeout(timer);
        if (late && late !== location.hash) history.replaceState(null, '', late);
        late = '';
    }

    /* A tab tells its state. push: one to come back to. */
    Playground.address = (name, values, push) => {
        states[name] = values;
        if (name !== open) return;
        const before = late || location.hash;
        if (push && before !== hash(name)) {
            catchUp();
            history.pushState(null, '', hash(name));
        } else {
            clearTimeout(timer);
            late = hash(name);
            timer = setTimeout(catchUp, 250);
        }
    };

    const VIEWS = ['projector', 'embed', 'picture'];

    /* projector: large, keys only; embed: a story and its picture, both without panels; picture: that alone. */
    function setView(name) {
        if (VIEWS.includes(name)) document.documentElement.dataset.view = name;
        else delete document.documentElement.dataset.view;
    }

    function project(on) {
        late = '';
        setView(on ? 'projector' : '');
        history.replaceState(null, '', hash(open));
    }

    async function follow() {
        clearTimeout(timer);
        late = '';
        const [word, query] = location.hash.slice(1).split('?'), name = names.includes(word) ? word : 'plane';
        const params = new URLSearchParams(query);
        Stories.show(params.get('story') || '');
        params.delete('story');
        setView(params.get('view'));
        params.delete('view');
        states[name] = Object.fromEntries(params);
        const first = await show(name);
        if (open === name && Playground.tabs[name].restore) Playground.tabs[name].restore(params, first);
    }

    Playground.go = to => {
        const {view} = document.documentElement.dataset;
        if (view && !/[?&]view=/.test(to)) to += `${to.includes('?') ? '&' : '?'}view=${view}`;
        catchUp();
        if (location.hash !== to) history.pushState(null, '', to);
        return follow();
    };

    /* Opens a tab as it was left. */
    Playground.open = async name => {
        const state = states[name];
        catchUp();
        history.pushState(null, '', hash(name));
        const first = await show(name), {restore} = Playground.tabs[name];
        if (first && restore) restore(new URLSearchParams(state), true);
    };

    function choose(name, focus) {
        if (focus) tab(name).focus();
        return Playground.open(name);
    }

    /* A file may be dropped on any tab. The plane takes CSV, the last tab everything. */
    document.addEventListener('dragover', event => {
        if ([...event.dataTransfer.types].includes('Files')) event.preventDefault();
    });
    document.addEventListener('drop', async event => {
        const file = event.dataTransfer.files[0];
        if (!file) return;
        event.preventDefault();
        if (open === 'plane' && /\.csv$/i.test(file.name)) return void await Playground.tabs.plane.takeCsv(file);
        if (open !== 'bits') await Playground.open('bits');
        await Playground.tabs.bits.take(file);
    });

    function onKey(event) {
        const at = names.indexOf(open), last = names.length - 1;
        const next = at === last ? 0 : at + 1, before = at === 0 ? last : at - 1;
        const to = {ArrowRight: next, ArrowLeft: before, Home: 0, End: last}[event.key];
        if (to === undefined) return;
        event.preventDefault();
        choose(names[to], true);
    }

    /* ---- Themes ---- */

    const dark = matchMedia('(prefers-color-scheme: dark)'), theme = document.getElementById('theme');

    function setTheme() {
        document.documentElement.dataset.theme = theme.value || (dark.matches ? 'dark' : 'light');
        document.dispatchEvent(new Event('theme')); /* canvases take their colours again */
    }

    function remembered() {
        try {
            return localStorage.getItem('theme') || '';
        } catch (error) {
            return ''; /* some browsers have no memory for pages from disk */
        }
    }

    theme.value = remembered();
    theme.addEventListener('change', () => {
        try {
            localStorage.setItem('theme', theme.value);
        } catch (error) { /* it lasts as long as the page */ }
        setTheme();
    });
    dark.addEventListener('change', setTheme);
    setTheme();

    for (const name of names) tab(name).addEventListener('click', () => choose(name, false));
    document.querySelector('[role=tablist]').addEventListener('keydown', onKey);
    addEventListener('hashchange', follow);
    document.getElementById('projector').addEventListener('click', event => { event.target.blur(); project(true); });
    document.addEventListener('keydown', event => {
        if (event.key === 'Escape' && document.documentElement.dataset.view === 'projector') project(false);
    });
    Stories.build();
    follow();
})();
