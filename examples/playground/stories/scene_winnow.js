'use strict';

/* The pictures of "Why multiply?": experts who vote, their weights as bars, and mistakes by the number of experts. */
const WinnowScene = (() => {
    const {label, line, disc, rect, n} = Svg;
    const kind = v => v > 0 ? 'var(--pos)' : 'var(--neg)';

    /* Twenty experts in a row, a round in each line; what was right stands at the right. */
    function grid(s) {
        const {experts} = s.model, rounds = s.model.five, left = s.small ? 8 : 24, top = s.small ? 40 : 70, right = s.small ?
            44 : 90;
        const w = (s.W - left - right) / experts, h = Math.min(s.small ? 60 : 130, (s.H - top - (s.small ? 36 : 80)) / 5),
            r = Math.min(w, h) * (s.small ? 0.4 : 0.34);
        s.cells = {left, top, w, h: 5 * h};
        let out = '';
        for (let j = 0; j < experts; j++) {
            const x = left + (j + 0.5) * w, chosen = s.chosen.includes(j), truth = s.known && s.model.who.includes(j);
            if (chosen || truth) out += rect(x - w / 2 + 1, top - (s.small ? 26 : 34), w - 2, 5 * h + (s.small ? 30 : 40),
                truth ? 'var(--proof-tint)' : 'var(--line)', {rx: 6});
            if (chosen) out += rect(x - w / 2 + 1, top - (s.small ? 26 : 34), w - 2, 5 * h + (s.small ? 30 : 40), 'none',
                {rx: 6, stroke: 'var(--ink)', 'stroke-width': 3});
            out += label(j + 1, [x, top - (s.small ? 10 : 12)], {anchor: 'middle', size: s.small ? 10 : 15, weight: chosen ?
                800 : 500, halo: 0});
        }
        rounds.slice(0, s.asked).forEach(({votes, right: is}, i) => {
            const y = top + (i + 0.5) * h;
            votes.forEach((v, j) => { out += Svg.put(Svg.mark(v, r), [left + (j + 0.5) * w, y]); });
            out += Svg.put(Svg.mark(is, r * 1.3), [s.W - right / 2, y]);
        });
        return out + label('right', [s.W - right / 2, top - 12], {anchor: 'middle', size: s.small ? 11 : 15, weight: 700,
            halo: 0}) +
            label(s.asked ? 'plus: yes; minus: no' : 'Nobody has been asked yet.', [left, s.H - (s.small ? 8 : 20)],
                {size: s.unit, color: 'var(--muted)', halo: 0, weight: 500});
    }

    /* The weights of each expert, and how many mistakes there were; the three who matter stand first. */
    function bars(s) {
        const weights = s.weights, p = weights.length, left = 16, right = 16, top = s.small ? 44 : 80,
            low = s.H - (s.small ? 40 : 60), w = (s.W - left - right) / p;
        const lowest = Math.min(0, ...weights), most = Math.max(...weights.map(Math.abs), 1), log = s.model.log &&
            s.learner === 'winnow';
        const zero = lowest < 0 ? low - (low - top) * 0.3 : low, up = zero - top, down = low - zero;
        const high = v => log ? up * Math.log2(1 + v) / Math.log2(1 + most) : v >= 0 ? up * v / most :
            down * v / most * (up / down > 1 ? 1 : up / down);
        let out = '';
        weights.forEach((v, j) => {
            const h = high(v), x = left + j * w;
            out += rect(x + w * 0.12, h >= 0 ? zero - h : zero, Math.max(1, w * 0.76), Math.max(Math.abs(h), 1), j < 3 &&
                s.known ? 'var(--ink)' : 'var(--third)', {rx: 2});
        });
        out += line([left, zero], [s.W - right, zero], 'var(--muted)', 1.5) +
            label(s.known ? 'black: the three who matter' : 'a bar for each expert: its weight', [left, s.H - 14],
            {size: s.unit, color: 'var(--muted)', weight: 500, halo: 0});
        const words = `${s.mistakes} ${s.mistakes === 1 ? 'mistake' : 'mistakes'} in ${s.rounds.toLocaleString('en')} rounds`;
        return out + label(words, [s.W - 16, s.small ? 28 : 44], {anchor: 'end', size: s.small ? 18 : 28, weight: 800,
            halo: 0});
    }

    /* Mistakes of both by the number of experts. */
    function sizes(s) {
        const area = {x: s.small ? 52 : 84, y: 22, w: s.W - (s.small ? 70 : 116), h: s.H - (s.small ? 78 : 104)},
            chart = s.chart = new Chart(area, {x: 1000, y: 1800, small: s.small});
        const {adding, doubling} = s.found;
        let out = chart.axes('experts', 'mistakes', {tickY: 600, tickX: s.small ? 500 : 200});
        out += chart.curve([[0, 0], ...adding], {stroke: 'var(--muted)', width: 4}) +
            chart.curve([[0, 0], ...doubling], {width: 4});
        const dots = [...adding, ...doubling].map(v => disc(chart.at(v), s.small ? 4 : 6, 'var(--ink)')).join('');
        const end = list => list.length ? chart.at(list[list.length - 1]) : null, a = end(adding), d = end(doubling);
        const early = adding.length < 2;
        if (a) out += label('adding', [a[0] + (early ? 12 : -12), a[1] - (early ? 18 : 10)],
            {anchor: early ? 'start' : 'end', weight: 750, color: 'var(--muted)', size: s.unit + 2});
        if (d) out += label('doubling', [d[0] + (early ? 12 : 0), d[1] + (early ? 4 : -14)],
            {anchor: early ? 'start' : 'end', weight: 750, size: s.unit + 2});
        if (s.pointed && s.state.guess === undefined) out += disc(chart.at([1000, s.aimed]), 9, 'none',
            {stroke: 'var(--change)', 'stroke-width': 3}) + label(`${s.aimed}: Enter`,
            [chart.X(1000) - 14, chart.Y(s.aimed) + 5], {anchor: 'end', size: s.unit});
        if (s.taps) s.taps.forEach((v, i) => {
            const at = chart.at([1000, v]);
            out += disc(at, s.small ? 8 : 11, 'none', {stroke: 'var(--change)', 'stroke-width': 3.5}) + label(`you: ${v}`,
                [at[0] - 16, at[1] + (i ? -30 : 5)], {anchor: 'end', size: s.unit - 1, color: 'var(--change)'});
        });
        return out + dots;
    }

    /* Three learners with 21 experts that matter: mistakes by rounds. */
    function factors(s) {
        const area = {x: s.small ? 48 : 84, y: 22, w: s.W - (s.small ? 76 : 124), h: s.H - (s.small ? 78 : 104)},
            most = s.until;
        const chart = new Chart(area, {x: most, y: 1700, small: s.small});
        let out = chart.axes('rounds', 'mistakes', {tickY: 500, tickX: s.small ? 6000 : 3000});
        for (const {name, marks, rounds, mistakes, dash, stroke} of s.runs) {
            const shown = marks.filter((_, i) => i % Math.max(1, Math.floor(marks.length / 200)) === 0),
                last = [Math.min(most, rounds), mistakes];
            out += chart.curve([...shown, last], {stroke, dash, width: 4});
            const at = chart.at(last);
            if (rounds) out += label(`${name}: ${mistakes}`, [Math.min(at[0], area.x + area.w) - 6, at[1] - 10],
                {anchor: 'end', weight: 750, color: stroke, size: s.unit});
        }
        return out;
    }

    /* The heaviest words of both learners. */
    function words(s) {
        const sides = [['Winnow multiplies', s.heavy.winnow], ['the perceptron adds', s.heavy.perceptron]], small = s.small;
        const w = s.W / 2, high = Math.min(46, (s.H - 84) / 12), size = small ? 12 : 16;
        return sides.map(([name, list], i) => {
            const x = i * w, middle = x + w * (small ? 0.62 : 0.58), most = list.length ? Math.abs(list[0].weight) : 1,
                room = w * (small ? 0.3 : 0.34);
            const rows = list.slice(0, 12).map(({word, weight}, j) => {
                const y = 64 + j * high, bar = weight / most * room;
                return label(word.length > 11 ? `${word.slice(0, 10)}\u2026` : word, [middle - room - 8, y + high * 0.65],
                    {anchor: 'end', size, weight: 500, halo: 0}) +
                    rect(Math.min(middle, middle + bar), y + 3, Math.abs(bar), high - 6, kind(weight),
                        {rx: 3, stroke: 'var(--edge)', 'stroke-width': weight > 0 ? 0 : 1});
            });
            return label(name, [x + (small ? 8 : 24), small ? 22 : 36], {size: small ? 14 : 20, weight: 750, halo: 0}) +
                label(`${s.counts[i]} mistakes in ${s.marks.length}`, [x + (small ? 8 : 24), small ? 42 : 58],
                    {size, weight: 500, color: 'var(--muted)', halo: 0}) +
                line([middle, 62], [middle, 66 + 12 * high], 'var(--line)', 1.5) + rows.join('');
        }).join('') + (s.marks.length ? label('blue: spam; amber: not', [s.W - 12, s.H - 10],
            {anchor: 'end', size: size - 1, weight: 500, color: 'var(--muted)', halo: 0}) : '');
    }

    return {grid, bars, sizes, factors, words, n};
})();
