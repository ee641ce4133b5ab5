'use strict';

/* What each place of a threshold gives: of scores and labels (above 0: the positive class), the share of false alarms and
 * the share of hits, from the highest threshold down; area: below the curve. */
function roc(scores, labels) {
    const rows = Array.from(scores, (score, i) => [score, labels[i] > 0]).sort((a, b) => b[0] - a[0]);
    const positive = rows.filter(row => row[1]).length, negative = rows.length - positive;
    const points = [{alarms: 0, hits: 0, threshold: Infinity}];
    let hits = 0, alarms = 0, area = 0;
    rows.forEach(([score, is], i) => {
        if (is) hits++;
        else alarms++;
        if (i + 1 < rows.length && rows[i + 1][0] === score) return;
        const last = points[points.length - 1], now = {alarms: alarms / negative, hits: hits / positive, threshold: score};
        area += (now.alarms - last.alarms) * (now.hits + last.hits) / 2;
        points.push(now);
    });
    return {points, area};
}

if (typeof module !== 'undefined') module.exports = {roc};
