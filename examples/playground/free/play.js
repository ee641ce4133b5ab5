'use strict';

/* Free play: its tabs, their addresses, and files that are dropped. A tab is made when it is first opened. */
const Play = (() => {
    const names = Address.TABS, tab = name => document.getElementById(`tab-${name}`);
    const section = name => document.getElementById(`tab-of-${name}`), started = {}, states = {}; /* each as it last was */
    let open = null;

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
        await started[name];
        if (open === name) Playground.tabs[name].show();
        return first;
    }

    function leave() {
        settle();
        if (open) Playground.tabs[open].hide();
        open = null;
    }

    /* ---- Addresses ---- */

    const hash = name => {
        const all = {...states[name]};
        if (name === 'plane' && Challenger.now()) all.challenge = Challenger.now();
        return Address.play(name, all, document.documentElement.dataset.view);
    };

    let late = '', timer = 0; /* browsers take only so many changes of the address in a second */

    function settle() {
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
            settle();
            history.pushState(null, '', hash(name));
        } else {
            clearTimeout(timer);
            late = hash(name);
            timer = setTimeout(settle, 250);
        }
    };

    async function follow({tab: name, params}) {
        clearTimeout(timer);
        late = '';
        if (name === 'plane') Challenger.show(params.get('challenge') || '');
        params.delete('challenge');
        states[name] = Object.fromEntries(params);
        const first = await show(name);
        if (open === name && Playground.tabs[name].restore) Playground.tabs[name].restore(params, first);
    }

    /* Opens a tab as it was left. */
    Playground.open = async name => {
        const state = states[name];
        settle();
        history.pushState(null, '', hash(name));
        const first = await show(name), {restore} = Playground.tabs[name];
        if (first && restore) restore(new URLSearchParams(state), true);
    };

    function onKey(event) {
        const at = names.indexOf(open), last = names.length - 1;
        const next = at === last ? 0 : at + 1, before = at === 0 ? last : at - 1;
        const to = {ArrowRight: next, ArrowLeft: before, Home: 0, End: last}[event.key];
        if (to === undefined) return;
        event.preventDefault();
        tab(names[to]).focus();
        Playground.open(names[to]);
    }

    /* The plane takes CSV, the last tab everything. */
    async function onDrop(event) {
        const file = event.dataTransfer.files[0];
        if (!file || !open) return;
        event.preventDefault();
        if (open === 'plane' && /\.csv$/i.test(file.name)) return void await Playground.tabs.plane.takeCsv(file);
        if (open !== 'bits') await Playground.open('bits');
        await Playground.tabs.bits.take(file);
    }

    function build() {
        for (const name of names) tab(name).addEventListener('click', () => Playground.open(name));
        document.querySelector('[role=tablist]').addEventListener('keydown', onKey);
        document.addEventListener('drop', onDrop);
        document.addEventListener('dragover', event => {
            if (open && [...event.dataTransfer.types].includes('Files')) event.preventDefault();
        });
    }

    return {build, follow, leave, settle};
})();
