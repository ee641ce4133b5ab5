'use strict';

/* A trainer of perceptron.h: engine.c as WebAssembly, with a memory of its own. No DOM: tests run it under node.
 *
 *     const engine = await Engine.create(wasm)         wasm: Uint8Array or WebAssembly.Module
 *     engine.open({learner: 'perceptron', features: 2, classes: 2, epochs: 10})
 *     engine.setRows(values, labels)                   Float32Array, row by row; Int32Array
 *     while (!engine.learn(100).done) draw(engine.scores(picture, n))
 *
 * classes: 2 share one score, and its sign decides (a label above 0 is the positive class); of more, labels are
 * 0 .. classes - 1, each must occur, and each has a score. What is not given in the options has the value of Engine.defaults. */
class Engine {
    static get defaults() {
        return {learner: 'perceptron', classes: 2, features: 2, rule: 'fixed', update: 'predicted', rate: 1,
            margin: null, limit: null, bias: null, r: 1, alpha: 2, threshold: 0, balanced: true, kernel: null,
            degree: 3, gamma: null, coef0: 1, decision: null, budget: 0, policy: 'stop', order: 'each', seed: 1,
            rows: 0, epochs: 10, stop: 'never', zeroClass: 'positive', zeroUpdate: 'always', batch: 'none', until: 0,
            pocket: false};
    }

    /* What stands for a learner of the page: the algorithm of the program, and settings that go with it. */
    static get learners() {
        return {
            perceptron: {algorithm: 'perceptron'},
            averaged: {algorithm: 'averaged'},
            pa: {algorithm: 'perceptron', rule: 'pa1'},
            pa2: {algorithm: 'perceptron', rule: 'pa2'},
            arow: {algorithm: 'arow', decision: 'last'},
            winnow: {algorithm: 'winnow'},
            kernel: {algorithm: 'kernel', kernel: 'rbf', bias: 0, decision: 'last'},
            voted: {algorithm: 'voted', kernel: 'linear', decision: 'vote'}
        };
    }

    /* Words of the options, in the order of engine.c. */
    static get words() {
        return {
            algorithm: ['perceptron', 'averaged', 'winnow', 'arow', 'kernel'],
            rule: ['fixed', 'absolute', 'fractional', 'pa1', 'pa2'],
            update: ['predicted', 'others', 'uniform', 'one-vs-rest'],
            order: ['each', 'once', 'file'],
            stop: ['clean', 'window', 'never'],
            kernel: ['linear', 'poly', 'rbf'],
            decision: ['last', 'mean', 'vote'],
            policy: ['stop', 'oldest', 'random', 'forgetron', 'projectron'],
            zeroClass: ['positive', 'negative'],
            zeroUpdate: ['always', 'predicted'],
            batch: ['none', 'all']
        };
    }

    /* Fields of the struct settings of engine.c. */
    static get fields() {
        return {
            words: ['algorithm', 'features', 'classes', 'rule', 'update', 'order', 'stop', 'seed', 'rows', 'epochs',
                'kernel', 'degree', 'decision', 'budget', 'policy', 'balanced', 'zeroClass', 'zeroUpdate',
                'batch', 'pocket'],
            floats: ['rate', 'margin', 'limit', 'bias', 'r', 'threshold', 'gamma', 'coef0', 'until']
        };
    }

    /* All settings, none of them open. Throws an Error for a word that is none. */
    static settle(options) {
        const s = Engine.defaults, learner = Engine.learners[options.learner || s.learner];
        for (const name in options) if (options[name] !== undefined) s[name] = options[name];
        if (!learner) throw new Error(`learner: '${s.learner}' is none of ${Object.keys(Engine.learners).join(', ')}`);
        s.algorithm = learner.algorithm;
        s.rule = learner.rule || s.rule;
        for (const name in learner) if (s[name] === null) s[name] = learner[name];
        if (s.rule === 'pa') s.rule = 'pa1';
        if (s.algorithm === 'winnow' || s.algorithm === 'arow') s.rule = 'fixed'; /* they have their own */
        if (s.classes === 2) s.update = 'predicted';
        s.scores = s.classes === 2 ? 1 : s.classes;
        s.kernel = s.kernel || 'linear';
        s.decision = s.decision || 'last';
        if (s.budget && s.policy !== 'stop') s.decision = 'last';
        const set = (name, value) => { if (s[name] === null) s[name] = value; };
        set('bias', 1);
        set('limit', s.rule === 'fractional' ? 1 : 0.1);
        set('gamma', 1 / s.features);
        set('margin', s.rule.startsWith('pa') || s.algorithm === 'arow' ? 1 : 0);
        if (s.algorithm === 'winnow') s.bias = 0;
        if (s.margin > 0) s.zeroUpdate = 'always'; /* 0 is no limit then */
        if (!s.budget) s.policy = 'stop';
        if (s.order === 'file' && s.policy !== 'random') s.seed = 1; /* nothing is drawn, but images have it */
        for (const name in Engine.words)
            if (!Engine.words[name].includes(s[name]) && !(name === 'algorithm' && s[name] === 'voted'))
                throw new Error(`${name}: '${s[name]}' is none of ${Engine.words[name].join(', ')}`);
        return s;
    }

