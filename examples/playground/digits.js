/* The tab "Digits": ten classes learn the 8 x 8 pictures of examples/data/digits.csv while their weights are shown
 * as pictures, and a drawing is brought to the same form and read. */
'use strict';

Playground.tabs.digits = (() => {
    const SIDE = 8, PIXELS = 64, INK = 16, CLASSES = 10;
    const MARKS = 3;      /* test accuracy is taken so often in an epoch */
    const SLICE = 8;      /* ms of work in a frame */
    const SPEEDS = [2, 10, 50, 200, 1500, 6000]; /* rows a second, to watch */
    const MOST_WRONG = 12;

    /* Gammas are for pixels of 0 to 16. */
    const LEARNERS = {
        averaged: {
            name: 'averaged perceptron', options: {learner: 'averaged'},
            text: 'Keeps the mean of all weights since the start. It reads better than the last weights.'},
        perceptron: {
            name: 'perceptron', options: {learner: 'perceptron'},
            text: 'Adds a misread row to the class that it is, and takes it from the class that was read.'},
        pa: {
            name: 'passive-aggressive', options: {learner: 'pa', limit: 0.1},
            text: 'Steps just as far as makes the row right by a margin of 1.'},
        arow: {
            name: 'AROW', options: {learner: 'arow', r: 100, decision: 'mean'},
            text: 'Each pixel has a rate of its own, which falls as the pixel is used. The mean of all weights reads.'},
        rbf: {
            name: 'kernel, RBF', options: {learner: 'kernel', kernel: 'rbf', gamma: 0.0005, decision: 'mean', bias: 0},
            text: 'Keeps misread rows and compares new ones with them: exp(-0.0005 |x - z|\u00b2). The mean ' +
                'of all models since the start reads.'},
        poly: {
            name: 'kernel, polynomial',
            options: {learner: 'kernel', kernel: 'poly', degree: 3, gamma: 0.001, coef0: 1, decision: 'mean', bias: 0},
            text: 'Keeps misread rows; pixels count in threes: (0.001 x\u00b7z + 1)\u00b3. The mean of all ' +
                'models since the start reads.'}
    };

    /* ---- From strokes to 8 x 8 ------------------------------------------------------------------------------ */

    const FINE = 32;                        /* the scan, of which 4 x 4 dots make a pixel */
    const PEN = 2.5, THINNEST = 1.6, THICKEST = 3.6;   /* half the width of a line, in dots */
    const TALL = FINE - 2 * PEN, WIDE = 20 - 2 * PEN;  /* the digits of the data are 20 x 32 dots ... */
    const LEAN = 0.5;                       /* ... and stand upright: their first and last row begin below each other */
    const SHARE = 0.305;                    /* of the dots are dark in the data, about the same for each digit */
    const BAR = 0.3;                        /* what is narrower in proportion is a bar and stays narrow */

    function bounds(strokes) {
        const box = {left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity};
        for (const [x, y] of strokes.flat()) {
            box.left = Math.min(box.left, x);
            box.right = Math.max(box.right, x);
            box.top = Math.min(box.top, y);
            box.bottom = Math.max(box.bottom, y);
        }
        return box;
    }

    /* A point at least every half dot, and none nearer. */
    function even(stroke) {
        const points = [stroke[0]];
        for (const [x, y] of stroke.slice(1)) {
            const [x0, y0] = points[points.length - 1], steps = Math.floor(2 * Math.hypot(x - x0, y - y0));
            for (let i = 1; i <= steps; i++) points.push([x0 + (x - x0) * i / steps, y0 + (y - y0) * i / steps]);
        }
        return points;
    }

    /* How far to the right the top begins, for each dot of height. */
    function lean(points) {
        const edge = at => points.reduce((x, p) => Math.abs(p[1] - at) < PEN / 2 ? Math.min(x, p[0]) : x, Infinity);
        const slope = (edge(-TALL / 2) - edge(TALL / 2)) / TALL;
        return Number.isFinite(slope) ? Math.min(LEAN, Math.max(-LEAN, slope)) : 0;
    }

    /* The points of the strokes in dots of the scan: as tall as in the data, as wide, unless it is a bar, and
     * upright. */
    function fit(strokes) {
        const box = bounds(strokes), width = box.right - box.left, height = box.bottom - box.top;
        const tall = Math.max(height, width / 2, 0.02), shape = width / tall;
        const sy = TALL / tall, sx = shape < BAR ? sy : WIDE / width;
        const cx = (box.left + box.right) / 2, cy = (box.top + box.bottom) / 2;
        const points = strokes.flatMap(stroke => even(stroke.map(([x, y]) => [(x - cx) * sx, (y - cy) * sy])));
        const slope = lean(points);
        return points.map(([x, y]) => [x + slope * y + FINE / 2, y + FINE / 2]);
    }

    /* Squared distance of each dot to the nearest point. Points that share a quarter of a dot are one. */
    function distances(points) {
        const near = new Float32Array(FINE * FINE).fill(Infinity), seen = new Set();
        for (const [x, y] of points) {
            const place = Math.round(2 * y) * 1000 + Math.round(2 * x);
            if (seen.has(place)) continue;
            seen.add(place);
            for (let i = 0; i < near.length; i++) {
                const dx = i % FINE + 0.5 - x, dy = Math.floor(i / FINE) + 0.5 - y, d = dx * dx + dy * dy;
                if (d < near[i]) near[i] = d;
            }
        }
        return near;
    }

    /* The picture as the data were made: a scan of 32 x 32 dots whose dark ones are counted in blocks of 4 x 4. The
     * pen is as thick as makes the ink of the data. */
    function shrink(strokes) {
        const pixels = new Float32Array(PIXELS);
        if (!strokes.length) return pixels;
        const near = distances(fit(strokes));
        const pen = Math.sqrt(near.slice().sort()[Math.floor(SHARE * near.length)]);
        const radius = Math.min(THICKEST, Math.max(THINNEST, pen));
        near.forEach((d, i) => {
            if (d < radius * radius) pixels[SIDE * (i / FINE / 4 | 0) + (i % FINE / 4 | 0)]++;
        });
        return pixels;
    }

    /* ---- Learning ------------------------------------------------------------------------------------------- */

    /* mode: '', 'run' as fast as slices allow, 'watch' at a speed. due: rows that the speed allows now. */
    const train = {engine: null, kind: 'averaged', epochs: 10, mode: '', due: 0, time: 0, rows: 0, last: null};
    const test = {at: 0, running: false, guess: null, marks: [], changed: false};
    let data, section, visible = false, frame = 0;

    const trainRows = () => data.train.labels.length;
    const testRows = () => data.test.labels.length;
    const total = () => train.epochs * trainRows();
    const done = () => train.rows >= total() && !test.running;
    const nextMark = () => Math.round((test.marks.length + 1) * trainRows() / MARKS);
    const isKernel = () => LEARNERS[train.kind].options.learner === 'kernel';
    const lastMark = () => test.marks[test.marks.length - 1];

    function options() {
        return Object.assign({classes: CLASSES, features: PIXELS, order: 'each', seed: 1, epochs: train.epochs},
                             LEARNERS[train.kind].options);
    }

    function begin() {
        train.engine.open(options());
        train.engine.setRows(data.train.values, data.train.labels);
        Object.assign(train, {due: 0, rows: 0, last: null});
        Object.assign(test, {at: 0, running: false, guess: null, marks: []});
        delete Playground.models.digits;
    }

    function register() {
        Playground.models.digits = {
            name: 'Digits', engine: train.engine, options: options(),
            rows: () => ({values: data.train.values, labels: data.train.labels, features: PIXELS})};
    }

    function learn(most) {
        const count = Math.min(most, nextMark() - train.rows, total() - train.rows);
        train.last = train.engine.learn(count);
        train.rows += count;
        train.due -= count;
        if (train.rows === nextMark()) Object.assign(test, {running: true, at: 0, guess: new Int32Array(testRows())});
    }

    /* Not all rows at once: a kernel would take too long for one frame. */
    function testSome(most) {
        const end = Math.min(test.at + most, testRows());
        test.guess.set(train.engine.predict(data.test.values.subarray(test.at * PIXELS, end * PIXELS), end - test.at),
                       test.at);
        test.at = end;
        if (end === testRows()) mark();
    }

    function mark() {
        const wrong = test.guess.reduce((n, guess, i) => n + (guess !== data.test.labels[i]), 0);
        test.running = false;
        test.marks.push({rows: train.rows, wrong, mistakes: train.engine.count.mistakes});
        test.changed = true;
        if (!done()) return;
        setMode('');
        register();
        say(`Done. ${accuracy()}.`);
    }

    /* The work of one frame. */
    function slice(now) {
        const end = performance.now() + SLICE;
        if (train.mode === 'watch') train.due += Math.min(now - train.time, 100) / 1000 * speed();
        train.time = now;
        while (performance.now() < end)
            if (test.running) testSome(20);
            else if (train.mode === 'run' && !done()) learn(8);
            else if (train.mode === 'watch' && !done() && train.due >= 1) learn(Math.min(8, Math.floor(train.due)));
            else break;
    }

    function tick(now) {
        frame = 0;
        slice(now);
        if (test.changed) showTest();
        showLearning();
        showScores();
        wake();
    }

    function wake() {
        if (visible && !frame && (train.mode || test.running || pad.changed)) frame = requestAnimationFrame(tick);
    }

    /* ---- Drawing -------------------------------------------------------------------------------------------- */

    /* Strokes are points from 0 to 1. row: of the test row that is shown instead, or -1. */
    const pad = {strokes: [], pointer: null, x: 0.5, y: 0.25, down: false, row: -1, pixels: new Float32Array(PIXELS),
                 changed: true};
    const MOVES = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
                   Home: [-1, -1], PageUp: [1, -1], End: [-1, 1], PageDown: [1, 1]};
    const KEY_STEP = 1 / 16;

    function drawn() {
        pad.changed = true;
        wake();
    }

    function clear() {
        Object.assign(pad, {strokes: [], row: -1, down: false});
        drawn();
    }

    function undoStroke() {
        pad.strokes.pop();
        Object.assign(pad, {row: -1, down: false});
        drawn();
    }

    function showRow(row) {
        clear();
        pad.row = row;
        pad.pixels = data.test.values.slice(row * PIXELS, (row + 1) * PIXELS);
    }

    function beginStroke(x, y) {
        if (pad.row >= 0) clear();
        pad.strokes.push([[x, y]]);
        drawn();
    }

    function extend(x, y) {
        pad.strokes[pad.strokes.length - 1].push([x, y]);
        drawn();
    }

    function place(event) {
        const box = event.target.getBoundingClientRect(), inside = a => Math.min(1, Math.max(0, a));
        return [inside((event.clientX - box.left) / box.width), inside((event.clientY - box.top) / box.height)];
    }

    function pointerDown(event) {
        if (event.button || pad.pointer !== null) return;
        pad.pointer = event.pointerId;
        pad.down = false;
        event.target.setPointerCapture(event.pointerId);
        beginStroke(...place(event));
    }

    function pointerMove(event) {
        if (event.pointerId !== pad.pointer) return;
        for (const each of event.getCoalescedEvents ? event.getCoalescedEvents() : [event]) extend(...place(each));
    }

    function pointerUp(event) {
        if (event.pointerId === pad.pointer) pad.pointer = null;
    }

    function key(event) {
        const move = MOVES[event.key], undo = event.key === 'z' && (event.ctrlKey || event.metaKey);
        if (move) movePen(...move);
        else if (event.key === ' ' || event.key === 'Enter') pressPen();
        else if (event.key === 'Backspace' || undo) undoStroke();
        else if (event.key === 'Delete' || event.key === 'Escape') clear();
        else return;
        event.preventDefault();
    }

    function movePen(dx, dy) {
        const inside = a => Math.min(1 - KEY_STEP, Math.max(KEY_STEP, a));
        pad.x = inside(pad.x + dx * KEY_STEP);
        pad.y = inside(pad.y + dy * KEY_STEP);
        if (pad.down) extend(pad.x, pad.y);
        drawn();
    }

    function pressPen() {
        pad.down = !pad.down;
        if (pad.down) beginStroke(pad.x, pad.y);
        drawn();
        say(pad.down ? 'Pen down' : 'Pen up');
    }

    /* ---- What is shown -------------------------------------------------------------------------------------- */

    const MARKUP = `
<div class="digits-columns">
  <div class="panel" role="group" aria-labelledby="digits-learn">
    <h3 id="digits-learn">Learn</h3>
    <label class="field">Learner <select id="digits-kind"></select></label>
    <p class="note" id="digits-about"></p>
    <label class="field">Epochs <input type="number" id="digits-epochs" min="1" max="50" value="10"></label>
    <div class="buttons">
      <button type="button" id="digits-step">Step</button>
      <button type="button" id="digits-run">Run</button>
      <button type="button" id="digits-watch" class="primary">Watch</button>
      <button type="button" id="digits-again">Start again</button>
    </div>
    <label class="field">Speed to watch <input type="range" id="digits-speed" min="0" max="5" value="4"></label>
    <p class="note numbers" id="digits-speed-text"></p>
    <progress id="digits-progress" aria-label="Rows learned" value="0"></progress>
    <p class="note numbers" id="digits-status"></p>
    <div class="digits-row">
      <canvas id="digits-last" class="digits-cells" role="img" width="8" height="8"></canvas>
      <p class="note" id="digits-last-text"></p>
    </div>
  </div>
  <div class="panel" role="group" aria-labelledby="digits-weights-title">
    <h3 id="digits-weights-title">What each digit looks for</h3>
    <p class="note" id="digits-weights-about"></p>
    <ol class="digits-weights" id="digits-weights"></ol>
    <p class="digits-legend"><span>ink here speaks against the digit</span><span class="digits-scale"></span>
      <span>for it</span></p>
  </div>
  <div class="panel digits-draw" role="group" aria-labelledby="digits-draw-title">
    <h3 id="digits-draw-title">Draw a digit</h3>
    <div class="digits-pads">
      <div class="digits-pad">
        <canvas id="digits-pad" role="application" tabindex="0" aria-describedby="digits-keys"
          aria-label="Drawing area for a digit"></canvas>
        <span class="digits-hint" id="digits-hint" aria-hidden="true">draw here</span>
      </div>
      <figure>
        <canvas id="digits-eight" class="digits-cells" role="img" width="8" height="8"></canvas>
        <figcaption class="note">as the data: 8 x 8, ink 0 to 16</figcaption>
      </figure>
    </div>
    <div class="buttons">
      <button type="button" id="digits-clear">Clear</button>
      <button type="button" id="digits-undo">Undo stroke</button>
      <button type="button" id="digits-next">Next test digit</button>
    </div>
    <p class="note" id="digits-keys">Keys: arrows (and Home, End, Page up, Page down) move the pen, Space puts it down
      or lifts it, Backspace takes a stroke back, Delete clears.</p>
    <p class="digits-verdict" id="digits-verdict" role="status"></p>
    <ol class="digits-scores" id="digits-scores" aria-label="Score of each digit"></ol>
  </div>
  <div class="panel digits-test" role="group" aria-labelledby="digits-test-title">
    <h3 id="digits-test-title">Test rows, which it does not learn from</h3>
    <div class="digits-tests">
      <div>
        <p class="digits-accuracy" id="digits-accuracy"></p>
        <div id="digits-curve"></div>
      </div>
      <div class="digits-scroll"><table class="digits-table" id="digits-table"></table></div>
    </div>
    <p class="note" id="digits-wrong-about"></p>
    <ul class="digits-wrong" id="digits-wrong"></ul>
  </div>
  <p class="visually-hidden" role="status" id="digits-say"></p>
</div>`;

    const id = name => document.getElementById('digits-' + name);
    const number = n => n.toLocaleString('en-GB');
    const percent = (part, all) => (100 * part / all).toFixed(1) + ' %';

    function say(text) {
        id('say').textContent = text;
    }

    function set(name, text) {
        if (id(name).textContent !== text) id(name).textContent = text;
    }

    /* Red, green and blue of a colour of the style sheet. */
    function colour(name) {
        const c = id('last').getContext('2d');
        c.fillStyle = getComputedStyle(section).getPropertyValue(name).trim();
        return c.fillStyle.match(/[\da-f]{2}/g).map(part => parseInt(part, 16));
    }

    /* 8 x 8 values on a scale of -1 to 1: the further from 0, the less of the paper shows through. */
    function paintCells(canvas, values, scale, plus, minus) {
        const image = new ImageData(SIDE, SIDE);
        for (let i = 0; i < PIXELS; i++) {
            const v = values[i] / scale, c = v < 0 ? minus : plus;
            image.data.set([c[0], c[1], c[2], 255 * Math.min(1, Math.abs(v))], 4 * i);
        }
        canvas.getContext('2d').putImageData(image, 0, 0);
    }

    function accuracy() {
        const right = testRows() - lastMark().wrong;
        return `${percent(right, testRows())} of ${testRows()} test rows right after ${number(train.rows)} rows`;
    }

    /* The weights of each class; of a kernel model what its stored rows add up to, times their coefficients. */
    function pictures() {
        if (!isKernel()) return train.engine.weights().weight;
        const {count, rows, coef} = train.engine.support(), sum = new Float32Array(CLASSES * PIXELS);
        for (let s = 0; s < count; s++)
            for (let c = 0; c < CLASSES; c++) {
                const k = coef[s * CLASSES + c], row = rows[s] * PIXELS;
                if (k) for (let j = 0; j < PIXELS; j++) sum[c * PIXELS + j] += k * data.train.values[row + j];
            }
        return sum;
    }

    function showWeights() {
        const weight = pictures(), blue = colour('--blue'), orange = colour('--orange');
        const most = weight.reduce((a, w) => Math.max(a, Math.abs(w)), 1e-9);
        section.querySelectorAll('.digits-weights canvas').forEach((canvas, c) => {
            paintCells(canvas, weight.subarray(c * PIXELS, (c + 1) * PIXELS), most, blue, orange);
        });
    }

    function showStatus() {
        const count = train.engine.count, epoch = Math.min(train.epochs, Math.floor(train.rows / trainRows()) + 1);
        const stored = isKernel() ? `; ${number(count.slots)} rows stored` : '';
        set('status', `Epoch ${epoch} of ${train.epochs}, ${number(train.rows)} of ${number(total())} rows; ` +
            `${number(count.mistakes)} mistakes, ${number(count.updates)} updates${stored}`);
        id('progress').max = total();
        id('progress').value = train.rows;
    }

    function showLast() {
        const {row, guess, result} = train.last || {}, label = train.last ? data.train.labels[row] : -1;
        const pixels = train.last ? data.train.values.subarray(row * PIXELS, (row + 1) * PIXELS) : new Float32Array(64);
        paintCells(id('last'), pixels, INK, colour('--ink'));
        id('last').setAttribute('aria-label', train.last ? `The row just learned, a ${label}` : 'No row yet');
        set('last-text', !train.last ? 'No row learned yet.' : guess === label
            ? `Row ${row}, a ${label}: read right${result ? ', but not by enough: updated' : ''}.`
            : `Row ${row}, a ${label}: read as ${guess}, updated.`);
    }

    function showLearning() {
        showWeights();
        showStatus();
        showLast();
    }

    /* ---- The test rows ---- */

    function confusion() {
        const table = Array.from({length: CLASSES}, () => new Array(CLASSES).fill(0));
        if (test.guess && lastMark()) test.guess.forEach((guess, i) => { table[data.test.labels[i]][guess]++; });
        return table;
    }

    function showTable(table) {
        const head = table.map((_, c) => `<th scope="col">${c}</th>`).join('');
        const cell = (n, all, right) => {
            const share = Math.round(100 * Math.min(1, right ? n / all : 0.3 + n / 4));
            const style = `class="${right ? 'right' : 'wrong'}" style="--share: ${share}%"`;
            return n ? `<td ${style}>${n}</td>` : '<td>\u00b7</td>';
        };
        id('table').innerHTML = '<caption class="note">rows: the digit; columns: read as</caption>' +
            `<thead><tr><td></td>${head}</tr></thead><tbody>` + table.map((line, c) => {
                const all = line.reduce((a, n) => a + n, 0);
                return `<tr><th scope="row">${c}</th>${line.map((n, k) => cell(n, all, k === c)).join('')}</tr>`;
            }).join('') + '</tbody>';
        section.querySelectorAll('.digits-weights small').forEach((small, c) => {
            const all = table[c].reduce((a, n) => a + n, 0);
            small.textContent = all ? `${Math.round(100 * table[c][c] / all)} % right` : '\u00a0';
        });
    }

    /* Shares of rows that were wrong, as lines over the rows learned. */
    function showCurve() {
        const width = 320, height = 150, left = 38, bottom = 120, top = 12;
        const share = {
            wrong: test.marks.map(m => 100 * m.wrong / testRows()),
            mistakes: test.marks.map((m, i) => 100 * (m.mistakes - (i ? test.marks[i - 1].mistakes : 0)) /
                                               (m.rows - (i ? test.marks[i - 1].rows : 0)))};
        const most = Math.max(4, ...share.wrong, ...share.mistakes), step = most > 20 ? 20 : most > 8 ? 5 : 2;
        const high = step * Math.ceil(most / step);
        const x = rows => left + (width - left - 8) * rows / total(), y = v => bottom - (bottom - top) * v / high;
        const line = (style, values) => values.length ? `<path class="${style}" d="M` +
            values.map((v, i) => `${x(test.marks[i].rows).toFixed(1)} ${y(v).toFixed(1)}`).join('L') + '"/>' : '';
        let grid = '';
        for (let v = 0; v <= high; v += step)
            grid += `<path class="grid" d="M${left} ${y(v)}H${width - 8}"/>` +
                `<text x="${left - 5}" y="${y(v) + 4}" text-anchor="end">${v} %</text>`;
        const every = Math.ceil(train.epochs / 10);
        for (let e = every; e <= train.epochs; e += every)
            grid += `<text x="${x(e * trainRows())}" y="${bottom + 15}" text-anchor="middle">${e}</text>`;
        id('curve').innerHTML = `<svg viewBox="0 0 ${width} ${height}" role="img" ` +
            `aria-label="Share of rows read wrong, epoch by epoch">` +
            grid + line('gray', share.mistakes) + line('blue', share.wrong) +
            `<text x="${(width + left) / 2}" y="${height - 3}" text-anchor="middle">epoch</text></svg>` +
            '<p class="digits-key"><span class="blue">test rows misread</span> ' +
            '<span class="gray">- - mistakes while learning</span></p>';
    }

    function showWrong() {
        const wrong = [];
        if (lastMark()) test.guess.forEach((guess, row) => { if (guess !== data.test.labels[row]) wrong.push(row); });
        set('wrong-about', wrong.length ? `${wrong.length} test digits misread` +
            (wrong.length > MOST_WRONG ? `; the first ${MOST_WRONG}` : '') + '. Press one to see its scores.' : '');
        id('wrong').replaceChildren(...wrong.slice(0, MOST_WRONG).map(row => {
            const item = document.createElement('li');
            item.innerHTML = '<button type="button"><canvas class="digits-cells" width="8" height="8"></canvas>' +
                `<span>${data.test.labels[row]} as ${test.guess[row]}</span></button>`;
            item.firstChild.addEventListener('click', () => showRow(row));
            paintCells(item.querySelector('canvas'), data.test.values.subarray(row * PIXELS, (row + 1) * PIXELS), INK,
                       colour('--ink'));
            return item;
        }));
    }

    function showTest() {
        test.changed = false;
        const mark = lastMark();
        id('accuracy').innerHTML = mark ? `<strong>${percent(testRows() - mark.wrong, testRows())}</strong> ` +
            `${testRows() - mark.wrong} of ${testRows()} right` : '<strong>\u2013</strong> tested three times an epoch';
        showTable(confusion());
        showCurve();
        showWrong();
    }

    /* ---- The drawing and its scores ---- */

    function paintPad() {
        const canvas = id('pad'), size = Math.round(canvas.clientWidth * (window.devicePixelRatio || 1));
        const ink = getComputedStyle(section).color, c = canvas.getContext('2d');
        canvas.width = canvas.height = size;
        Object.assign(c, {lineWidth: size / 14, lineCap: 'round', lineJoin: 'round', strokeStyle: ink, fillStyle: ink});
        if (pad.row >= 0) {
            c.imageSmoothingEnabled = false;
            c.drawImage(id('eight'), 0, 0, size, size);
        }
        for (const stroke of pad.strokes) {
            c.beginPath();
            stroke.concat([stroke[0]].slice(stroke.length - 1)).forEach(([x, y]) => c.lineTo(x * size, y * size));
            c.stroke();
        }
        if (canvas.matches(':focus-visible')) paintPen(c, size);
    }

    function paintPen(c, size) {
        Object.assign(c, {lineWidth: size / 140});
        c.strokeStyle = c.fillStyle = `rgb(${colour('--orange')})`;
        c.beginPath();
        c.arc(pad.x * size, pad.y * size, size / 28, 0, 7);
        if (pad.down) c.fill();
        else c.stroke();
    }

    function showBars(scores, best) {
        const low = Math.min(0, ...scores), range = Math.max(0, ...scores) - low || 1;
        id('scores').querySelectorAll('li').forEach((item, c) => {
            const from = Math.min(0, scores[c]) - low;
            item.classList.toggle('best', c === best);
            item.style.setProperty('--from', 100 * from / range + '%');
            item.style.setProperty('--size', 100 * Math.abs(scores[c]) / range + '%');
            item.querySelector('output').textContent = best < 0 ? '' : shortNumber(scores[c]);
        });
        section.querySelectorAll('.digits-weights li').forEach((item, c) => item.classList.toggle('best', c === best));
    }

    function shortNumber(a) {
        const size = Math.abs(a);
        return (a < 0 ? '\u2212' : '') + (size >= 100 ? number(Math.round(size)) : size.toPrecision(3));
    }

    function verdict(scores, best) {
        if (!train.rows) return 'Nothing is learned yet.';
        if (best < 0) return 'The scores of a digit appear here.';
        const next = scores.reduce((n, s, c) => c !== best && (n < 0 || s > scores[n]) ? c : n, -1);
        const truth = pad.row < 0 ? '' : `, and is a ${data.test.labels[pad.row]}`;
        return `Read as ${best}${truth}; next is ${next}.`;
    }

    function showScores() {
        if (pad.changed) {
            if (pad.row < 0) pad.pixels = shrink(pad.strokes);
            const ink = pad.pixels.reduce((a, v) => a + v, 0);
            paintCells(id('eight'), pad.pixels, INK, colour('--ink'));
            id('eight').setAttribute('aria-label', `The drawing as 8 x 8 pixels, ${Math.round(ink / 10.24)} % ink`);
            paintPad();
            id('hint').hidden = ink > 0 || id('pad').matches(':focus-visible');
        }
        pad.changed = false;
        const seen = train.rows > 0 && pad.pixels.some(v => v > 0);
        const scores = seen ? train.engine.scores(pad.pixels, 1) : new Float32Array(CLASSES);
        const best = seen ? scores.indexOf(Math.max(...scores)) : -1;
        showBars([...scores], best);
        set('verdict', verdict(scores, best));
    }

    /* ---- The frame of it all -------------------------------------------------------------------------------- */

    const speed = () => SPEEDS[id('speed').value];

    function setMode(mode) {
        train.mode = mode;
        Object.assign(train, {due: 0, time: performance.now()});
        id('run').textContent = mode === 'run' ? 'Pause' : 'Run';
        id('watch').textContent = mode === 'watch' ? 'Pause' : 'Watch';
        if (!mode && train.rows) register();
    }

    function again() {
        begin();
        showTest();
        showLearning();
        pad.changed = true;
        wake();
    }

    function press(mode) {
        if (done()) again();
        setMode(train.mode === mode ? '' : mode);
        wake();
    }

    function step() {
        setMode('');
        if (done()) again();
        learn(1);
        register();
        showLearning();
        say(id('last-text').textContent);
        pad.changed = true;
        wake();
    }

    /* What is changed learns anew from the same seed. */
    function change() {
        const epochs = Math.min(50, Math.max(1, Math.round(Number(id('epochs').value)) || 10));
        id('epochs').value = epochs;
        Object.assign(train, {kind: id('kind').value, epochs});
        describe();
        again();
        setMode(train.mode || 'run');
        wake();
    }

    function describe() {
        set('about', LEARNERS[train.kind].text);
        set('weights-about', isKernel()
            ? 'A kernel has no weights. These are its stored rows, added up with their coefficients.'
            : 'A class has a weight for each pixel, so its weights are a picture, too.');
    }

    function describeSpeed() {
        id('speed').setAttribute('aria-valuetext', `${speed()} rows a second`);
        set('speed-text', `${number(speed())} rows a second`);
    }

    function nextTestDigit() {
        showRow((pad.row + 1) % testRows());
    }

    function listen() {
        const on = (name, event, act) => id(name).addEventListener(event, act);
        on('step', 'click', step);
        on('run', 'click', () => press('run'));
        on('watch', 'click', () => press('watch'));
        on('again', 'click', () => { setMode(''); again(); });
        on('kind', 'change', change);
        on('epochs', 'change', change);
        on('speed', 'input', describeSpeed);
        on('clear', 'click', clear);
        on('undo', 'click', undoStroke);
        on('next', 'click', nextTestDigit);
        on('pad', 'pointerdown', pointerDown);
        on('pad', 'pointermove', pointerMove);
        for (const event of ['pointerup', 'pointercancel']) on('pad', event, pointerUp);
        for (const event of ['focus', 'blur']) on('pad', event, drawn);
        on('pad', 'keydown', key);
        document.addEventListener('theme', () => visible && paint());
    }

    function build() {
        section.insertAdjacentHTML('beforeend', MARKUP);
        for (const kind in LEARNERS) id('kind').add(new Option(LEARNERS[kind].name, kind));
        for (let c = 0; c < CLASSES; c++) {
            id('weights').insertAdjacentHTML('beforeend', `<li><b>${c}</b><canvas class="digits-cells" width="8" ` +
                `height="8" role="img" aria-label="Weights of ${c}"></canvas><small></small></li>`);
            id('scores').insertAdjacentHTML('beforeend', `<li><b>${c}</b><i></i><output></output></li>`);
        }
        describe();
        describeSpeed();
        listen();
    }

    async function start(place) {
        section = place;
        await Playground.ready;
        data = Playground.digits;
        train.engine = await Engine.create(Playground.wasm);
        build();
        begin();
        again();
        setMode(matchMedia('(prefers-reduced-motion: reduce)').matches ? 'run' : 'watch');
        wake();
    }

    /* All pictures anew, in the colours of now. */
    function paint() {
        showTest();
        showLearning();
        drawn();
    }

    function show() {
        visible = true;
        train.time = performance.now();
        paint();
    }

    function hide() {
        visible = false;
        if (train.rows) register();
    }

    return {start, show, hide, shrink};
})();
