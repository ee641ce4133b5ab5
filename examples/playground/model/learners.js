'use strict';

/* The learners of the plane, what is said of each, and the controls. */
const PlaneLearners = (() => {
    const SHARED = ['order', 'seed', 'epochs', 'tests', 'sure', 'refuse', 'best'];
    const RULE = ['product', 'rule', 'rate', 'lambda', 'margin', 'zero', 'batch', 'until', 'pocket', 'lines', 'bias'];
    const KERNEL = ['rule', 'rate', 'lambda', 'margin', 'decision', 'budget', 'policy'];
    /* fields: the controls that have an effect. fixed: options that belong to the learner. */
    const LEARNERS = {
        perceptron: {name: 'perceptron', fixed: {learner: 'perceptron'}, fields: RULE,
            text: 'A wrong point pulls the line towards itself: its vector is added to w, or taken from it. If a ' +
                'line divides the classes, this ends after finitely many updates.'},
        averaged: {name: 'averaged perceptron', fixed: {learner: 'averaged'},
            fields: RULE.filter(name => !['batch', 'until', 'pocket'].includes(name)),
            text: 'It learns as the perceptron does, and predicts by the mean of all weights so far. So the line ' +
                'moves less and less, where the perceptron jumps to and fro.'},
        pa: {name: 'passive-aggressive', fixed: {learner: 'pa'}, fields: ['product', 'c', 'margin', 'bias'],
            text: 'A step is just as long as makes the point right by the margin, but C bounds it. Let C be small ' +
                'where classes overlap.'},
        arow: {name: 'AROW', fixed: {learner: 'arow'}, fields: ['product', 'r', 'margin', 'decision', 'bias'],
            text: 'Each weight has a variance. What has been seen often is sure and moves little, what is new ' +
                'moves much.'},
        winnow: {name: 'Winnow, balanced', fixed: {learner: 'winnow', balanced: true, threshold: 0},
            fields: ['product', 'alpha', 'margin'],
            text: 'A wrong point multiplies weights by a factor to its coordinates. Its line goes through 0, since it has ' +
                'no bias.'},
        poly: {name: 'kernel, polynomial', fixed: {learner: 'kernel', kernel: 'poly'},
            fields: ['degree', 'gamma', 'coef0', ...KERNEL],
            text: 'It keeps wrong points (ringed) and compares with them by (gamma x.z + c) to a power. The ' +
                'borders are curves.'},
        rbf: {name: 'kernel, RBF', fixed: {learner: 'kernel', kernel: 'rbf'}, fields: ['gamma', ...KERNEL],
            text: 'It keeps wrong points (ringed). Each speaks for its class around itself, in a bell as narrow as ' +
                'gamma is large.'},
        voted: {name: 'voted perceptron', fixed: {learner: 'voted'}, fields: KERNEL.filter(name => name !== 'decision'),
            text: 'Every line that it ever had votes once for each point that it survived. The borders become ' +
                'many-sided.'}
    };
    const CONTROLS = { /* label; choices, or [preset, step, least, most] of a number */
        n: ['Points', [60, 1, 4, 2000]],
        draw: ['Draw', [1, 1, 0, 4294967295]],
        rule: ['Rule', ['fixed', 'absolute', 'fractional']],
        rate: ['Rate', [1, 'any', 0.001, 1000]],
        lambda: ['Lambda', [1, 'any', 0.01, 2]],
        margin: ['Margin', ['', 'any', 0, 1000]],
        c: ['C', [0.1, 'any', 0.0001, 1000000]],
        r: ['r', [1, 'any', 0.001, 1000000]],
        alpha: ['Factor', [2, 'any', 1.01, 100]],
        degree: ['Degree', [2, 1, 1, 20]],
        gamma: ['Gamma', [10, 'any', 0.001, 10000]],
        coef0: ['c', [1, 'any', 0, 1000]],
        decision: ['Decision', ['last', 'mean']],
        budget: ['Budget', [0, 1, 0, 2000]],
        policy: ['When full', ['stop', 'oldest', 'random', 'forgetron', 'projectron']],
        product: ['Features', ['no', 'yes']],
        zero: ['At a score of 0', ['Eaton', 'Su', 'Honavar', 'CIML']],
        batch: ['Learns', ['no', 'all']],
        until: ['Ends below', [0.001, 'any', 0, 10]],
        pocket: ['Pocket', ['no', 'yes']],
        lines: ['All its lines', ['no', 'yes']],
        tests: ['Test points', [0, 1, 0, 2000]],
        sure: ['Shade by', ['class', 'probability']],
        refuse: ['Refuses above', [0.2, 'any', 0, 1]],
        best: ['Best line', ['no', 'yes']],
        bias: ['Bias input', [1, 'any', 0, 1000]],
        update: ['Update', ['predicted', 'others', 'uniform', 'one-vs-rest']],
        order: ['Order', ['each', 'once', 'file']],
        seed: ['Seed', [1, 1, 0, 4294967295]],
        epochs: ['Epochs', [10, 1, 1, 10000]]
    };
    /* What is shown for the words of a choice. */
    const WORDS = {order: {each: 'each epoch', once: 'once', file: 'as put'}, product: {no: 'x1, x2', yes: 'x1, x2, x1 x2'},
        batch: {no: 'each row', all: 'all rows at once'}, best: {no: 'hidden', yes: 'shown'},
        pocket: {no: 'none', yes: 'keeps the best'}, lines: {no: 'hidden', yes: 'shown'}};

    /* Of a score of 0: the class that it gives, and whether it is learned from if that is right. */
    const ZEROS = {Eaton: ['positive', 'always'], Su: ['positive', 'predicted'], Honavar: ['negative', 'predicted'],
        CIML: ['negative', 'always']};

    return {ZEROS, LEARNERS, CONTROLS, WORDS, SHARED};
})();
