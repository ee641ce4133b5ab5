'use strict';

/* Tabs and themes. A tab is made when it is first opened; the address's fragment names it. */
(() => {
    const names = Object.keys(Playground.tabs).length ? ['plane', 'digits', 'words', 'bits'] : [];
    const tab = name => document.getElementById(`tab-${name}`), section = name => document.getElementById(name);
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
        started[name] = started[name] || start(name);
        await started[name].catch(fail);
        if (open === name) Playground.tabs[name].show();
    }

    function choose(name, focus) {
        history.replaceState(null, '', `#${name}`);
        if (focus) tab(name).focus();
        return show(name);
    }

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
    addEventListener('hashchange', () => names.includes(location.hash.slice(1)) && show(location.hash.slice(1)));
    show(names.includes(location.hash.slice(1)) ? location.hash.slice(1) : 'plane');
})();
