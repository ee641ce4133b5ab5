'use strict';

/* The drawing of the tab "Digits", by mouse, finger or keys. */
const DigitsPad = (() => {
    const PIXELS = 64;
    /* Strokes are points from 0 to 1. row: of the test row that is shown instead, or -1. */
    const pad = {strokes: [], pointer: null, x: 0.5, y: 0.25, down: false, row: -1, pixels: new Float32Array(PIXELS),
                 changed: true};
    const MOVES = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
                   Home: [-1, -1], PageUp: [1, -1], End: [-1, 1], PageDown: [1, 1]};
    const KEY_STEP = 1 / 16;

    function drawn() {
        pad.changed = true;
        wake();
    }

    function clear() {
        Object.assign(pad, {strokes: [], row: -1, down: false});
        drawn();
    }

    function undoStroke() {
        pad.strokes.pop();
        Object.assign(pad, {row: -1, down: false});
        drawn();
    }

    function showRow(row) {
        clear();
        pad.row = row;
        pad.pixels = test.values.slice(row * PIXELS, (row + 1) * PIXELS);
    }

    function beginStroke(x, y) {
        if (pad.row >= 0) clear();
        pad.strokes.push([[x, y]]);
        drawn();
    }

    function extend(x, y) {
        pad.strokes[pad.strokes.length - 1].push([x, y]);
        drawn();
    }

    function place(event) {
        const box = event.target.getBoundingClientRect(), inside = a => Math.min(1, Math.max(0, a));
        return [inside((event.clientX - box.left) / box.width), inside((event.clientY - box.top) / box.height)];
    }

    function pointerDown(event) {
        if (event.button || pad.pointer !== null) return;
        pad.pointer = event.pointerId;
        pad.down = false;
        event.target.setPointerCapture(event.pointerId);
        beginStroke(...place(event));
    }

    function pointerMove(event) {
        if (event.pointerId !== pad.pointer) return;
        for (const each of event.getCoalescedEvents ? event.getCoalescedEvents() : [event]) extend(...place(each));
    }

    function pointerUp(event) {
        if (event.pointerId === pad.pointer) pad.pointer = null;
    }

    function key(event) {
        const move = MOVES[event.key], undo = event.key === 'z' && (event.ctrlKey || event.metaKey);
        if (move) movePen(...move);
        else if (event.key === ' ' || event.key === 'Enter') pressPen();
        else if (event.key === 'Backspace' || undo) undoStroke();
        else if (event.key === 'Delete' || event.key === 'Escape') clear();
        else return;
        event.preventDefault();
    }

    function movePen(dx, dy) {
        const inside = a => Math.min(1 - KEY_STEP, Math.max(KEY_STEP, a));
        pad.x = inside(pad.x + dx * KEY_STEP);
        pad.y = inside(pad.y + dy * KEY_STEP);
        if (pad.down) extend(pad.x, pad.y);
        drawn();
    }

    function pressPen() {
        pad.down = !pad.down;
        if (pad.down) beginStroke(pad.x, pad.y);
        drawn();
        say(pad.down ? 'Pen down' : 'Pen up');
    }

    let test, wake, say;                /* of open() */

    /* rows: the test rows; onChange(): something is drawn; onWord(text): something is to be said. */
    function open(canvas, rows, onChange, onWord) {
        [test, wake, say] = [rows, onChange, onWord];
        canvas.addEventListener('pointerdown', pointerDown);
        canvas.addEventListener('pointermove', pointerMove);
        for (const event of ['pointerup', 'pointercancel']) canvas.addEventListener(event, pointerUp);
        for (const event of ['focus', 'blur']) canvas.addEventListener(event, drawn);
        canvas.addEventListener('keydown', key);
    }

    return {pad, open, clear, undoStroke, showRow, drawn};
})();
