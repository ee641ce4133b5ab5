'use strict';

/* Sets of points of the plane, -1 .. 1 both ways. The generator is the page's own, so a set is the same everywhere. */
const Points = (() => {
    /* mulberry32: numbers from 0 up to 1. */
    function generator(seed) {
        let state = seed >>> 0;
        return () => {
            state = state + 0x6d2b79f5 >>> 0;
            let t = Math.imul(state ^ state >>> 15, state | 1);
            t = t + Math.imul(t ^ t >>> 7, t | 61) ^ t;
            return ((t ^ t >>> 14) >>> 0) / 4294967296;
        };
    }

    /* Coordinates are ten-thousandths, so that the address can name each point. */
    const GRID = 10000;
    const fit = v => Math.fround(Math.round(GRID * Math.max(-1, Math.min(1, v))) / GRID);

    const clip = v => Math.max(-0.98, Math.min(0.98, v));
    const near = (draw, x, y, spread) => ({ /* a bell, near enough */
        x: x + spread * (draw() + draw() + draw() - 1.5), y: y + spread * (draw() + draw() + draw() - 1.5)});
    const turned = (radius, angle) => ({x: radius * Math.cos(angle), y: radius * Math.sin(angle)});

    /* Point i of n, its class and a random source -> a place. Points within `gap` of the line are drawn again. */
    function beside(draw, label, gap) {
        for (;;) {
            const x = 1.9 * draw() - 0.95, y = 1.9 * draw() - 0.95, s = 0.6 * x + 0.8 * y - 0.1;
            if ((label ? s : -s) > gap) return {x, y};
        }
    }

    const corners = [[-0.5, -0.5], [0.5, 0.5], [-0.5, 0.5], [0.5, -0.5]];

    /* Four points, at 0 and 1 or at -1 and 1; the classes have the values of the inputs for names. */
    const gate = (name, low, on) => ({name, classes: 2, gate: true, low, points: [0, 1, 2, 3].map(i =>
        ({x: i >> 1 ? 1 : low, y: i & 1 ? 1 : low, label: on[i]}))});
    const GATES = {OR: [0, 1, 1, 1], AND: [0, 0, 0, 1], NAND: [1, 1, 1, 0], XOR: [0, 1, 1, 0]}, gates = {};
    for (const name in GATES) {
        gates[`${name.toLowerCase()}01`] = gate(`${name}, 0 and 1`, 0, GATES[name]);
        gates[`${name.toLowerCase()}11`] = gate(`${name}, \u22121 and 1`, -1, GATES[name]);
    }

    const SETS = {
        separable: {name: 'separable', classes: 2, place: (i, n, label, draw) => beside(draw, label, 0.08)},
        noisy: {name: 'noisy', classes: 2,
            place: (i, n, label, draw) => near(draw, label ? 0.28 : -0.28, label ? 0.2 : -0.2, 0.75)},
        xor: {name: 'XOR', classes: 2,
            place: (i, n, label, draw) => near(draw, ...corners[2 * (1 - label) + (i >> 1) % 2], 0.3)},
        rings: {name: 'rings', classes: 2, place: (i, n, label, draw) =>
            turned((label ? 0.3 : 0.75) + 0.14 * (draw() - 0.5), 2 * Math.PI * draw())},
        spirals: {name: 'spirals', classes: 2, place: (i, n, label, draw) => {
            const t = (0.15 + 0.85 * Math.floor(i / 2) / Math.max(1, n / 2)), at = turned(0.9 * t, 7.5 * t + Math.PI * label);
            return {x: at.x + 0.03 * (draw() - 0.5), y: at.y + 0.03 * (draw() - 0.5)};
        }},
        outlier: {name: 'an outlier', classes: 2, place: (i, n, label, draw) =>
            i === n - 1 - (n - 1 & 1 ? 0 : 1) && n > 3 ? {x: -0.85, y: -0.8} : beside(draw, label, 0.12)},
        three: {name: 'three classes', classes: 3, place: (i, n, label, draw) => {
            const at = turned(0.52, 0.5 + 2 * Math.PI * label / 3);
            return near(draw, at.x, at.y, 0.42);
        }},
        four: {name: 'four classes', classes: 4, place: (i, n, label, draw) => near(draw, ...corners[label], 0.44)},
        ...gates
    };

    function make(set, n, seed) {
        const {classes, place, points} = SETS[set], draw = generator(seed);
        return points ? points.map(p => ({...p})) : Array.from({length: n}, (_, i) => {
            const label = i % classes, {x, y} = place(i, n, label, draw);
            return {x: fit(clip(x)), y: fit(clip(y)), label};
        });
    }

    /* What part of the plane is seen: that of a gate of 0 and 1 is smaller. */
    const frame = set => SETS[set] && SETS[set].low === 0 ? {cx: 0.5, cy: 0.5, half: 0.9} : {cx: 0, cy: 0, half: 1.2};

    /* What the classes are called: two by their y, as in the texts; Honavar's are 0 and 1. */
    const names = (used, zeros) => used.length > 2 ? ['1', '2', '3', '4'] :
        ['1', '2', '3', '4'].map((name, k) => k === used[0] ? zeros ? '0' : '\u22121' :
            k === used[1] ? zeros ? '1' : '+1' : name);

    /* A text for the address: of each point its class and six digits of base 36. */
    function pack(points) {
        const place = v => Math.round(v * GRID) + GRID, side = 2 * GRID + 1;
        return points.map(p => p.label + (side * place(p.x) + place(p.y)).toString(36).padStart(6, '0')).join('');
    }

    function unpack(text) {
        const side = 2 * GRID + 1, all = (text.match(/[0-3][0-9a-z]{6}/g) || []).slice(0, 2000);
        return all.map(part => {
            const at = parseInt(part.slice(1), 36), x = Math.floor(at / side);
            return {x: fit(x / GRID - 1), y: fit(at % side / GRID - 1), label: Number(part[0])};
        });
    }

    return {SETS, generator, make, frame, names, fit, pack, unpack};
})();
