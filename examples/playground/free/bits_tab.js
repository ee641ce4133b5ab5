'use strict';

/* The tab "Same bits": the image of a model that another tab has trained, the command line with which build/perceptron
 * makes the same one, and a place to drop what it has made. */
Playground.tabs.bits = (() => {
    const SLICE = 8;        /* ms of learning at a time, when a tab has not learned to the end */
    const SIDE = 120;       /* pixels of a picture of the plane */
    const MOST_CLASSES = 4; /* that the plane has */
    const HEADER = [[0, 'the mark'], [4, 'the version'], [8, 'the kind'], [12, 'the parts'], [16, 'the features'],
        [20, 'the scores'], [24, 'the stored vectors'], [28, 'the entries of the log'], [32, 'the rows learned'],
        [40, 'the updates'], [48, 'the mistakes'], [56, 'the clock']];

    let section, trainer, reader, painter, model = null, asked = 0;
    const id = name => section.querySelector(`#bits-${name}`);
    const hex = n => (n >>> 0).toString(16).padStart(8, '0');
    const count = n => n.toLocaleString('en');
    const plain = text => text.replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);
    const pause = () => new Promise(resolve => setTimeout(resolve));
    const crcOf = image => new DataView(image.buffer, image.byteOffset).getUint32(image.length - 4, true);

    /* ---- The model of a tab ---------------------------------------------------------------------------------- */

    /* What keeps the program from making the same model; '': nothing. */
    function obstacle(options, labels) {
        const {classes} = options, found = new Set();
        for (const label of labels) found.add(classes === 2 ? Number(label > 0) : label);
        return found.size === classes ? '' : 'Some class has no row. The program counts the labels that there are, ' +
            'and would make another model.';
    }

    function isDone(engine, rows) {
        return engine.learn(0).done || engine.count.rows === engine.options.epochs * rows.labels.length;
    }

    /* The tab's engine if it has learned all there is, else one that learns it now. null: another was asked for. */
    async function finished(entry, rows, ask) {
        if (entry.engine && isDone(entry.engine, rows)) return entry.engine;
        trainer.open(entry.options);
        trainer.setRows(rows.values, rows.labels);
        for (let more = true, n = 16; more;) {
            const start = performance.now();
            more = !trainer.learn(n).done;
            n = Math.max(1, Math.ceil(n * SLICE / (performance.now() - start + 0.1)));
            id('crc').textContent = `learning, ${count(trainer.count.rows)} rows so far`;
            await pause();
            if (ask !== asked) return null;
        }
        return trainer;
    }

    function fillList() {
        const keys = Object.keys(Playground.models), list = id('list'), before = list.value;
        const name = key => plain(Playground.models[key].name);
        list.innerHTML = keys.map(key => `<option value="${key}">${name(key)}</option>`).join('');
        if (keys.includes(before)) list.value = before;
        id('none').hidden = keys.length > 0;
        id('some').hidden = keys.length === 0;
        id('check').hidden = keys.length === 0;
        id('learner').parentElement.hidden = list.value !== 'dropped';
        return list.value;
    }

    /* Shows the model that is chosen. */
    async function refresh() {
        const key = fillList(), entry = Playground.models[key], ask = ++asked;
        model = null;
        if (!entry) return;
        const rows = entry.rows(), wrong = obstacle(entry.options, rows.labels);
        id('crc').textContent = 'learning';
        id('wrong').textContent = wrong;
        try {
            const done = await finished(entry, rows, ask);
            if (!done) return;
            const image = done.image(), s = done.count;
            model = {key, rows, options: entry.options, image, crc: crcOf(image)};
            id('crc').textContent = hex(model.crc);
            id('facts').textContent = `${count(rows.labels.length)} rows of ${count(rows.features)} features. ` +
                `${count(s.rows)} rows learned, ${count(s.updates)} updates, ${count(s.mistakes)} mistakes. ` +
                `The image has ${count(image.length)} bytes.`;
            id('command').innerHTML = command().replace(/\S+/g, word => `<span>${plain(word)}</span>`);
        } catch (error) {
            id('crc').textContent = 'none';
            id('facts').textContent = `The engine says: ${error.message}.`;
        }
        id('check').hidden = !model || wrong !== '';
    }

    /* To train, and to print the checksum in the model file. */
    function command() {
        const {key, options, image} = model, file = `${key}.model`;
        return `${Engine.commandLine(options, `${key}-rows.csv`, file)} &&\n` +
            `od -An -tx4 -j${image.length - 4} -N4 ${file}`;
    }

    async function copy() {
        try {
            await navigator.clipboard.writeText(id('command').textContent);
            say('The command is copied.');
        } catch (error) {
            getSelection().selectAllChildren(id('command'));
            say('It is selected now: copy it with the keys of your system.');
        }
    }

    const say = text => { id('say').textContent = text; };

    /* ---- What is dropped ------------------------------------------------------------------------------------- */

    function partAt(at, image) {
        if (at >= image.length - 4) return 'the checksum';
        if (at < 64) return HEADER.filter(([from]) => from <= at).pop()[1];
        return image[8] === 3 && at < 104 ? 'the settings of the kernel' : 'what was learned';
    }

    function verdict(image) {
        if (!model) return 'There is no model of this page to compare it with.';
        const name = plain(Playground.models[model.key].name), mine = model.image;
        let at = 0;
        while (at < image.length && at < mine.length && image[at] === mine[at]) at++;
        if (at === image.length && at === mine.length)
            return `<strong class="bits-same">The same bytes</strong> as the model of ${name}: all ${count(at)}.`;
        return `<strong class="bits-other">Not the same</strong> as the model of ${name}: ` +
            (at === Math.min(image.length, mine.length)
                ? `${count(image.length)} bytes, not ${count(mine.length)}.`
                : `byte ${count(at)}, counted from 0, is ${image[at]}, not ${mine[at]}. ` +
                    `It belongs to ${partAt(at, mine)}.`);
    }

    function describe(info, bytes, name) {
        const what = {linear: 'frozen weights', perceptron: 'a linear trainer', kernel: 'a kernel model'}[info.kind];
        const classes = info.classes === 2 ? 'two classes' : `${info.classes} classes`, more = bytes.length - info.size;
        return `${plain(name)} holds ${what} of ${classes} and ${count(info.features)} features` +
            (info.kind === 'kernel' ? `, with ${count(info.slots)} stored vectors` : '') + '. ' +
            (info.kind === 'linear' ? '' : `${count(info.rows)} rows, ${count(info.updates)} updates. `) +
            `Checksum <code>${hex(info.crc)}</code>.` +
            (more > 0 ? ` The ${count(more)} bytes behind it are the program's own: labels and options.` : '');
    }

    /* The name of a file may tell whose model it is: as this page proposes it, or downloads it. */
    async function takeImage(bytes, name) {
        const key = name.split(/ \(|\./)[0], keys = Object.keys(Playground.models);
        let info = null;
        if (keys.includes(key)) id('list').value = key;
        await refresh();
        const compared = verdict(bytes.subarray(0, reader.imageSize(bytes) || bytes.length));
        id('result').innerHTML = `<p>${compared}</p><p id="bits-about"></p><div id="bits-picture"></div>`;
        try {
            info = reader.load(bytes);
            id('about').innerHTML = describe(info, bytes, name);
        } catch (error) {
            id('about').textContent = `${name}: ${error.message}.`;
        }
        if (info && info.features === 2) await drawPlane(info);
        if (info && info.features === 64 && info.kind !== 'kernel') drawWeights(info);
    }

    /* A CSV becomes a model of this tab, and points of the plane if it can. */
    async function takeRows(text, name) {
        const rows = Engine.readCsv(text);
        const fits = rows.features === 2 && rows.names.length <= MOST_CLASSES;
        Playground.models.dropped = {name, engine: null, rows: () => rows, options: null};
        id('result').innerHTML = `<p>${plain(name)} has ${count(rows.labels.length)} rows of ${count(rows.features)} ` +
            `features and ${rows.names.length} labels: ${rows.names.slice(0, 12).map(plain).join(', ')}` +
            `${rows.names.length > 12 ? ', ...' : ''}. They are trained here, in the list above.</p>` +
            (fits ? '<button type="button" id="bits-plane">Show the points in the plane</button>' : '');
        if (fits) id('plane').addEventListener('click', () => toPlane(rows, name));
        await trainDropped();
    }

    function trainDropped() {
        const entry = Playground.models.dropped, {features, classes} = entry.rows();
        entry.options = {learner: id('learner').value, features, classes};
        fillList();
        id('list').value = 'dropped';
        return refresh();
    }

    async function toPlane(rows, name) {
        await Playground.open('plane');
        Playground.tabs.plane.setRows(rows, name);
    }

    async function take(file) {
        const bytes = new Uint8Array(await file.arrayBuffer());
        const isImage = bytes[0] === 80 && bytes[1] === 67 && bytes[2] === 78 && bytes[3] === 26; /* "PCN" 0x1a */
        try {
            if (isImage) await takeImage(bytes, file.name);
            else await takeRows(new TextDecoder().decode(bytes), file.name);
        } catch (error) {
            id('result').innerHTML = `<p>${plain(file.name)}: ${plain(error.message)}.</p>`;
        }
    }

    /* ---- Pictures of what is dropped ------------------------------------------------------------------------- */

    function color(name) {
        const context = document.createElement('canvas').getContext('2d');
        context.fillStyle = getComputedStyle(section).getPropertyValue(name).trim() || 'gray';
        context.fillRect(0, 0, 1, 1);
        return context.getImageData(0, 0, 1, 1).data;
    }

    function canvasOf(side, label) {
        const canvas = document.createElement('canvas');
        canvas.width = canvas.height = side;
        canvas.setAttribute('role', 'img');
        canvas.setAttribute('aria-label', label);
        id('picture').append(canvas);
        return canvas;
    }

    function paint(canvas, colors) {
        const context = canvas.getContext('2d'), picture = context.createImageData(canvas.width, canvas.height);
        colors.forEach((c, i) => picture.data.set(c, 4 * i));
        context.putImageData(picture, 0, 0);
    }

    /* A square around the rows of the model that is chosen, or around 0. */
    function frame() {
        const all = model && model.rows.features === 2 ? model.rows.values : [-1, 1];
        let low = Infinity, high = -Infinity;
        for (const v of all) {
            low = Math.min(low, v);
            high = Math.max(high, v);
        }
        const rim = 0.1 * (high - low || 1);
        return {low: low - rim, step: (high - low + 2 * rim) / SIDE};
    }

    async function drawPlane(info) {
        const canvas = canvasOf(SIDE, 'Regions of its classes'), {low, step} = frame();
        const points = new Float32Array(2 * SIDE * SIDE);
        for (let i = 0; i < SIDE * SIDE; i++) {
            points[2 * i] = low + step * (i % SIDE + 0.5);
            points[2 * i + 1] = low + step * (SIDE - Math.floor(i / SIDE) - 0.5);
        }
        const scores = await painter.scores(reader, points, SIDE * SIDE), k = info.scores;
        if (!scores) return;
        const of = ['--neg-tint', '--pos-tint', '--third-tint', '--fourth-tint'].map(color); /* as in the plane */
        const best = i => {
            if (k === 1) return Number(scores[i] >= 0);
            let c = 0;
            for (let j = 1; j < k; j++) if (scores[i * k + j] > scores[i * k + c]) c = j;
            return c;
        };
        paint(canvas, Array.from({length: SIDE * SIDE}, (_, i) => of[best(i) % of.length]));
    }

    /* Of each score one picture of 8 x 8: blue speaks for its class, orange against. */
    function drawWeights(info) {
        const {weight} = reader.weights(), most = weight.reduce((m, w) => Math.max(m, Math.abs(w)), 0) || 1;
        const paper = color('--paper'), ends = [color('--neg'), color('--pos')];
        for (let s = 0; s < info.scores; s++) {
            const canvas = canvasOf(8, `Weights of class ${info.scores === 1 ? 1 : s}`);
            paint(canvas, Array.from(weight.subarray(64 * s, 64 * s + 64), w => {
                const end = ends[Number(w > 0)], share = Math.abs(w) / most;
                return [0, 1, 2].map(i => paper[i] + share * (end[i] - paper[i])).concat(255);
            }));
        }
    }

    /* ---- The tab --------------------------------------------------------------------------------------------- */

    const PAGE = `
<div class="bits-columns">
  <div class="panel" role="group" aria-labelledby="bits-model"><h3 id="bits-model">A model of this page</h3>
    <p class="note" id="bits-none">Nothing is trained yet. Let the plane, the digits or the words learn something and
      come back, or drop a CSV below.</p>
    <div id="bits-some">
      <div class="buttons"><label class="field">Model of <select id="bits-list"></select></label>
        <label class="field">Learner <select id="bits-learner"></select></label></div>
      <p class="bits-crc"><span>CRC-32</span> <output id="bits-crc"></output></p>
      <p class="note" id="bits-facts"></p>
      <p id="bits-wrong"></p>
    </div>
    <p class="note">A model is an image: the same bytes on every machine, whatever its processor. The page has the
      library as WebAssembly; the program on your machine is native code. Both take every sum in the same order, so no
      bit may differ. The last four bytes of an image are a checksum of all the others.</p></div>
  <div class="panel" role="group" aria-labelledby="bits-program" id="bits-check">
    <h3 id="bits-program">See it yourself</h3>
    <ol>
      <li><p>Build the program in the project's folder with <code>make</code>, and put the rows there:</p>
        <div class="buttons"><button type="button" id="bits-rows">Download the rows (CSV)</button></div></li>
      <li><p>Let it learn the same. The last line that it prints is the checksum:</p>
        <pre tabindex="0" aria-label="Command"><code id="bits-command"></code></pre>
        <div class="buttons"><button type="button" id="bits-copy" class="primary">Copy the command</button></div></li>
      <li><p>To compare all bytes, drop the model file below. Or take the image and let <code>cmp</code> compare the
        two: it comes to the end of the image, which is shorter, without a difference.</p>
        <div class="buttons"><button type="button" id="bits-image">Download the image</button></div></li>
    </ol></div>
  <div class="panel bits-drop" role="group" aria-labelledby="bits-files" id="bits-drop">
    <h3 id="bits-files">Drop a file</h3>
    <p>A model file or an image is compared with the model above, and shown. A CSV (numbers, the label last) is trained
      here; one with two columns of numbers can be points of the plane.</p>
    <label class="field">File <input type="file" id="bits-file"></label>
    <div id="bits-result" role="status"></div></div>
</div>
<p class="visually-hidden" role="status" id="bits-say"></p>`;

    async function start(element) {
        section = element;
        section.insertAdjacentHTML('beforeend', PAGE);
        [trainer, reader] = await Promise.all([Engine.create(Playground.wasm), Engine.create(Playground.wasm)]);
        painter = new Painter(Playground.wasm);
        id('learner').innerHTML = Object.keys(Engine.learners).map(name => `<option>${name}</option>`).join('');
        id('list').addEventListener('change', refresh);
        id('learner').addEventListener('change', trainDropped);
        id('copy').addEventListener('click', copy);
        id('rows').addEventListener('click', () => model && Playground.download(`${model.key}-rows.csv`,
            Engine.csv(model.rows.values, model.rows.labels, model.rows.features, model.options.classes), 'text/csv'));
        id('image').addEventListener('click', () => model &&
            Playground.download(`${model.key}.image`, model.image, 'application/octet-stream'));
        id('file').addEventListener('change', async event => {
            if (event.target.files[0]) await take(event.target.files[0]);
            event.target.value = ''; /* the same file may come again, changed */
        });
        return refresh();
    }

    return {start, take, show: refresh, hide: () => { asked++; }};
})();
