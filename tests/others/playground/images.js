'use strict';

/* Trains what the playground offers, for tests/others/playground_bits.py: node images.js ENGINE FOLDER [SEED]. Writes rows
 * as FOLDER/NAME.csv, of each case FOLDER/NUMBER.image and .scores, and FOLDER/cases.json. */
const fs = require('fs'), path = require('path');
const {Engine} = require(path.resolve('examples/playground/engine/engine.js'));
const {Painter} = require(path.resolve('examples/playground/engine/painter.js'));
global.Engine = Engine;

const [engineFile, folder, seed] = process.argv.slice(2);
let state = Number(seed || 1);

function draw() {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
}

const some = list => list[Math.floor(draw() * list.length)];

/* ---- Rows ---- */

function points(n, classes, label) {
    const set = {features: 2, classes, values: new Float32Array(2 * n),
        labels: new Int32Array(n)};
    for (let i = 0; i < n; i++) {
        const x = set.values[2 * i] = 4 * draw() - 2, y = set.values[2 * i + 1] = 4 * draw() - 2;
        set.labels[i] = i < classes ? i : draw() < 0.1 ? Math.floor(draw() * classes) : label(x, y);
    }
    return set;
}

function digits(n) {
    const rows = fs.readFileSync('examples/data/digits.csv', 'utf8').trim().split('\n').slice(0, n)
        .map(line => line.split(',').map(Number));
    return {features: 64, classes: 10, values: Float32Array.from(rows.flatMap(row => row.slice(0, 64))),
        labels: Int32Array.from(rows, row => row[64])};
}

/* Some words of 40 in each row; counted or not. */
function words(n, counted) {
    const labels = [], features = 40, values = new Float32Array(n * features);
    for (let i = 0; i < n; i++) {
        let odd = false;
        for (let j = 0; j < features; j++) {
            if (draw() > 0.15 && !(j === features - 1 && i === 0)) continue;
            values[i * features + j] = counted ? 1 + Math.floor(3 * draw()) : 1;
            odd = odd || j % 7 === 3;
        }
        labels.push(i < 2 ? i : Number(odd !== draw() < 0.05));
    }
    return {features, classes: 2, values, labels: Int32Array.from(labels)};
}

const sets = {
    two: points(150, 2, (x, y) => Number(x + y / 3 > 0.2)),
    ring: points(150, 2, (x, y) => Number(x * x + y * y > 1.5)),
    three: points(150, 3, (x, y) => x > y ? 0 : x > -y ? 1 : 2),
    four: points(120, 4, (x, y) => 2 * Number(x > 0) + Number(y > 0)),
    xor: {features: 2, classes: 2, values: Float32Array.from([0, 0, 0, 1, 1, 0, 1, 1]),
        labels: Int32Array.from([-1, 1, 1, -1])},
    digits: digits(500),
    words: words(80, false),
    counts: words(80, true)
};

/* ---- Cases ---- */

