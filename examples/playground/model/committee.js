'use strict';

/* Su's committee: of p experts each says yes or no at random, and the majority of the first k is right. A learner weighs
 * their votes. Winnow is the library's, with positive weights that all begin at 1. */
class Committee {
    static get ROUNDS() { return 100; } /* that are drawn at a time */
    static get CLEAN() { return 2000; } /* rounds without a mistake after which it has learned */

    /* The factor that fits k: a right expert gains by it, a wrong one loses. */
    static factor(k) { return Math.sqrt((1 + 1 / k) / (1 - 1 / k)); }

    constructor(engine, learner, p, k, {seed = 1, factor = Committee.factor(k)} = {}) {
        const own = learner === 'winnow' ? {balanced: false, alpha: factor, threshold: 0} : {bias: 0};
        Object.assign(this, {engine, p, k, state: seed >>> 0, mistakes: 0, rounds: 0, clean: 0, marks: [[0, 0]],
            values: new Float32Array(p * Committee.ROUNDS), labels: new Int32Array(Committee.ROUNDS), at: Committee.ROUNDS});
        engine.open({learner, features: p, classes: 2, order: 'file', epochs: 1, ...own});
        this.draw();
        engine.setRows(this.values, this.labels);
    }

    /* 32 random bits, by mulberry32. */
    bits() {
        this.state = this.state + 0x6d2b79f5 >>> 0;
        let t = Math.imul(this.state ^ this.state >>> 15, this.state | 1);
        t = t + Math.imul(t ^ t >>> 7, t | 61) ^ t;
        return (t ^ t >>> 14) >>> 0;
    }

    draw() {
        const {p, k, values, labels} = this;
        for (let i = 0; i < values.length;) {
            let bits = this.bits();
            for (let j = 0; j < 32 && i < values.length; j++, i++, bits >>>= 1) values[i] = bits & 1 ? 1 : -1;
        }
        for (let row = 0; row < labels.length; row++) {
            let sum = 0;
            for (let j = 0; j < k; j++) sum += values[p * row + j];
            labels[row] = Number(sum > 0);
        }
        this.at = 0;
    }

    /* One more round: {votes, right, wrong: was it wrong about it?}. */
    round() {
        if (this.at === Committee.ROUNDS) {
            this.draw();
            this.engine.replaceRows(this.values, this.labels);
        }
        const {p, at} = this, before = this.engine.count.mistakes;
        this.engine.learnOne(this.at++);
        this.rounds++;
        const wrong = this.engine.count.mistakes > before;
        this.clean = wrong ? 0 : this.clean + 1;
        if (wrong) this.marks.push([this.rounds, ++this.mistakes]);
        return {votes: this.values.subarray(p * at, p * at + p), right: this.labels[at] ? 1 : -1, wrong};
    }

    get done() { return this.clean >= Committee.CLEAN; }
    get weights() { return this.engine.weights().weight; }

    /* Rounds until it has learned, or there were so many, or it is time. */
    advance(most, until) {
        while (!this.done && this.rounds < most && performance.now() < until) for (let i = 0; i < 20; i++) this.round();
        return this.done || this.rounds >= most;
    }

    /* How many groups of three agree with all these rounds. */
    static possible(rounds, p) {
        let n = 0;
        for (let a = 0; a < p; a++)
            for (let b = a + 1; b < p; b++)
                for (let c = b + 1; c < p; c++)
                    n += Number(rounds.every(({votes, right}) => (votes[a] + votes[b] + votes[c]) * right > 0));
        return n;
    }
}

if (typeof module !== 'undefined') module.exports = {Committee};
