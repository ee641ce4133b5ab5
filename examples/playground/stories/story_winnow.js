'use strict';

/* "Why multiply?": Su's committee, of whom three decide; the perceptron adds to their weights, Winnow multiplies. */
(() => {
    const EXPERTS = 20, MATTER = 3, CROWD = 50, SIZES = [10, 50, 200, 400, 700, 1000], SLICE = 12; /* ms of learning in a frame */
    const MANY = 21, HUNDRED = 100, UNTIL = 12000; /* rounds */
    const SPAM = 1, FINE = -1;

    async function open() {
        const engine = await Playground.engine(), five = new Committee(engine, 'perceptron', EXPERTS, MATTER, {seed: 12});
        const draw = Points.generator(3), order = Array.from({length: EXPERTS}, (_, j) => [draw(), j]).sort((a, b) =>
            a[0] - b[0]).map(each => each[1]);
        const rounds = Array.from({length: 5}, () => { /* those who matter are anywhere among them */
            const {votes, right} = five.round();
            return {votes: order.map(j => votes[j]), right};
        });
        const who = order.map((j, at) => j < MATTER ? at : -1).filter(at => at >= 0);
        return {engine, experts: EXPERTS, five: rounds, who, possible: Committee.possible(rounds, EXPERTS), log: true};
    }

    /* Lets a committee learn to its end, a slice in each frame. */
    async function learn(s, committee, most, shown) {
        while (!committee.advance(most, performance.now() + SLICE)) {
            shown(committee);
            await s.wait(0);
        }
        shown(committee);
        return committee;
    }

    /* ---- 1 ---- */

    function trust(s, j) {
        if (s.known || s.asked < 5) return;
        s.chosen = s.chosen.includes(j) ? s.chosen.filter(each => each !== j) : [...s.chosen, j].slice(-3);
        s.say(`You trust ${s.chosen.map(each => each + 1).join(', ')}.${s.chosen.length < 3 ? ` ${3 - s.chosen.length} more.` : ''}`);
        s.acts(['Who is it?', () => tell(s), {main: true, disabled: s.chosen.length < 3}]);
        s.draw();
    }

    function tell(s) {
        s.known = true;
        s.guess(s.chosen.map(each => each + 1).join(', '));
        s.acts();
        const {who} = s.model, hits = s.chosen.filter(j => who.includes(j)).length;
        s.say(`<b>It is ${who[0] + 1}, ${who[1] + 1} and ${who[2] + 1}</b>; you had ${hits} of them. ${s.model.possible} of the 1,140 possible threes fit all five rounds: nobody can know yet.`);
        s.done();
        s.draw();
    }

    /* ---- 2 and 3 ---- */

    function begin(s, learner) {
        Object.assign(s, {learner, known: false, mistakes: 0, rounds: 0,
            weights: new Array(CROWD).fill(learner === 'winnow' ? 1 : 0)});
    }

    async function compete(s) {
        const committee = new Committee(s.model.engine, s.learner, CROWD, MATTER);
        const show = () => {
            Object.assign(s, {weights: [...committee.weights], mistakes: committee.mistakes, rounds: committee.rounds});
            s.draw();
        };
        for (let pause = 140; committee.mistakes < 12; pause -= 5) {
            if (!committee.round().wrong) continue;
            show();
            await s.wait(pause);
        }
        await learn(s, committee, 1e6, show);
        s.known = true;
        s.draw();
        return committee.mistakes;
    }

    /* How many mistakes the other one made with the same rounds. */
    function mistakesOf(s, learner, p = CROWD) {
        const committee = new Committee(s.model.engine, learner, p, MATTER);
        committee.advance(1e6, Infinity);
        return committee.mistakes;
    }

    /* ---- 4 ---- */

    async function grow(s) {
        for (const p of SIZES) {
            const own = {};
            for (const [name, learner] of [['adding', 'perceptron'], ['doubling', 'winnow']]) {
                const committee = await learn(s, new Committee(s.model.engine, learner, p, MATTER), 1e6, () => {});
                own[name] = committee.mistakes;
                s.found[name] = [...s.found[name], [p, committee.mistakes]];
                s.draw();
            }
            s.say(`<b>${p} experts</b>: adding ${own.adding.toLocaleString('en')} mistakes, doubling ${own.doubling}.`);
        }
        const [[, adding], [, doubling]] = [s.found.adding, s.found.doubling].map(list => list[list.length - 1]);
        s.say(`<b>With 1,000: adding ${adding.toLocaleString('en')} mistakes, doubling ${doubling}.</b>${s.taps.length ? ` You tapped ${s.taps.join(' and ')}.` : ''} ` +
            'Doubling hardly minds the crowd.');
        s.done();
    }

    function tap(s, mistakes) {
        if (s.taps.length > 1) return;
        s.taps = [...s.taps, Math.max(0, Math.round(mistakes / 10) * 10)];
        s.draw();
        if (s.taps.length < 2) {
            s.say('That is adding. Now tap where doubling will be.');
            return;
        }
        s.guess(s.taps.join(' and '));
        s.acts();
        s.say('Let us see: they learn.');
        grow(s);
    }

    /* ---- 5 ---- */

    async function many(s, guess) {
        const runs = [['perceptron', {}, 'adding', 'var(--muted)', '10 6'],
            ['winnow', {}, 'factor for 21', 'var(--proof)', ''],
            ['winnow', {factor: Committee.factor(3)}, 'factor for 3', 'var(--ink)', '']];
        for (const [learner, more, name, stroke, dash] of runs) {
            const own = {name, stroke, dash, marks: [], rounds: 0, mistakes: 0},
                committee = new Committee(s.model.engine, learner, HUNDRED, MANY, more);
            s.runs = [...s.runs, own];
            await learn(s, committee, UNTIL, () => {
                Object.assign(own, {marks: committee.marks, rounds: committee.rounds, mistakes: committee.mistakes});
                s.draw();
            });
        }
        const [adding, right, wrong] = s.runs.map(each => each.mistakes);
        s.say(`<b>${guess === 'winnow' ? 'Right.' : 'No, Winnow.'}</b> Adding ${adding}, Winnow with the factor for three ${wrong}. With the factor for 21 it makes ${right}: ` +
            'the price is to know how many matter.');
        s.done();
    }

    /* ---- 6 ---- */

    function read(s) {
        const made = WordsModel.rows(s.marks), names = [...made.dictionary.keys()];
        s.counts = [];
        for (const kind of ['winnow', 'perceptron']) {
            const {weights} = s.marks.length ? WordsModel.learn(s.model.engine, kind, made) : {weights: null};
            s.counts.push(s.marks.length ? s.model.engine.count.mistakes : 0);
            s.heavy[kind] = weights ? names.map((word, j) => ({word, weight: weights.weight[j]})).filter(each => each.weight)
                .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight)) : [];
        }
        if (s.ui) s.draw();
    }

    function mark(s, label, honest = true) {
        const [, text] = WordsModel.READY[s.marks.length];
        s.marks = [...s.marks, {text, label}];
        read(s);
        next(s, honest);
    }

    function next(s) {
        const left = WordsModel.READY.slice(s.marks.length), [w, p] = s.counts;
        if (!left.length) {
            s.acts();
            s.say(`<b>${w} mistakes of Winnow, ${p} of the perceptron</b> in ${s.marks.length}. There are few messages, and many words matter a little: that is not Winnow\u2019s case.`);
            return s.done();
        }
        s.say(`<b>${s.marks.length + 1} of ${WordsModel.READY.length}.</b> \u201c${left[0][1]}\u201d`);
        const rest = () => {
            s.marks = [...s.marks, ...left.map(([label, text]) => ({text, label}))];
            read(s);
            next(s);
        };
        s.acts(['Spam', () => mark(s, SPAM)], ['Not spam', () => mark(s, FINE)], s.marks.length > 2 &&
            ['The rest, as meant', rest]);
        return s.done(s.over || s.marks.length > 5);
    }

    Playground.stories.winnow = {title: 'Why multiply?', sub: 'Winnow: three good experts among a thousand', open,
        steps: [
            {title: 'The committee', stay: true,
                text: 'Twenty experts say yes or no. What is right is what the majority of three of them says, and nobody tells you which three. The ' +
                    'others toss coins. Watch five rounds. Which three do you trust?',
                symbols: 'Su\u2019s committee: <i>x</i> of \u00b11, and <i>y</i> the sign of the sum of <i>k</i> of its <i>p</i> coordinates.',
                enter(s) {
                    Object.assign(s, {asked: 0, chosen: [], known: false});
                    s.acts(['Ask them', async () => {
                        s.acts();
                        for (s.asked = 1; s.asked < 5; s.asked++) {
                            s.draw();
                            await s.wait(350);
                        }
                        s.say('Tap three whom you trust.');
                        s.draw();
                    }, {main: true}]);
                },
                draw: WinnowScene.grid,
                grips: s => s.asked < 5 || s.known ? [] : Array.from({length: EXPERTS}, (_, j) =>
                    ({key: String(j), label: `Expert ${j + 1}`,
                    rect: [s.cells.left + j * s.cells.w, s.cells.top - 34, s.cells.w, s.cells.h + 40]})),
                on: {tap: (s, key) => trust(s, Number(key))}},
            {title: 'Adding',
                text: 'The perceptron gives each expert a weight. After a mistake it adds 1 to those who were right, and takes 1 from those who were ' +
                    'wrong. Many of these are coins. The bars are its weights. With 50 experts: how many mistakes?',
                symbols: 'The best margin is 1/\u221a(<i>pk</i>) for <i>R</i>\u00b2 = <i>p</i> and |<i>u</i>| = 1, so at most about <i>p k</i> = 150 mistakes.',
                enter(s) {
                    begin(s, 'perceptron');
                    s.ask([['10', 10], ['80', 80], ['500', 500]], async guess => {
                        const mistakes = await compete(s);
                        s.say(`<b>${mistakes} mistakes</b>; you said ${guess}. The three stand out at last, but at each mistake all the coins moved, too.`);
                        s.done();
                    });
                },
                draw: WinnowScene.bars},
            {title: 'Multiplying',
                text: 'Winnow multiplies. After a mistake those who were right weigh twice as much as before against those who were wrong. Good experts ' +
                    'double and double; coins go up and down. The same rounds: more mistakes than adding, or fewer?',
                symbols: '<i>w<sub>i</sub></i> is multiplied by e<sup>\u03b7<i>y x<sub>i</sub></i></sup>; it begins at 1 and cannot begin at 0. ' +
                    '\u03b7 = \u00bd ln((1 + 1/<i>k</i>)/(1 \u2212 1/<i>k</i>)): for <i>k</i> = 3 times \u221a2, or divided by it.',
                enter(s) {
                    begin(s, 'winnow');
                    s.ask([['More', 'more'], ['Fewer', 'fewer']], async guess => {
                        const mistakes = await compete(s), adding = mistakesOf(s, 'perceptron');
                        s.say(`<b>${mistakes} mistakes, adding made ${adding}.</b> ${guess === 'fewer' ? 'Fewer, as you said.' : 'Fewer, not more.'} ` +
                            'Each mistake of a coin halves what it says.');
                        s.done();
                    });
                },
                draw: WinnowScene.bars},
            {title: 'Twenty times as many',
                text: 'Now 1,000 experts, and still three who matter. Adding must learn about each coin. Doubling needs only some doublings, whatever the ' +
                    'crowd. Tap at the right edge where adding will be, then where doubling will be.',
                symbols: 'Bounds: <i>p k</i> for the perceptron, 2 <i>k</i>\u00b2 ln(<i>p</i>/<i>k</i>) for Winnow, about: linear against logarithmic. ' +
                    'Bars and curves are of this page\u2019s own committee, drawn by its generator.',
                enter(s) {
                    Object.assign(s, {found: {adding: [], doubling: []}, taps: [], aimed: 900});
                    for (const [name, learner] of [['adding', 'perceptron'], ['doubling', 'winnow']]) s.found[name] = [[CROWD,
                        mistakesOf(s, learner)]];
                    s.acts(['Show me', () => {
                        s.acts();
                        s.taps = [];
                        s.state.guess = null;
                        s.found = {adding: [], doubling: []};
                        grow(s);
                    }]);
                },
                draw: WinnowScene.sizes,
                grips: s => s.taps.length > 1 || s.state.guess !== undefined ? [] :
                    [{key: 'tap', arrows: true, rect: s.chart.rect,
                    label: 'Mistakes with 1,000 experts. Arrows move, Enter answers'}],
                on: {tap(s, key, place) {
                    if (s.taps.length === 0) s.start = s.found;
                    if (s.taps.length === 1) s.found = {adding: [], doubling: []};
                    tap(s, place ? s.chart.valueY(place[1]) : s.aimed);
                },
                nudge(s, key, dx, dy) {
                    s.aimed = Math.max(0, Math.min(1800, s.aimed + 50 * (dy + dx)));
                    s.pointed = true;
                    s.draw();
                }}},
            {title: 'What Winnow must know',
                text: 'There is a price. How much Winnow multiplies must fit how many matter. Its factor was made for three: now let 21 of 100 decide, ' +
                    'and do not tell it. The perceptron has no such number. Who will make more mistakes?',
                symbols: 'With the right \u03b7 Winnow\u2019s bound is below <i>p k</i> for every <i>k</i>. Here weights stop at 2<sup>64</sup>, where the ' +
                    'header clips them; without that there would be no end.',
                enter(s) {
                    Object.assign(s, {runs: [], until: UNTIL});
                    s.ask([['The perceptron', 'perceptron'], ['Winnow', 'winnow']], guess => many(s, guess));
                },
                draw: WinnowScene.factors},
            {title: 'Words', stay: true, play: '#/play/words?marks=20',
                text: 'Experts can be words: each message is a committee, and few words tell spam. Mark these messages, and both learn from you. Mark one ' +
                    'wrongly, and see who minds it more.',
                symbols: 'Balanced Winnow keeps two weights for each word, so their difference may be negative; Su\u2019s may not.',
                enter(s) {
                    Object.assign(s, {marks: [], heavy: {}, counts: [0, 0]});
                    read(s);
                    next(s);
                },
                draw: WinnowScene.words}]};
})();
