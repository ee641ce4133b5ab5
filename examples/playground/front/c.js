'use strict';

/* The page of the same in C: the program that computes what "Why does it stop?" shows, with the header's calls. */
const InC = (() => {
    const page = document.getElementById('c');

    const program = points => `#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include <stdio.h>

int main(void)
{
    static const float x[${points.length}][2] = {
        ${points.map(([a, b]) => `{${a}f, ${b}f}`.replace(/\b0f/g, '0.0f')).join(', ').replace(/(.{60,90}?\}), /g, '$1,\n        ')}};
    static const int y[${points.length}] = {${points.map(p => Math.max(0, p[2])).join(', ')}}; // 1: blue
    static float memory[PCN_PERCEPTRON_FLOATS(2, 2)];
    pcn_perceptron m;
    pcn_pass pass;
    uint32_t row;
    int result = pcn_perceptron_init(&m, 2, 2, memory, sizeof memory);
    if (result < 0) return puts(pcn_error_text(result)), 2;
    m.learner.bias_input = 0;                          // the line turns on a pin
    pcn_pass_init(&pass, ${points.length}, 1000, 1);
    pass.order = PCN_ORDER_FILE;                       // one by one, as they stand
    while (pcn_pass_next(&pass, &row))                 // until a round goes by without a mistake
        pcn_pass_note(&pass, pcn_perceptron_learn(&m, pcn_dense(x[row], 2), y[row]));
    printf("%u mistakes, w = (%.2f, %.2f)\\n", (unsigned)m.learner.count.mistakes, m.live.weight[0], m.live.weight[1]);
    return 0;
}
`;

    const html = text => `
<h1>The same in C</h1>
<p>All that this page computes is computed by one C header, <code>perceptron.h</code>, which is in the page as WebAssembly. This program does what
  \u201c<a href="#/stop/1">Why does it stop?</a>\u201d shows, with the same points:</p>
<pre tabindex="0" aria-label="Program"><code id="c-program">${text.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</code></pre>
<div class="buttons"><button type="button" class="go" id="c-copy">Copy</button></div>
<p id="c-said" role="status"></p>
<p>Save it beside the header as <code>stop.c</code>, then:</p>
<pre tabindex="0" aria-label="Commands">cc stop.c -o stop -lm && ./stop</pre>
<h2>Which call does what</h2>
<table>${[['Can one line tell cats from dogs?', 'pcn_perceptron_learn, pcn_perceptron_predict; learner.zero_class'], ['Why does it stop?', 'pcn_pass_next, pcn_pass_note; pcn_measure_add gives Novikoff\u2019s bound'],
        ['What if no line fits?', 'pcn_kperceptron_init with pcn_kernel_rbf; pcn_perceptron_use_batch'], ['Why average?', 'pcn_perceptron_use_averaging, pcn_perceptron_final'],
        ['Why multiply?', 'pcn_perceptron_use_winnow'], ['Can 8 KB read your handwriting?', 'pcn_perceptron_init with 10 classes; pcn_perceptron_save_part']]
        .map(([story, calls]) => `<tr><td>${story}</td><td><code>${calls}</code></td></tr>`).join('')}</table>
<h2>To the bit</h2>
<p>The program on your machine makes the very bytes that this page makes: <a href="#/play/bits">Same bits</a> shows how to see that.</p>`;

    function show() {
        if (page.innerHTML) return;
        const text = program(Playground.stories.stop.points).replace(/\t/g, '    ');
        page.innerHTML = html(text);
        document.getElementById('c-copy').addEventListener('click', async () => {
            const said = document.getElementById('c-said');
            try {
                await navigator.clipboard.writeText(text);
                said.textContent = 'Copied.';
            } catch (error) {
                getSelection().selectAllChildren(document.getElementById('c-program'));
                said.textContent = 'It is selected now: copy it with the keys of your system.';
            }
        });
    }

    return {show};
})();
