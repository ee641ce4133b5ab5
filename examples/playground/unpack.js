'use strict';

/* What the files of the page share. build.py puts the engine and the digits into the page, compressed. */
const Playground = {
    tabs: {},      /* by name: {start(section), restore(params, first), show(), hide()} */
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

/* How a tab begins that is opened for the first time. */
Playground.atFirst = () => matchMedia('(prefers-reduced-motion: reduce)').matches ? 'run' : 'watch';

/* Resolves when wasm and digits are there. */
Playground.ready = (async () => {
    async function unpack(id) {
        const packed = Uint8Array.from(atob(document.getElementById(id).textContent), c => c.charCodeAt(0));
        const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
        return new Uint8Array(await new Response(stream).arrayBuffer());
    }

    /* Rows of 64 pixels and a digit; every sixth is to test, as in examples/digits.c. */
    function digits(bytes) {
        const part = {train: {values: [], labels: []}, test: {values: [], labels: []}};
        for (let at = 0, row = 0; at < bytes.length; at += 65, row++) {
            const to = row % 6 === 0 ? part.test : part.train;
            to.values.push(...bytes.subarray(at, at + 64));
            to.labels.push(bytes[at + 64]);
        }
        for (const p of [part.train, part.test]) {
            p.values = Float32Array.from(p.values);
            p.labels = Int32Array.from(p.labels);
        }
        return part;
    }

    const [wasm, pixels] = await Promise.all([unpack('packed-engine'), unpack('packed-digits')]);
    Playground.wasm = await WebAssembly.compile(wasm);
    Playground.digits = digits(pixels);
})();
