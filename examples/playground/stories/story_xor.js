'use strict';

/* "What if no line fits?": four corners that beat every line, and cures. */
(() => {
    const {CORNERS} = XorScene, RBF = {learner: 'kernel', kernel: 'rbf', order: 'each', epochs: 10};
    const GAMMAS = [0.3, 0.5, 1, 2, 3, 5, 10, 30, 100, 300, 1000];
    const EPS = [0.4, 0.1, 0.03, 0.01];
    const points = list => list.map(p => ({x: p.x, y: p.y, c: p.label ? 1 : -1}));

    async function open() {
        const engine = await Playground.engine();
        return {engine, spiral: points(Points.make('spirals', 80, 1)), mixed: points(Points.make('separable', 40, 6))};
    }

    /* ---- 1 ---- */

    function place(s, key, at) {
        s[key] = s.plot.keep(at, 20);
        const right = 4 - Trace.wrong(XorScene.through(s.a, s.b), CORNERS).length;
        s.best = Math.max(s.best, right);
        const guess = s.state.guess, known = guess === undefined ? '' : guess === 3 ? ' You said 3: right.' :
            ` You said ${guess}.`;
        s.say(`<b>${right} of 4</b> right; your best: ${s.best}.${s.best === 3 ? `${known} Nobody has ever got four.` : ''}`);
        s.done(s.best === 3);
        s.draw();
    }

    const drags = move => ({hold: () => {}, drop: () => {}, drag: move,
        nudge: (s, key, dx, dy) => move(s, key, s.plot.at([s[key][0] + 0.03 * dx, s[key][1] + 0.03 * dy]))});
    const ends = names => s => names.map(key => ({key, drag: true, r: 24, at: s.plot.at(s[key]),
        label: 'An end of a line; arrows move it'}));

    /* ---- 2 ---- */

    async function join(s) {
        s.acts();
        await s.play(900, t => { s.joined = t; });
        s.draw();
        s.say('The strings cross. What is between two {blue|blue} points is on the blue side of any line that fits, and what is between two ' +
            '{amber|amber} ones on the other. The crossing is between both.');
        s.acts(['Run 100 rounds', () => run(s), {main: true}]);
    }

    async function run(s) {
        s.acts();
        const {updates} = Trace.run(s.model.engine, {stop: 'never', epochs: 100},
            CORNERS.map(p => ({...p, x: 2 * p.x, y: 2 * p.y})));
        const shown = updates.length, half = w => [2 * w[0], 2 * w[1], w[2]];
        for (let i = 0; i < shown; i += i < 8 ? 1 : 14) {
            Object.assign(s, {w: half(updates[i].to), lit: updates[i].row, turns: i + 1});
            s.draw();
            await s.wait(i < 8 ? 240 : 40);
        }
        Object.assign(s, {w: half(updates[shown - 1].to), turns: shown, lit: -1});
        s.draw();
        s.say(`<b>${shown} mistakes in 100 rounds</b>, ${shown / 100} in each, and after each round {w} is (${s.w.map(v => v || 0).join(', ')}) again. ` +
            'It would turn for ever.');
        s.done();
    }

    /* ---- 3 ---- */

    function learnSheet(s, guess) {
        const {updates, w} = Trace.run(s.model.engine, {}, CORNERS.map(p => ({...p, x: 2 * p.x, y: 2 * p.y})),
            {features: p => [p.x, p.y, p.x * p.y]});
        s.learned = true;
        s.draw();
        s.say(`<b>${updates.length} mistakes</b>, then none: ${guess === updates.length ? 'right' : `you said ${guess}`}. Its numbers are (${w.map(v => v || 0).join(', ')}): only the ` +
            'product counts. Tilt it back to see the edge from above.');
        s.acts(s.slider);
        s.done();
    }

    const tilter = s => Story.slider('Tilt the sheet', {id: 'xor-tilt', min: 0, max: 70, step: 1, value: s.tilt, says: v =>
        `${v} degrees`}, v => {
        s.tilt = v;
        s.aim(0);
        if (v > 30 && !s.asked) {
            s.asked = true;
            s.acts(s.slider, ...[[4, '4'], [40, '40'], [400, '400']].map(([value, text]) =>
                [text, () => s.answer(value, guess => learnSheet(s, guess))]));
            s.say('A flat sheet, and the corners above and below it. How many mistakes until it is learned?');
        }
    });

    /* ---- 4 ---- */

    function remember(s, index) {
        const {engine} = s.model, {values, labels} = Trace.rowsOf(s.points);
        s.gamma = GAMMAS[index];
        engine.open({...RBF, features: 2, classes: 2, gamma: s.gamma});
        engine.setRows(values, labels);
        engine.learn(2 ** 30);
        s.kinds = cells => Array.from(engine.scores(Float32Array.from(cells.flat()), cells.length), v => v >= 0 ? 1 : -1);
        s.stored = [...engine.support().rows];
        s.wrong = s.kinds(s.points.map(p => [p.x, p.y])).filter((kind, i) => kind !== s.points[i].c).length;
        if (s.ui) s.draw();
    }

    const reach = s => Story.slider('How far a memory reaches: far \u2192 near',
        {id: 'xor-reach', min: 0, max: GAMMAS.length - 1, step: 1, value: 2,
        says: v => `gamma ${GAMMAS[v]}`}, v => {
        remember(s, v);
        s.say(s.wrong ? `gamma = ${s.gamma}: <b>${s.wrong} of 80 wrong</b>, with ${s.stored.length} memories.`
            : `gamma = ${s.gamma}: <b>all right, with ${s.stored.length} memories.</b> ${s.state.guess === 'nearer' ? 'Nearer, as you said.' : 'Nearer was the way.'}`);
        s.done(s.over || s.wrong === 0);
    });

    /* ---- 5 ---- */

    /* The third perceptron learns from the answers of the two lines to the four corners. */
    function combine(s) {
        const side = (w, x, y) => Trace.score(w, x, y) > 0 ? 1 : -1, line = (a, b) => {
            const w = [b[1] - a[1], a[0] - b[0]];
            return [...w, -(w[0] * a[0] + w[1] * a[1])];
        };
        [s.first, s.second] = [line(s.a, s.b), line(s.c, s.d)];
        const answers = CORNERS.map(p => ({x: side(s.first, p.x, p.y), y: side(s.second, p.x, p.y), c: p.c}));
        s.third = Trace.run(s.model.engine, {}, answers, {most: 60});
        const w = s.third.ends ? s.third.w : best(answers);
        s.network = (x, y) => Trace.score(w, side(s.first, x, y), side(s.second, x, y)) > 0 ? 1 : -1;
        s.right = CORNERS.filter(p => s.network(p.x, p.y) === p.c).length;
    }

    /* Where no third line fits the answers: that with the fewest wrong. */
    function best(answers) {
        const all = [[1, 1, 1], [1, 1, -1], [-1, -1, 1], [-1, -1, -1], [1, -1, 1], [1, -1, -1], [-1, 1, 1], [-1, 1, -1],
            [0, 0, 1]];
        return all.reduce((a, b) => Trace.wrong(b, answers).length < Trace.wrong(a, answers).length ? b : a);
    }

    function placeTwo(s, key, at) {
        s[key] = s.plot.keep(at, 20);
        combine(s);
        s.say(s.right === 4 ?
            `<b>4 of 4.</b> The third perceptron needed ${s.third.updates.length} mistakes to learn what to make of the two answers.`
            : `<b>${s.right} of 4</b>: ${s.third.ends ? 'a third line can read these answers' : 'no third line can read these answers'}.`);
        s.done(s.over || s.right === 4);
        s.draw();
    }

    /* ---- 6 ---- */

    function openBatch(s) {
        const {engine, mixed} = s.model, {values, labels} = Trace.rowsOf(mixed);
        engine.open({learner: 'perceptron', batch: 'all', until: s.eps, order: 'file', epochs: 20, features: 2, classes: 2});
        engine.setRows(values, labels);
        Object.assign(s, {steps: [], w: [0, 0, 0], stopped: false});
    }

    function batchRound(s) {
        const {engine, mixed} = s.model, {done} = engine.learn(mixed.length);
        s.steps.push(engine.count.step);
        s.w = Trace.weightsOf(engine);
        s.stopped = done;
        const wrong = Trace.wrong(s.w, mixed).length, n = s.steps.length, short = engine.count.step < s.eps;
        if (done) s.tried = new Set([...(s.tried || []), s.eps]);
        const several = s.tried && s.tried.size > 1;
        s.say(!done ? `Round ${n}: the mean step is ${engine.count.step.toFixed(2)} long, not shorter than eps = ${s.eps}.`
            : `<b>${short ? `Stopped after ${n} ${n === 1 ? 'round' : 'rounds'}` : `${n} rounds, and no step was short enough`}: ${wrong} of ${mixed.length} wrong.</b> ` +
            `${several ? 'A large eps is done sooner, not better.' : 'Choose another eps, and run again.'}`);
        s.done(s.over || Boolean(several));
        s.draw();
        batchActs(s);
    }

    function batchActs(s) {
        const set = v => {
            s.eps = v;
            openBatch(s);
            s.draw();
            document.querySelector('#story-acts .slide span').textContent = `eps = ${v}`;
            for (const button of document.querySelectorAll('#story-acts button')) button.disabled = false;
        };
        const all = () => { while (!s.stopped) batchRound(s); };
        s.slider = s.slider || (s.ui && Story.slider(`eps = ${s.eps}`,
            {id: 'xor-eps', min: 0, max: 3, step: 1, value: EPS.indexOf(s.eps), says: v => `eps ${EPS[v]}`}, v =>
            set(EPS[v])));
        s.acts(s.slider, ['One round', () => batchRound(s), {main: !s.over, disabled: s.stopped}],
            ['Run', all, {disabled: s.stopped}]);
    }

    Playground.stories.xor = {title: 'What if no line fits?', sub: 'Four points that beat every line, and three cures', open,
        steps: [
            {title: 'Four corners', stay: true,
                text: 'Two {blue|blue} corners, two {amber|amber} ones, crosswise. How many of the four can one line get right? Say it, then put the ' +
                    'line. Take your time: this little picture has become famous.',
                symbols: 'XOR. Of the 16 ways to colour the four corners a line can do 14: all but XOR and its opposite.',
                enter(s) {
                    Object.assign(s, {a: [-0.8, 0.25], b: [0.8, 0.15], best: 0});
                    s.ask([['2', 2], ['3', 3], ['4', 4]], guess =>
                        s.say(`You say <b>${guess}</b>. Now drag the two ends of the line.`));
                },
                draw: XorScene.corners, grips: ends(['a', 'b']), on: drags(place)},
            {title: 'Why none can',
                text: 'Join {blue|blue} with blue and {amber|amber} with amber: the two strings cross. The crossing would have to be on both sides at ' +
                    'once. So no line fits, and the perceptron never stops.',
                symbols: 'A mixture of the points <i>y x</i> is 0 (here all four, a quarter each), so no <i>w</i> has <i>y</i>(<i>w</i>\u00b7<i>x</i>) &gt; 0 ' +
                    'for all: Farkas\u2019 lemma. A linear program without a solution says the same.',
                enter(s) {
                    Object.assign(s, {w: [0, 0, 0], joined: 0, lit: -1, turns: 0});
                    s.acts(['Join the corners', () => join(s), {main: true}]);
                },
                draw: XorScene.crossed},
            {title: 'Cure 1: one more number',
                text: 'Multiply the two coordinates and use that as a third number. {blue|Blue} corners rise, {amber|amber} ones sink, and a flat sheet ' +
                    'fits between. Seen from above its edge is a cross. Tilt it.',
                symbols: '(<i>x</i><sub>1</sub>, <i>x</i><sub>2</sub>, <i>x</i><sub>1</sub><i>x</i><sub>2</sub>): all pairs of <i>p</i> numbers are about ' +
                    '<i>p</i>\u00b2/2, all triples <i>p</i>\u00b3/6.',
                layout: s => ({tilt: s.tilt}),
                enter(s) {
                    Object.assign(s, {tilt: 0, asked: false, learned: false});
                    s.slider = tilter(s);
                    s.acts(s.slider, ['Tilt it for me', () => { document.getElementById('xor-tilt').value = 60;
                        document.getElementById('xor-tilt').dispatchEvent(new Event('input')); }]);
                },
                draw: XorScene.sheet},
            {title: 'Cure 2: remember',
                text: '{w} was all its mistakes, laid end to end. So keep the mistakes, and compare a new point with each of them. By nearness, every ' +
                    'memory speaks for its surroundings. Which way must its reach go to get all 80 right?',
                symbols: s => `The dual form: <i>s</i> = \u03a3 <i>\u03b1 y K</i>(<i>x</i>, <i>z</i>), with <i>K</i> = exp(\u2212\u03b3 |<i>x</i> \u2212 <i>z</i>|\u00b2). ` +
                    `For XOR, (1 + <i>x\u00b7z</i>)\u00b2 does it; the 16 numbers of the four corners (Gram matrix): ${gram()}.`,
                enter(s) {
                    s.points = s.model.spiral;
                    remember(s, 2);
                    s.ask([['Nearer', 'nearer'], ['Farther', 'farther']], () => {
                        s.say('Slide, and see.');
                        s.acts(reach(s));
                    });
                },
                draw: XorScene.memories},
            {title: 'Cure 3: two lines', stay: true,
                text: 'Drag two lines so that the {blue|blue} corners lie between them. A third perceptron, which reads only the two answers, can do ' +
                    'the rest. But which line should learn from a mistake? The answer came decades later.',
                symbols: 'Two hidden units. Networks of such units compute every yes-or-no function (McCulloch and Pitts 1943). The rule has no answer ' +
                    'to who was wrong; gradients through smooth units do (1986).',
                enter(s) {
                    Object.assign(s, {a: [-0.85, 0.3], b: [0.4, 0.85], c: [-0.7, -0.2], d: [0.8, 0.35]});
                    combine(s);
                },
                draw: XorScene.network, grips: ends(['a', 'b', 'c', 'd']), on: drags(placeTwo)},
            {title: 'Learn from all at once', play: '#/play?set=xor&n=80',
                text: 'One more way to learn, for points a line can divide: collect the mistakes of a whole round, move once by their mean, and stop ' +
                    'when that step is shorter than eps. A big eps is done soon. But is it done right?',
                symbols: 'Batch: <i>w</i> += mean of <i>y x</i> over the wrong rows, until |step| &lt; eps (Eaton); a subgradient step of the mean of ' +
                    'max(0, \u2212<i>y s</i>). The pocket keeps the best line seen.',
                enter(s) {
                    s.eps = 0.4;
                    openBatch(s);
                    batchActs(s);
                },
                draw: XorScene.batch}]};

    /* (1 + x.z) squared of the corners at 1 and -1. */
    function gram() {
        const rows = CORNERS.map(a => CORNERS.map(b => (1 + 4 * (a.x * b.x + a.y * b.y)) ** 2).join(' '));
        return `<span class="matrix">${rows.join('; ')}</span>`;
    }
})();
