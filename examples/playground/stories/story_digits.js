'use strict';

/* "Can 8 KB read your handwriting?": ten perceptrons, one for each digit, learn 1,497 digits of 8 x 8 dots. */
(() => {
    const PIXELS = 64, EPOCHS = 3, OPTIONS = {learner: 'averaged', classes: 10, features: PIXELS, epochs: EPOCHS};
    const BEFORE = 60; /* rows that have been learned when step 3 begins */

    async function open() {
        const engine = await Playground.engine(), learner = await Playground.engine(), {train, test} = Playground.digits;
        engine.open(OPTIONS);
        engine.setRows(train.values, train.labels);
        engine.learn(2 ** 30);
        const last = engine.trained(), guess = {mean: engine.predict(test.values, test.labels.length),
            last: test.labels.map((_, row) => {
            const x = test.values.subarray(PIXELS * row, PIXELS * row + PIXELS);
            const score = last.bias.map((b, c) => x.reduce((sum, v, j) => sum + v * last.weight[PIXELS * c + j], b));
            return score.indexOf(Math.max(...score));
        })};
        return {engine, learner, weights: engine.weights().weight, tested: {...guess, labels: test.labels}};
    }

    /* ---- The pad ---- */

    function clear(s) {
        Object.assign(s, {strokes: [], row: -1, pixels: new Float32Array(PIXELS), shown: false, scores: new Array(10).fill(0),
            pen: [0.5, 0.2], down: false});
    }

    function see(s) {
        if (s.row < 0) s.pixels = DigitsStrokes.shrink(s.strokes);
        s.scores = [...s.model.engine.scores(s.pixels, 1)];
        s.draw();
    }

    const inPad = (s, [x, y]) => {
        const {x: left, y: top, side} = s.places.pad, fit = v => Math.max(0.01, Math.min(0.99, v));
        return [fit((x - left) / side), fit((y - top) / side)];
    };

    const hands = {
        hold(s, key, place) {
            if (s.row >= 0 || s.shown) clear(s);
            s.strokes.push([inPad(s, place)]);
            see(s);
        },
        drag(s, key, place) {
            s.strokes[s.strokes.length - 1].push(inPad(s, place));
            see(s);
        },
        drop: s => s.drawn(s),
        nudge(s, key, dx, dy) { /* the arrows draw */
            if (s.row >= 0 || s.shown) clear(s);
            if (!s.strokes.length) s.strokes.push([s.pen]);
            s.pen = [s.pen[0] + dx / 16, s.pen[1] - dy / 16].map(v => Math.max(0.03, Math.min(0.97, v)));
            s.strokes[0].push(s.pen);
            see(s);
            s.drawn(s);
        }};
    const grips = s => [{key: 'pad', drag: true, rect: [s.places.pad.x, s.places.pad.y, s.places.pad.side, s.places.pad.side],
        label: 'Draw a digit here; the arrows draw, too'}];

    function ready(s, more) {
        s.acts(...more, ['A digit of others', () => {
            const {values, labels} = Playground.digits.test;
            clear(s);
            s.row = s.next = ((s.next ?? -1) + 1) % labels.length;
            s.pixels = values.slice(PIXELS * s.row, PIXELS * s.row + PIXELS);
            see(s);
            s.drawn(s);
        }], ['Clear', () => {
            clear(s);
            s.say('');
            see(s);
        }]);
    }

    const top = s => s.scores.map((v, c) => [v, c]).sort((a, b) => b[0] - a[0]).map(each => each[1]);

    /* ---- 1 ---- */

    function askDrawn(s) {
        if (s.shown) return;
        if (!s.pixels.some(Boolean)) return;
        s.acts(['It will read it', () => tell(s, true)], ['It will not', () => tell(s, false)], ['Clear', () => {
            clear(s);
            s.say('');
            see(s);
            ready(s, []);
        }]);
    }

    function tell(s, will) {
        s.shown = true;
        const [best, next] = top(s), truth = s.row >= 0 ? Playground.digits.test.labels[s.row] : null;
        Memory.set('digits.1', will ? 'yes' : 'no');
        s.say(`<b>Read as ${best}</b>${truth === null ? '' : `, and is a ${truth}`}; next would be ${next}. You said it will ${will ? '' : 'not '}read it. Draw another, or go on.`);
        ready(s, []);
        s.draw();
        s.done();
    }

    /* ---- 3 ---- */

    function seek(s) {
        const {learner} = s.model, {train} = Playground.digits;
        for (;;) { /* the next row that is misread; what it does is undone by a second run up to it */
            const before = learner.weights().weight, {row, guess} = learner.learn(1), label = train.labels[row];
            if (guess === label) continue;
            Object.assign(s, {weights: before, after: learner.weights().weight, label, guess,
                pixels: train.values.subarray(PIXELS * row, PIXELS * row + PIXELS), chosen: [], changed: []});
            return;
        }
    }

    function choose(s, c) {
        if (s.changed.length) return;
        s.chosen = s.chosen.includes(c) ? s.chosen.filter(each => each !== c) : [...s.chosen, c].slice(-2);
        if (s.chosen.length === 2) s.acts(['Step', () => show(s), {main: true}]);
        else s.acts();
        s.draw();
    }

    function show(s) {
        const {label, guess} = s, hits = s.chosen.filter(c => c === label || c === guess).length;
        Object.assign(s, {weights: s.after, changed: [label, guess], shown: true});
        s.say(`<b>A ${label}, read as ${guess}.</b> It was added to the ${label} and taken from the ${guess}. You had ${hits} of the two.`);
        s.acts(['Another', () => {
            seek(s);
            s.say('');
            s.acts();
            s.draw();
        }]);
        s.draw();
        s.done();
    }

    /* ---- 5 ---- */

    function judged(s) {
        if (!s.pixels.some(Boolean)) return;
        s.shown = true;
        s.draw();
        const [best, next] = top(s);
        s.say(`<b>Read as ${best}</b>; next would be ${next}. What is it?`);
        const row = Array.from({length: 10}, (_, c) => c);
        s.acts(digitKeys(row, c => teach(s, c, best)));
    }

    /* Ten small buttons. */
    function digitKeys(list, act) {
        const box = document.createElement('div');
        box.className = 'digit-keys';
        box.append(...list.map(c => {
            const key = document.createElement('button');
            Object.assign(key, {type: 'button', className: 'go', textContent: c});
            key.addEventListener('click', () => act(c));
            return key;
        }));
        return box;
    }

    function teach(s, is, best) {
        const {engine} = s.model, {train} = Playground.digits;
        s.rows = s.rows || {values: train.values.slice(), labels: train.labels.slice()};
        s.rows.values.set(s.pixels, 0);
        s.rows.labels[0] = is;
        engine.replaceRows(s.rows.values, s.rows.labels);
        engine.learnOne(0);
        see(s);
        const [now] = top(s);
        s.say(is === best ? `<b>It could read your ${is}.</b> Draw one that it cannot: which dots would mislead it?`
            : `<b>It took your ${is} for a ${best}: you fooled it.</b> It has learned from it, and now reads ${now}.`);
        s.done();
        ready(s, [['Save it', () => Playground.download('digits.image', engine.image(), 'application/octet-stream')]]);
    }

    Playground.stories.digits = {title: 'Can 8 KB read your handwriting?', sub: 'Draw a digit. Ten lines read it', open,
        steps: [
            {title: 'Draw', stay: true,
                text: 'Draw a digit, with a finger or the mouse. The machine that reads it has learned from 1,497 digits other people wrote, and fits into ' +
                    '8 KB: less than this page\u2019s text. Can it read yours?',
                symbols: '8 x 8 dots with 17 shades: a scan of 32 x 32, whose dark dots are counted in blocks of 4 x 4. Your drawing is made as tall and ' +
                    'as dark as theirs.',
                enter(s) {
                    clear(s);
                    s.drawn = askDrawn;
                    ready(s, []);
                },
                draw: DigitsScene.pad, grips, on: hands},
            {title: 'What it sees',
                text: 'It sees 64 dots, each with a shade. Ten perceptrons, one for each digit, take their sums, and the highest wins. Their weights are ' +
                    'pictures: {blue|blue} where it wants ink, {amber|amber} where it does not. Whose is this?',
                symbols: 'argmax<sub><i>c</i></sub> <i>w<sub>c</sub>\u00b7x</i> + <i>b<sub>c</sub></i>: 64 weights and a bias for each class. The border ' +
                    'between two classes is a line again; trees and nearest neighbours cut differently.',
                enter(s) {
                    s.who = 0;
                    s.acts(digitKeys(Array.from({length: 10}, (_, c) => c), c => {
                        s.guess(c);
                        s.acts();
                        s.say(`<b>${c === s.who ? `Right: the ${s.who}.` : `It is the ${s.who}.`}</b> No ink in its middle. Here are all ten.`);
                        s.done();
                    }));
                },
                draw: DigitsScene.whose},
            {title: 'Watch it learn', stay: true,
                text: 'Start again from nothing. When it takes a 3 for an 8, the picture is added to the 3 and taken from the 8. All others stay. Tap the ' +
                    'two pictures that will change next.',
                symbols: 'The multiclass perceptron: the right class gains <i>x</i>, the predicted one loses it (Kesler). One-vs-rest and all pairs are ' +
                    'other ways.',
                enter(s) {
                    const {train} = Playground.digits;
                    s.model.learner.open({...OPTIONS, learner: 'perceptron'});
                    s.model.learner.setRows(train.values, train.labels);
                    s.model.learner.learn(BEFORE);
                    seek(s);
                },
                draw: DigitsScene.learning,
                grips: s => s.changed.length ? [] : s.tens.map(({x, y, side}, c) =>
                    ({key: String(c), label: `Weights of ${c}`, rect: [x, y, side, side + s.unit + 8]})),
                on: {tap: (s, key) => choose(s, Number(key))}},
            {title: 'The mean again',
                text: 'After three rounds: the last weights, or the mean of all? You know from the story of the odd point. The sums for the mean take 5,200 ' +
                    'bytes more, 7,880 in all. Which reads more of 300 others?',
                symbols: '10 classes of 67 numbers are 2,680 bytes; the sums take 5,200: 7,880 in all, and a controller with 8 KB learns.',
                enter(s) {
                    s.shown = false;
                    s.ask([['The last', 'last'], ['The mean', 'mean'], ['No difference', 'same']], guess => {
                        s.shown = true;
                        const {last, mean, labels} = s.model.tested, wrong = of =>
                            labels.reduce((sum, y, row) => sum + Number(of[row] !== y), 0);
                        s.draw();
                        s.say(`<b>The last weights misread ${wrong(last)} of ${labels.length}, the mean ${wrong(mean)}.</b> ${guess === 'mean' ? 'As you said.' : 'The mean is worth its bytes.'}`);
                        s.done();
                    });
                },
                draw: DigitsScene.compared},
            {title: 'Fool it', play: '#/play/digits?epochs=3',
                text: 'Draw a digit that you can read and it cannot. Which dots misled it? Say what it is, and it learns from you at once. Save what ' +
                    'it has learned: the C header reads these very bytes.',
                symbols: 'A model is an image with a checksum, the same on every machine: pcn_perceptron_load reads it, and \u201cSame bits\u201d in free play ' +
                    'shows that the program makes the same.',
                enter(s) {
                    clear(s);
                    s.drawn = judged;
                    ready(s, []);
                },
                draw: DigitsScene.pad, grips, on: hands}]};
})();
