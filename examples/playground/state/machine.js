'use strict';

/* An explicit state machine. table[state][event] = [next state, what is done], and what is done may be left out. It is
 * the name of one of the actions, and returns the event that follows from it, or nothing. An event that a state does
 * not know changes nothing. entered() is called when the state is another than before. */
class Machine {
    constructor(table, state, actions, entered) {
        Object.assign(this, {table, state, actions, entered});
    }

    send(event, ...given) {
        const before = this.state;
        this.move(event, ...given);
        if (before !== this.state) this.entered();
    }

    move(event, ...given) {
        const [next, action] = this.table[this.state][event] || [this.state];
        this.state = next;
        const then = action && this.actions[action](...given);
        if (then) this.move(then);
    }
}
