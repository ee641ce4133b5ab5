'use strict';

/* Line charts. chart: {x: name of the axis, series: [{color, dash, points: [[x, y], ...], name, part, steps: do
 * they jump?}], log: do both axes count by factors?, now: x of a line upright, cross: {at: [x, y], text}, most: [x, y]
 * at least, lit: part}; colors are CSS variables, a part is a word of terms.js. */
function drawCurves(canvas, chart) {
    const scale = devicePixelRatio || 1, {large} = Pen, width = canvas.clientWidth, height = canvas.clientHeight;
    const context = canvas.getContext('2d');
    if (!width) return;
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    context.scale(scale * large, scale * large);
    drawChart(context, width / large, height / large, chart);
}

/* Where the values of an axis lie between 0 and 1, and its ticks. */
function chartAxis(values, log, least, whole) {
    const end = values.reduce((m, v) => Math.max(m, v), least) || 1;
    if (log) {
        const from = Math.log10(values.reduce((m, v) => v > 0 ? Math.min(m, v) : m, end) / 1.3);
        const to = Math.max(from + 1, Math.log10(1.3 * end)), ticks = [];
        for (let k = Math.ceil(from); k <= to; k++) ticks.push(10 ** k);
        return {place: v => (Math.max(from, Math.log10(v)) - from) / (to - from), ticks};
    }
    /* The next 1, 2 or 5 times a power of ten that makes at most five steps. */
    const power = 10 ** Math.floor(Math.log10(end / 5)), steps = [1, 2, 5, 10].map(k => k * power);
    const step = Math.max(whole ? 1 : 0, steps.find(s => end / s <= 5.001)), ticks = [];
    for (let v = 0; v <= end; v += step) ticks.push(v);
    return {place: v => Math.max(0, v) / end, ticks};
}

function drawChart(context, width, height, chart) {
    const color = name => Pen.color(name), left = 46, right = width - 10, top = 10, bottom = height - 34;
    const all = chart.series.flatMap(series => series.points).filter(p => !chart.log || (p[0] > 0 && p[1] > 0));
    const [leastX, leastY] = chart.most || [0, 0];
    const axisX = chartAxis(all.map(p => p[0]), chart.log, leastX, true);
    const axisY = chartAxis(all.map(p => 1.04 * p[1]), chart.log, leastY, false);
    const x = v => left + (right - left) * axisX.place(v), y = v => bottom - (bottom - top) * axisY.place(v);
    const short = v => Number(v.toPrecision(3)), number = v => v >= 10000 ? `${short(v / 1000)}k` : String(short(v));
    context.font = '12px system-ui, sans-serif';
    context.lineWidth = 1;
    context.globalAlpha = 1;
    context.setLineDash([]);

    function line(from, to, of) {
        context.strokeStyle = color(of);
        context.beginPath();
        context.moveTo(...from);
        context.lineTo(...to);
        context.stroke();
    }
    context.fillStyle = color('--muted');
    context.textBaseline = 'middle';
    context.textAlign = 'right';
    for (const v of axisY.ticks) {
        line([left, y(v)], [right, y(v)], '--line');
        context.fillText(number(v), left - 6, y(v));
    }
    context.textAlign = 'center';
    for (const v of axisX.ticks) {
        line([x(v), bottom], [x(v), bottom + 4], '--muted');
        context.fillText(number(v), Math.min(x(v), right - 8), bottom + 12);
    }
    context.fillText(chart.x, (left + right) / 2, height - 7, right - left);
    line([left, bottom], [right, bottom], '--muted');
    const upright = chart.log && !chart.now ? undefined : chart.now;
    if (upright !== undefined) line([x(upright), top], [x(upright), bottom], '--muted');

    context.lineJoin = 'round';
    chart.series.forEach((series, i) => {
        const points = series.points.filter(p => !chart.log || (p[0] > 0 && p[1] > 0));
        const strong = chart.lit && chart.lit === series.part;
        context.strokeStyle = context.fillStyle = color(series.color);
        context.lineWidth = (series.dash ? 1.5 : 2) + (strong ? 2 : 0);
        context.globalAlpha = chart.lit && !strong ? 0.5 : 1;
        context.setLineDash(series.dash || []);
        context.beginPath();
        let far = null;
        points.forEach((p, k) => { /* those within half a pixel are one */
            const to = [x(p[0]), y(p[1])];
            if (far && k + 1 < points.length && Math.abs(to[0] - far[0]) < 0.5 && Math.abs(to[1] - far[1]) < 0.5) return;
            if (far && series.steps) context.lineTo(to[0], far[1]);
            context[far ? 'lineTo' : 'moveTo'](...to);
            far = to;
        });
        context.stroke();
        if (points.length === 1) context.fillRect(x(points[0][0]) - 2, y(points[0][1]) - 2, 4, 4);
        context.setLineDash([]);
        context.textAlign = 'left';
        if (series.name) context.fillText(series.name, left + 14, top + 10 + 16 * i);
    });
    context.globalAlpha = 1;
    if (!chart.cross) return;
    const [cx, cy] = chart.cross.at.map((v, i) => i ? y(v) : x(v));
    context.fillStyle = context.strokeStyle = color('--ink');
    context.lineWidth = 2;
    context.beginPath();
    context.arc(cx, cy, 5, 0, 2 * Math.PI);
    context.stroke();
    context.lineWidth = 1;
    line([cx, cy + 5], [cx, bottom], '--ink');
    context.textAlign = 'right';
    context.fillText(chart.cross.text, cx - 6, bottom - 9);
}
