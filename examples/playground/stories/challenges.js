'use strict';

/* Questions that are answered by doing. start: the state to begin with; solved(view): is it answered? said(view): how far
 * it is. view: that of plane_show.js, when nothing moves any more. */
const Challenge = (() => {
    const ended = v => v.fit && v.state === 'ended', wrong = each => each.judged.wrong;
    const plain = ({run}) => run.engine.options.algorithm === 'perceptron' && run.engine.options.rule === 'fixed' &&
        run.engine.options.margin === 0 && run.features === 2;
    const divides = v => v.fit && v.run.star && v.run.star.divides;
    const places = v => v.points.map(p => [p.x, p.y, p.label].join());
    const start = challenge => {
        const params = new URLSearchParams(challenge.start.split('?')[1]), points = params.get('points');
        return (points ? Points.unpack(points) : Points.make(params.get('set') || 'separable', Number(params.get('n')) || 60,
            Number(params.get('draw')) || 1)).map(p => [p.x, p.y, p.label].join());
    };
    /* Points that have been taken from the first ones, and put to them. */
    function changes(v, challenge) {
        const before = start(challenge), now = places(v);
        return {gone: before.filter(p => !now.includes(p)).length, put: now.filter(p => !before.includes(p)).length};
    }

    function judge(challenge, view) {
        if (!view.fit) return {solved: false, text: 'Nothing can be learned yet.'};
        const solved = Boolean(challenge.solved(view, challenge));
        return {solved, text: `${solved ? 'Solved: ' : 'Not yet: '}${challenge.said(view, challenge)}.`};
    }

    return {judge, ended, wrong, plain, divides, changes};
})();

const Challenges = (() => {
    const {ended, wrong, plain, divides, changes} = Challenge;
    const updates = v => `${v.run.count.updates} updates, ${wrong(v.run) ?? 'not yet counted how many'} points wrong` +
        `${ended(v) ? '' : ', and not at the end'}`;

    return {
        point: {title: 'One point too many', start: '#/play?n=12&draw=40&epochs=20&at=end',
            text: 'A line divides these twelve points. Put one more point so that none does any longer. The note below the ' +
                'curves gives the proof.',
            solved: (v, c) => changes(v, c).gone === 0 && changes(v, c).put === 1 && v.run.star &&
                v.run.star.divides === false,
            said: (v, c) => `${changes(v, c).put} points more, ${divides(v) ? 'a' : 'no'} line divides them`},
        rate: {title: 'The right rate', start: '#/play?draw=20&margin=1&rate=0.01&epochs=500&at=end',
            text: 'With margin 0 the rate changes no decision. Here each row must have a score beyond 1, and a rate of 0.01 ' +
                'takes thousands of updates. Find a rate under More settings with which 100 updates are enough.',
            solved: v => ended(v) && v.run.engine.options.margin === 1 && wrong(v.run) === 0 && v.run.count.updates <= 100,
            said: updates},
        six: {title: 'Six hard points', start: '#/play?n=6&draw=40&epochs=1000&at=end',
            text: 'Make the perceptron need more than 30 updates on six points that a line divides. Take points away and put ' +
                'others. What makes (R / margin)\u00b2 large?',
            solved: v => ended(v) && plain(v) && v.points.length === 6 && divides(v) && wrong(v.run) === 0 &&
                v.run.count.updates > 30,
            said: v => `${v.points.length} points, ${divides(v) ? 'a' : 'no'} line divides them, ${updates(v)}`},
        mean: {title: 'Break the mean, spare the last', start: '#/play?n=12&draw=40&epochs=20&at=end&beside=averaged',
            text: 'The mean of all weights is the better choice where classes overlap. Not here: put or take points, or ' +
                'change the epochs, until the last weights have every point right and the mean, beside, has not.',
            solved: v => ended(v) && v.second && v.beside === 'averaged' && plain(v) && wrong(v.run) === 0 &&
                wrong(v.rival) > 0,
            said: v => `the last weights have ${wrong(v.run) ?? '-'} wrong, ` +
                `the mean ${v.second ? wrong(v.rival) ?? '-' : '-'}`},
        gate: {title: 'XOR with a perceptron', start: '#/play?set=xor11&order=file&at=end',
            text: 'Four points, and no line divides them. Let a perceptron with fixed steps get all four right, without a ' +
                'kernel and without moving a point.',
            solved: (v, c) => ended(v) && v.run.linear && changes(v, c).gone + changes(v, c).put === 0 && wrong(v.run) === 0,
            said: updates},
        spirals: {title: 'Few memories', start: '#/play?set=spirals&n=80&learner=rbf&gamma=1&at=end',
            text: 'A kernel stores the points that it got wrong. Here it stores nearly all, and still has many wrong: its ' +
                'bells are as wide as the picture. Find a gamma under More settings with which 12 stored points get all ' +
                '80 right.',
            solved: (v, c) => ended(v) && !v.run.linear && changes(v, c).gone + changes(v, c).put === 0 &&
                wrong(v.run) === 0 && v.run.count.slots <= 12,
            said: v => `${v.run.count.slots} stored, ${wrong(v.run) ?? '-'} wrong`},
        bound: {title: 'A lower bound', start: '#/play?n=20&draw=9&epochs=50&best=yes&at=end',
            text: 'Novikoff\u2019s bound is where the two lines of the second chart cross. Take away two points, and no ' +
                'more, so that it falls below 45. Which points hold the margin?',
            solved: (v, c) => divides(v) && v.run.theory() && changes(v, c).put === 0 && changes(v, c).gone <= 2 &&
                v.run.theory().bound < 45,
            said: (v, c) => `${changes(v, c).gone} points gone, the bound is ` +
                `${v.run.theory() ? Math.floor(v.run.theory().bound) : 'none'}`},
        once: {title: 'Learned at once', start: '#/play?n=6&draw=40&at=end',
            text: 'The first row always changes the weights, since they are 0. Place six points, three of each class, so that ' +
                'this first update is the last one. Clear takes all away.',
            solved: v => ended(v) && plain(v) && v.points.length >= 6 && v.used.every(k => v.points.filter(p =>
                p.label === k).length >= 3) && wrong(v.run) === 0 && v.run.count.updates === 1,
            said: v => `${v.points.length} points, ${updates(v)}`}
    };
})();
