'use strict';

/* Six stories. Each step is a text and the state that it talks about; the last is one to play with. */
const Stories = (() => {
    const STORIES = {
        what: ['What a perceptron is', [
            ['Each point is an example of one of two classes. A perceptron keeps three numbers: w, which has one for each ' +
                'coordinate, and b. It adds up w\u00b7x + b, and says class 2 if the sum is not below 0. At first all ' +
                'three are 0. Press Step: the sentence below the picture has the sum in numbers.',
            '#plane?n=12&epochs=20'],
            ['After some examples there is a line: the places where the sum is 0. The short arrow is w; it is at right ' +
                'angles to the line and points to class 2. A wrong point is added to w, or taken away if it is of ' +
                'class 1, so the line turns towards being right about it. Step on, and watch old w, the change, new w.',
            '#plane?n=12&epochs=20&at=8'],
            ['Pass after pass, wrong points get rarer. When no point is wrong, nothing changes any more. Now play: put ' +
                'a point of class 1 deep in the other half, and see what the line does. Undo takes it back.',
            '#plane?n=12&epochs=20&at=end']]],
        converges: ['Why it converges', [
            ['Suppose some line divides the classes, and every point keeps a distance from it. That line has weights, too: ' +
                'call them w*, of length 1. Each update adds a wrong point to w, and that point lies on the right side ' +
                'of w*. So w.w*, the orange curve, grows by the margin at least. Step, and see it stay above its line.',
            '#plane?n=30&epochs=50&at=6'],
            ['But w cannot grow fast: what is added points away from w, because w was wrong about it. So |w|\u00b2 grows ' +
                'by R\u00b2 at most, and |w|, the blue curve, stays below the upper dashed line, which bends. The lower ' +
                'one is straight, and w.w* is never more than |w|. So the curves are caught between the two lines.',
            '#plane?n=30&epochs=50&at=40'],
            ['A straight line must overtake a bent one: at (R / margin)\u00b2 updates, and no later. The note below the ' +
                'curves has the number. Now play: change the rate, and see the curves grow and the bound stay. Put two ' +
                'points of different classes close together, and see the bound jump. Watch it from the start.',
            '#plane?n=30&epochs=50&at=end']]],
        last: ['Why the last weights are a poor choice', [
            ['One point of class 1 lies among those of class 2. No line is right about all of them. The points come in the ' +
                'order in which they were put, and the outlier is the last but one.',
            '#plane?set=outlier&order=file&epochs=5&at=58'],
            ['A line may be right about a thousand points, and then one outlier moves it away. Whoever takes the last ' +
                'weights takes what the outlier has left. Press Step a few times: the line jumps.',
            '#plane?set=outlier&order=file&epochs=5&at=297'],
            ['The second picture shows the mean of all weights since the start, of the same updates. A line that was ' +
                'right for long counts much, one that lasted for a moment hardly. The vote of all lines is the other ' +
                'cure. Now play: choose "voted perceptron" beside it, or move the outlier.',
            '#plane?set=outlier&order=file&epochs=5&at=end&beside=averaged']]],
        xor: ['XOR and its three cures', [
            ['Class 2 is where both coordinates have one sign. No line divides these points, and the note below the ' +
                'curves says how that is known: a mixture of the points is 0. The perceptron never ends.',
            '#plane?set=xor&n=80&at=end'],
            ['First cure: a feature more. The product of the two coordinates tells the classes apart. A polynomial ' +
                'kernel of degree 2 has it, among the others that two coordinates make.',
            '#plane?set=xor&n=80&at=end&learner=poly&gamma=1'],
            ['Second cure: compare with examples. An RBF kernel keeps the points that were wrong, ringed here. Each ' +
                'speaks for its class around itself.',
            '#plane?set=xor&n=80&at=end&learner=rbf'],
            ['Third cure: several lines. The voted perceptron lets every line vote that it ever had. With lines alone ' +
                'it is better than one of them, not always right; a second layer that learns would be. Now play: change ' +
                'kernels, draw rings or spirals, and see who can.',
            '#plane?set=xor&n=80&at=end&learner=rbf&beside=voted']]],
        winnow: ['Perceptron against Winnow', [
            ['Two learners read the same messages. A message is a list of words, and few of the many words tell spam. The ' +
                'perceptron adds 1 to the weight of each word of a wrong message, or takes 1 away. Winnow multiplies.',
            '#words?marks=4'],
            ['What is multiplied grows fast: the words that matter soon stand out, and those that come with everything ' +
                'stay small. Of p words, of which k matter, Winnow makes about k log p mistakes, the perceptron up to ' +
                'p k. With many words and few that matter, Winnow wins.',
            '#words?marks=20'],
            ['All are marked now. Compare the heaviest words of the two, and their mistakes. Now play: change the factor, ' +
                'write messages of your own, mark one wrongly, and see which learner minds it more.',
            '#words?marks=36']]],
        digits: ['Learning to read digits on 8 KB', [
            ['Each digit is a picture of 8 x 8 dots with 17 shades. Ten classes have 64 weights and a bias each: the ' +
                'trainer takes 10 x 67 numbers of four bytes, which is 2,680. Press Step and see one be learned.',
            '#digits?epochs=3'],
            ['After one pass, 1,497 rows, the weights have become pictures of what each digit looks for. The last ' +
                'weights are a poor choice here, too: the mean of all of them reads better. Its sums take 5,200 bytes ' +
                'more. So 7,880 bytes learn, and a controller with 8 KB and a small program can do it.',
            '#digits?epochs=3&at=1497'],
            ['Now draw a digit yourself, with the mouse, a finger or the keys, and see what it reads and what comes ' +
                'next. Press "Next test digit" to see one that it has not learned from.',
            '#digits?epochs=3&at=4491']]]
    };

    let key = '';
    const id = name => document.getElementById(`story-${name}`);

    function at() {
        const [name, step] = key.split('.'), story = STORIES[name];
        return story ? {name, title: story[0], steps: story[1], step: Math.min(story[1].length, Math.max(1, step | 0))} : null;
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
        id('text').textContent = here.steps[here.step - 1][0];
        id('back').disabled = here.step === 1;
        id('next').disabled = here.step === here.steps.length;
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