/* Settings at random, of those that the learner has. */
function settings(learner, set) {
    const many = set.classes > 2, kernel = learner === 'kernel' || learner === 'voted';
    const o = {learner, features: set.features, classes: set.classes, order: some(['each', 'once', 'file']),
        seed: Math.floor(draw() * 2 ** 32), epochs: some([1, 2, 3, 10, 30]), margin: some([null, null, 0, 0.1, 1.5])};
    if (o.epochs > 1) o.stop = some(['never', 'never', 'clean', 'window']);
    if (learner === 'winnow') return Object.assign(o, {alpha: some([2, 1.5, 1.1, 4]), balanced: draw() < 0.5,
        threshold: some([0, 1, set.features]), update: many ? some(Engine.words.update) : 'predicted'});
    o.bias = some([null, null, 1, 0, 0.3]);
    if (learner === 'arow') return Object.assign(o, {r: some([1, 0.1, 10]), decision: some(['last', 'mean']),
        update: many ? some(['predicted', 'one-vs-rest']) : 'predicted'});
    if (many) o.update = some(Engine.words.update);
    Object.assign(o, {rule: some(Engine.words.rule), rate: some([1, 1, 0.1, 3])});
    o.limit = some([null, 0.1, 1, 0.7]);
    if (!kernel && !many) Object.assign(o, {zeroClass: some(Engine.words.zeroClass), zeroUpdate: some(Engine.words.zeroUpdate)});
    if (learner === 'perceptron' && !many && draw() < 0.5) {
        if (draw() < 0.5) Object.assign(o, {pocket: true});
        else Object.assign(o, {rule: 'fixed', batch: 'all', until: o.epochs > 1 ? some([0, 0.01, 0.3]) : 0});
    }
    if (!kernel) return o;
    o.kernel = some([null, 'linear', 'poly', 'rbf']);
    o.degree = some([2, 3, 4]);
    o.gamma = some([null, 0.3, 2]) && (set.features === 64 ? 0.001 : some([null, 0.3, 2]));
    o.coef0 = some([0, 1]);
    o.decision = some([null, 'last', 'mean', 'vote']);
    if (draw() < 0.5) o.budget = some([1, 5, 20, 100]);
    if (o.budget) o.policy = some(Engine.words.policy.filter(policy => policy !== 'forgetron' || !many));
    return o;
}

function train(engine, set, options) {
    engine.open({learner: 'averaged'}); /* what was there before must not matter */
    engine.open(options);
    engine.setRows(set.values, set.labels);
    while (!engine.learn(some([1, 7, 1000])).done) { /* the pace must not matter */ }
}

function same(a, b) {
    return a.length === b.length && a.every((v, i) => Object.is(v, b[i]));
}

/* Words of what is wrong within the page. */
async function doubts(engine, copy, painter, set) {
    const rows = set.labels.length, wrong = [], scores = engine.scores(set.values, rows);
    engine.weights(); /* nor norm2 may change anything */
    engine.norm2();
    const image = engine.image();
    if (!same(scores, engine.scores(null, rows))) wrong.push('stored rows score otherwise');
    if (engine.imageSize(image) !== image.length) wrong.push('the length of the image');
    if (copy.load(image, engine.options.decision).crc !== engine.crc()) wrong.push('the checksum of a loaded image');
    if (!same(scores, copy.scores(set.values, rows))) wrong.push('a loaded image scores otherwise');
    if (!same(scores, await painter.scores(engine, set.values, rows))) wrong.push('the painter scores otherwise');
    return wrong;
}

async function main() {
    const wasm = await WebAssembly.compile(fs.readFileSync(engineFile)), cases = [];
    const engine = await Engine.create(wasm), copy = await Engine.create(wasm), painter = new Painter(wasm);
    for (const name in sets) {
        const {values, labels, features, classes} = sets[name], text = Engine.csv(values, labels, features, classes);
        const again = Engine.readCsv(text);
        fs.writeFileSync(`${folder}/${name}.csv`, text);
        if (!same(values, again.values) || text !== Engine.csv(again.values, again.labels, features, classes))
            throw new Error(`${name}.csv is not read as it was written`);
    }
    for (const learner in Engine.learners)
        for (const name in sets)
            for (let turn = 0; turn < (name === 'digits' ? 2 : 6); turn++) {
                const set = sets[name], options = settings(learner, set), number = cases.length;
                const command = Engine.commandLine(options, `${folder}/${name}.csv`, `${folder}/model`);
                let error = null, wrong = [];
                try {
                    train(engine, set, options);
                    wrong = await doubts(engine, copy, painter, set);
                    fs.writeFileSync(`${folder}/${number}.image`, engine.image());
                    fs.writeFileSync(`${folder}/${number}.scores`, engine.scores(set.values, set.labels.length));
                } catch (e) {
                    error = e.message;
                }
                cases.push({command, error, wrong, crc: error ? 0 : engine.crc(), classes: set.classes,
                    counts: error ? null : engine.count});
            }
    fs.writeFileSync(`${folder}/cases.json`, JSON.stringify(cases));
}

main();
