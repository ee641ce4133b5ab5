'use strict';

/* What the program takes for words (perceptron/text/words.h), with marks: a letter or digit, one of a script without
 * blanks, an accent, a blank; all else is a mark. */
const Tokens = (() => {
    const CHARACTER = '(?=[\\p{L}\\p{N}])[\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3005-\\u30ff\\u31f0-\\u31ff' +
        '\\u3400-\\u9fff\\uf900-\\ufaff\\uff66-\\uff9f\\u{1b000}-\\u{1b2ff}\\u{20000}-\\u{3ffff}]';
    const LETTER = `(?!${CHARACTER})[\\p{L}\\p{N}]`, JOINS = '[\\p{M}\\u200c\\u200d]';
    const TOKEN = new RegExp(`(?<word>${LETTER}(?:${LETTER}|${JOINS}|['\\u2019](?=${LETTER}))*)|` +
        `(?<character>${CHARACTER})|(?<joins>${JOINS})|(?<blank>(?![\\p{Co}\\p{Cn}])[\\p{Z}\\p{C}])|(?<mark>.)`, 'gsu');
    const LETTER_NEXT = /^[\p{L}\p{N}]/u;

    /* The words, marks and characters: {at, text, name, touches: is it a pair with the one before?}. */
    function of(text) {
        const found = [];
        let before = 'blank';
        for (const {0: part, index: at, groups} of text.matchAll(TOKEN)) {
            let kind = Object.keys(groups).find(each => groups[each] !== undefined);
            if (kind === 'joins' && before === 'character') kind = before;
            const inside = ['word', 'character'].includes(before) && LETTER_NEXT.test(text.slice(at + 1));
            if (/^['\u2019]$/.test(part) && inside) kind = 'blank';
            if (kind === 'joins') continue;
            const touches = kind === before && kind !== 'word', small = part.toLowerCase();
            const name = kind === 'word' ? small.replace(/\u2019/g, "'") : small;
            if (kind !== 'blank') found.push({at, text: part, name, touches});
            before = kind;
        }
        return found;
    }

    /* The features of a text: its tokens, and pairs that touch. */
    function names(text) {
        const tokens = of(text);
        return tokens.flatMap(({name, touches}, i) => touches ? [tokens[i - 1].name + name, name] : [name]);
    }

    return {of, names};
})();
