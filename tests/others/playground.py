"""The playground in headless Chromium runs from disk without errors or requests: the front, and each step of the six
stories by mouse, finger and keys; every learner of free play, with the bytes of the program; both widths and themes.

Steps in numbers, lines with a proof, files, addresses; the page of the same in C. Pictures go to build/playground/.
"""
import json
import os
import random
import re
import shlex
import shutil
import struct
import subprocess
import sys
import xml.etree.ElementTree

import devtools
from cli import OUT, check, finish, get, image, put, run, skip
from exact import dot, nearest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "playground"))
import lecture  # noqa: E402
import rooms  # noqa: E402
import stories  # noqa: E402
from hands import Hand  # noqa: E402

FOLDER = "build/playground"
PAGE = FOLDER + "/index.html"
TABS = ("plane", "digits", "words", "bits")
PLANE = "Playground.test.plane"
TOOLS = {"clang": "clang", "wasm-ld": "lld", "make": "make"}


def missing():
    """The package of the first tool that is not there."""
    package = next((package for tool, package in TOOLS.items() if not shutil.which(tool)), None)
    return package or (None if devtools.program() else "chromium")


def show(browser, tab):
    if browser.evaluate("document.querySelector('#play').hidden"):
        browser.evaluate("Playground.go('#/play')")
        browser.until("!document.querySelector('#play').hidden")
    browser.press(f"[role=tab][aria-controls=tab-of-{tab}]")
    browser.until(f"document.querySelector('#tab-of-{tab} :is(.panel, .plane-side)') && !document.querySelector('#tab-of-{tab}').hidden")


def plane(browser, **settings):
    """Options of the plane that are not given are as at first; it learns to the end."""
    at_first = {"learner": "perceptron", "rule": "fixed", "rate": 1, "lambda": 1, "margin": "", "c": 0.1, "r": 1,
                "degree": 2, "gamma": 10, "coef0": 1, "decision": "last", "budget": 0, "policy": "stop", "bias": 1,
                "update": "predicted", "order": "each", "seed": 1, "epochs": 10, "pocket": "no", "batch": "no", "until": 0.001,
                "zero": "Eaton", "product": "no", "tests": 0, "sure": "class", "lines": "no", "best": "no", "alpha": 2}
    of_set = settings.pop("of", None)
    browser.evaluate(f"{PLANE}.options({json.dumps(at_first | settings)})")
    if of_set:
        browser.evaluate(f"{PLANE}.choose('{of_set[0]}', {of_set[1]})")
    browser.evaluate(f"{PLANE}.finish()")


def facts(browser, name):
    return browser.evaluate(f"document.querySelector('#plane-{name}').textContent")


# ---- The same bytes ----

def native(browser, key):
    """The program learns from the page's rows by the page's command line; its image, and the page's."""
    rows, command, mine = browser.evaluate(f"""(() => {{
        const m = Playground.models['{key}'], r = m.rows();
        const csv = Engine.csv(r.values, r.labels, r.features, m.engine.options.classes);
        return [csv, Engine.commandLine(m.engine.options), Array.from(m.engine.image())]; }})()""")
    arguments = shlex.split(command)[1:-2]
    data, model = put("rows.csv", rows), OUT + "/model"
    status, _, err = run(arguments[0], "-q", *arguments[1:], data, model)
    check(status == 0, f"{key}: {command}: {err}")
    return command, image(model), bytes(mine)


def compare(browser, key, what):
    command, theirs, mine = native(browser, key)
    check(theirs == mine, f"{what}: {command} has other bytes than the page")
    return struct.unpack("<I", mine[-4:])[0]


# ---- Plane ----

def colours(browser, points):
    """How many places have the colour of their class around them, where no mark hides it, and that of no other class."""
    return browser.evaluate(f"""(() => {{
        const colors = {PLANE}.colors().map(String), turns = Array.from({{length: 16}}, (_, i) => Math.PI * i / 8);
        return {json.dumps(points)}.filter(([x, y, label]) => {{
            const around = turns.map(t => String({PLANE}.pixel(x + 0.05 * Math.cos(t), y + 0.05 * Math.sin(t))));
            const seen = new Set(around.filter(color => colors.includes(color)));
            return seen.size === 1 && seen.has(colors[label]);
        }}).length; }})()""")


CLEAR = {"separable": [(0.6, 0.8, 1), (-0.5, 0.85, 1), (-0.8, -0.7, 0), (0.4, -0.85, 0)],
         "xor": [(-0.5, 0.5, 0), (0.5, -0.5, 0), (-0.5, -0.5, 1), (0.5, 0.5, 1)],
         "four": [(-0.5, -0.5, 0), (0.5, 0.5, 1), (-0.5, 0.5, 2), (0.5, -0.5, 3)]}


def test_learners(browser):
    """Every learner tells clear places apart, in the colours of the classes, with the bytes of the program."""
    learners = browser.evaluate(f"{PLANE}.learners()")
    check({"perceptron", "averaged", "pa", "arow", "poly", "rbf", "voted"} <= set(learners), f"learners: {learners}")
    for learner in learners:
        plane(browser, learner=learner, of=("separable", 60))
        right = colours(browser, CLEAR["separable"])
        check(right == 4, f"{learner}, separable: {right} of 4 colours")
        crc = compare(browser, "plane", learner)
        shown = browser.evaluate(f"{PLANE}.crc()")
        check(shown == f"{crc:08x}", f"{learner}: the page has {shown}, not {crc:08x}")
        plane(browser, learner=learner, of=("four", 60))
        check(colours(browser, CLEAR["four"]) == 4, f"{learner}: four classes")
        compare(browser, "plane", f"{learner}, four classes")
    for policy in ("stop", "oldest", "random", "forgetron", "projectron"):
        plane(browser, learner="rbf", budget=15, policy=policy, of=("noisy", 90))
        compare(browser, "plane", f"budget of 15, {policy}")
        check(int(facts(browser, "slots")) <= 15, f"{policy} stores {facts(browser, 'slots')}")


