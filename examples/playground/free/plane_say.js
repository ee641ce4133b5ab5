'use strict';

/* What the tab "Plane" says in words of a run. */
const PlaneSay = (() => {
    const short = v => String(Number(v.toFixed(3))).replace('-', '\u2212').replace(/^\u22120$/, '0');
    const factor = v => v < 0 ? `(${short(v)})` : short(v);
    const vector = v => `(${[...v].map(short).join(', ')})`;
    const named = (run, label) => run.names[run.used[label]];
    const sum = (w, x, b) => [...[...w].map((v, j) => `${factor(v)} \u00d7 ${factor(x[j])}`), factor(b)].join(' + ');

    /* Two classes: y times the score decides. */
    function reason(fired, by, margin, positive) {
        const is = `y times that is ${short(by)}`;
        if (!fired && !by && !margin) return `${is}; 0 counts as ${positive ? '+1' : 'the negative class'}, which is right: ` +
            'the rule does not fire';
        if (!fired) return `${is}, above ${short(margin)}: the rule does not fire`;
        if (by < 0) return `${is}, which is wrong: the rule fires`;
        return by === 0 ? `${is}, so x lies on the line and counts as wrong: the rule fires`
            : `${is}, right, but not above the margin ${short(margin)}: the rule fires`;
    }

    function line({before, after, fired, x, label}, run) {
        const y = label ? 1 : -1, w = before.weight, b = before.bias[0], score = w.reduce((s, v, j) => s + v * x[j], b);
        const now = `w = ${vector(after.weight)}, b = ${short(after.bias[0])}`, rule = run.engine.options;
        const simple = rule.algorithm !== 'arow' && rule.rule === 'fixed';
        if (rule.batch !== 'none') return `w\u00b7x + b = ${sum(w, x, b)} = ${short(score)}. With y = ${short(y)}, ` +
            `${reason(fired, y * score, rule.margin, true)}. Steps wait until all rows have been read; the last mean step ` +
            `was ${short(run.count.step)} long. It is ${now}.`;
        const change = !simple ? 'w and b move' : `${short(rule.rate)} \u00d7 y \u00d7 x is added to w, and to b ` +
            `${short(rule.rate)} \u00d7 y${rule.bias === 1 ? '' : ` \u00d7 ${short(rule.bias)}\u00b2`}`;
        return `w\u00b7x + b = ${sum(w, x, b)} = ${short(score)}. With y = ${short(y)}, ` +
            `${reason(fired, y * score, rule.margin, rule.zeroClass === 'positive')}. ` +
            `${fired ? `${change}; then ${now}` : `It stays ${now}`}.`;
    }

    function classes({before, after, fired, x, label}, run) {
        const k = before.bias.length, name = c => named(run, c);
        const weights = (m, c) => m.weight.subarray(run.features * c, run.features * (c + 1));
        const score = Array.from({length: k}, (_, c) => weights(before, c).reduce((s, v, j) => s + v * x[j],
            before.bias[c]));
        const moved = score.map((_, c) => c).filter(c => after.bias[c] !== before.bias[c] ||
            weights(after, c).some((v, j) => v !== weights(before, c)[j]));
        const best = score.indexOf(Math.max(...score));
        return `w\u00b7x + b is ${score.map((s, c) => `${short(s)} for class ${name(c)}`).join(', ')}. Class ` +
            `${name(best)} has the most, ` +
            `${best !== label ? `and ${name(label)} would be right` : `which is right${fired ? ', but not by enough' : ''}`}` +
            ': the rule ' +
            (fired ? `fires; then ${moved.map(c => `w of class ${name(c)} = ${vector(weights(after, c))}, b = ` +
                short(after.bias[c])).join('; ')}.` : 'does not fire, and no weight changes.');
    }

    function kernel({fired, stored, label, guess}, run) {
        const read = run.engine.options.classes === 2 ? Number(guess > 0) : guess;
        return `The stored points make it class ${named(run, read)}${read === label ? ', which is right' : ''}. ` +
            (!fired ? read === label ? 'The rule does not fire.' : 'The rule would fire, but the budget is full.' :
            `The rule fires: ${stored > 0 ? 'the point is stored' : 'coefficients change'}; then ` +
            `${run.count.slots} are stored.`);
    }

    /* The update of one step, in its own numbers. */
    function step(run) {
        const m = run.move;
        if (!m) return '';
        const of = !m.before ? kernel : m.before.bias.length > 1 ? classes : line;
        return `Row ${m.row + 1}: x = ${vector(m.x)} of class ${named(run, m.label)}. ${of(m, run)}`;
    }

    /* What bestLine() has found, and Novikoff's bound. */
    function bound(run) {
        const star = run.star, theory = run.theory(), updates = run.count.updates, times = v => Math.floor(v);
        if (!star) return 'With more than two classes there is no single line to measure by.';
        if (star.divides === false)
            return `No line divides the classes: a mixture of ${star.share.filter(a => a > 0).length} of the points, ` +
                'each times its y, is 0 to within 3e-8, so no line has a larger margin; there is no w* and no bound.';
        if (!star.divides) return 'Whether a line divides the classes is not known: the search has ended with a best ' +
            `margin between 0 and ${star.upper.toPrecision(2)}.`;
        const margin = `the best margin of the padded rows is between ${star.lower.toPrecision(4)} and ` +
            star.upper.toPrecision(4);
        if (!theory) return `A line divides the classes: ${margin}. Novikoff's bound, (R / margin)\u00b2 = ` +
            `${times((star.radius / star.lower) ** 2)}, is for the perceptron with the fixed rule.`;
        const asked = run.engine.options.margin > 0;
        const name = asked ? '(R\u00b2 + 2 margin asked / rate) / margin\u00b2' : '(R / margin)\u00b2';
        return `A line divides the classes: ${margin}. Novikoff: |w| stays below the upper dashed line, and w.w* ` +
            `above the lower one. So there are at most ${name} = ${times(theory.bound)} updates` +
            `${asked ? '' : ', whatever the rate'}; so far ${updates}.`;
    }

    /* Of the angle between w and w*, and of Eaton's end. */
    function turns(run) {
        const at = run.samples.filter((s, i) => s.updates && (!i || s.updates > run.samples[i - 1].updates));
        const grew = at.filter((s, i) => i && s.angle > at[i - 1].angle + 1e-9).length, o = run.engine.options;
        const eaton = o.batch === 'none' ? '' : `Eaton's mean step is now ${short(run.count.step)} long; it ends below ` +
            `${o.until}. A large limit may end before all rows are right: that it ends right needs a small one. `;
        if (!run.star || !run.star.divides) return eaton;
        return `${eaton}The angle has grown at ${grew} of ${at.length} updates: no update need make it smaller, ` +
            'but the dashed line above it falls to 0.';
    }

    return {step, bound, turns};
})();
