'use strict';

/* What draws a picture of a part of the plane: on a canvas, or into SVG. frame: {cx, cy, half}, the square that is seen.
 * What is drawn may have a part, a word of terms.js: the part that is lit is stronger than the others. */
class Pen {
    static color(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }

    static get large() { return document.documentElement.dataset.view === 'projector' ? 1.5 : 1; }

    constructor(context, side, frame, lit) {
        Object.assign(this, {context, side, frame, lit, parts: [], font: size => `${size * Pen.large}px system-ui, sans-serif`});
        context.fillStyle = Pen.color('--paper');
        context.fillRect(0, 0, side, side);
        context.imageSmoothingEnabled = false;
        context.font = this.font(13);
    }

    /* A pen in pixels of the style sheet. Null: the canvas is not in view. */
    static on(canvas, frame, lit) {
        const scale = devicePixelRatio || 1, side = canvas.clientWidth, context = canvas.getContext('2d');
        if (!side) return null;
        if (canvas.width !== Math.round(side * scale)) canvas.width = canvas.height = Math.round(side * scale);
        context.setTransform(canvas.width / side, 0, 0, canvas.width / side, 0, 0);
        return new Pen(context, side, frame, lit);
    }

    get unit() { return this.side / (2 * this.frame.half); }

    at(x, y) {
        const {cx, cy, half} = this.frame;
        return [(x - cx + half) * this.unit, (cy + half - y) * this.unit];
    }

    /* The colour and width of what comes. */
    take(color, width, part, dash = []) {
        const {context, lit} = this, strong = lit && lit === part;
        context.strokeStyle = context.fillStyle = color.startsWith('--') ? Pen.color(color) : color;
        context.lineWidth = strong ? 2 * width + 2 : width;
        context.globalAlpha = lit && !strong ? 0.45 : 1;
        context.setLineDash(dash);
        this.part = part;
    }

    /* Through places in pixels. */
    path(places, closed) {
        this.context.beginPath();
        places.forEach(([x, y], i) => this.context[i ? 'lineTo' : 'moveTo'](x, y));
        if (closed) this.context.closePath();
        else if (this.part) for (let i = 1; i < places.length; i++)
            this.parts.push({part: this.part, from: places[i - 1], to: places[i]});
    }

    stroke(places) {
        this.path(places);
        this.context.stroke();
    }

    ring([x, y], radius) {
        this.context.beginPath();
        this.context.arc(x, y, radius, 0, 2 * Math.PI);
        this.context.stroke();
        if (this.part) this.parts.push({part: this.part, from: [x - radius, y], to: [x + radius, y]});
    }

    arrow([x, y], [wx, wy], length) {
        const n = Math.hypot(wx, wy), dx = wx / n, dy = -wy / n, ex = x + length * dx, ey = y + length * dy;
        if (!n) return;
        this.stroke([[x, y], [ex, ey]]);
        this.context.setLineDash([]);
        this.stroke([[ex - 9 * dx + 5 * dy, ey - 9 * dy - 5 * dx], [ex, ey], [ex - 9 * dx - 5 * dy, ey - 9 * dy + 5 * dx]]);
    }

    /* A text with paper around it. */
    text(words, [x, y]) {
        const {context} = this, ink = context.fillStyle;
        context.setLineDash([]);
        context.lineWidth = 4;
        context.lineJoin = 'round';
        context.strokeStyle = Pen.color('--paper');
        context.strokeText(words, x, y);
        context.fillStyle = ink;
        context.fillText(words, x, y);
    }

    /* w.x + b = level, as far as the picture goes; of three weights the third is that of x1 x2. Returns the point that
     * is nearest to the middle of the plane, in pixels. */
    line(w, b, level) {
        const c = level - b, {cx, cy, half} = this.frame;
        if (w.length > 2 && w[2]) return this.curve(w, c);
        const n = w[0] ** 2 + w[1] ** 2, off = (w[0] * cx + w[1] * cy - c) / n, length = 3 * half / Math.sqrt(n);
        const x = cx - off * w[0], y = cy - off * w[1];
        if (Math.abs(off) * Math.sqrt(n) < 2 * half)
            this.stroke([this.at(x - w[1] * length, y + w[0] * length), this.at(x + w[1] * length, y - w[0] * length)]);
        return this.at(x, y);
    }

    /* w1 x + w2 y + w3 x y = c is a hyperbola: y by x, in pieces. */
    curve(w, c) {
        const {cx, cy, half} = this.frame, steps = 200;
        let piece = [];
        if (!w[0] && !w[1] && !c) this.stroke([this.at(0, cy - half), this.at(0, cy + half)]); /* x = 0 is half of it */
        for (let i = 0; i <= steps + 1; i++) {
            const x = cx + half * (2 * i / steps - 1), y = (c - w[0] * x) / (w[1] + w[2] * x);
            if (i <= steps && Math.abs(y - cy) < 2 * half) piece.push(this.at(x, y));
            else {
                if (piece.length > 1) this.stroke(piece);
                piece = [];
            }
        }
        return null;
    }

