'use strict';

/* What the words of the page mean, each in a sentence, with its source: shown for the element with data-term that the
 * mouse is over or that has the focus. */
const Terms = (() => {
    const SHOWN = {
        n: 'How many points the set has.',
        draw: 'The number from which a set is drawn: the same number, the same points.',
        beside: 'A second picture: the weight space, or another learner on the same rows in the same order.',
        learner: 'The way in which weights are changed when an example comes. (CIML, section 4.2)',
        rule: 'How long a step is: fixed, just long enough for this row (absolute), or a share of that. (Honavar)',
        rate: 'The length of a step; from weights of 0 with margin 0 it changes no decision. (Su, 2.1)',
        lambda: 'The share of the way to being right that a fractional step goes; above 1 it goes beyond. (Honavar)',
        margin: 'A row is learned unless y times its score is above this. (Su, 2.2)',
        c: 'The longest step that one row may make: small where classes overlap. (Crammer et al. 2006)',
        r: 'How little one row counts against what is known: large is slow. (Crammer, Kulesza and Dredze 2009)',
        degree: 'How many coordinates are multiplied at most: 2 has x\u00b2, xy and y\u00b2. (CIML, section 4.7)',
        gamma: 'How narrow a bell is, or what products of points are multiplied by. (Freund and Schapire 1999)',
        coef0: 'What is added to the product of two points: with 0 there are no terms of lower degree.',
        decision: 'Who predicts: the last weights, or the mean of all since the start. (CIML, section 4.6)',
        budget: 'How many points a kernel may store; 0 is no limit. (Crammer, Kandola and Singer 2003)',
        policy: 'What is done when the budget is full: learn nothing more, or forget a stored point.',
        bias: 'The constant beside the coordinates, so that a line need not go through 0. (CIML, section 4.3)',
        update: 'Which of the wrong classes lose what the right one gains. (Crammer and Singer 2003)',
        order: 'The order of rows in a pass; drawing it anew each time often learns faster. (CIML, section 4.2)',
        seed: 'The number from which the order is drawn.',
        epochs: 'Passes over all rows. (CIML, section 4.2)',
        updates: 'How often weights were changed: Novikoff bounds this number. (Lecture 7, Theorem)',
        mistakes: 'Rows that were read wrong just before they were learned. (Su, 2.2)',
        stored: 'Points that a kernel model compares with. (Freund and Schapire 1999)',
        length: 'The length of w, with b in it. Wrong rows cannot make it grow fast. (CIML, section 4.5)',
        along: 'How far w reaches along w*, the best line: it grows with each update. (CIML, section 4.5)',
        upper: 'No w of k updates is longer: each adds R\u00b2 to |w|\u00b2 at most. (Novikoff 1962)',
        angle: 'The angle between w and w*, with b in both. Novikoff\'s proof makes it small in the end. (CIML, section 4.5)',
        cone: 'After k updates the cosine is at least the margin times \u221ak / R, so the angle is below this. (Novikoff 1962)',
        best: 'w*: no line has a larger margin, and a certificate in numbers shows it. (Lecture 7, section 2)',
        band: 'The margin: between these lines there is no point, and the nearest lie on them. (CIML, section 4.5)',
        w: 'The weights, as an arrow: at right angles to the line, towards the side that it calls +1. (Su, Figure 1)',
        line: 'Where w\u00b7x + b is 0. On one side of it every point is called +1. (Honavar)',
        row: 'The example that has just been read; a larger ring: it changed the weights. (CIML, Algorithm 5)',
        distance: 'The distance of the row to the line as it was: |w\u00b7x + b| / |w|. (Honavar)',
        old: 'The weights before this update. (CIML, figure 4.9)',
        change: 'What is added: y times x, times the rate. (CIML, figure 4.9)',
        points: 'The rows to learn from, in the colours of their classes.',
        tests: 'Other rows of the same set, from which nothing is learned: how well it does where it has not been.',
        product: 'x1 x2 as a third feature. With it a line of three weights bends into a hyperbola. (Eaton)',
        zero: 'Whether a score of 0 is +1, and whether it is learned from if that is right. The texts differ.',
        batch: 'All rows at once: once an epoch w moves by the mean of the steps of its wrong rows. (Eaton)',
        until: 'Ends when the mean step is shorter. All rows are right at the end only if it is small. (Eaton)',
        pocket: 'The weights with the longest run without an update, if they also make fewer errors. (Gallant 1990)',
        lines: 'Every line that there was, the stronger the longer it lasted: so they vote, and their mean is the averaged ' +
            'perceptron. (CIML, section 4.6)',
        sure: 'How probable it is that the class is right, learned from the scores of test points. (Platt 1999)',
        refuse: 'Where an error is more probable than this, it says: I do not know. (Chow 1970)',
        alpha: 'What a weight is multiplied by, for a coordinate of 1. (Littlestone 1988)',
        lower: 'After k updates w reaches this far along w*, at least: each adds the margin. (Novikoff 1962)'
    };

    const tip = document.getElementById('tip');
    let owner = null, lit = '', mouse = ''; /* where it was last */

    /* Lights all that a term names, in the text and in the pictures. */
    function light(term) {
        if (term === lit) return;
        lit = term;
        for (const each of document.querySelectorAll('[data-term]')) each.classList.toggle('lit', each.dataset.term === term);
        document.dispatchEvent(new Event('lit'));
    }

    /* The focus keeps its sentence while a mouse that rests has the page scroll below it. */
    const held = () => owner && owner === document.activeElement;

    function hide() {
        if (owner) owner.removeAttribute('aria-describedby');
        owner = null;
        tip.hidden = true;
        light('');
    }

    function say(text, box) {
        tip.textContent = text;
        tip.hidden = false;
        const wide = document.documentElement.clientWidth - tip.offsetWidth - 8;
        const above = box.bottom + tip.offsetHeight + 8 > innerHeight;
        tip.style.left = `${Math.max(8, Math.min(box.left, wide))}px`;
        tip.style.top = `${above ? box.top - tip.offsetHeight - 4 : box.bottom + 4}px`;
    }

    const placeOf = event => `${event.screenX} ${event.screenY}`;

    function show(event) {
        if (event.type === 'mouseover' && placeOf(event) === mouse) return; /* the page has moved, not the mouse */
        const place = event.target.closest && event.target.closest('[data-term]');
        const text = place && SHOWN[place.dataset.term];
        if (!text && held()) return;
        hide();
        if (!text) return;
        owner = place.matches('label') ? place.control : place;
        owner.setAttribute('aria-describedby', 'tip');
        light(place.dataset.term);
        say(text, place.getBoundingClientRect());
    }

    /* A part of a picture names its term. */
    function point(event) {
        const rests = placeOf(event) === mouse;
        mouse = placeOf(event);
        if (rests) return;
        if (!event.target.parts) return;
        const {left, top} = event.target.getBoundingClientRect();
        const part = Pen.partAt(event.target.parts, event.clientX - left, event.clientY - top);
        if (part === lit || (!part && held())) return;
        hide();
        light(part);
        if (SHOWN[part]) say(SHOWN[part], {left: event.clientX + 12, top: event.clientY - 12, bottom: event.clientY + 12});
    }

    for (const event of ['focusin', 'mouseover']) document.addEventListener(event, show);
    document.addEventListener('mousemove', point);
    document.addEventListener('focusout', hide);
    document.addEventListener('mouseleave', () => held() || hide(), true);
    document.addEventListener('scroll', () => { /* the focus may have scrolled the page */
        if (held()) say(tip.textContent, owner.getBoundingClientRect());
        else hide();
    }, true);
    document.addEventListener('keydown', event => event.key === 'Escape' && hide());

    return {SHOWN, lit: () => lit};
})();