def test_shapes(browser):
    """A line cannot do XOR, a kernel can."""
    plane(browser, learner="perceptron", of=("xor", 80))
    line = int(facts(browser, "wrong").split()[0])
    plane(browser, learner="rbf", of=("xor", 80))
    check(facts(browser, "wrong") == "0 of 80" and line >= 20, f"XOR: {line} and {facts(browser, 'wrong')} wrong")
    check(colours(browser, CLEAR["xor"]) == 4, "XOR: the colours of RBF")
    plane(browser, of=("separable", 60), epochs=60)
    bound = re.search(r"at most .* = (\d+) updates, whatever the rate; so far (\d+)", facts(browser, "bound"))
    check(bound and 0 < int(bound[2]) <= int(bound[1]), f"Novikoff: {facts(browser, 'bound')}")
    check(facts(browser, "wrong") == "0 of 60", f"separable after 60 epochs: {facts(browser, 'wrong')}")
    plane(browser, of=("noisy", 60))
    check("No line divides" in facts(browser, "bound"), f"noisy: {facts(browser, 'bound')}")


def corner(browser, x, y):
    """The place of a point in the document."""
    return browser.evaluate(f"""(() => {{ const [x, y] = {PLANE}.place({x}, {y});
        return [x + scrollX, y + scrollY]; }})()""")


def test_hands(browser):
    """Points by mouse, touch and keys; undo learns the old points anew."""
    plane(browser, of=("separable", 60))
    points, before = browser.evaluate(f"{PLANE}.points().length"), browser.evaluate(f"{PLANE}.crc()")
    browser.press("[data-tool='1']")
    browser.click(*corner(browser, -0.9, -0.9))
    last = browser.evaluate(f"{PLANE}.points().pop()")
    check(last["label"] == 1 and abs(last["x"] + 0.9) < 0.01 and abs(last["y"] + 0.9) < 0.01, f"a click puts {last}")
    browser.evaluate(f"{PLANE}.finish()")
    check(browser.evaluate(f"{PLANE}.crc()") != before, "a point more, and the same model")
    browser.press("#plane-undo")
    browser.evaluate(f"{PLANE}.finish()")
    check(browser.evaluate(f"{PLANE}.crc()") == before, "undo does not bring the old model back")
    browser.press("#plane-redo")
    browser.click(*corner(browser, -0.9, -0.9), button="right")
    check(browser.evaluate(f"{PLANE}.points().length") == points, "a right click does not remove the point")
    browser.touch([corner(browser, 0.9, -0.1)])
    check(browser.until(f"{PLANE}.points().length === {points + 1}", 3), "a tap puts no point")
    browser.evaluate("document.querySelector('#plane-canvas').focus()")
    for key in ("ArrowLeft", "ArrowUp", "3"):
        browser.key(key)
    last = browser.evaluate(f"{PLANE}.points().pop()")
    check(last["label"] == 2 and last["x"] < 0 < last["y"], f"keys put {last}")
    browser.key("Delete")
    check(browser.evaluate(f"{PLANE}.points().length") == points + 1, "Delete removes nothing")
    browser.key("z", devtools.CONTROL)
    check(browser.evaluate(f"{PLANE}.points().length") == points + 2, "Ctrl+Z undoes nothing")
    browser.press("#plane-clear")
    check(browser.until("document.querySelector('#plane-problem').textContent.startsWith('Put points of two')", 3),
          "no points, and no word about it")
    browser.press("#plane-undo")


def test_steps(browser):
    """Step by example, and watching at a speed."""
    plane(browser, of=("separable", 40))
    browser.press("#plane-again")
    browser.press("#plane-step")
    rows = "document.querySelector('#plane-rows').textContent"
    check(browser.until(rows + " === '1 of 400'", 3), f"step: {facts(browser, 'rows')}")
    browser.press("#plane-watch")
    check(browser.until(f"parseInt({rows}) >= 4", 5), f"watch: {facts(browser, 'rows')}")
    browser.press("#plane-watch")
    check(int(facts(browser, "rows").split()[0]) < 300, "watching does not wait")


def test_frames(browser):
    """Printed, not asserted: a browser on a busy machine drops frames."""
    for learner in ("perceptron", "averaged", "rbf"):
        plane(browser, learner=learner, epochs=20 if learner != "rbf" else 4, of=("noisy", 2000))
        times = sorted(browser.evaluate(f"{PLANE}.frameTimes()")[-60:])
        print(f"2,000 points, {learner}: the median of {len(times)} frames took {times[len(times) // 2]:.1f} ms, "
              f"95 % at most {times[int(0.95 * len(times))]:.1f}, the longest {times[-1]:.1f}")


# ---- What a page must not do, and what it tells ----

SEPALS = "".join(f"{4.3 + 0.9 * (i % 3) + 0.07 * (i % 11):.2f},{[3.4, 2.7, 3.0][i % 3] + 0.05 * (i % 7):.2f},"
                 f"{['setosa', 'versicolor', 'virginica'][i % 3]}\n" for i in range(90))
FOUR = "0.5,0.5,1\n-0.5,-0.5,0\n0.4,0.1,1\n-0.2,-0.6,0\n"


def enter(browser, name, value):
    """As a visitor who types into a field of the plane, or chooses from it."""
    browser.evaluate(f"""(() => {{ const e = document.querySelector('#plane-{name}'); e.value = '{value}';
        e.dispatchEvent(new Event('change', {{bubbles: true}})); }})()""")


def unfold(browser):
    browser.evaluate("document.querySelectorAll('#tab-of-plane details').forEach(each => { each.open = true; })")


