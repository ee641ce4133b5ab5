'use strict';

/* The controls of the tab "Plane": its HTML, what its fields say, and what is wrong with them. */
const PlanePage = (() => {
    const {LEARNERS, CONTROLS, WORDS, SHARED, ZEROS} = PlaneLearners;

    const choices = of => Object.keys(of).map(key => `<option value="${key}">${of[key].name}</option>`).join('');
    const number = (name, [preset, by, least, most]) => `<input type="number" id="plane-${name}" value="${preset}" ` +
        `step="${by}" min="${least}" max="${most}"${name === 'margin' ? ' placeholder="its own"' : ''}>`;

    function control(name) {
        const [text, kind] = CONTROLS[name];
        const words = typeof kind[0] === 'string' && kind[0] !== '' && kind.map(word =>
            `<option value="${word}">${(WORDS[name] || {})[word] || word}</option>`).join('');
        return `<label class="field" data-term="${name}">${text} ` +
            `${words ? `<select id="plane-${name}">${words}</select>` : number(name, kind)}</label>`;
    }

    /* What is wrong with the number in a field; '': nothing. */
    function wrongNumber(name, field) {
        const [text, [, by, least, most]] = CONTROLS[name], v = Number(field.value);
        const empty = field.value === '' && !field.validity.badInput;
        if (empty ? name === 'margin' : v >= least && v <= most && (by === 'any' || Number.isInteger(v))) return '';
        const size = most.toLocaleString('en');
        return `${text}: a ${by === 'any' ? '' : 'whole '}number from ${least} to ${size} is needed` +
            `${field.value === '' ? '' : `, not ${field.value}`}.`;
    }

    /* In these, id(name) is the element of that name, used are the classes that there are. */

    /* The controls that have an effect on a learner. */
    function fields(id, learner, used) {
        const number = name => Number(id(name).value);
        const all = [...LEARNERS[learner].fields, ...(used.length > 2 ? ['update'] : []), ...SHARED];
        const rule = id('rule').value, has = name => all.includes(name);
        return all.filter(name => !(name === 'rate' && rule !== 'fixed') &&
            !(name === 'until' && id('batch').value === 'no') && !(name === 'zero' && (used.length > 2 || number('margin'))) &&
            !(name === 'batch' && rule !== 'fixed') && !(['best', 'lines'].includes(name) && used.length > 2) &&
            !(name === 'refuse' && id('sure').value === 'class') && !(name === 'pocket' && id('batch').value !== 'no') &&
            !(name === 'lambda' && rule !== 'fractional') && !(name === 'policy' && !number('budget')) &&
            !(name === 'decision' && has('budget') && number('budget') && id('policy').value !== 'stop') &&
            !(name === 'seed' && id('order').value === 'file' && !(has('policy') && id('policy').value === 'random')));
    }

    function options(id, learner, used) {
        const o = Object.assign({features: 2, classes: used.length}, LEARNERS[learner].fixed);
        for (const name of fields(id, learner, used)) {
            const control = id(name);
            if (control.value === '') continue;
            const value = control.tagName === 'SELECT' ? control.value : Number(control.value);
            if (name === 'product') o.features = value === 'no' ? 2 : 3;
            else if (name === 'zero') [o.zeroClass, o.zeroUpdate] = ZEROS[value];
            else if (name === 'batch') o.batch = value === 'no' ? 'none' : 'all';
            else if (name === 'pocket') o.pocket = value === 'yes';
            else if (name === 'lambda' || name === 'c') o.limit = value;
            else if (!['tests', 'best', 'lines', 'sure', 'refuse'].includes(name)) o[name] = value;
        }
        return o;
    }

    /* Shows the fields that matter; returns what is wrong with one of them. */
    function check(id, learners, used) {
        const shown = learners.flatMap(name => fields(id, name, used));
        let wrong = '';
        for (const name in CONTROLS) {
            const field = id(name), own = name === 'n' || name === 'draw';
            const says = field.type === 'number' && (own || shown.includes(name)) ? wrongNumber(name, field) : '';
            if (!own) field.closest('label').hidden = !shown.includes(name);
            field.setAttribute('aria-invalid', String(says !== ''));
            wrong = wrong || says;
        }
        id('text').textContent = LEARNERS[id('learner').value].text;
        return wrong;
    }

    const fact = (name, text, term) => `<span${term ? ` tabindex="0" data-term="${term}"` : ''}>${text} ` +
        `<output id="plane-${name}"></output></span>`;
    const key = (name, colour, text, term, dash) => `<li id="plane-${name}"${dash ? ' class="dashed"' : ''} tabindex="0"
        data-term="${term}" style="--of: var(--${colour})">${text}</li>`;
    const chart = (name, title, keys, label) => `<div class="plane-chart plane-of-${name}"><h3>${title}</h3>
      <ul class="plane-key">${keys.join('')}</ul><canvas id="plane-${name}" role="img" aria-label="${label}"></canvas></div>`;
    const sets = gate => choices(Object.fromEntries(Object.entries(Points.SETS).filter(([, set]) => Boolean(set.gate) === gate)));
    const rare = Object.keys(CONTROLS).filter(name => !['n', 'draw'].includes(name));

    const tools = () => `
  <div class="plane-tools" role="toolbar" aria-label="Tools">
    <span class="group" role="group" aria-label="What a press on the picture puts">
      ${PlaneDraw.COLORS.map((_, k) => `<button type="button" class="plane-${k}" data-tool="${k}"
        aria-pressed="${k === 0}"><i></i><b>${k + 1}</b></button>`).join('')}
      <button type="button" data-tool="remove" aria-pressed="false">Remove</button></span>
    <span class="group"><button type="button" id="plane-undo">Undo</button><button type="button" id="plane-redo">Redo</button>
      <button type="button" id="plane-clear">Clear</button></span>
    <label class="field">Set <select id="plane-set"><option value="">by hand</option>
      <optgroup label="Sets">${sets(false)}</optgroup><optgroup label="Gates">${sets(true)}</optgroup></select></label>
    <label class="field" data-term="learner">Learner <select id="plane-learner">${choices(LEARNERS)}</select></label>
    <label class="field" data-term="beside">Beside <select id="plane-beside"><option value="">nothing</option>
      <option value="weights">weight space</option>${choices(LEARNERS)}</select></label></div>`;

    const charts = () => `
    ${chart('counts', 'Mistakes and updates', [key('one', 'muted', 'mistakes', 'mistakes', true), key('ups', 'ink', 'updates',
        'updates'), key('two', 'third', 'mistakes of the second', 'beside', true)],
        'Mistakes and updates by examples; the numbers stand below the picture')}
    ${chart('tested', 'Wrong, in hundredths', [key('trained', 'ink', 'points', 'points'), key('untrained', 'muted',
        'test points', 'tests', true)], 'Share of wrong points and of wrong test points by examples')}
    ${chart('norms', 'Length of w, and along w*', [key('length', 'ink', '|w|', 'length'), key('along', 'muted', 'w.w*',
        'along'), key('upper', 'proof', 'rate R \u221ak', 'upper', true),
        key('lower', 'proof', 'rate \u03b3 k', 'lower', true)],
        'Length of w and its part along w* by updates; the text below says what follows')}
    <p class="note" id="plane-bound"></p>
    ${chart('angles', 'Angle of w to w*, in degrees', [key('angle', 'ink', 'angle', 'angle'),
        key('cone', 'proof', 'no more than', 'cone', true)], 'The angle by updates; the text below says how it moves')}
    <p class="note" id="plane-turns"></p>`;

    const LOOKS = [['counts', 'mistakes'], ['tested', 'test error'], ['norms', 'lengths and bound'], ['angles', 'angle']];

    const html = () => `${tools()}
<div class="plane-columns">
  <div class="plane-picture" role="group" aria-label="Picture">
    <div class="plane-pair">
      <canvas id="plane-canvas" role="img" tabindex="0" aria-label="No points yet"
        aria-describedby="plane-keys"></canvas>
      <canvas id="plane-second" role="img" aria-label="Nothing beside" aria-describedby="plane-other"
        hidden></canvas></div>
    <p class="note" id="plane-other" hidden></p>
    <p class="note" id="plane-fitted"></p></div>
  <div class="plane-side">
    <div class="plane-go">
      <button type="button" id="plane-run" class="primary" aria-pressed="false">Run</button>
      <button type="button" id="plane-step">Step</button>
      <button type="button" id="plane-next">Next update</button>
      <button type="button" id="plane-watch" aria-pressed="false">Watch</button>
      <button type="button" id="plane-again">Start again</button></div>
    <div class="plane-time"><button type="button" id="plane-former" aria-label="The update before">&#9664;</button>
      <input type="range" id="plane-time" min="0" max="0" value="0" aria-label="Line of time: updates">
      <output id="plane-when"></output></div>
    <p id="plane-problem" role="alert"></p>
    <p id="plane-sum" role="status"></p>
    <p class="plane-facts">${fact('epoch', 'epoch', 'epochs')} ${fact('rows', 'examples')}
      ${fact('updates', 'updates', 'updates')} ${fact('mistakes', 'mistakes', 'mistakes')}
      ${fact('slots', 'points stored', 'stored')} ${fact('wrong', 'points wrong')}</p>
    <fieldset class="plane-looks"><legend>Look at</legend>${LOOKS.map(([name, text]) =>
        `<label><input type="checkbox" data-look="${name}"> ${text}</label>`).join('')}</fieldset>
    <div class="plane-curves">${charts()}</div>
    <details class="plane-settings" id="plane-more"><summary>Settings of set and learner</summary>
      <p class="note plane-text" id="plane-text"></p>
      <div class="plane-fields">${['n', 'draw', ...rare].map(control).join('')}
      <label class="field">Watch at <select id="plane-speed" aria-label="Examples a second"><option value="2">2 a second
        </option><option value="10" selected>10 a second</option><option value="50">50 a second</option>
        <option value="300">300 a second</option></select></label></div></details>
    <details><summary>Challenges</summary>${Challenger.html()}</details>
    <details><summary>Files and keys</summary>
      <div class="plane-go"><button type="button" id="plane-save">Save the picture</button>
        <button type="button" id="plane-csv">Save the rows</button></div>
      <label class="field">Open CSV <input type="file" id="plane-file" accept=".csv,text/csv"></label>
      <p class="note" id="plane-keys">A press puts a point; a point can be dragged, and removed by a long press or a right click.
        Keys in the picture: arrows move the cross, 1 to 4 put a point of that class, M takes a point up or lays it down, Delete
        removes one, Ctrl+Z undoes; S is a step, U the next update, B the update before, R runs. The address in the browser names
        all that is set here: copy it to share it.</p></details></div>
  <p class="visually-hidden" role="status" id="plane-say"></p>
</div>`;

    return {html, wrong: wrongNumber, options, check};
})();
