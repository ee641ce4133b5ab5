'use strict';

/* The tab "Plane": points of two to four classes, every learner, and what it makes of them while it learns. Whatever is
 * changed or undone is learned anew from the same seed, up to the same number of examples or to the end. */
Playground.tabs.plane = (() => {
    const SLICE = 8;                /* ms of learning in a frame */
    const REACH = 0.07;             /* of a point that is to be removed */
    const MOST_POINTS = 2000;

    const FIRST = {set: 'separable', n: 60, draw: 1};
    const {LEARNERS, CONTROLS} = PlaneLearners, {COLORS} = PlaneDraw;

    /* What is done is named below, in `actions`. */
    const go = {open: ['paused', 'begin'], begin: ['paused', 'begin'], again: ['paused', 'restart'], refuse: ['unfit']};
    const STATES = {
        unfit: go,  /* nothing can be learned: `problem` says why */
        paused: {...go, run: ['running'], watch: ['watching'], step: ['paused', 'step'], frame: ['paused', 'catchUp'],
            end: ['ended']},
        watching: {...go, begin: ['watching', 'begin'], run: ['running'], watch: ['paused', 'halt'],
            step: ['paused', 'step'], frame: ['watching', 'pace'], end: ['ended']},
        running: {...go, begin: ['running', 'begin'], run: ['paused', 'halt'], watch: ['watching'],
            step: ['paused', 'step'], frame: ['running', 'rush'], end: ['ended']},
        ended: {...go, run: ['running', 'restart'], watch: ['watching', 'restart'], step: ['paused', 'stepAnew']}
    };

    let section, picture, run, rival, second = false;   /* second: does the rival learn? */
    let past = [{points: []}], now = 0; /* states of the points, for undo: {points, made: {set, n, draw}, fitted} */
    let tool = 0, due = 0, time = 0, target = 0, problem = '', used = [];
    let cursor = null, frame = 0, visible = false, charted = 0, changing = false;
    const frames = [];

    const id = name => section.querySelector(`#plane-${name}`);
    const points = () => past[now].points;
    const number = name => Number(id(name).value);
    const isFit = () => machine.state !== 'unfit';
    const runs = () => second ? [run, rival] : [run];
    const beside = () => id('beside').value;

    /* ---- Learning: the actions of the machine ------------------------------------------------------------------- */

    function openRuns(values, labels) {
        const star = used.length === 2 ? bestLine(values, labels, id('bias').value === '' ? 1 : number('bias')) : null;
        run.begin(PlanePage.options(id, id('learner').value, used), values, labels, star);
        const own = {values, labels, features: 2};
        Playground.models.plane = {name: 'Plane', engine: run.engine, options: run.given, rows: () => own};
        if (second) rival.begin(PlanePage.options(id, beside(), used), values, labels, star);
    }

    /* The same points from the first example on; up to `examples` they are learned at once. */
    function begin(examples) {
        used = [...new Set(points().map(p => p.label))].sort();
        second = Object.hasOwn(LEARNERS, beside());
        run.used = rival.used = used;
        delete Playground.models.plane;
        const learners = [id('learner').value, ...(second ? [beside()] : [])];
        problem = PlanePage.check(id, learners, used) || (used.length < 2 ? 'Put points of two classes at least.' : '');
        wake();
        if (!problem) try {
            openRuns(Float32Array.from(points().flatMap(p => [p.x, p.y])),
                Int32Array.from(points(), p => used.indexOf(p.label)));
        } catch (error) {
            problem = `That does not go together: ${error.message}.`;
        }
        if (problem) return 'refuse';
        target = Math.min(examples, run.total); /* learned in the frames that come */
        return '';
    }

    function learnTo(end, until) {
        try {
            run.advance(end, until);
            if (second) rival.advance(run.seen, until + SLICE);
        } catch (error) {
            problem = `Learning has stopped: ${error.message}.`;
            return 'refuse';
        }
        return runs().every(each => each.over) ? 'end' : '';
    }

    /* Speed of `watch`: examples that are due by now. */
    function pace(at) {
        due = Math.min(due + Math.max(0, at - time) / 1000 * number('speed'), 1 + number('speed') / 10);
        time = at;
        target = Math.min(run.total, Math.max(target, run.seen + Math.floor(due)));
        due -= Math.floor(due);
        return catchUp();
    }

    function catchUp() {
        return learnTo(target, performance.now() + SLICE);
    }

    function rush() {
        target = run.total;
        return catchUp();
    }

    function halt() { target = run.seen; }

    function step() {
        try {
            for (const each of runs()) each.step();
        } catch (error) {
            problem = `Learning has stopped: ${error.message}.`;
            return 'refuse';
        }
        target = run.seen;
        id('sum').textContent = PlaneSay.step(run);
        tell(false);
        wake();
        return run.over ? 'end' : '';
    }

    const actions = {begin, catchUp, pace, rush, halt, step, restart: () => begin(0),
        stepAnew: () => begin(0) || step()};
    const machine = new Machine(STATES, 'unfit', actions, entered);

    function entered() {
        due = 0;
        time = performance.now();
        const names = {running: 'run', watching: 'watch'}, mode = names[machine.state];
        for (const name of ['run', 'watch']) {
            id(name).setAttribute('aria-pressed', String(mode === name));
            id(name).textContent = mode === name ? 'Pause' : name === 'run' ? 'Run' : 'Watch';
        }
        id('run').classList.toggle('primary', mode !== 'watch');
        if (!mode && !changing) tell(false);
        wake();
    }

    /* ---- The address --------------------------------------------------------------------------------------------- */

    /* Whatever differs from the first state. push: it is one to come back to. */
    function tell(push) {
        const {made} = past[now], at = target && target >= run.total ? 'end' : target, o = {};
        if (!made) o.points = Points.pack(points());
        else for (const name in made) if (made[name] !== FIRST[name]) o[name] = made[name];
        for (const name of ['learner', 'beside', ...Object.keys(CONTROLS)])
            if (!(name in FIRST) && !id(name).closest('label').hidden && id(name).value !== String(preset(name)))
                o[name] = id(name).value;
        if (at) o.at = at;
        Playground.address('plane', o, push);
    }

    const preset = name => ({learner: 'perceptron', beside: ''}[name] ?? CONTROLS[name][1][0]);

    function restore(params, first) {
        const get = name => params.get(name) ?? (FIRST[name] ?? preset(name));
        for (const name of ['learner', 'beside', ...Object.keys(CONTROLS)]) {
            id(name).value = get(name);
            if (id(name).tagName === 'SELECT' && !id(name).value) id(name).value = preset(name);
        }
        const set = Object.hasOwn(Points.SETS, get('set')) && !params.has('points') ? get('set') : '';
        id('set').value = set;
        const made = {set, n: number('n'), draw: number('draw')};
        const sized = made.n >= 4 && made.n <= MOST_POINTS;
        past = [...past.slice(0, now + 1), set && sized ? {points: Points.make(set, made.n, made.draw), made}
            : {points: Points.unpack(params.get('points') || '')}];
        now = past.length - 1;
        id('fitted').textContent = past[now].fitted || '';
        const at = params.get('at');
        machine.send('open', at === 'end' ? Infinity : Number(at) || 0);
        if (first && !params.size) machine.send(Playground.atFirst());
    }

    /* ---- Points ------------------------------------------------------------------------------------------------ */

    function change(to, made, fitted) {
        past = [...past.slice(0, now + 1).slice(-200), {points: to, made, fitted}];
        now = past.length - 1;
        again(true);
    }

    function travel(by) {
        if (!past[now + by]) return;
        now += by;
        again(true);
    }

    /* Learns anew, as far as it was; to the end, if it was there. */
    function again(push) {
        const {made} = past[now];
        id('set').value = made ? made.set : '';
        id('fitted').textContent = past[now].fitted || '';
        id('sum').textContent = '';
        changing = true; /* the address of before stays as it is, to come back to */
        machine.send('begin', machine.state === 'ended' ? Infinity : run.seen);
        changing = false;
        tell(push);
    }

    function nearest(x, y) {
        const far = points().map(p => (p.x - x) ** 2 + (p.y - y) ** 2), least = Math.min(...far);
        return least < REACH * REACH ? far.indexOf(least) : -1;
    }

    function put(x, y, label) {
        if (points().length >= MOST_POINTS) return say('There is room for 2,000 points.');
        change([...points(), {x: Points.fit(x), y: Points.fit(y), label}]);
        return say(`Class ${label + 1} at ${x.toFixed(2)}, ${y.toFixed(2)}: ${points().length} points.`);
    }

    function remove(x, y) {
        const at = nearest(x, y);
        if (at < 0) return say('No point there.');
        change(points().filter((_, i) => i !== at));
        return say(`Removed: ${points().length} points.`);
    }

    function use(x, y, removing) {
        if (removing || tool === 'remove') remove(x, y);
        else put(x, y, tool);
    }

    function placeOf(event) {
        const box = picture.getBoundingClientRect();
        return [2 * (event.clientX - box.left) / box.width - 1, 1 - 2 * (event.clientY - box.top) / box.height];
    }

    function chooseSet() {
        const made = {set: id('set').value, n: number('n'), draw: number('draw')};
        if (!made.set || PlanePage.wrong('n', id('n')) || PlanePage.wrong('draw', id('draw'))) return again(true);
        return change(Points.make(made.set, made.n, made.draw), made);
    }

    /* Points from anywhere. What leaves the picture is centred and shrunk, both ways alike, and the page says so. */
    function setPoints(to, name = 'The points', classes = []) {
        const middle = of => (Math.min(...to.map(of)) + Math.max(...to.map(of))) / 2;
        const out = to.some(p => Math.abs(p.x) > 1 || Math.abs(p.y) > 1);
        const cx = out ? middle(p => p.x) : 0, cy = out ? middle(p => p.y) : 0, short = v => Number(v.toPrecision(5));
        const scale = out ? Math.max(...to.map(p => Math.max(Math.abs(p.x - cx), Math.abs(p.y - cy)))) / 0.95 || 1 : 1;
        const text = classes.length ? ` Classes: ${classes.map((c, i) => `${i + 1} is ${c}`).join(', ')}.` : '';
        const fit = p => ({x: Points.fit((p.x - cx) / scale), y: Points.fit((p.y - cy) / scale), label: p.label});
        change(to.map(fit), null, !out ? `${name}: as they are.${text}` :
            `${name}: x is (value - ${short(cx)}) / ${short(scale)}, y is (value - ${short(cy)}) / ` +
            `${short(scale)}, so that all fit into the picture.${text}`);
    }

    function setRows({values, labels, features, names}, name) {
        if (features !== 2) throw new Error(`rows of 2 numbers and a label are needed, these have ${features}`);
        if (names.length > COLORS.length) throw new Error(`the plane has 4 classes, these are ${names.length}`);
        if (labels.length > MOST_POINTS) throw new Error(`there is room for 2,000 points, these are ${labels.length}`);
        setPoints(Array.from(labels, (label, i) => ({x: values[2 * i], y: values[2 * i + 1], label})), name, names);
    }

    async function takeCsv(file) {
        try {
            setRows(Engine.readCsv(await file.text()), file.name);
        } catch (error) {
            id('problem').textContent = problem = `${file.name}: ${error.message}.`;
        }
    }

    function say(text) { id('say').textContent = text; }

    /* ---- Frames ------------------------------------------------------------------------------------------------ */

    function wake() {
        if (!frame && visible) frame = requestAnimationFrame(onFrame);
    }

    const view = () => ({id, points: points(), used, run, rival, second, runs: runs(), beside: beside(), fit: isFit(),
        problem, cursor: document.activeElement === picture ? cursor : null, marked: machine.state !== 'ended', wake});

    function onFrame(at) {
        const began = performance.now();
        frame = 0;
        machine.send('frame', at);
        const moving = ['running', 'watching'].includes(machine.state) ||
            (machine.state === 'paused' && runs().some(each => each.seen < target));
        const now = view();
        if (now.fit) PlaneShow.paint(now, moving);
        PlaneShow.draw(now);
        PlaneShow.facts(now, !moving);
        if (now.fit && (!moving || at - charted > 100)) {
            charted = at;
            PlaneShow.curves(now);
        }
        frames.push(performance.now() - began);
        if (frames.length > 600) frames.shift();
        if (moving) wake();
    }

    /* ---- The tab ----------------------------------------------------------------------------------------------- */

    function chooseTool(to) {
        tool = to === 'remove' ? to : Number(to);
        for (const button of section.querySelectorAll('[data-tool]'))
            button.setAttribute('aria-pressed', String(button.dataset.tool === String(to)));
    }

    function onKey(event) {
        const moves = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key];
        cursor = cursor || {x: 0, y: 0};
        if (moves) {
            const by = event.shiftKey ? 0.01 : 0.05, fit = v => Math.max(-1, Math.min(1, v));
            cursor = {x: fit(cursor.x + by * moves[0]), y: fit(cursor.y + by * moves[1])};
        } else if (/^[1-4]$/.test(event.key)) {
            put(cursor.x, cursor.y, Number(event.key) - 1);
        } else if (event.key === 'Enter' || event.key === ' ') {
            use(cursor.x, cursor.y, false);
        } else if (event.key === 'Delete' || event.key === 'Backspace') {
            remove(cursor.x, cursor.y);
        } else return;
        event.preventDefault();
        wake();
    }

    function onUndoKey(event) {
        if (!visible || !(event.ctrlKey || event.metaKey) || event.target.tagName === 'INPUT') return;
        const by = {z: event.shiftKey ? 1 : -1, y: 1}[event.key.toLowerCase()];
        if (!by) return;
        event.preventDefault();
        travel(by);
    }

    function saveRows() {
        const text = points().map(p => `${Engine.number(p.x)},${Engine.number(p.y)},${p.label}\n`).join('');
        Playground.download('plane.csv', text, 'text/csv');
    }

    function listen() {
        picture.addEventListener('click', event => use(...placeOf(event), event.shiftKey));
        picture.addEventListener('contextmenu', event => {
            event.preventDefault();
            remove(...placeOf(event));
        });
        picture.addEventListener('keydown', onKey);
        for (const name of ['focus', 'blur']) picture.addEventListener(name, wake);
        document.addEventListener('keydown', onUndoKey);
        document.addEventListener('theme', () => { run.fresh = rival.fresh = false; wake(); });
        new ResizeObserver(wake).observe(picture);
        for (const button of section.querySelectorAll('[data-tool]'))
            button.addEventListener('click', () => chooseTool(button.dataset.tool));
        const on = {undo: () => travel(-1), redo: () => travel(1), clear: () => change([]), csv: saveRows,
            save: () => picture.toBlob(blob => Playground.download('plane.png', blob, 'image/png'))};
        for (const name of ['step', 'run', 'watch', 'again']) on[name] = () => { machine.send(name); wake(); };
        for (const name in on) id(name).addEventListener('click', on[name]);
        for (const name of ['set', 'n', 'draw']) id(name).addEventListener('change', chooseSet);
        for (const name of ['learner', 'beside', ...Object.keys(CONTROLS)])
            if (!(name in FIRST)) id(name).addEventListener('change', () => again(true));
        id('file').addEventListener('change', async event => {
            if (event.target.files[0]) await takeCsv(event.target.files[0]);
            event.target.value = ''; /* the same file may come again, changed */
        });
    }

    async function start(element) {
        section = element;
        section.insertAdjacentHTML('beforeend', PlanePage.html());
        picture = id('canvas');
        [run, rival] = (await Promise.all([Engine.create(Playground.wasm), Engine.create(Playground.wasm)]))
            .map(engine => new PlaneRun(engine, Playground.wasm));
        listen();
    }

    /* ---- For tests ---------------------------------------------------------------------------------------------- */

    async function finish() {
        machine.send('again');
        machine.send('run');
        wake();
        const idle = each => !each.painter.running && !each.painter.waiting && each.fresh &&
            each.judged.seen === each.seen && !each.judging.running;
        const ended = () => machine.state === 'unfit' || (machine.state === 'ended' && idle(run));
        for (let i = 0; !ended() && i < 400; i++) await new Promise(resolve => setTimeout(resolve, 25));
        await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }

    Playground.test = Playground.test || {};
    Playground.test.plane = {
        points: () => points().map(p => {
            const box = picture.getBoundingClientRect();
            const pageX = box.left + box.width * (p.x + 1) / 2, pageY = box.top + box.height * (1 - p.y) / 2;
            return Object.assign({pageX, pageY}, p);
        }),
        pixel: (x, y) => {
            const spot = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
            const [left, top] = [picture.width * (x + 1) / 2, picture.height * (1 - y) / 2].map(Math.floor);
            spot.drawImage(picture, -left, -top);
            return [...spot.getImageData(0, 0, 1, 1).data].slice(0, 3);
        },
        colors: () => PlaneDraw.regionColors(used),
        choose: (set, n, draw = 1) => {
            [id('set').value, id('n').value, id('draw').value] = [set, n, draw];
            chooseSet();
        },
        learners: () => Object.keys(LEARNERS),
        options: to => { for (const name in to) id(name).value = to[name]; machine.send('again'); },
        state: () => machine.state,
        table: () => STATES,
        run: () => run,
        finish,
        crc: () => run.crc(),
        frameTimes: () => frames.slice()
    };

    return {start, restore, setPoints, setRows, takeCsv, show: () => { visible = true; wake(); },
        hide: () => { visible = false; }};
})();
