'use strict';

/* One learner on the points of the plane: its engine, how far it is, its updates, and its picture of the regions. */
class PlaneRun {
    static get SAMPLES() { return 600; } /* of a curve, beside those of the updates */
    static get MOST() { return 20000; }  /* updates that have a sample each */

    constructor(engine, wasm) {
        this.engine = engine;
        this.painter = new Painter(wasm);
        this.judging = new Painter(wasm);
        this.total = this.seen = 0;
        this.samples = [];
    }

    /* The rows from the first example on. Throws what the engine says of the settings. star: of bestLine(); tests: rows
     * to test by, {values, labels}; known: may the samples stay, since all is as before? */
    begin(options, {values, labels, star, tests}, known) {
        Object.assign(this, {given: options, values, labels, star, tests, seen: 0, last: null, move: null,
            cells: null, fresh: false, judged: {seen: -1, wrong: null}, total: options.epochs * labels.length,
            features: options.features});
        if (!known) this.samples = [];
        this.engine.open(options);
        this.engine.setRows(values, labels);
        this.linear = this.engine.weights() !== null;
        this.sample();
    }

    get over() { return this.seen >= this.total; }
    get count() { return this.engine.count; }

    /* Learns up to an example, or a time. The engine's own count leaves out rows for which a budget has no room. */
    advance(end, until) {
        const each = Math.max(1, Math.ceil(this.total / PlaneRun.SAMPLES));
        while (this.seen < Math.min(end, this.total) && performance.now() < until) {
            const before = this.count.updates, n = Math.min(each - this.seen % each, end - this.seen);
            this.last = this.engine.learn(n, before < PlaneRun.MOST);
            this.move = null;
            this.seen = this.last.done ? this.total : this.last.drawn;
            const fired = before !== this.count.updates;
            this.fresh = this.fresh && !fired && this.engine.options.decision === 'last' &&
                this.engine.options.algorithm !== 'averaged' && !this.engine.options.pocket;
            if (fired || this.seen % each === 0 || this.over) this.sample();
        }
    }

    /* One example; move: what it changed. */
    step() {
        const before = this.engine.trained(), updates = this.count.updates, stored = this.count.slots;
        this.advance(this.seen + 1, Infinity);
        const row = this.last.row, k = this.features, x = [...this.values.subarray(k * row, k * row + k)];
        this.move = {row, x, label: this.labels[row], fired: this.count.updates > updates,
            guess: this.last.guess, before, after: this.engine.trained(), stored: this.count.slots - stored};
    }

    /* What the curves have of this moment: each only once, however often it is learned. */
    sample() {
        const {updates, mistakes} = this.count, before = this.samples[this.samples.length - 1];
        if (before && before.rows >= this.seen) return;
        const norm = this.linear ? Math.sqrt(this.engine.norm2()) : 0;
        const along = this.linear && this.star ? this.engine.dot(this.star.w) : 0;
        const n = this.labels.length, epoch = this.seen % n === 0 || this.over;
        const lines = this.linear && this.engine.options.classes === 2 && this.features === 2 && this.samples.length < 2000;
        this.samples.push({rows: this.seen, w: lines ? this.engine.trained() : null, updates, mistakes, norm, along,
            angle: norm > 0 ? 180 / Math.PI * Math.acos(Math.max(-1, Math.min(1, along / norm))) : 90,
            wrong: this.tests && epoch && updates ? [this.wrongOf(this), this.wrongOf(this.tests)] : null});
    }

    /* The share of these rows that is wrong, in hundredths. */
    wrongOf({values, labels}) {
        const score = this.engine.scores(values, labels.length);
        return 100 * labels.reduce((n, y, i) => n + Number(this.best(score, i) !== y), 0) / labels.length;
    }

    /* After which examples weights changed. */
    get events() {
        return this.samples.filter((s, i) => i && s.updates > this.samples[i - 1].updates).map(s => s.rows);
    }

    /* Novikoff's theorem is about the perceptron with steps of one length, from weights of 0. Steps are the rate times
     * y x; with a margin m they are made up to y s = m. Null where it does not apply. */
    theory() {
        const o = this.engine.options, s = this.star;
        if (!s || !s.divides || o.algorithm !== 'perceptron' || o.rule !== 'fixed' || o.batch !== 'none') return null;
        const square = s.radius ** 2 + 2 * o.margin / o.rate;
        return {bound: square / s.lower ** 2, upper: k => o.rate * Math.sqrt(square * k), lower: k => o.rate * s.lower * k,
            angle: k => 180 / Math.PI * Math.acos(Math.min(1, Math.sqrt(k / square) * s.lower))};
    }

    /* Of the image; where there is none, why. */
    crc() {
        try {
            return this.engine.crc().toString(16).padStart(8, '0');
        } catch (error) {
            return error.message;
        }
    }

    /* The class of scores of row i, the lowest of equal ones; of two classes 0 and 1. */
    best(score, i) {
        const {scores: k, zeroClass} = this.engine.options, own = score.subarray(i * k, i * k + k);
        return k > 1 ? own.indexOf(Math.max(...own)) : Number(zeroClass === 'negative' ? own[0] > 0 : own[0] >= 0);
    }

    /* How probable it is that the class that the scores give is right, by the test points. */
    chances(score, rows) {
        const {engine} = this, k = engine.options.classes;
        engine.calibrate(this.tests.values, this.tests.labels);
        const p = engine.probabilities(score, rows);
        return Float32Array.from({length: rows}, (_, i) => p[i * k + this.best(score, i)]);
    }

    /* Scores every cell of a grid of side x side: `cells` has the class of each and, if sure, how probable it is by the
     * test points. True when they are new. finest: is that the finest grid? */
    async paint(side, grid, sure, finest) {
        const {seen, engine} = this, k = engine.options.scores;
        this.fresh = true;
        if (this.count.updates === 0) {
            this.cells = null;
            return false;
        }
        const cells = side * side; /* weights are so fast that the picture is never behind the line */
        const score = this.linear ? engine.scores(grid, cells) : await this.painter.scores(engine, grid, cells);
        if (!score || score.length !== cells * k || k !== engine.options.scores) return false;
        this.cells = {side, best: Uint8Array.from({length: cells}, (_, i) => this.best(score, i)),
            doubt: sure ? this.chances(score, cells) : null};
        if (!finest && seen === this.seen) this.fresh = false;
        return true;
    }

    /* Counts the points that are wrong, without holding up the page. True when there is a new count. */
    async judge() {
        if (this.judged.seen === this.seen) return false;
        const own = this.judged = {seen: this.seen, wrong: null}, labels = this.labels;
        if (this.count.updates === 0) return false;
        const score = await this.judging.scores(this.engine, this.values, labels.length);
        if (!score || this.judged !== own) return false;
        own.wrong = labels.reduce((n, y, i) => n + Number(this.best(score, i) !== y), 0);
        return true;
    }
}