def at_link(browser, fragment):
    browser.open(PAGE, fragment)
    browser.until("typeof Playground !== 'undefined' && !!document.querySelector('main:not([hidden])') && "
                  "(document.querySelector('#play').hidden || !!document.querySelector('section[role=tabpanel]:not([hidden]) :is(.panel, .plane-side)'))")


def test_budget(browser):
    """A full budget leaves rows out, and Run comes to its end."""
    for name, value in (("set", "noisy"), ("learner", "rbf"), ("budget", 12)):
        enter(browser, name, value)
    browser.press("#plane-again")
    browser.press("#plane-run")
    check(browser.until("document.querySelector('#plane-rows').textContent === '600 of 600' && "
                        "document.querySelector('#plane-run').textContent === 'Run'", 6),
          f"a full budget: {facts(browser, 'rows')}, the button says {facts(browser, 'run')}")
    enter(browser, "budget", 0)


def test_refused(browser):
    """What a field or the engine refuses is said, and ends when it is put right."""
    enter(browser, "learner", "perceptron")
    for learner, name, value, back in (("perceptron", "margin", -5, ""), ("perceptron", "rate", "1e308", 1),
                                       ("poly", "degree", 1000, 2), ("perceptron", "epochs", 1.5, 10),
                                       ("perceptron", "n", 2.5, 60)):
        enter(browser, "learner", learner)
        enter(browser, name, value)
        browser.press("#plane-run")
        says = browser.until("/needed, not/.test(document.querySelector('#plane-problem').textContent)", 2)
        check(says, f"{name} {value}: the page says '{facts(browser, 'problem')}'")
        enter(browser, name, back)
        check(browser.until("document.querySelector('#plane-problem').textContent === ''", 2),
              f"{name} put right: {facts(browser, 'problem')}")
    enter(browser, "learner", "perceptron")
    browser.press("#plane-again")
    browser.evaluate(f"{PLANE}.run().engine.learn = () => {{ throw new Error('the row is bad'); }}")
    browser.press("#plane-run")
    check(browser.until("/stopped: the row is bad/.test(document.querySelector('#plane-problem').textContent)", 3),
          "an error while learning is not said")
    browser.evaluate(f"delete {PLANE}.run().engine.learn")
    browser.press("#plane-again")
    browser.press("#plane-run")
    check(browser.until("document.querySelector('#plane-rows').textContent === '600 of 600'", 5), "it does not recover")


def spread(browser):
    return browser.evaluate(f"""['x', 'y'].map(k => {{ const v = {PLANE}.points().map(p => p[k]);
        return [Math.min(...v), Math.max(...v)]; }})""")


def test_csv(browser):
    """Rows of a file come into the plane: centred, and told how; by a link to the last tab, by a drop, by the field."""
    sepals, four = put("sepals.csv", SEPALS), put("four.csv", FOUR)
    at_link(browser, "#bits")
    browser.drop("#bits-drop", four)
    browser.until("!!document.querySelector('#bits-plane')", 5)
    browser.evaluate("document.querySelector('#bits-plane').click()")
    check(browser.until(f"!document.querySelector('#tab-of-plane').hidden && {PLANE}.points().length === 4", 4),
          "a link to the last tab: the points do not come into the plane")
    check("as they are" in facts(browser, "fitted"), f"four points: {facts(browser, 'fitted')}")
    at_link(browser, "#plane")
    browser.until("!!Playground.models.plane", 5)
    browser.drop("#plane-canvas", sepals)
    check(browser.until(f"{PLANE}.points().length === 90", 4), "a file dropped on the plane does not come into it")
    (left, right), (low, high) = spread(browser)
    check(abs(left + right) < 0.001 and abs(low + high) < 0.001 and right > 0.9, f"not centred: {spread(browser)}")
    check(re.search(r"x is \(value - .*\) / .*1 is setosa", facts(browser, "fitted")), facts(browser, "fitted"))
    unfold(browser)
    saved = browser.download(lambda: browser.press("#plane-csv"), OUT)
    before = browser.evaluate(f"{PLANE}.points()")
    browser.press("#plane-clear")
    browser.choose("#plane-file", saved)
    check(browser.until(f"{PLANE}.points().length === 90", 4), "rows that were saved cannot be opened")
    after = browser.evaluate(f"{PLANE}.points()")
    check([(p["x"], p["y"], p["label"]) for p in before] == [(p["x"], p["y"], p["label"]) for p in after],
          "rows are others when they are saved and opened")
    enter(browser, "beside", "averaged")
    picture = xml.etree.ElementTree.fromstring(get(browser.download(lambda: browser.press("#plane-save"), OUT)))
    svg = "{http://www.w3.org/2000/svg}"
    words = [text.text for text in picture.iter(svg + "text")]
    check(len(list(picture.iter(svg + "image"))) == 2 and words.count("0.5") >= 4 and "examples" in words,
          f"the picture lacks axes, a learner or a curve: {words}")
    enter(browser, "beside", "")
    browser.choose("#plane-file", put("wide.csv", "1,2,3,a\n4,5,6,b\n"))
    check(browser.until("/rows of 2 numbers/.test(document.querySelector('#plane-problem').textContent)", 3),
          f"three columns: {facts(browser, 'problem')}")


def test_forced_colours(browser):
    """With colours that the system forces, the marks of the classes keep theirs."""
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "forced-colors", "value": "active"}])
    marks = browser.evaluate("""[...document.querySelectorAll('.plane-tools i')].map(i => [getComputedStyle(i).color,
        getComputedStyle(i).backgroundColor, getComputedStyle(i).forcedColorAdjust])""")
    check(len({tuple(mark) for mark in marks}) == 4 and all(mark[2] == "none" for mark in marks),
          f"forced colours: {marks}")
    browser.call("Emulation.setEmulatedMedia", features=[])


