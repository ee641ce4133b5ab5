"""Free play before a class: gates as `perceptron train --trace` has them, the line of time, bounds, terms, challenges, features,
test points and batches."""
import json
import math
import re
import shlex
import xml.etree.ElementTree

import devtools
from cli import OUT, check, must, put

PLANE = "Playground.test.plane"
ENDED = f"{PLANE}.state() === 'ended'"


class Hands:
    """A visitor with a mouse, or with a finger."""

    def __init__(self, browser, finger=False):
        self.browser, self.finger = browser, finger

    def press(self, selector):
        if self.finger:
            self.browser.touch([self.browser.centre(selector)])
        else:
            self.browser.press(selector)

    def point(self, x, y, remove=False):
        """At a place of the plane."""
        x, y = self.browser.evaluate(f"(() => {{ const [x, y] = {PLANE}.place({x}, {y}); "
                                     "return [x + scrollX, y + scrollY]; })()")
        if self.finger and remove:
            self.press("[data-tool=remove]")
        if self.finger:
            self.browser.touch([(x, y)])
        else:
            self.browser.click(x, y, "right" if remove else "left")


class Keys:
    """A visitor without a mouse."""

    def __init__(self, browser):
        self.browser, self.finger, self.place, self.label = browser, False, [-100, -100], "1"
        browser.evaluate("document.querySelector('#plane-canvas').focus()")
        for key in ["ArrowLeft"] * 40 + ["ArrowDown"] * 40:
            browser.key(key)

    def press(self, selector):
        if "data-tool" in selector:
            self.label = str(int(re.search(r"\d", selector)[0]) + 1)
            return
        self.browser.evaluate(f"document.querySelector('{selector}').focus()")
        self.browser.key("Enter")

    def point(self, x, y, remove=False):
        self.browser.evaluate("document.querySelector('#plane-canvas').focus()")
        for axis, (less, more) in enumerate((("ArrowLeft", "ArrowRight"), ("ArrowDown", "ArrowUp"))):
            off = round(100 * (x, y)[axis]) - self.place[axis]
            for count, held in ((abs(off) // 5, 0), (abs(off) % 5, devtools.SHIFT)):
                for _ in range(count):
                    self.browser.key(more if off > 0 else less, held)
            self.place[axis] += off
        self.browser.key("Delete" if remove else self.label)


def go(browser, link):
    browser.evaluate(f"Playground.go({json.dumps(link)})")
    tab = (re.match(r"#/play/(\w+)|#(\w+)", link) or [0, 0, 0])[1] or (re.match(r"#(\w+)", link) or [0, "plane"])[1]
    browser.until(f"!document.querySelector('#tab-of-{tab}').hidden && !!document.querySelector('#tab-of-{tab} :is(.panel, .plane-side)')", 8)


def choose(browser, name, value):
    browser.evaluate(f"""(() => {{ const e = document.querySelector('#plane-{name}'); e.value = '{value}';
        e.dispatchEvent(new Event('change', {{bubbles: true}})); }})()""")


def settle(browser):
    browser.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60))))")


def in_view(browser, selector):
    return browser.evaluate(f"""(() => {{ const b = document.querySelector('{selector}').getBoundingClientRect();
        return b.height > 0 && b.top >= 0 && b.bottom <= innerHeight && b.left >= 0 && b.right <= innerWidth; }})()""")


# ---- Gates ----

def gates(browser):
    """Step tells each row of each gate by each convention as the program's trace does; all points lie within the picture."""
    go(browser, "#plane")
    sets = browser.evaluate("Object.keys(Points.SETS).filter(name => Points.SETS[name].gate)")
    check(len(sets) == 8, f"gates: {sets}")
    for at, gate in enumerate(sets):
        zeros = browser.evaluate("Object.keys(PlaneLearners.ZEROS)")
        for zero in zeros if at in (0, 5) else zeros[at % 4:at % 4 + 1]:
            compare(browser, gate, zero)
        inside = browser.evaluate(f"""{PLANE}.points().every(p => {{ const box =
            document.querySelector('#plane-canvas').getBoundingClientRect(), far = 0.06 * box.width;
            return p.pageX > box.left + far && p.pageX < box.right - far && p.pageY > box.top + far &&
                p.pageY < box.bottom - far; }})""")
        names = browser.evaluate("[...document.querySelectorAll('[data-tool] b')].slice(0, 2).map(b => b.textContent).join()")
        expected = "0,1" if gate.endswith("01") or zero == "Honavar" else "\u22121,+1"
        check(inside and names == expected, f"{gate}, {zero}: inside {inside}, classes {names}")


