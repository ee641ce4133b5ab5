'use strict';

/* What the rooms of the page share. */
const Playground = {
    tabs: {},      /* of free play, by name: {start(section), restore(params, first), show(), hide()} */
    stories: {},   /* by name: {title, sub, open(), steps}; stories/scene.js says what a step is */
    models: {},    /* by name of a tab, what it has trained: {name, engine, options, rows()} */
    wasm: null,    /* WebAssembly.Module, for Engine.create */
    digits: null   /* {train: {values, labels}, test: {values, labels}} */
};

Playground.download = (name, content, type) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([content], {type}));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};

Playground.still = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/* How a tab begins that is opened for the first time. */
Playground.atFirst = () => Playground.still() ? 'run' : 'watch';

/* Resolves when wasm and digits are there. */
Playground.ready = (async () => {
    const text = name => document.getElementById(`packed-${name}`).textContent;
    const [wasm, pixels] = await Promise.all(['engine', 'digits'].map(name => Unpack.bytes(text(name))));
    Playground.wasm = await WebAssembly.compile(wasm);
    Playground.digits = Unpack.digits(pixels);
})();

Playground.engine = async () => {
    await Playground.ready;
    return Engine.create(Playground.wasm);
};
