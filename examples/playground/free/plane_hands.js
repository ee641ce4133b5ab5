'use strict';

/* Points of the plane by mouse, touch, keys and files. plane: {id(name), section, picture, points(), change(points, made,
 * fitted), drag(points), drop(), wake(), say(text), seen() (the frame), names(), refuse(text)}. A press on a point drags it, a
 * press on paper puts one; a long press, a right click or Delete removes one. */
function PlaneHands(plane) {
    const REACH = 0.07;             /* of a point that is to be removed or taken by keys */
    const MOST_POINTS = 2000, LONG = 600; /* ms of a long press */
    const NEAR = {mouse: 14, touch: 22, pen: 16}, STILL = 6; /* pixels: to a point that is taken; a press that is no drag */
    const {id, section, picture, points, change, say} = plane;
    let tool = 0, cursor = null, taken = -1, press = null;

    function nearest(x, y) {
        const far = points().map(p => (p.x - x) ** 2 + (p.y - y) ** 2), least = Math.min(...far);
        return least < REACH * REACH ? far.indexOf(least) : -1;
    }

    function put(x, y, label) {
        if (points().length >= MOST_POINTS) return say('There is room for 2,000 points.');
        const p = {x: Points.fit(x), y: Points.fit(y), label};
        change([...points(), p]);
        return say(`Class ${plane.names()[label]} at ${p.x.toFixed(2)}, ${p.y.toFixed(2)}: ${points().length} points.`);
    }

    function remove(x, y) {
        const at = nearest(x, y);
        if (at < 0) return say('No point there.');
        change(points().filter((_, i) => i !== at));
        return say(`Removed: ${points().length} points.`);
    }

    function move(at, x, y) {
        const p = {...points()[at], x: Points.fit(x), y: Points.fit(y)};
        plane.drag(points().map((each, i) => i === at ? p : each));
        return p;
    }

    function use(x, y, removing) {
        if (removing || tool === 'remove') remove(x, y);
        else put(x, y, tool);
    }

    /* Places of the window and of the plane. */
    function placeOf(event) {
        const box = picture.getBoundingClientRect(), {cx, cy, half} = plane.seen();
        return [cx + half * (2 * (event.clientX - box.left) / box.width - 1),
            cy + half * (1 - 2 * (event.clientY - box.top) / box.height)];
    }

    function pageOf(x, y) {
        const box = picture.getBoundingClientRect(), {cx, cy, half} = plane.seen();
        return [box.left + box.width * (x - cx + half) / 2 / half, box.top + box.height * (cy + half - y) / 2 / half];
    }

    /* Points from anywhere. What leaves the picture is centred and shrunk, both ways alike, and the page says so. */
    function setPoints(to, name = 'The points', classes = []) {
        const middle = of => (Math.min(...to.map(of)) + Math.max(...to.map(of))) / 2;
        const out = to.some(p => Math.abs(p.x) > 1 || Math.abs(p.y) > 1);
        const cx = out ? middle(p => p.x) : 0, cy = out ? middle(p => p.y) : 0, short = v => Number(v.toPrecision(5));
        const scale = out ? Math.max(...to.map(p => Math.max(Math.abs(p.x - cx), Math.abs(p.y - cy)))) / 0.95 || 1 : 1;
        const called = Points.names(classes.map((_, k) => k));
        const text = classes.length ? ` Classes: ${classes.map((c, i) => `${called[i]} is ${c}`).join(', ')}.` : '';
        const fit = p => ({x: Points.fit((p.x - cx) / scale), y: Points.fit((p.y - cy) / scale), label: p.label});
        change(to.map(fit), null, !out ? `${name}: as they are.${text}` :
            `${name}: x is (value - ${short(cx)}) / ${short(scale)}, y is (value - ${short(cy)}) / ` +
            `${short(scale)}, so that all fit into the picture.${text}`);
    }

    function setRows({values, labels, features, names}, name) {
        if (features !== 2) throw new Error(`rows of 2 numbers and a label are needed, these have ${features}`);
        if (names.length > PlaneDraw.COLORS.length) throw new Error(`the plane has 4 classes, these are ${names.length}`);
        if (labels.length > MOST_POINTS) throw new Error(`there is room for 2,000 points, these are ${labels.length}`);
        setPoints(Array.from(labels, (label, i) => ({x: values[2 * i], y: values[2 * i + 1], label})), name, names);
    }

    async function takeCsv(file) {
        try {
            setRows(Engine.readCsv(await file.text()), file.name);
        } catch (error) {
            plane.refuse(`${file.name}: ${error.message}.`);
        }
    }

    function chooseTool(to) {
        tool = to === 'remove' ? to : Number(to);
        for (const button of section.querySelectorAll('[data-tool]'))
            button.setAttribute('aria-pressed', String(button.dataset.tool === String(to)));
    }

    /* The buttons have the classes' names. */
    function name(names) {
        for (const button of section.querySelectorAll('[data-tool]:not([data-tool=remove])')) {
            const words = names[button.dataset.tool];
            button.querySelector('b').textContent = words;
            button.setAttribute('aria-label', `Class ${words}`);
        }
    }

    function onKey(event) {
        const moves = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key];
        cursor = cursor || {x: 0, y: 0};
        if (moves) {
            const by = event.shiftKey ? 0.01 : 0.05, fit = v => Math.max(-1, Math.min(1, v));
            cursor = {x: fit(cursor.x + by * moves[0]), y: fit(cursor.y + by * moves[1])};
            if (taken >= 0) move(taken, cursor.x, cursor.y);
        } else if (event.key === 'm' || event.key === 'M') {
            if (taken >= 0) plane.drop();
            taken = taken >= 0 ? -1 : nearest(cursor.x, cursor.y);
            say(taken >= 0 ? 'The arrows move this point; M lays it down.' : 'No point is held.');
        } else if (/^[1-4]$/.test(event.key)) {
            put(cursor.x, cursor.y, Number(event.key) - 1);
        } else if (event.key === 'Enter' || event.key === ' ') {
            use(cursor.x, cursor.y, false);
        } else if (event.key === 'Delete' || event.key === 'Backspace') {
            remove(cursor.x, cursor.y);
        } else return;
        event.preventDefault();
        plane.wake();
    }

    function saveRows() {
        const text = points().map(p => `${Engine.number(p.x)},${Engine.number(p.y)},${p.label}\n`).join('');
        Playground.download('plane.csv', text, 'text/csv');
    }

    /* ---- A press: {id, at: the point that is near, from, moved, timer} ---- */

    function pixels(at, event) {
        const [x, y] = pageOf(points()[at].x, points()[at].y);
        return Math.hypot(x - event.clientX, y - event.clientY);
    }

    function nearestTo(event) {
        let best = -1;
        points().forEach((_, i) => { if (best < 0 || pixels(i, event) < pixels(best, event)) best = i; });
        return best >= 0 && pixels(best, event) <= (NEAR[event.pointerType] || NEAR.touch) ? best : -1;
    }

    function onDown(event) {
        if (event.button || press) return;
        press = {id: event.pointerId, at: nearestTo(event), from: [event.clientX, event.clientY], moved: false};
        press.timer = setTimeout(() => {
            if (press.at >= 0) remove(...placeOf(event));
            press.gone = press.at >= 0;
        }, LONG);
        picture.setPointerCapture(event.pointerId);
    }

    function onMove(event) {
        if (!press || event.pointerId !== press.id || press.gone) return;
        if (!press.moved && Math.hypot(event.clientX - press.from[0], event.clientY - press.from[1]) < STILL) return;
        press.moved = true;
        clearTimeout(press.timer);
        if (press.at < 0 || tool === 'remove') return;
        move(press.at, ...placeOf(event));
        plane.wake();
    }

    function onUp(event) {
        if (!press || event.pointerId !== press.id) return;
        const {at, moved, timer, gone} = press;
        press = null;
        clearTimeout(timer);
        if (gone || event.type === 'pointercancel') return plane.drop();
        if (moved) return at >= 0 ? plane.drop() : undefined;
        if (tool !== 'remove' && !event.shiftKey && at >= 0 && pixels(at, event) < 8)
            return say('A point: drag it, or press long to remove it.');
        return use(...placeOf(event), event.shiftKey);
    }

    picture.addEventListener('pointerdown', onDown);
    picture.addEventListener('pointermove', onMove);
    for (const name of ['pointerup', 'pointercancel']) picture.addEventListener(name, onUp);
    picture.addEventListener('touchstart', event => { /* a finger on a point drags it, and does not scroll */
        const [touch] = event.touches;
        if (nearestTo({clientX: touch.clientX, clientY: touch.clientY, pointerType: 'touch'}) >= 0) event.preventDefault();
    }, {passive: false});
    picture.addEventListener('contextmenu', event => {
        event.preventDefault();
        if (event.pointerType !== 'touch') remove(...placeOf(event));
    });
    picture.addEventListener('keydown', onKey);
    for (const button of section.querySelectorAll('[data-tool]'))
        button.addEventListener('click', () => chooseTool(button.dataset.tool));
    id('csv').addEventListener('click', saveRows);
    id('file').addEventListener('change', async event => {
        if (event.target.files[0]) await takeCsv(event.target.files[0]);
        event.target.value = ''; /* the same file may come again, changed */
    });

    return {name, setPoints, setRows, takeCsv, pageOf, cursor: () => document.activeElement === picture ? cursor : null};
}
