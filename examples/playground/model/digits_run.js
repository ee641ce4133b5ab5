'use strict';

/* Ten classes learn the digits; from time to time the test rows are read. */
class DigitsRun {
    static get CLASSES() { return 10; }
    static get PIXELS() { return 64; }
    static get MARKS() { return 3; } /* test accuracy is taken so often in an epoch */

    constructor(engine, data) {
        Object.assign(this, {engine, data, kind: 'averaged', epochs: 10});
    }

    get trainRows() { return this.data.train.labels.length; }
    get testRows() { return this.data.test.labels.length; }
    get total() { return this.epochs * this.trainRows; }
    get over() { return this.rows >= this.total && !this.testing; }
    get isKernel() { return DigitsLearners[this.kind].options.learner === 'kernel'; }
    get lastMark() { return this.marks[this.marks.length - 1]; }
    get nextMark() { return Math.round((this.marks.length + 1) * this.trainRows / DigitsRun.MARKS); }

    get options() {
        return Object.assign({classes: DigitsRun.CLASSES, features: DigitsRun.PIXELS, order: 'each', seed: 1,
            epochs: this.epochs}, DigitsLearners[this.kind].options);
    }

    /* From the first row on. */
    begin(kind, epochs) {
        Object.assign(this, {kind, epochs, rows: 0, last: null, tested: 0, testing: false, guess: null, marks: [],
            changed: true});
        this.engine.open(this.options);
        this.engine.setRows(this.data.train.values, this.data.train.labels);
    }

    /* What the tab "Same bits" asks for; null: nothing is learned. */
    get model() {
        const {values, labels} = this.data.train;
        return this.rows ? {name: 'Digits', engine: this.engine, options: this.options,
            rows: () => ({values, labels, features: DigitsRun.PIXELS})} : null;
    }

    /* Up to so many rows; returns how many there were. */
    learn(most) {
        const count = Math.min(most, this.nextMark - this.rows, this.total - this.rows);
        this.last = this.engine.learn(count);
        this.rows += count;
        if (this.rows === this.nextMark)
            Object.assign(this, {testing: true, tested: 0, guess: new Int32Array(this.testRows)});
        return count;
    }

    /* Not all rows at once: a kernel would take too long for one frame. */
    testSome(most) {
        const {values, labels} = this.data.test, side = DigitsRun.PIXELS, at = this.tested;
        const end = Math.min(at + most, this.testRows);
        this.guess.set(this.engine.predict(values.subarray(at * side, end * side), end - at), at);
        this.tested = end;
        if (end < this.testRows) return;
        const wrong = this.guess.reduce((n, guess, i) => n + (guess !== labels[i]), 0);
        this.testing = false;
        this.marks.push({rows: this.rows, wrong, mistakes: this.engine.count.mistakes});
        this.changed = true;
    }

    /* Learns up to a row, as long as there is time. Returns how many rows that were. */
    work(target, until) {
        const before = this.rows;
        while (performance.now() < until)
            if (this.testing) this.testSome(20);
            else if (this.rows < Math.min(target, this.total)) this.learn(Math.min(8, target - this.rows));
            else break;
        return this.rows - before;
    }
}
