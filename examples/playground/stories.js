'use strict';

/* Six stories, and the challenges. Each step is a text, the state that it talks about and perhaps a chart; the last is one
 * to play with. In a text {word} and {word|shown} are terms, which light what they name. */
const Stories = (() => {
    const STORIES = {
        what: ['What a perceptron is', [
            ['Each point is an example of one of two classes, \u22121 and +1. A perceptron keeps three numbers: {w}, which ' +
                'has one for each coordinate, and b. It adds up w\u00b7x + b, and says +1 if the sum is not below 0. ' +
                'At first all three are 0. Press Step: the sentence below the picture has the sum in numbers.',
            '#plane?n=12&draw=40&epochs=20'],
            ['After one example there is a {line}: the places where the sum is 0. The arrow on it is {w}; it is at ' +
                'right angles to the line and points to class +1. A wrong {row|point} is added to w, or taken away if it ' +
                'is of class \u22121, so the line turns towards being right about it. Press Next update, and watch {old|old ' +
                'w}, the {change}, new w.',
            '#plane?n=12&draw=40&epochs=20&at=1'],
            ['Pass after pass, wrong points get rarer. When no point is wrong, nothing changes any more. Drag the line of ' +
                'time to see each update again. Now play: put a point of class \u22121 deep in the other half, and see ' +
                'what the line does. Undo takes it back.',
            '#plane?n=12&draw=40&epochs=20&at=end']]],
        converges: ['Why it converges', [
            ['Suppose some line divides the classes, and every point keeps a distance from it. The green one is the ' +
                '{best|best}, and the dotted {gamma|band} around it is empty. It has weights, too: call them w*, of length 1. ' +
                'Each update adds a wrong point to w, and that point lies on the right side of w*. So {along|w.w*} ' +
                'grows by the margin at least. Press Next update, and see it stay above its {lower|line}.',
            '#plane?draw=20&epochs=50&best=yes&at=6'],
            ['But w cannot grow fast: what is added points away from w, because w was wrong about it. So |w|\u00b2 grows ' +
                'by R\u00b2 at most, and {length||w|} stays below the {upper|upper line}. Since w.w* is never more than ' +
                '|w|, both curves are caught between the two lines. With factors on both axes both are straight, and ' +
                'the lower one is steeper.',
            '#plane?draw=20&epochs=50&best=yes&at=100'],
            ['So they must cross, at (R / margin)\u00b2 updates, and no later may the last update come. The {angle} ' +
                'between w and w* need not fall each time, but what {cone|bounds} it does. Now play: change the rate under ' +
                'More settings, and see the curves move and the crossing stay. Put two points of different classes close ' +
                'together, and see it jump.',
            '#plane?draw=20&epochs=50&best=yes&at=end']]],
        last: ['Why the last weights are a poor choice', [
            ['One {points|point} of class +1 lies among those of class \u22121. No line is right about all of them. The points ' +
                'come in the order in which they were put, and the outlier is the last of the 60. It comes next: ' +
                'press Step.',
            '#plane?set=outlier&order=file&epochs=5&at=59'],
            ['A line may be right about a thousand points, and then one outlier moves it away. Whoever takes the ' +
                'last weights takes what the outlier has left. Before the outlier comes for the fifth time 3 points ' +
                'are wrong. Step three times: it leaves 30 wrong.',
            '#plane?set=outlier&order=file&epochs=5&at=297'],
            ['The second picture shows the mean of all weights since the start, of the same updates: 2 points ' +
                'wrong, not 30. A line that was right for long counts much, one that lasted for a moment hardly. ' +
                'The vote of all lines is the other cure. Now play: choose "voted perceptron" beside it, or move ' +
                'the outlier.',
            '#plane?set=outlier&order=file&epochs=5&at=end&beside=averaged']]],
        xor: ['XOR and its three cures', [
            ['Class +1 is where both coordinates have one sign. No line divides these points. The note "No ' +
                'line divides the classes" says how that is known: a mixture of the points is 0. The perceptron never ends.',
            '#plane?set=xor&n=80&at=end'],
            ['First cure: a feature more. The product of the two coordinates tells the classes apart. With ' +
                '{product|x1 x2} beside them three weights do it, and their line is a hyperbola. A polynomial kernel of ' +
                'degree 2 has that feature, too: choose it as the learner.',
            '#plane?set=xor&n=80&at=end&product=yes'],
            ['Second cure: compare with examples. An RBF kernel keeps the points that were wrong, {stored|ringed} here. ' +
                'Each speaks for its class around itself.',
            '#plane?set=xor&n=80&at=end&learner=rbf'],
            ['Third cure: several lines together. Here each corner has a class of its own; of four linear scores ' +
                'the highest wins, and one point of 80 is wrong. Classes 1 and 2 together are one side of XOR, 3 ' +
                'and 4 the other. A network of two layers finds such parts by itself. Now play: go back to the set ' +
                'XOR with other kernels, draw rings or spirals, and see who can.',
            '#plane?set=four&n=80&at=end']]],
        winnow: ['Perceptron against Winnow', [
            ['Two learners read the same messages. A message is a list of words and marks, and few of the many words tell ' +
                'spam. The perceptron adds 1 to the weight of each word of a wrong message, or takes 1 away. Winnow ' +
                'multiplies.',
            '#words?marks=4'],
            ['What is multiplied grows fast, so few words that matter soon outweigh many that do not. These ' +
                'curves are of random votes of p experts, 3 of whom decide: the mistakes of the perceptron ' +
                'grow with p, up to about 3 p by theory; those of Winnow like the logarithm of p.',
            '#words?marks=20', 'committee'],
            ['With 36 messages there is not much between them, because many words matter: 7 mistakes each. ' +
                'But of the 170 words and marks Winnow uses fewer. Now play: change the factor and the margin, write messages ' +
                'of your own, mark one wrongly, and see which learner minds it more.',
            '#words?marks=36']]],
        digits: ['Learning to read digits on 8 KB', [
            ['Each digit is a picture of 8 x 8 dots with 17 shades. Ten classes have 64 weights and a bias each: ' +
                'the trainer takes 10 x 67 numbers of four bytes, which is 2,680. Press Step and see one be ' +
                'learned.',
            '#digits?epochs=3'],
            ['After one pass, 1,497 rows, the weights have become pictures of what each digit looks for. The ' +
                'last weights are a poor choice here, too: the mean of all of them reads better. Its sums take ' +
                '5,200 bytes more. So 7,880 bytes learn, and a controller with 8 KB and a small program can do it.',
            '#digits?epochs=3&at=1497'],
            ['Now draw a digit yourself, with the mouse, a finger or the keys, and see what it reads and what ' +
                'comes next. Press "Next test digit" to see one that it has not learned from.',
            '#digits?epochs=3&at=4491']]]
    };

    let key = '', solved = false;
    const id = name => document.getElementById(`story-${name}`);
    const all = () => ({...STORIES, ...Object.fromEntries(Object.entries(Challenges).map(([name, c]) =>
        [name, [c.title, [[c.text, c.start]]]]))});

    function at() {
        const [name, step] = key.split('.'), stories = all();
        if (!Object.hasOwn(stories, name)) return null;
        const [title, steps] = stories[name];
        return {name, title, steps, step: Math.min(steps.length, Math.max(1, step | 0))};
    }

    function write(text) {
        id('text').replaceChildren(...text.split(/(\{[^}]+\})/).map(part => {
            const term = part.match(/^\{(\w+)(?:\|(.+))?\}$/), mark = document.createElement('span');
            if (!term) return part;
            Object.assign(mark, {className: 'term', tabIndex: 0, textContent: term[2] || term[1]});
            mark.dataset.term = term[1];
            return mark;
        }));
    }

    /* '' or a key that is none: no story is shown. */
    function show(to) {
        const before = key;
        key = to;
        const here = at();
        if (!here) key = '';
        id('panel').hidden = !here;
        document.body.classList.toggle('told', Boolean(here));
        document.body.dataset.story = key;
        id('list').value = here ? here.name : '';
        if (before !== key) solved = false;
        if (!here || before === key) return;
        id('title').textContent = here.steps.length > 1 ? `${here.title} (${here.step} of ${here.steps.length})` : here.title;
        const [text, , chart] = here.steps[here.step - 1];
        write(text);
        id('verdict').textContent = '';
        id('chart').hidden = !chart;
        if (chart) Playground.ready.then(() => committee(id('chart')));
        const ends = here.step === here.steps.length, held = document.activeElement;
        id('back').disabled = here.step === 1;
        id('next').disabled = ends;
        if (ends && held === id('next')) id('close').focus(); /* a button that is off loses the focus */
        if (here.step === 1 && held === id('back')) id('next').focus();
    }

    /* Is the challenge that is shown solved by the state of the plane? */
    function judge(view) {
        const challenge = Object.hasOwn(Challenges, key.split('.')[0]) && Challenges[key.split('.')[0]];
        if (!challenge) return;
        const found = Challenge.judge(challenge, view);
        if (!solved && id('verdict').textContent !== found.text) id('verdict').textContent = found.text;
        id('verdict').classList.toggle('solved', solved || found.solved);
        if (!found.solved || solved) return;
        solved = true;
        const option = [...id('list').options].find(each => each.value === key.split('.')[0]);
        if (!option.textContent.endsWith('\u2713')) option.textContent += ' \u2713';
    }

    /* Goes to a step, and to the state that it talks about. */
    function turn(name, step) {
        const to = name ? all()[name][1][step - 1][1] : location.hash.replace(/[?&]story=[^&]*/, '');
        if (name) key = '';
        return Playground.go(name ? `${to}${to.includes('?') ? '&' : '?'}story=${name}.${step}` : to);
    }

    function by(steps) {
        const here = at();
        if (here && here.steps[here.step + steps - 1]) turn(here.name, here.step + steps);
    }

    function build() {
        const groups = {Stories: STORIES, Challenges: all()};
        for (const label in groups) {
            const group = document.createElement('optgroup');
            group.label = label;
            for (const name in groups[label])
                if (label === 'Stories' || !STORIES[name]) group.append(new Option(groups[label][name][0], name));
            id('list').append(group);
        }
        id('list').addEventListener('change', () => turn(id('list').value, 1));
        id('back').addEventListener('click', () => by(-1));
        id('next').addEventListener('click', () => by(1));
        id('reset').addEventListener('click', () => turn(at().name, at().step));
        id('close').addEventListener('click', () => turn('', 1));
        document.addEventListener('keydown', event => { /* as a presenter's remote sends them */
            const steps = {PageDown: 1, PageUp: -1}[event.key];
            if (!steps || !document.documentElement.dataset.view) return;
            event.preventDefault();
            by(steps);
        });
    }

    return {STORIES, build, show, judge, now: () => key};
})();