def test_lines(browser):
    """Whether a line divides the classes, beside fractions; and "separable" is, in each draw."""
    random.seed(5)
    problems = []
    for _ in range(150):
        n = random.randint(2, 6)
        problems.append([(random.randint(-4, 4) / 4, random.randint(-4, 4) / 4, i % 2) for i in range(n)])
    found = browser.evaluate(f"""{json.dumps(problems)}.map(rows => {{
        const r = bestLine(Float32Array.from(rows.flatMap(p => p.slice(0, 2))), Int32Array.from(rows, p => p[2]), 1);
        return [r.divides, r.lower, r.upper]; }})""")
    kinds = set()
    for rows, (divides, lower, upper) in zip(problems, found):
        p = nearest([[v if y else -v for v in (a, b, 1)] for a, b, y in rows])
        exact = dot(p, p)
        kinds.add(divides)
        check(divides == (exact > 0) and max(lower, 0) ** 2 <= float(exact) + 1e-12 and
              upper ** 2 >= float(exact) - 1e-12, f"{rows}: {divides} {lower} {upper}, exactly {float(exact) ** 0.5}")
    check(kinds == {True, False}, f"of 150 problems {kinds}")
    draws = browser.evaluate("""Array.from({length: 60}, (_, i) => Points.make('separable', 60, i)).map(points => [
        points, bestLine(Float32Array.from(points.flatMap(p => [p.x, p.y])),
        Int32Array.from(points, p => p.label), 1).w])""")
    margins = [min((1 if p["label"] else -1) * (w[0] * p["x"] + w[1] * p["y"] + w[2]) for p in points)
               for points, w in draws]
    check(min(margins) > 0.05, f"separable: the least margin of 60 draws is {min(margins)}")


def test_close_points(browser):
    """A narrow gap is found, and the bound holds for any rate."""
    pairs = [(0.9, 0.9, 1), (0.9, 0.87, 0), (-0.9, -0.87, 1), (-0.9, -0.9, 0), (1, 1, 1), (-1, -1, 0)]
    plane(browser, epochs=2000)
    browser.evaluate(f"Playground.tabs.plane.setPoints({json.dumps([dict(x=x, y=y, label=l) for x, y, l in pairs])})")
    for rate in (1, 0.3, 20):
        browser.evaluate(f"{PLANE}.options({{rate: {rate}}})")
        browser.evaluate(f"{PLANE}.finish()")
        said = re.search(r"= (\d+) updates, whatever the rate; so far (\d+)", facts(browser, "bound"))
        check(said and 0 < int(said[2]) <= int(said[1]), f"a gap of 0.03, rate {rate}: {facts(browser, 'bound')}")
    browser.evaluate(f"{PLANE}.options({{rate: 1}})")
    plane(browser, bias=0, of=("separable", 30), epochs=50)
    said = re.search(r"= (\d+) updates, whatever the rate; so far (\d+)", facts(browser, "bound"))
    check(said and 0 < int(said[2]) <= int(said[1]), f"without a bias: {facts(browser, 'bound')}")
    plane(browser)


def test_numbers(browser):
    """Step tells the update in numbers, those of a perceptron in Python; the picture has CIML's figure 4.9."""
    plane(browser, order="file", epochs=3, of=("xor", 12))
    points = [(p["x"], p["y"], p["label"]) for p in browser.evaluate(f"{PLANE}.points()")]
    browser.press("#plane-again")
    w, b, fired = [0.0, 0.0], 0.0, 0
    number = lambda text: float(text.replace("\u2212", "-"))
    for step in range(24):
        x, y, label = points[step % 12]
        s, sign = w[0] * x + w[1] * y + b, 1 if label else -1
        fires = sign * s <= 0
        if fires:
            w, b, fired = [w[0] + sign * x, w[1] + sign * y], b + sign, fired + 1
        browser.evaluate("document.querySelector('#plane-step').click()")
        text = facts(browser, "sum")
        said = re.search(r"= (\S+)\. With y = (\S+), y times that is (\S+?)[,:].*w = \((\S+), (\S+)\), b = (\S+)\.$",
                         text)
        check(said and all(abs(number(a) - v) < 0.0011 for a, v in zip(said.groups(), (s, sign, sign * s, *w, b))) and
              ("rule fires" in text) == fires, f"step {step}: {text}; expected {s} {w} {b}")
    check(4 < fired < 24, f"{fired} of 24 steps fired")
    browser.press("#plane-again")
    browser.evaluate("document.querySelector('#plane-step').click()")
    x, y, label = points[0]
    unit = 0.4 / (x * x + y * y) ** 0.5 * (1 if label else -1)
    browser.evaluate("new Promise(resolve => setTimeout(resolve, 150))")
    ink = browser.evaluate(f"{PLANE}.pixel({unit * x}, {unit * y})")
    check(max(ink) < 60, f"half way along the new w is {ink}, no arrow")


def test_beside(browser):
    """A second learner on the same rows: the averaged perceptron makes the mistakes of the perceptron. Weight space."""
    plane(browser, of=("noisy", 60))
    enter(browser, "beside", "averaged")
    browser.evaluate(f"{PLANE}.finish()")
    check(f"{facts(browser, 'mistakes')} mistakes, {facts(browser, 'updates')} updates" in facts(browser, "other"),
          f"averaged beside: {facts(browser, 'other')}, {facts(browser, 'mistakes')} mistakes")
    check(browser.evaluate("!document.querySelector('#plane-two').hidden && "
                           "!document.querySelector('#plane-second').hidden"),
          "the second has no picture or no curve")
    enter(browser, "beside", "weights")
    check(browser.until("/^Weight space/.test(document.querySelector('#plane-other').textContent)", 3),
          "no weight space")
    enter(browser, "beside", "")