    /* Lines at 0, numbers along two edges, and the names of the two. */
    axes(names) {
        const {cx, cy, half} = this.frame, {context, side} = this, short = v => String(v).replace('-', '\u2212');
        const power = 10 ** Math.floor(Math.log10(half)), size = half / power;
        const step = power * (size > 6 ? 5 : size > 3 ? 2 : size > 1.6 ? 1 : 0.5);
        const ticks = middle => Array.from({length: 40}, (_, i) => Number((step * (i - 20)).toPrecision(6)))
            .filter(v => Math.abs(v - middle) < 0.93 * half);
        this.take('--muted', 0.75, '');
        context.globalAlpha = 0.6;
        this.stroke([this.at(0, cy - half), this.at(0, cy + half)]);
        this.stroke([this.at(cx - half, 0), this.at(cx + half, 0)]);
        context.globalAlpha = 1;
        context.font = this.font(11);
        for (const v of ticks(cx)) {
            const [x] = this.at(v, 0);
            this.take('--muted', 1, '');
            this.stroke([[x, side], [x, side - 5]]);
            context.textAlign = 'center';
            this.text(short(v), [x, side - 8]);
        }
        for (const v of ticks(cy)) {
            const [, y] = this.at(0, v);
            this.take('--muted', 1, '');
            this.stroke([[0, y], [5, y]]);
            context.textAlign = 'left';
            this.text(short(v), [8, y + 4]);
        }
        context.textAlign = 'left';
        context.font = this.font(13);
        const [ox, oy] = this.at(0, 0);
        this.take('--muted', 1, '');
        this.text(names[0], [side - 24, Math.max(16, Math.min(side - 30, oy - 6))]);
        this.text(names[1], [Math.max(34, Math.min(side - 24, ox + 6)), 16]);
    }

    /* The part that is drawn within a few pixels of a place; ''. */
    static partAt(parts, x, y) {
        let best = '', least = 7;
        for (const {part, from, to} of parts || []) {
            const dx = to[0] - from[0], dy = to[1] - from[1], n = dx * dx + dy * dy || 1;
            const t = Math.max(0, Math.min(1, ((x - from[0]) * dx + (y - from[1]) * dy) / n));
            const far = Math.hypot(from[0] + t * dx - x, from[1] + t * dy - y);
            if (far < least) [best, least] = [part, far];
        }
        return best;
    }
}

/* As much of a canvas's context as the pictures need; its text is SVG. */
class SvgContext {
    constructor(width, height) {
        Object.assign(this, {width, height, out: [], d: '', dash: [], x: 0, y: 0, globalAlpha: 1, lineWidth: 1,
            strokeStyle: '#000', fillStyle: '#000', font: '13px sans-serif', textAlign: 'left', textBaseline: 'alphabetic'});
    }

    /* What comes next is drawn from here on, and nothing leaves the box. */
    box(x, y, width, height) {
        const n = this.out.length;
        if (n) this.out.push('</g>');
        this.out.push(`<clipPath id="box${n}"><rect width="${width}" height="${height}"/></clipPath>`,
            `<g transform="translate(${x} ${y})" clip-path="url(#box${n})">`);
    }

    p(x, y) { return `${Number(x.toFixed(2))} ${Number(y.toFixed(2))}`; }
    beginPath() { this.d = ''; }
    moveTo(x, y) { this.d += `M${this.p(x, y)}`; }
    lineTo(x, y) { this.d += `L${this.p(x, y)}`; }
    closePath() { this.d += 'Z'; }
    setLineDash(dash) { this.dash = dash; }

    arc(x, y, r) {
        this.d += `M${this.p(x - r, y)}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0Z`;
    }

    put(tag, attributes, content) {
        const text = Object.entries({opacity: this.globalAlpha, ...attributes}).map(([k, v]) => `${k}="${v}"`).join(' ');
        this.out.push(content === undefined ? `<${tag} ${text}/>` : `<${tag} ${text}>${content}</${tag}>`);
    }

    stroke() {
        this.put('path', {d: this.d, fill: 'none', stroke: this.strokeStyle, 'stroke-width': this.lineWidth,
            'stroke-dasharray': this.dash.join(' ') || 'none'});
    }

    fill() { this.put('path', {d: this.d, fill: this.fillStyle}); }
    fillRect(x, y, width, height) { this.put('rect', {x, y, width, height, fill: this.fillStyle}); }

    write(words, x, y, paint) {
        const anchor = {left: 'start', center: 'middle', right: 'end'}[this.textAlign];
        const [, size] = this.font.match(/([\d.]+)px/);
        this.put('text', {x, y: y + (this.textBaseline === 'middle' ? size * 0.35 : 0), 'text-anchor': anchor,
            'font-size': size, 'font-family': 'sans-serif', ...paint},
            String(words).replace(/[&<]/g, c => `&#${c.charCodeAt(0)};`));
    }

    fillText(words, x, y) { this.write(words, x, y, {fill: this.fillStyle}); }

    strokeText(words, x, y) {
        this.write(words, x, y, {fill: 'none', stroke: this.strokeStyle, 'stroke-width': this.lineWidth});
    }

    drawImage(canvas, x, y, width, height) {
        this.put('image', {x, y, width, height, href: canvas.toDataURL(), preserveAspectRatio: 'none',
            style: 'image-rendering: pixelated'});
    }

    text() {
        return `<svg xmlns="http://www.w3.org/2000/svg" width="${this.width}" height="${this.height}" ` +
            `viewBox="0 0 ${this.width} ${this.height}">\n${this.out.join('\n')}\n</g>\n</svg>\n`;
    }
}