def compare(browser, gate, zero):
    go(browser, f"#plane?set={gate}&order=file&epochs=4&zero={zero}")
    browser.until(f"{PLANE}.state() === 'paused' && {PLANE}.run().seen === 0", 5)
    rows, command = browser.evaluate("""(() => { const m = Playground.models.plane, r = m.rows();
        return [Engine.csv(r.values, r.labels, r.features, 1), Engine.commandLine(m.engine.options)]; })()""")
    trace = must("train", "-q", "--trace", *shlex.split(command)[2:-2], put("gate.csv", rows), OUT + "/gate.model")
    lines = [line.split() for line in trace.splitlines()]
    head = lines[0]
    check(len(lines) == 17, f"{gate}, {zero}: the trace has {len(lines)} lines")
    for line in lines[1:]:
        row = dict(zip(head, line))
        browser.evaluate("document.querySelector('#plane-step').click()")
        move = browser.evaluate(f"""(() => {{ const m = {PLANE}.run().move, w = m.before;
            return [m.row + 1, w.weight[0] * m.x[0] + w.weight[1] * m.x[1] + w.bias[0], m.fired, Number(m.guess > 0),
                m.after.bias[0], ...m.after.weight]; }})()""")
        theirs = [int(row["row"]), float(row["W.X"]), row["fires"] == "yes", int(row["output"]),
                  *map(float, line[-3:])]
        check(move == theirs, f"{gate}, {zero}: the page {move}, the program {line}")


# ---- The line of time ----

def line_of_time(browser):
    """Next update finds each update; the curves have a point for each; back and forth is the same run."""
    go(browser, "#plane?draw=20&epochs=50")
    count = "document.querySelector('#plane-updates').textContent"
    for update in range(1, 11):
        browser.press("#plane-next")
        check(browser.until(f"{count} === '{update}'", 3), f"Next update {update}: {browser.evaluate(count)}")
    seen = browser.evaluate(f"{PLANE}.run().samples.filter((s, i, all) => i && s.updates > all[i - 1].updates)"
                            ".map(s => s.updates)")
    check(seen == list(range(1, 11)), f"the curves have the updates {seen}")
    state = f"(() => {{ const r = {PLANE}.run(); return JSON.stringify([r.seen, [...r.engine.trained().weight], r.move.row]); }})()"
    tenth = browser.evaluate(state)
    browser.evaluate("document.querySelector('#plane-time').focus()")
    browser.key("ArrowLeft")
    check(browser.until(f"{count} === '9'", 3), f"the left key: update {browser.evaluate(count)}")
    ninth = browser.evaluate(state)
    browser.key("Home")
    check(browser.until(f"{count} === '0'", 3), "Home does not go to the start")
    browser.key("End")
    check(browser.until(f"{count} === '10'", 3) and browser.evaluate(state) == tenth, "End is not where it was")
    settle(browser)
    browser.press("#plane-former")
    check(browser.until(f"{count} === '9'", 3) and browser.evaluate(state) == ninth, "the update before is another")
    box = browser.evaluate("(() => { const b = document.querySelector('#plane-time').getBoundingClientRect(); "
                           "return [b.left, b.top + b.height / 2, b.width]; })()")
    browser.drag([(box[0] + box[2] * 0.9, box[1]), (box[0] + box[2] * 0.5, box[1]), (box[0] + box[2] * 0.3, box[1])])
    check(browser.until(f"{count} === '3'", 3), f"dragged to three tenths: update {browser.evaluate(count)}")
    browser.evaluate("document.querySelector('#plane-canvas').focus()")
    for key, update in (("u", "4"), ("b", "3"), ("u", "4")):
        browser.key(key)
        check(browser.until(f"{count} === '{update}'", 3), f"key {key}: update {browser.evaluate(count)}")


