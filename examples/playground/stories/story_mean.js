'use strict';

/* "Why average?": sixty points, the last of them odd, read five times in their order. */
(() => {
    const PASSES = 5, ROUNDS = [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60], SEEDS = 12;
    const points = list => list.map(p => ({x: p.x, y: p.y, c: p.label ? 1 : -1}));
    const OPTIONS = {learner: 'perceptron', order: 'file', stop: 'never', epochs: PASSES};

    /* Every line with the number of points for which it lasted. */
    function livesOf(engine, all) {
        const {updates} = Trace.run(engine, OPTIONS, all), end = PASSES * all.length;
        return updates.map((m, i) => ({w: m.to, life: (i + 1 < updates.length ? updates[i + 1].seen - 1 : end) - m.seen +
            1 - (i + 1 < updates.length ? 0 : 1)}));
    }

    function learned(engine, options, all) {
        const {values, labels} = Trace.rowsOf(all);
        engine.open({features: 2, classes: 2, order: 'file', epochs: PASSES, ...options});
        engine.setRows(values, labels);
        engine.learn(2 ** 30);
        return engine;
    }

    const wrongOf = (engine, all) => {
        const {values, labels} = Trace.rowsOf(all), score = engine.scores(values, labels.length);
        return labels.reduce((n, y, i) => n + Number((score[i] >= 0) !== (y > 0)), 0);
    };

    /* Errors in hundredths by rounds: means of twelve draws of 60 points, and of 300 others each. */
    function sweetSpot(engine) {
        const train = ROUNDS.map(() => 0), test = ROUNDS.map(() => 0);
        for (let seed = 1; seed <= SEEDS; seed++) {
            const own = points(Points.make('noisy', 60, seed)), others = points(Points.make('noisy', 300, seed + 1000));
            const {values, labels} = Trace.rowsOf(own);
            engine.open({learner: 'kernel', kernel: 'rbf', gamma: 8, bias: 0, decision: 'mean', features: 2, classes: 2,
                epochs: 60, seed});
            engine.setRows(values, labels);
            ROUNDS.forEach((round, i) => {
                engine.learn(60 * (round - (ROUNDS[i - 1] || 0)));
                train[i] += 100 * wrongOf(engine, own) / 60 / SEEDS;
                test[i] += 100 * wrongOf(engine, others) / 300 / SEEDS;
            });
        }
        return {rounds: ROUNDS, train, test};
    }

    async function open() {
        const engine = await Playground.engine(), voter = await Playground.engine(),
            all = points(Points.make('outlier', 60, 1));
        const lines = livesOf(engine, all), noisy = points(Points.make('noisy', 60, 2)),
            {values, labels} = Trace.rowsOf(noisy);
        const mean = (() => {
            const {weight, bias} = learned(engine, {learner: 'averaged'}, all).weights();
            return [...weight, bias[0]];
        })();
        const sums = learned(engine, {learner: 'averaged'}, noisy).weights(), sure = [...sums.weight, sums.bias[0]];
        const found = roc(engine.scores(values, 60), labels), share = (list, level) =>
            list.filter(p => Trace.score(sure, p.x, p.y) >= level).length / list.length;
        learned(voter, {learner: 'voted'}, all);
        return {engine, points: all, lines, mean, noisy, sure, roc: found,
            rates: level => ({hits: share(noisy.filter(p => p.c > 0), level),
                alarms: share(noisy.filter(p => p.c < 0), level)}),
            spread: Math.max(...engine.scores(values, 60).map(Math.abs)),
            vote: cells => Array.from(voter.scores(Float32Array.from(cells.flat()), cells.length), v => v >= 0 ? 1 : -1),
            count: p => lines.reduce((sum, each) => {
                sum[Trace.score(each.w, p.x, p.y) >= 0 ? 'blue' : 'amber'] += each.life;
                return sum;
            }, {blue: 0, amber: 0})};
    }

    /* ---- 1 ---- */

    async function readOdd(s, guess) {
        const {lines, points: all} = s.model, last = lines[lines.length - 1].w, before = s.w;
        s.ghost = before;
        await s.play(700, t => { s.w = before.map((v, j) => v + (last[j] - v) * t); });
        const wrong = Trace.wrong(last, all).length;
        s.say(`<b>${wrong} wrong.</b> You said ${guess}${guess === wrong ? ': right' : ''}. The line turned for one point, and let go of ${wrong - 1} others. ` +
            'Whoever stops here gets this line.');
        s.done();
    }

    /* ---- 2 ---- */

    function look(s, i) {
        const {lines, points: all} = s.model, most = Math.max(...lines.map(each => each.life)), {life, w} = lines[i];
        s.at = i;
        const wrong = Trace.wrong(w, all).length;
        s.say(`Line ${i + 1} of ${lines.length} lasted for <b>${life}</b> ${life === 1 ? 'point' : 'points'}; ${wrong} of 60 wrong.` +
            `${life === most ? ' <b>None lasted longer.</b>' : ''}`);
        s.done(s.over || life === most);
        s.draw();
    }

    /* ---- 3 ---- */

    function voteFor(s, [x, y]) {
        s.newcomer = {x: Math.max(-1, Math.min(1, x)), y: Math.max(-1, Math.min(1, y))};
        const {blue, amber} = s.model.count(s.newcomer);
        s.say(`<b>${blue} votes for {blue|blue}, ${amber} for {amber|amber}.</b> Near the border the votes are close.`);
        s.done();
        s.draw();
    }

    /* ---- 5 ---- */

    const shift = s => Story.slider('The threshold', {id: 'mean-level', min: -100, max: 100, step: 2, value: 0, says: v =>
        `${v} of 100`}, v => {
        s.level = -v / 100 * s.model.spread;
        const {hits, alarms} = s.model.rates(s.level);
        s.say(`<b>${Math.round(100 * hits)} % of the blue points caught, ${Math.round(100 * alarms)} % false alarms.</b> ` +
            `${s.state.guess === 'both' ? 'Both, as you said.' : 'Both move: no threshold gives one without the other.'}`);
        s.done();
        s.draw();
    });

    /* ---- 6 ---- */

    async function stopAt(s, round) {
        if (s.state.guess !== undefined) return;
        s.guess(Math.round(round));
        s.acts();
        const {rounds, test, train} = s.model.sweet, last = rounds.length - 1;
        s.told = 0;
        await s.play(1600, t => { s.told = Math.round(t * last); });
        const least = Math.min(...test), best = rounds[test.indexOf(least)];
        s.say(`<b>Best after ${best} rounds: ${least.toFixed(1)} % wrong</b> of points never seen; after ${rounds[last]} it is ${test[last].toFixed(1)} %, though ` +
            `only ${train[last].toFixed(1)} % of its own are wrong.${round ? ` You tapped ${Math.round(round)}.` : ''}`);
        s.done();
    }

    Playground.stories.mean = {title: 'Why average?', sub: 'One odd point ruins the last line, not the mean of all', open,
        steps: [
            {title: 'One odd point',
                text: s => `Sixty points, one of them odd: a {blue|blue} one among the {amber|amber}. The line is wrong about ` +
                    `${Trace.wrong(s.model.lines[s.model.lines.length - 2].w, s.model.points).length} points, and the odd one is read next, for the fifth time. ` +
                    'How many will be wrong after it?',
                symbols: 'The rows come in their order, five times; the odd one is the last of the 60. No line is right about all.',
                enter(s) {
                    const {lines} = s.model;
                    s.w = lines[lines.length - 2].w;
                    s.ask([['3', 3], ['10', 10], ['30', 30]], guess => readOdd(s, guess));
                },
                draw: MeanScene.now},
            {title: 'How long did it last?', stay: true,
                text: 'Here are all the lines it ever had. Thick: was right for long. Thin: fell at the next point. Why should the last one be ' +
                    'the best? Slide, and find the one that lasted longest.',
                symbols: 'A line survives <i>c</i> rows; in the mean it counts <i>c</i> times (CIML, (4.17)).',
                enter(s) {
                    const most = s.model.lines.length;
                    s.at = most - 1;
                    s.acts(Story.slider('Through time', {id: 'mean-at', min: 0, max: most - 1, step: 1, value: most - 1,
                        says: v => `line ${v + 1}`}, v => look(s, v)));
                },
                draw: MeanScene.lives},
            {title: 'Let them vote', stay: true,
                text: 'Give each line as many votes as points it lasted for. For a new point, count: so many votes for {blue|blue}, so many for ' +
                    '{amber|amber}. What will they say of the newcomer? Then move it: the border is not a line any more.',
                symbols: 'The voted perceptron (Freund and Schapire 1999): all <i>K</i> lines must be kept and asked. It generalises better than the last.',
                enter(s) {
                    s.newcomer = {x: -0.42, y: 0.42};
                    s.regions = null;
                    s.ask([['Blue', 'blue'], ['Amber', 'amber']], guess => {
                        const {blue, amber} = s.model.count(s.newcomer), is = blue > amber ? 'blue' : 'amber';
                        s.say(`<b>${blue} for {blue|blue}, ${amber} for {amber|amber}:</b> ${guess === is ? 'right' : `so ${is}`}. Now drag it across the border.`);
                        s.draw();
                    });
                },
                draw: MeanScene.votes,
                grips: s => s.state.guess === undefined ? [] : [{key: 'new', drag: true, r: 26,
                    at: s.plot.at([s.newcomer.x, s.newcomer.y]), label: 'The newcomer; arrows move it'}],
                on: {hold: () => {}, drop: () => {}, drag: (s, key, place) => voteFor(s, s.plot.keep(place)),
                    nudge: (s, key, dx, dy) => voteFor(s, [s.newcomer.x + 0.03 * dx, s.newcomer.y + 0.03 * dy])}},
            {title: 'Or take the mean',
                text: 'Asking all lines takes long. Add them up instead, each as often as it lasted: one line again, in the middle of all. It costs one ' +
                    'more number for each weight. How many points is it wrong about?',
                symbols: 'The averaged perceptron keeps \u03a3 <i>c w</i>, or by Algorithm 7 of CIML one sum of updates times their time.',
                enter(s) {
                    s.shown = false;
                    s.ask([['2', 2], ['10', 10], ['30', 30]], guess => {
                        s.shown = true;
                        s.draw();
                        const wrong = Trace.wrong(s.model.mean, s.model.points).length;
                        s.say(`<b>${wrong} wrong</b>, where the last line has ${Trace.wrong(s.model.lines[s.model.lines.length - 1].w, s.model.points).length}. ` +
                            `${guess === wrong ? 'As you said.' : `You said ${guess}.`} The odd point moved a line that lasted for a moment, and such a line hardly counts.`);
                        s.done();
                    });
                },
                draw: MeanScene.mean},
            {title: 'How sure must it be?', stay: true,
                text: 'Shift the line towards {amber|amber}: more {blue|blue} points are caught, and more false alarms raised. Each place of the line is a ' +
                    'dot at the side. Before you slide: will the dot go up, or to the right, or both?',
                symbols: s => `ROC; the area below the curve is ${s.model.roc.area.toFixed(3)}. The distance to the line is a measure of how sure it is; ` +
                    'one may also refuse to answer near it.',
                enter(s) {
                    s.level = 0;
                    s.ask([['Up', 'up'], ['Right', 'right'], ['Both', 'both']], () => {
                        s.say('Slide, and watch the dot.');
                        s.acts(shift(s));
                    });
                },
                draw: MeanScene.threshold},
            {title: 'When to stop?',
                play: '#/play?set=noisy&tests=200&learner=rbf&gamma=8&epochs=60&decision=mean&look=tested',
                text: 'Points it learns from, and points it has never seen. The first get better round after round. The others do so only for a while. ' +
                    'Run, then tap the round after which you would stop.',
                symbols: 'Means of 12 draws: RBF, \u03b3 = 8, the mean of all models. Early stopping takes the least error on points held out.',
                enter(s) {
                    if (!s.model.sweet) s.model.sweet = sweetSpot(s.model.engine);
                    Object.assign(s, {shown: -1, aimed: 20, told: undefined});
                    s.acts(['Run', async () => {
                        s.acts();
                        await s.play(1400, t => { s.shown = Math.round(t * (ROUNDS.length - 1)); });
                        s.say('Its own points: ever better. When would you stop? Tap.');
                        s.acts(['Show me', () => stopAt(s, 0)]);
                        s.draw();
                    }, {main: true}]);
                },
                draw: MeanScene.sweet,
                grips: s => s.shown === ROUNDS.length - 1 && s.state.guess === undefined ?
                    [{key: 'stop', arrows: true, rect: s.chart.rect,
                    label: 'When would you stop? Arrows move, Enter answers'}] : [],
                on: {tap: (s, key, place) => stopAt(s, place ? Math.max(1, s.chart.valueX(place[0])) : s.aimed),
                    nudge(s, key, dx) {
                        s.aimed = Math.max(1, Math.min(60, s.aimed + dx));
                        s.pointed = true;
                        s.draw();
                    }}}]};
})();
