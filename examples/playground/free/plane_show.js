'use strict';

/* Shows the tab "Plane". view: {id(name), points, tests, used, names, frame, run, rival, second (does the rival learn?),
 * runs, beside, best, fit (does anything learn?), problem, cursor, marked, lit, grid(side, run), wake()}. */
const PlaneShow = (() => {
    const {FINE, COARSE} = PlaneDraw;

    function paint({runs, grid, sure, wake}, moving) {
        for (const each of runs) {
            const side = !each.linear && (moving || !each.cells) ? COARSE : FINE;
            if (!each.fresh) each.paint(side, grid(side, each), sure && each.tests, side === FINE).then(done => done && wake());
        }
    }

    /* Only the charts that are asked for. */
    function looks(id, names) {
        for (const name of ['counts', 'tested', 'norms', 'angles'])
            id(name).closest('.plane-chart').classList.toggle('asked', names.includes(name));
        id('bound').classList.toggle('asked', names.includes('norms'));
        id('turns').classList.toggle('asked', names.includes('angles'));
    }

    /* Buttons that can do nothing are off. past: the states of the points. */
    function undoable(id, past) {
        id('undo').disabled = !past.canUndo;
        id('redo').disabled = !past.canRedo;
        id('clear').disabled = !past.now.points.length;
    }

    function buttons({id, fit}, begun) {
        for (const name of ['step', 'next', 'run', 'watch']) id(name).disabled = !fit;
        id('again').disabled = !begun;
    }

    const scene = view => ({...view, run: view.fit ? view.run : null});

    /* What stands beside the picture: '', 'weights' or 'rival'. */
    function beside({beside, fit, run, used, second}) {
        if (!fit) return '';
        return second ? 'rival' : beside === 'weights' && run.linear && run.features === 2 && used.length === 2 ? beside : '';
    }

    /* Draws what stands beside it with what maker(frame) gives. */
    function drawBeside(view, kind, maker) {
        const pen = maker(kind === 'weights' ? PlaneSpace.frame(view.run) : view.frame);
        if (pen && kind === 'weights') PlaneSpace.draw(pen, scene(view));
        else if (pen) PlaneDraw.regions(pen, {...scene(view), run: view.rival, cursor: null});
        return pen;
    }

    function draw(view) {
        const {id, rival, run, lit} = view, kind = beside(view);
        const canvas = id('canvas'), pen = Pen.on(canvas, view.frame, lit);
        if (pen) PlaneDraw.regions(pen, scene(view));
        if (pen) canvas.parts = pen.parts;
        id('second').hidden = !kind;
        canvas.closest('.plane-columns').classList.toggle('paired', kind !== '');
        id('other').hidden = !view.beside;
        if (!view.beside) return;
        let text = 'A weight space needs two classes and a learner that has two weights.';
        if (kind) {
            const other = drawBeside(view, kind, frame => Pen.on(id('second'), frame, lit));
            id('second').parts = other ? other.parts : [];
        }
        const [paper, ink] = ['--paper', '--ink'].map(name => PlaneDraw.rgb(name)[0]);
        if (kind === 'weights') text = 'Weight space: the point is w, each row the line of the weights that give it 0, ' +
            `${paper > ink ? 'darker' : 'lighter'} places have more rows wrong. The cut is at the bias of now, ` +
            `${run.engine.trained().bias[0].toFixed(2)}.`;
        if (kind === 'rival') text = `Beside it ${PlaneLearners.LEARNERS[view.beside].name}, on the same rows in the same ` +
            `order: ${rival.count.mistakes} mistakes, ${rival.count.updates} updates.`;
        id('second').setAttribute('aria-label', text);
        id('other').textContent = text;
    }

    function facts({id, fit, run, runs, points, used, problem, wake}, settled) {
        const c = fit ? run.count : {updates: 0, mistakes: 0, slots: 0}, rows = fit ? run.seen : 0;
        const set = (name, text) => { id(name).textContent = text; };
        set('epoch', fit ? `${Math.ceil(rows / points.length)} of ${id('epochs').value}` : '0');
        set('rows', `${rows} of ${fit ? run.total : 0}`);
        for (const name of ['updates', 'mistakes', 'slots']) set(name, c[name]);
        id('slots').parentElement.hidden = !fit || run.linear;
        if (id('problem').textContent !== problem) set('problem', problem);
        if (fit && !run.move) set('sum', '');
        id('wrong').style.visibility = settled ? '' : 'hidden'; /* it takes time */
        const known = fit ? run.samples[run.samples.length - 1].updates : 0;
        id('time').max = known;
        id('time').value = c.updates;
        id('time').setAttribute('aria-valuetext', `update ${c.updates} of ${known}`);
        set('when', `update ${c.updates} of ${known}`);
        id('former').disabled = !c.updates;
        if (!settled) return;
        if (fit) for (const each of runs) each.judge().then(done => done && wake());
        const wrong = fit ? run.judged.wrong : null;
        set('wrong', wrong === null ? '-' : `${wrong} of ${points.length}`);
        id('canvas').setAttribute('aria-label', `${points.length} points of ${used.length} classes. ` +
            `${PlaneLearners.LEARNERS[id('learner').value].name}, ${rows} examples learned, ${c.updates} updates, ` +
            `${wrong === null ? 'nothing to tell yet' : `${wrong} points wrong`}.`);
    }

    /* The charts of now, by the name of their canvas. */
    function charts({run, rival, second, lit}) {
        const of = (name, each = run) => {
            const last = each.samples[each.samples.length - 1]; /* rows since then have changed nothing */
            return [...each.samples, ...(each.seen > last.rows ? [{...last, ...each.count, rows: each.seen}] : [])]
                .map(s => [s.rows, s[name]]);
        };
        const batch = run.engine.options.batch !== 'none', x = batch ? 'examples' : 'updates', unit = batch ? 'rows' : x;
        const by = name => run.samples.map(s => [s[unit], s[name]]), now = batch ? run.seen : run.count.updates;
        const theory = run.theory(), divides = run.star && run.star.divides, made = {};
        made.counts = {x: 'examples', lit, now: run.seen, series: [{color: '--muted', dash: [2, 3], part: 'mistakes', steps: true,
            points: of('mistakes')},
            {color: '--ink', part: 'updates', steps: true, points: of('updates')}]};
        if (second) made.counts.series.push({color: '--third', dash: [5, 3], steps: true,
            points: of('mistakes', rival)});
        if (run.tests) {
            const share = at => run.samples.filter(s => s.wrong).map(s => [s.rows, s.wrong[at]]);
            made.tested = {x: 'examples', lit, now: run.seen, most: [0, 10], series: [
                {color: '--ink', part: 'points', points: share(0)}, {color: '--muted', dash: [5, 3], part: 'tests', points: share(1)}]};
        }
        if (!run.linear) return made;
        const series = [{color: '--ink', part: 'length', points: by('norm')}];
        if (divides) series.push({color: '--muted', part: 'along', points: by('along')});
        made.norms = {x: theory ? 'updates; factors on both axes' : x, lit, now, series, log: Boolean(theory)};
        if (theory) {
            const end = Math.max(1.5 * theory.bound, 2 * now, 10), steps = [1, theory.bound, end];
            for (const [part, dash, height] of [['upper', [5, 4], theory.upper], ['lower', [2, 3], theory.lower]])
                series.push({color: '--proof', dash, part, points: steps.map(k => [k, height(k)])});
            made.norms.cross = {at: [theory.bound, theory.lower(theory.bound)], text: `${Math.floor(theory.bound)} updates`};
        }
        if (!divides) return made;
        const last = run.samples[run.samples.length - 1].updates;
        made.angles = {x, lit, now, most: [1, 90],
            series: [{color: '--ink', part: 'angle', points: by('angle').filter(p => p[0])}]};
        if (theory) made.angles.series.push({color: '--proof', dash: [5, 4], part: 'cone',
            points: Array.from({length: 61}, (_, i) => last * i / 60).map(k => [k, theory.angle(k)])});
        return made;
    }

    function curves(view) {
        const {id, run, second} = view, made = charts(view);
        id('two').hidden = !second;
        for (const name of ['tested', 'norms', 'angles']) id(name).closest('.plane-chart').hidden = !made[name];
        for (const name in made) drawCurves(id(name), made[name]);
        id('bound').hidden = id('turns').hidden = !run.linear;
        if (!run.linear) return;
        id('along').hidden = !(run.star && run.star.divides);
        id('upper').hidden = id('lower').hidden = id('cone').hidden = !run.theory();
        id('bound').textContent = PlaneSay.bound(run);
        id('turns').textContent = PlaneSay.turns(run);
    }

    const NAMES = {length: '|w|', along: 'w.w*', upper: 'rate R \u221ak', lower: 'rate \u03b3 k', cone: 'no more than'};

    /* All pictures that are shown, as SVG. */
    function svg(view) {
        const SIDE = 480, made = Object.values(view.fit ? charts(view) : {}), kind = beside(view);
        const out = new SvgContext(kind ? 2 * SIDE + 20 : SIDE, SIDE + 240 * made.length);
        out.box(0, 0, SIDE, SIDE);
        PlaneDraw.regions(new Pen(out, SIDE, view.frame, ''), {...scene(view), cursor: null});
        if (kind) out.box(SIDE + 20, 0, SIDE, SIDE);
        if (kind) drawBeside(view, kind, frame => new Pen(out, SIDE, frame, ''));
        made.forEach((chart, i) => {
            out.box(0, SIDE + 20 + 240 * i, SIDE, 220);
            out.fillStyle = Pen.color('--paper');
            out.fillRect(0, 0, SIDE, 220);
            const series = chart.series.map(each => ({...each, name: NAMES[each.part] || each.part}));
            drawChart(out, SIDE, 220, {...chart, series, lit: ''});
        });
        return out.text();
    }

    return {paint, looks, undoable, buttons, draw, facts, curves, svg};
})();
