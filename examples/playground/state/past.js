'use strict';

/* States to go back to. The first one stays at the bottom, so undoing ends where it began. */
class Past {
    constructor(first, most = 200) {
        Object.assign(this, {all: [first], at: 0, most});
    }

    get now() { return this.all[this.at]; }
    get canUndo() { return this.at > 0; }
    get canRedo() { return this.at + 1 < this.all.length; }

    push(state) {
        this.all = [...this.all.slice(0, this.at + 1), state];
        if (this.all.length > this.most) this.all.splice(1, 1);
        this.at = this.all.length - 1;
    }

    /* by: -1 or 1; true when there is such a state. */
    go(by) {
        if (!this.all[this.at + by]) return false;
        this.at += by;
        return true;
    }
}
