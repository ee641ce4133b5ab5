'use strict';

/* Brings strokes, lists of points from 0 to 1, to the form of the data: 8 x 8 pixels with ink from 0 to 16. */
const DigitsStrokes = (() => {
    const SIDE = 8, PIXELS = 64;
    const FINE = 32;                        /* the scan, of which 4 x 4 dots make a pixel */
    const PEN = 2.5, THINNEST = 1.6, THICKEST = 3.6;   /* half the width of a line, in dots */
    const TALL = FINE - 2 * PEN, WIDE = 20 - 2 * PEN;  /* the digits of the data are 20 x 32 dots ... */
    const LEAN = 0.5;                       /* ... and stand upright: their first and last row begin below each other */
    const SHARE = 0.305;                    /* of the dots are dark in the data, about the same for each digit */
    const BAR = 0.3;                        /* what is narrower in proportion is a bar and stays narrow */

    function bounds(strokes) {
        const box = {left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity};
        for (const [x, y] of strokes.flat()) {
            box.left = Math.min(box.left, x);
            box.right = Math.max(box.right, x);
            box.top = Math.min(box.top, y);
            box.bottom = Math.max(box.bottom, y);
        }
        return box;
    }

    /* A point at least every half dot, and none nearer. */
    function even(stroke) {
        const points = [stroke[0]];
        for (const [x, y] of stroke.slice(1)) {
            const [x0, y0] = points[points.length - 1], steps = Math.floor(2 * Math.hypot(x - x0, y - y0));
            for (let i = 1; i <= steps; i++) points.push([x0 + (x - x0) * i / steps, y0 + (y - y0) * i / steps]);
        }
        return points;
    }

    /* How far to the right the top begins, for each dot of height. */
    function lean(points) {
        const edge = at => points.reduce((x, p) => Math.abs(p[1] - at) < PEN / 2 ? Math.min(x, p[0]) : x, Infinity);
        const slope = (edge(-TALL / 2) - edge(TALL / 2)) / TALL;
        return Number.isFinite(slope) ? Math.min(LEAN, Math.max(-LEAN, slope)) : 0;
    }

    /* The points of the strokes in dots of the scan: as tall as in the data, as wide, unless it is a bar, and
     * upright. */
    function fit(strokes) {
        const box = bounds(strokes), width = box.right - box.left, height = box.bottom - box.top;
        const tall = Math.max(height, width / 2, 0.02), shape = width / tall;
        const sy = TALL / tall, sx = shape < BAR ? sy : WIDE / width;
        const cx = (box.left + box.right) / 2, cy = (box.top + box.bottom) / 2;
        const points = strokes.flatMap(stroke => even(stroke.map(([x, y]) => [(x - cx) * sx, (y - cy) * sy])));
        const slope = lean(points);
        return points.map(([x, y]) => [x + slope * y + FINE / 2, y + FINE / 2]);
    }

    /* Squared distance of each dot to the nearest point. Points that share a quarter of a dot are one. */
    function distances(points) {
        const near = new Float32Array(FINE * FINE).fill(Infinity), seen = new Set();
        for (const [x, y] of points) {
            const place = Math.round(2 * y) * 1000 + Math.round(2 * x);
            if (seen.has(place)) continue;
            seen.add(place);
            for (let i = 0; i < near.length; i++) {
                const dx = i % FINE + 0.5 - x, dy = Math.floor(i / FINE) + 0.5 - y, d = dx * dx + dy * dy;
                if (d < near[i]) near[i] = d;
            }
        }
        return near;
    }

    /* The picture as the data were made: a scan of 32 x 32 dots whose dark ones are counted in blocks of 4 x 4. The
     * pen is as thick as makes the ink of the data. */
    function shrink(strokes) {
        const pixels = new Float32Array(PIXELS);
        if (!strokes.length) return pixels;
        const near = distances(fit(strokes));
        const pen = Math.sqrt(near.slice().sort()[Math.floor(SHARE * near.length)]);
        const radius = Math.min(THICKEST, Math.max(THINNEST, pen));
        near.forEach((d, i) => {
            if (d < radius * radius) pixels[SIDE * (i / FINE / 4 | 0) + (i % FINE / 4 | 0)]++;
        });
        return pixels;
    }

    return {shrink};
})();
