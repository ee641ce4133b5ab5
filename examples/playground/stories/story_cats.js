'use strict';

/* "Can one line tell cats from dogs?": what a perceptron computes, and how it learns. Animals have kg and cm; the constant
 * beside them is 5, in their middle. */
(() => {
    const {ANIMALS, short} = CatsScene, BIAS = 5;
    const ZEROS = [['Eaton', 'positive', 'always'], ['Su', 'positive', 'predicted'], ['Honavar', 'negative', 'predicted'],
        ['CIML', 'negative', 'always']];

    function shuffled(list, draw) {
        const all = [...list];
        for (let i = all.length - 1; i > 0; i--) {
            const j = Math.floor(draw() * (i + 1));
            [all[i], all[j]] = [all[j], all[i]];
        }
        return all;
    }

    /* How many rounds each of forty orders needs: kind by kind, or mixed. */
    function rounds(engine, sorted) {
        return Array.from({length: 40}, (_, i) => {
            const draw = Points.generator(i + 1), kind = c => shuffled(ANIMALS.filter(p => p.c === c), draw);
            return Trace.run(engine, {bias: BIAS}, sorted ? [...kind(1), ...kind(-1)] : shuffled(ANIMALS, draw)).epochs;
        });
    }

    /* OR, row by row, by the rule of one book: steps {row, fired, w, updates, mistakes} until a round goes by clean. */
    function gate(engine, [name, zeroClass, zeroUpdate]) {
        const points = Points.make('or01', 4, 1).map(p => ({x: p.x, y: p.y, c: p.label ? 1 : -1})), steps = [];
        const {values, labels} = Trace.rowsOf(points);
        engine.open({learner: 'perceptron', features: 2, classes: 2, order: 'file', epochs: 100, stop: 'clean', zeroClass,
            zeroUpdate});
        engine.setRows(values, labels);
        for (let done = false; !done;) {
            const last = engine.learn(1), {updates, mistakes} = engine.count;
            ({done} = last);
            steps.push({row: last.row, fired: last.result > 0, w: Trace.weightsOf(engine), updates, mistakes});
        }
        return {name, points, steps};
    }

    async function open() {
        const engine = await Playground.engine(), {updates, w, epochs} = Trace.run(engine, {bias: BIAS}, ANIMALS);
        const bare = Trace.run(engine, {bias: 0}, ANIMALS, {most: 400});
        return {engine, updates, w, epochs, bare: bare.w, mixed: rounds(engine, false), sorted: rounds(engine, true),
            gates: ZEROS.map(zero => gate(engine, zero)), turns: turns(engine)};
    }

    const mean = list => (list.reduce((sum, v) => sum + v, 0) / list.length).toFixed(1);

    /* ---- 1 ---- */

    const dragLine = (s, key, place) => {
        s[key] = s.plot.keep(place, 40);
        const wrong = Trace.wrong(CatsScene.through(s.a, s.b), ANIMALS).length;
        s.say(wrong ? `<b>${wrong} of 12</b> on the wrong side.` :
            '<b>0 of 12 wrong.</b> Yours is one of many such lines. Which would you trust with the next animal?');
        s.done(s.over || wrong === 0);
        s.draw();
    };

    /* ---- 3: three mistakes at which one sees the line turn ---- */

    const turnOf = m => {
        const a = Math.atan2(m.from[1], m.from[0]), b = Math.atan2(m.to[1], m.to[0]);
        return Math.atan2(Math.sin(b - a), Math.cos(b - a));
    };
    const middle = w => Math.abs(Trace.score(w, 5, 5)) / (Math.hypot(w[0], w[1]) || 1e-9) < 3.6;
    const seen = m => middle(m.from) && middle(m.to) && Math.abs(turnOf(m)) > 0.2 && Math.abs(turnOf(m)) < 1.5;

    /* An order of rows in which three turns are seen: {list, updates}. */
    function turns(engine) {
        for (let seed = 1; ; seed++) {
            const list = shuffled(ANIMALS, Points.generator(seed)), {updates} = Trace.run(engine, {bias: BIAS}, list);
            if (updates.filter(seen).length >= 3 || seed === 200) return {list, updates};
        }
    }

    function askTurn(s) {
        s.at = s.turns[s.tried];
        Object.assign(s, {w: s.updates[s.at].from, ghost: null, waits: true});
        s.say('');
        s.acts(['\u21ba Left', () => turn(s, 'left')], ['Right \u21bb', () => turn(s, 'right')]);
        s.draw();
    }

    async function turn(s, side) {
        if (!s.waits) return;
        s.waits = false;
        s.acts();
        const m = s.updates[s.at], p = s.list[m.row], ok = (side === 'left') === (turnOf(m) > 0);
        s.ghost = m.from;
        await s.play(700, t => { s.w = m.from.map((v, j) => v + (m.to[j] - v) * t); });
        s.tried++;
        s.right += Number(ok);
        const name = p.c > 0 ? '{blue|cat}' : '{amber|dog}', did = p.c > 0 ? 'were added' : 'were taken away';
        s.say(`<b>${ok ? 'Right.' : 'No, the other way.'}</b> The ${name}\u2019s numbers ${did}: ${p.x.toFixed(1)} and ${p.y.toFixed(1)}.` +
            `${s.tried === 3 ? ` You had ${s.right} of 3.` : ''}`);
        if (s.tried < 3) s.acts(['Next mistake', () => askTurn(s), {main: true}]);
        else {
            s.guess(`${s.right} of 3 turns`);
            s.done();
        }
        s.draw();
    }

    const answers = side => s => (s.waits ? void turn(s, side) : false);

    /* ---- 4 ---- */

    async function round(s, guess) {
        for (const m of s.model.updates) {
            s.lit = m.row;
            s.draw();
            await s.wait(90);
            await s.play(220, t => { s.w = m.from.map((v, j) => v + (m.to[j] - v) * t); });
        }
        Object.assign(s, {lit: -1, shown: true});
        s.draw();
        const {mixed, sorted} = s.model, more = guess === 'more' ? 'Right.' : 'No, more.';
        s.say(`<b>${more}</b> Sorted: <b>${mean(sorted)}</b> rounds on average, shuffled: <b>${mean(mixed)}</b>. Cats alone teach it to say ` +
            'cat to all; then the dogs must undo that.');
        s.done();
    }

    /* ---- 5 ---- */

    function step(s, all) {
        s.gates.forEach((now, i) => {
            const {steps} = s.model.gates[i];
            now.step = Math.min(steps.length, all ? steps.length : now.step + 1);
            now.state = now.step ? steps[now.step - 1].w : [0, 0, 0];
        });
        s.draw();
        const ends = s.model.gates.every(({steps}, i) => s.gates[i].step >= steps.length);
        const counts = s.model.gates.map(({steps}) => steps[steps.length - 1].updates);
        if (!ends) return s.say(`Row ${(s.gates[0].step - 1) % 4 + 1} of 4. A ring: it was read; {change|coloured}: it changed the weights.`);
        s.acts();
        s.say(`<b>${counts.join(', ')} updates.</b> ${s.state.guess === 'Honavar' ? 'Right: Honavar.' : 'Honavar\u2019s is first.'} Who lets a sum of 0 ` +
            'count as wrong learns from rows that were right by chance.');
        return s.done();
    }

    /* ---- 6 ---- */

    function numbers(s, more) {
        Object.assign(s, more);
        const wrong = Trace.wrong(s.free ? s.model.w : s.model.bare, ANIMALS).length;
        s.say(s.free ? `Times <b>${s.times}</b>: the line is where it was.`
            : `Without b the line goes through <b>0 kg and 0 cm</b>, however it turns: ${wrong} of 12 wrong.`);
        if (s.times !== 1) s.scaled = true;
        if (!s.free) s.cut = true;
        s.done(s.scaled && s.cut);
        const button = s.ui && document.querySelector('#story-acts button');
        if (button) button.textContent = s.free ? 'Switch b off' : 'Switch b on';
        s.draw();
    }

    Playground.stories.cats = {title: 'Can one line tell cats from dogs?', sub: 'What a perceptron is, and how it learns',
        open,
        steps: [
            {title: 'Draw the line yourself', stay: true,
                text: 'Twelve invented animals: how heavy, and how long the snout. Put the line so that all {blue|cats} are on one side and ' +
                    'all {amber|dogs} on the other. There are many ways. How would a machine find one?',
                symbols: 'A line divides the plane into two half-planes. Two sets that some line divides are called linearly separable.',
                enter(s) { Object.assign(s, {a: [1.6, 7.6], b: [8.6, 4.2]}); },
                draw: CatsScene.own,
                grips: s => ['a', 'b'].map(key => ({key, drag: true, r: 24, at: s.plot.at(s[key]),
                    label: 'An end of the line; arrows move it'})),
                on: {hold: () => {}, drop: () => {}, drag: dragLine,
                    nudge: (s, key, dx, dy) => dragLine(s, key, s.plot.at([s[key][0] + 0.2 * dx, s[key][1] + 0.2 * dy]))}},
            {title: 'A line is a sum', stay: true,
                text: 'The machine keeps three numbers. It takes weight times the first, snout times the second, adds both and the third. A sum ' +
                    'above 0 says {blue|cat}, below 0 {amber|dog}. Where the sum is 0, there is the line. Drag the newcomer.',
                symbols: '<i>s</i> = <i>w</i><sub>1</sub><i>x</i><sub>1</sub> + <i>w</i><sub>2</sub><i>x</i><sub>2</sub> + <i>b</i>, and the sign ' +
                    'of <i>s</i> decides. A neuron of 1943: inputs, weights, a threshold. The logistic curve in place of the sign gives a probability.',
                enter(s) { s.newcomer = {x: 4.6, y: 5.6}; },
                draw: CatsScene.sum,
                grips: s => [{key: 'new', drag: true, r: 26, at: s.plot.at([s.newcomer.x, s.newcomer.y]),
                    label: 'The newcomer; arrows move it'}],
                on: {hold: () => {}, drop: () => {},
                    drag(s, key, place) {
                        const fit = v => Math.max(0.2, Math.min(9.8, v)), [x, y] = s.plot.of(place);
                        s.newcomer = {x: Math.round(fit(x) * 10) / 10, y: Math.round(fit(y) * 10) / 10};
                        const sum = Trace.score(s.model.w, s.newcomer.x, s.newcomer.y), was = s.kind;
                        s.kind = Math.sign(sum);
                        s.crossed = s.crossed || (was && was !== s.kind);
                        s.say(`${s.newcomer.x.toFixed(1)} kg and ${s.newcomer.y.toFixed(1)} cm: the sum is <b>${short(sum)}</b>, so ` +
                            `${sum > 0 ? '{blue|cat}' : '{amber|dog}'}.${s.crossed ? '' : ' Drag it across the line.'}`);
                        s.done(s.over || Boolean(s.crossed));
                        s.draw();
                    },
                    nudge(s, key, dx, dy) { this.drag(s, key, s.plot.at([s.newcomer.x + 0.2 * dx, s.newcomer.y + 0.2 * dy]));
                        }}},
            {title: 'What a mistake does',
                text: 'It reads one animal. If it is right, nothing changes. If it is wrong about a {blue|cat}, the cat\u2019s numbers are added to ' +
                    'its own; a {amber|dog}\u2019s are taken away. Which way will the line turn?',
                symbols: 'If <i>y s</i> \u2264 0: <i>w</i> += <i>y x</i>, <i>b</i> += 25 <i>y</i>, since the constant input is 5. Its sum moves by ' +
                    '|<i>x</i>|\u00b2 the right way, but may still be wrong; and with <i>b</i> the line may even come nearer to the point.',
                keys: {ArrowLeft: answers('left'), ArrowRight: answers('right')},
                enter(s) {
                    Object.assign(s, s.model.turns);
                    s.turns = s.updates.map((m, i) => seen(m) ? i : -1).filter(i => i >= 0);
                    Object.assign(s, {tried: 0, right: 0});
                    askTurn(s);
                },
                draw: CatsScene.mistake},
            {title: 'Round and round',
                text: 'One round is seldom enough: a turn for one animal can spoil another. So it reads them again, until a round goes by without ' +
                    'a mistake. What if all {blue|cats} come first, then all {amber|dogs}: more rounds, or fewer?',
                symbols: 'A round is an epoch. Learning from one row at a time is called online. Rows should be shuffled, once or for each epoch; ' +
                    'a limit of epochs (MaxIter) ends what would not end.',
                enter(s) {
                    Object.assign(s, {w: [0, 0, 0], lit: -1, shown: false});
                    s.ask([['More rounds', 'more'], ['The same', 'same'], ['Fewer', 'fewer']], guess => round(s, guess));
                },
                draw: CatsScene.rounds},
            {title: 'And if the sum is 0?',
                text: 'At the start all numbers are 0, so every sum is 0: right or wrong? Books differ. Four machines learn OR side by side, each ' +
                    'by the rule of one book. All end right, but not alike. Which is done first?',
                symbols: 'sgn(0) is +1 (Eaton, Su) or \u22121 (Honavar, CIML); and a row whose sum is 0 is always learned from (Eaton, CIML), or only ' +
                    'if that reads it wrong (Su, Honavar).',
                enter(s) {
                    s.gates = s.model.gates.map(() => ({step: 0, state: [0, 0, 0]}));
                    s.ask(ZEROS.map(([name]) => [name, name]), () => {
                        s.say('Step: all four read the same row.');
                        s.acts(['Step', () => step(s, false), {main: true}], ['To the end', () => step(s, true)]);
                    });
                },
                draw: CatsScene.gates},
            {title: 'What the numbers mean', play: '#/play?n=12&draw=40&epochs=20',
                text: 'Multiply all three numbers by ten: the line stays. Only their proportions count. b lets the line miss the corner of 0 and 0: ' +
                    'switch it off and see. With a thousand measures nobody can draw the line; the sum is the same.',
                symbols: 'The distance of a point to the line is |<i>s</i>| / |<i>w</i>|. <i>b</i> is a weight of a constant input. A large weight ' +
                    'is important only if its measure has the size of the others. Moving the origin changes the run, not what lines there are.',
                enter(s) {
                    Object.assign(s, {times: 1, free: true, scaled: false, cut: false});
                    s.acts(Story.slider('Times', {id: 'cats-times', min: 1, max: 10, step: 1, value: 1, says: v =>
                        `times ${v}`}, v => numbers(s, {times: v})),
                        ['Switch b off', () => numbers(s, {free: !s.free})]);
                },
                draw: CatsScene.numbers}]};
})();
