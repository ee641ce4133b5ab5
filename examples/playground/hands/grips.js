'use strict';

/* What can be dragged or tapped in a picture, by mouse, finger and keys. The elements stay while the picture below them is
 * drawn anew: if the element that a finger holds went, the browser would cancel the touch. A grip:
 *
 *     {key, label, at: [x, y], r, drag, tap}    or    {key, label, rect: [x, y, w, h], tap}
 *
 * on: {hold(key), drag(key, place), drop(key), tap(key, place), nudge(key, dx, dy)} in units of the picture. */
class Grips {
    constructor(svg, on) {
        Object.assign(this, {svg, on, held: null, pointer: null, grips: new Map()});
        this.layer = svg.querySelector('.grips');
        svg.addEventListener('pointerdown', event => this.down(event));
        svg.addEventListener('pointermove', event => this.move(event));
        for (const name of ['pointerup', 'pointercancel']) svg.addEventListener(name, event => this.up(event));
        svg.addEventListener('keydown', event => this.key(event));
    }

    /* The place of an event, in units of the picture. */
    place(event) {
        const box = this.svg.getBoundingClientRect(), view = this.svg.viewBox.baseVal;
        return [(event.clientX - box.left) * view.width / box.width, (event.clientY - box.top) * view.height / box.height];
    }

    show(list) {
        const wanted = new Set(list.map(grip => grip.key));
        for (const [key, {element}] of this.grips)
            if (!wanted.has(key) && key !== this.held) {
                element.remove();
                this.grips.delete(key);
            }
        for (const grip of list) {
            const known = this.grips.get(grip.key), element = known ? known.element : this.make(grip);
            this.grips.set(grip.key, {...grip, element});
            this.set(element, grip);
        }
    }

    make({key, rect, drag}) {
        const element = document.createElementNS('http://www.w3.org/2000/svg', 'g');
        element.setAttribute('class', drag ? 'grip drag' : 'grip');
        element.setAttribute('role', 'button');
        element.setAttribute('tabindex', '0');
        element.dataset.key = key;
        element.innerHTML = rect ? '<rect fill="transparent"/>' : '<circle fill="transparent"/>';
        this.layer.append(element);
        return element;
    }

    set(element, {at, r = 22, rect, label}) {
        const shape = element.firstChild, put = (name, value) => {
            if (shape.getAttribute(name) !== String(value)) shape.setAttribute(name, value);
        };
        if (rect) ['x', 'y', 'width', 'height'].forEach((name, i) => put(name, Math.max(0, Svg.n(rect[i]))));
        else {
            put('r', r);
            element.setAttribute('transform', `translate(${Svg.n(at[0])} ${Svg.n(at[1])})`);
        }
        if (element.getAttribute('aria-label') !== label) element.setAttribute('aria-label', label);
    }

    gripOf(event) {
        const element = event.target.closest('.grip');
        return element ? this.grips.get(element.dataset.key) : null;
    }

    down(event) {
        const grip = this.gripOf(event);
        if (!grip || event.button || this.pointer !== null) return;
        if (!grip.drag) {
            event.preventDefault();
            if (this.on.tap) this.on.tap(grip.key, this.place(event));
            return;
        }
        event.preventDefault();
        grip.element.focus({preventScroll: true});
        this.held = grip.key;
        this.pointer = event.pointerId;
        this.svg.setPointerCapture(event.pointerId);
        this.on.hold(grip.key, this.place(event));
    }

    move(event) {
        if (event.pointerId === this.pointer) this.on.drag(this.held, this.place(event));
    }

    up(event) {
        if (event.pointerId !== this.pointer) return;
        const key = this.held;
        this.held = this.pointer = null;
        this.on.drop(key);
    }

    key(event) {
        const grip = this.gripOf(event);
        if (!grip || event.ctrlKey || event.metaKey || event.altKey) return;
        const by = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key];
        if (by && (grip.drag || grip.arrows)) this.on.nudge(grip.key, ...by.map(v => v * (event.shiftKey ? 5 : 1)));
        else if ((event.key === 'Enter' || event.key === ' ') && !grip.drag) this.on.tap(grip.key, null);
        else return;
        event.preventDefault();
        event.stopPropagation();
    }
}
