'use strict';

/* Reads what build.py has put into the page: the engine and the digits, compressed and written in base 64. */
const Unpack = (() => {
    async function bytes(text) {
        const packed = Uint8Array.from(atob(text), c => c.charCodeAt(0));
        const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
        return new Uint8Array(await new Response(stream).arrayBuffer());
    }

    /* Rows of 64 pixels and a digit; every sixth is to test, as in examples/digits.c. */
    function digits(all) {
        const part = {train: {values: [], labels: []}, test: {values: [], labels: []}};
        for (let at = 0, row = 0; at < all.length; at += 65, row++) {
            const to = row % 6 === 0 ? part.test : part.train;
            to.values.push(...all.subarray(at, at + 64));
            to.labels.push(all[at + 64]);
        }
        for (const p of [part.train, part.test]) {
            p.values = Float32Array.from(p.values);
            p.labels = Int32Array.from(p.labels);
        }
        return part;
    }

    return {bytes, digits};
})();
