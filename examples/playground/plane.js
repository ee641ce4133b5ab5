'use strict';

/* The tab "Plane": points of two to four classes, every learner, and what it makes of them while it learns. Whatever is
 * changed or undone is learned anew from the same seed, up to the same number of examples. */
Playground.tabs.plane = (() => {
    const FINE = 150, COARSE = 48;  /* cells of the picture, each way */
    const SLICE = 8;                /* ms of learning in a frame */
    const SAMPLES = 600;            /* of a curve */
    const REACH = 0.07;             /* of a point that is to be removed */
    const STAR_EPOCHS = 100;        /* to find w* */
    const COLORS = ['--orange', '--blue', '--green', '--purple'];

    const {LEARNERS, CONTROLS, ORDERS, SHARED} = PlaneLearners;

    let section, engine, painter, judging, picture;
    let past = [[]], now = 0;           /* states of the points, for undo */
    let tool = 0, mode = '', due = 0, time = 0, target = 0, last = null, problem = '';
    let values, labels, used = [];      /* rows, and the class that stands for each label */
    let samples = [], star = null, asked = 0;
    let cells = null, fresh = false;    /* the picture of the regions; is it that of the present model? */
    let judged = {rows: -1, wrong: null}; /* points that are wrong after so many examples; null: not counted yet */
    let cursor = null, frame = 0, visible = false;
    const frames = [];

    const id = name => section.querySelector(`#plane-${name}`);
    const points = () => past[now];
    const total = () => engine && values ? number('epochs') * labels.length : 0;
    const number = name => Number(id(name).value);
    const isKernel = () => ['poly', 'rbf', 'voted'].includes(id('learner').value);
    const rgb = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim().match(/[0-9a-f]{2}/gi)
        .map(part => parseInt(part, 16));
    const mixed = (a, b, share) => a.map((v, i) => Math.round(v + share * (b[i] - v)));
    const regionColors = () => used.map(k => mixed(rgb('--paper'), rgb(COLORS[k]), 0.26));

    /* ---- Learning ---------------------------------------------------------------------------------------------- */

    function fields() {
        const all = [...LEARNERS[id('learner').value].fields, ...(used.length > 2 ? ['update'] : []), ...SHARED];
        const rule = id('rule').value, has = name => all.includes(name);
        return all.filter(name => !(name === 'rate' && rule !== 'fixed') &&
            !(name === 'lambda' && rule !== 'fractional') && !(name === 'policy' && !number('budget')) &&
            !(name === 'decision' && has('budget') && number('budget') && id('policy').value !== 'stop') &&
            !(name === 'seed' && id('order').value === 'file' && !(has('policy') && id('policy').value === 'random')));
    }

    function options() {
        const o = Object.assign({features: 2, classes: used.length === 2 ? 1 : used.length},
            LEARNERS[id('learner').value].fixed);
        for (const name of fields()) {
            const control = id(name);
            if (control.value === '') continue;
            const value = control.tagName === 'SELECT' ? control.value : Number(control.value);
            o[name === 'lambda' || name === 'c' ? 'limit' : name] = value;
        }
        return o;
    }

    function showFields() {
        const shown = fields();
        for (const name in CONTROLS) id(name).parentElement.hidden = !shown.includes(name);
        id('text').textContent = LEARNERS[id('learner').value].text;
    }

    /* The same points from the first example on; up to `examples` they are learned at once. */
    function begin(examples) {
        used = [...new Set(points().map(p => p.label))].sort();
        showFields();
        samples = [];
        last = null;
        cells = null;
        judged = {rows: -1, wrong: null};
        problem = '';
        values = null;
        delete Playground.models.plane;
        if (used.length < 2) {
            problem = 'Put points of two classes at least.';
        } else try {
            engine.open(options());
            values = Float32Array.from(points().flatMap(p => [p.x, p.y]));
            labels = Int32Array.from(points(), p => used.indexOf(p.label));
            engine.setRows(values, labels);
            const own = {values, labels, features: 2};
            Playground.models.plane = {name: 'Plane', engine, options: options(), rows: () => own};
        } catch (error) {
            values = null;
            problem = `That does not go together: ${error.message}.`;
        }
        target = Math.min(examples, total());
        if (!values || target >= total()) mode = '';
        sample();
        findStar();
        wake();
    }

    function learnTo(end, until) {
        const each = Math.max(1, Math.ceil(total() / SAMPLES));
        let rows = engine.count.rows;
        while (rows < end && performance.now() < until) {
            const before = engine.count.updates;
            last = engine.learn(Math.min(each - rows % each, end - rows));
            rows = engine.count.rows;
            fresh = fresh && before === engine.count.updates && engine.options.decision === 'last' &&
                engine.options.algorithm !== 'averaged';
            if (rows % each === 0 || last.done) sample();
            if (last.done) break;
        }
        if (last && last.done) target = engine.count.rows;
    }

    function sample() {
        if (!values) return;
        const count = engine.count, linear = !isKernel();
        samples.push({rows: count.rows, updates: count.updates, mistakes: count.mistakes,
            norm: linear ? Math.sqrt(engine.norm2()) : 0, along: linear && star ? engine.dot(star.w) : 0});
    }

    /* ---- w*: a good line, to measure the learner by ------------------------------------------------------------ */

    /* The line with the largest margin that long training meets; null: none divides the classes. */
    async function findStar() {
        const ask = ++asked;
        star = null;
        if (!values || used.length !== 2 || isKernel()) return;
        const helper = await Engine.create(Playground.wasm);
        let best = null;
        helper.open({learner: 'pa', limit: 1e6, features: 2, classes: 1, epochs: STAR_EPOCHS, order: 'each'});
        helper.setRows(values, labels);
        for (let epoch = 0, until = performance.now() + SLICE; epoch < STAR_EPOCHS; epoch++) {
            if (ask !== asked) return;
            helper.learn(labels.length);
            const m = helper.measure();
            if (m.bound < (best ? best.bound : Infinity))
                best = {bound: m.bound, radius: Math.sqrt(m.radius2), w: helper.vector()};
            if (performance.now() < until) continue;
            await new Promise(resolve => setTimeout(resolve));
            until = performance.now() + SLICE;
        }
        if (ask !== asked || !best) return wake();
        const norm = Math.hypot(...best.w);
        star = {w: best.w.map(v => v / norm), bound: best.bound, radius: best.radius};
        const end = Math.max(target, engine.count.rows); /* the curve of w.w* from the first example on */
        begun(end);
    }

    /* As begin, with w* known. */
    function begun(examples) {
        samples = [];
        engine.open(options());
        engine.setRows(values, labels);
        target = examples;
        sample();
        wake();
    }

    /* ---- Points ------------------------------------------------------------------------------------------------ */

    function change(to) {
        past = [...past.slice(0, now + 1).slice(-200), to];
        now = past.length - 1;
        begin(engine.count.rows || 0);
    }

    function travel(by) {
        if (!past[now + by]) return;
        now += by;
        begin(engine.count.rows || 0);
    }

    function nearest(x, y) {
        let best = -1, least = REACH * REACH;
        points().forEach((p, i) => {
            const d = (p.x - x) ** 2 + (p.y - y) ** 2;
            if (d < least) [best, least] = [i, d];
        });
        return best;
    }

    function put(x, y, label) {
        const fit = v => Math.fround(Math.max(-1, Math.min(1, v)));
        change([...points(), {x: fit(x), y: fit(y), label}]);
        say(`Class ${label + 1} at ${x.toFixed(2)}, ${y.toFixed(2)}: ${points().length} points.`);
    }

    function remove(x, y) {
        const at = nearest(x, y);
        if (at < 0) return say('No point there.');
        change(points().filter((_, i) => i !== at));
        return say(`Removed: ${points().length} points.`);
    }

    function use(x, y, removing) {
        if (removing || tool === 'remove') remove(x, y);
        else put(x, y, tool);
    }

    function placeOf(event) {
        const box = picture.getBoundingClientRect();
        return [2 * (event.clientX - box.left) / box.width - 1, 1 - 2 * (event.clientY - box.top) / box.height];
    }

    function chooseSet() {
        if (id('set').value) change(Points.make(id('set').value, number('count'), number('seed')));
    }

    function say(text) { id('say').textContent = text; }

    /* ---- The picture ------------------------------------------------------------------------------------------- */

    function grid(side) {
        const at = new Float32Array(2 * side * side);
        for (let i = 0; i < side * side; i++) {
            at[2 * i] = 2 * (i % side + 0.5) / side - 1;
            at[2 * i + 1] = 1 - 2 * (Math.floor(i / side) + 0.5) / side;
        }
        return at;
    }
    const grids = {[FINE]: grid(FINE), [COARSE]: grid(COARSE)};

    /* Scores every cell, coarsely first where that takes long. */
    async function paintRegions(side) {
        const ask = engine.count.rows, updates = engine.count.updates;
        fresh = true;
        if (updates === 0) {
            cells = null;
            return;
        }
        const k = engine.options.classes, score = await painter.scores(engine, grids[side], side * side);
        if (!score || !values) return;
        const colors = regionColors(), image = new ImageData(side, side);
        if (score.length !== side * side * k || colors.length < Math.max(2, k)) return;
        for (let i = 0; i < side * side; i++) {
            image.data.set([...colors[k === 1 ? Number(score[i] >= 0) : best(score, i)], 255], 4 * i);
        }
        const canvas = document.createElement('canvas');
        canvas.width = canvas.height = side;
        canvas.getContext('2d').putImageData(image, 0, 0);
        cells = canvas;
        if (side === COARSE && ask === engine.count.rows) fresh = false;
        wake();
    }

    /* The class of more than two with the highest score, the lowest of equal ones. */
    function best(score, i) {
        const k = engine.options.classes, own = score.subarray(i * k, i * k + k);
        return own.indexOf(Math.max(...own));
    }

    function shape(context, x, y, size, kind) {
        const corners = {1: [[-1, -1], [1, -1], [1, 1], [-1, 1]], 2: [[0, -1.2], [1.1, 0.9], [-1.1, 0.9]],
            3: [[0, -1.3], [1.3, 0], [0, 1.3], [-1.3, 0]]}[kind];
        context.beginPath();
        if (!corners) context.arc(x, y, size, 0, 7);
        else corners.forEach(([dx, dy], i) => context[i ? 'lineTo' : 'moveTo'](x + dx * size, y + dy * size));
        context.closePath();
    }

    /* w.x + b = level, as far as the picture goes. */
    function drawLine(context, side, [wx, wy], b, level, dash) {
        const at = (x, y) => [side * (x + 1) / 2, side * (1 - y) / 2], c = level - b, n = wx * wx + wy * wy;
        const [x0, y0] = [c * wx / n, c * wy / n], length = 4 / Math.sqrt(n);
        context.setLineDash(dash);
        context.beginPath();
        context.moveTo(...at(x0 - wy * length, y0 + wx * length));
        context.lineTo(...at(x0 + wy * length, y0 - wx * length));
        context.stroke();
        context.setLineDash([]);
        return at(x0, y0);
    }

    function drawArrow(context, [x, y], [wx, wy], length) {
        const n = Math.hypot(wx, wy), dx = wx / n, dy = -wy / n, ex = x + length * dx, ey = y + length * dy;
        context.beginPath();
        context.moveTo(x, y);
        context.lineTo(ex, ey);
        context.moveTo(ex - 9 * dx + 5 * dy, ey - 9 * dy - 5 * dx);
        context.lineTo(ex, ey);
        context.lineTo(ex - 9 * dx - 5 * dy, ey - 9 * dy + 5 * dx);
        context.stroke();
    }

    /* Lines and normals: of two classes one; of more an arrow for each class. */
    function drawWeights(context, side, color) {
        const w = values && engine.weights();
        if (!w || engine.count.updates === 0) return;
        context.strokeStyle = color('--ink');
        context.lineWidth = 2;
        if (engine.options.classes === 1) {
            const v = [w.weight[0], w.weight[1]], b = w.bias[0], margin = engine.options.margin;
            if (!v[0] && !v[1]) return;
            const foot = drawLine(context, side, v, b, 0, []);
            drawArrow(context, foot, v, 46);
            context.lineWidth = 1.25;
            if (margin > 0) for (const level of [-margin, margin]) drawLine(context, side, v, b, level, [6, 5]);
            return;
        }
        const vectors = used.map((_, c) => [w.weight[2 * c], w.weight[2 * c + 1]]);
        const most = Math.max(...vectors.map(v => Math.hypot(...v)));
        for (let c = 0; c < used.length && most; c++) {
            const v = vectors[c];
            context.strokeStyle = color(COLORS[used[c]]);
            context.lineWidth = 3;
            if (v[0] || v[1]) drawArrow(context, [side / 2, side / 2], v, 0.3 * side * Math.hypot(...v) / most);
        }
    }

    function drawPoints(context, side, color) {
        const size = points().length > 600 ? 3 : 5, paper = color('--paper'), colors = COLORS.map(color);
        context.lineWidth = 1;
        for (const p of points()) {
            shape(context, side * (p.x + 1) / 2, side * (1 - p.y) / 2, size, p.label);
            context.fillStyle = colors[p.label];
            context.fill();
            context.strokeStyle = paper;
            context.stroke();
        }
    }

    function ring(context, side, p, radius) {
        context.beginPath();
        context.arc(side * (p.x + 1) / 2, side * (1 - p.y) / 2, radius, 0, 7);
        context.stroke();
    }

    /* Stored vectors have rings, the larger the more they count. */
    function drawSupport(context, side, color) {
        if (!values || !isKernel()) return;
        const {count, rows, coef} = engine.support(), k = engine.options.classes;
        const sizes = Array.from({length: count}, (_, s) => Math.max(...coef.subarray(s * k, s * k + k).map(Math.abs)));
        const most = Math.max(...sizes) || 1;
        context.strokeStyle = color('--ink');
        context.lineWidth = count > 300 ? 0.75 : 1.5;
        const least = count > 300 ? 3 : 6;
        sizes.forEach((v, s) => points()[rows[s]] && ring(context, side, points()[rows[s]], least * (1 + v / most)));
    }

    function draw() {
        const style = getComputedStyle(document.documentElement), color = name => style.getPropertyValue(name);
        const scale = devicePixelRatio || 1, side = picture.clientWidth, context = picture.getContext('2d');
        if (!side) return;
        if (picture.width !== Math.round(side * scale)) picture.width = picture.height = Math.round(side * scale);
        context.setTransform(picture.width / side, 0, 0, picture.width / side, 0, 0);
        context.fillStyle = color('--paper');
        context.fillRect(0, 0, side, side);
        context.imageSmoothingEnabled = false;
        if (cells) context.drawImage(cells, 0, 0, side, side);
        drawWeights(context, side, color);
        drawPoints(context, side, color);
        drawSupport(context, side, color);
        if (last && last.row < points().length && engine.count.rows < total()) {
            context.strokeStyle = color('--ink');
            context.lineWidth = 3;
            ring(context, side, points()[last.row], last.result > 0 ? 15 : 10);
        }
        if (cursor && document.activeElement === picture) {
            const [x, y] = [side * (cursor.x + 1) / 2, side * (1 - cursor.y) / 2];
            context.strokeStyle = color('--ink');
            context.lineWidth = 1;
            for (const [dx, dy] of [[10, 0], [0, 10]]) {
                context.beginPath();
                context.moveTo(x - dx, y - dy);
                context.lineTo(x + dx, y + dy);
                context.stroke();
            }
        }
    }

    /* ---- Words and curves -------------------------------------------------------------------------------------- */

    const hex = n => (n >>> 0).toString(16).padStart(8, '0');

    /* Counts the points that are wrong, without holding up the page; the picture of the regions is painted meanwhile. */
    async function judge() {
        const rows = engine.count.rows, two = engine.options.classes === 1;
        if (!values || judged.rows === rows) return;
        judged = {rows, wrong: null};
        if (engine.count.updates === 0) return;
        const own = judged, score = await judging.scores(engine, values, labels.length);
        if (!score || judged !== own) return;
        own.wrong = labels.reduce((n, y, i) => n + Number(two ? (score[i] >= 0) !== (y > 0) : best(score, i) !== y), 0);
        wake();
    }

    function showFacts(settled) {
        const c = values ? engine.count : {rows: 0, updates: 0, mistakes: 0, epoch: 0, slots: 0};
        id('epoch').textContent = values ? `${Math.ceil(c.rows / labels.length)} of ${number('epochs')}` : '0';
        id('rows').textContent = `${c.rows} of ${total()}`;
        id('updates').textContent = c.updates;
        id('mistakes').textContent = c.mistakes;
        id('slots').textContent = c.slots;
        id('slots').parentElement.hidden = !isKernel();
        id('problem').textContent = problem;
        id('wrong').parentElement.hidden = id('crc').parentElement.hidden = !settled; /* they take time */
        if (!settled) return;
        judge();
        const wrong = judged.wrong;
        id('wrong').textContent = wrong === null ? '-' : `${wrong} of ${labels.length}`;
        id('crc').textContent = values ? hex(engine.crc()) : '-';
        picture.setAttribute('aria-label', `${points().length} points of ${used.length} classes. ` +
            `${LEARNERS[id('learner').value].name}, ${c.rows} examples learned, ${c.updates} updates, ` +
            `${wrong === null ? 'nothing to tell yet' : `${wrong} points wrong`}.`);
    }

    function showCurves() {
        const linear = !isKernel(), two = used.length === 2, theory = star && isNovikoff();
        const of = name => samples.map(s => [s.rows, s[name]]), by = name => samples.map(s => [s.updates, s[name]]);
        const most = samples.length ? samples[samples.length - 1].updates : 0;
        const steps = Array.from({length: 61}, (_, i) => most * i / 60);
        drawCurves(id('counts'), {x: 'examples', series: [{color: '--blue', points: of('mistakes')},
            {color: '--orange', points: of('updates')}]});
        id('theory').hidden = !linear;
        if (!linear) return;
        const series = [{color: '--blue', points: by('norm')}];
        if (star) series.push({color: '--orange', points: by('along')});
        const grey = (dash, height) => series.push({color: '--muted', dash, points: steps.map(k => [k, height(k)])});
        if (theory) {
            grey([5, 4], k => star.radius * Math.sqrt(k));
            grey([2, 3], k => star.radius / Math.sqrt(star.bound) * k);
        }
        drawCurves(id('norms'), {x: 'updates', series});
        id('along').hidden = !star;
        id('upper').hidden = id('lower').hidden = !theory;
        id('bound').textContent = !two ? 'With more than two classes there is no single line to measure by.' :
            !star ? 'No line was found that divides the classes, so there is no w* and no bound.' :
            !theory ? `A line divides the classes: (R / margin)\u00b2 = ${Math.floor(star.bound)}. Novikoff's bound ` +
                'is for the perceptron with the fixed rule, rate 1 and margin 0.' :
            'Novikoff: |w| stays below R \u221ak, and w.w* above margin times k. So there are at most ' +
                `(R / margin)\u00b2 = ${Math.floor(star.bound)} updates; so far ${most}.`;
    }

    function isNovikoff() {
        const o = engine.options;
        return o.algorithm === 'perceptron' && o.rule === 'fixed' && o.rate === 1 && o.margin === 0 && o.bias === 1;
    }

    /* ---- Frames ------------------------------------------------------------------------------------------------ */

    function wake() {
        if (!frame && visible) frame = requestAnimationFrame(onFrame);
    }

    /* Speed of `watch`: examples that are due by now. */
    function pace(at) {
        due = mode === 'watch' ? Math.min(due + (at - time) / 1000 * number('speed'), 1 + number('speed') / 10) : 0;
        time = at;
        if (due >= 1) {
            target = Math.min(total(), engine.count.rows + Math.floor(due));
            due -= Math.floor(due);
        }
    }

    function onFrame(at) {
        const start = performance.now();
        frame = 0;
        pace(at);
        if (mode === 'run') target = total();
        if (values && engine.count.rows < target) learnTo(target, start + SLICE);
        if (values && engine.count.rows >= total() && mode) {
            mode = '';
            showMode();
        }
        const moving = mode !== '' || (values && engine.count.rows < target);
        if (values && !fresh) paintRegions(isKernel() && (moving || !cells) ? COARSE : FINE);
        draw();
        showFacts(!moving);
        if (!moving || at - (showCurves.at || 0) > 100) {
            showCurves.at = at;
            showCurves();
        }
        frames.push(performance.now() - start);
        if (frames.length > 600) frames.shift();
        if (moving) wake();
    }

    function showMode() {
        for (const name of ['run', 'watch']) {
            id(name).setAttribute('aria-pressed', String(mode === name));
            id(name).textContent = mode === name ? 'Pause' : name === 'run' ? 'Run' : 'Watch';
        }
    }

    function setMode(to) {
        if (!values) return wake();
        if (to && engine.count.rows >= total()) begin(0);
        mode = mode === to ? '' : to;
        if (!mode) target = engine.count.rows;
        due = 0;
        time = performance.now();
        showMode();
        return wake();
    }

    function step() {
        if (!values) return;
        mode = '';
        if (engine.count.rows >= total()) begin(0);
        target = Math.min(total(), engine.count.rows + 1);
        fresh = false;
        learnTo(target, Infinity);
        showMode();
        wake();
        say(`Row ${last.row + 1}: ${last.result > 0 ? 'updated' : 'right, no update'}.`);
    }

    /* ---- The tab ----------------------------------------------------------------------------------------------- */

    function controlHtml(name) {
        const [text, kind] = CONTROLS[name];
        if (typeof kind[0] === 'string' && kind[0] !== '')
            return `<label class="field">${text} <select id="plane-${name}">${kind.map(word =>
                `<option value="${word}">${name === 'order' ? ORDERS[word] : word}</option>`).join('')}</select>` +
                '</label>';
        const [preset, by, least] = kind;
        return `<label class="field">${text} <input type="number" id="plane-${name}" value="${preset}" step="${by}" ` +
            `min="${least}"${name === 'margin' ? ' placeholder="its own"' : ''}></label>`;
    }

    const choices = of => Object.keys(of).map(key => `<option value="${key}">${of[key].name}</option>`).join('');
    const page = () => `
<div class="plane-columns">
  <div class="panel plane-picture" role="group" aria-label="Picture">
    <div class="plane-tools">
      <label class="field">Set <select id="plane-set"><option value="">by hand</option>
        ${choices(Points.SETS)}</select></label>
      <label class="field">Points
        <input type="number" id="plane-count" min="4" max="2000" step="1" value="60"></label></div>
    <div class="plane-tools" role="group" aria-label="What a click puts">
      ${COLORS.map((_, k) => `<button type="button" class="plane-${k}" data-tool="${k}" aria-pressed="${k === 0}"
        aria-label="Class ${k + 1}"><i></i>${k + 1}</button>`).join('')}
      <button type="button" data-tool="remove" aria-pressed="false">Remove</button>
      <button type="button" id="plane-undo">Undo</button><button type="button" id="plane-redo">Redo</button>
      <button type="button" id="plane-clear">Clear</button></div>
    <canvas id="plane-canvas" role="img" tabindex="0" aria-label="No points yet" aria-describedby="plane-keys"></canvas>
    <div class="plane-go">
      <button type="button" id="plane-step">Step</button>
      <button type="button" id="plane-run" class="primary" aria-pressed="false">Run</button>
      <button type="button" id="plane-watch" aria-pressed="false">Watch</button>
      <label class="field">at <select id="plane-speed" aria-label="Examples a second"><option value="2">2</option>
        <option value="10" selected>10</option><option value="50">50</option><option value="300">300</option></select>
        a second</label>
      <button type="button" id="plane-again">Start again</button></div>
    <p class="plane-facts"><span>epoch <output id="plane-epoch"></output></span>
      <span>examples <output id="plane-rows"></output></span><span>updates <output id="plane-updates"></output></span>
      <span>mistakes <output id="plane-mistakes"></output></span><span>stored <output id="plane-slots"></output></span>
      <span>points wrong <output id="plane-wrong"></output></span>
      <span>CRC-32 <output id="plane-crc"></output></span></p>
    <p id="plane-problem"></p>
    <p class="note" id="plane-keys">A click puts a point, a right click removes one. Keys: arrows move the cross, 1 to 4
      put a point of that class, Delete removes one, Ctrl+Z undoes.</p></div>
  <div class="panel plane-settings" role="group" aria-labelledby="plane-learning"><h3 id="plane-learning">Learner</h3>
    <label class="field">Learner <select id="plane-learner">${choices(LEARNERS)}</select></label>
    <p class="note plane-text" id="plane-text"></p>
    ${Object.keys(CONTROLS).map(controlHtml).join('')}</div>
  <div class="plane-curves">
    <div class="panel"><h3>Mistakes and updates</h3>
      <ul class="plane-key"><li style="--of: var(--blue)">mistakes</li><li style="--of: var(--orange)">updates</li></ul>
      <canvas id="plane-counts" role="img"
        aria-label="Mistakes and updates by examples; the numbers stand below the picture"></canvas></div>
    <div class="panel" id="plane-theory"><h3>Length of w, and along w*</h3>
      <ul class="plane-key"><li style="--of: var(--blue)">|w|</li>
        <li style="--of: var(--orange)" id="plane-along">w.w*</li>
        <li class="dashed" style="--of: var(--muted)" id="plane-upper">R \u221ak</li>
        <li class="dashed" style="--of: var(--muted)" id="plane-lower">margin times k</li></ul>
      <canvas id="plane-norms" role="img"
        aria-label="Length of w and its part along w* by updates; the text below says what follows"></canvas>
      <p class="note" id="plane-bound"></p></div></div>
  <p class="visually-hidden" role="status" id="plane-say"></p>
</div>`;

    function chooseTool(to) {
        tool = to === 'remove' ? to : Number(to);
        for (const button of section.querySelectorAll('[data-tool]'))
            button.setAttribute('aria-pressed', String(button.dataset.tool === String(to)));
    }

    function onKey(event) {
        const moves = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key];
        cursor = cursor || {x: 0, y: 0};
        if (moves) {
            const by = event.shiftKey ? 0.01 : 0.05, fit = v => Math.max(-1, Math.min(1, v));
            cursor = {x: fit(cursor.x + by * moves[0]), y: fit(cursor.y + by * moves[1])};
        } else if (/^[1-4]$/.test(event.key)) {
            put(cursor.x, cursor.y, Number(event.key) - 1);
        } else if (event.key === 'Enter' || event.key === ' ') {
            use(cursor.x, cursor.y, false);
        } else if (event.key === 'Delete' || event.key === 'Backspace') {
            remove(cursor.x, cursor.y);
        } else return;
        event.preventDefault();
        wake();
    }

    function onUndoKey(event) {
        if (!visible || !(event.ctrlKey || event.metaKey) || event.target.tagName === 'INPUT') return;
        const by = {z: event.shiftKey ? 1 : -1, y: 1}[event.key.toLowerCase()];
        if (!by) return;
        event.preventDefault();
        travel(by);
    }

    function listen() {
        picture.addEventListener('click', event => use(...placeOf(event), event.shiftKey));
        picture.addEventListener('contextmenu', event => {
            event.preventDefault();
            remove(...placeOf(event));
        });
        picture.addEventListener('keydown', onKey);
        for (const name of ['focus', 'blur']) picture.addEventListener(name, wake);
        document.addEventListener('keydown', onUndoKey);
        document.addEventListener('theme', () => { fresh = false; wake(); });
        new ResizeObserver(wake).observe(picture);
        for (const button of section.querySelectorAll('[data-tool]'))
            button.addEventListener('click', () => chooseTool(button.dataset.tool));
        const on = {undo: () => travel(-1), redo: () => travel(1), clear: () => change([]), step,
            run: () => setMode('run'), watch: () => setMode('watch'),
            again: () => { mode = ''; begin(0); showMode(); }};
        for (const name in on) id(name).addEventListener('click', on[name]);
        id('set').addEventListener('change', chooseSet);
        id('count').addEventListener('change', chooseSet);
        for (const name of ['learner', ...Object.keys(CONTROLS)])
            id(name).addEventListener('change', () => begin(engine.count.rows || 0));
    }

    async function start(element) {
        section = element;
        section.insertAdjacentHTML('beforeend', page());
        picture = id('canvas');
        engine = await Engine.create(Playground.wasm);
        painter = new Painter(Playground.wasm);
        judging = new Painter(Playground.wasm);
        id('set').value = 'separable';
        past = [Points.make('separable', number('count'), 1)];
        listen();
        begin(0);
        setMode(matchMedia('(prefers-reduced-motion: reduce)').matches ? 'run' : 'watch');
    }

    /* ---- For other tabs and for tests ---------------------------------------------------------------------------- */

    function setPoints(to) {
        const most = to.reduce((m, p) => Math.max(m, Math.abs(p.x), Math.abs(p.y)), 1);
        id('set').value = '';
        change(to.map(p => ({x: Math.fround(p.x / most), y: Math.fround(p.y / most), label: p.label})));
    }

    Playground.test = Playground.test || {};
    Playground.test.plane = {
        points: () => points().map(p => {
            const box = picture.getBoundingClientRect();
            const pageX = box.left + box.width * (p.x + 1) / 2, pageY = box.top + box.height * (1 - p.y) / 2;
            return Object.assign({pageX, pageY}, p);
        }),
        pixel: (x, y) => {
            const spot = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
            const [left, top] = [picture.width * (x + 1) / 2, picture.height * (1 - y) / 2].map(Math.floor);
            spot.drawImage(picture, -left, -top);
            return [...spot.getImageData(0, 0, 1, 1).data].slice(0, 3);
        },
        colors: regionColors,
        choose: (set, n) => { id('count').value = n; id('set').value = set; chooseSet(); },
        learner: name => { id('learner').value = name; begin(0); },
        learners: () => Object.keys(LEARNERS),
        options: to => { for (const name in to) id(name).value = to[name]; begin(0); },
        finish: async () => {
            mode = 'run';
            wake();
            const counted = () => judged.rows === engine.count.rows && !judging.running;
            const painted = () => fresh && !painter.running && !painter.waiting && counted();
            const ended = () => mode === '' && engine.count.rows >= target && painted();
            for (let i = 0; !ended() && i < 400; i++) await new Promise(resolve => setTimeout(resolve, 25));
            await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        },
        crc: () => hex(engine.crc()),
        frameTimes: () => frames.slice()
    };

    return {start, setPoints, show: () => { visible = true; wake(); }, hide: () => { visible = false; }};
})();
