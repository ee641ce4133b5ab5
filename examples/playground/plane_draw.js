'use strict';

/* The pictures of the tab "Plane", from what they are given: the points with the regions of a learner, and the weight
 * space. scene: {points, used (the class that stands for each label), run (null: nothing learns), cursor (null: no
 * cross), marked: is the last row to be ringed?} */
const PlaneDraw = (() => {
    const FINE = 150, COARSE = 48;  /* cells of the picture, each way */
    const SHADES = 60;              /* cells of the weight space, each way */
    const COLORS = ['--orange', '--blue', '--green', '--purple'];

    const color = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const rgb = name => color(name).match(/[0-9a-f]{2}/gi).map(part => parseInt(part, 16));
    const mixed = (a, b, share) => a.map((v, i) => Math.round(v + share * (b[i] - v)));
    const regionColors = used => used.map(k => mixed(rgb('--paper'), rgb(COLORS[k]), 0.26));

    const grid = side => Float32Array.from({length: 2 * side * side}, (_, i) => i % 2
        ? 1 - 2 * (Math.floor((i >> 1) / side) + 0.5) / side : 2 * ((i >> 1) % side + 0.5) / side - 1);
    const grids = {[FINE]: grid(FINE), [COARSE]: grid(COARSE)};

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
        if (!n) return;
        context.beginPath();
        context.moveTo(x, y);
        context.lineTo(ex, ey);
        context.moveTo(ex - 9 * dx + 5 * dy, ey - 9 * dy - 5 * dx);
        context.lineTo(ex, ey);
        context.lineTo(ex - 9 * dx - 5 * dy, ey - 9 * dy + 5 * dx);
        context.stroke();
    }

    /* Lines and normals: of two classes one; of more an arrow for each class. */
    function drawWeights(context, side, {run, used}) {
        const w = run.engine.weights();
        if (!w || run.count.updates === 0) return;
        context.strokeStyle = color('--ink');
        context.lineWidth = 2;
        if (used.length === 2) {
            const v = [w.weight[0], w.weight[1]], b = w.bias[0], margin = run.engine.options.margin;
            if (!v[0] && !v[1]) return;
            const foot = drawLine(context, side, v, b, 0, []);
            drawArrow(context, foot, v, 46);
            context.lineWidth = 1.25;
            if (margin > 0) for (const level of [-margin, margin]) drawLine(context, side, v, b, level, [6, 5]);
            return;
        }
        const vectors = used.map((_, c) => [w.weight[2 * c], w.weight[2 * c + 1]]);
        const most = Math.max(...vectors.map(v => Math.hypot(...v)));
        vectors.forEach((v, c) => {
            context.strokeStyle = color(COLORS[used[c]]);
            context.lineWidth = 3;
            if (most) drawArrow(context, [side / 2, side / 2], v, 0.3 * side * Math.hypot(...v) / most);
        });
    }

    /* CIML's figure 4.9: from the middle the old w, at its tip y x, and the new w; the old line is dashed. */
    function drawMove(context, side, {run}) {
        const {move} = run;
        if (!move || !move.fired || !move.before || move.before.bias.length > 1) return;
        const old = [...move.before.weight], now = [...move.after.weight], by = now.map((v, j) => v - old[j]);
        const unit = 0.4 * side / Math.max(Math.hypot(...old), Math.hypot(...now), Math.hypot(...by), 1e-9);
        const tip = v => [side / 2 + unit * v[0], side / 2 - unit * v[1]];
        context.strokeStyle = color('--muted');
        context.lineWidth = 2;
        if (old[0] || old[1]) drawLine(context, side, old, move.before.bias[0], 0, [3, 5]);
        drawArrow(context, tip([0, 0]), old, unit * Math.hypot(...old));
        context.strokeStyle = color(COLORS[run.used[move.label]]);
        drawArrow(context, tip(old), by, unit * Math.hypot(...by));
        context.strokeStyle = color('--ink');
        context.lineWidth = 3;
        drawArrow(context, tip([0, 0]), now, unit * Math.hypot(...now));
        context.fillStyle = color('--ink');
        [['old w', old, old], ['change', by, [old[0] + by[0] / 2, old[1] + by[1] / 2]], ['new w', now, now]]
            .forEach(([text, v, at]) => (v[0] || v[1]) && context.fillText(text, tip(at)[0] + 8, tip(at)[1] - 6));
    }

    function drawPoints(context, side, {points}) {
        const size = points.length > 600 ? 3 : 5, paper = color('--paper'), colors = COLORS.map(color);
        context.lineWidth = 1;
        for (const p of points) {
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
    function drawSupport(context, side, {run, points}) {
        const {count, rows, coef} = run.engine.support(), k = run.engine.options.classes;
        const sizes = Array.from({length: count}, (_, s) => Math.max(...coef.subarray(s * k, s * k + k).map(Math.abs)));
        const most = Math.max(...sizes) || 1, least = count > 300 ? 3 : 6;
        context.strokeStyle = color('--ink');
        context.lineWidth = count > 300 ? 0.75 : 1.5;
        sizes.forEach((v, s) => ring(context, side, points[rows[s]], least * (1 + v / most)));
    }

    function drawCross(context, side, cursor) {
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

    /* A context in pixels of the style sheet, on paper. Null: the canvas is not in view. */
    function clean(canvas) {
        const scale = devicePixelRatio || 1, side = canvas.clientWidth, context = canvas.getContext('2d');
        if (!side) return null;
        if (canvas.width !== Math.round(side * scale)) canvas.width = canvas.height = Math.round(side * scale);
        context.setTransform(canvas.width / side, 0, 0, canvas.width / side, 0, 0);
        context.fillStyle = color('--paper');
        context.fillRect(0, 0, side, side);
        context.imageSmoothingEnabled = false;
        context.font = '13px system-ui, sans-serif';
        return context;
    }

    function regions(canvas, scene) {
        const context = clean(canvas), side = canvas.clientWidth, {run, points} = scene;
        if (!context) return;
        if (run && run.cells) context.drawImage(run.cells, 0, 0, side, side);
        if (run && run.linear) drawWeights(context, side, scene);
        drawPoints(context, side, scene);
        if (run && !run.linear) drawSupport(context, side, scene);
        if (run) drawMove(context, side, scene);
        if (run && run.last && scene.marked) {
            context.strokeStyle = color('--ink');
            context.lineWidth = 3;
            ring(context, side, points[run.last.row], run.last.result > 0 ? 15 : 10);
        }
        if (scene.cursor) drawCross(context, side, scene.cursor);
    }

    /* The darker, the fewer rows are right there: the share of wrong rows of each cell, for the bias of now. */
    function shade(context, side, extent, bias, {values, labels}) {
        const [paper, ink] = [rgb('--paper'), rgb('--ink')], image = new ImageData(SHADES, SHADES);
        const canvas = document.createElement('canvas');
        for (let i = 0; i < SHADES * SHADES; i++) {
            const u = extent * (2 * (i % SHADES + 0.5) / SHADES - 1);
            const v = extent * (1 - 2 * (Math.floor(i / SHADES) + 0.5) / SHADES);
            let wrong = 0;
            for (let r = 0; r < labels.length; r++)
                wrong += Number((values[2 * r] * u + values[2 * r + 1] * v + bias >= 0) !== (labels[r] > 0));
            image.data.set([...mixed(paper, ink, 0.45 * wrong / labels.length), 255], 4 * i);
        }
        canvas.width = canvas.height = SHADES;
        canvas.getContext('2d').putImageData(image, 0, 0);
        context.drawImage(canvas, 0, 0, side, side);
    }

    /* Honavar's weight space: w is a point, each row the line of the weights that give it 0. The bias is that of now,
     * so the lines move with it. Returns what the edge of the picture is. */
    function weightSpace(canvas, {run, used}) {
        const context = clean(canvas), side = canvas.clientWidth, w = run.engine.trained();
        if (!context) return 0;
        const {move, labels, values} = run, shown = [w, ...(move && move.before ? [move.before, move.after] : [])];
        const most = Math.max(...shown.map(v => Math.max(Math.abs(v.weight[0]), Math.abs(v.weight[1]))), 0.5);
        const extent = 2 ** Math.ceil(Math.log2(1.2 * most)), b = w.bias[0];
        if (labels.length <= 400) shade(context, side, extent, b, run);
        const last = run.last ? run.last.row : -1;
        labels.forEach((label, row) => {
            context.strokeStyle = color(COLORS[used[label]]);
            context.lineWidth = row === last ? 4 : 1;
            context.globalAlpha = row === last ? 1 : Math.max(0.15, Math.min(0.7, 20 / labels.length));
            const at = [extent * values[2 * row], extent * values[2 * row + 1]];
            if (at[0] || at[1]) drawLine(context, side, at, b, 0, []);
        });
        context.globalAlpha = 1;
        const place = v => [side * (v.weight[0] / extent + 1) / 2, side * (1 - v.weight[1] / extent) / 2];
        context.strokeStyle = context.fillStyle = color('--ink');
        context.lineWidth = 2.5;
        if (move && move.fired && move.before) {
            const by = [0, 1].map(j => move.after.weight[j] - move.before.weight[j]);
            drawArrow(context, place(move.before), by, side * Math.hypot(...by) / extent / 2);
        }
        shape(context, ...place(w), 6, 0);
        context.fill();
        context.fillText('w', place(w)[0] + 10, place(w)[1] - 8);
        return extent;
    }

    return {FINE, COARSE, COLORS, grids, regionColors, regions, weightSpace};
})();
