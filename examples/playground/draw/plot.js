'use strict';

/* A part of the plane in a box of the picture. frame: {cx, cy, half}; the shorter side of the box shows 2 half. rot, in
 * radians, turns all around the middle of the frame. Weights are [w1, w2, b]. */
class Plot {
    constructor(box, {cx = 0, cy = 0, half = 1, unit = Math.min(box.w, box.h) / 2 / half, ox = box.x + box.w / 2,
        oy = box.y + box.h / 2, rot = 0} = {}) {
        Object.assign(this, {box, cx, cy, unit, ox, oy, cos: Math.cos(rot), sin: Math.sin(rot)});
    }

    at([x, y]) {
        const a = x - this.cx, b = y - this.cy;
        return [this.ox + this.unit * (a * this.cos - b * this.sin), this.oy - this.unit * (a * this.sin + b * this.cos)];
    }

    of([px, py]) {
        const a = (px - this.ox) / this.unit, b = (this.oy - py) / this.unit;
        return [this.cx + a * this.cos + b * this.sin, this.cy - a * this.sin + b * this.cos];
    }

    /* The nearest place that is shown, a little from the edge. */
    keep([px, py], rim = 14) {
        const {x, y, w, h} = this.box;
        return this.of([Math.max(x + rim, Math.min(x + w - rim, px)), Math.max(y + rim, Math.min(y + h - rim, py))]);
    }

    get corners() {
        const {x, y, w, h} = this.box;
        return [[x, y], [x + w, y], [x + w, y + h], [x, y + h]];
    }

    /* The corners of the part of the box where w.x + b is above a level, in pixels. */
    above(w, level = 0, from = this.corners) {
        const score = p => {
            const [x, y] = this.of(p);
            return w[0] * x + w[1] * y + (w[2] || 0) - level;
        };
        return from.flatMap((p, i) => {
            const q = from[(i + 1) % from.length], s = score(p), t = score(q), cut = s / (s - t);
            const edge = (s > 0) !== (t > 0) ? [[p[0] + cut * (q[0] - p[0]), p[1] + cut * (q[1] - p[1])]] : [];
            return s > 0 ? [p, ...edge] : edge;
        });
    }

    /* The two ends of the line where w.x + b has a level; null: it is not in the box. */
    ends(w, level = 0) {
        if (!w[0] && !w[1]) return null;
        const score = p => {
            const [x, y] = this.of(p);
            return w[0] * x + w[1] * y + (w[2] || 0) - level;
        };
        const found = this.corners.flatMap((p, i, all) => {
            const q = all[(i + 1) % 4], s = score(p), t = score(q), cut = s / (s - t);
            return (s > 0) !== (t > 0) ? [[p[0] + cut * (q[0] - p[0]), p[1] + cut * (q[1] - p[1])]] : [];
        });
        return found.length === 2 ? found : null;
    }

    /* The two sides in their colours; w of 0: bare paper. */
    sides(w, opacity = 1) {
        const {x, y, w: width, h} = this.box;
        if (!w || !w.some(Boolean)) return Svg.rect(x, y, width, h, 'var(--page)');
        const above = this.above(w);
        return `<g opacity="${Svg.n(opacity)}">${Svg.rect(x, y, width, h, 'var(--neg-tint)')}` +
            `${above.length ? `<path d="${Svg.poly(above)}Z" fill="var(--pos-tint)"/>` : ''}</g>`;
    }

    line(w, {level = 0, stroke = 'var(--ink)', width = 4.5, ...more} = {}) {
        const ends = this.ends(w, level);
        return ends ? Svg.line(...ends, stroke, width, more) : '';
    }

    cross() {
        const {x, y, w, h} = this.box, o = this.at([0, 0]);
        return Svg.path(`M${Svg.n(o[0])} ${y}V${Svg.n(y + h)}M${x} ${Svg.n(o[1])}H${Svg.n(x + w)}`, 'var(--line)', 1);
    }

    /* Regions that are no half-planes: kind(x, y of all cells) gives the class, 1 or -1, of each. */
    regions(kindsOf, side = 72) {
        const {x, y, w, h} = this.box, cells = [], across = side, down = Math.max(1, Math.round(side * h / w));
        for (let j = 0; j < down; j++)
            for (let i = 0; i < across; i++) cells.push(this.of([x + w * (i + 0.5) / across, y + h * (j + 0.5) / down]));
        const kinds = kindsOf(cells), canvas = document.createElement('canvas'), context = canvas.getContext('2d');
        const style = getComputedStyle(document.documentElement);
        [canvas.width, canvas.height] = [across, down];
        for (const c of [-1, 1]) {
            context.fillStyle = style.getPropertyValue(c > 0 ? '--pos-tint' : '--neg-tint').trim();
            kinds.forEach((kind, i) => { if (kind === c) context.fillRect(i % across, Math.floor(i / across), 1, 1); });
        }
        return `<image href="${canvas.toDataURL()}" x="${x}" y="${y}" width="${Svg.n(w)}" height="${Svg.n(h)}" ` +
            'preserveAspectRatio="none" style="image-rendering:pixelated"/>';
    }

    points(list, {r = 10, opacity = 1, wrong = [], ringed = [], ring = 'var(--change)'} = {}) {
        return `<g opacity="${opacity}">${list.map(p => Svg.put(
            (wrong.includes(p) ? Svg.ring([0, 0], r + 6, 'var(--ink)', 2, {'stroke-dasharray': '4 3'}) : '') +
            (ringed.includes(p) ? Svg.ring([0, 0], r + 8, ring, 4) : '') + Svg.mark(p.c, r), this.at([p.x, p.y]))).join('')}</g>`;
    }
}
