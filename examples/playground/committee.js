'use strict';

/* Su's committee: p experts say yes or no at random, the majority of the first 3 is right. Mistakes of the perceptron
 * and of balanced Winnow in their first rounds, by p, as curves. */
async function committee(canvas) {
    const ROUNDS = 1000, SIZES = [8, 32, 64, 128, 256, 384], engine = await Engine.create(Playground.wasm);
    const found = {perceptron: [[0, 0]], winnow: [[0, 0]]};
    for (const p of SIZES) {
        const draw = Points.generator(p), values = Float32Array.from({length: p * ROUNDS}, () => draw() < 0.5 ? -1 : 1);
        const labels = Int32Array.from({length: ROUNDS},
            (_, i) => values[p * i] + values[p * i + 1] + values[p * i + 2]);
        for (const learner in found) {
            engine.open({learner, features: p, classes: 1, order: 'file', epochs: 1});
            engine.setRows(values, labels.map(v => v > 0 ? 1 : -1));
            engine.learn(ROUNDS);
            found[learner].push([p, engine.count.mistakes]);
        }
    }
    drawCurves(canvas, {x: `experts; mistakes in the first ${ROUNDS} rounds`, series: [
        {color: '--blue', points: found.perceptron}, {color: '--orange', dash: [6, 4], points: found.winnow}]});
    return found;
}
