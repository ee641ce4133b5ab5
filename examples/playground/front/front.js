'use strict';

/* The front: a line between cats and dogs, which learns while one drags them, and six questions. */
const Front = (() => {
    const PETS = [[0.14, 0.22, 1], [0.24, 0.36, 1], [0.3, 0.18, 1], [0.37, 0.4, 1], [0.2, 0.52, 1], [0.4, 0.26, 1],
        [0.56, 0.62, -1], [0.66, 0.47, -1], [0.72, 0.74, -1], [0.82, 0.58, -1], [0.6, 0.83, -1], [0.87, 0.8, -1]];
    const PASSES = 400, BIAS = 0.5, svg = document.getElementById('pets');
    let pets = [], engine = null, shown = null, aim = null, held = '', moved = false, frame = 0, grips = null;

    const feature = p => [2 * p.x - 1, 2 * p.y - 1];
    const rows = () => Float32Array.from(pets.flatMap(feature)), labels = () => Int32Array.from(pets, p => Number(p.c > 0));
    const score = (w, p) => w[0] * (2 * p.x - 1) + w[1] * (2 * p.y - 1) + w[2];

    /* Reads all round and round until none is wrong; returns how many corrections that took. */
    function settle() {
        const before = engine.count.updates;
        for (let pass = 0; pass < PASSES; pass++) {
            const start = engine.count.updates;
            pets.forEach((_, row) => engine.learnOne(row));
            if (engine.count.updates === start) break;
        }
        const w = Trace.weightsOf(engine), size = Math.hypot(...w) || 1;
        aim = w.map(v => v / size);
        return engine.count.updates - before;
    }

    function begin() {
        pets = PETS.map(([x, y, c]) => ({x, y, c}));
        moved = false;
        shown = aim = null;
        if (!engine) return;
        engine.open({learner: 'perceptron', features: 2, classes: 2, bias: BIAS, order: 'file', epochs: 1});
        engine.setRows(rows(), labels());
        settle();
        shown = [...aim];
    }

    /* The picture is as wide as it is: weight goes to the right, the snout up. */
    function places() {
        const w = svg.clientWidth, h = svg.clientHeight;
        return {w, h, at: p => [34 + p.x * (w - 46), h - 30 - p.y * (h - 42)],
            of: ([x, y]) => [(x - 34) / (w - 46), (h - 30 - y) / (h - 42)]};
    }

    function draw() {
        const {w, h, at, of} = places();
        if (!w || !pets.length) return;
        svg.setAttribute('viewBox', `0 0 ${w} ${h}`);
        const plot = new Plot({x: 0, y: 0, w, h}), wrong = shown ? pets.filter(p => p.c * score(aim, p) <= 0) : [];
        plot.of = of;
        const own = shown && [2 * shown[0], 2 * shown[1], shown[2] - shown[0] - shown[1]];
        const word = (text, more) => `<text font-size="14" fill="var(--muted)" text-anchor="end" ${more}>${text}</text>`;
        svg.querySelector('.picture').innerHTML = (own ? plot.sides(own) + plot.line(own, {width: 4}) :
            Svg.rect(0, 0, w, h, 'var(--paper)')) +
            word('heavier \u2192', `x="${w - 12}" y="${h - 10}"`) + word('longer snout \u2192',
                'transform="translate(20 14) rotate(-90)"') +
            pets.map((p, i) => Svg.put((wrong.includes(p) ? Svg.ring([0, 0], 17, 'var(--ink)', 2,
                {'stroke-dasharray': '4 3'}) : '') + Svg.pet(p.c),
                at(p), held === String(i) ? 1.5 : 1.25)).join('');
        grips.show(pets.map((p, i) => ({key: String(i), label: `${p.c > 0 ? 'cat' : 'dog'}, arrows move it`, at: at(p), r: 24,
            drag: true})));
    }

    function tick() {
        frame = 0;
        const far = shown.reduce((sum, v, j) => sum + Math.abs(aim[j] - v), 0), share = Playground.still() ? 1 : 0.18;
        shown = shown.map((v, j) => v + (aim[j] - v) * share);
        draw();
        if (far > 0.003) wake();
    }

    function wake() {
        if (!frame && shown) frame = requestAnimationFrame(tick);
    }

    function say(corrections) {
        const wrong = engine ? pets.filter(p => p.c * score(aim, p) <= 0).length : 0;
        const did = corrections ?
            `Wrong about it, so it turned: ${corrections} ${corrections === 1 ? 'correction' : 'corrections'}. All right again.`
            : 'Still right. It learns only from mistakes.';
        document.getElementById('do').textContent = !moved ? 'Drag a cat or a dog, and see the line learn.'
            : wrong ? `No line gets these right: ${wrong} wrong, whatever it tries.` : did;
    }

    function move(key, [x, y]) {
        const fit = v => Math.max(0.02, Math.min(0.98, v));
        pets[key] = {...pets[key], x: fit(x), y: fit(y)};
        if (!engine) return;
        moved = true;
        engine.replaceRows(rows(), labels());
        say(settle());
        wake();
    }

    function cards() {
        const any = [...Story.all.keys()].some(name => Memory.get(name));
        return [...Story.all.values()].map(({id, title, sub, steps}, i) => {
            const at = Memory.get(id, 0), most = steps.length, to = at > 1 && at < most ? at : 1;
            const state = at >= most ? '\u2713 seen' : at > 1 ? `Go on at ${at} of ${most}` : `${most} steps`;
            return `<li><a class="card" href="#/${id}/${to}">${Cards[id]()}<div>${i === 0 && !any ? '<em>Start here</em>' : ''}<h2>${title}</h2>` +
                `<p>${sub}. <b>${state}</b></p></div></a></li>`;
        }).join('');
    }

    async function show() {
        if (!grips) {
            svg.innerHTML = '<g class="picture" pointer-events="none"></g><g class="grips"></g>';
            grips = new Grips(svg, {hold: key => { held = key; }, tap: () => {}, drop: () => { held = ''; draw(); },
                drag: (key, place) => move(key, places().of(place)),
                nudge: (key, dx, dy) => move(key, [pets[key].x + 0.03 * dx, pets[key].y + 0.03 * dy])});
            addEventListener('resize', draw);
            document.addEventListener('theme', draw);
        }
        document.getElementById('cards').innerHTML = cards();
        begin();
        say(0);
        draw();
        if (!engine) {
            engine = await Playground.engine();
            begin();
        }
        draw();
    }

    return {show};
})();
