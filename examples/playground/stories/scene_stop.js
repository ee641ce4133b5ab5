'use strict';

/* The pictures of "Why does it stop?": the points, the chain of mistakes, and two curves on the chain's scale. */
const StopScene = (() => {
    const f2 = v => v.toFixed(2).replace('-', '\u2212'), length = v => Math.hypot(v[0], v[1]);
    const nth = n => n + (n % 100 > 10 && n % 100 < 14 ? 'th' : ['th', 'st', 'nd', 'rd'][n % 10] || 'th');
    const high = (s, v) => v[0] * s.star.u[0] + v[1] * s.star.u[1];
    const green = s => s.index === 2 ? [Math.cos(s.angle), Math.sin(s.angle)] : s.star.u;
    const {label, line, ring, disc, arrow, rect, path, n} = Svg;

    /* ---- What moves when a step follows another ---- */

    function square(s, half, w = s.W, h = s.H) {
        return {pw: w, ph: h, ox: w / 2, oy: h / 2, u: Math.min(w, h) / 2 / half, rot: 0, flip: 0, shade: 1, chart: 0,
            cx: s.W,
            cw: s.W * 0.4, coy: s.H * 0.8, cu: 60, kmax: 14, roof: 0, ramp: 0, reveal: 1, chain: 0, size: s.small ? 8.5 : 11,
            circle: 0, faint: 1, green: 0, arrow: 0, line: 1};
    }

    /* Picture and chart have one height in common. */
    function shared(s) {
        const {small, W, H} = s, last = s.index === 5, most = [small ? 3.4 : 3.05, 3.72, small ? 5.7 : 5.4][s.index - 3];
        const bottom = small ? 36 : 56, u = (H - bottom - (small ? 8 : 16)) / most, share = last ? small ? 0.33 : 0.28 :
            small ? 0.52 : 0.56;
        const pw = last || small ? W * share : Math.min(W * share, 1.96 * u + 30), oy = H - bottom, {links} = s;
        return {...square(s, 1), pw, ph: H, ox: pw / 2, oy, u, rot: Math.PI / 2 - Math.atan2(s.star.u[1], s.star.u[0]),
            flip: 1, shade: 0,
            chart: 1, cx: pw + (small ? 30 : 54), cw: W - pw - (small ? 42 : 84), coy: oy, cu: u, kmax: last ? 30 : 14,
            roof: Number(last || (s.index === 4 && links)), ramp: s.index === 4 ? 0.35 : Number(s.index === 5 || links),
            reveal: last && s.state.guess === undefined ? 11 : 40, chain: 1, green: 1, arrow: 1, line: 0, size: small ? 4.5 :
                7,
            circle: Number(s.index >= 4), faint: last ? 0 : 0.6};
    }

    function beside(s) {
        const {small, W, H} = s, {bound, R} = s.star, turns = Number.isFinite(bound) ? bound : 1.3 * s.run.updates.length;
        const kmax = Math.max(14, Math.min(260, 1.12 * turns)), top = R * Math.sqrt(kmax) * 1.06, {green: _, ...own} = small
            ? square(s, 1.06, W, H * 0.58) : square(s, 1.08, W * 0.54, H);
        const of = small ? {u: own.ph / 2 / 1.06, cx: 20, cw: W - 38, coy: H - 34, cu: (H - own.ph - 48) / top}
            : {cx: own.pw + 40, cw: W - own.pw - 66, coy: H - 54, cu: (H - 84) / top};
        return {...own, ...of, chart: 1, kmax, roof: 1, ramp: 1, reveal: 400, green: Number(bound < 1e9), size: small ? 9 :
            11};
    }

    function layout(s) {
        if (s.index <= 2) return {...square(s, s.index === 1 ? 1.2 : 1.08), green: Number(s.index === 2),
            line: Number(s.index !== 2)};
        return s.index <= 5 ? shared(s) : beside(s);
    }

    /* ---- The points and their lines ---- */

    function backdrop(s, P) {
        if (P.shade < 0.01) return '';
        return `<g opacity="${n(P.shade)}">${s.plot.sides(s.index === 2 ? null : s.w)}${s.plot.cross()}</g>`;
    }

    function proofLine(s, P) {
        if (P.green < 0.01) return '';
        const u = green(s), gap = s.star.gapOf(...u), fits = gap > 0, w = [...u, 0], {plot} = s, soft = s.index >= 3 &&
            s.index <= 5;
        const free = plot.above(w.map(v => -v), -gap, P.flip > 0.5 ? plot.above(w) : plot.above(w, -gap));
        let out = fits ? `<path d="${Svg.poly(free)}Z" fill="url(#hatch)" opacity="0.85"/>` : '';
        out += plot.line(w, {stroke: 'var(--proof)', width: s.index === 6 ? 2.5 : 4, 'stroke-dasharray': fits ? '' : '3 7'});
        const o = plot.at([0, 0]);
        if (s.index === 2) out += arrow(o, plot.at([u[0] * 0.62, u[1] * 0.62]), 'var(--proof)', 5);
        if (soft) out += arrow(o, [o[0], o[1] - P.u * [2.9, 3.6, 5.1][s.index - 3]], 'var(--proof)', 2, '2 5');
        return `<g opacity="${n(P.green)}">${out}</g>`;
    }

    /* Which point is wrong now? */
    function current(s) {
        if (s.index === 1 && s.answer === null && s.run.updates[s.k]) return s.run.updates[s.k].row;
        return s.index === 3 || s.index === 4 ? s.k ? s.run.updates[s.k - 1].row : -1 : s.lit;
    }

    const place = (s, P, p) => {
        const mirror = p.c < 0 ? 1 - 2 * P.flip : 1;
        return s.plot.at([mirror * p.x, mirror * p.y]);
    };

    function points(s, P) {
        if (P.faint < 0.02) return '';
        const u = green(s), gap = s.star.gapOf(...u), shows = gap > 0 && (s.index === 2 || s.index === 6), now = current(s);
        const out = s.points.map((p, i) => {
            const along = p.c * (p.x * u[0] + p.y * u[1]), r = P.size;
            const holds = shows && Math.abs(along - gap) < 2e-3, bad = s.index === 2 && along <= 0;
            return Svg.put((now === i ? ring([0, 0], r + 8, 'var(--change)', 4) : '') +
                (bad ? ring([0, 0], r + 6, 'var(--ink)', 2, {'stroke-dasharray': '4 3'}) : '') +
                (holds ? ring([0, 0], r + 6, 'var(--proof)', 3) : '') + Svg.mark(p.c, r), place(s, P, p));
        });
        return `<g opacity="${n(P.faint)}">${out.join('')}</g>`;
    }

    const away = ([x, y], [ox, oy], by) => {
        const d = Math.hypot(x - ox, y - oy) || 1;
        return [x + (x - ox) / d * by, y + (y - oy) / d * by + 6];
    };

    /* Step 2: old w, the change, and new w. */
    function change(s) {
        const {plot, ghost, slide} = s, o = plot.at([0, 0]), tip = plot.at(s.w);
        let out = '';
        if (ghost) out += `<g opacity=".3">${arrow(o, plot.at(ghost), 'var(--ink)', 5)}</g>`;
        if (ghost && !s.busy) out += label('old', away(plot.at(ghost), o, 16), {anchor: 'middle', color: 'var(--muted)'});
        out += arrow(o, tip, 'var(--ink)', 6.5);
        if (slide) out += arrow(plot.at(slide[0]), plot.at([slide[0][0] + slide[1][0], slide[0][1] + slide[1][1]]),
            'var(--change)', 5, '9 5');
        return out + label('w', away(tip, o, 18), {size: s.unit + 5, weight: 800, anchor: 'middle'});
    }

    /* ---- The chain of mistakes, and what bounds it ---- */

    function chain(s, P) {
        const {plot, k} = s, o = plot.at([0, 0]), tip = plot.at(s.w), radius = s.star.R * Math.sqrt(k) * P.u,
            floor = P.oy - P.u * s.star.gap * k;
        let out = s.index === 5 ? room(s, P) : '';
        if (s.index === 4 && k) out += clip(s, ring(o, radius, 'var(--proof)', 3, {opacity: n(P.circle)}));
        if (s.index === 4 && radius > o[0] && !s.small) out += label(`R \u00b7 \u221a${k}`,
            [12, o[1] - Math.sqrt(radius ** 2 - (o[0] - 40) ** 2) - 14], {color: 'var(--proof)', weight: 700});
        if (s.index === 3 && k) out += line([0, floor], [P.pw, floor], 'var(--proof)', 3);
        if (s.index === 3 && k > 1 && !s.small) out += label(`\u03b3 \u00b7 ${k}`, [12, floor - 8],
            {color: 'var(--proof)', weight: 700});
        s.run.updates.slice(0, k).forEach((m, j) => {
            const last = j === k - 1;
            out += `<g opacity="${last ? 1 : 0.55}">${arrow(plot.at(m.from), last ? tip : plot.at(m.to), 'var(--change)', last ? 5 : 3)}</g>`;
        });
        if (length(s.w) > 1e-9) out += arrow(o, tip, 'var(--ink)', 6);
        if (s.index < 5 && k) out += label('w', [tip[0] + (tip[0] < o[0] ? -14 : 14), tip[1] - 6],
            {size: s.unit + 4, weight: 800, anchor: 'middle'});
        if (s.index === 4 && k > 1) out += corner(s, o);
        if (length(s.w) > 1e-9) out += across(s, P, o, tip);
        return `<g opacity="${n(P.chain)}">${out}</g>`;
    }

    const clip = (s, inner) =>
        `<clipPath id="left"><rect width="${n(s.plot.box.w)}" height="${n(s.H)}"/></clipPath><g clip-path="url(#left)">${inner}</g>`;

    /* From the tip to its dot in the chart. */
    function across(s, P, o, tip) {
        const k = s.k - (s.busy ? 1 - s.grown : 0), x = P.cx + P.cw * k / P.kmax, r = length(s.w) * P.u;
        const d = s.index === 4 ?
            `M${n(tip[0])} ${n(tip[1])}A${n(r)} ${n(r)} 0 0 ${tip[0] < o[0] ? 1 : 0} ${n(o[0])} ${n(o[1] - r)}H${n(x)}`
            : `M${n(Math.max(tip[0] + 8, P.ox))} ${n(tip[1])}H${n(x)}`;
        return path(d, 'var(--ink)', 1.5, {'stroke-dasharray': '2 5', opacity: 0.8});
    }

    /* The angle between w and the last link: 90 degrees or less. */
    function corner(s, o) {
        const m = s.run.updates[s.k - 1], a = s.plot.at(m.from), b = s.plot.at(m.to), r = s.small ? 18 : 28;
        const from = Math.atan2(o[1] - a[1], o[0] - a[0]), to = Math.atan2(b[1] - a[1], b[0] - a[0]);
        const by = Math.atan2(Math.sin(to - from), Math.cos(to - from)), mid = from + by / 2;
        const end = t => `${n(a[0] + r * Math.cos(t))} ${n(a[1] + r * Math.sin(t))}`;
        return `<path d="M${n(a[0])} ${n(a[1])}L${end(from)}A${r} ${r} 0 0 ${by > 0 ? 1 : 0} ${end(to)}Z" fill="var(--ink)" opacity=".16"/>` +
            label(`${Math.floor(Math.abs(by) * 180 / Math.PI + 1e-9)}\u00b0`,
                [a[0] - (r * 0.9 + 12) * Math.cos(mid), a[1] - (r * 0.9 + 12) * Math.sin(mid) + 5],
                    {anchor: 'middle', weight: 750});
    }

    /* Step 6: the room for w is within the circle and above the ramp. */
    function room(s, P) {
        const k = s.room, o = s.plot.at([0, 0]), r = s.star.R * Math.sqrt(k) * P.u, floor = P.oy - P.u * s.star.gap * k,
            rise = P.oy - floor;
        const half = Math.sqrt(Math.max(0, r * r - rise * rise));
        let out = rect(0, 0, P.pw, P.oy, 'url(#hatch)');
        if (rise < r) out += `<path d="M${n(o[0] - half)} ${n(floor)}A${n(r)} ${n(r)} 0 0 1 ${n(o[0] + half)} ${n(floor)}Z" fill="var(--paper)"/>`;
        out = clip(s, out + ring(o, r, 'var(--proof)', 3.5) + line([0, floor], [P.pw, floor], 'var(--proof)', 3.5));
        if (s.state.guess === undefined) return out;
        const x = P.cx + P.cw * k / P.kmax;
        return out + path(`M${n(o[0])} ${n(P.oy - r)}H${n(x)}M${n(P.pw)} ${n(floor)}H${n(x)}`, 'var(--proof)', 1.5,
            {'stroke-dasharray': '2 4'});
    }

    /* ---- The chart ---- */

    function chart(s, P) {
        const {gap, R, bound} = s.star, {small} = s, fits = Number.isFinite(bound), play = s.index === 6;
        const top = play ? P.coy - P.cu * R * Math.sqrt(P.kmax) * 1.03 : 8, end = Math.min(P.kmax, P.reveal);
        const own = s.chart = new Chart({x: P.cx, y: top, w: P.cw, h: P.coy - top},
            {x: P.kmax, y: (P.coy - top) / P.cu, small});
        const roof = Array.from({length: 81}, (_, i) => [end * i / 80, R * Math.sqrt(end * i / 80)]),
            ramp = [[0, 0], [end, gap * end]];
        const within = ([k, v]) => [Math.min(P.kmax, k), Math.min(own.y, v)];
        const area = values => `<path d="${Svg.poly(values.map(v => own.at(within(v))))}Z" fill="url(#hatch)"`;
        let out = '';
        if (fits) out += `${area([...ramp, [end, 0]])} opacity="${n(P.ramp)}"/>`;
        out += `${area([...roof, [end, own.y], [0, own.y]])} opacity="${n(P.roof)}"/>`;
        if (fits && s.index >= 5 && end > bound) out += rect(own.X(bound), top, own.X(end) - own.X(bound), P.coy - top,
            'url(#hatch)');
        out += `<g opacity="${n(P.roof)}">${own.curve(roof.filter(v => v[1] <= own.y), {stroke: 'var(--proof)', width: 4})}</g>`;
        if (fits) out += `<g opacity="${n(P.ramp)}">${own.curve(ramp.map(within), {stroke: 'var(--proof)', width: 4})}</g>`;
        out += own.axes('mistakes', '', {tickX: [[150, 50], [60, 20], [20, 5], [0, 2]].find(each => P.kmax > each[0])[1]});
        return `<g opacity="${n(P.chart)}">${out}${dots(s, P, own, fits)}${names(s, P, own)}${s.index === 5 ? tapped(s, own) : ''}` +
            `${play ? stops(s, P, own, fits) : ''}</g>`;
    }

    /* How high w was and how long, after each mistake. */
    function dots(s, P, own, fits) {
        const all = s.index === 6 ? s.run.updates : s.run.updates.slice(0, s.k), many = P.kmax > 60, r = many ? 2.2 :
            s.small ? 4 : 6;
        return all.filter((m, j) => j < P.kmax).map((m, j) => {
            const v = s.busy && j === s.k - 1 ? s.w : m.to;
            return (fits && s.index !== 4 ? disc(own.at([j + 1, high(s, v)]), r, 'var(--paper)',
                {stroke: 'var(--ink)', 'stroke-width': many ? 1.2 : 2.5}) : '') +
                (s.index !== 3 ? disc(own.at([j + 1, length(v)]), r * 0.95, 'var(--ink)') : '');
        }).join('');
    }

    /* Names stand at the curves. */
    function names(s, P, own) {
        const {small} = s, bold = {color: 'var(--proof)', weight: 750, size: s.unit},
            soft = {color: 'var(--proof)', weight: 500, size: small ? 12 : 15};
        const left = own.box.x, right = left + own.box.w - (small ? 4 : 10), {y: top} = own.box, gap = small ? 16 : 22;
        const key = (x, y, open, text) => disc([x, y - 5], small ? 4 : 6, open ? 'var(--paper)' : 'var(--ink)',
            {stroke: 'var(--ink)', 'stroke-width': 2.5}) + label(text, [x + (small ? 9 : 14), y],
                {weight: 650, size: s.unit});
        if (s.index === 3) return (P.ramp > 0.5 ? label('the ramp: \u03b3 \u00b7 k', [right, own.Y(0.62)],
            {...bold, anchor: 'end'}) +
            label('w is never lower', [right, own.Y(0.62) + gap], {...soft, anchor: 'end'}) : '') +
            key(left + (small ? 12 : 20), own.Y(2.72), true, 'how high w is');
        if (s.index === 4) return (P.roof > 0.5 ? label(`${small ? '' : 'the '}roof: R \u00b7 \u221ak`,
            [left + (small ? 6 : 14), top + gap + 8], bold) +
            label(small ? 'never longer' : 'w is never longer', [left + (small ? 6 : 14), top + 2 * gap + 8], soft) : '') +
            key(right - (small ? 112 : 146), own.Y(0.35), false, 'how long w is');
        if (s.index === 5) {
            const at = left + (small ? 11 : 20), x = own.X(24.8), y = own.Y(1.45);
            return label('roof: R \u00b7 \u221ak', [at - 6, top + gap + 4], bold) +
                label('never longer', [at - 6, top + 2 * gap + 4], soft) +
                label('ramp: \u03b3 \u00b7 k', [x, y], {...bold, anchor: 'end'}) +
                    label('never lower', [x, y + gap], {...soft, anchor: 'end'}) +
                key(at, top + 3.4 * gap, false, small ? 'long' : 'how long w is') +
                    key(at, top + 4.5 * gap, true, small ? 'high' : 'how high w is');
        }
        return s.index === 6 && P.green > 0.5 ? label('roof', [left + 12, top + 24], bold) +
            label('ramp', [right, own.Y(0) - 14], {...bold, anchor: 'end'}) : '';
    }

    /* The guess, and where the curves meet. */
    function tapped(s, own) {
        const {bound, gap} = s.star, guess = s.state.guess, {small} = s;
        if (guess === undefined) return s.pointed ? own.upright(s.aimed, `${s.aimed}: Enter`,
            {dash: '2 4', anchor: s.aimed > 8 ? 'end' : 'start'}) : '';
        let out = guess ? own.upright(guess, `you: ${guess}`, {anchor: guess > 8 ? 'end' : 'start'}) : '';
        if (s.P.reveal <= bound) return out;
        const [x, y] = own.at([bound, gap * bound]);
        out += ring([x, y], small ? 9 : 13, 'var(--ink)', 3.5);
        if (Math.abs(guess - bound) > 2.5) out += line([x, y + 13], [x, own.Y(0)], 'var(--ink)', 2);
        return out + label(bound.toFixed(1), [x - (small ? 12 : 20), y - (small ? 12 : 16)],
            {size: small ? 18 : 30, weight: 800, anchor: 'end'});
    }

    function stops(s, P, own, fits) {
        const {bound, gap} = s.star;
        let out = own.upright(Math.min(P.kmax, s.run.updates.length), '', {dash: '2 4'});
        if (fits && bound <= P.kmax) out += ring(own.at([bound, gap * bound]), s.small ? 6 : 9, 'var(--ink)', 3) +
            label(`${Math.floor(bound)} at most`, [own.X(bound) - 12, own.Y(gap * bound) - (s.small ? 6 : 12)],
                {anchor: 'end', weight: 700, size: s.unit});
        return out;
    }

    /* ---- All of it ---- */

    function draw(s, P) {
        s.plot = new Plot({x: 0, y: 0, w: P.pw, h: P.ph}, {unit: P.u, ox: P.ox, oy: P.oy, rot: P.rot});
        let out = backdrop(s, P) + proofLine(s, P) + points(s, P);
        if (P.line > 0.01 && length(s.w) > 1e-9) out += s.plot.line(s.w, {opacity: n(P.line)});
        if (s.index <= 2) out += disc(s.plot.at([0, 0]), 6, 'var(--paper)', {stroke: 'var(--ink)', 'stroke-width': 3});
        if (s.index === 1) out += change(s);
        if (P.chain > 0.01) out += chain(s, P);
        if (P.chart > 0.01) out += chart(s, P);
        return out + (s.index === 1 ? turners(s).map(each => each.drawn).join('') : '') +
            (s.index === 2 ? handles(s).map(each => each.drawn).join('') : '');
    }

    /* Step 2: two curved arrows beside the tip of w. */
    function turners(s) {
        if (s.busy || s.answer !== null || s.tried > 2) return [];
        const o = s.plot.at([0, 0]), tip = s.plot.at(s.w), a = Math.atan2(tip[1] - o[1], tip[0] - o[0]), r = s.small ? 22 :
            27;
        const far = Math.max(Math.hypot(tip[0] - o[0], tip[1] - o[1]), s.small ? 70 : 96) + (s.small ? 24 : 18);
        return [['left', 1], ['right', -1]].map(([key, side]) => {
            const t = a - side * (s.small ? 0.62 : 0.52), at = [o[0] + Math.cos(t) * far, o[1] + Math.sin(t) * far];
            return {key, label: `The line turns ${key}`, at, r, drawn: Svg.put(disc([0, 0], r, 'var(--paper)',
                {stroke: 'var(--ink)', 'stroke-width': 2.5}) +
                `<g transform="rotate(${n(a * 180 / Math.PI + 90)}) scale(${n(r / 24 * side)} ${n(r / 24)})"><path d="M9 9A13 13 0 0 0-8-4" fill="none" ` +
                'stroke="var(--ink)" stroke-width="3.5" stroke-linecap="round"/><path d="M-12.5 1.5-9.5-8.5-2-1.5Z" fill="var(--ink)"/></g>', at)};
        });
    }

    /* Step 3: the two ends of the green line. */
    function handles(s) {
        const u = green(s), d = 0.84;
        return [['left', 1], ['right', -1]].map(([key, side]) => {
            const at = s.plot.at([-u[1] * d * side, u[0] * d * side]);
            return {key, label: 'The green line; arrows turn it', at, r: 26, drag: true, drawn: disc(at, 15, 'var(--paper)',
                {stroke: 'var(--proof)', 'stroke-width': 4}) + disc(at, 4, 'var(--proof)')};
        });
    }

    function grips(s, P) {
        if (s.index === 1) return turners(s);
        if (s.index === 2) return handles(s);
        if (s.index === 5 && s.state.guess === undefined && s.chart) return [{key: 'meet', arrows: true, rect: s.chart.rect,
            label: 'Where do ramp and roof meet? Arrows move, Enter answers'}];
        if (s.index !== 6) return [];
        return s.points.map((p, i) => ({key: String(i), drag: true, at: place(s, P, p), r: 22,
            label: `${p.c > 0 ? 'blue' : 'amber'} point at ${f2(p.x)}, ${f2(p.y)}; arrows move it`}));
    }

    return {f2, nth, length, high, green, layout, draw, grips};
})();
