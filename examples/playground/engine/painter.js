'use strict';

/* Scores of all points of a picture, for which the page never waits. Kernel models go to a worker as an image: with
 * 2,000 stored vectors a picture takes a tenth of a second, and a mean or a vote of them half a second or more. Without
 * a worker the page scores in slices itself. Linear models are so fast that they are scored at once.
 *
 *     const score = await painter.scores(engine, values, rows)
 *
 * One picture is scored at a time, and one waits. null: a later one has taken its place. */
class Painter {
    constructor(wasm) {
        this.calls = 0;
        this.answered = 0; /* the latest call with an answer */
        this.running = this.waiting = null;
        this.helper = Engine.create(wasm);
        try {
            const script = `'use strict';\n${Engine}\n${Painter}\nPainter.serve();\n`;
            this.worker = new Worker(URL.createObjectURL(new Blob([script], {type: 'text/javascript'})));
            this.worker.onmessage = ({data}) => this.answer(data);
            this.worker.onerror = () => this.giveUp();
            this.worker.postMessage({wasm});
        } catch (error) {
            this.worker = null;
        }
    }

    scores(engine, values, rows) {
        const number = ++this.calls, {algorithm, decision} = engine.options;
        if (algorithm !== 'kernel' && algorithm !== 'voted') {
            this.answered = number;
            return Promise.resolve(engine.scores(values, rows));
        }
        return new Promise(resolve => {
            if (this.waiting) this.waiting.resolve(null);
            this.waiting = {number, resolve, job: {image: engine.image(), decision, values, rows}};
            this.next();
        });
    }

    /* What was asked for is not wanted any more. */
    forget() { this.answered = this.calls; }

    next() {
        if (this.running || !this.waiting) return;
        this.running = this.waiting;
        this.waiting = null;
        if (this.worker) this.worker.postMessage(this.running.job);
        else this.scoreHere(this.running.job);
    }

    answer(score) {
        const {number, resolve} = this.running, late = number <= this.answered;
        this.running = null;
        if (!late) this.answered = number;
        resolve(late ? null : score);
        this.next();
    }

    /* Slices of 8 ms. */
    async scoreHere({image, decision, values, rows}) {
        const engine = await this.helper, {features, scores} = engine.load(image, decision);
        const score = new Float32Array(rows * scores);
        let most = 64;
        for (let at = 0, n; at < rows; at += n) {
            const start = performance.now();
            n = Math.min(most, rows - at);
            score.set(engine.scores(values.subarray(at * features, (at + n) * features), n), at * scores);
            most = Math.max(32, Math.ceil(8 * n / (performance.now() - start + 0.1)));
            await new Promise(resolve => setTimeout(resolve));
        }
        this.answer(score);
    }

    /* The worker does not work: what it has not answered is scored here. */
    giveUp() {
        this.worker = null;
        if (this.running) this.scoreHere(this.running.job);
    }

    /* In the worker. */
    static serve() {
        let engine = null;
        self.onmessage = async ({data}) => {
            if (data.wasm) {
                engine = Engine.create(data.wasm);
                return;
            }
            const ready = await engine;
            ready.load(data.image, data.decision);
            const score = ready.scores(data.values, data.rows);
            self.postMessage(score, [score.buffer]);
        };
    }
}

if (typeof module !== 'undefined') module.exports = {Painter};
