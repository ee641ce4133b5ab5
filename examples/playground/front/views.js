'use strict';

/* Which page is shown: the front, a story, free play, the pages for teachers and of C. The address says; here are also the
 * theme and the projector. */
(() => {
    const root = document.documentElement, id = name => document.getElementById(name);
    const VIEWS = {front: 'front', play: 'play', teachers: 'teachers', c: 'c'};

    function setView(view) {
        if (view) root.dataset.view = view;
        else delete root.dataset.view;
    }

    function title(place) {
        const words = {front: 'A line that learns from its mistakes', play: 'Free play', teachers: 'For teachers',
            c: 'The same in C'};
        document.title = words[place];
        id('story-name').textContent = place === 'front' ? 'Perceptron' : words[place];
    }

    async function follow() {
        const to = Address.parse(location.hash), story = Story.all.has(to.place);
        const place = story || VIEWS[to.place] ? to.place : 'front';
        setView(to.view);
        for (const name of Object.values(VIEWS)) id(name).hidden = name !== place;
        id('story-page').hidden = !story;
        if (!story) Story.close();
        if (place !== 'play') Play.leave();
        if (!story) title(place);
        scrollTo(0, 0);
        if (story) await Story.open(place, to.step, to.view);
        else if (place === 'play') await Play.follow(to);
        else if (place === 'front') Front.show();
        else if (place === 'teachers') Teachers.show();
        else InC.show();
    }

    function fail(error) {
        id('failed').textContent = `This page cannot work here: ${error.message}.`;
        id('failed').hidden = false;
        throw error;
    }

    const open = () => follow().catch(fail);

    Playground.go = to => {
        const {view} = root.dataset, more = view && !/[?&]view=/.test(to) ? `${to.includes('?') ? '&' : '?'}view=${view}` : '';
        Play.settle();
        if (location.hash !== to + more) history.pushState(null, '', to + more);
        return open();
    };

    /* ---- Projector and theme ---- */

    function project() {
        const now = root.dataset.view === 'projector' ? '' : 'projector', [path, query] = location.hash.split('?');
        const params = new URLSearchParams(query);
        params.delete('view');
        if (now) params.set('view', now);
        Play.settle();
        setView(now);
        history.replaceState(null, '', `${path || '#/'}${params.size ? `?${params}` : ''}`);
        Story.resize();
        dispatchEvent(new Event('resize'));
    }

    const dark = matchMedia('(prefers-color-scheme: dark)'), THEMES = ['system', 'light', 'dark'];

    function setTheme() {
        const theme = Memory.get('theme', 'system');
        root.dataset.theme = theme === 'system' ? dark.matches ? 'dark' : 'light' : theme;
        id('theme').setAttribute('aria-label', `Colours: ${theme}; press to change`);
        document.dispatchEvent(new Event('theme')); /* pictures take their colours again */
    }

    id('theme').addEventListener('click', () => {
        Memory.set('theme', THEMES[(THEMES.indexOf(Memory.get('theme', 'system')) + 1) % 3]);
        setTheme();
    });
    dark.addEventListener('change', setTheme);
    id('projector').addEventListener('click', event => {
        event.currentTarget.blur();
        project();
    });
    document.addEventListener('keydown', event => {
        const bare = !event.ctrlKey && !event.metaKey && !event.altKey && !/INPUT|SELECT|TEXTAREA/.test(event.target.tagName);
        if ((bare && event.key === 'p') || (event.key === 'Escape' && root.dataset.view === 'projector')) project();
    });

    setTheme();
    Story.build(() => { location.hash = '#/'; });
    Play.build();
    addEventListener('hashchange', open);
    open();
})();
