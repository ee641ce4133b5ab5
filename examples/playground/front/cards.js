'use strict';

/* The drawings of the six cards. */
const Cards = (() => {
    const WIDE = 132, HIGH = 126, box = inner => `<svg viewBox="0 0 ${WIDE} ${HIGH}" aria-hidden="true">${inner}</svg>`;
    const point = (x, y, c, r = 6) => Svg.put(Svg.mark(c, r), [x, y]);
    const half = (side, line) =>
        `${Svg.rect(0, 0, WIDE, HIGH, 'var(--neg-tint)')}<path d="${side}" fill="var(--pos-tint)"/>` +
        Svg.path(line, 'var(--ink)', 3);
    const around = (x, y, r) => Svg.ring([x, y], r, 'var(--change)', 2.5, {'stroke-dasharray': '4 3'});

    function cats() {
        const pets = [[30, 36, 1], [66, 24, 1], [34, 68, 1], [70, 98, -1], [104, 76, -1], [108, 108, -1]];
        return box(half('M-4 104 136 26V-4H-4Z', 'M-4 104 136 26') + pets.map(([x, y, c]) =>
            Svg.put(Svg.pet(c), [x, y], 1.12)).join(''));
    }

    /* Ramp and roof, with the lengths of w of the story's run. */
    function stop() {
        const X = k => 14 + k * 3.55, Y = v => 114 - v * 19.5, roof = Array.from({length: 61}, (_, i) =>
            [X(i / 2), Y(0.985 * Math.sqrt(i / 2))]);
        const dots = [0.3, 0.87, 0.84, 0.87, 1.12, 1.25, 1.47, 1.7, 1.93, 2.15, 2.3, 2.55].map((v, k) =>
            Svg.disc([X(k + 1), Y(v)], 2.6, 'var(--ink)'));
        return box(Svg.rect(0, 0, WIDE, HIGH, 'var(--paper)') + Svg.path('M14 8V114H126', 'var(--line)', 2) +
            Svg.path(Svg.poly(roof), 'var(--proof)', 3) +
            Svg.line([X(0), Y(0)], [X(30), Y(5.85)], 'var(--proof)', 3) + dots.join('') +
                Svg.ring([X(25.6), Y(4.99)], 6.5, 'var(--ink)', 2));
    }

    const xor = () => box(half('M-4 70 136 30V-4H-4Z', 'M-4 70 136 30') + point(32, 30, 1, 9) + point(100, 98, 1, 9) +
        point(100, 30, -1, 9) +
        point(32, 98, -1, 9) + around(100, 98, 15) + around(100, 30, 15));

    function mean() {
        const lines = [[98, 58], [52, 92], [84, 70], [70, 60]].map(([a, b]) =>
            Svg.line([-8, a], [140, b], 'var(--ink)', 1.2, {opacity: 0.45}));
        const points = [[30, 30, 1], [64, 22, 1], [98, 34, 1], [52, 46, 1], [40, 104, -1], [80, 98, -1], [112, 108, -1],
            [22, 112, 1]];
        return box(half('M-8 86 140 62V-8H-8Z', '') + lines.join('') + Svg.line([-8, 86], [140, 62], 'var(--ink)', 4.5) +
            around(22, 112, 11) +
            points.map(p => point(...p)).join(''));
    }

    function winnow() {
        const weights = [1, 1, 2, 8, 1, 0.5, 1, 4, 0.5, 1, 0.25, 1], high = w => 10 + 88 * Math.log2(1 + w) / 3.2;
        const bars = weights.map((w, i) => Svg.rect(10 + i * 9.5, 112 - high(w), 6.5, high(w), w > 3 ? 'var(--ink)' :
            'var(--line)',
            {rx: 1.5, stroke: 'var(--muted)', 'stroke-width': w > 3 ? 0 : 1}));
        const twice = at => Svg.label('\u00d7 2', at, {size: 14, weight: 700, color: 'var(--change)'});
        return box(Svg.rect(0, 0, WIDE, HIGH, 'var(--paper)') + bars.join('') + Svg.path('M8 114H124', 'var(--muted)', 2) +
            twice([44, 16]) + twice([82, 40]));
    }

    function digits() {
        const rows = ['........', '..####..', '..#..#..', '....##..', '...####.', '.....#..', '....##..', '..###...'];
        const dots = rows.flatMap((row, y) => [...row].map((c, x) => Svg.rect(13 + x * 13.5, 9 + y * 13.5, 12.5, 12.5,
            c === '#' ? 'var(--ink)' : 'var(--page)', {rx: 2, opacity: c === '#' ? 0.55 + (x * 7 + y * 5) % 5 / 10 : 1})));
        return box(Svg.rect(0, 0, WIDE, HIGH, 'var(--paper)') + dots.join(''));
    }

    return {cats, stop, xor, mean, winnow, digits};
})();
