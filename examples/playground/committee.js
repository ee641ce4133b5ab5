'use strict';

/* Su's committee: p experts say yes or no at random, the majority of the first 3 is right. Mistakes of the perceptron
 * and of balanced Winnow until 1,000 rounds go by without one, by p, as curves. */
async function committee(canvas) {
    const ROUNDS = 1000, MOST = 60, SIZES = [8, 32, 64, 128, 192, 256];
    const engine = await Engine.create(Playground.wasm), found = {perceptron: [[0, 0]], winnow: [[0, 0]]};
    for (const p of SIZES)
        for (const learner in found) {
            const draw = Points.generator(p);
            engine.open({learner, features: p, classes: 2, order: 'file', epochs: 1});
            for (let turn = 0, before = -1; turn < MOST && engine.count.mistakes > before; turn++) {
                const values = Float32Array.from({length: p * ROUNDS}, () => draw() < 0.5 ? -1 : 1);
                const labels = Int32Array.from({length: ROUNDS},
                    (_, i) => Math.sign(values[p * i] + values[p * i + 1] + values[p * i + 2]));
                before = turn ? engine.count.mistakes : -1;
                if (turn) engine.replaceRows(values, labels);
                else engine.setRows(values, labels);
                for (let row = 0; row < ROUNDS; row++) engine.learnOne(row);
            }
            found[learner].push([p, engine.count.mistakes]);
        }
    drawCurves(canvas, {x: 'experts p; mistakes in all', series: [
        {color: '--orange', name: 'perceptron', points: found.perceptron},
        {color: '--blue', name: 'Winnow', dash: [6, 4], points: found.winnow}]});
    return found;
}
