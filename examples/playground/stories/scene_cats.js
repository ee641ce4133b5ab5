'use strict';

/* The pictures of "Can one line tell cats from dogs?": twelve animals by weight and snout, lines, sums, and gates. */
const CatsScene = (() => {
    const {label, line, ring, disc, put, rect, n} = Svg;
    const SIZE = 10; /* kg and cm that the picture shows */
    const ANIMALS = [[1.4, 2.2, 1], [5.6, 6.2, -1], [2.4, 3.6, 1], [6.6, 4.7, -1], [3, 1.8, 1], [7.2, 7.4, -1], [3.7, 4, 1],
        [8.2, 5.8, -1], [2, 5.2, 1], [6, 8.3, -1], [4, 2.6, 1], [8.7, 8, -1]].map(([x, y, c]) => ({x, y, c}));
    const short = v => (Math.abs(v) < 10 ? v.toFixed(1) : String(Math.round(v))).replace('-', '\u2212');

    /* A plot of kg and cm in a box; both axes have their own scale. */
    function plane(box) {
        const plot = new Plot(box, {unit: 1}), rim = 34, w = box.w - rim - 12, h = box.h - rim - 12;
        plot.at = ([x, y]) => [box.x + rim + x / SIZE * w, box.y + 12 + h * (1 - y / SIZE)];
        plot.of = ([px, py]) => [(px - box.x - rim) / w * SIZE, (1 - (py - box.y - 12) / h) * SIZE];
        return plot;
    }

    function axes(plot, size) {
        const {x, y, w, h} = plot.box;
        return label('heavier \u2192', [x + w - 12, y + h - 10], {anchor: 'end', size, weight: 450, color: 'var(--muted)',
            halo: 0}) +
            `<g transform="translate(${n(x + 22)} ${n(y + 12)}) rotate(-90)">${label('longer snout \u2192', [0, 0],
                {anchor: 'end', size, weight: 450, color: 'var(--muted)', halo: 0})}</g>`;
    }

    function pets(s, plot, list, {wrong = [], now = null, scale = s.small ? 1.15 : 1.6} = {}) {
        return list.map(p => put((wrong.includes(p) ? ring([0, 0], 17, 'var(--ink)', 2, {'stroke-dasharray': '4 3'}) : '') +
            (p === now ? ring([0, 0], 18, 'var(--change)', 3) : '') + Svg.pet(p.c), plot.at([p.x, p.y]), scale)).join('');
    }

    /* The line through two places, with the cats of the first animal's kind above. */
    function through(a, b) {
        const w = [b[1] - a[1], a[0] - b[0]], own = [...w, -(w[0] * a[0] + w[1] * a[1])];
        const votes = ANIMALS.reduce((sum, p) => sum + Math.sign(p.c * Trace.score(own, p.x, p.y)), 0);
        return votes < 0 ? own.map(v => -v) : own;
    }

    const whole = s => ({x: 0, y: 0, w: s.W, h: s.H});
    const below = (s, share) => s.small ? [{x: 0, y: 0, w: s.W, h: s.H * share},
        {x: 0, y: s.H * share, w: s.W, h: s.H * (1 - share)}]
        : [{x: 0, y: 0, w: s.W, h: s.H * share}, {x: 0, y: s.H * share, w: s.W, h: s.H * (1 - share)}];

    function handle(at, color = 'var(--ink)') {
        return disc(at, 14, 'var(--paper)', {stroke: color, 'stroke-width': 4}) + disc(at, 4, color);
    }

    /* ---- The steps' pictures ---- */

    function own(s) {
        const plot = s.plot = plane(whole(s)), w = through(s.a, s.b);
        return plot.sides(w) + axes(plot, s.unit - 2) + plot.line(w) +
            pets(s, plot, ANIMALS, {wrong: Trace.wrong(w, ANIMALS)}) +
            handle(plot.at(s.a)) + handle(plot.at(s.b));
    }

    /* The sum below the picture, with a bar for each part. */
    function sum(s) {
        const [top, low] = below(s, s.small ? 0.62 : 0.66), plot = s.plot = plane(top), {w} = s.model, {x, y} = s.newcomer;
        const parts = [w[0] * x, w[1] * y, w[2]], total = parts[0] + parts[1] + parts[2], is = total > 0;
        const at = plot.at([x, y]), r = s.small ? 16 : 20;
        let out = `<g>${plot.sides(w)}${axes(plot, s.unit - 2)}${plot.line(w)}${pets(s, plot, ANIMALS)}</g>`;
        out += disc(at, r, 'var(--paper)', {stroke: 'var(--change)', 'stroke-width': 4}) +
            label('?', [at[0], at[1] + r * 0.4], {anchor: 'middle', size: r * 1.2, weight: 800, halo: 0});
        out += rect(low.x, low.y, low.w, low.h, 'var(--paper)');
        const names = [`${short(w[0])} \u00d7 ${x.toFixed(1)} kg`, `${short(w[1])} \u00d7 ${y.toFixed(1)} cm`,
            `b = ${short(w[2])}`, 'the sum'];
        const left = s.small ? 118 : 190, middle = left + (low.w - left) / 2, most = Math.max(90, ...parts.map(Math.abs)),
            room = (low.w - left) / 2 - (s.small ? 44 : 70);
        [...parts, total].forEach((v, i) => {
            const high = low.h / 4.4, yy = low.y + 6 + i * high, bar = v / most * room, last = i === 3;
            out += label(names[i], [left - 10, yy + high * 0.62], {anchor: 'end', size: s.unit, weight: last ? 800 : 600,
                halo: 0});
            out += rect(Math.min(middle, middle + bar), yy + high * 0.18, Math.abs(bar), high * 0.62, last ? is ?
                'var(--pos)' : 'var(--neg)' : 'var(--muted)', {rx: 3});
            out += label(`${short(v)}${last ? is ? ': cat' : ': dog' : ''}`,
                [middle + bar + (v < 0 ? -6 : 6), yy + high * 0.62],
                {anchor: v < 0 ? 'end' : 'start', size: s.unit, weight: last ? 800 : 500});
        });
        return out + line([middle, low.y + 4], [middle, low.y + low.h - 4], 'var(--ink)', 1.5);
    }

    /* A mistake: the line before and after, and the arrow on it. */
    function mistake(s) {
        const plot = s.plot = plane(whole(s)), m = s.updates[s.at], p = s.list[m.row];
        let out = plot.sides(s.w) + axes(plot, s.unit - 2);
        if (s.ghost) out += `<g opacity="0.35">${plot.line(s.ghost, {'stroke-dasharray': '8 7'})}</g>`;
        out += plot.line(s.w) + pets(s, plot, ANIMALS, {now: p});
        const ends = plot.ends(s.w);
        if (!ends) return out;
        const middle = [(ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2], tip = plot.of(middle);
        const n2 = Math.hypot(s.w[0], s.w[1]), far = plot.at([tip[0] + s.w[0] / n2, tip[1] + s.w[1] / n2]);
        const d = Math.hypot(far[0] - middle[0], far[1] - middle[1]) / 70;
        return out + Svg.arrow(middle, [middle[0] + (far[0] - middle[0]) / d, middle[1] + (far[1] - middle[1]) / d],
            'var(--ink)', 6) + disc(middle, 5, 'var(--ink)');
    }

    /* The line while it learns, and how many rounds forty orders need. */
    function rounds(s) {
        const [top, low] = below(s, 0.6), plot = s.plot = plane(top), most = Math.max(...s.model.sorted, ...s.model.mixed);
        let out = plot.sides(s.w) + axes(plot, s.unit - 2) + plot.line(s.w) +
            pets(s, plot, ANIMALS, {now: ANIMALS[s.lit], scale: s.small ? 1 : 1.4});
        out += rect(low.x, low.y, low.w, low.h, 'var(--paper)');
        const left = s.small ? 84 : 120, cell = Math.min(52, (low.w - left - 16) / most), base = low.y +
            low.h - (s.small ? 38 : 48);
        const strip = (list, row, name) => {
            const counts = list.reduce((c, v) => ({...c, [v]: (c[v] || 0) + 1}), {}), y = low.y +
                (base - low.y) * (row + 1) / 2 - 4;
            const tall = (base - low.y) / 2 - 12;
            return label(name, [left - 10, y - 4], {anchor: 'end', size: s.unit, halo: 0}) +
                Object.entries(counts).map(([v, k]) =>
                rect(left + (v - 1) * cell + 1, y - tall * k / 24, cell - 2, tall * k / 24, row ? 'var(--ink)' :
                    'var(--muted)', {rx: 2})).join('') +
                line([left, y], [left + most * cell, y], 'var(--muted)', 1);
        };
        if (s.shown) out += strip(s.model.mixed, 0, 'shuffled') + strip(s.model.sorted, 1, 'sorted');
        for (let v = 1; v <= most; v++) if (s.shown && (v % 2 || !s.small)) out += label(v,
            [left + (v - 0.5) * cell, base + s.unit + 4], {anchor: 'middle', size: s.unit - 2, weight: 450,
            color: 'var(--muted)', halo: 0});
        if (s.shown) out += label('rounds needed, in 40 orders each', [low.w - 12, base + 2 * s.unit + 6],
            {anchor: 'end', size: s.unit - 2, weight: 450, color: 'var(--muted)', halo: 0});
        return out;
    }

    /* Four machines side by side, each by the rule of one book. */
    function gates(s) {
        const across = 2, w = s.W / across, h = s.H / 2;
        return s.model.gates.map((gate, i) => {
            const box = {x: (i % across) * w + 4, y: Math.floor(i / across) * h + 4, w: w - 8, h: h - 8},
                plot = new Plot(box, {cx: 0.5, cy: 0.5, half: 1});
            const {step, state} = s.gates[i], last = gate.steps[step - 1], over = step >= gate.steps.length, size = s.small ?
                12 : 16;
            const points = gate.points, now = last && !over ? points[last.row] : null, r = s.small ? 9 : 13;
            return `<g>${plot.sides(state)}${plot.line(state, {width: 3.5})}${plot.points(points, {r, ringed: now ? [now] : [], ring: last && last.fired ? 'var(--change)' : 'var(--ink)'})}` +
                label(gate.name, [box.x + 10, box.y + size + 8], {size: size + 2, weight: 750}) +
                label(`${last ? last.updates : 0} updates, ${last ? last.mistakes : 0} mistakes`,
                    [box.x + 10, box.y + box.h - 10], {size}) +
                (over ? label('done', [box.x + box.w - 10, box.y + size + 8],
                    {size: size + 2, weight: 800, anchor: 'end', color: 'var(--proof)'}) : '') + '</g>';
        }).join('');
    }

    /* The line, and its three numbers times so much. */
    function numbers(s) {
        const plot = s.plot = plane(whole(s)), w = s.free ? s.model.w : s.model.bare, wrong = Trace.wrong(w, ANIMALS);
        const size = s.small ? 15 : 24, parts = [[w[0], ' \u00d7 kg'], [w[1], ' \u00d7 cm'], ...s.free ? [[w[2], '']] : []];
        const words = parts.map(([v, unit], i) => {
            const number = `${short(Math.abs(v * s.times))}${unit}`, sign = v < 0 ? '\u2212' : '+';
            return i ? ` ${sign} ${number}` : `${v < 0 ? '\u2212' : ''}${number}`;
        });
        return plot.sides(w) + axes(plot, s.unit - 2) + plot.line(w) + pets(s, plot, ANIMALS, {wrong}) +
            rect(s.W - 21 * size, 8, 20.6 * size, 3.1 * size, 'var(--paper)', {rx: 10}) +
            label(`sum = ${words.join('')}`, [s.W - size, 8 + 1.3 * size], {anchor: 'end', size, weight: 750, halo: 0}) +
            label(`${wrong.length} of 12 wrong`, [s.W - size, 8 + 2.6 * size], {anchor: 'end', size: size - 3, halo: 0,
                color: wrong.length ? 'var(--change)' : 'var(--muted)'});
    }

    return {ANIMALS, short, through, own, sum, mistake, rounds, gates, numbers};
})();
