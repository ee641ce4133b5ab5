'use strict';

/* A chart beside a picture. box: where its axes are; x and y: the values at their ends. */
class Chart {
    constructor(box, {x, y, fromX = 0, fromY = 0, small = false}) {
        Object.assign(this, {box, x, y, fromX, fromY, small, size: small ? 12 : 15});
    }

    X(v) { return this.box.x + this.box.w * (v - this.fromX) / (this.x - this.fromX); }
    Y(v) { return this.box.y + this.box.h * (1 - (v - this.fromY) / (this.y - this.fromY)); }
    at([x, y]) { return [this.X(x), this.Y(y)]; }
    valueX(px) { return this.fromX + (px - this.box.x) / this.box.w * (this.x - this.fromX); }
    valueY(py) { return this.fromY + (1 - (py - this.box.y) / this.box.h) * (this.y - this.fromY); }

    /* The next 1, 2 or 5 times a power of ten that makes at most so many steps. */
    static step(end, most, whole = false) {
        const power = 10 ** Math.floor(Math.log10(end / most)), found = [1, 2, 5, 10].map(k => k * power).find(s =>
            end / s <= most + 0.01);
        return whole ? Math.max(1, found) : found;
    }

    word(text, place, more = {}) {
        return Svg.label(text, place, {size: this.size, weight: 450, color: 'var(--muted)', halo: 0, ...more});
    }

    axes(nameX, nameY = '', {tickX = Chart.step(this.x - this.fromX, this.small ? 5 : 7, true), tickY = 0, unit = ''} = {}) {
        const {x, y, w, h} = this.box, {small, size} = this, bottom = y + h;
        let out = Svg.path(`M${Svg.n(x)} ${Svg.n(y)}V${Svg.n(bottom)}H${Svg.n(x + w)}`, 'var(--muted)', 1.5);
        for (let v = this.fromX + (this.fromX ? 0 : tickX); v <= this.x * 1.0001; v += tickX)
            out += this.word(Math.round(v * 1000) / 1000, [this.X(v), bottom + size + 4], {anchor: 'middle'});
        if (tickY) for (let v = this.fromY; v <= this.y * 1.0001; v += tickY)
            out += this.word(`${Math.round(v * 1000) / 1000}${unit}`, [x - 6, this.Y(v) + size * 0.35], {anchor: 'end'});
        out += this.word(nameX, [x + w, bottom + 2 * size + (small ? 4 : 10)], {anchor: 'end', weight: 500});
        return out + (nameY ? this.word(nameY, [x + 8, y + size], {weight: 500, color: 'var(--ink)', halo: 4}) : '');
    }

    /* Through values; jumps: up and then to the side. */
    curve(values, {stroke = 'var(--ink)', width = 3, jumps = false, dash = ''} = {}) {
        const places = values.map(v => this.at(v));
        const all = jumps ? places.flatMap((p, i) => i ? [[p[0], places[i - 1][1]], p] : [p]) : places;
        return all.length ? Svg.path(Svg.poly(all), stroke, width, {'stroke-linejoin': 'round', 'stroke-dasharray': dash}) :
            '';
    }

    upright(v, text = '', {stroke = 'var(--ink)', dash = '6 5', anchor = 'start', high = 0} = {}) {
        const x = this.X(v), {y, h} = this.box;
        return Svg.line([x, y], [x, y + h], stroke, 2, {'stroke-dasharray': dash}) +
            (text ? Svg.label(text, [x + (anchor === 'end' ? -8 : 8), y + h - (this.small ? 8 : 12) - high],
                {anchor, size: this.small ? 13 : 16, weight: 700}) : '');
    }

    get rect() { return [this.box.x, this.box.y, this.box.w, this.box.h]; }
}
