'use strict';

/* The tab "Digits": ten classes learn the 8 x 8 pictures of examples/data/digits.csv while their weights are shown
 * as pictures, and a drawing is brought to the same form and read. */
Playground.tabs.digits = (() => {
    const SLICE = 8;      /* ms of work in a frame */
    const SPEEDS = [2, 10, 50, 200, 1500, 6000]; /* rows a second, to watch */
    const FIRST = {kind: 'averaged', epochs: 10};

    const LEARNERS = DigitsLearners, {pad} = DigitsPad;

    /* What is done is named below, in `actions`. */
    const go = {open: ['paused', 'begin'], change: ['running', 'anew'], again: ['paused', 'anew'], fail: ['broken']};
    const STATES = {
        broken: go, /* the engine has refused to go on, and `status` says why */
        paused: {...go, run: ['running'], watch: ['watching'], step: ['paused', 'step'], frame: ['paused', 'work'],
            end: ['ended', 'finish']},
        watching: {...go, change: ['watching', 'anew'], run: ['running'], watch: ['paused', 'halt'],
            step: ['paused', 'step'], frame: ['watching', 'pace'], end: ['ended', 'finish']},
        running: {...go, run: ['paused', 'halt'], watch: ['watching', 'halt'], step: ['paused', 'step'],
            frame: ['running', 'rush'], end: ['ended', 'finish']},
        ended: {...go, run: ['running', 'anew'], watch: ['watching', 'anew'], step: ['paused', 'stepAnew']}
    };

    let run, section, visible = false, frame = 0, due = 0, time = 0, target = 0;

    const id = name => document.getElementById('digits-' + name);
    const say = text => { id('say').textContent = text; };
    const speed = () => SPEEDS[id('speed').value];
    const isMoving = () => ['running', 'watching'].includes(machine.state);

    /* ---- Learning: the actions of the machine ------------------------------------------------------------------- */

    function register() {
        if (run.model) Playground.models.digits = run.model;
    }

    function begin(kind, epochs, rows) {
        delete Playground.models.digits;
        run.begin(kind, epochs);
        target = rows;
        describe();
        DigitsShow.showTest();
        DigitsShow.showLearning();
        DigitsPad.drawn();
    }

    const anew = () => begin(id('kind').value, number(), 0);

    function work() {
        try {
            due -= run.work(target, performance.now() + SLICE);
        } catch (error) {
            say(`Learning has stopped: ${error.message}.`);
            return 'fail';
        }
        if (!isMoving() && run.rows >= target) register();
        return run.over ? 'end' : '';
    }

    function pace(now) {
        due += Math.min(Math.max(0, now - time), 100) / 1000 * speed();
        time = now;
        target = run.rows + Math.max(0, Math.floor(due));
        return work();
    }

    function rush() {
        target = run.total;
        return work();
    }

    function halt() { target = run.rows; }

    function step() {
        while (run.testing) run.testSome(100);
        run.learn(1);
        target = run.rows;
        register();
        DigitsShow.showLearning();
        say(id('last-text').textContent);
        DigitsPad.drawn();
        tell(false);
    }

    function stepAnew() {
        anew();
        step();
    }

    function finish() {
        register();
        say(`Done. ${DigitsShow.accuracy()}.`);
    }

    const actions = {begin, anew, pace, rush, work, halt, step, stepAnew, finish};
    const machine = new Machine(STATES, 'broken', actions, entered);

    function entered() {
        due = 0;
        time = performance.now();
        id('run').textContent = machine.state === 'running' ? 'Pause' : 'Run';
        id('watch').textContent = machine.state === 'watching' ? 'Pause' : 'Watch';
        if (!isMoving()) {
            register();
            tell(false);
        }
        wake();
    }

    function tick(now) {
        frame = 0;
        machine.send('frame', now);
        if (run.changed) DigitsShow.showTest();
        DigitsShow.showLearning();
        DigitsShow.showScores();
        wake();
    }

    function wake() {
        const busy = isMoving() || run.testing || run.rows < target || pad.changed;
        if (visible && !frame && busy) frame = requestAnimationFrame(tick);
    }

    /* ---- The tab ------------------------------------------------------------------------------------------------- */

    /* A whole number of epochs from 1 to 50. */
    function number(text = id('epochs').value) {
        return Math.min(50, Math.max(1, Math.round(Number(text)) || FIRST.epochs));
    }

    function tell(push) {
        const o = {};
        for (const name in FIRST) if (run[name] !== FIRST[name]) o[name] = run[name];
        if (target) o.at = Math.min(target, run.total);
        Playground.address('digits', o, push);
    }

    function restore(params, first) {
        const kind = Object.hasOwn(LEARNERS, params.get('kind')) ? params.get('kind') : FIRST.kind;
        const epochs = number(params.get('epochs') || FIRST.epochs);
        id('kind').value = kind;
        id('epochs').value = epochs;
        machine.send('open', kind, epochs, Math.max(0, Math.floor(Number(params.get('at')) || 0)));
        if (first && !params.size) machine.send(Playground.atFirst());
    }

    function change() {
        id('epochs').value = number();
        machine.send('change');
        tell(true);
        wake();
    }

    function describe() {
        DigitsShow.set('about', LEARNERS[run.kind].text);
        DigitsShow.set('weights-about', run.isKernel
            ? 'A kernel has no weights. These are its stored rows, added up with their coefficients.'
            : 'A class has a weight for each pixel, so its weights are a picture, too.');
    }

    function describeSpeed() {
        id('speed').setAttribute('aria-valuetext', `${speed()} rows a second`);
        DigitsShow.set('speed-text', `${DigitsShow.number(speed())} rows a second`);
    }

    function listen() {
        const on = (name, event, act) => id(name).addEventListener(event, act);
        for (const name of ['step', 'run', 'watch', 'again']) on(name, 'click', () => { machine.send(name); wake(); });
        on('kind', 'change', change);
        on('epochs', 'change', change);
        on('speed', 'input', describeSpeed);
        on('clear', 'click', DigitsPad.clear);
        on('undo', 'click', DigitsPad.undoStroke);
        on('next', 'click', () => DigitsPad.showRow((pad.row + 1) % run.testRows));
        DigitsPad.open(id('pad'), run.data.test, wake, say);
        document.addEventListener('theme', () => visible && paint());
    }

    async function start(place) {
        section = place;
        await Playground.ready;
        run = new DigitsRun(await Engine.create(Playground.wasm), Playground.digits);
        section.insertAdjacentHTML('beforeend', DigitsPage.MARKUP);
        DigitsShow.open(section, run, pad, DigitsPad.showRow);
        for (const kind in LEARNERS) id('kind').add(new Option(LEARNERS[kind].name, kind));
        for (let c = 0; c < DigitsRun.CLASSES; c++) {
            id('weights').insertAdjacentHTML('beforeend', `<li><b>${c}</b><canvas class="digits-cells" width="8" ` +
                `height="8" role="img" aria-label="Weights of ${c}"></canvas><small></small></li>`);
            id('scores').insertAdjacentHTML('beforeend', `<li><b>${c}</b><i></i><output></output></li>`);
        }
        describeSpeed();
        listen();
        begin(FIRST.kind, FIRST.epochs, 0);
    }

    /* All pictures anew, in the colours of now. */
    function paint() {
        DigitsShow.showTest();
        DigitsShow.showLearning();
        DigitsPad.drawn();
    }

    function show() {
        visible = true;
        time = performance.now();
        paint();
    }

    function hide() {
        visible = false;
        register();
    }

    return {start, restore, show, hide, shrink: DigitsStrokes.shrink};
})();
