'use strict';

/* Honavar's weight space: w is a point, each row the line of the weights that give it 0. The bias is that of now, so the
 * lines move with it. */
const PlaneSpace = (() => {
    const SHADES = 60; /* cells, each way */
    const {COLORS, rgb, mixed, shape} = PlaneDraw;

    /* The further from paper, the fewer rows are right there: the share of wrong rows of each cell. */
    function shade(pen, bias, {values, labels}) {
        const [paper, ink] = [rgb('--paper'), rgb('--ink')], image = new ImageData(SHADES, SHADES);
        const canvas = document.createElement('canvas'), {half} = pen.frame;
        for (let i = 0; i < SHADES * SHADES; i++) {
            const u = half * (2 * (i % SHADES + 0.5) / SHADES - 1);
            const v = half * (1 - 2 * (Math.floor(i / SHADES) + 0.5) / SHADES);
            let wrong = 0;
            for (let r = 0; r < labels.length; r++)
                wrong += Number((values[2 * r] * u + values[2 * r + 1] * v + bias >= 0) !== (labels[r] > 0));
            image.data.set([...mixed(paper, ink, 0.45 * wrong / labels.length), 255], 4 * i);
        }
        canvas.width = canvas.height = SHADES;
        canvas.getContext('2d').putImageData(image, 0, 0);
        pen.context.drawImage(canvas, 0, 0, pen.side, pen.side);
    }

    /* What the picture shows: a power of two each way. */
    function frame({move, engine}) {
        const shown = [engine.trained(), ...(move && move.before ? [move.before, move.after] : [])];
        const most = Math.max(...shown.map(v => Math.max(Math.abs(v.weight[0]), Math.abs(v.weight[1]))), 0.5);
        return {cx: 0, cy: 0, half: 2 ** Math.ceil(Math.log2(1.2 * most))};
    }

    function draw(pen, {run, used}) {
        const {move, labels, values} = run, w = run.engine.trained(), b = w.bias[0], last = run.last ? run.last.row : -1;
        if (labels.length <= 400) shade(pen, b, run);
        pen.axes(['w1', 'w2']);
        labels.forEach((label, row) => {
            pen.take(COLORS[used[label]], row === last ? 4 : 1, row === last ? 'row' : 'points');
            if (row !== last) pen.context.globalAlpha *= Math.max(0.15, Math.min(0.7, 20 / labels.length));
            const at = [values[2 * row], values[2 * row + 1]];
            if (at[0] || at[1]) pen.line(at, b, 0);
        });
        pen.take('--change', 3, 'change');
        if (move && move.fired && move.before) {
            const by = [0, 1].map(j => move.after.weight[j] - move.before.weight[j]);
            pen.arrow(pen.at(...move.before.weight), by, Math.hypot(...by) * pen.unit);
        }
        pen.take('--ink', 2.5, 'w');
        const [x, y] = pen.at(...w.weight);
        shape(pen, [x, y], 6, 1);
        pen.context.fill();
        pen.text('w', [x + 10, y - 8]);
        pen.context.globalAlpha = 1;
    }

    return {frame, draw};
})();
