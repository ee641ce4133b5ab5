'use strict';

/* The pictures of "What if no line fits?": four corners, a tilted sheet, memories, two lines, and a mean step. */
const XorScene = (() => {
    const {label, line, ring, disc, put, rect, n} = Svg;
    const CORNERS = [[-0.5, -0.5, 1], [-0.5, 0.5, -1], [0.5, -0.5, -1], [0.5, 0.5, 1]].map(([x, y, c]) => ({x, y, c}));
    const whole = s => ({x: 0, y: 0, w: s.W, h: s.H});
    const square = (s, half = 1) => s.plot = new Plot(whole(s), {half});
    const handle = at => disc(at, 14, 'var(--paper)', {stroke: 'var(--ink)', 'stroke-width': 4}) + disc(at, 4, 'var(--ink)');
    const size = s => s.small ? 13 : 20;

    /* The line through two places: which of its sides is blue is what gets more corners right. */
    function through(a, b, points = CORNERS) {
        const w = [b[1] - a[1], a[0] - b[0]], own = [...w, -(w[0] * a[0] + w[1] * a[1])], other = own.map(v => -v);
        return Trace.wrong(own, points).length <= Trace.wrong(other, points).length ? own : other;
    }

    function corners(s) {
        const plot = square(s), w = through(s.a, s.b), wrong = Trace.wrong(w, CORNERS);
        return plot.sides(w) + plot.cross() + plot.line(w) + plot.points(CORNERS, {r: size(s), wrong}) +
            handle(plot.at(s.a)) + handle(plot.at(s.b)) +
            label(`${4 - wrong.length} of 4 right`, [16, s.H - 18], {size: s.small ? 20 : 28, weight: 800});
    }

    /* The strings between corners of one class, and the line that never rests. */
    function crossed(s) {
        const plot = square(s), at = i => plot.at([CORNERS[i].x, CORNERS[i].y]), o = plot.at([0, 0]);
        let out = plot.sides(s.w) + plot.cross() + (s.w.some(Boolean) ? plot.line(s.w) : '');
        const strings = (t, i, j, color) => {
            const [a, b] = [at(i), at(j)];
            return line(a, [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t], color, 6);
        };
        if (s.joined) out += strings(s.joined, 0, 3, 'var(--pos)') + strings(s.joined, 1, 2, 'var(--edge)');
        if (s.joined === 1) out += ring(o, 16, 'var(--change)', 4) + label('on both sides?', [o[0], o[1] - 28],
            {anchor: 'middle', size: s.unit + 2, weight: 700, color: 'var(--change)'});
        out += plot.points(CORNERS, {r: size(s), ringed: s.lit >= 0 ? [CORNERS[s.lit]] : []});
        return out + (s.turns ? label(`${s.turns} mistakes`, [16, s.H - 18], {size: s.small ? 20 : 28, weight: 800}) : '');
    }

    /* Seen from above (tilt 0) to nearly from the side: x1 x2 is the height. */
    function sheet(s, P) {
        const half = 0.95, unit = Math.min(s.W, s.H) / 2 / (half * 1.28), t = P.tilt * Math.PI / 180,
            o = [s.W / 2, s.H * (0.5 + 0.06 * Math.sin(t))];
        const turn = P.tilt / 70 * 0.5, at = ([x, y, z]) => {
            const a = x * Math.cos(turn) - y * Math.sin(turn), b = x * Math.sin(turn) + y * Math.cos(turn);
            return [o[0] + unit * a, o[1] - unit * (b * Math.cos(t) + 1.9 * z * Math.sin(t))];
        };
        const quarter = (sx, sy) =>
            `<path d="${Svg.poly([[0, 0], [sx, 0], [sx, sy], [0, sy]].map(([x, y]) => at([x * half, y * half, 0])))}Z" ` +
            `fill="var(--${s.learned ? sx * sy > 0 ? 'pos-tint' : 'neg-tint' : 'page'})" stroke="var(--line)"/>`;
        let out = [[1, 1], [-1, 1], [-1, -1], [1, -1]].map(([sx, sy]) => quarter(sx, sy)).join('');
        for (const p of CORNERS) out += line(at([p.x, p.y, 0]), at([p.x, p.y, p.x * p.y]), 'var(--muted)', 2.5,
            {'stroke-dasharray': '4 4'});
        out += line(at([-half, 0, 0]), at([half, 0, 0]), s.learned ? 'var(--ink)' : 'var(--line)', s.learned ? 4 : 1.5);
        out += line(at([0, -half, 0]), at([0, half, 0]), s.learned ? 'var(--ink)' : 'var(--line)', s.learned ? 4 : 1.5);
        const list = [...CORNERS].sort((a, b) => at([b.x, b.y, 0])[1] - at([a.x, a.y, 0])[1]).reverse();
        out += list.map(p => put(Svg.mark(p.c, size(s)), at([p.x, p.y, p.x * p.y]))).join('');
        return out + label(P.tilt > 25 ? 'up: the product x1 x2' : 'from above', [16, s.H - 18],
            {size: s.unit + 2, weight: 650, color: 'var(--muted)'});
    }

    /* Regions of memories; those that are stored have rings. */
    function memories(s) {
        const plot = square(s, 1.05), key = [s.W, s.H, s.gamma, document.documentElement.dataset.theme].join();
        if (s.seen !== key) Object.assign(s, {seen: key, regions: plot.regions(cells => s.kinds(cells))});
        return s.regions + plot.points(s.points, {r: s.small ? 5 : 7.5}) +
            s.stored.map(i => ring(plot.at([s.points[i].x, s.points[i].y]), s.small ? 8 : 12, 'var(--ink)', 1.6)).join('') +
            label(`${s.stored.length} stored, ${s.wrong} of ${s.points.length} wrong`, [16, s.H - 18],
                {size: s.small ? 17 : 24, weight: 800});
    }

    /* Two lines, and the third perceptron that reads their answers. */
    function network(s) {
        const plot = square(s), key = [s.W, s.H, s.a, s.b, s.c, s.d, document.documentElement.dataset.theme].join();
        if (s.seen !== key) Object.assign(s, {seen: key, regions: plot.regions(cells =>
            cells.map(([x, y]) => s.network(x, y)), 120)});
        const [v, w] = [s.first, s.second];
        return s.regions + plot.cross() + plot.line(v) + plot.line(w) +
            plot.points(CORNERS, {r: size(s), wrong: CORNERS.filter(p => s.network(p.x, p.y) !== p.c)}) +
            ['a', 'b', 'c', 'd'].map(name => handle(plot.at(s[name]))).join('') + label(`${s.right} of 4 right`,
                [16, s.H - 18], {size: s.small ? 20 : 28, weight: 800});
    }

    /* The points with the line, and the length of the mean step by rounds. */
    function batch(s) {
        const {small, W, H} = s, box = small ? {x: 0, y: 0, w: W, h: H * 0.56} : {x: 0, y: 0, w: W * 0.54, h: H};
        const plot = s.plot = new Plot(box, {half: 1.1}), area = small ?
            {x: 40, y: H * 0.56 + 14, w: W - 54, h: H * 0.44 - 54} : {x: box.w + 64, y: 24, w: W - box.w - 90, h: H - 86};
        const chart = new Chart(area, {x: 20, y: 0.6, small}), steps = s.steps.map((v, i) => [i + 1, Math.min(0.6, v)]);
        let out = `<clipPath id="left"><rect width="${n(box.w)}" height="${n(box.h)}"/></clipPath><g clip-path="url(#left)">${plot.sides(s.w)}${s.w.some(Boolean) ? plot.line(s.w) : ''}` +
            `${plot.points(s.model.mixed, {r: small ? 6 : 9, wrong: s.steps.length ? Trace.wrong(s.w, s.model.mixed) : []})}</g>`;
        out += chart.axes('rounds', 'length of the mean step', {tickY: 0.2}) +
            line([area.x, chart.Y(s.eps)], [area.x + area.w, chart.Y(s.eps)], 'var(--proof)', 3) +
            label(`eps ${s.eps}`, [area.x + area.w - 4, chart.Y(s.eps) - 8],
                {anchor: 'end', color: 'var(--proof)', weight: 750, size: s.unit}) +
            chart.curve(steps, {width: 2}) + steps.map(v => disc(chart.at(v), small ? 4 : 6, 'var(--ink)')).join('');
        return out + label(s.steps.length ?
            `round ${s.steps.length}: ${Trace.wrong(s.w, s.model.mixed).length} of ${s.model.mixed.length} wrong` : '',
            [14, box.h - 16], {size: small ? 17 : 24, weight: 800});
    }

    return {CORNERS, through, corners, crossed, sheet, memories, network, batch};
})();