def convergence(browser):
    """The bounds hold at every update, of many draws; they cross at Novikoff's number; the angle lies below its bound."""
    for draw in (20, 4, 9, 33):
        go(browser, f"#plane?n=30&draw={draw}&epochs=100&at=end")
        browser.until(f"{ENDED}", 5)
        found = browser.evaluate(f"""(() => {{ const r = {PLANE}.run(), t = r.theory(), s = r.samples;
            return [t.bound, t.upper(t.bound), t.lower(t.bound), r.star, [...r.values], [...r.labels],
                s.map(x => [x.updates, x.norm, x.along, x.angle])]; }})()""")
        bound, upper, lower, star, values, labels, samples = found
        check(abs(upper - lower) < 1e-6 * upper, f"draw {draw}: at {bound} the bounds are {lower} and {upper}")
        rows = [(values[2 * i], values[2 * i + 1], 1, 1 if y > 0 else -1) for i, y in enumerate(labels)]
        margin = min(y * sum(a * b for a, b in zip(star["w"], x)) for *x, y in rows)
        radius = max(math.sqrt(sum(v * v for v in x)) for *x, _ in rows)
        check(abs(radius ** 2 / margin ** 2 - bound) < 0.01 * bound, f"draw {draw}: {bound}, not {radius ** 2 / margin ** 2}")
        wrong = [(k, norm, along, angle) for k, norm, along, angle in samples[1:] if not (
            margin * k - 1e-4 <= along <= norm + 1e-4 <= radius * math.sqrt(k) + 2e-4 and
            abs(math.cos(math.radians(angle)) - along / norm) < 1e-5 and
            angle <= math.degrees(math.acos(min(1, margin * math.sqrt(k) / radius))) + 0.01)]
        check(not wrong, f"draw {draw}: {wrong[:3]}")
        grew = sum(b[3] > a[3] + 1e-9 for a, b in zip(samples[1:], samples[2:]) if b[0] > a[0])
        said = browser.evaluate("document.querySelector('#plane-turns').textContent")
        check(f"has grown at {grew} of {samples[-1][0]} updates" in said, f"draw {draw}: {grew}, {said}")


# ---- Terms ----

def terms(browser):
    """A part of the picture that the mouse is over names its term."""
    go(browser, "#/play?n=12&draw=40&epochs=20&at=4")
    settle(browser)
    place = browser.evaluate("""(() => { const c = document.querySelector('#plane-canvas'), box = c.getBoundingClientRect();
        const {from, to} = c.parts.find(p => p.part === 'line');
        return [from, to, [box.left, box.top, box.width]]; })()""")
    (x0, y0), (x1, y1), (left, top, side) = place
    spot = next((x0 + t * (x1 - x0) / 40, y0 + t * (y1 - y0) / 40) for t in range(41)
                if side * 0.1 < x0 + t * (x1 - x0) / 40 < side * 0.4 and side * 0.1 < y0 + t * (y1 - y0) / 40 < side * 0.9)
    browser.mouse("mouseMoved", left + spot[0], top + spot[1], "none")
    check(browser.until("!document.querySelector('#tip').hidden", 2), "the line under the mouse does not name its word")
    tip = browser.evaluate("document.querySelector('#tip').textContent")
    check("is 0" in tip, f"the line under the mouse says: {tip}")
    browser.mouse("mouseMoved", 5, 5, "none")
    keys = re.findall(r"^ {8}(\w+):", open("examples/playground/free/terms.js").read(), re.M)
    check(len(keys) == len(set(keys)) > 30, f"terms that come twice: {sorted(key for key in keys if keys.count(key) > 1)}")


# ---- Challenges ----

def solved(browser):
    return browser.until("document.querySelector('#challenge-verdict').classList.contains('solved')", 6)


def clear_and_put(browser, hands, points):
    hands.press("#plane-clear")
    for label in (0, 1):
        hands.press(f"[data-tool='{label}']")
        for x, y, kind in points:
            if kind == label:
                hands.point(x, y)


SIX = [(.9, .9, 1), (.9, .8, 0), (-.9, -.8, 1), (-.9, -.9, 0), (.98, .98, 1), (-.98, -.98, 0)]
ONCE = [(.9, .9, 1), (.8, .95, 1), (.95, .8, 1), (-.9, -.9, 0), (-.8, -.95, 0), (-.95, -.8, 0)]


def bound_points(browser):
    """The points whose removal lowers the bound most, one after the other."""
    return browser.evaluate(f"""(() => {{ let left = {PLANE}.points(); const gone = [];
        const bound = l => {{ const s = bestLine(Float32Array.from(l.flatMap(p => [p.x, p.y])),
            Int32Array.from(l, p => p.label), 1); return (s.radius / s.lower) ** 2; }};
        for (let k = 0; k < 2; k++) {{
            const all = left.map((_, i) => bound(left.filter((_, j) => j !== i))), i = all.indexOf(Math.min(...all));
            gone.push([left[i].x, left[i].y]);
            left = left.filter((_, j) => j !== i);
        }}
        return gone; }})()""")


