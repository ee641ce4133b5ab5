'use strict';

/* The mathematics of the stories, for tests/others/playground_bits.py: node model.js ENGINE. Prints what is wrong as JSON. */
const fs = require('fs'), path = require('path');
const load = name => require(path.resolve('examples/playground', name));
const {Engine} = load('engine/engine.js'), {Trace} = load('model/trace.js'), {bestLine, widestThrough0} = load('model/widest.js');
const {Committee} = load('model/committee.js'), {roc} = load('model/roc.js');

let state = 7, checks = 0;
const wrong = [];

function draw() {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
}

function check(is, what) {
    checks++;
    if (!is) wrong.push(what);
}

/* Points that a line through 0 divides, with a gap now and then. */
function points() {
    const turn = 2 * Math.PI * draw(), u = [Math.cos(turn), Math.sin(turn)], gap = 0.02 + 0.3 * draw() ** 2, found = [];
    while (found.length < 4 + Math.floor(12 * draw())) {
        const x = Math.fround(2 * draw() - 1), y = Math.fround(2 * draw() - 1), s = u[0] * x + u[1] * y;
        if (Math.abs(s) > gap) found.push({x, y, c: Math.sign(s)});
    }
    return found;
}

/* Novikoff: at each mistake ramp <= height <= length <= roof, and w is the sum of its mistakes. */
function proof(engine) {
    for (let i = 0; i < 2000; i++) {
        const own = points(), star = widestThrough0(own), {updates, ends} = Trace.run(engine, {bias: 0}, own, {most: 5000});
        const sum = [0, 0];
        check(ends && updates.length <= star.bound, `run ${i}: ${updates.length} mistakes, bound ${star.bound}`);
        updates.forEach(({row, to}, j) => {
            const k = j + 1, p = own[row], high = to[0] * star.u[0] + to[1] * star.u[1], long = Math.hypot(to[0], to[1]), e = 1e-4;
            sum[0] += p.c * p.x;
            sum[1] += p.c * p.y;
            if (Math.hypot(sum[0] - to[0], sum[1] - to[1]) > e) wrong.push(`run ${i}: w is not the sum of its mistakes`);
            if (!(star.gap * k <= high + e && high <= long + e && long <= star.R * Math.sqrt(k) + e)) wrong.push(`run ${i}, mistake ${k}`);
        });
        if (i % 20) continue;
        const {values, labels} = Trace.rowsOf(own), best = bestLine(values, labels, 0);
        check(star.gap >= best.lower - 1e-6 && star.gap <= best.upper + 1e-6, `band ${star.gap}, by another way ${best.lower} to ${best.upper}`);
    }
}

/* The committee's weights beside sums and products in double. */
function committees(engine) {
    for (const learner of ['perceptron', 'winnow']) {
        const own = new Committee(engine, learner, 20, 3, {seed: 5}), w = new Float64Array(20).fill(learner === 'winnow' ? 1 : 0);
        let mistakes = 0;
        for (let round = 0; round < 500; round++) {
            const {votes, right, wrong: is} = own.round(), s = votes.reduce((sum, v, j) => sum + v * w[j], 0);
            check(right === Math.sign(votes[0] + votes[1] + votes[2]), `round ${round}: who is right`);
            mistakes += Number(is);
            if (right * s > 1e-9) continue;
            votes.forEach((v, j) => { w[j] = learner === 'winnow' ? w[j] * Math.SQRT2 ** (v * right) : w[j] + v * right; });
        }
        check(own.mistakes === mistakes && own.weights.every((v, j) => Math.abs(v - w[j]) < 1e-3 * Math.max(1, w[j])), `${learner}: ${own.weights} and ${w}`);
    }
    const rounds = [{votes: [1, 1, -1, 1], right: 1}, {votes: [-1, 1, 1, -1], right: 1}];
    check(Committee.possible(rounds, 4) === 2, `possible threes: ${Committee.possible(rounds, 4)}`); /* 0 1 2 and 1 2 3 */
}

/* The area is the share of pairs that are in their order. */
function curves() {
    for (let i = 0; i < 50; i++) {
        const scores = Array.from({length: 30}, () => Math.round(6 * draw())), labels = scores.map((s, j) => Number(j < 2 ? j : draw() < s / 6));
        let pairs = 0, good = 0;
        scores.forEach((a, j) => scores.forEach((b, k) => {
            if (!labels[j] || labels[k]) return;
            pairs++;
            good += a > b ? 1 : a === b ? 0.5 : 0;
        }));
        const found = roc(scores, labels), last = found.points[found.points.length - 1];
        check(Math.abs(found.area - good / pairs) < 1e-9 && last.hits === 1 && last.alarms === 1, `area ${found.area}, of pairs ${good / pairs}`);
    }
}

(async () => {
    const engine = await Engine.create(fs.readFileSync(process.argv[2]));
    proof(engine);
    committees(engine);
    curves();
    console.log(JSON.stringify({checks, wrong: wrong.slice(0, 5)}));
})();
