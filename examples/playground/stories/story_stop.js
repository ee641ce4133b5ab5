'use strict';

/* "Why does it stop?": Novikoff's proof, with w as its mistakes laid end to end. The line goes through 0, so that all lengths
 * of the proof are lengths of the picture. */
(() => {
    const POINTS = [[-0.25, -0.2, -1], [0.35, 0.05, 1], [-0.9, 0.4, -1], [0.4, 0.85, 1], [-0.65, -0.3, -1], [0.75, -0.25, 1],
        [-0.75, -0.6, -1], [0.55, 0.4, 1], [-0.8, -0.1, -1], [-0.65, 0.7, 1], [0.25, -0.6, -1], [-0.4, 0.85, 1],
        [0.55, -0.75, -1], [-0.2, 0.95, 1]];
    const MOST = 600;
    const {f2, nth, length, high} = StopScene;

    /* The points of the step learned anew. */
    function learn(s) {
        s.run = Trace.run(s.model.engine, {bias: 0}, s.points, {most: MOST});
        s.star = widestThrough0(s.points);
    }

    function begin(s, more = {}) {
        s.points = POINTS.map(([x, y, c]) => ({x, y, c}));
        Object.assign(s, {k: 0, w: [0, 0, 0], lit: -1, links: false, ...more});
        learn(s);
    }

    const between = (m, t) => m.from.map((v, j) => v + (m.to[j] - v) * t);

    /* The chain grows by one. */
    async function addLink(s) {
        const m = s.run.updates[s.k];
        if (!m || s.busy) return;
        s.busy = true;
        s.k++;
        await s.play(420, t => {
            s.grown = t;
            s.w = between(m, t);
        });
        s.grown = 1;
        s.busy = false;
        s.draw();
    }

    /* each() and last() are said after a link, and after the last one. */
    function lay(s, each, last) {
        const tell = () => {
            const end = s.k >= s.run.updates.length;
            s.say(end ? last() : each());
            if (!end) return;
            s.acts();
            s.done();
        };
        const one = async () => {
            await addLink(s);
            tell();
        };
        async function rest() {
            while (s.k < s.run.updates.length) {
                await addLink(s);
                await s.wait(60);
            }
            tell();
        }
        s.links = true;
        s.aim(500);
        s.acts(['Next mistake', one, {main: true}], ['All', rest]);
    }

    /* ---- 1 ---- */

    async function runAll(s, guess) {
        s.busy = true;
        for (const [j, m] of s.run.updates.entries()) {
            s.lit = m.row;
            s.draw();
            await s.wait(160);
            await s.play(300, t => { s.w = between(m, t); });
            s.k = j + 1;
            s.say(`<b>${s.k}</b> ${s.k === 1 ? 'turn' : 'turns'} \u2026`);
            await s.wait(110);
        }
        Object.assign(s, {busy: false, lit: -1});
        s.draw();
        s.say(`<b>${s.k} turns</b>, then never again: every point is right. You said \u201c${guess}\u201d. Was it luck? No: it ` +
            '<b>must</b> stop, and five pictures show why.');
        s.done();
    }

    /* ---- 2 ---- */

    function askTurn(s) {
        Object.assign(s, {ghost: null, slide: null, lit: -1, answer: null});
        s.say('');
        s.acts(['\u21ba Left', () => turn(s, 'left')], ['Right \u21bb', () => turn(s, 'right')]);
        s.draw();
    }

    async function turn(s, side) {
        if (s.busy || s.answer !== null) return;
        const m = s.run.updates[s.k], p = s.points[m.row], z = [p.c * p.x, p.c * p.y];
        const left = m.from[0] * m.to[1] - m.from[1] * m.to[0] > 0, ok = (side === 'left') === left;
        Object.assign(s, {answer: side, busy: true, ghost: m.from, lit: m.row, right: s.right + Number(ok)});
        s.acts();
        await s.play(450, t => { s.slide = [m.from.map(v => v * t), z]; });
        await s.wait(120);
        await s.play(300, t => { s.w = between(m, t); });
        Object.assign(s, {w: m.to, k: s.k + 1, tried: s.tried + 1, busy: false});
        const why = p.c > 0 ? '{blue|Blue} was added: {w} leans <b>towards</b> it' :
            '{amber|Amber} was taken away: {w} leans <b>away</b> from it';
        s.say(`<b>${ok ? 'Right.' : 'No, the other way.'}</b> ${why}, and the line turns along.` +
            `${s.tried === 3 ? ` You had ${s.right} of 3.` : ''}`);
        if (s.tried < 3) s.acts(['Next mistake', () => askTurn(s), {main: true}]);
        else {
            s.guess(`${s.right} of 3 turns`);
            s.done();
        }
        s.draw();
    }

    const answers = side => s => (s.answer === null && s.tried < 3 ? void turn(s, side) : false);

    /* ---- 3 ---- */

    /* Within half a degree of the best it is the best. */
    function setGreen(s, angle) {
        const by = angle - Math.atan2(s.star.u[1], s.star.u[0]), near = Math.atan2(Math.sin(by), Math.cos(by));
        s.angle = Math.abs(near) < 0.011 ? angle - near : angle;
        const u = StopScene.green(s), gap = s.star.gapOf(...u), wrong = s.points.filter(p =>
            p.c * (p.x * u[0] + p.y * u[1]) <= 0).length;
        const done = gap > 0.985 * s.star.gap;
        s.best = Math.max(s.best, gap);
        s.done(s.best > 0.985 * s.star.gap);
        const off = `<b>${wrong} ${wrong === 1 ? 'point is' : 'points are'}</b> on the wrong side. Turn on.`;
        const found = `<b>The widest:</b> half the band is {proof|\u03b3\u00a0=\u00a0${f2(s.star.gap)}} (gamma). The two ringed points hold it.`;
        s.say(wrong ? off : done ? found : `Half the band: {proof|\u03b3\u00a0=\u00a0${f2(gap)}}. It can be wider.`);
        const range = s.ui && document.getElementById('stop-angle');
        if (range && document.activeElement !== range) range.value = ((angle * 180 / Math.PI + 180) % 360 + 360) % 360 - 180;
        s.draw();
    }

    function turnGreen(s, key, place) {
        const [x, y] = s.plot.of(place);
        setGreen(s, Math.atan2(y, x) + (key === 'left' ? -1 : 1) * Math.PI / 2);
    }

    /* ---- 6 ---- */

    async function meet(s, k) {
        if (s.state.guess !== undefined) return;
        s.guess(Math.round(k));
        s.acts();
        s.aim(1400);
        await s.wait(1400);
        const b = s.star.bound, close = Math.abs(k - b) < 3 ? ' Your tap was close.' : ` You tapped ${Math.round(k)}.`;
        s.say(`<b>At (R / \u03b3)\u00b2 = ${b.toFixed(1)}.</b> A ${nth(Math.floor(b) + 1)} mistake is impossible, in whatever order ` +
            `points come. This line stopped after ${s.run.updates.length}.${k ? close : ''}`);
        s.acts(Story.slider('Slide the mistakes: the room for {w} shrinks to nothing', {id: 'stop-mistakes', min: 1,
            max: Math.ceil(b), step: 1, value: s.k, says: v => `${v} mistakes`}, v => {
            s.room = v;
            s.draw();
        }));
        s.done();
    }

    /* ---- 7 ---- */

    function count(s) {
        const {star, run} = s, k = run.updates.length, most = star.bound > 99999 ? 'a great many' : Math.floor(star.bound);
        s.say(!Number.isFinite(star.bound) ?
            `<b>No green line.</b> No ramp, and no end: the line was still turning after ${MOST} mistakes.`
            : `<b>${run.ends ? `${k} turns` : `More than ${MOST} turns`}</b>${k > 30 ? ' \u2713' : ''}. ` +
            `{proof|R = ${f2(star.R)}, \u03b3 = ${f2(star.gap)}}: never more than {proof|${most}}.`);
    }

    function movePoint(s, i, place) {
        const round = v => Math.round(v * 100) / 100, [x, y] = place;
        s.points[i] = {...s.points[i], x: round(x), y: round(y)};
        relearn(s);
    }

    function relearn(s) {
        learn(s);
        s.w = s.run.w;
        s.k = s.run.updates.length;
        s.aim(0);
        count(s);
    }

    /* ---- The steps ---- */

    Playground.stories.stop = {title: 'Why does it stop?', points: POINTS,
        sub: 'A proof that you can see: two curves that must meet',
        open: async () => ({engine: await Playground.engine()}),
        layout: s => StopScene.layout(s), draw: (s, P) => StopScene.draw(s, P), grips: (s, P) => StopScene.grips(s, P),
        steps: [
            {title: 'Will it ever stop?', short: 'The question',
                text: 'A line turns on a pin. It reads the points one by one, round and round. If a point is on the wrong side, the ' +
                    'line turns a little. But a turn can spoil other points. So: will it ever stop?',
                symbols: 'Here the line goes through the middle: b = 0. With a bias the proof is the same, with one coordinate more, ' +
                    '<i>x</i><sub>0</sub> = 1.',
                enter(s) {
                    begin(s);
                    s.ask([['Soon', 'soon'], ['After hundreds', 'after hundreds'], ['Never', 'never']], guess =>
                        runAll(s, guess));
                }},
            {title: 'What one mistake does', short: 'A mistake',
                text: 'The arrow {w} stands upright on the line and points to the {blue|blue} side. The ringed point is wrong. A wrong ' +
                    '{blue|blue} point is {change|added} to {w}, a wrong {amber|amber} one is {change|taken away}. Which way will the ' +
                    'line turn?',
                symbols: 'Wrong means <i>y</i> (<i>w</i>\u00b7<i>x</i>) \u2264 0, where <i>y</i> is +1 for blue and \u22121 for amber. ' +
                    'Then <i>w</i> becomes <i>w</i> + <i>y x</i>.',
                keys: {ArrowLeft: answers('left'), ArrowRight: answers('right')},
                enter(s) {
                    begin(s, {k: 1, tried: 0, right: 0, answer: null});
                    s.w = s.run.updates[0].to;
                    askTurn(s);
                },
                on: {tap: (s, key) => turn(s, key)}},
            {title: 'A line that works', short: 'A helper', stay: true,
                text: 'Suppose some line has every point on its side: the {proof|green} one. The perceptron never sees it; we need it ' +
                    'for the proof. Turn it by its handle until the empty band is as wide as it can be.',
                symbols: 'Half the band is the margin: \u03b3 = min <i>y</i> (<i>u</i>\u00b7<i>x</i>) over all points, where <i>u</i> ' +
                    'is the green arrow, of length 1.',
                enter(s) {
                    begin(s, {best: 0});
                    const first = Math.atan2(s.star.u[1], s.star.u[0]) + 0.62;
                    s.acts(Story.slider('Or turn it here', {id: 'stop-angle', min: -180, max: 180, step: 0.5,
                        value: first * 180 / Math.PI, says: v => `${v} degrees`}, v => setGreen(s, v * Math.PI / 180)));
                    setGreen(s, first);
                },
                on: {hold: () => {}, drop: () => {}, drag: turnGreen,
                    nudge: (s, key, dx, dy) => setGreen(s, s.angle - (dx - dy) * Math.PI / 180)}},
            {title: 'Every mistake climbs', short: 'The ramp',
                text: 'Now {proof|green} points up, and amber points are mirrored, so that every point lies above the band. {w} is all ' +
                    'its mistakes, laid {change|end to end}. Can one of these links lead down?',
                symbols: '<i>w</i>\u00b7<i>u</i> grows by <i>y</i> (<i>x</i>\u00b7<i>u</i>) \u2265 \u03b3 at each mistake. After ' +
                    '<i>k</i> mistakes <i>w</i>\u00b7<i>u</i> \u2265 \u03b3<i>k</i>.',
                enter(s) {
                    begin(s);
                    const all = s.run.updates, {gap} = s.star;
                    s.ask([['Yes, it can', 'yes'], ['No, never', 'no']], guess => {
                        lay(s, () => `After <b>${s.k}</b>: {w} is <b>${f2(high(s, s.w))}</b> high. The ramp asks for ` +
                            `{proof|\u03b3 \u00b7 ${s.k} = ${f2(gap * s.k)}}.`,
                        () => `<b>${all.length} links, ${f2(high(s, s.run.w))} high</b>: each climbs by {proof|\u03b3} or more. After k ` +
                            'mistakes {w} is at least {proof|\u03b3 \u00b7 k} high.');
                        s.say(`<b>${guess === 'no' ? 'Right.' : 'It cannot.'}</b> Each link is one of the points, and each point is ` +
                            '{proof|\u03b3 or more} above green. Lay some:');
                    });
                }},
            {title: 'No mistake gets far', short: 'The roof',
                text: 'Links climb, but the arrow gets longer only slowly. Think of a point that {w} is wrong about: can its ' +
                    '{change|link} lead straight ahead, the way {w} points?',
                symbols: '|<i>w</i> + <i>yx</i>|\u00b2 = |<i>w</i>|\u00b2 + 2<i>y</i>(<i>w</i>\u00b7<i>x</i>) + |<i>x</i>|\u00b2 \u2264 ' +
                    '|<i>w</i>|\u00b2 + <i>R</i>\u00b2, since <i>y</i>(<i>w</i>\u00b7<i>x</i>) \u2264 0. So |<i>w</i>|\u00b2 \u2264 ' +
                    '<i>R</i>\u00b2<i>k</i>.',
                enter(s) {
                    begin(s, {k: 1});
                    s.w = s.run.updates[0].to;
                    const sq = v => f2(length(v) ** 2), {R} = s.star;
                    s.ask([['Yes', 'yes'], ['No', 'no']], guess => {
                        lay(s, () => {
                            const m = s.run.updates[s.k - 1], p = s.points[m.row];
                            return `|{w}|\u00b2 = ${sq(m.to)}, not more than ${sq(m.from)} + ${sq([p.x, p.y])} (Pythagoras). The roof: ` +
                                `{proof|R \u00b7 \u221a${s.k} = ${f2(R * Math.sqrt(s.k))}}.`;
                        }, () => `Each adds |link|\u00b2 at most, and no point is farther than {proof|R = ${f2(R)}}. After k mistakes {w} is ` +
                            `at most {proof|R \u00b7 \u221ak} long: here ${f2(length(s.run.w))}.`);
                        s.say(`<b>${guess === 'no' ? 'Right.' : 'It cannot.'}</b> Ahead of {w} is the right side. A wrong point lies ` +
                            'behind the line, so the corner is 90\u00b0 or less. Lay links:');
                    });
                }},
            {title: 'They must meet', short: 'The proof',
                text: 'The {proof|ramp}: how high the arrow is, at least. The {proof|roof}: how long it is, at most. Nothing is higher ' +
                    'than it is long. So it is over when the ramp reaches the roof. After how many mistakes? Tap.',
                symbols: '\u03b3<i>k</i> \u2264 <i>w</i>\u00b7<i>u</i> \u2264 |<i>w</i>| \u2264 <i>R</i>\u221a<i>k</i>, so <i>k</i> ' +
                    '\u2264 (<i>R</i>/\u03b3)\u00b2. (Novikoff 1962)',
                enter(s) {
                    begin(s);
                    Object.assign(s, {k: s.run.updates.length, w: s.run.w, room: s.run.updates.length, aimed: 12});
                    s.acts(['Show me', () => meet(s, 0)]);
                },
                on: {tap: (s, key, place) => meet(s, place ? Math.max(1, s.chart.valueX(place[0])) : s.aimed),
                    nudge: (s, key, dx) => {
                        s.aimed = Math.max(1, Math.min(29, s.aimed + dx));
                        s.pointed = true;
                        s.draw();
                    }}},
            {title: 'Now try to break it', short: 'Play', stay: true, play: '#/play?n=30&epochs=50&best=yes',
                text: 'Drag the points. A thin band makes a flat ramp, and the curves meet later. Make it need more than 30 turns. Then ' +
                    'drag a point right across: no {proof|green} line, no ramp, no end.',
                symbols: 'The bound knows neither how many points there are nor in which order they come, only <i>R</i> and \u03b3. ' +
                    'Three rows at right angles need all (<i>R</i>/\u03b3)\u00b2 = 3 updates: no better bound is possible.',
                snapshot: s => s.points.map(p => ({...p})),
                restore(s, points) {
                    s.points = points.map(p => ({...p}));
                    relearn(s);
                },
                enter(s) {
                    begin(s);
                    Object.assign(s, {k: s.run.updates.length, w: s.run.w});
                    count(s);
                    s.done();
                },
                on: {hold: () => {}, drop: s => s.keep(),
                    drag: (s, key, place) => movePoint(s, Number(key), s.plot.keep(place)),
                    nudge(s, key, dx, dy) {
                        const p = s.points[key];
                        movePoint(s, Number(key), s.plot.keep(s.plot.at([p.x + 0.02 * dx, p.y + 0.02 * dy])));
                        s.keep();
                    }}}]};
})();