def solve(browser, hands, name):
    if name == "point":
        hands.press("[data-tool='0']")
        hands.point(*browser.evaluate(f"""(() => {{ const own = {PLANE}.points().filter(p => p.label);
            return ['x', 'y'].map(k => own.reduce((s, p) => s + p[k], 0) / own.length); }})()"""))
    elif name == "mean":
        hands.press("[data-tool='1']")
        hands.point(-0.6, 0.3)
    elif name in ("six", "once"):
        clear_and_put(browser, hands, SIX if name == "six" else ONCE)
    elif name == "bound":
        for x, y in bound_points(browser):
            hands.point(x, y, remove=True)
            if hands.finger:
                hands.press("[data-tool='0']")
    else:
        choose(browser, *{"rate": ("rate", 5), "gate": ("product", "yes"), "spirals": ("gamma", 50)}[name])
    if browser.evaluate(f"{PLANE}.state()") != "ended":
        browser.until(ENDED, 2) or hands.press("#plane-run")


def challenges(browser):
    """None is solved at its start; each is solved by what it asks for, by mouse, touch and keys."""
    names = browser.evaluate("Object.keys(Challenges)")
    check(len(names) == 8, f"challenges: {names}")
    for kind, width, height in (("mouse", 1280, 800), ("finger", 390, 844), ("keys", 1280, 800)):
        browser.size(width, height, touch=width < 500)
        hands = Keys(browser) if kind == "keys" else Hands(browser, kind == "finger")
        for name in names:
            go(browser, browser.evaluate(f"Challenges['{name}'].start") + f"&challenge={name}")
            check(browser.until(f"{ENDED} && /^Not yet/.test(document.querySelector('#challenge-verdict').textContent)", 8),
                  f"{name} is solved at its start, or says nothing: "
                  f"{browser.evaluate('document.querySelector(`#challenge-verdict`).textContent')}")
            for part in ("#plane-canvas", "#plane-step"):
                check(in_view(browser, part), f"challenge {name} at {width}: {part} is not in view")
            solve(browser, hands, name)
            check(solved(browser), f"{name} by {kind} is not solved: "
                  f"{browser.evaluate('document.querySelector(`#challenge-verdict`).textContent')}")
        mark = browser.evaluate("[...document.querySelectorAll('#challenge-list option')].filter(o => /\u2713/.test(o.text)).length")
        check(mark == 8, f"{mark} challenges have a mark")
    browser.size(1280, 800)


# ---- In the plane ----

