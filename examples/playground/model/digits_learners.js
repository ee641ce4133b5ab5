'use strict';

/* The learners of the digits. Gammas are for pixels of 0 to 16. */
const DigitsLearners = {
    averaged: {
        name: 'averaged perceptron', options: {learner: 'averaged'},
        text: 'Keeps the mean of all weights since the start. It reads better than the last weights.'},
    perceptron: {
        name: 'perceptron', options: {learner: 'perceptron'},
        text: 'Adds a misread row to the class that it is, and takes it from the class that was read.'},
    pa: {
        name: 'passive-aggressive', options: {learner: 'pa', limit: 0.1},
        text: 'Steps just as far as makes the row right by a margin of 1.'},
    arow: {
        name: 'AROW', options: {learner: 'arow', r: 100, decision: 'mean'},
        text: 'Each pixel has a rate of its own, which falls as the pixel is used. The mean of all weights reads.'},
    rbf: {
        name: 'kernel, RBF', options: {learner: 'kernel', kernel: 'rbf', gamma: 0.0005, decision: 'mean', bias: 0},
        text: 'Keeps misread rows and compares new ones with them: exp(-0.0005 |x - z|\u00b2). The mean ' +
            'of all models since the start reads.'},
    poly: {
        name: 'kernel, polynomial',
        options: {learner: 'kernel', kernel: 'poly', degree: 3, gamma: 0.001, coef0: 1, decision: 'mean', bias: 0},
        text: 'Keeps misread rows; pixels count in threes: (0.001 x\u00b7z + 1)\u00b3. The mean of all ' +
            'models since the start reads.'}
};
