'use strict';

/* The challenge of free play that is open: its text, and how far it is. */
const Challenger = (() => {
    const id = name => document.getElementById(`challenge-${name}`);
    let now = '', solved = false;

    const html = () => `<label class="field">Challenge <select id="challenge-list"><option value="">none</option>${
        Object.entries(Challenges).map(([name, {title}]) => `<option value="${name}">${title}</option>`).join('')}</select></label>
      <div id="challenge-panel" hidden><p id="challenge-text"></p><p id="challenge-verdict" role="status"></p>
        <button type="button" id="challenge-again">This challenge again</button></div>`;

    /* '' or a name that is none: no challenge. */
    function show(name) {
        const before = now;
        now = Object.hasOwn(Challenges, name) ? name : '';
        if (before !== now) solved = false;
        if (!id('list')) return;
        id('list').value = now;
        id('panel').hidden = !now;
        id('panel').closest('details').open = now !== '' || id('panel').closest('details').open;
        if (!now || before === now) return;
        id('text').textContent = Challenges[now].text;
        id('verdict').textContent = '';
    }

    /* Is it solved by what the plane shows? */
    function judge(view) {
        if (!now) return;
        const found = Challenge.judge(Challenges[now], view);
        if (!solved && id('verdict').textContent !== found.text) id('verdict').textContent = found.text;
        id('verdict').classList.toggle('solved', solved || found.solved);
        if (!found.solved || solved) return;
        solved = true;
        const option = id('list').options[id('list').selectedIndex];
        if (!option.textContent.endsWith('\u2713')) option.textContent += ' \u2713';
    }

    function listen() {
        const go = name => {
            now = '';
            const at = name ? `${Challenges[name].start}&challenge=${name}` : location.hash.replace(/[?&]challenge=[^&]*/, '');
            Playground.go(at);
        };
        id('list').addEventListener('change', () => go(id('list').value));
        id('again').addEventListener('click', () => go(now));
        const open = now;
        now = '';
        show(open);
    }

    return {html, show, judge, listen, now: () => now};
})();
