'use strict';

/* How well a line can divide two classes: the point of least norm in the convex hull of z = y (x, bias), by steps of
 * Mitchell, Demyanov and Malozemov (1974), which move weight from the z that lies farthest along the point to the one
 * that lies least. The point p is at each moment a line with the margin min z.p / |p|, and no line has more than |p|.
 *
 *     {w, lower, upper, radius, share, divides}
 *
 * w: the unit vector of the best line; share: how much of p is of each row. divides: true, lower > 0 shows a line;
 * false, upper shows that no line has a margin above LEAST; null: the limit of effort came first. */
function bestLine(values, labels, bias) {
    const LEAST = 3e-8, CLOSE = 1e-3, n = labels.length, most = Math.ceil(2e6 / n), k = values.length / n;
    const z = Array.from(labels, (y, i) => [...values.subarray(k * i, k * i + k), bias].map(v => y > 0 ? v : -v));
    const share = z.map((_, i) => Number(i === 0));
    const point = () => z[0].map((_, j) => z.reduce((sum, row, i) => sum + share[i] * row[j], 0));
    const dot = (a, b) => {
        let sum = 0;
        for (let j = 0; j <= k; j++) sum += a[j] * b[j];
        return sum;
    };
    let p = point(), upper = 0, lower = 0;
    for (let round = 0; round <= most; round++) {
        let least = 0, far = -1;
        const along = z.map(row => dot(row, p));
        for (let i = 0; i < n; i++) {
            if (along[i] < along[least]) least = i;
            if (share[i] > 0 && (far < 0 || along[i] > along[far])) far = i;
        }
        upper = Math.sqrt(dot(p, p));
        lower = upper > 0 ? along[least] / upper : 0;
        if (upper < LEAST || round === most || (lower > 0 && upper - lower < CLOSE * upper)) break;
        const step = z[least].map((v, j) => v - z[far][j]), length = dot(step, step);
        if (!length) break;
        const by = Math.min(share[far], (along[far] - along[least]) / length);
        share[far] = by === share[far] ? 0 : share[far] - by;
        share[least] += by;
        p = round % 64 === 63 ? point() : p.map((v, j) => v + by * step[j]); /* roundings do not add up */
    }
    const radius = Math.sqrt(z.reduce((r, row) => Math.max(r, dot(row, row)), 0));
    return {w: p.map(v => v / (upper || 1)), lower, upper, radius, share,
        divides: lower > 1e-12 ? true : upper < LEAST ? false : null};
}

/* The line through 0 with the widest band, of points {x, y, c}: exact, since one or two of them hold it. gap: half the
 * band, R: the farthest point, bound: (R / gap) squared. */
function widestThrough0(points) {
    const z = points.map(p => [p.c * p.x, p.c * p.y]), R = Math.max(...z.map(p => Math.hypot(...p)));
    const gapOf = (a, b) => Math.min(...z.map(p => p[0] * a + p[1] * b));
    let gap = -Infinity, u = [0, 1];
    function attempt(a, b) {
        const n = Math.hypot(a, b);
        if (n < 1e-9) return;
        const found = gapOf(a / n, b / n);
        if (found <= gap) return;
        gap = found;
        u = [a / n, b / n];
    }
    z.forEach((p, i) => {
        attempt(...p);
        for (let j = 0; j < i; j++) {
            const a = p[1] - z[j][1], b = z[j][0] - p[0];
            attempt(a, b);
            attempt(-a, -b);
        }
    });
    return {gap, u, R, bound: gap > 1e-9 ? (R / gap) ** 2 : Infinity, gapOf};
}

if (typeof module !== 'undefined') module.exports = {bestLine, widestThrough0};
