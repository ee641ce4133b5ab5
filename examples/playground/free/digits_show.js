'use strict';

/* Shows the tab "Digits": what the weights look like, how the test rows are read, the drawing and its scores. */
const DigitsShow = (() => {
    const SIDE = 8, INK = 16, MOST_WRONG = 12;
    const {PIXELS, CLASSES} = DigitsRun;
    let section, run, pad, showRow;     /* of open() */

    const id = name => document.getElementById('digits-' + name);
    const number = n => n.toLocaleString('en-GB');
    const percent = (part, all) => (100 * part / all).toFixed(1) + ' %';

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
        const right = run.testRows - run.lastMark.wrong;
        return `${percent(right, run.testRows)} of ${run.testRows} test rows right after ${number(run.rows)} rows`;
    }

    /* The weights of each class; of a kernel model what its stored rows add up to, times their coefficients. */
    function pictures() {
        if (!run.isKernel) return run.engine.weights().weight;
        const {count, rows, coef} = run.engine.support(), sum = new Float32Array(CLASSES * PIXELS);
        for (let s = 0; s < count; s++)
            for (let c = 0; c < CLASSES; c++) {
                const k = coef[s * CLASSES + c], row = rows[s] * PIXELS;
                if (k) for (let j = 0; j < PIXELS; j++) sum[c * PIXELS + j] += k * run.data.train.values[row + j];
            }
        return sum;
    }

    function showWeights() {
        const weight = pictures(), blue = colour('--pos'), orange = colour('--neg');
        const most = weight.reduce((a, w) => Math.max(a, Math.abs(w)), 1e-9);
        section.querySelectorAll('.digits-weights canvas').forEach((canvas, c) => {
            paintCells(canvas, weight.subarray(c * PIXELS, (c + 1) * PIXELS), most, blue, orange);
        });
    }

    function showStatus() {
        const count = run.engine.count, epoch = Math.min(run.epochs, Math.floor(run.rows / run.trainRows) + 1);
        const stored = run.isKernel ? `; ${number(count.slots)} rows stored` : '';
        set('status', `Epoch ${epoch} of ${run.epochs}, ${number(run.rows)} of ${number(run.total)} rows; ` +
            `${number(count.mistakes)} mistakes, ${number(count.updates)} updates${stored}`);
        id('progress').max = run.total;
        id('progress').value = run.rows;
    }

    function showLast() {
        const {row, guess, result} = run.last || {}, label = run.last ? run.data.train.labels[row] : -1;
        const pixels = run.last ? run.data.train.values.subarray(row * PIXELS, (row + 1) * PIXELS)
            : new Float32Array(PIXELS);
        paintCells(id('last'), pixels, INK, colour('--ink'));
        id('last').setAttribute('aria-label', run.last ? `The row just learned, a ${label}` : 'No row yet');
        set('last-text', !run.last ? 'No row learned yet.' : guess === label
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
        if (run.guess && run.lastMark) run.guess.forEach((guess, i) => { table[run.data.test.labels[i]][guess]++; });
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
            wrong: run.marks.map(m => 100 * m.wrong / run.testRows),
            mistakes: run.marks.map((m, i) => 100 * (m.mistakes - (i ? run.marks[i - 1].mistakes : 0)) /
                                               (m.rows - (i ? run.marks[i - 1].rows : 0)))};
        const most = Math.max(4, ...share.wrong, ...share.mistakes), step = most > 20 ? 20 : most > 8 ? 5 : 2;
        const high = step * Math.ceil(most / step);
        const x = rows => left + (width - left - 8) * rows / run.total, y = v => bottom - (bottom - top) * v / high;
        const line = (style, values) => values.length ? `<path class="${style}" d="M` +
            values.map((v, i) => `${x(run.marks[i].rows).toFixed(1)} ${y(v).toFixed(1)}`).join('L') + '"/>' : '';
        let grid = '';
        for (let v = 0; v <= high; v += step)
            grid += `<path class="grid" d="M${left} ${y(v)}H${width - 8}"/>` +
                `<text x="${left - 5}" y="${y(v) + 4}" text-anchor="end">${v} %</text>`;
        const every = Math.ceil(run.epochs / 10);
        for (let e = every; e <= run.epochs; e += every)
            grid += `<text x="${x(e * run.trainRows)}" y="${bottom + 15}" text-anchor="middle">${e}</text>`;
        id('curve').innerHTML = `<svg viewBox="0 0 ${width} ${height}" role="img" ` +
            `aria-label="Share of rows read wrong, epoch by epoch">` +
            grid + line('gray', share.mistakes) + line('blue', share.wrong) +
            `<text x="${(width + left) / 2}" y="${height - 3}" text-anchor="middle">epoch</text></svg>` +
            '<p class="digits-key"><span class="blue">test rows misread</span> ' +
            '<span class="gray">- - mistakes while learning</span></p>';
    }

    function showWrong() {
        const wrong = [];
        const {values, labels} = run.data.test;
        if (run.lastMark) run.guess.forEach((guess, row) => { if (guess !== labels[row]) wrong.push(row); });
        set('wrong-about', wrong.length ? `${wrong.length} test digits misread` +
            (wrong.length > MOST_WRONG ? `; the first ${MOST_WRONG}` : '') + '. Press one to see its scores.' : '');
        id('wrong').replaceChildren(...wrong.slice(0, MOST_WRONG).map(row => {
            const item = document.createElement('li');
            item.innerHTML = '<button type="button"><canvas class="digits-cells" width="8" height="8"></canvas>' +
                `<span>${labels[row]} as ${run.guess[row]}</span></button>`;
            item.firstChild.addEventListener('click', () => showRow(row));
            paintCells(item.querySelector('canvas'), values.subarray(row * PIXELS, (row + 1) * PIXELS), INK,
                       colour('--ink'));
            return item;
        }));
    }

    function showTest() {
        run.changed = false;
        const mark = run.lastMark;
        id('accuracy').innerHTML = mark ? `<strong>${percent(run.testRows - mark.wrong, run.testRows)}</strong> ` +
            `${run.testRows - mark.wrong} of ${run.testRows} right`
            : '<strong>\u2013</strong> tested three times an epoch';
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
        c.strokeStyle = c.fillStyle = `rgb(${colour('--neg')})`;
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
        if (!run.rows) return 'Nothing is learned yet.';
        if (best < 0) return 'The scores of a digit appear here.';
        const next = scores.reduce((n, s, c) => c !== best && (n < 0 || s > scores[n]) ? c : n, -1);
        const truth = pad.row < 0 ? '' : `, and is a ${run.data.test.labels[pad.row]}`;
        return `Read as ${best}${truth}; next is ${next}.`;
    }

    function showScores() {
        if (pad.changed) {
            if (pad.row < 0) pad.pixels = DigitsStrokes.shrink(pad.strokes);
            const ink = pad.pixels.reduce((a, v) => a + v, 0);
            paintCells(id('eight'), pad.pixels, INK, colour('--ink'));
            id('eight').setAttribute('aria-label', `The drawing as 8 x 8 pixels, ${Math.round(ink / 10.24)} % ink`);
            paintPad();
            id('hint').hidden = ink > 0 || id('pad').matches(':focus-visible');
        }
        pad.changed = false;
        const seen = run.rows > 0 && pad.pixels.some(v => v > 0);
        const scores = seen ? run.engine.scores(pad.pixels, 1) : new Float32Array(CLASSES);
        const best = seen ? scores.indexOf(Math.max(...scores)) : -1;
        showBars([...scores], best);
        set('verdict', verdict(scores, best));
    }

    function open(element, of, drawing, onRow) {
        [section, run, pad, showRow] = [element, of, drawing, onRow];
    }

    return {open, set, number, accuracy, showLearning, showTest, showScores};
})();
