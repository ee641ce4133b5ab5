'use strict';

/* Motion: numbers go from where they are to their targets, one after the other or all at once. draw() is called in each
 * frame; where motion is unwelcome, the end is there at once. */
class Tween {
    constructor(draw) {
        Object.assign(this, {draw, now: null, layout: null, from: null, began: 0, lasts: 0, frame: 0, moving: null});
    }

    static ease(t) { return t < 0.5 ? 4 * t * t * t : 1 - (2 - 2 * t) ** 3 / 2; }

    /* All numbers of a layout go to these. */
    aim(layout, ms) {
        this.layout = layout;
        const first = !this.now || Object.keys(layout).some(name => !Number.isFinite(this.now[name]));
        if (first || Playground.still() || !ms) {
            this.now = {...layout};
            this.from = null;
            this.draw();
            return;
        }
        this.from = {...this.now};
        this.began = performance.now();
        this.lasts = ms;
        this.wake();
    }

    /* at(0 .. 1), in so many ms. */
    play(ms, at) {
        return new Promise(done => {
            if (Playground.still()) {
                at(1);
                this.draw();
                done();
                return;
            }
            this.moving = {began: performance.now(), ms, at, done};
            this.wake();
        });
    }

    wait(ms) { return new Promise(done => setTimeout(done, Playground.still() ? 0 : ms)); }

    stop() {
        this.moving = null;
        this.from = null;
    }

    wake() {
        if (!this.frame) this.frame = requestAnimationFrame(time => this.onFrame(time));
    }

    onFrame(time) {
        this.frame = 0;
        let done = null;
        if (this.from) {
            const t = Math.min(1, Math.max(0, (time - this.began) / this.lasts)), e = Tween.ease(t);
            for (const name in this.layout) this.now[name] = this.from[name] + (this.layout[name] - this.from[name]) * e;
            if (t >= 1) this.from = null;
        }
        if (this.moving) {
            const {began, ms, at} = this.moving, t = Math.min(1, Math.max(0, (time - began) / ms));
            at(Tween.ease(t));
            if (t >= 1) ({done} = this.moving);
            if (t >= 1) this.moving = null;
        }
        this.draw();
        if (done) done();
        if (this.from || this.moving) this.wake();
    }
}
