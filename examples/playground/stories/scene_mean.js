'use strict';

/* The pictures of "Why average?": sixty points, all lines that there were, votes, a threshold, and two error curves. */
const MeanScene = (() => {
    const {label, line, ring, disc, rect, n} = Svg;
    const whole = s => ({x: 0, y: 0, w: s.W, h: s.H});
    const f0 = v => Math.round(v);

    /* The picture, and a box beside it or below it for what is shown with it. */
    function halves(s, share) {
        if (s.small) return [{x: 0, y: 0, w: s.W, h: s.H * share}, {x: 0, y: s.H * share, w: s.W, h: s.H * (1 - share)}];
        return [{x: 0, y: 0, w: s.W * share, h: s.H}, {x: s.W * share, y: 0, w: s.W * (1 - share), h: s.H}];
    }

    const inside = (plot, inner) =>
        `<clipPath id="left"><rect x="${n(plot.box.x)}" y="${n(plot.box.y)}" width="${n(plot.box.w)}" height="${n(plot.box.h)}"/></clipPath><g clip-path="url(#left)">${inner}</g>`;

    function counted(s, plot, wrong) {
        return label(`${wrong} wrong`, [plot.box.x + 16, plot.box.y + plot.box.h - 18],
            {size: s.small ? 20 : 28, weight: 800});
    }

    /* The line of now; the odd point has a ring. */
    function now(s) {
        const plot = s.plot = new Plot(whole(s), {half: 1.05}), {points} = s.model, wrong = Trace.wrong(s.w, points),
            odd = points[points.length - 1];
        const words = plot.at([odd.x, odd.y]);
        return plot.sides(s.w) + (s.ghost ? `<g opacity="0.35">${plot.line(s.ghost, {'stroke-dasharray': '8 7'})}</g>` : '') +
            plot.line(s.w) +
            plot.points(points, {r: s.small ? 6 : 9, wrong, ringed: [odd]}) +
                label('the odd one', [words[0] + (s.small ? 18 : 26), words[1] + 5],
                {size: s.unit, color: 'var(--change)', weight: 700}) +
            counted(s, plot, wrong.length);
    }

    /* All lines, the thicker the longer they lasted, and a bar for each. */
    function lives(s) {
        const [left, right] = halves(s, s.small ? 0.6 : 0.62), plot = s.plot = new Plot(left, {half: 1.05}),
            {lines, points} = s.model;
        const most = Math.max(...lines.map(each => each.life)), chosen = lines[s.at];
        const fan = lines.map(each => plot.line(each.w, {width: 0.8 + 5 * each.life / most, opacity: 0.12 +
            0.35 * each.life / most})).join('');
        let out = inside(plot, plot.sides(chosen.w) + fan + plot.line(chosen.w, {width: 5, stroke: 'var(--ink)'}) +
            plot.points(points, {r: s.small ? 5 : 8, wrong: Trace.wrong(chosen.w, points)}));
        const bar = (right.w - 40) / lines.length, base = right.y + right.h - (s.small ? 30 : 48),
            tall = right.h - (s.small ? 56 : 110);
        out += rect(right.x, right.y, right.w, right.h, 'var(--paper)');
        lines.forEach((each, i) => {
            const h = tall * each.life / most;
            out += rect(right.x + 20 + i * bar + 0.5, base - h, bar - 1, h, i === s.at ? 'var(--ink)' : 'var(--line)',
                {stroke: 'var(--muted)', 'stroke-width': 0.7});
        });
        out += line([right.x + 20, base], [right.x + 20 + lines.length * bar, base], 'var(--muted)', 1.5);
        out += label('lines, the first at the left', [right.x + 20, base + s.unit + 6],
            {size: s.unit - 2, weight: 450, color: 'var(--muted)', halo: 0});
        return out + label(`lasted for ${chosen.life} points`, [right.x + 20, right.y + s.unit + (s.small ? 6 : 24)],
            {size: s.small ? 15 : 22, weight: 800, halo: 0});
    }

    /* Regions of the vote, and the votes for the newcomer. */
    function votes(s) {
        const [left, right] = halves(s, s.small ? 0.74 : 0.78), plot = s.plot = new Plot(left, {half: 1.05}),
            {points, lines} = s.model;
        const key = [s.W, s.H, document.documentElement.dataset.theme].join();
        if (s.state.guess !== undefined && s.seen !== key) Object.assign(s, {seen: key, regions: plot.regions(s.model.vote)});
        const at = plot.at([s.newcomer.x, s.newcomer.y]), r = s.small ? 15 : 19;
        const fan = lines.map(each => plot.line(each.w, {width: 1, opacity: 0.12})).join('');
        let out = inside(plot, (s.regions || plot.sides(lines[lines.length - 1].w)) + fan +
            plot.points(points, {r: s.small ? 5 : 8, opacity: 0.7}) +
            disc(at, r, 'var(--paper)', {stroke: 'var(--change)', 'stroke-width': 4}) +
                label('?', [at[0], at[1] + r * 0.4], {anchor: 'middle', size: r * 1.2, weight: 800, halo: 0}));
        out += rect(right.x, right.y, right.w, right.h, 'var(--paper)');
        const {blue, amber} = s.model.count(s.newcomer), all = blue + amber;
        if (s.state.guess === undefined) return out;
        if (s.small) return out + rect(16, right.y + 12, (s.W - 32) * blue / all, 30, 'var(--pos)') +
            rect(16 + (s.W - 32) * blue / all, right.y + 12, (s.W - 32) * amber / all, 30, 'var(--neg)') +
            label(`${blue} votes for blue`, [16, right.y + 64], {size: 15, halo: 0}) + label(`${amber} for amber`,
                [s.W - 16, right.y + 64], {size: 15, anchor: 'end', halo: 0});
        const x = right.x + 34, w = right.w - 68, tall = right.h - 150;
        return out + rect(x, 70, w, tall * blue / all, 'var(--pos)') +
            rect(x, 70 + tall * blue / all, w, tall * amber / all, 'var(--neg)') +
            label(`${blue} for blue`, [x + w / 2, 50], {anchor: 'middle', halo: 0}) + label(`${amber} for amber`,
                [x + w / 2, 70 + tall + 30], {anchor: 'middle', halo: 0});
    }

    /* The last line and the mean of all. */
    function mean(s) {
        const plot = s.plot = new Plot(whole(s), {half: 1.05}), {points, lines, mean: w} = s.model,
            last = lines[lines.length - 1].w;
        const name = (of, text, color) => {
            const ends = plot.ends(of), [a, b] = ends[0][0] < ends[1][0] ? ends : [ends[1], ends[0]];
            return label(text, [b[0] - (b[0] > s.W - 4 ? 14 : 0) + (a[0] - b[0]) * 0.04, b[1] - 12 + (a[1] - b[1]) * 0.04],
                {anchor: 'end', weight: 750, color});
        };
        const wrong = Trace.wrong(s.shown ? w : last, points);
        return plot.sides(s.shown ? w : last) + lines.map(each => plot.line(each.w, {width: 1, opacity: 0.14})).join('') +
            plot.line(last, {width: s.shown ? 2.5 : 4.5, 'stroke-dasharray': s.shown ? '8 7' : ''}) +
                (s.shown ? plot.line(w, {width: 5}) : '') +
            plot.points(points, {r: s.small ? 6 : 9, wrong}) + name(last, 'last', 'var(--muted)') +
                (s.shown ? name(w, 'mean', 'var(--ink)') : '') + counted(s, plot, wrong.length);
    }

    /* The line with its threshold, and the curve of all thresholds. */
    function threshold(s) {
        const [left, right] = halves(s, s.small ? 0.54 : 0.56), plot = s.plot = new Plot(left, {half: 1.05}),
            {noisy, roc: found} = s.model;
        const w = [s.model.sure[0], s.model.sure[1], s.model.sure[2] - s.level], pad = s.small ? 34 : 60;
        let out = inside(plot, plot.sides(w) + plot.line(s.model.sure, {width: 1.5, 'stroke-dasharray': '4 6'}) +
            plot.line(w) + plot.points(noisy, {r: s.small ? 5 : 8, wrong: Trace.wrong(w, noisy)}));
        const side = Math.min(right.w - pad - 22, right.h - pad - 40),
            area = {x: right.x + pad, y: right.y + (s.small ? 22 : (right.h - side) / 2 - 20), w: side, h: side};
        const chart = s.chart = new Chart(area, {x: 1, y: 1, small: s.small}), rates = s.model.rates(s.level);
        out += chart.axes('false alarms', '', {tickX: 0.5, tickY: 0.5}) +
            chart.word('blue points caught', [area.x - (s.small ? 20 : 30), area.y - (s.small ? 8 : 14)], {color: 'var(--ink)'}) +
            line(chart.at([0, 0]), chart.at([1, 1]), 'var(--line)', 2);
        if (s.state.guess !== undefined) out += chart.curve(found.points.map(p => [p.alarms, p.hits]),
            {stroke: 'var(--muted)', width: 3});
        return out + disc(chart.at([rates.alarms, rates.hits]), s.small ? 7 : 10, 'var(--ink)') +
            (s.small ? '' : label(`${f0(100 * rates.hits)} % caught, ${f0(100 * rates.alarms)} % alarms`,
                [right.x + right.w / 2, area.y + area.h + 64], {anchor: 'middle', size: 16, halo: 0}));
    }

    /* Errors by rounds, of the points to learn from and of others. */
    function sweet(s) {
        const {rounds, train, test} = s.model.sweet, last = rounds.length - 1,
            area = {x: s.small ? 46 : 76, y: 20, w: s.W - (s.small ? 60 : 110), h: s.H - (s.small ? 74 : 96)};
        const chart = s.chart = new Chart(area, {x: rounds[last], y: 32, small: s.small}), upto = s.shown;
        const pairs = of => rounds.map((r, i) => [r, of[i]]).filter((_, i) => i <= upto);
        const end = of => chart.at([rounds[Math.min(last, upto)], of[Math.min(last, upto)]]);
        let out = chart.axes('rounds', '% wrong', {tickY: 10}) + chart.curve(pairs(train),
            {stroke: 'var(--muted)', width: 3.5, dash: '9 6'});
        const guess = s.state.guess;
        if (guess === undefined && s.pointed) out += chart.upright(s.aimed, `${s.aimed}: Enter`, {dash: '2 4'});
        if (s.shown >= 0) out += label('learned from', [end(train)[0] - 8, end(train)[1] + (s.small ? 20 : 28)],
            {anchor: 'end', color: 'var(--muted)', size: s.unit});
        if (guess === undefined || s.told === undefined) return out;
        out += chart.curve(rounds.map((r, i) => [r, test[i]]).filter((_, i) => i <= s.told), {width: 4});
        const best = rounds[test.indexOf(Math.min(...test))];
        out += label('never seen', [chart.X(rounds[Math.min(last, s.told)]) - 8, chart.Y(test[Math.min(last, s.told)]) - 12],
            {anchor: 'end', size: s.unit});
        if (guess) out += chart.upright(guess, `you: ${guess}`, {anchor: guess > 20 ? 'end' : 'start'});
        if (s.told < last) return out;
        return out + ring(chart.at([best, Math.min(...test)]), s.small ? 9 : 13, 'var(--ink)', 3.5) +
            label(`${Math.min(...test).toFixed(1)} % after ${best}`, [chart.X(best) + 18, chart.Y(Math.min(...test)) +
                (s.small ? 24 : 34)], {weight: 750, size: s.unit + 1});
    }

    return {now, lives, votes, mean, threshold, sweet};
})();
