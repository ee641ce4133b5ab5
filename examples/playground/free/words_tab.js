/* The tab "Words": balanced Winnow and the perceptron learn from the same marks which words tell spam. All marks are
 * learned anew after each change, in their order, so an undone mark leaves no trace. */
'use strict';

Playground.tabs.words = (() => {
    const FIRST_STATE = {marks: '12', margin: null, alpha: null, passes: null}; /* null: as the field has it */
    const SHOWN = 12;            /* heaviest words of a learner */
    const BAR = 24;              /* px, as in words.css */
    const PAUSE = 800;           /* ms between two marks, to watch */
    const MOST_LINES = 200, MOST_LETTERS = 300, MOST_LIVE = 2000; /* letters of the text that is read as it is typed */
    const SPAM = 1, FINE = -1;
    const NAMES = {[SPAM]: 'spam', [FINE]: 'not spam'};

    const LEARNERS = {
        winnow: {name: 'Winnow', text: 'multiplies the weights of the words of a message by a factor'},
        perceptron: {name: 'Perceptron', text: 'adds 1 to the weights of the words of a message, or takes 1 away'}
    };

    /* messages: {text, truth (0: not known), item}. marks: {message, label}, in the order in which they are learned. */
    const state = {messages: [], marks: [], before: [], dictionary: new Map(), timer: 0};
    let section, visible = false;

    /* ---- Learning ------------------------------------------------------------------------------------------- */

    function options(kind) {
        return WordsModel.options(kind, {features: state.dictionary.size, margin: Number(id('margin').value),
            alpha: Number(id('alpha').value), epochs: Number(id('passes').value)});
    }

    function rows() {
        const made = WordsModel.rows(state.marks.map(({message, label}) => ({text: message.text, label})));
        state.dictionary = made.dictionary;
        return made;
    }

    function learn() {
        const made = rows(), {labels} = made;
        for (const kind in LEARNERS) {
            const learner = LEARNERS[kind], given = options(kind), key = `words-${kind}`;
            learner.weights = null;
            delete Playground.models[key];
            if (!state.dictionary.size) continue;
            Object.assign(learner, WordsModel.learn(learner.engine, kind, made, given));
            if (labels.includes(SPAM) && labels.includes(FINE))
                Playground.models[key] = {name: `Words: ${learner.name}`, engine: learner.engine, options: given, rows};
        }
    }

    function weightOf(learner, word) {
        const j = state.dictionary.get(word);
        return learner.weights && j !== undefined ? learner.weights.weight[j] : 0;
    }

    function scoreOf(learner, text) {
        const bias = learner.weights ? learner.weights.bias[0] : 0;
        return [...new Set(Tokens.names(text))].reduce((sum, word) => sum + weightOf(learner, word), bias);
    }

    /* ---- Marks ---------------------------------------------------------------------------------------------- */

    function change(marks, text) {
        state.before.push(state.marks);
        state.marks = marks;
        update();
        tell(true);
        say(typeof text === 'function' ? text() : text);
    }

    /* A mark is taken back by the same mark. */
    function mark(message, label) {
        const old = state.marks.find(m => m.message === message);
        if (!old) change([...state.marks, {message, label}], () => `Marked as ${NAMES[label]}. ${effect()}`);
        else if (old.label === label) change(state.marks.filter(m => m !== old), 'Mark taken back.');
        else change(state.marks.map(m => m === old ? {message, label} : m), `Changed to ${NAMES[label]}.`);
    }

    function undo() {
        if (!state.before.length) return;
        stop();
        state.marks = state.before.pop();
        update();
        say('Undone.');
    }

    function startAgain() {
        stop();
        if (state.marks.length) change([], 'All marks are gone.');
    }

    const isMarked = message => state.marks.some(mark => mark.message === message);
    const next = () => state.messages.find(m => m.truth && !isMarked(m));

    function markNext() {
        const message = next();
        if (!message) return stop();
        mark(message, message.truth);
        id('list').scrollTop = message.item.offsetTop - id('list').clientHeight / 2;
        if (!next()) stop();
    }

    function run() {
        const left = state.messages.filter(m => m.truth && !isMarked(m));
        stop();
        if (left.length) change([...state.marks, ...left.map(message => ({message, label: message.truth}))],
                                `${left.length} messages marked.`);
    }

    function watch() {
        if (state.timer) return stop();
        if (!next()) startAgain();
        state.timer = setInterval(() => { if (visible) markNext(); }, PAUSE);
        id('watch').textContent = 'Pause';
        markNext();
    }

    function stop() {
        clearInterval(state.timer);
        state.timer = 0;
        id('watch').textContent = 'Watch';
    }

    /* Each line of the text box becomes a message. */
    function markText(label) {
        const lines = id('text').value.split('\n').map(line => line.trim().slice(0, MOST_LETTERS))
            .filter(line => Tokens.names(line).length).slice(0, MOST_LINES);
        if (!lines.length) return say('There are no words to mark.');
        const added = lines.map(text => addMessage(text, 0));
        change([...state.marks, ...added.map(message => ({message, label}))],
               `${lines.length === 1 ? 'The message is' : `${lines.length} messages are`} marked as ${NAMES[label]}.`);
        id('list').scrollTop = 0;
    }

    /* ---- What is shown -------------------------------------------------------------------------------------- */

    const id = name => document.getElementById('words-' + name);

    function say(text) {
        id('say').textContent = text;
    }

    function plain(text) {
        return text.replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);
    }

    function shortNumber(a) {
        const size = Math.abs(a), text = size >= 1000 ? size.toPrecision(3) : String(Number(size.toPrecision(3)));
        return (a < 0 ? '\u2212' : a > 0 ? '+' : '') + text;
    }

    /* What the last mark did: whether a learner was right before, and whether it moved. */
    function effect() {
        return Object.values(LEARNERS).map(({name, last}) => {
            const label = state.marks[state.marks.length - 1].label, right = (last.guess > 0 ? SPAM : FINE) === label;
            return `${name} read it ${right ? 'right' : 'wrong'}${last.result ? ', and learned' : ''}.`;
        }).join(' ');
    }

    function heaviest(learner) {
        const all = [...state.dictionary.keys()].map(word => ({word, weight: weightOf(learner, word)}));
        return all.filter(a => a.weight).sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight)).slice(0, SHOWN);
    }

    function bar(learner, word) {
        if (!learner.bars.has(word)) {
            const item = document.createElement('li');
            item.innerHTML = `<b>${plain(word)}</b><span><i></i></span><output></output>`;
            item.style.transform = `translateY(${SHOWN * BAR}px)`;
            learner.place.append(item);
            learner.bars.set(word, item);
            item.getBoundingClientRect(); /* it comes in from below */
        }
        return learner.bars.get(word);
    }

    function showBars(learner) {
        const top = heaviest(learner), most = top.length ? Math.abs(top[0].weight) : 1;
        const shown = new Set(top.map(a => a.word));
        top.forEach(({word, weight}, rank) => {
            const item = bar(learner, word);
            item.className = weight > 0 ? 'spam' : 'fine';
            item.style.transform = `translateY(${rank * BAR}px)`;
            item.style.setProperty('--size', `${50 * Math.abs(weight) / most}%`);
            item.querySelector('output').textContent = shortNumber(weight);
        });
        for (const [word, item] of learner.bars)
            if (!shown.has(word)) {
                item.className = 'gone';
                item.style.transform = `translateY(${SHOWN * BAR}px)`;
            }
        learner.spoken.textContent = top.length
            ? `Heaviest words: ${top.map(a => `${a.word} ${shortNumber(a.weight)}`).join(', ')}.`
            : 'No word has a weight yet.';
    }

    function showCounts(learner) {
        const count = learner.weights ? learner.engine.count : {rows: 0, mistakes: 0, updates: 0};
        const heavy = learner.weights ? learner.weights.weight.reduce((n, w) => n + (w !== 0), 0) : 0;
        learner.counts.textContent = `${count.mistakes} mistakes and ${count.updates} updates in ${count.rows} rows; ` +
            `${heavy} of ${state.dictionary.size} words have a weight`;
    }

    /* The text with its words in the colours of their weights. */
    function highlighted(learner, text) {
        const [top] = heaviest(learner), most = top ? Math.abs(top.weight) : 1;
        let end = 0;
        const parts = Tokens.of(text).map(({at, text: part, name}) => {
            const weight = weightOf(learner, name), between = plain(text.slice(end, at));
            end = at + part.length;
            if (!weight) return between + plain(part);
            const share = Math.round(15 + 65 * Math.abs(weight) / most);
            return `${between}<mark class="${weight > 0 ? 'spam' : 'fine'}" style="--share: ${share}%" ` +
                `title="${shortNumber(weight)}">${plain(part)}</mark>`;
        });
        return parts.join('') + plain(text.slice(end));
    }

    /* At a score of 0 the library reads the positive class, but it is fair to say that nothing is known. */
    function judged(score) {
        return score > 0 ? 'spam' : score < 0 ? 'not spam' : 'undecided';
    }

    function showLive() {
        const all = id('text').value, text = all.length > MOST_LIVE ? `${all.slice(0, MOST_LIVE)}\u2026` : all;
        id('live').innerHTML = Object.values(LEARNERS).map(learner => {
            const score = scoreOf(learner, text), style = score > 0 ? 'spam' : score < 0 ? 'fine' : '';
            return `<div><p><b>${learner.name}</b>: <span class="words-judged ${style}">${judged(score)}</span> ` +
                `<output>${shortNumber(score)}</output></p><p>${highlighted(learner, text)}</p></div>`;
        }).join('');
    }

    function showMessages() {
        const labels = new Map(state.marks.map(m => [m.message, m.label]));
        for (const message of state.messages) {
            const label = labels.get(message) || 0, buttons = message.item.querySelectorAll('button');
            [SPAM, FINE].forEach((each, i) => buttons[i].setAttribute('aria-pressed', String(label === each)));
            message.item.className = label === SPAM ? 'spam' : label === FINE ? 'fine' : '';
            message.item.querySelector('small').innerHTML = Object.values(LEARNERS).map(learner => {
                const score = scoreOf(learner, message.text), wrong = label && score * label <= 0;
                const style = wrong ? 'class="wrong"' : '', more = wrong ? ', wrong' : '';
                return `<span ${style}>${learner.name}: ${judged(score)}${more}</span>`;
            }).join(' ');
        }
    }

    function update() {
        learn();
        for (const learner of Object.values(LEARNERS)) {
            showBars(learner);
            showCounts(learner);
        }
        showLive();
        showMessages();
        id('undo').disabled = !state.before.length;
    }

    /* ---- The frame of it all -------------------------------------------------------------------------------- */

    /* One button of the list is reached by Tab, the others by arrows. */
    function rove(button) {
        for (const each of id('list').querySelectorAll('button')) each.tabIndex = each === button ? 0 : -1;
    }

    function key(event) {
        const buttons = [...id('list').querySelectorAll('button')], at = buttons.indexOf(event.target);
        const by = {ArrowUp: -2, ArrowDown: 2, ArrowLeft: -(at % 2), ArrowRight: 1 - at % 2}[event.key];
        const to = event.key === 'Home' ? at % 2 : event.key === 'End' ? buttons.length - 2 + at % 2 : at + by;
        if (!buttons[to]) return;
        event.preventDefault();
        rove(buttons[to]);
        buttons[to].focus();
    }

    function newMessage(text, truth) {
        const message = {text, truth, item: document.createElement('li')};
        message.item.innerHTML = `<p>${plain(text)}</p><div class="buttons"><button type="button">Spam</button>` +
            '<button type="button">Not spam</button> <small></small></div>';
        const buttons = message.item.querySelectorAll('button');
        [SPAM, FINE].forEach((label, i) => {
            buttons[i].setAttribute('aria-label', `${i ? 'Not spam' : 'Spam'}: ${text}`);
            buttons[i].tabIndex = -1;
            buttons[i].addEventListener('click', () => { rove(buttons[i]); mark(message, label); });
        });
        return message;
    }

    /* What is new stands above. */
    function addMessage(text, truth) {
        const message = newMessage(text, truth);
        state.messages.unshift(message);
        id('list').prepend(message.item);
        return message;
    }

    async function buildLearners() {
        for (const kind in LEARNERS) {
            const learner = LEARNERS[kind];
            learner.engine = await Engine.create(Playground.wasm);
            learner.bars = new Map();
            id('learners').insertAdjacentHTML('beforeend', `
<div class="panel" role="group" aria-labelledby="words-${kind}"><h3 id="words-${kind}">${learner.name}</h3>
  <p class="note">${learner.text}</p>
  <div class="words-sides" aria-hidden="true"><span class="fine">not spam</span><span class="spam">spam</span></div>
  <ul class="words-bars" aria-hidden="true"></ul><p class="visually-hidden"></p><p class="note"></p></div>`);
            const panel = id('learners').lastElementChild;
            learner.place = panel.querySelector('.words-bars');
            [learner.spoken, learner.counts] = [...panel.children].slice(-2);
        }
    }

    function listen() {
        const on = (name, event, act) => id(name).addEventListener(event, act);
        on('step', 'click', () => { stop(); markNext(); });
        on('run', 'click', run);
        on('watch', 'click', watch);
        on('undo', 'click', undo);
        on('again', 'click', startAgain);
        on('spam', 'click', () => markText(SPAM));
        on('fine', 'click', () => markText(FINE));
        on('text', 'input', showLive);
        on('list', 'keydown', key);
        for (const name of ['margin', 'alpha', 'passes']) on(name, 'change', () => { update(); tell(true); });
    }

    async function start(place) {
        section = place;
        await Playground.ready;
        section.insertAdjacentHTML('beforeend', WordsPage.MARKUP);
        await buildLearners();
        for (const [truth, text] of WordsModel.READY.slice().reverse()) addMessage(text, truth);
        rove(id('list').querySelector('button'));
        listen();
        for (const name of ['margin', 'alpha', 'passes']) FIRST_STATE[name] = id(name).value;
    }

    /* The address has how many of the ready messages are marked, from the first on, and the settings. */
    function tell(push) {
        const o = {}, ready = state.messages.filter(m => m.truth), count = ready.findIndex(m => !isMarked(m));
        const now = {marks: String(count < 0 ? ready.length : count)};
        for (const name of ['margin', 'alpha', 'passes']) now[name] = id(name).value;
        for (const name in now) if (now[name] !== FIRST_STATE[name]) o[name] = now[name];
        Playground.address('words', o, push);
    }

    function restore(params) {
        const get = name => params.get(name) ?? FIRST_STATE[name];
        stop();
        for (const name of ['margin', 'alpha', 'passes']) {
            id(name).value = get(name);
            if (!id(name).checkValidity() || id(name).value === '') id(name).value = FIRST_STATE[name];
        }
        state.marks = state.messages.filter(m => m.truth).slice(0, Math.max(0, Number(get('marks')) || 0))
            .map(message => ({message, label: message.truth}));
        state.before = [];
        update();
    }

    return {start, restore, show() { visible = true; }, hide() { visible = false; }};
})();
