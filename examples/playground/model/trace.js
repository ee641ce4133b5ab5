'use strict';

/* What a learner does to the points of a story, update by update. Points: {x, y, c}, c: 1 or -1. */
const Trace = (() => {
    const rowsOf = (points, features = p => [p.x, p.y]) => ({values: Float32Array.from(points.flatMap(features)),
        labels: Int32Array.from(points, p => Math.max(0, p.c))});

    const weightsOf = engine => {
        const {weight, bias} = engine.trained();
        return [...weight, bias[0]];
    };

    /* {updates: [{row, from, to, seen}], w, ends, reads, epochs, mistakes}: from and to are weights with the bias behind
     * them, ends: did it come to an end before `most` updates? */
    function run(engine, options, points, {features, most = Infinity} = {}) {
        const {values, labels} = rowsOf(points, features), updates = [], wide = values.length / labels.length;
        engine.open({learner: 'perceptron', order: 'file', stop: 'clean', epochs: 10000, ...options, features: wide, classes: 2});
        engine.setRows(values, labels);
        let from = weightsOf(engine), done = false;
        while (!done && updates.length < most) {
            const before = engine.count.updates, last = engine.learn(2 ** 30, true);
            ({done} = last);
            if (engine.count.updates === before) continue;
            const to = weightsOf(engine);
            updates.push({row: last.row, from, to, seen: last.drawn});
            from = to;
        }
        const {rows, epoch, mistakes} = engine.count;
        return {updates, w: from, ends: done, reads: rows, epochs: epoch, mistakes};
    }

    const score = (w, x, y) => w[0] * x + w[1] * y + w[2];
    const wrong = (w, points) => points.filter(p => p.c * score(w, p.x, p.y) <= 0);

    return {run, rowsOf, weightsOf, score, wrong};
})();

if (typeof module !== 'undefined') module.exports = {Trace};
