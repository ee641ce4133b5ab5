'use strict';

/* The page for teachers: a lesson, each step as a link, a picture and a frame, worksheets, the projector. */
const Teachers = (() => {
    const page = document.getElementById('teachers');
    /* Minutes, the steps, and what is done. */
    const LESSON = [
        [5, '', 'On the board: the animals of the front page. Who can put a line between cats and dogs? How would a machine?'],
        [10, 'cats/2', 'Projector. The sum, then three mistakes: the class votes left or right before each.'],
        [5, 'cats/4', 'Run. Sorted or shuffled? Hands up, then see.'],
        [12, 'stop/1', 'In pairs, at their own devices: steps 1 to 6. Nobody tells how it ends.'],
        [5, 'stop/6', 'Together: why must ramp and roof meet? Somebody says it in one sentence.'],
        [5, 'xor/1', 'Four corners: two minutes of trying, then the strings.'],
        [3, 'digits/1', 'Somebody draws. Homework: fool it, and say which dots misled it.']];

    const rows = ({id, title, steps}) => `<h3>${title}</h3><table>${steps.map((step, i) => `<tr><td>${i + 1}</td>
        <td><a href="${Address.step(id, i + 1)}">${step.title}</a></td>
        <td><a href="${Address.step(id, i + 1, 'projector')}" aria-label="${step.title}, projector">Projector</a></td>
        <td><a href="${Address.step(id, i + 1, 'embed')}" aria-label="${step.title}, to embed">Embed</a></td>
        <td><a href="${Address.step(id, i + 1, 'picture')}" aria-label="${step.title}, picture only">Picture</a></td>
        <td><button type="button" class="quiet" data-svg="${id}/${i + 1}" aria-label="${step.title} as SVG">SVG</button></td></tr>`).join('')}</table>`;

    const html = () => `
<h1>For teachers</h1>
<p>Six stories, 36 steps, one file: nothing to install, no network, nothing leaves it. Each step asks before it shows.</p>
<h2>A lesson of 45 minutes</h2>
<table>${LESSON.map(([minutes, to, text]) => `<tr><td>${minutes} min</td><td>${text}</td><td>${to
        ? `<a href="#/${to}" aria-label="Open ${to}">Open</a>` : '<a href="#/" aria-label="Open the front">Open</a>'}</td></tr>`).join('')}</table>
<h2>On a projector</h2>
<p>P makes all larger, Escape ends that. Arrows or Page up and Page down turn the steps, as a presenter\u2019s remote does; Space presses the black
  button; Z undoes. In free play S is a step, U the next update, B the update before, R runs.</p>
<h2>On paper</h2>
<p>A story as a worksheet: each step with its text and first picture, answers left open. It prints well in grey: classes differ by sign and shape.</p>
<div class="buttons"><label>Story <select id="sheet-story">${[...Story.all.values()].map(({id, title}) =>
        `<option value="${id}">${title}</option>`).join('')}</select></label>
  <button type="button" class="go" id="sheet-print">Print</button></div>
<h2>Each step</h2>
<p>Embed shows a story\u2019s step without the page around it, Picture its picture only: both fit into an iframe. SVG saves the picture with which it
  begins.</p>
${[...Story.all.values()].map(rows).join('')}
<h2>To go on</h2>
<p>Eight challenges wait in <a href="#/play?challenge=six&n=6&draw=40&epochs=1000&at=end">free play</a>, which knows when each is solved. The course with all proofs and
  exercises is <code>examples/teaching.md</code> of the project.</p>
<div class="buttons"><button type="button" class="go" id="forget">Forget what this browser remembers</button></div>
<p id="forgot" role="status"></p>`;

    async function print() {
        const name = document.getElementById('sheet-story').value, story = Story.all.get(name),
            sheet = document.getElementById('sheet');
        const steps = await Promise.all(story.steps.map(async (step, i) => {
            const text = Story.marked(typeof step.text === 'string' ? step.text : '');
            return `<section><h2>${i + 1}. ${step.title}</h2><p>${text}</p>${await Story.picture(name, i + 1, 720, 440)}</section>`;
        }));
        sheet.innerHTML = `<h1>${story.title}</h1>${steps.join('')}`;
        document.body.classList.add('sheet');
        window.print();
    }

    async function onClick(event) {
        const svg = event.target.closest('[data-svg]');
        if (svg) {
            const [name, step] = svg.dataset.svg.split('/');
            Playground.download(`${name}-${step}.svg`, await Story.picture(name, Number(step)), 'image/svg+xml');
        } else if (event.target.id === 'sheet-print') await print();
        else if (event.target.id === 'forget') {
            Memory.forget();
            document.getElementById('forgot').textContent = 'Forgotten: steps, guesses and colours.';
        }
    }

    function show() {
        if (page.innerHTML) return;
        page.innerHTML = html();
        page.addEventListener('click', onClick);
        addEventListener('afterprint', () => document.body.classList.remove('sheet'));
    }

    return {show};
})();
