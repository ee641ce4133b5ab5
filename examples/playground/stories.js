'use strict';

/* Six stories. Each step is a text, the state that it talks about and perhaps a chart; the last is one to play with. */
const Stories = (() => {
    const STORIES = {
        what: ['What a perceptron is', [
            ['Each point is an example of one of two classes. A perceptron keeps three numbers: w, which has one ' +
                'for each coordinate, and b. It adds up w\u00b7x + b, and says class 2 if the sum is not below 0. ' +
                'At first all three are 0. Press Step: the sentence below the picture has the sum in numbers.',
            '#plane?n=12&draw=40&epochs=20'],
            ['After one example there is a line: the places where the sum is 0. The short arrow is w; it is at ' +
                'right angles to the line and points to class 2. A wrong point is added to w, or taken away if it ' +
                'is of class 1, so the line turns towards being right about it. Step on, and watch old w, the ' +
                'change, new w.',
            '#plane?n=12&draw=40&epochs=20&at=1'],
            ['Pass after pass, wrong points get rarer. When no point is wrong, nothing changes any more. Now ' +
                'play: put a point of class 1 deep in the other half, and see what the line does. Undo takes it ' +
                'back.',
            '#plane?n=12&draw=40&epochs=20&at=end']]],
        converges: ['Why it converges', [
            ['Suppose some line divides the classes, and every point keeps a distance from it. That line has ' +
                'weights, too: call them w*, of length 1. Each update adds a wrong point to w, and that point lies ' +
                'on the right side of w*. So w.w*, the orange curve, grows by the margin at least. Step, and see it ' +
                'stay above its line.',
            '#plane?draw=20&epochs=50&at=6'],
            ['But w cannot grow fast: what is added points away from w, because w was wrong about it. So ' +
                '|w|\u00b2 grows by R\u00b2 at most, and |w|, the blue curve, stays below the upper dashed line, ' +
                'which bends. The lower one is straight, and w.w* is never more than |w|. So the curves are caught ' +
                'between the two lines.',
            '#plane?draw=20&epochs=50&at=100'],
            ['A straight line must overtake a bent one: at (R / margin)\u00b2 updates, and no later. The note ' +
                'below the curves has the number. Now play: change the rate, and see the curves grow and the bound ' +
                'stay. Put two points of different classes close together, and see the bound jump. Watch it from ' +
                'the start.',
            '#plane?draw=20&epochs=50&at=end']]],
        last: ['Why the last weights are a poor choice', [
            ['One point of class 2 lies among those of class 1. No line is right about all of them. The points ' +
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
            ['Class 2 is where both coordinates have one sign. No line divides these points, and the note below ' +
                'the curves says how that is known: a mixture of the points is 0. The perceptron never ends.',
            '#plane?set=xor&n=80&at=end'],
            ['First cure: a feature more. The product of the two coordinates tells the classes apart. A ' +
                'polynomial kernel of degree 2 has it, among the others that two coordinates make.',
            '#plane?set=xor&n=80&at=end&learner=poly&gamma=1'],
            ['Second cure: compare with examples. An RBF kernel keeps the points that were wrong, ringed here. ' +
                'Each speaks for its class around itself.',
            '#plane?set=xor&n=80&at=end&learner=rbf'],
            ['Third cure: several lines together. Here each corner has a class of its own; of four linear scores ' +
                'the highest wins, and one point of 80 is wrong. Classes 1 and 2 together are one side of XOR, 3 ' +
                'and 4 the other. A network of two layers finds such parts by itself. Now play: go back to the set ' +
                'XOR with other kernels, draw rings or spirals, and see who can.',
            '#plane?set=four&n=80&at=end']]],
        winnow: ['Perceptron against Winnow', [
            ['Two learners read the same messages. A message is a list of words, and few of the many words tell ' +
                'spam. The perceptron adds 1 to the weight of each word of a wrong message, or takes 1 away. Winnow ' +
                'multiplies.',
            '#words?marks=4'],
            ['What is multiplied grows fast, so few words that matter soon outweigh many that do not. These ' +
                'curves are of random votes of p experts, 3 of whom decide: the mistakes of the perceptron (solid) ' +
                'grow with p, up to about 3 p by theory; those of Winnow (dashed) like the logarithm of p.',
            '#words?marks=20', 'committee'],
            ['With 36 messages there is not much between them, because many words matter: 8 mistakes against 7. ' +
                'But of the 167 words Winnow uses fewer. Now play: change the factor and the margin, write messages ' +
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

    let key = '';
    const id = name => document.getElementById(`story-${name}`);

    function at() {
        const [name, step] = key.split('.');
        if (!Object.hasOwn(STORIES, name)) return null;
        const story = STORIES[name];
        return {name, title: story[0], steps: story[1], step: Math.min(story[1].length, Math.max(1, step | 0))};
    }

    /* '' or a key that is none: no story is shown. */
    function show(to) {
        key = to;
        const here = at();
        if (!here) key = '';
        id('panel').hidden = !here;
        id('list').value = here ? here.name : '';
        if (!here) return;
        id('title').textContent = `${here.title} (${here.step} of ${here.steps.length})`;
        const [text, , chart] = here.steps[here.step - 1];
        id('text').textContent = text;
        id('chart').hidden = !chart;
        if (chart) Playground.ready.then(() => committee(id('chart')));
        id('back').disabled = here.step === 1;
        const ends = here.step === here.steps.length, held = document.activeElement;
        id('next').disabled = ends;
        if (ends && held === id('next')) id('close').focus(); /* a button that is off loses the focus */
        if (here.step === 1 && held === id('back')) id('next').focus();
    }

    /* Goes to a step, and to the state that it talks about. */
    function turn(name, step) {
        const to = name ? STORIES[name][1][step - 1][1] : location.hash.replace(/[?&]story=[^&]*/, '');
        return Playground.go(name ? `${to}&story=${name}.${step}` : to);
    }

    function build() {
        for (const name in STORIES) id('list').add(new Option(STORIES[name][0], name));
        id('list').addEventListener('change', () => turn(id('list').value, 1));
        id('back').addEventListener('click', () => turn(at().name, at().step - 1));
        id('next').addEventListener('click', () => turn(at().name, at().step + 1));
        id('reset').addEventListener('click', () => turn(at().name, at().step));
        id('close').addEventListener('click', () => turn('', 1));
    }

    return {STORIES, build, show, now: () => key};
})();
