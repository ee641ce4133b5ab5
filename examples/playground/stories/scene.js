'use strict';

/* One step of a story while it is shown: its state, its picture, and what it says. A step is data with functions of its
 * scene s:
 *
 *     {title, short, text, symbols, enter(s), layout(s), draw(s, P), grips(s, P), on: {drag(s, key, place), ...}}
 *
 * text and symbols may be functions of s. enter() begins the step; layout() gives numbers, each of which moves to its new
 * value; draw() makes the picture of them as SVG, grips() what can be touched. ui: the page that shows it, or null for a
 * picture that nobody touches. */
class Scene {
    constructor(story, index, model, ui, {width, height, small}) {
        Object.assign(this, {story, index, model, ui, W: width, H: height, small, state: {}, over: false, ended: false,
            said: '', past: null});
        this.step = story.steps[index];
        this.unit = small ? 13 : 16;
        this.tween = new Tween(() => this.draw());
        this.P = {};
    }

    async begin(from) {
        await (this.step.enter ? this.step.enter(this) : null);
        if (this.ended) return;
        if (this.step.snapshot) this.past = new Past(this.step.snapshot(this));
        if (this.ui) this.ui.text(this);
        if (from) this.tween.now = from;
        this.aim(from ? 700 : 0);
    }

    /* A number or a text that is a function of the scene, or is as it is. */
    value(of) { return typeof of === 'function' ? of(this) : of; }

    /* ---- Motion ---- */

    layout() {
        const own = this.step.layout || this.story.layout;
        return {W: this.W, H: this.H, ...(own ? own(this) : {})};
    }

    aim(ms = 700) { this.tween.aim(this.layout(), this.ui ? ms : 0); }

    resize({width, height, small}) {
        Object.assign(this, {W: width, H: height, small, unit: small ? 13 : 16});
        this.aim(0);
    }

    /* Neither comes back when the step has been left. */
    play(ms, at) { return this.alive(this.ui ? this.tween.play(ms, at) : Promise.resolve(at(1))); }
    wait(ms) { return this.alive(this.ui ? this.tween.wait(ms) : Promise.resolve()); }
    alive(promise) { return promise.then(value => this.ended ? new Promise(() => {}) : value); }

    draw() {
        if (this.ended || !this.tween.now) return;
        this.P = this.tween.now;
        const draw = this.step.draw || this.story.draw, grips = this.step.grips || this.story.grips;
        this.picture = draw(this, this.P);
        if (this.ui) this.ui.show(this, grips ? grips(this, this.P) : []);
    }

    end() {
        this.ended = true;
        this.tween.stop();
    }

    /* ---- What is said and asked ---- */

    say(html) {
        this.said = html;
        if (this.ui) this.ui.say(this, html);
    }

    /* Buttons [text, act, {main, ...}] and elements, in place of those before. */
    acts(...list) { if (this.ui) this.ui.acts(list); }

    /* Asks before it shows: answers are [text, value]. What was said is remembered. */
    ask(answers, then) {
        this.acts(...answers.map(([text, value = text]) => [text, () => this.answer(value, then)]));
    }

    answer(value, then) {
        if (this.state.guess !== undefined) return;
        this.guess(value);
        this.acts();
        then(value);
    }

    guess(value) {
        this.state.guess = value;
        Memory.set(`${this.story.id}.${this.index + 1}`, value);
        this.draw();
    }

    /* What was said in another step of this story. */
    recall(step) { return Memory.get(`${this.story.id}.${step}`); }

    /* The step has been done: on is the way. */
    done(is = true) {
        this.over = is;
        if (this.ui) this.ui.done(is);
    }

    /* ---- Undo, of steps with snapshot(s) and restore(s, it) ---- */

    keep() {
        if (!this.past) return;
        this.past.push(this.step.snapshot(this));
        if (this.ui) this.ui.undoable(this);
    }

    undo(by = -1) {
        if (!this.past || !this.past.go(by)) return;
        this.step.restore(this, this.past.now);
        if (this.ui) this.ui.undoable(this);
        this.draw();
    }

    /* ---- Hands ---- */

    hand(what, ...of) {
        const on = this.step.on || this.story.on || {};
        if (on[what]) on[what](this, ...of);
    }
}
