'use strict';

/* Shows the tab "Plane". view: {id(name), points, used, run, rival, second (does the rival learn?), runs, beside, fit
 * (does anything learn?), problem, cursor, marked, wake()}. */
const PlaneShow = (() => {
    const {FINE, COARSE} = PlaneDraw;

    function paint({used, runs, wake}, moving) {
        const colors = PlaneDraw.regionColors(used);
        for (const each of runs) {
            const side = !each.linear && (moving || !each.cells) ? COARSE : FINE;
            if (!each.fresh) each.paint(side, PlaneDraw.grids[side], colors).then(done => done && wake());
        }
    }

    function draw(view) {
        const {id, fit, used, second, run, rival, beside} = view, scene = {...view, run: fit ? run : null};
        PlaneDraw.regions(id('canvas'), scene);
        const flat = beside === 'weights' && fit && run.linear && used.length === 2, shown = flat || (second && fit);
        id('second').hidden = !shown;
        id('canvas').closest('.plane-columns').classList.toggle('paired', shown);
        id('other').hidden = !beside;
        if (!beside) return;
        let text = 'A weight space needs two classes and a learner that has weights.';
        if (flat) {
            const edge = PlaneDraw.weightSpace(id('second'), scene), w = run.engine.trained();
            text = `Weight space: the point is w, each row the line of the weights that give it 0, darker places ` +
                `have more rows wrong. The edge is at ${edge}; the cut is at the bias of now, ${w.bias[0].toFixed(2)}.`;
        } else if (shown) {
            PlaneDraw.regions(id('second'), {...scene, run: rival, cursor: null});
            text = `Beside it ${PlaneLearners.LEARNERS[beside].name}, on the same rows in the same order: ` +
                `${rival.count.mistakes} mistakes, ${rival.count.updates} updates.`;
        }
        id('second').setAttribute('aria-label', text);
        id('other').textContent = text;
    }

    function facts({id, fit, run, points, used, problem, wake}, settled) {
        const c = fit ? run.count : {updates: 0, mistakes: 0, slots: 0}, rows = fit ? run.seen : 0;
        const set = (name, text) => { id(name).textContent = text; };
        set('epoch', fit ? `${Math.ceil(rows / points.length)} of ${id('epochs').value}` : '0');
        set('rows', `${rows} of ${fit ? run.total : 0}`);
        for (const name of ['updates', 'mistakes', 'slots']) set(name, c[name]);
        id('slots').parentElement.hidden = !fit || run.linear;
        if (id('problem').textContent !== problem) set('problem', problem);
        if (fit && !run.move) set('sum', '');
        id('wrong').parentElement.hidden = id('crc').parentElement.hidden = !settled; /* they take time */
        if (!settled) return;
        if (fit) run.judge().then(done => done && wake());
        const wrong = fit ? run.judged.wrong : null;
        set('wrong', wrong === null ? '-' : `${wrong} of ${points.length}`);
        set('crc', fit ? run.crc() : '-');
        id('canvas').setAttribute('aria-label', `${points.length} points of ${used.length} classes. ` +
            `${PlaneLearners.LEARNERS[id('learner').value].name}, ${rows} examples learned, ${c.updates} updates, ` +
            `${wrong === null ? 'nothing to tell yet' : `${wrong} points wrong`}.`);
    }

    function curves({id, run, rival, second}) {
        const of = (name, each = run) => each.samples.map(s => [s.rows, s[name]]);
        const by = name => run.samples.map(s => [s.updates, s[name]]), most = run.count.updates;
        const theory = run.theory(), divides = run.star && run.star.divides;
        const series = [{color: '--blue', points: of('mistakes')}, {color: '--orange', points: of('updates')}];
        if (second) series.push({color: '--green', dash: [5, 3], points: of('mistakes', rival)});
        drawCurves(id('counts'), {x: 'examples', series});
        id('two').hidden = !second;
        id('theory').hidden = !run.linear;
        if (!run.linear) return;
        const norms = [{color: '--blue', points: by('norm')}];
        const steps = Array.from({length: 61}, (_, i) => most * i / 60);
        if (divides) norms.push({color: '--orange', points: by('along')});
        if (theory) for (const [dash, height] of [[[5, 4], theory.upper], [[2, 3], theory.lower]])
            norms.push({color: '--muted', dash, points: steps.map(k => [k, height(k)])});
        drawCurves(id('norms'), {x: 'updates', series: norms});
        id('along').hidden = !divides;
        id('upper').hidden = id('lower').hidden = !theory;
        id('bound').textContent = PlaneSay.bound(run);
    }

    return {paint, draw, facts, curves};
})();
