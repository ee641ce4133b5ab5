'use strict';

/* The tab "Plane": points of two to four classes, every learner, and what it makes of them while it learns. Whatever is
 * changed or undone is learned anew from the same seed, up to the same number of examples or to the end. */
Playground.tabs.plane = (() => {
    const SLICE = 8;                /* ms of learning in a frame */
    const MOST_POINTS = 2000;

    const FIRST = {set: 'separable', n: 60, draw: 1};
    const {LEARNERS, CONTROLS} = PlaneLearners;

    /* What is done is named below, in `actions`. */
    const go = {open: ['paused', 'begin'], begin: ['paused', 'begin'], again: ['paused', 'restart'], refuse: ['unfit']};
    const by = {step: ['paused', 'step'], next: ['paused', 'next'], visit: ['paused', 'visit'], end: ['ended']};
    const STATES = {
        unfit: go,  /* nothing can be learned: `problem` says why */
        paused: {...go, ...by, run: ['running'], watch: ['watching'], frame: ['paused', 'catchUp']},
        watching: {...go, ...by, begin: ['watching', 'begin'], run: ['running'], watch: ['paused', 'halt'],
            frame: ['watching', 'pace']},
        running: {...go, ...by, begin: ['running', 'begin'], run: ['paused', 'halt'], watch: ['watching'],
            frame: ['running', 'rush']},
        ended: {...go, run: ['running', 'restart'], watch: ['watching', 'restart'], step: ['paused', 'stepAnew'],
            next: ['paused', 'nextAnew'], visit: ['paused', 'visit'], end: ['ended']}
    };

    let section, picture, run, rival, second = false;   /* second: does the rival learn? */
    let past = new Past({points: []}); /* states of the points, for undo: {points, made: {set, n, draw}, fitted} */
    let due = 0, time = 0, target = 0, problem = '', used = [], names = [], tests = [], hands = null;
    let frame = 0, visible = false, charted = 0, changing = false, learning = ''; /* what is learned, in words */
    let best = {of: [], star: null}; /* the best line, and what it is of */
    const frames = [], grids = new Map();

    const id = name => section.querySelector(`#plane-${name}`);
    const points = () => past.now.points;
    const number = name => Number(id(name).value);
    const isFit = () => machine.state !== 'unfit';
    const runs = () => second ? [run, rival] : [run];
    const beside = () => id('beside').value;

    /* ---- Learning: the actions of the machine ------------------------------------------------------------------- */

    const rowsOf = (list, features) => ({
        values: Float32Array.from(list.flatMap(p => features > 2 ? [p.x, p.y, Math.fround(p.x * p.y)] : [p.x, p.y])),
        labels: Int32Array.from(list, p => used.indexOf(p.label))});

    /* Other draws of the same set, to test by. */
    function drawTests() {
        const {made} = past.now, n = number('tests') || (id('sure').value === 'class' ? 0 : 200);
        const known = made && made.set && n ? Points.make(made.set, Math.max(n, 2), made.draw + 1000003) : [];
        tests = known.filter(p => used.includes(p.label));
    }

    function openRun(each, learner, known) {
        const options = PlanePage.options(id, learner, used), rows = rowsOf(points(), options.features);
        const bias = id('bias').value === '' ? 1 : number('bias'), of = [points(), bias, options.features];
        if (of.some((v, i) => v !== best.of[i])) /* it takes time */
            best = {of, star: used.length === 2 ? bestLine(rows.values, rows.labels, bias) : null};
        const {star} = best;
        each.begin(options, {...rows, star, tests: tests.length ? rowsOf(tests, options.features) : null}, known);
        return {...rows, features: options.features};
    }

    function openRuns() {
        const words = JSON.stringify([used, points(), beside(), tests.length, id('learner').value,
            PlanePage.options(id, id('learner').value, used)]), known = words === learning;
        const own = openRun(run, id('learner').value, known);
        learning = words;
        Playground.models.plane = {name: 'Plane', engine: run.engine, options: run.given, rows: () => own};
        if (second) openRun(rival, beside(), known);
    }

    /* The same points from the first example on; up to `examples` they are learned at once. */
    function begin(examples) {
        used = [...new Set(points().map(p => p.label))].sort();
        second = Object.hasOwn(LEARNERS, beside());
        const {made} = past.now, low = made && Points.SETS[made.set] ? Points.SETS[made.set].low : null;
        names = Points.names(used, low === 0 || id('zero').value === 'Honavar');
        run.used = rival.used = used;
        run.names = rival.names = names;
        hands.name(names, used);
        delete Playground.models.plane;
        const learners = [id('learner').value, ...(second ? [beside()] : [])];
        problem = PlanePage.check(id, learners, used) || (used.length < 2 ? 'Put points of two classes at least.' : '');
        wake();
        if (!problem) try {
            drawTests();
            openRuns();
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
    /* Steps that are shown in numbers, while more() says so. */
    function steps(more) {
        try {
            do for (const each of runs()) if (!each.over) each.step();
            while (!run.over && more());
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

    const step = () => steps(() => false);
    const next = () => steps(() => !run.move.fired);

    /* Just behind an update that is known: learned anew up to it. */
    function visit(update) {
        const all = run.events, at = all[Math.min(update, all.length) - 1] || 0, failed = begin(0);
        if (failed || !at) return failed;
        for (const each of runs()) each.advance(at - 1, Infinity);
        return step();
    }

    const actions = {begin, catchUp, pace, rush, halt, step, next, visit, restart: () => begin(0),
        stepAnew: () => begin(0) || step(), nextAnew: () => begin(0) || next()};
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
        const {made} = past.now, at = target && target >= run.total ? 'end' : target, o = {};
        if (!made) o.points = Points.pack(points());
        else for (const name in made) if (made[name] !== FIRST[name]) o[name] = made[name];
        for (const name of ['learner', 'beside', ...Object.keys(CONTROLS)])
            if (!(name in FIRST) && !id(name).closest('label').hidden && id(name).value !== String(preset(name)))
                o[name] = id(name).value;
        if (at) o.at = at;
        if (looked().length) o.look = looked().join(' ');
        Playground.address('plane', o, push);
    }

    /* The charts that are asked for. */
    const looked = () => [...section.querySelectorAll('[data-look]:checked')].map(box => box.dataset.look);
    const looks = () => PlaneShow.looks(id, looked());

    const preset = name => ({learner: 'perceptron', beside: ''}[name] ?? CONTROLS[name][1][0]);

    function restore(params, first) {
        const get = name => params.get(name) ?? (FIRST[name] ?? preset(name));
        for (const name of ['learner', 'beside', ...Object.keys(CONTROLS)]) {
            id(name).value = get(name);
            if (id(name).tagName === 'SELECT' && !id(name).value) id(name).value = preset(name);
        }
        const look = (params.get('look') || '').split(' ');
        for (const box of section.querySelectorAll('[data-look]')) box.checked = look.includes(box.dataset.look);
        looks();
        const set = Object.hasOwn(Points.SETS, get('set')) && !params.has('points') ? get('set') : '';
        id('set').value = set;
        const made = {set, n: number('n'), draw: number('draw')};
        const sized = made.n >= 4 && made.n <= MOST_POINTS;
        past = new Past(set && sized ? {points: Points.make(set, made.n, made.draw), made}
            : {points: Points.unpack(params.get('points') || '')});
        undoable();
        id('fitted').textContent = past.now.fitted || '';
        const at = params.get('at');
        machine.send('open', at === 'end' ? Infinity : Number(at) || 0);
        if (first && !params.size && !Challenger.now()) machine.send(Playground.atFirst());
    }

    /* ---- Points ------------------------------------------------------------------------------------------------ */

    function change(to, made, fitted) {
        past.push({points: to, made, fitted});
        again(true);
    }

    /* While a point is dragged there is one state for all of it. */
    function drag(to) {
        if (past.now.dragged) past.now.points = to;
        else past.push({points: to, dragged: true});
        again(false);
    }

    function drop() {
        if (past.now.dragged) tell(true);
        delete past.now.dragged;
    }

    function travel(by) {
        if (past.go(by)) again(true);
    }

    const undoable = () => PlaneShow.undoable(id, past);

    /* Learns anew, as far as it was; to the end, if it was there. */
    function again(push) {
        const {made} = past.now;
        id('set').value = made ? made.set : '';
        id('fitted').textContent = past.now.fitted || '';
        id('sum').textContent = '';
        changing = true; /* the address of before stays as it is, to come back to */
        machine.send('begin', machine.state === 'ended' ? Infinity : Math.max(run.seen, target));
        changing = false;
        undoable();
        if (push) tell(true);
    }

    function chooseSet() {
        const made = {set: id('set').value, n: number('n'), draw: number('draw')};
        if (!made.set || PlanePage.wrong('n', id('n')) || PlanePage.wrong('draw', id('draw'))) return again(true);
        if (Points.SETS[made.set].gate) id('order').value = 'file'; /* as in the texts */
        return change(Points.make(made.set, made.n, made.draw), made);
    }

    function say(text) { id('say').textContent = text; }

    /* ---- Frames ------------------------------------------------------------------------------------------------ */

    function wake() {
        if (!frame && visible) frame = requestAnimationFrame(onFrame);
    }

    const view = () => ({id, points: points(), tests, used, names, run, rival, second, runs: runs(), beside: beside(),
        fit: isFit(), problem, cursor: hands.cursor(), marked: machine.state !== 'ended', frame: seen(), lit: Terms.lit(),
        best: id('best').value === 'yes', grid,
        sure: id('sure').value === 'probability', refuse: number('refuse'), lines: id('lines').value === 'yes',
        state: machine.state, learner: id('learner').value, wake});

    /* The part of the plane that is shown. */
    const seen = () => Points.frame(past.now.made ? past.now.made.set : '');

    function grid(side, {features}) {
        const key = JSON.stringify([side, features, seen()]);
        if (!grids.has(key)) grids.set(key, PlaneDraw.grid(side, seen(), features));
        return grids.get(key);
    }

    function onFrame(at) {
        const began = performance.now();
        frame = 0;
        machine.send('frame', at);
        const moving = ['running', 'watching'].includes(machine.state) ||
            (machine.state === 'paused' && runs().some(each => each.seen < target));
        const now = view();
        PlaneShow.buttons(now, !isFit() || run.seen > 0 || target > 0);
        if (now.fit) PlaneShow.paint(now, moving);
        PlaneShow.draw(now);
        PlaneShow.facts(now, !moving);
        if (now.fit && (!moving || at - charted > 100)) {
            charted = at;
            PlaneShow.curves(now);
        }
        if (!moving) Challenger.judge(now);
        frames.push(performance.now() - began);
        if (frames.length > 600) frames.shift();
        if (moving) wake();
    }

    /* ---- The tab ----------------------------------------------------------------------------------------------- */

    const press = (...of) => { machine.send(...of); wake(); };
    const former = () => press('visit', run.count.updates - 1);
    const keys = {s: () => press('step'), u: () => press('next'), r: () => press('run'), b: former};

    /* Without panels the keys belong to the picture wherever the focus is. */
    function onPageKey(event) {
        const key = event.key.toLowerCase(), bare = !event.ctrlKey && !event.metaKey && !event.altKey;
        if (!visible || !bare || !keys[key] || /INPUT|SELECT|TEXTAREA/.test(event.target.tagName)) return;
        if (!document.documentElement.dataset.view && event.target !== picture) return;
        event.preventDefault();
        keys[key]();
    }

    function onUndoKey(event) {
        if (!visible || !(event.ctrlKey || event.metaKey) || event.target.tagName === 'INPUT') return;
        const by = {z: event.shiftKey ? 1 : -1, y: 1}[event.key.toLowerCase()];
        if (!by) return;
        event.preventDefault();
        travel(by);
    }

    function listen() {
        for (const name of ['focus', 'blur']) picture.addEventListener(name, wake);
        document.addEventListener('keydown', onUndoKey);
        document.addEventListener('keydown', onPageKey);
        document.addEventListener('lit', wake);
        document.addEventListener('theme', wake);
        new ResizeObserver(wake).observe(picture);
        Challenger.listen();
        for (const box of section.querySelectorAll('[data-look]')) box.addEventListener('change', () => { looks(); tell(true); wake(); });
        const on = {undo: () => travel(-1), redo: () => travel(1), clear: () => change([]), former,
            save: () => Playground.download('plane.svg', PlaneShow.svg(view()), 'image/svg+xml')};
        for (const name of ['step', 'next', 'run', 'watch', 'again']) on[name] = () => press(name);
        for (const name in on) id(name).addEventListener('click', on[name]);
        id('time').addEventListener('input', () => press('visit', number('time')));
        for (const name of ['set', 'n', 'draw']) id(name).addEventListener('change', chooseSet);
        for (const name of ['learner', 'beside', ...Object.keys(CONTROLS)])
            if (!(name in FIRST)) id(name).addEventListener('change', () => again(true));
    }

    async function start(element) {
        section = element;
        section.insertAdjacentHTML('beforeend', PlanePage.html());
        picture = id('canvas');
        hands = PlaneHands({id, section, picture, points, change, drag, drop, wake, say, seen, names: () => names,
            refuse: text => { id('problem').textContent = problem = text; }});
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
            const [pageX, pageY] = hands.pageOf(p.x, p.y);
            return Object.assign({pageX, pageY}, p);
        }),
        place: (x, y) => hands.pageOf(x, y),
        pixel: (x, y) => {
            const spot = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
            const {cx, cy, half} = seen(), share = [(x - cx + half) / 2 / half, (cy + half - y) / 2 / half];
            const [left, top] = share.map(v => Math.floor(picture.width * v));
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
        run: () => run,
        finish,
        crc: () => run.crc(),
        frameTimes: () => frames.slice()
    };

    return {start, restore, setPoints: (...of) => hands.setPoints(...of), setRows: (...of) => hands.setRows(...of),
        takeCsv: file => hands.takeCsv(file), show: () => { visible = true; wake(); },
        hide: () => { visible = false; }};
})();