def in_the_plane(browser):
    """The product as a feature, test points, Eaton's batch and its end; a picture as SVG."""
    go(browser, "#plane?set=xor11&order=file&product=yes&epochs=5&at=end")
    browser.until(ENDED, 5)
    wrong = "document.querySelector('#plane-wrong').textContent"
    check(browser.until(f"{wrong} === '0 of 4'", 3), f"XOR with x1 x2: {browser.evaluate(wrong)}")
    go(browser, "#plane?set=noisy&n=60&tests=200&at=end")
    browser.until(ENDED, 5)
    shares = browser.evaluate(f"{PLANE}.run().samples.filter(s => s.wrong).map(s => s.wrong)")
    check(len(shares) == 10 and shares[-1][0] != shares[-1][1], f"two curves of the epochs: {shares}")
    mine = browser.evaluate(f"""(() => {{ const r = {PLANE}.run(), w = r.engine.weights(), t = r.tests;
        let wrong = 0;
        t.labels.forEach((y, i) => {{ wrong += (w.weight[0] * t.values[2 * i] + w.weight[1] * t.values[2 * i + 1] +
            w.bias[0] >= 0) !== (y > 0); }});
        return [t.labels.length, 100 * wrong / t.labels.length]; }})()""")
    check(mine == [200, shares[-1][1]], f"of the test points {mine}, the curve has {shares[-1]}")
    found = {}
    for until in (0.3, 0.001):
        go(browser, f"#plane?set=or01&order=file&batch=all&until={until}&epochs=100&at=end")
        browser.until(ENDED, 5)
        browser.until(f"{wrong} !== '-'", 3)
        found[until] = browser.evaluate(wrong)
        said = browser.evaluate("document.querySelector('#plane-turns').textContent")
        check("needs a small one" in said, f"nothing is said of eps: {said}")
    check(found[0.3] != "0 of 4" and found[0.001] == "0 of 4", f"Eaton's end: {found}")
    go(browser, "#plane?set=noisy&n=80&order=file&epochs=20&pocket=yes&at=end")
    browser.until(ENDED, 5)
    pocket, last = browser.evaluate(f"""(() => {{ const r = {PLANE}.run(), wrong = m => [...r.labels].filter((y, i) => (m.weight[0] *
        r.values[2 * i] + m.weight[1] * r.values[2 * i + 1] + m.bias[0] >= 0) !== (y > 0)).length;
        return [wrong(r.engine.weights()), wrong(r.engine.trained())]; }})()""")
    check(pocket < last, f"the pocket has {pocket} wrong, the last weights {last}")
    go(browser, "#plane?set=noisy&n=80&sure=probability&refuse=0.3&tests=400&lines=yes&at=end")
    browser.until(ENDED, 5)
    settle(browser)
    best, logloss, refused = browser.evaluate(f"""(() => {{ const r = {PLANE}.run(), t = r.tests, n = t.labels.length;
        const p = r.chances(r.engine.scores(t.values, n), n), guess = r.engine.predict(t.values, n);
        const right = [...t.labels].map((y, i) => (guess[i] > 0) === (y > 0));
        const bins = [[0, 0], [0, 0]];
        p.forEach((v, i) => {{ const bin = bins[Number(v > 0.85)]; bin[0]++; bin[1] += right[i]; }});
        return [bins.map(b => b[1] / b[0]), bins.map(b => b[0]), p.filter(v => 1 - v > 0.3).length]; }})()""")
    check(best[0] < 0.87 < best[1] and min(logloss) > 20 and refused > 5, f"probabilities: {best} {logloss} {refused}")
    for script, what in (("document.querySelector('#plane-sure').value = 'class'", "the shades"),
                         ("document.querySelector('#plane-lines').value = 'no'", "the lines")):
        settle(browser)
        before = browser.evaluate("document.querySelector('#plane-canvas').toDataURL()")
        name = re.search(r"plane-(\w+)", script)[1]
        choose(browser, name, re.search(r"= '(\w+)'", script)[1])
        browser.until(ENDED, 5)
        settle(browser)
        check(browser.evaluate("document.querySelector('#plane-canvas').toDataURL()") != before, f"{what} are not drawn")
    picture = browser.evaluate("""(() => { const s = new SvgContext(100, 100); s.box(0, 0, 100, 100);
        new Pen(s, 100, {cx: 0, cy: 0, half: 1.2}, '').axes(['x1', 'x2']); return s.text(); })()""")
    words = [e.text for e in xml.etree.ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")]
    check({"\u22121", "0", "1", "0.5", "x1", "x2"} <= set(words), f"the axes have {words}")


def media(browser):
    """Dark, forced colours and reduced motion: terms and verdicts can be told apart, and nothing moves by itself."""
    browser.theme("dark")
    go(browser, "#plane?n=12&draw=40&epochs=20&at=8&beside=weights")
    browser.evaluate("document.documentElement.dataset.theme = 'dark'; document.dispatchEvent(new Event('theme'))")
    check(browser.until("/lighter places have more rows wrong/.test(document.querySelector('#plane-other').textContent)", 3),
          "dark: the weight space is told as in the light")
    browser.theme("light")
    browser.evaluate("document.documentElement.dataset.theme = 'light'; document.dispatchEvent(new Event('theme'))")
    browser.until("/darker places/.test(document.querySelector('#plane-other').textContent)", 3)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    check(browser.evaluate("Playground.atFirst()") == "run", "reduced motion: the page begins with a film")
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "forced-colors", "value": "active"}])
    marked = browser.evaluate("""(() => { const e = document.querySelector('[data-term]'); e.classList.add('lit');
        const s = getComputedStyle(e).outlineStyle; e.classList.remove('lit'); return s; })()""")
    check(marked != "none", f"forced colours: a term that is lit has {marked}")
    browser.call("Emulation.setEmulatedMedia", features=[])


ALL = (gates, line_of_time, convergence, terms, challenges, in_the_plane, media)
