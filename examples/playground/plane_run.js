'use strict';

/* One learner on the points of the plane: its engine, how far it is, its curves, and its picture of the regions. */
class PlaneRun {
    static get SAMPLES() { return 600; } /* of a curve */

    constructor(engine, wasm) {
        this.engine = engine;
        this.painter = new Painter(wasm);
        this.judging = new Painter(wasm);
        this.total = this.seen = 0;
        this.samples = [];
    }

    /* The same rows from the first example on. Throws what the engine says of the settings. star: of bestLine(). */
    begin(options, values, labels, star) {
        Object.assign(this, {given: options, values, labels, star, seen: 0, last: null, move: null, samples: [],
            cells: null, fresh: false, judged: {seen: -1, wrong: null}, total: options.epochs * labels.length});
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
            this.last = this.engine.learn(n);
            this.move = null;
            this.seen = this.last.done ? this.total : this.seen + n;
            this.fresh = this.fresh && before === this.count.updates && this.engine.options.decision === 'last' &&
                this.engine.options.algorithm !== 'averaged';
            if (this.seen % each === 0 || this.over) this.sample();
        }
    }

    /* One example; move: what it changed. */
    step() {
        const before = this.engine.trained(), updates = this.count.updates, stored = this.count.slots;
        this.advance(this.seen + 1, Infinity);
        const row = this.last.row, x = [...this.values.subarray(2 * row, 2 * row + 2)];
        this.move = {row, x, label: this.labels[row], fired: this.count.updates > updates,
            guess: this.last.guess, before, after: this.engine.trained(), stored: this.count.slots - stored};
    }

    sample() {
        const {updates, mistakes} = this.count;
        this.samples.push({rows: this.seen, updates, mistakes,
            norm: this.linear ? Math.sqrt(this.engine.norm2()) : 0,
            along: this.linear && this.star ? this.engine.dot(this.star.w) : 0});
    }

    /* Novikoff's theorem is about the perceptron with steps of one length, from weights of 0. Steps are the rate times
     * y x; with a margin m they are made up to y s = m. Null where it does not apply. */
    theory() {
        const o = this.engine.options, s = this.star;
        if (!s || !s.divides || o.algorithm !== 'perceptron' || o.rule !== 'fixed') return null;
        const square = s.radius ** 2 + 2 * o.margin / o.rate;
        return {bound: square / s.lower ** 2, upper: k => o.rate * Math.sqrt(square * k),
            lower: k => o.rate * s.lower * k};
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
        const k = this.engine.options.classes, own = score.subarray(i * k, i * k + k);
        return k === 1 ? Number(own[0] >= 0) : own.indexOf(Math.max(...own));
    }

    /* Scores every cell of a grid of side x side, in the colours of the classes. True when there is a new picture. */
    async paint(side, grid, colors) {
        const {seen, engine} = this, k = engine.options.classes;
        this.fresh = true;
        if (this.count.updates === 0) {
            this.cells = null;
            return false;
        }
        const cells = side * side; /* weights are so fast that the picture is never behind the line */
        const score = this.linear ? engine.scores(grid, cells) : await this.painter.scores(engine, grid, cells);
        if (!score || score.length !== cells * k || k !== engine.options.classes) return false;
        const image = new ImageData(side, side), canvas = document.createElement('canvas');
        for (let i = 0; i < cells; i++) image.data.set([...colors[this.best(score, i)], 255], 4 * i);
        canvas.width = canvas.height = side;
        canvas.getContext('2d').putImageData(image, 0, 0);
        this.cells = canvas;
        if (side < PlaneDraw.FINE && seen === this.seen) this.fresh = false;
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