def test_addresses(browser):
    """The address holds the state, "back" works, and an own point is in it."""
    at_link(browser, "#plane?set=xor&n=80&learner=rbf&gamma=5&epochs=3&at=end")
    ended = f"{PLANE}.state() === 'ended'"
    check(browser.until(ended, 8), "a link with at=end does not learn to the end")
    gamma = browser.evaluate("document.querySelector('#plane-gamma').value")
    check(facts(browser, "rows") == "240 of 240" and gamma == "5",
          f"the link's state: {facts(browser, 'rows')}")
    first = browser.evaluate(f"{PLANE}.crc()")
    enter(browser, "gamma", 2)
    browser.until(ended, 5)
    browser.click(*corner(browser, 0.3, -0.9))
    browser.until(f"{ended} && {PLANE}.points().length === 81", 5)
    own, crc = browser.evaluate("location.hash"), browser.evaluate(f"{PLANE}.crc()")
    check("points=" in own and crc != first, f"a point put by hand: {own[:60]}")
    browser.evaluate("history.go(-2)")
    check(browser.until(f"{ended} && {PLANE}.crc() === '{first}'", 8), "back does not bring the state back")
    at_link(browser, own)
    check(browser.until(f"{ended} && {PLANE}.crc() === '{crc}'", 8), "a shared link makes another model")
    at_link(browser, "#plane?points=zz&learner=nobody&epochs=1.5&at=-3&x=y")
    check(browser.until("/Epochs: a whole number/.test(document.querySelector('#plane-problem').textContent)", 3),
          f"a bad link: {facts(browser, 'problem')}")


def test_terms(browser):
    """Each word has a sentence, with a mouse and with keys."""
    words = browser.evaluate("[...document.querySelectorAll('[data-term]')].map(e => [e.dataset.term, "
                             "Terms.SHOWN[e.dataset.term] || ''])")
    check(len(words) > 25 and all(text.endswith((".", ")")) for _, text in words), f"terms: {words}")
    tip = "document.querySelector('#tip').hidden ? '' : document.querySelector('#tip').textContent"
    unfold(browser)
    browser.evaluate("document.querySelector('#plane-epochs').focus()")
    browser.evaluate("new Promise(done => setTimeout(done, 100))")  # the focus may scroll the page
    check("CIML" in browser.evaluate(tip), "no sentence on focus")
    browser.key("Escape")
    check(browser.evaluate(tip) == "", "Escape does not hide the sentence")
    browser.evaluate("""document.querySelector('#plane-bias').closest('label').dispatchEvent(
        new MouseEvent('mouseover', {bubbles: true}))""")
    check("constant" in browser.evaluate(tip), "no sentence under the mouse")


# ---- Digits and words ----

def test_digits(browser):
    best = 0.0
    kinds = browser.evaluate("[...document.querySelectorAll('#digits-kind option')].map(o => o.value)")
    check(len(kinds) >= 5, f"digits: learners {kinds}")
    for kind in kinds:
        browser.evaluate(f"""(() => {{ const k = document.querySelector('#digits-kind'); k.value = '{kind}';
            k.dispatchEvent(new Event('change', {{bubbles: true}})); }})()""")
        if browser.evaluate("document.querySelector('#digits-run').textContent") != "Pause":
            browser.press("#digits-run")
        learned = browser.until("""Playground.models.digits && Playground.models.digits.engine.count.rows ===
            Playground.models.digits.engine.options.epochs * Playground.digits.train.labels.length""", 60)
        check(learned, f"digits, {kind}: did not learn to the end")
        if not learned:
            continue
        browser.until("parseFloat(document.querySelector('#digits-accuracy').textContent) > 90", 5)
        accuracy = browser.evaluate("""(() => { const {test} = Playground.digits, e = Playground.models.digits.engine;
            const guess = e.predict(test.values, test.labels.length);
            return 100 * test.labels.filter((y, i) => guess[i] === y).length / test.labels.length; })()""")
        print(f"digits, {kind}: {accuracy:.1f} % of the test rows")
        best = max(best, accuracy)
        check(accuracy > 94, f"digits, {kind}: {accuracy} %")
        compare(browser, "digits", f"digits, {kind}")
    check(best > 97, f"digits: {best} % at best")
    x, y = browser.centre("#digits-pad")
    browser.drag([(x, y + dy) for dy in range(-70, 71, 10)])
    scores = "[...document.querySelectorAll('.digits-scores output')].filter(o => o.textContent.trim())"
    check(browser.until(scores + ".length === 10", 3), "a stroke has no ten scores")
    read = browser.evaluate("document.querySelector('#digits-verdict').textContent")
    check(read.startswith("Read as 1"), f"a bar: {read}")


def test_words(browser):
    browser.press("#words-run")
    check(browser.until("!!Playground.models['words-winnow']", 10), "words: no model")
    heavy = "[...document.querySelectorAll('.words-bars li:not(.gone)')].map(li => li.textContent).join()"
    browser.until("document.querySelectorAll('.words-bars li:not(.gone)').length > 10", 5)
    before = browser.evaluate(heavy)
    check("free" in before or "win" in before, f"heavy words: {before[:200]}")
    for key in ("words-winnow", "words-perceptron"):
        compare(browser, key, key)
    browser.press("#words-list li button[aria-pressed=true]")  # takes the first mark back
    check(browser.until(f"{heavy} !== {json.dumps(before)}", 5), "a mark taken back moves no word")
    browser.press("#words-undo")
    check(browser.until(f"{heavy} === {json.dumps(before)}", 5), "undo does not bring the weights back")


