'use strict';

/* The page of a story: its dots, its text, the picture, and the way on. It alone knows the buttons, the focus, what has
 * been seen and the keys; a step is shown by its Scene. */
const Story = (() => {
    const ORDER = ['cats', 'stop', 'xor', 'mean', 'winnow', 'digits'], all = new Map();
    const id = name => document.getElementById(`story-${name}`);
    const small = () => innerWidth <= 900;
    let scene = null, grips = null, leave = () => {};

    const projected = () => document.documentElement.dataset.view === 'projector' && !small();

    /* A projector's picture is the same, larger: its unit is so many pixels. */
    function size() {
        const stage = id('stage'), zoom = projected() ? Math.max(1.2, Math.min(2, innerHeight / 700)) : 1;
        return {width: stage.clientWidth / zoom, height: stage.clientHeight / zoom, small: small()};
    }

    /* {blue|words}, {amber|...}, {change|...}, {proof|...} and {w} have the colours of what they name. */
    const marked = text => text.replace(/\{(\w+)(?:\|([^}]*))?\}/g, (_, name, words) => `<span class="c-${name}">${words || name}</span>`);

    /* ---- What a scene shows ---- */

    const ui = {
        text(of) {
            id('text').innerHTML = marked(of.value(of.step.text));
            id('symbols').lastElementChild.innerHTML = of.value(of.step.symbols);
        },
        show(of, list) {
            const stage = id('stage'), view = `0 0 ${of.P.W} ${of.P.H}`;
            if (stage.getAttribute('viewBox') !== view) stage.setAttribute('viewBox', view);
            stage.querySelector('.picture').innerHTML = of.picture;
            grips.show(list);
            const says = of.step.says ? of.step.says(of) : `Picture of: ${of.step.title}`;
            if (stage.getAttribute('aria-label') !== says) stage.setAttribute('aria-label', says);
        },
        say(of, html) {
            id('said').innerHTML = marked(html);
            document.body.classList.toggle('answered', html !== '' && small() && !of.step.stay);
        },
        acts(list) { /* what stays keeps its place, and the focus or the finger that it has */
            const box = id('acts'), made = list.filter(Boolean).map(act => Array.isArray(act) ? button(...act) : act);
            for (const child of [...box.children]) if (!made.includes(child)) child.remove();
            made.forEach((each, i) => { if (box.children[i] !== each) box.insertBefore(each, box.children[i] || null); });
        },
        done(is) { id('next').classList.toggle('main', is); },
        undoable(of) {
            id('undo').hidden = id('redo').hidden = !of.past;
            id('undo').disabled = !of.past || !of.past.canUndo;
            id('redo').disabled = !of.past || !of.past.canRedo;
        }
    };

    function button(text, act, more = {}) {
        const made = document.createElement('button');
        made.type = 'button';
        made.className = `go${more.main ? ' main' : ''}`;
        made.innerHTML = marked(text);
        made.disabled = Boolean(more.disabled);
        if (more.pressed !== undefined) made.setAttribute('aria-pressed', String(more.pressed));
        made.addEventListener('click', act);
        return made;
    }

    /* A slider with a name, for acts(). */
    function slider(text, {id: name, min, max, step, value, says = String}, act) {
        const label = document.createElement('label'), words = document.createElement('span'),
            range = document.createElement('input');
        label.className = 'slide';
        words.innerHTML = marked(text);
        Object.assign(range, {type: 'range', id: name, min, max, step});
        range.value = value;
        const tell = () => range.setAttribute('aria-valuetext', says(Number(range.value)));
        range.addEventListener('input', () => {
            tell();
            act(Number(range.value));
        });
        tell();
        label.append(words, range);
        return label;
    }

    /* ---- Steps ---- */

    async function open(name, number, view) {
        const story = all.get(name), index = Math.min(story.steps.length, number) - 1;
        const from = scene && scene.story === story && scene.tween.now;
        if (scene) scene.end();
        const seen = Memory.get(name, 0), step = story.steps[index];
        Memory.set(name, Math.max(seen, index + 1));
        describe(story, index);
        if (!story.model) story.model = (async () => {
            await Playground.ready;
            return story.open();
        })();
        const own = scene = new Scene(story, index, null, ui, size());
        ui.done(false);
        ui.acts([]);
        own.say('');
        id('text').innerHTML = typeof step.text === 'string' ? marked(step.text) : '';
        own.model = await story.model;
        if (own.ended) return;
        await own.begin(from || null);
        ui.undoable(own);
        if (view !== 'picture' && document.activeElement === document.body) id('title').focus({preventScroll: true});
    }

    function describe({id: name, title, steps}, index) {
        const step = steps[index], last = index + 1 === steps.length;
        document.title = `${title} ${index + 1} of ${steps.length}`;
        id('name').textContent = title;
        id('title').textContent = step.title;
        id('symbols').open = new URLSearchParams(location.hash.split('?')[1]).get('depth') === 'student';
        id('dots').innerHTML = steps.map((each, i) =>
            `<a href="${Address.step(name, i + 1, document.documentElement.dataset.view)}" ` +
            `aria-label="${i + 1}: ${each.short || each.title}" ${i === index ? 'aria-current="step"' : ''} ` +
            `class="${i < Memory.get(name, 1) ? 'seen' : ''}"><i></i></a>`).join('');
        id('back').disabled = index === 0;
        id('next').textContent = last ? next(name) ? 'Next story' : 'The end' : 'Next';
        id('play').hidden = !last;
        if (last) id('play').href = steps[index].play || '#/play';
    }

    const next = name => [...all.keys()][[...all.keys()].indexOf(name) + 1];

    /* To the next step or the one before, and from the last one to the next story. */
    function turn(by) {
        const {story, index} = scene, to = index + by, {view} = document.documentElement.dataset;
        if (story.steps[to]) location.hash = Address.step(story.id, to + 1, view);
        else if (by > 0) location.hash = next(story.id) ? Address.step(next(story.id), 1, view) : '#/';
    }

    function close() {
        if (scene) scene.end();
        scene = null;
        document.body.classList.remove('answered');
    }

    function again() {
        const {story, index} = scene;
        scene.end();
        scene = null;
        Memory.set(`${story.id}.${index + 1}`, null);
        open(story.id, index + 1);
    }

    /* ---- Keys ---- */

    function onKey(event) {
        if (!scene || id('page').hidden) return;
        if (event.ctrlKey || event.metaKey) {
            const by = {z: event.shiftKey ? 1 : -1, y: 1}[event.key.toLowerCase()];
            if (by && scene.past) event.preventDefault();
            if (by) scene.undo(by);
            return;
        }
        if (event.altKey || /INPUT|SELECT|TEXTAREA/.test(event.target.tagName) || event.target.closest('[role=application]')) return;
        const own = scene.step.keys && scene.step.keys[event.key], by = {ArrowRight: 1, PageDown: 1, ArrowLeft: -1,
            PageUp: -1}[event.key];
        const free = !/BUTTON|SUMMARY|A/.test(event.target.tagName);
        if (own && own(scene) !== false) event.preventDefault();
        else if (by && (by < 0 ? scene.index > 0 : scene.index + 1 < scene.story.steps.length)) {
            event.preventDefault();
            turn(by);
        } else if (event.key === ' ' && free) {
            event.preventDefault();
            (document.querySelector('#story-acts .main') || id('next')).click();
        } else if (event.key === 'z') scene.undo();
        else if (event.key === 'Escape' && !document.documentElement.dataset.view) leave();
    }

    /* onLeave(): what Escape does. */
    function build(onLeave) {
        leave = onLeave;
        for (const name of ORDER) if (Playground.stories[name]) all.set(name,
            Object.assign(Playground.stories[name], {id: name}));
        document.getElementById('patterns').innerHTML = Svg.defs;
        id('stage').innerHTML = `<g class="picture" pointer-events="none"></g><g class="grips"></g>`;
        const hand = what => (...of) => scene && scene.hand(what, ...of);
        grips = new Grips(id('stage'), {hold: hand('hold'), drag: hand('drag'), tap: hand('tap'), nudge: hand('nudge'),
            drop: key => { hand('drop')(key); if (scene) scene.draw(); }});
        id('back').addEventListener('click', () => turn(-1));
        id('next').addEventListener('click', () => turn(1));
        id('again').addEventListener('click', again);
        id('undo').addEventListener('click', () => scene.undo());
        id('redo').addEventListener('click', () => scene.undo(1));
        document.addEventListener('keydown', onKey);
        document.addEventListener('theme', () => scene && scene.draw());
        new ResizeObserver(() => { if (scene && scene.tween.now && !id('page').hidden) scene.resize(size());
            }).observe(id('stage'));
    }

    /* The picture with which a step begins, as SVG that stands alone. */
    async function picture(name, number, width = 640, height = 480) {
        const story = all.get(name);
        await Playground.ready;
        story.model = story.model || story.open();
        const still = new Scene(story, number - 1, await story.model, null, {width, height, small: false});
        await still.begin(null);
        return Svg.alone(still.picture, width, height);
    }

    return {all, build, open, close, picture, slider, marked, now: () => scene,
        resize: () => scene && scene.tween.now && scene.resize(size())};
})();
