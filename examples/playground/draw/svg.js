'use strict';

/* The signs of which the pictures of the stories are made, as text of SVG. */
const Svg = (() => {
    const n = v => Number(v.toFixed(2)), at = ([x, y]) => `${n(x)} ${n(y)}`;

    /* A point of class 1: a disc with a plus; of class -1: a square with a minus. */
    function mark(c, r = 9) {
        if (c > 0) return `<circle r="${n(r)}" fill="var(--pos)" stroke="var(--paper)" stroke-width="1.5"/><path d="M${n(-r / 2)} 0` +
            `H${n(r / 2)}M0 ${n(-r / 2)}V${n(r / 2)}" stroke="var(--pos-in)" stroke-width="${n(r * 0.24)}" stroke-linecap="round"/>`;
        return `<rect x="${n(-r * 0.92)}" y="${n(-r * 0.92)}" width="${n(r * 1.84)}" height="${n(r * 1.84)}" rx="${n(r * 0.22)}" ` +
            `fill="var(--neg)" stroke="var(--edge)" stroke-width="1.5"/><path d="M${n(-r / 2)} 0H${n(r / 2)}" ` +
            `stroke="var(--neg-in)" stroke-width="${n(r * 0.26)}" stroke-linecap="round"/>`;
    }

    const put = (inner, [x, y], scale = 1, more = '') =>
        `<g transform="translate(${n(x)} ${n(y)})${scale === 1 ? '' : ` scale(${n(scale)})`}" ${more}>${inner}</g>`;

    function arrow(from, to, color, width, dash = '') {
        const d = Math.hypot(to[0] - from[0], to[1] - from[1]);
        if (d < 2) return '';
        const dx = (to[0] - from[0]) / d, dy = (to[1] - from[1]) / d, head = Math.min(d * 0.6, 6 + 2.6 * width),
            s = head * 0.55;
        const b = [to[0] - dx * head, to[1] - dy * head];
        return `<path d="M${at(from)}L${at(b)}" stroke="${color}" stroke-width="${width}" stroke-dasharray="${dash}" ` +
            `stroke-linecap="${dash ? 'butt' : 'round'}"/><path d="M${at(to)}L${at([b[0] - dy * s, b[1] + dx * s])}` +
            `L${at([b[0] + dy * s, b[1] - dx * s])}Z" fill="${color}"/>`;
    }

    /* A word with paper around it. */
    function label(text, [x, y], {size = 16, weight = 600, anchor = 'start', color = 'var(--ink)', halo = 4,
        opacity = 1} = {}) {
        return `<text x="${n(x)}" y="${n(y)}" font-size="${n(size)}" font-weight="${weight}" text-anchor="${anchor}" fill="${color}" ` +
            `paint-order="stroke" stroke="var(--paper)" stroke-width="${halo}" stroke-linejoin="round" ` +
            `opacity="${n(opacity)}">${text}</text>`;
    }

    const attributes = more => Object.entries(more).map(([name, value]) => `${name}="${value}"`).join(' ');
    const path = (d, stroke, width, more = {}) =>
        `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${n(width)}" ${attributes(more)}/>`;
    const line = (from, to, stroke, width, more = {}) => path(`M${at(from)}L${at(to)}`, stroke, width, more);
    const rect = (x, y, width, height, fill, more = {}) => `<rect x="${n(x)}" y="${n(y)}" width="${n(Math.max(0, width))}" ` +
        `height="${n(Math.max(0, height))}" fill="${fill}" ${attributes(more)}/>`;
    const ring = ([x, y], r, stroke, width, more = {}) => `<circle cx="${n(x)}" cy="${n(y)}" r="${n(Math.max(0, r))}" ` +
        `fill="none" stroke="${stroke}" stroke-width="${n(width)}" ${attributes(more)}/>`;
    const disc = ([x, y], r, fill, more = {}) =>
        `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}" ${attributes(more)}/>`;
    const poly = places => places.map((p, i) => `${i ? 'L' : 'M'}${at(p)}`).join('');

    /* The patterns of what the proof forbids. */
    const defs = `<defs><pattern id="hatch" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
        '<rect width="9" height="9" fill="var(--proof-tint)"/><path d="M0 0V9" stroke="var(--proof)" stroke-width="1" ' +
        'opacity=".28"/></pattern></defs>';

    const CAT = '<path d="M-9-3-9.5-13-3-9.5H3L9.5-13 9-3A9.6 9.3 0 1 1-9-3Z" fill="var(--pos)" stroke="var(--paper)" ' +
        'stroke-width="1.5"/><g fill="var(--pos-in)"><circle cx="-3.6" cy="-1" r="1.5"/><circle cx="3.6" cy="-1" r="1.5"/>' +
        '<path d="M-1.6 2.4h3.2L0 4.2Z"/></g><path d="M-4 4-11 3M-4 5.4-10.5 6.6M4 4 11 3M4 5.4 10.5 6.6" ' +
        'stroke="var(--pos-in)" stroke-width=".8"/>';
    const DOG = '<path d="M-7.5-8.5h15a3 3 0 0 1 3 3V5a7 7 0 0 1-7 7h-7a7 7 0 0 1-7-7v-10.5a3 3 0 0 1 3-3Z" fill="var(--neg)" ' +
        'stroke="var(--edge)" stroke-width="1.4"/><path d="M-8-9.5q-6 1-5.5 12 4 1.5 5-3ZM8-9.5q6 1 5.5 12-4 1.5-5-3Z" ' +
        'fill="var(--edge)"/><g fill="var(--neg-in)"><circle cx="-3.6" cy="-1.6" r="1.5"/><circle cx="3.6" cy="-1.6" r="1.5"/>' +
        '<ellipse cy="4.2" rx="2.6" ry="1.9"/></g><path d="M0 6v2.5" stroke="var(--neg-in)"/>';
    const pet = c => c > 0 ? CAT : DOG;

    /* A picture that stands alone: colours are those of now. */
    function alone(inner, width, height) {
        const style = getComputedStyle(document.documentElement);
        const fixed = `${defs}${inner}`.replace(/var\((--[\w-]+)\)/g, (_, name) => style.getPropertyValue(name).trim());
        return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${n(width)} ${n(height)}" width="${n(width)}" ` +
            `height="${n(height)}" font-family="sans-serif">${fixed}</svg>\n`;
    }

    return {n, at, mark, put, arrow, label, path, line, rect, ring, disc, poly, defs, pet, alone};
})();
