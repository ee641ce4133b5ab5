'use strict';

/* Line charts. chart: {x: name of the axis, series: [{color, dash, points: [[x, y], ...]}]}; colors are CSS
 * variables. */
function drawCurves(canvas, chart) {
    const style = getComputedStyle(document.documentElement), color = name => style.getPropertyValue(name);
    const scale = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
    const left = 46, right = width - 8, top = 8, bottom = height - 34, context = canvas.getContext('2d');
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    context.scale(scale, scale);
    context.font = `12px ${style.fontFamily || 'system-ui'}`;

    const all = chart.series.flatMap(series => series.points);
    const most = at => all.reduce((m, p) => Math.max(m, p[at]), 0);
    /* The next 1, 2 or 5 times a power of ten that makes at most five steps. */
    const step = end => {
        const power = 10 ** Math.floor(Math.log10(end / 5));
        return [1, 2, 5, 10].map(k => k * power).find(s => end / s <= 5.001);
    };
    const endX = most(0) || 1, endY = 1.04 * most(1) || 1, stepX = Math.max(1, step(endX)), stepY = step(endY);
    const x = v => left + (right - left) * v / endX, y = v => bottom - (bottom - top) * v / endY;
    const short = v => Number(v.toPrecision(3)), number = v => v >= 10000 ? `${short(v / 1000)}k` : String(short(v));

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
    for (let v = 0; v <= endY; v += stepY) {
        line([left, y(v)], [right, y(v)], '--line');
        context.fillText(number(v), left - 6, y(v));
    }
    context.textAlign = 'center';
    for (let v = 0; v <= endX; v += stepX) {
        line([x(v), bottom], [x(v), bottom + 4], '--muted');
        context.fillText(number(v), Math.min(x(v), right - 8), bottom + 12);
    }
    context.fillText(chart.x, (left + right) / 2, height - 7);
    line([left, bottom], [right, bottom], '--muted');

    context.lineJoin = 'round';
    for (const series of chart.series) {
        context.strokeStyle = color(series.color);
        context.lineWidth = series.dash ? 1.5 : 2;
        context.setLineDash(series.dash || []);
        context.beginPath();
        series.points.forEach((p, i) => context[i ? 'lineTo' : 'moveTo'](x(p[0]), y(Math.max(0, p[1]))));
        context.stroke();
    }
}
