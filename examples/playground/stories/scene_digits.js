'use strict';

/* The pictures of "Can 8 KB read your handwriting?": a pad, 64 dots, scores, and ten pictures of weights. */
const DigitsScene = (() => {
    const {label, line, rect, path, n} = Svg;
    const SIDE = 8, INK = 16;

    /* 8 x 8 values in a square: ink, or for and against. */
    function cells(values, x, y, side, scale, colors = ['var(--ink)', 'var(--ink)']) {
        const step = side / SIDE;
        let out = rect(x, y, side, side, 'var(--paper)', {stroke: 'var(--line)'});
        for (let i = 0; i < SIDE * SIDE; i++) {
            const v = values[i] / scale;
            if (Math.abs(v) > 0.02) out += rect(x + i % SIDE * step + 0.5, y + Math.floor(i / SIDE) * step + 0.5, step - 1,
                step - 1, colors[Number(v < 0)], {opacity: n(Math.min(1, Math.abs(v)))});
        }
        return out;
    }

    const WEIGHTS = ['var(--pos)', 'var(--neg)'];

    /* Ten pictures of weights in a box. */
    function tens(s, box, weights, {marked = [], changed = [], names = true} = {}) {
        const across = 5, gap = s.small ? 6 : 16, side = Math.min((box.w - gap * (across - 1)) / across,
            (box.h - 2 * (s.unit + 8) - gap) / 2);
        const most = weights.reduce((m, w) => Math.max(m, Math.abs(w)), 1e-9), high = side + s.unit + 8 + gap;
        return Array.from({length: 10}, (_, c) => {
            const x = box.x + (box.w - across * side - (across - 1) * gap) / 2 + c % across * (side + gap), y = box.y +
                Math.floor(c / across) * high;
            const on = marked.includes(c), did = changed.includes(c);
            return {x, y, side, drawn: (names ? label(c, [x + side / 2, y + s.unit],
                {anchor: 'middle', size: s.unit + 2, weight: 750, halo: 0}) : '') +
                cells(weights.subarray(64 * c, 64 * c + 64), x, y + s.unit + 6, side, most, WEIGHTS) +
                (on ? rect(x - 3, y + s.unit + 3, side + 6, side + 6, 'none',
                    {stroke: 'var(--ink)', 'stroke-width': 3, rx: 4}) : '') +
                (did ? rect(x - 6, y + s.unit, side + 12, side + 12, 'none',
                    {stroke: 'var(--change)', 'stroke-width': 4, rx: 6}) : '')};
        });
    }

    /* Where what stands: the pad, the dots, and the scores. */
    function places(s) {
        if (s.small) {
            const side = Math.min(s.W * 0.54, s.H - 20), x = side + 24, y = (s.H - side) / 2, dots = side * 0.36,
                w = s.W - x - 12;
            return {pad: {x: 10, y, side}, dots: {x, y, side: dots}, bars: {x, y: y + dots + 8, w, h: side - dots - 8}};
        }
        const side = Math.min(s.W * 0.48, s.H - 80), y = (s.H - side) / 2, rest = s.W - side - 100;
        return {pad: {x: 36, y, side}, dots: {x: side + 72, y, side: Math.min(rest * 0.44, side * 0.44)},
            bars: {x: side + 72, y: y + Math.min(rest * 0.44, side * 0.44) + 24, w: rest,
            h: side - Math.min(rest * 0.44, side * 0.44) - 24}};
    }

    function pad(s) {
        const {pad: p, dots, bars} = s.places = places(s), at = ([x, y]) => [p.x + x * p.side, p.y + y * p.side];
        let out = rect(p.x, p.y, p.side, p.side, 'var(--page)', {stroke: 'var(--ink)', 'stroke-width': 2, rx: 12});
        if (s.row >= 0) out += cells(s.pixels, p.x + 4, p.y + 4, p.side - 8, INK);
        for (const stroke of s.strokes) out += path(Svg.poly((stroke.length > 1 ? stroke : [stroke[0], stroke[0]]).map(at)),
            'var(--ink)', p.side / 14, {'stroke-linecap': 'round', 'stroke-linejoin': 'round'});
        if (!s.strokes.length && s.row < 0) out += label('draw here', [p.x + p.side / 2, p.y + p.side / 2],
            {anchor: 'middle', size: s.unit + 4, weight: 500, color: 'var(--muted)', halo: 0});
        out += cells(s.pixels, dots.x, dots.y, dots.side, INK) + (s.small ? '' :
            label('what it sees', [dots.x + dots.side + 14, dots.y + 18],
            {size: s.unit, weight: 500, color: 'var(--muted)', halo: 0}));
        return out + (s.shown ? scores(s, bars) : '');
    }

    /* A bar for the score of each digit. */
    function scores(s, {x, y, w, h}) {
        const least = Math.min(0, ...s.scores), range = Math.max(0, ...s.scores) - least || 1,
            best = s.scores.indexOf(Math.max(...s.scores)), high = h / 10, left = x + 22;
        const zero = left + (w - 26) * -least / range;
        return s.scores.map((v, c) => {
            const bar = (w - 26) * v / range, on = c === best;
            return label(c, [x + 14, y + (c + 0.75) * high], {anchor: 'end', size: Math.min(s.unit + 2, high), weight: on ?
                800 : 500, halo: 0}) +
                rect(Math.min(zero, zero + bar), y + (c + 0.15) * high, Math.abs(bar), high * 0.7, on ? 'var(--ink)' :
                    'var(--third)', {rx: 2});
        }).join('') + line([zero, y], [zero, y + h], 'var(--muted)', 1);
    }

    /* Whose weights are these? Then all ten. */
    function whose(s) {
        const {weights} = s.model;
        if (s.state.guess === undefined) {
            const side = Math.min(s.W - 40, s.H - (s.small ? 60 : 110)),
                most = weights.reduce((m, w) => Math.max(m, Math.abs(w)), 1e-9);
            return cells(weights.subarray(64 * s.who, 64 * s.who + 64), (s.W - side) / 2, (s.H - side) / 2 - 12, side, most,
                WEIGHTS) +
                label('blue: ink here speaks for it; amber: against', [s.W / 2, s.H - (s.small ? 10 : 22)],
                    {anchor: 'middle', size: s.unit, weight: 500, color: 'var(--muted)', halo: 0});
        }
        return tens(s, {x: 16, y: Math.max(16, (s.H - (s.W - 32) * 0.4 - 4 * s.unit) / 2), w: s.W - 32,
            h: s.H - (s.small ? 40 : 120)}, weights, {marked: [s.who]}).map(each => each.drawn).join('');
    }

    /* The row that comes next, and the weights of now. */
    function learning(s) {
        const side = s.small ? Math.min(110, s.H * 0.3) : 190, box = {x: 14, y: side + (s.small ? 24 : 70), w: s.W - 28,
            h: s.H - side - (s.small ? 34 : 100)};
        s.tens = tens(s, box, s.weights, {marked: s.chosen, changed: s.changed});
        return cells(s.pixels, 16, s.small ? 12 : 34, side, INK) + label('comes next', [side + 32, s.small ? 40 : 66],
            {size: s.unit + 2, weight: 600, halo: 0}) +
            label(s.small ? 'tap two' : 'Which two pictures will change? Tap them.', [side + 32, s.small ? 62 : 94],
                {size: s.unit, weight: 500, color: 'var(--muted)', halo: 0}) +
            s.tens.map(each => each.drawn).join('');
    }

    /* 300 unseen digits, a dot each: those that are misread stand out. */
    function compared(s) {
        const {last, mean, labels} = s.model.tested, gap = s.small ? 14 : 40, w = (s.W - gap * 3) / 2, top = s.small ? 60 :
            110, cell = Math.min(w / 15, (s.H - top - 20) / 20);
        return [['the last weights', last], ['the mean of all', mean]].map(([name, guess], i) => {
            const x = gap + i * (w + gap), wrong = labels.reduce((sum, y, row) => sum + Number(guess[row] !== y), 0);
            let out = label(name, [x, s.small ? 24 : 44], {size: s.small ? 15 : 22, weight: 750, halo: 0});
            if (s.shown) out += label(`${labels.length - wrong} of ${labels.length} right`, [x, s.small ? 46 : 76],
                {size: s.small ? 15 : 20, weight: 600, halo: 0});
            labels.forEach((y, row) => {
                const bad = s.shown && guess[row] !== y;
                out += rect(x + row % 15 * cell + 1, top + Math.floor(row / 15) * cell + 1, cell - 2, cell - 2, bad ?
                    'var(--change)' : s.shown ? 'var(--line)' : 'var(--page)',
                    {stroke: 'var(--muted)', 'stroke-width': 0.6, rx: 2});
            });
            return out;
        }).join('');
    }

    return {pad, whose, learning, compared};
})();