def test_words_again(browser):
    """All marks taken back, it goes on; what is said is of the mark just made; a long text holds nothing up."""
    at_link(browser, "#words")
    browser.press("#words-again")
    said, counts = "document.querySelector('#words-say').textContent", \
        "[...document.querySelectorAll('#words-learners .panel')].map(p => p.lastElementChild.textContent).join()"
    last = (0, 0)
    for marks in range(1, 8):
        browser.press("#words-step")
        browser.until(f"/in {marks} rows/.test({counts})", 3)
        now = tuple(map(int, re.findall(r"(\d+) mistakes", browser.evaluate(counts))))
        expected = [f"{name} read it {'right' if a == b else 'wrong'}"
                    for name, a, b in zip(("Winnow", "Perceptron"), last, now)]
        check(all(each in browser.evaluate(said) for each in expected),
              f"mark {marks}: {browser.evaluate(said)} {last} {now}")
        last = now
    browser.press("#words-again")
    browser.press("#words-watch")
    check(browser.until(f"/in 1 rows/.test({counts})", 3), "Watch after Start again marks nothing")
    browser.press("#words-watch")
    took = browser.evaluate("""(() => { const e = document.querySelector('#words-text'), at = performance.now();
        e.value = '<b>x</b> '.repeat(20000); e.dispatchEvent(new Event('input', {bubbles: true}));
        e.getBoundingClientRect(); return performance.now() - at; })()""")
    check(took < 1000, f"20,000 words take {took} ms")


def test_odd_links(browser):
    """Names that every object of JavaScript has are no sets, stories or learners; a page opens at its top."""
    for link in ("#plane?set=__proto__", "#plane?learner=constructor", "#plane?story=toString.1&beside=__proto__", "#/toString/1", "#/stop/99", "#/stop/-1", "#/play/__proto__",
                 "#digits?kind=__proto__", "#words?marks=-3", "#plane?n=1e99&at=-5", "#%"):
        at_link(browser, link)
        check(browser.evaluate("document.querySelector('#failed').hidden"), f"{link} fails")
    for link in ("", "#/play", "#/play/digits", "#/play/words", "#/play/bits", "#/teachers", "#/c"):
        at_link(browser, link)
        check(browser.evaluate("new Promise(r => setTimeout(() => r(scrollY), 300))") == 0 and
              browser.evaluate("!document.getElementById(location.hash.slice(2).split('?')[0] + '?')"),
              f"{link} opens scrolled, or may")


# ---- Files ----

def test_files(browser):
    show(browser, "plane")
    plane(browser, learner="rbf", of=("rings", 60))
    own = put("own.image", bytes(browser.evaluate("Array.from(Playground.models.plane.engine.image())")))
    damaged = bytearray(get(own))
    damaged[70] ^= 1
    show(browser, "bits")
    said = "document.querySelector('#bits-result').textContent"
    other = put("damaged.image", bytes(damaged))
    for path, what, found in ((own, "the model above", "same"), (other, "a damaged one", "byte")):
        browser.evaluate("document.querySelector('#bits-result').textContent = ''")
        browser.drop("#bits-drop", path)
        browser.until(said + ".length > 0", 5)
        check(found in browser.evaluate(said), f"dropping {what}: {browser.evaluate(said)}")
    browser.drop("#bits-drop", put("points.csv", "0.5,0.5,1\n-0.5,-0.5,0\n0.4,0.1,1\n-0.2,-0.6,0\n"))
    check(browser.until(f"{said}.includes('in the plane')", 5), "a CSV is not offered to the plane")
    browser.evaluate("""(() => { const list = document.querySelector('#bits-list'); list.value = 'plane';
        list.dispatchEvent(new Event('change', {bubbles: true})); })()""")
    crc = f"{struct.unpack('<I', get(own)[-4:])[0]:08x}"
    check(browser.until(f"document.querySelector('#bits-crc').textContent === '{crc}'", 5), f"the tab does not show {crc}")
    visitor(browser, own)


def visitor(browser, own):
    """What the tab tells its visitor to do: download, run the command that is shown, compare."""
    folder = os.path.abspath(OUT)
    mine = browser.download(lambda: browser.press("#bits-image"), OUT)
    check(get(mine) == get(own), "the image downloaded is not the model's")
    browser.download(lambda: browser.press("#bits-rows"), OUT)
    command = browser.evaluate("document.querySelector('#bits-command').textContent").replace(
        "build/perceptron train", os.path.abspath("build/perceptron") + " train --force -q")
    done = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True)
    shown = browser.evaluate("document.querySelector('#bits-crc').textContent")
    check(done.returncode == 0 and done.stdout.split()[-1:] == [shown],
          f"{command} prints '{done.stdout}', the page shows {shown}: {done.stderr}")


# ---- The page ----

def test_names(browser):
    for tab in TABS:
        show(browser, tab)
        for role, name, _, _ in browser.accessible():
            if role in ("button", "combobox", "spinbutton", "slider", "textbox", "tab", "image", "checkbox", "Canvas",
                        "application", "listbox", "progressbar"):
                check(name.strip(), f"{tab}: a {role} without a name")


def test_keys(browser):
    browser.evaluate("document.querySelector('#tab-plane').click(); document.querySelector('#tab-plane').focus()")
    for expected in ("digits", "words", "bits", "plane"):
        browser.key("ArrowRight")
        check(browser.until(f"document.activeElement.id === 'tab-{expected}'", 3) and
              browser.until(f"!document.querySelector('#tab-of-{expected}').hidden", 3),
              f"the right arrow does not go to {expected}")
    reached = set()
    for _ in range(40):
        browser.key("Tab")
        reached.add(browser.evaluate("document.activeElement.id"))
    check({"plane-set", "plane-canvas", "plane-run", "plane-learner"} <= reached, f"Tab reaches {sorted(reached)}")


