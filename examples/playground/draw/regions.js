'use strict';

/* The picture of the points with the regions of a learner. scene: {points, used (the class that stands for each label),
 * frame, run (null: nothing learns), cursor (null: no cross), marked: is the last row to be ringed?, best: is the best
 * line shown?, lit: the part that is} */
const PlaneDraw = (() => {
    const FINE = 150, COARSE = 48;  /* cells of the picture, each way */
    const COLORS = ['--neg', '--pos', '--third', '--fourth'], TINTS = COLORS.map(name => `${name}-tint`);

    const rgb = name => Pen.color(name).match(/[0-9a-f]{2}/gi).map(part => parseInt(part, 16));
    const mixed = (a, b, share) => a.map((v, i) => Math.round(v + share * (b[i] - v)));
    const regionColors = used => used.map(k => rgb(TINTS[k]));

    /* The surer, the stronger a colour; where an error is too probable there is none. */
    function shades(used, refuse) {
        const fixed = regionColors(used), steps = Array.from({length: 33}, (_, i) => used.map(k =>
            mixed(rgb('--paper'), rgb(COLORS[k]), 0.06 + 0.5 * i / 32)));
        return (k, p) => p === null ? fixed[k] : 1 - p > refuse ? rgb('--paper') : steps[Math.round(32 * Math.max(0, 2 * p - 1))][k];
    }

    const pictures = new WeakMap(); /* of cells, in the colours of a theme */

    function picture(cells, {used, refuse}) {
        const key = JSON.stringify([used, refuse, rgb('--paper')]), known = pictures.get(cells);
        if (known && known.key === key) return known.canvas;
        const {side, best, doubt} = cells, colors = shades(used, refuse), image = new ImageData(side, side);
        const canvas = document.createElement('canvas');
        best.forEach((k, i) => image.data.set([...colors(k, doubt && doubt[i]), 255], 4 * i));
        canvas.width = canvas.height = side;
        canvas.getContext('2d').putImageData(image, 0, 0);
        pictures.set(cells, {key, canvas});
        return canvas;
    }

    const grids = {}; /* the last one of each side */

    /* The middles of the cells, as rows; with the product behind them, if it is a feature. */
    function grid(side, {cx, cy, half}, features) {
        const key = [cx, cy, half, features].join();
        if (grids[side] && grids[side].key === key) return grids[side].rows;
        const rows = new Float32Array(features * side * side);
        grids[side] = {key, rows};
        for (let i = 0; i < side * side; i++) {
            const x = cx + half * (2 * (i % side + 0.5) / side - 1);
            const y = cy + half * (1 - 2 * (Math.floor(i / side) + 0.5) / side);
            rows.set(features > 2 ? [x, y, x * y] : [x, y], features * i);
        }
        return rows;
    }

    function shape(pen, [x, y], size, kind) {
        const corners = {0: [[-1, -1], [1, -1], [1, 1], [-1, 1]], 2: [[0, -1.2], [1.1, 0.9], [-1.1, 0.9]],
            3: [[0, -1.3], [1.3, 0], [0, 1.3], [-1.3, 0]]}[kind];
        if (corners) return pen.path(corners.map(([dx, dy]) => [x + dx * size, y + dy * size]), true);
        pen.context.beginPath();
        return pen.context.arc(x, y, size, 0, 2 * Math.PI);
    }

    /* Lines and normals: of two classes one; of more an arrow for each class. */
    function drawWeights(pen, {run, used}) {
        const w = run.engine.weights(), n = run.features;
        if (!w || run.count.updates === 0) return;
        if (used.length === 2) {
            const v = [...w.weight], b = w.bias[0], margin = run.engine.options.margin;
            if (!v.some(Boolean)) return;
            pen.take('--ink', 1.25, 'margin', [6, 5]);
            if (margin > 0) for (const level of [-margin, margin]) pen.line(v, b, level);
            pen.take('--ink', 2, 'line');
            const foot = pen.line(v, b, 0);
            pen.take('--ink', 2, 'w');
            if (foot) pen.arrow(foot, v, 46);
            return;
        }
        const vectors = used.map((_, c) => [w.weight[n * c], w.weight[n * c + 1]]);
        const most = Math.max(...vectors.map(v => Math.hypot(...v)));
        vectors.forEach((v, c) => {
            pen.take(COLORS[used[c]], 3, 'w');
            if (most) pen.arrow(pen.at(0, 0), v, 0.3 * pen.side * Math.hypot(...v) / most);
        });
    }

    /* The best line, and the band that is free of points: w*.x between -gamma and gamma. */
    function drawBest(pen, {run}) {
        const {star} = run, o = run.engine.options;
        if (!star || !star.divides) return;
        const w = star.w.slice(0, -1), b = star.w[star.w.length - 1] * o.bias;
        if (!w.some(Boolean)) return;
        pen.take('--proof', 1.5, 'band', [2, 4]);
        for (const level of [-star.lower, star.lower]) pen.line(w, b, level);
        pen.take('--proof', 2.5, 'best');
        pen.line(w, b, 0);
        if (w.length > 2) return;
        const n = Math.hypot(...w), far = 0.8 * pen.frame.half, {cx, cy} = pen.frame; /* away from the arrow of w */
        const off = (w[0] * cx + w[1] * cy + b) / n, side = Math.abs(w[1]) > Math.abs(w[0]) ? Math.sign(w[1]) : 1;
        const foot = pen.at(cx - off * w[0] / n + side * far * w[1] / n, cy - off * w[1] / n - side * far * w[0] / n);
        pen.arrow(foot, w, 30);
        pen.text('w*', [foot[0] + 8, foot[1] + 14]);
    }

    /* Each line that there was until now, the stronger the longer it lasted: the voted perceptron's votes. */
    function drawLines(pen, {run}) {
        const until = run.samples.filter(s => s.rows <= run.seen && s.w), stays = new Map();
        let line = null;
        until.forEach((s, i) => {
            if (i && s.updates > until[i - 1].updates) line = s;
            if (line) stays.set(line, (i + 1 < until.length ? until[i + 1].rows : run.seen) - line.rows);
        });
        const most = Math.max(...stays.values(), 1);
        for (const [s, rows] of stays) {
            pen.take('--ink', 1.5, 'lines');
            pen.context.globalAlpha *= Math.max(0.08, rows / most);
            if (s.w.weight.some(Boolean)) pen.line([...s.w.weight], s.w.bias[0], 0);
        }
    }

    /* CIML's figure 4.9: from the middle the old w, at its tip y x, and the new w; the old line is dashed. */
    function drawMove(pen, {run}) {
        const {move} = run;
        if (!move || !move.fired || !move.before || move.before.bias.length > 1) return;
        const pair = m => [m.weight[0], m.weight[1]];
        const old = pair(move.before), now = pair(move.after), by = now.map((v, j) => v - old[j]);
        const unit = 0.4 * pen.side / Math.max(Math.hypot(...old), Math.hypot(...now), Math.hypot(...by), 1e-9);
        const [cx, cy] = pen.at(0, 0), tip = v => [cx + unit * v[0], cy - unit * v[1]];
        pen.take('--muted', 2, 'old', [3, 5]);
        if (move.before.weight.some(Boolean)) pen.line([...move.before.weight], move.before.bias[0], 0);
        pen.take('--muted', 2, 'old');
        pen.arrow(tip([0, 0]), old, unit * Math.hypot(...old));
        pen.take('--change', 3, 'change');
        pen.arrow(tip(old), by, unit * Math.hypot(...by));
        pen.take('--ink', 3, 'w');
        pen.arrow(tip([0, 0]), now, unit * Math.hypot(...now));
        name(pen, 'old w', tip(old.map(v => v / 2)), []);
        const taken = [tip(old.map(v => v / 2))].filter(() => old[0] || old[1]);
        if (!old[0] && !old[1]) return name(pen, 'new w', tip(now), []);
        taken.push(name(pen, 'change', tip([old[0] + by[0] / 2, old[1] + by[1] / 2]), taken));
        return name(pen, 'new w', tip(now), taken);
    }

    /* A word beside a place, moved down until it is clear of the others. */
    function name(pen, words, place, taken) {
        const x = Math.max(4, Math.min(pen.side - 60, place[0] + 8));
        let y = Math.max(16, Math.min(pen.side - 26, place[1] - 6));
        while (taken.some(t => Math.abs(t[0] - x) < 60 && Math.abs(t[1] - y) < 17) && y < pen.side - 26) y += 6;
        pen.take('--ink', 1, '');
        pen.context.globalAlpha = 1;
        pen.text(words, [x, y]);
        return [x, y];
    }

    /* The sign within a point: plus, minus, or nothing. */
    function sign(pen, [x, y], size, label) {
        if (label > 1 || size < 5) return;
        const {context} = pen;
        context.beginPath();
        context.moveTo(x - size / 2, y);
        context.lineTo(x + size / 2, y);
        if (label) context.moveTo(x, y - size / 2);
        if (label) context.lineTo(x, y + size / 2);
        context.stroke();
    }

    /* Class by class: to ask for a colour takes longer than to draw a point. */
    function drawPoints(pen, {points, tests = []}) {
        const size = points.length > 600 ? 3 : points.length > 150 ? 5 : points.length < 20 ? 9 : 7, {context} = pen;
        const paper = Pen.color('--paper'), edges = [Pen.color('--edge'), paper, paper, paper], signs = ['--neg-in', '--pos-in'].map(Pen.color);
        COLORS.forEach((color, label) => {
            pen.take(label ? color : '--edge', 1, 'tests');
            for (const p of tests.filter(each => each.label === label)) {
                shape(pen, pen.at(p.x, p.y), 3, label);
                context.stroke();
            }
            pen.take(color, 1, 'points');
            const own = pen.lit === 'points' ? size + 3 : size, places = points.filter(p => p.label === label).map(p => pen.at(p.x, p.y));
            context.strokeStyle = edges[label];
            for (const place of places) {
                shape(pen, place, own, label);
                context.fill();
                context.stroke();
            }
            context.strokeStyle = signs[label];
            context.lineWidth = own * 0.28;
            for (const place of places) sign(pen, place, own, label);
        });
    }

    /* The row of the last example, and how far it is from the line as it was before. */
    function drawRow(pen, {run, points}) {
        const place = points[run.last.row], {move} = run, m = move && (move.before || null);
        pen.take('--ink', 3, 'row');
        pen.ring(pen.at(place.x, place.y), run.last.result > 0 ? 15 : 10);
        if (!m || m.bias.length > 1 || m.weight.length > 2) return;
        const [a, c] = m.weight, n = a * a + c * c, s = (a * place.x + c * place.y + m.bias[0]) / n;
        pen.take('--ink', 1.25, 'distance', [2, 3]);
        if (n) pen.stroke([pen.at(place.x, place.y), pen.at(place.x - s * a, place.y - s * c)]);
    }

    /* Stored vectors have rings, the larger the more they count. */
    function drawSupport(pen, {run, points}) {
        const {count, rows, coef} = run.engine.support(), k = run.engine.options.scores;
        const sizes = Array.from({length: count}, (_, s) => Math.max(...coef.subarray(s * k, s * k + k).map(Math.abs)));
        const most = Math.max(...sizes) || 1, least = count > 300 ? 3 : 6;
        pen.take('--ink', count > 300 ? 0.75 : 1.5, 'stored');
        sizes.forEach((v, s) => pen.ring(pen.at(points[rows[s]].x, points[rows[s]].y), least * (1 + v / most)));
    }

    function drawCross(pen, cursor) {
        const [x, y] = pen.at(cursor.x, cursor.y);
        pen.take('--ink', 1, '');
        pen.stroke([[x - 10, y], [x + 10, y]]);
        pen.stroke([[x, y - 10], [x, y + 10]]);
    }

    function regions(pen, scene) {
        const {run} = scene;
        if (run && run.cells) {
            pen.context.globalAlpha = 1;
            pen.context.drawImage(picture(run.cells, scene), 0, 0, pen.side, pen.side);
        }
        pen.axes(['x1', 'x2']);
        if (run && scene.best) drawBest(pen, scene);
        if (run && run.linear && scene.lines) drawLines(pen, scene);
        if (run && run.linear) drawWeights(pen, scene);
        drawPoints(pen, scene);
        if (run && !run.linear) drawSupport(pen, scene);
        if (run) drawMove(pen, scene);
        if (run && run.last && scene.marked) drawRow(pen, scene);
        if (scene.cursor) drawCross(pen, scene.cursor);
        pen.context.globalAlpha = 1;
    }

    return {FINE, COARSE, COLORS, rgb, mixed, grid, shape, regionColors, regions};
})();
