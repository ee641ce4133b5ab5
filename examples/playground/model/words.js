'use strict';

/* Messages as rows of words, the options of the two learners that read them, and messages that are ready to be marked: 1 is
 * spam, -1 is not. */
const WordsModel = (() => {
    const READY = [
        [1, 'Win a free holiday now, just click and claim your prize'],
        [-1, 'Are we still on for lunch today at noon?'],
        [1, 'You have won cash, call now to claim it today'],
        [-1, 'The meeting moved to Monday at ten, same room'],
        [-1, 'Can you call me when you are home?'],
        [1, 'Last chance: your free prize ends today'],
        [1, 'Cheap watches, best price, order now and save'],
        [-1, 'Your order of printer paper came this morning'],
        [-1, 'Are you free on Friday evening for a film?'],
        [1, 'Get a loan in minutes, no questions, click here'],
        [-1, 'The train is late, I will be there at eight'],
        [1, 'Congratulations, you are our lucky winner, claim your cash'],
        [1, 'Your parcel waits, pay a small fee, click the link now'],
        [-1, 'Please send me the report before the meeting'],
        [1, 'Special offer: two for one, best price, only today'],
        [-1, 'Thanks for the soup, it was lovely'],
        [-1, 'Your parcel is with the neighbour, she is home until six'],
        [1, 'Work from home and earn cash every week, no skills needed'],
        [-1, 'The library book is due this week'],
        [1, 'Double your money in a week, safe and easy'],
        [1, 'Free tickets for you, text WIN to claim'],
        [-1, 'Could you pick up bread and milk on the way home?'],
        [-1, 'Who won the match last night? I missed it'],
        [1, 'You are chosen for a secret offer, reply now to win'],
        [-1, 'Notes of the meeting are in the usual folder'],
        [1, 'Lose weight fast with this one trick, order today'],
        [-1, 'I left the keys on the kitchen table'],
        [1, 'Best deal of the year, save on every order, click here'],
        [1, 'Claim your free ringtone now, text YES'],
        [-1, 'Happy birthday, see you at the party on Saturday'],
        [1, 'Your account is locked, click the link and pay the fee'],
        [-1, 'We need two more chairs for Friday'],
        [1, 'Play and win: free coins, easy money, no risk'],
        [-1, 'The cat is back from the vet, all is well'],
        [-1, 'Shall I book the table for four or for six?'],
        [1, 'Hot shares will double this week, buy now']
    ];

    /* kind: 'winnow' or 'perceptron'. */
    function options(kind, {features, margin = 4, alpha = 2, epochs = 1}) {
        const common = {classes: 2, features, margin, order: 'file', epochs};
        return Object.assign(common, kind === 'winnow' ? {learner: 'winnow', balanced: true, alpha, threshold: 0}
            : {learner: 'perceptron', rate: 1});
    }

    /* Of marks {text, label}, rows of 0 and 1. A word has the number of its first appearance. */
    function rows(marks) {
        const words = marks.map(({text}) => new Set(Tokens.names(text))), dictionary = new Map();
        for (const word of words.flatMap(set => [...set])) if (!dictionary.has(word)) dictionary.set(word, dictionary.size);
        const features = dictionary.size, values = new Float32Array(features * words.length);
        words.forEach((set, i) => {
            for (const word of set) values[i * features + dictionary.get(word)] = 1;
        });
        return {values, labels: Int32Array.from(marks, mark => mark.label), features, dictionary};
    }

    /* A learner that has read these rows, one after the other: {engine, weights, last (what learnOne said)}. */
    function learn(engine, kind, made, more = {}) {
        const own = options(kind, {features: made.features, ...more});
        let last = null;
        engine.open(own);
        engine.setRows(made.values, made.labels);
        for (let pass = 0; pass < own.epochs; pass++)
            for (let row = 0; row < made.labels.length; row++) last = engine.learnOne(row);
        return {last, weights: engine.weights()};
    }

    return {READY, options, rows, learn};
})();