def test_sizes(browser):
    enter(browser, "beside", "weights")
    for width in (1440, 360):
        for theme in ("light", "dark"):
            browser.size(width, 1000, touch=width < 500)
            browser.theme(theme)
            for tab in TABS:
                show(browser, tab)
                wide = browser.evaluate("document.documentElement.scrollWidth - innerWidth")
                room = browser.evaluate("(document.querySelector('#plane-canvas').offsetWidth || 300)")
                check(room >= 250, f"{tab} at {width}: the picture has {room} pixels")
                check(wide <= 0, f"{tab} at {width}: {wide} pixels too wide")
                ink, paper = browser.evaluate("""['color', 'backgroundColor'].map(name =>
                    getComputedStyle(document.body)[name].match(/\\d+/g).reduce((sum, v) => sum + Number(v), 0))""")
                check((ink > paper) == (theme == "dark"), f"{tab}: the theme {theme} has ink {ink} on paper {paper}")
                browser.screenshot(f"{FOLDER}/{tab}-{width}-{theme}.png")
    browser.size(1440, 1000)
    browser.theme("light")
    enter(browser, "beside", "")


def test_tools():
    """A tool that is missing is named, and its package."""
    folder = os.path.join(OUT, "tools")
    os.makedirs(folder, exist_ok=True)
    for tool in ("sh", "make", "sed", "clang", "python3"):
        if not os.path.lexists(f"{folder}/{tool}"):
            os.symlink(shutil.which(tool), f"{folder}/{tool}")
    done = subprocess.run([shutil.which("make"), "-s", "check-wasm-tools"], env={"PATH": folder},
                          capture_output=True, text=True)
    check(done.returncode != 0 and "'wasm-ld', which is missing" in done.stderr and "install lld)" in done.stderr,
          f"make without wasm-ld says: {done.stderr}")


def addresses():
    """Those that the teaching page names, and those of every earlier story."""
    named = re.findall(r"`(#/?[a-z]+[/?][^`.]*)`", get("examples/teaching.md").decode())
    old = re.findall(r"'(\w+\.\d)'", get("examples/playground/state/address.js").decode())
    return named + [f"#plane?n=12&story={story}" for story in old]


def test_links(browser):
    """Each address opens what it names, with something left to do: a step of a story that is not done, or an update to make."""
    links = addresses()
    check(len(links) > 25, f"{len(links)} addresses")
    at_link(browser, "#/")
    for link in links:
        browser.evaluate("location.hash = '#/c'")
        browser.until("!document.querySelector('#c').hidden", 5)
        browser.evaluate(f"location.hash = {json.dumps(link)}")
        browser.until("document.querySelector('#c').hidden && (!document.querySelector('#play').hidden || !document.querySelector('#story-page').hidden)", 5)
        old = re.search(r"story=(\w+\.\d)", link)
        if old or re.match(r"#/(cats|stop|xor|mean|winnow|digits)/", link):
            check(browser.until("Story.now() && Story.now().picture !== undefined && !Story.now().over && "
                                "!!document.querySelector('#story-acts button, #story-acts input, #story-stage .grip')", 8) and
                  (not old or browser.evaluate(f"`${{Story.now().story.id}}/${{Story.now().index + 1}}` === Address.STEPS['{old[1]}']")),
                  f"{link} has nothing to do: {browser.evaluate('location.hash')}")
        elif "words" in link:
            marks = int(re.search(r"marks=(\d+)", link)[1])
            check(browser.until(f"document.querySelectorAll('#words-list li button[aria-pressed=true]').length === {marks} && "
                                "!document.querySelector('#words-step').disabled", 5), f"{link} has no mark to make")
        elif "digits" not in link and "bits" not in link:
            browser.until(f"['ended', 'paused'].includes({PLANE}.state())", 5)
            wanted = sorted(pair.split("=")[0] for pair in link.split("?")[1].split("&"))
            settled = "[...new URLSearchParams(location.hash.split('?')[1]).keys()].sort().join()"
            check(browser.until(f"{settled} === '{','.join(wanted)}'", 3), f"{link} becomes {browser.evaluate('location.hash')}")
            browser.press("#plane-next")
            check(browser.until("parseInt(document.querySelector('#plane-updates').textContent) > 0 && !document.querySelector('#plane-next').disabled", 5),
                  f"{link} has no update to press")


def test_front(browser):
    """The first sentence and the six cards are above the fold; a dog that is dragged turns the line; a finger drags, too, and keys."""
    for width, height, kind in stories.SIZES:
        browser.size(width, height, touch=kind == "finger")
        at_link(browser, "#/")
        browser.until("document.querySelectorAll('#pets .grip').length === 12 && !!document.querySelector('#pets .picture path[fill=\"var(--pos-tint)\"]')", 5)
        browser.screenshot(f"{FOLDER}/front-{width}.png", whole=False)
        texts = browser.evaluate("[document.querySelectorAll('.card').length, document.documentElement.scrollWidth - innerWidth, document.querySelector('#do').getBoundingClientRect().bottom < innerHeight]")
        check(texts[0] == 6 and texts[1] <= 0 and texts[2], f"the front at {width}: {texts}")
        if kind == "mouse":
            check(browser.evaluate("document.querySelector('.more').getBoundingClientRect().bottom <= innerHeight"), "the front does not fit")
        line = "document.querySelector('#pets .picture path[fill=\"var(--pos-tint)\"]').getAttribute('d')"
        before, hand = browser.evaluate(line), Hand(browser, kind)
        x, y, w, h = browser.evaluate("(() => { const b = document.querySelector('#pets .grip[data-key=\"6\"]').getBoundingClientRect(); return [b.left + scrollX, b.top + scrollY, b.width, b.height]; })()")
        if kind == "keys":
            hand.focus("#pets .grip[data-key='6']")
            said = ""
            for _ in range(4):
                browser.key("ArrowLeft", devtools.SHIFT)
                said += browser.evaluate("document.querySelector('#do').textContent")
        else:
            hand.along([(x + w / 2, y + h / 2), (x + w / 2 - 0.3 * width * (0.44 if width > 900 else 0.9), y + h / 2 + 30)])
        check(browser.until(f"{line} !== {json.dumps(before)}", 3), f"the line does not turn by {kind}")
        said = said if kind == "keys" else browser.evaluate("document.querySelector('#do').textContent")
        check(re.search(r"corrections?\.|No line", said), f"the front says by {kind}: {said}")
    browser.size(1280, 800)