    static async create(wasm) {
        const module = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm);
        return new Engine((await WebAssembly.instantiate(module)).exports);
    }

    constructor(c) {
        this.c = c;
        this.c.clear();
        this.lent = {at: 0, bytes: 0};
    }

    /* ---- Memory: views of it end when it grows, so each is made anew ---- */

    floats(at, n) { return new Float32Array(this.c.memory.buffer, at, n); }
    integers(at, n) { return new Int32Array(this.c.memory.buffer, at, n); }
    words(at, n) { return new Uint32Array(this.c.memory.buffer, at, n); }
    bytes(at, n) { return new Uint8Array(this.c.memory.buffer, at, n); }

    reserve(bytes) {
        const at = this.c.reserve(bytes);
        if (at === 0) throw new Error('out of memory');
        return at;
    }

    /* A place that the next call may use again. */
    lend(bytes) {
        if (bytes > this.lent.bytes) this.lent = {at: this.reserve(2 * bytes), bytes: 2 * bytes};
        return this.lent.at;
    }

    keep(array) {
        const at = this.reserve(array.byteLength);
        this.bytes(at, array.byteLength).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
        return at;
    }

    check(result) {
        if (result >= 0) return result;
        const at = this.c.error_text(result), all = this.bytes(at, 200);
        throw new Error(String.fromCharCode(...all.subarray(0, all.indexOf(0))));
    }

    /* ---- Learning ---- */

    write(s) {
        const {words, floats} = Engine.fields, at = this.c.settings(), word = this.words(at, words.length);
        const number = this.floats(at + 4 * words.length, floats.length);
        const code = name => Engine.words[name] ? Engine.words[name].indexOf(s[name]) : Number(s[name]);
        words.forEach((name, i) => { word[i] = code(name); });
        if (s.algorithm === 'voted') word[0] = Engine.words.algorithm.indexOf('kernel');
        floats.forEach((name, i) => { number[i] = s[name]; });
        if (s.algorithm === 'winnow') number[0] = Math.log2(Math.fround(s.alpha));
    }

    open(options) {
        this.given = options;
        this.options = Engine.settle(options);
        this.lent = {at: 0, bytes: 0};
        this.write(this.options);
        this.check(this.c.open());
    }

    /* Begins anew, with these rows. */
    begin(labels) {
        this.open(Object.assign({}, this.given, {rows: labels.length}));
        return this.keep(new Int32Array(labels));
    }

    setRows(values, labels) {
        const label = this.begin(labels), value = this.keep(new Float32Array(values));
        this.kept = {value, label};
        this.c.rows(value, label);
    }

    /* As many others in their place. What has been learned stays. */
    replaceRows(values, labels) {
        this.floats(this.kept.value, values.length).set(values);
        this.integers(this.kept.label, labels.length).set(labels);
    }

    /* Up to n rows of the pass; once: up to the first update. done: it is over. row, result (1: updated) and guess are
     * those of the last one, drawn is how many there have been. */
    learn(n, once = false) {
        const more = this.check(this.c.learn(n, Number(once))), s = this.status();
        return {done: more === 0, row: s.row, result: s.result, guess: s.guess, drawn: s.drawn};
    }

    /* One row, outside of the pass. */
    learnOne(row) {
        this.check(this.c.learn_row(row));
        return Object.assign({done: false}, this.status());
    }

    status() {
        const w = this.words(this.c.status(), 10), i = this.integers(w.byteOffset, 10);
        return {row: w[0], result: i[1], guess: i[2], epoch: w[3], left: w[4], rows: w[5], updates: w[6],
            mistakes: w[7], slots: w[8], drawn: w[9], step: Math.sqrt(this.floats(w.byteOffset + 40, 1)[0])};
    }

    get count() { return this.status(); }

    /* ---- What has been learned ---- */

    /* Those of each row. values: null for the rows to learn from. */
    scoresAt(values, rows) {
        const size = rows * this.options.scores, input = values ? 4 * rows * this.options.features : 0;
        const at = this.lend(input + 4 * size + 4 * rows);
        if (values) this.floats(at, rows * this.options.features).set(values);
        this.check(this.c.scores(values ? at : 0, rows, at + input));
        return at + input;
    }

    scores(values, rows) {
        return this.floats(this.scoresAt(values, rows), rows * this.options.scores).slice();
    }

    /* Classes; of two +1 and -1. */
    predict(values, rows) {
        const at = this.scoresAt(values, rows), to = at + 4 * rows * this.options.scores;
        this.c.decide(at, rows, to);
        return this.integers(to, rows).slice();
    }

    /* Learns from rows that are held out how sure scores are. */
    calibrate(values, labels) {
        const at = this.lend(4 * values.length + 4 * labels.length + 8 * this.options.classes), to = at + 4 * values.length;
        this.floats(at, values.length).set(values);
        this.integers(to, labels.length).set(labels);
        this.check(this.c.calibrate(at, to, labels.length, to + 4 * labels.length));
    }

    /* Those of each class, row by row, after calibrate(). */
    probabilities(score, rows) {
        const n = rows * this.options.classes, at = this.lend(4 * score.length + 4 * n), to = at + 4 * score.length;
        this.floats(at, score.length).set(score);
        this.c.probabilities(at, rows, to);
        return this.floats(to, n).slice();
    }

    /* weight: score by score; null for a kernel model. trained: those that learn, where a mean predicts. */
    weights() { return this.parameters(this.c.weights()); }
    trained() { return this.parameters(this.c.trained()); }
    variances() { return this.parameters(this.c.variances()); }

    parameters(at) {
        const {scores, features} = this.options, n = scores * features;
        return at ? {weight: this.floats(at, n).slice(), bias: this.floats(at + 4 * n, scores).slice()} : null;
    }

    /* Of a kernel model: the rows that are stored, and their coefficients, row by row one for each score. */
    support() {
        const count = this.status().slots, slot = this.words(this.c.slots(), 3 * count);
        return {count, rows: Uint32Array.from({length: count}, (_, i) => slot[3 * i + 2]),
            coef: this.floats(this.c.coefficients(), count * this.options.scores).slice()};
    }

    /* |W|^2, and the product with W of another engine or time: what vector() gave. Biases are components of W. */
    norm2() { return this.c.norm2(); }

    vector() {
        const w = this.weights(), input = this.options.bias || 1;
        return Float64Array.from([...w.weight, ...w.bias.map(b => b / input)]);
    }

    dot(w) {
        let sum = 0;
        this.vector().forEach((v, i) => { sum += v * w[i]; });
        return sum;
    }

    /* How the rows to learn from lie to the weights that predict. bound: Novikoff's; Infinity: they do not separate. */
    measure() {
        const f = this.floats(this.c.measure(this.lend(4 * this.options.scores)), 5);
        return {errors: f[0], margin: f[1], radius2: f[2], norm2: f[3], bound: f[4]};
    }

    /* ---- Images ---- */

    /* The bytes with which the model file of `perceptron train` begins. */
    image() {
        const size = this.c.image(0, 0), at = this.lend(size);
        if (size === 0) throw new Error('no image: numbers are too large, or a batch is not over');
        this.c.image(at, size);
        return this.bytes(at, size).slice();
    }

    /* CRC-32 of all bytes of the image but the last four, which hold it. */
    crc() {
        const image = this.image();
        return new DataView(image.buffer).getUint32(image.length - 4, true);
    }

    /* Length of the image with which these bytes begin; 0: with none. */
    imageSize(bytes) {
        const head = bytes.subarray(0, 104), at = this.lend(104);
        this.bytes(at, head.length).set(head);
        return this.c.image_size(at, head.length);
    }

    /* An image or a model file, to predict with; returns what it is. decision: of a kernel model. */
    load(bytes, decision = 'last') {
        const word = at => new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);
        this.options = Engine.settle({decision});
        this.write(this.options);
        this.c.clear();
        this.lent = {at: 0, bytes: 0};
        const size = this.imageSize(bytes);
        this.check(this.c.load(this.keep(bytes), bytes.length));
        const scores = word(20), shape = {features: word(16), classes: scores === 1 ? 2 : scores, scores};
        Object.assign(this.options, shape);
        return {kind: ['', 'linear', 'perceptron', 'kernel'][word(8)], ...shape,
            slots: word(24), rows: word(32), updates: word(40), mistakes: word(48), size, crc: word(size - 4)};
    }

    /* ---- Same bits: the program's command line and its rows ---- */

    /* The shortest text that gives this float in every reader: nine digits tell any two floats apart. */
    static number(f) { return String(Number(Math.fround(f).toPrecision(9))); }

    /* Arguments of `perceptron` that train the same model; a text to paste. */
    static commandLine(options, data = 'points.csv', model = 'points.model') {
        const s = Engine.settle(options), number = Engine.number, a = ['train', '-a'];
        const add = (name, value) => a.push(`--${name}`, String(value));
        const kernel = s.algorithm === 'kernel' || s.algorithm === 'voted', winnow = s.algorithm === 'winnow';
        a.push(winnow && s.balanced ? 'balanced-winnow' : s.algorithm);
        add('normalize', 'none');
        add('epochs', s.epochs);
        add('order', s.order);
        if (s.order !== 'file' || s.policy === 'random') add('seed', s.seed);
        if (s.stop !== 'never') add('stop', s.stop);
        if (!winnow) add('bias', number(s.bias));
        if (!winnow && s.algorithm !== 'arow') add('rule', s.rule);
        if (!winnow && s.algorithm !== 'arow' && s.rule === 'fixed') add('rate', number(s.rate));
        if (s.rule === 'fractional') add('lambda', number(s.limit));
        if (s.rule.startsWith('pa')) add('aggressive', number(s.limit));
        add('margin', number(s.margin));
        if (s.classes > 2) add('update', s.update);
        if (s.zeroClass !== 'positive') add('zero-class', s.zeroClass);
        if (s.zeroUpdate !== 'always') add('zero-update', s.zeroUpdate);
        if (s.pocket) a.push('--pocket');
        if (s.batch !== 'none') add('batch', s.batch);
        if (s.batch !== 'none' && s.until) add('until', number(s.until));
        if (winnow) a.push('--alpha', number(s.alpha), '--threshold', number(s.threshold));
        if (s.algorithm === 'arow') add('r', number(s.r));
        if (kernel) add('kernel', s.kernel);
        if (kernel && s.kernel === 'poly') a.push('--degree', String(s.degree), '--coef0', number(s.coef0));
        if (kernel && s.kernel !== 'linear') add('gamma', number(s.gamma));
        if (kernel && s.budget) a.push('--budget', String(s.budget), '--policy', s.policy);
        const decision = {last: 'last', mean: 'averaged', vote: 'voted'}[s.decision];
        if (kernel || s.algorithm === 'arow') add('decision', decision);
        return ['build/perceptron', ...a, data, model].join(' ');
    }

    /* Dense rows, the label last. Of two classes the positive one is 1, the other 0. */
    static csv(values, labels, features, classes = 2) {
        const text = [];
        for (let i = 0; i < labels.length; i++) {
            for (let j = 0; j < features; j++) text.push(Engine.number(values[i * features + j]), ',');
            text.push(classes > 2 ? labels[i] : Number(labels[i] > 0), '\n');
        }
        return text.join('');
    }

    /* Rows of such a text, or of any numbers with a label behind them; names: the labels, in the program's order. */
    static readCsv(text) {
        const lines = text.split(/\r?\n/).map(line => line.split(',').map(cell => cell.trim())), found = new Set();
        const is = cell => cell !== '' && Number.isFinite(Number(cell)), rows = [];
        lines.forEach((cells, i) => {
            const heading = i === 0 && !cells.slice(0, -1).every(is);
            if ((cells.length === 1 && cells[0] === '') || heading) return;
            const wrong = cells.slice(0, -1).find(cell => !is(cell));
            if (wrong !== undefined) throw new Error(`line ${i + 1}: '${wrong}' is no number`);
            if (cells.length < 2) throw new Error(`line ${i + 1}: a number and a label at least, with a comma between`);
            if (rows.length && cells.length !== rows[0].length)
                throw new Error(`line ${i + 1}: ${cells.length} columns, before it there were ${rows[0].length}`);
            cells.push(cells.pop().replace(/^([+-]?)0*(\d+)$/, (_, sign, digits) => sign.replace('+', '') + digits));
            found.add(cells[cells.length - 1]);
            rows.push(cells);
        });
        if (found.size < 2) throw new Error('rows of two labels at least are needed');
        const whole = name => /^-?\d+$/.test(name);
        const names = [...found].sort((a, b) => whole(b) - whole(a) || (whole(a) ? a - b : a < b ? -1 : 1));
        return {values: Float32Array.from(rows.flatMap(row => row.slice(0, -1).map(Number))), names,
            labels: Int32Array.from(rows, row => names.indexOf(row[row.length - 1])),
            features: rows[0].length - 1, classes: names.length};
    }
}

if (typeof module !== 'undefined') module.exports = {Engine};