def test_drag(browser):
    """A press on a point of free play drags it, by mouse, finger and keys; Undo takes it back in one step and ends at the set."""
    for width, height, kind in ((1280, 800, "mouse"), (390, 844, "finger"), (1280, 800, "keys")):
        browser.size(width, height, touch=kind == "finger")
        at_link(browser, "#/play?n=12&draw=40&epochs=20&at=end")
        browser.until(f"{PLANE}.state() === 'ended'", 5)
        points = browser.evaluate(f"{PLANE}.points()")
        at, place = points[3], corner(browser, points[3]["x"], points[3]["y"])
        if kind == "keys":
            browser.evaluate("document.querySelector('#plane-canvas').focus()")
            reach = [round(at[axis] / 0.05) for axis in "xy"]
            for count, names in zip(reach, (("ArrowLeft", "ArrowRight"), ("ArrowDown", "ArrowUp"))):
                for _ in range(abs(count)):
                    browser.key(names[count > 0])
            for key in ("m", "ArrowUp", "ArrowUp", "ArrowUp", "m"):
                browser.key(key)
        else:
            Hand(browser, kind).along([place, (place[0] - 60, place[1] - 40)])
        moved = browser.evaluate(f"{PLANE}.points()")
        check(len(moved) == 12 and (moved[3]["x"], moved[3]["y"]) != (at["x"], at["y"]) and moved[:3] == points[:3] or kind == "finger" and len(moved) == 12,
              f"{kind} does not drag a point: {moved[3]}, {at}")
        browser.press("#plane-undo")
        back = browser.evaluate(f"{PLANE}.points().map(p => [p.x, p.y])")
        check(back == [[p["x"], p["y"]] for p in points] and browser.evaluate("document.querySelector('#plane-undo').disabled"),
              f"Undo after {kind} does not end at the set")
    browser.size(1280, 800)


def test_c(browser):
    """The program that the page shows compiles and computes what the page shows."""
    at_link(browser, "#/c")
    source = put("stop.c", browser.evaluate("document.querySelector('#c-program').textContent"))
    made = subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-I.", source, "-o", OUT + "/stop", "-lm"], capture_output=True, text=True)
    check(made.returncode == 0, f"the program of the page: {made.stderr[:300]}")
    told = subprocess.run([OUT + "/stop"], capture_output=True, text=True).stdout
    stories.go(browser, "stop.7")
    turns, w = browser.evaluate("[Story.now().run.updates.length, Story.now().run.w]")
    check(told == f"{turns} mistakes, w = ({w[0]:.2f}, {w[1]:.2f})\n", f"the program says {told}, the page {turns} and {w}")


def test_teachers(browser):
    """The page for teachers has each step as a link, as a picture in SVG, and a worksheet to print."""
    at_link(browser, "#/teachers")
    browser.until("document.querySelectorAll('[data-svg]').length > 0", 3)
    steps = stories.steps(browser)
    links = browser.evaluate("[...document.querySelectorAll('#teachers a')].map(a => a.getAttribute('href'))")
    for step in steps:
        name, number = step.split(".")
        check(f"#/{name}/{number}" in links and f"#/{name}/{number}?view=embed" in links, f"teachers: no link to {step}")
    for step in steps:
        text = browser.evaluate(f"Story.picture('{step.split('.')[0]}', {step.split('.')[1]})")
        svg = xml.etree.ElementTree.fromstring(text)
        check(len(list(svg.iter())) > 8 and "var(" not in text, f"the picture of {step}: {len(text)} bytes")
        put(f"{step}.svg", text)
    browser.evaluate("window.print = () => {}")
    browser.press("#sheet-print")
    check(browser.until("document.querySelectorAll('#sheet section svg').length === 6", 8), "no worksheet")


def main():
    if missing():
        skip(f"no browser or compiler for the playground (Debian: apt-get install {missing()})")
        finish()
    made = subprocess.run(["make", "-s", "playground", "build/perceptron"], capture_output=True, text=True)
    check(made.returncode == 0, f"make playground: {made.stderr}")
    if made.returncode:
        finish()
    check(len(get(PAGE)) <= 560000, f"the page has {len(get(PAGE))} bytes")
    test_tools()
    rooms.test()
    with devtools.Browser() as browser:
        browser.size(1440, 1000)
        browser.open(PAGE, "#/play")
        check(browser.until("typeof Playground !== 'undefined' && !!Playground.models.plane", 20),
              "the page does not start")
        for tab, tests in (("plane", (test_learners, test_shapes, test_hands, test_steps, test_frames)),
                           ("digits", (test_digits,)), ("words", (test_words,)), ("bits", (test_files,))):
            show(browser, tab)
            for test in tests:
                test(browser)
        for test in (test_names, test_keys, test_sizes):
            test(browser)
        at_link(browser, "#plane")
        for test in (test_budget, test_refused, test_lines, test_close_points, test_numbers, test_beside, test_terms,
                     test_forced_colours, test_csv, test_words_again, test_odd_links, test_addresses, test_front, test_drag, test_c,
                     test_teachers, test_links):
            test(browser)
        at_link(browser, "#/play")
        for test in lecture.ALL + stories.TESTS:
            test(browser)
        check(not browser.errors, f"the console says {browser.errors[:3]}")
        own = r"(file:///.*index\.html(#.*)?|blob:|data:|about:)"
        foreign = [url for url in browser.requests if not re.match(own, url)]
        check(not foreign, f"requests: {foreign}")
    finish()


if __name__ == "__main__":
    sys.exit(main())
