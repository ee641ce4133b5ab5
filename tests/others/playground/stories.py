"""Every step of every story, at three sizes and by mouse, finger and keys: nothing is cut, nothing scrolls that need not, the
action does what the text says, and the numbers are those of the program. Pictures go to build/playground, for eyes."""
import json
import math
import os
import re
import shlex

from cli import OUT, check, put, run
from hands import Hand

FOLDER = "build/playground"
ALL = os.environ.get("TESTS") == "all"
SIZES = (1280, 800, "mouse"), (820, 1180, "keys"), (390, 844, "finger")
MORE = (1024, 768, "mouse"), (390, 664, "finger"), (1920, 1080, "mouse")
STILL = [{"name": "prefers-reduced-motion", "value": "reduce"}]


def green(hand, _):
    """Turns the green line until its band is the widest."""
    if hand.kind == "keys":
        hand.focus(hand.grip("left"))
        for _ in range(120):
            if hand.browser.evaluate("Story.now().over"):
                return
            hand.browser.key("ArrowRight")
        return
    u = hand.browser.evaluate("Story.now().star.u")
    hand.drag("left", [-u[1] * 0.84, u[0] * 0.84])


def longest(hand, _):
    share = hand.browser.evaluate("(() => { const l = Story.now().model.lines.map(e => e.life); "
                                  "return l.indexOf(Math.max(...l)) / (l.length - 1); })()")
    hand.slide("mean-at", share)


def act(*numbers):
    return lambda hand, browser: [hand.act(number) for number in numbers]


def tap(*of, **more):
    return lambda hand, browser: hand.tap(*of, **more)


def drag(*of, **more):
    return lambda hand, browser: hand.drag(*of, **more)


def slide(*of):
    return lambda hand, browser: hand.slide(*of)


def turns(hand, browser):
    """Three predictions in the picture; by keys with the arrows, as the page says."""
    for number in range(3):
        if hand.kind == "keys":
            browser.evaluate("document.activeElement.blur()")
            browser.key("ArrowLeft")
        else:
            hand.tap("left")
        if number < 2:
            hand.act(0)


def wait(script):
    return lambda hand, browser: browser.until(script)


def other(hand, browser):
    """The two pictures that change are known when they have."""
    hand.tap("3")
    hand.tap("8")


# What a step asks for, in the order of its text. After it the step says that it is done.
ACTIONS = {
    "cats.1": [drag("b", [8.6, 3.2], keys=["ArrowDown"] * 5)],
    "cats.2": [drag("new", [7.6, 7.6], keys=["ArrowRight"] * 8)],
    "cats.3": [act(0, 0, 0, 0, 0)],
    "cats.4": [act(0)],
    "cats.5": [act(0, 0, 1)],
    "cats.6": [slide("cats-times", 0.6), act(0)],
    "stop.1": [act(0)],
    "stop.2": [turns],
    "stop.3": [green],
    "stop.4": [act(1, 0, 1)],
    "stop.5": [act(1, 0, 1)],
    "stop.6": [tap("meet", 0.6, keys=["ArrowRight"] * 6)],
    "stop.7": [drag("0", [-0.45, -0.4], keys=["ArrowLeft"] * 4)],
    "xor.1": [act(1), drag("b", [0.9, -0.8], keys=["+ArrowDown"] * 7)],
    "xor.2": [act(0), wait("document.querySelector('#story-acts button')"), act(0)],
    "xor.3": [slide("xor-tilt", 0.8), act(0)],
    "xor.4": [act(0), slide("xor-reach", 0.7)],
    "xor.5": [drag("c", [-0.3, -0.9], keys=["+ArrowDown"] * 5 + ["+ArrowRight"] * 3)],
    "xor.6": [act(1), slide("xor-eps", 1), act(1)],
    "mean.1": [act(2)],
    "mean.2": [longest],
    "mean.3": [act(0), drag("new", [0.1, -0.7], keys=["+ArrowDown"] * 7)],
    "mean.4": [act(0)],
    "mean.5": [act(2), slide("mean-level", 0.7)],
    "mean.6": [act(0), tap("stop", 0.2, keys=["ArrowLeft"] * 5)],
    "winnow.1": [act(0), wait("Story.now().asked === 5"), tap("2"), tap("5"), tap("9"), act(0)],
    "winnow.2": [act(1)],
    "winnow.3": [act(1)],
    "winnow.4": [tap("tap", 0.95, 0.4, keys=["ArrowUp"] * 2), tap("tap", 0.95, 0.9)],
    "winnow.5": [act(1)],
    "winnow.6": [act(0, 1, 0, 1, 2)],
    "digits.1": [lambda hand, browser: hand.stroke("pad"), act(0)],
    "digits.2": [act(3)],
    "digits.3": [other, act(0)],
    "digits.4": [act(1)],
    "digits.5": [lambda hand, browser: hand.stroke("pad"), act(1)]}

# What must be said then.
SAID = {"cats.1": "0 of 12 wrong", "cats.2": "so dog", "cats.3": "of 3", "cats.4": "Sorted", "cats.5": "updates", "cats.6": "Without b",
        "stop.1": "12 turns", "stop.2": "of 3", "stop.3": "The widest", "stop.4": "12 links", "stop.5": "Each adds", "stop.6": "= 25.6",
        "stop.7": "never more than", "xor.1": "3 of 4", "xor.2": "400 mistakes in 100 rounds", "xor.3": "4 mistakes", "xor.4": "all right",
        "xor.5": "4 of 4", "xor.6": "0 of 40 wrong", "mean.1": "30 wrong", "mean.2": "None lasted longer", "mean.3": "votes for",
        "mean.4": "2 wrong", "mean.5": "caught", "mean.6": "Best after", "winnow.1": "possible threes", "winnow.2": "mistakes", "winnow.3": "adding made",
        "winnow.4": "With 1,000", "winnow.5": "Adding", "winnow.6": "mistakes of Winnow", "digits.1": "Read as 1", "digits.2": "It is the 0",
        "digits.3": "You had", "digits.4": "misread", "digits.5": "It could read your 1"}

FITS = """(() => {
    const out = [], page = document.documentElement, tell = document.querySelector('#story-tell'), shown = e => e.offsetParent !== null;
    if (page.scrollWidth > innerWidth) out.push(`the page is ${page.scrollWidth - innerWidth} too wide`);
    if (page.scrollHeight > innerHeight + 1) out.push(`the page scrolls by ${page.scrollHeight - innerHeight}`);
    if (tell.scrollHeight > tell.clientHeight + 1) out.push(`the text scrolls by ${tell.scrollHeight - tell.clientHeight}`);
    if (tell.scrollWidth > tell.clientWidth + 1) out.push(`the text is ${tell.scrollWidth - tell.clientWidth} too wide`);
    for (const e of tell.querySelectorAll('button, a, input')) {
        const b = e.getBoundingClientRect();
        if (!shown(e)) continue;
        if (b.height < 43.5 || b.width < 39.5) out.push(`${e.id || e.textContent} is ${b.width} x ${b.height}`);
        if (b.left < -1 || b.right > innerWidth + 1 || b.bottom > innerHeight + 1) out.push(`${e.id || e.textContent} is cut`);
    }
    const main = [...tell.querySelectorAll('.go.main')].filter(shown);
    if (main.length > 1) out.push(`${main.length} black buttons`);
    const stage = document.querySelector('#story-stage').getBoundingClientRect(), boxes = [];
    for (const e of document.querySelectorAll('#story-stage text')) {
        const b = e.getBoundingClientRect(), text = e.textContent;
        if (!b.width || Number(e.getAttribute('opacity')) === 0) continue;
        if (b.left < stage.left - 1 || b.right > stage.right + 1 || b.top < stage.top - 1 || b.bottom > stage.bottom + 1)
            out.push(`'${text}' leaves the picture`);
        for (const [other, words] of boxes) {
            const w = Math.min(b.right, other.right) - Math.max(b.left, other.left), h = Math.min(b.bottom, other.bottom) - Math.max(b.top, other.top);
            if (w > 3 && h > 5) out.push(`'${text}' meets '${words}'`);
        }
        boxes.push([b, text]);
    }
    return out; })()"""


def steps(browser):
    return browser.evaluate("[...Story.all.values()].flatMap(s => s.steps.map((_, i) => `${s.id}.${i + 1}`))")


def go(browser, step, view=""):
    name, number = step.split(".")
    browser.evaluate("Memory.forget(); location.hash = '#/'")
    browser.until("!Story.now() && !document.querySelector('#front').hidden")
    browser.evaluate(f"location.hash = '#/{name}/{number}{view}'")
    there = browser.until(f"Story.now() && Story.now().story.id === '{name}' && Story.now().index === {int(number) - 1} && "
                          "Story.now().picture !== undefined && !document.querySelector('#story-page').hidden")
    settle(browser)
    return there


def settle(browser):
    browser.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def fits(browser, step, size, when):
    for wrong in browser.evaluate(FITS):
        check(False, f"{step} at {size[0]} x {size[1]}, {when}: {wrong}")


def words(browser, step):
    """At most 45 words, and none that only a reader of the proof knows."""
    text = browser.evaluate("document.querySelector('#story-text').textContent")
    count = len(re.findall(r"[\w\u2019'-]+", text))
    check(10 < count <= 45, f"{step} has {count} words: {text}")
    symbols = browser.evaluate("document.querySelector('#story-symbols div').textContent")
    check(len(symbols) > 30, f"{step} has no symbols: {symbols}")


def walk(browser, step, size):
    """One step: as it begins, its action, and as it ends."""
    width, height, kind = size
    if not go(browser, step):
        return check(False, f"{step} does not open")
    fits(browser, step, size, "asked")
    if kind == "mouse":
        words(browser, step)
    check(browser.evaluate("document.title").endswith(f"{step.split('.')[1]} of {browser.evaluate('Story.now().story.steps.length')}"),
          f"{step}: the title is {browser.evaluate('document.title')}")
    hand = Hand(browser, kind)
    if ALL or kind == "mouse":
        browser.screenshot(f"{FOLDER}/{step}-{width}-asked.png", whole=False)
    for action in ACTIONS[step]:
        action(hand, browser)
        settle(browser)
    done = browser.until("Story.now().over")
    said = browser.evaluate("document.querySelector('#story-said').textContent")
    check(done, f"{step} by {kind}: not done, it says '{said}'")
    check(SAID[step] in said or step == "digits.5" and "fooled it" in said or step == "digits.1" and "Read as" in said,
          f"{step} by {kind} says '{said}', not '{SAID[step]}'")
    settle(browser)
    fits(browser, step, size, "done")
    browser.screenshot(f"{FOLDER}/{step}-{width}.png", whole=False)
    return None


def every_step(browser):
    browser.call("Emulation.setEmulatedMedia", features=STILL)
    for size in SIZES + (MORE if ALL else ()):
        browser.size(size[0], size[1], touch=size[2] == "finger")
        for step in steps(browser):
            walk(browser, step, size)
    browser.size(1280, 800)


def motion(browser):
    """With motion: the line turns and comes to the same end; leaving a step in its middle stops it."""
    browser.call("Emulation.setEmulatedMedia", features=[])
    go(browser, "stop.1")
    Hand(browser, "mouse").act(0)
    first = browser.evaluate("document.querySelector('#story-said').textContent")
    check(browser.until("/^12 turns/.test(document.querySelector('#story-said').textContent)", 20) and "12 turns" not in first, f"motion: {first}")
    go(browser, "stop.4")
    Hand(browser, "mouse").act(1)
    Hand(browser, "mouse").act(1)
    browser.key("ArrowRight")
    check(browser.until("Story.now().index === 4", 3), "the right arrow does not go on")
    browser.evaluate("new Promise(done => setTimeout(done, 700))")
    check(browser.evaluate("Story.now().k") == 1, "a step that was left goes on")
    browser.call("Emulation.setEmulatedMedia", features=STILL)


def keys(browser):
    """Space presses the black button, arrows and Page keys turn, Z undoes down to the start and no further."""
    go(browser, "stop.7")
    browser.evaluate("document.activeElement.blur()")
    start = browser.evaluate("JSON.stringify(Story.now().points)")
    hand = Hand(browser, "keys")
    check(browser.evaluate("document.querySelector('#story-undo').disabled"), "Undo is on at the start")
    for _ in range(3):
        hand.focus(hand.grip("2"))
        browser.key("ArrowUp")
    Hand(browser, "mouse").drag("5", [0.3, -0.6])
    for _ in range(4):
        check(not browser.evaluate("document.querySelector('#story-undo').disabled"), "Undo is off before the start")
        hand.press("#story-undo")
    check(browser.evaluate("JSON.stringify(Story.now().points)") == start and browser.evaluate("document.querySelector('#story-undo').disabled"),
          "Undo does not end where it began")
    browser.evaluate("document.activeElement.blur()")
    browser.key("PageUp")
    check(browser.until("Story.now().index === 5", 3), "Page up does not go back")
    go(browser, "xor.2")
    browser.evaluate("document.activeElement.blur()")
    browser.key(" ")
    check(browser.until("Story.now().joined === 1", 3), "Space does not press the black button")
    browser.key("Escape")
    check(browser.until("!document.querySelector('#front').hidden", 3), "Escape does not leave")


def program(browser, options, rows, test=None):
    """What the program tells of rows that it has learned as the page does, and of rows to test by."""
    command = browser.evaluate(f"Engine.commandLine({json.dumps(options)})")
    data, model = put("story.csv", rows), OUT + "/story.model"
    status, out, err = run(*shlex.split(command)[1:-2], data, model, plain=False)
    check(status == 0, f"{command}: {err}")
    told = out + err
    status, out, err = run("predict", put("story-test.csv", test or rows), model, OUT + "/story.txt", plain=False)
    check(status == 0, f"predict: {err}")
    return told + out + err


ROWS = "points.map(p => `${Engine.number(p.x)},${Engine.number(p.y)},${Math.max(0, p.c)}\\n`).join('')"


def numbers(browser):
    """What the stories say beside what the program makes of the same rows."""
    go(browser, "stop.7")
    rows, turns, star = browser.evaluate(f"(() => {{ const {{points, run, star}} = Story.now(); return [{ROWS}, run.updates.length, star]; }})()")
    told = program(browser, {"learner": "perceptron", "features": 2, "bias": 0, "order": "file", "stop": "clean", "epochs": 1000}, rows)
    check(f" {turns} updates, {turns} mistakes" in told, f"stop: {turns}, the program: {told}")
    points = [list(map(float, row.split(","))) for row in rows.split()]
    z = [(x * (2 * c - 1), y * (2 * c - 1)) for x, y, c in points]
    band = lambda a, b: min(x * a + y * b for x, y in z)
    finest = max(band(math.cos(t / 5000), math.sin(t / 5000)) for t in range(31416))
    check(abs(star["gap"] - band(*star["u"])) < 1e-6 and finest - 1e-6 <= star["gap"] <= finest + 2e-4, f"the widest band: {star['gap']}, {finest}")
    go(browser, "mean.4")
    rows, last, mean = browser.evaluate(f"""(() => {{ const {{points, lines, mean}} = Story.now().model, wrong = w => Trace.wrong(w, points).length;
        return [{ROWS}, wrong(lines[lines.length - 1].w), wrong(mean)]; }})()""")
    for learner, count in (("perceptron", last), ("averaged", mean)):
        told = program(browser, {"learner": learner, "features": 2, "order": "file", "epochs": 5}, rows)
        check(f"({60 - count}/60)" in told, f"mean, {learner}: {count} wrong, the program: {told}")
    go(browser, "digits.4")
    right = browser.evaluate("(() => { const {mean, labels} = Story.now().model.tested; return labels.filter((y, i) => mean[i] === y).length; })()")
    train, test = browser.evaluate("['train', 'test'].map(k => Engine.csv(Playground.digits[k].values, Playground.digits[k].labels, 64, 10))")
    told = program(browser, {"learner": "averaged", "features": 64, "classes": 10, "epochs": 3}, train, test)
    check(f"({right}/300)" in told, f"digits: {right} of 300, the program: {told}")


def conventions(browser):
    """The four machines have the updates and mistakes of exact arithmetic."""
    go(browser, "cats.5")
    shown = browser.evaluate("Story.now().model.gates.map(g => [g.name, g.steps[g.steps.length - 1].updates, g.steps[g.steps.length - 1].mistakes])")
    for name, updates, mistakes in shown:
        positive, always = name in ("Eaton", "Su"), name in ("Eaton", "CIML")
        w, found, clean = [0, 0, 0], [0, 0], 0
        while clean < 4:
            for x, y, is_on in ((0, 0, -1), (0, 1, 1), (1, 0, 1), (1, 1, 1)):
                s = w[0] * x + w[1] * y + w[2]
                guess = 1 if s > 0 or s == 0 and positive else -1
                fires = guess != is_on or s == 0 and always
                found[1] += guess != is_on
                clean = 0 if fires else clean + 1
                if fires:
                    w, found[0] = [w[0] + is_on * x, w[1] + is_on * y, w[2] + is_on], found[0] + 1
        check([updates, mistakes] == found, f"OR by {name}: {updates} updates, {mistakes} mistakes, not {found}")


def views(browser):
    """The projector is larger, and goes by keys; embedded pages have what they name."""
    go(browser, "stop.2")
    small = browser.evaluate("parseFloat(getComputedStyle(document.querySelector('#story-text')).fontSize)")
    browser.evaluate("document.activeElement.blur()")
    browser.key("p")
    browser.until("document.documentElement.dataset.view === 'projector'", 3)
    large = browser.evaluate("parseFloat(getComputedStyle(document.querySelector('#story-text')).fontSize)")
    check(large >= 1.25 * small, f"the projector: type of {large}, {small} before")
    browser.key("PageDown")
    check(browser.until("Story.now().index === 2 && document.documentElement.dataset.view === 'projector'", 3), "the projector: Page down does not go on")
    browser.key("Escape")
    check(browser.until("!document.documentElement.dataset.view && !/view=/.test(location.hash)", 3), "Escape does not leave the projector")
    for width, height in ((1280, 800), (1920, 1080)):
        browser.size(width, height)
        for step in steps(browser) if ALL else ("cats.2", "stop.2", "stop.6", "xor.6", "mean.5", "winnow.1", "digits.3"):
            go(browser, step, "?view=projector")
            fits(browser, step, (width, height), "projector")
            browser.screenshot(f"{FOLDER}/projector-{step}-{width}.png", whole=False)
    browser.size(900, 600)
    for view, there, away in (("embed", "#story-text", ".bar"), ("picture", "#story-stage", "#story-tell")):
        go(browser, "stop.3", f"?view={view}")
        seen = browser.evaluate(f"[{json.dumps(there)}, {json.dumps(away)}].map(e => {{ const b = document.querySelector(e).getBoundingClientRect(); "
                                "return b.width > 0 && b.bottom <= innerHeight + 1; })")
        check(seen[0] and browser.evaluate(f"document.querySelector({json.dumps(away)}).getBoundingClientRect().width === 0"), f"view={view}: {seen}")
        browser.screenshot(f"{FOLDER}/{view}.png", whole=False)
    browser.size(1280, 800)
    go(browser, "stop.1")


def looks(browser):
    """Dark, and grey: the two sides differ in lightness, too."""
    levels = {}
    for theme in ("light", "dark"):
        browser.evaluate(f"Memory.set('theme', '{theme}'); document.documentElement.dataset.theme = '{theme}'; document.dispatchEvent(new Event('theme'))")
        levels[theme] = browser.evaluate("""['--pos-tint', '--neg-tint'].map(name => { const c = getComputedStyle(document.documentElement)
            .getPropertyValue(name).trim().match(/[0-9a-f]{2}/gi).map(v => parseInt(v, 16) / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
            return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]; })""")
        low, high = sorted(levels[theme])
        check((high + 0.05) / (low + 0.05) >= 1.3, f"{theme}: the sides differ by {(high + 0.05) / (low + 0.05):.2f}")
        for step in ("cats.4", "stop.7", "winnow.6"):
            go(browser, step)
            browser.evaluate(f"document.documentElement.dataset.theme = '{theme}'; document.dispatchEvent(new Event('theme'))")
            settle(browser)
            browser.screenshot(f"{FOLDER}/{step}-{theme}.png", whole=False)
    browser.evaluate("document.documentElement.dataset.theme = 'light'; document.dispatchEvent(new Event('theme'))")
    browser.call("Emulation.setEmulatedVisionDeficiency", type="achromatopsia")
    for step in ("stop.7", "xor.5"):
        go(browser, step)
        browser.screenshot(f"{FOLDER}/{step}-grey.png", whole=False)
    browser.call("Emulation.setEmulatedVisionDeficiency", type="none")


def remembered(browser):
    """What was seen and guessed stands on the cards and is gone when it is forgotten."""
    go(browser, "stop.3")
    browser.evaluate("location.hash = '#/'")
    browser.until("!document.querySelector('#front').hidden", 3)
    card = "document.querySelector('.card[href=\"#/stop/3\"]')"
    check(browser.until(f"{card} && /Go on at 3 of 7/.test({card}.textContent)", 3), "the card does not know where one was")
    browser.evaluate("location.hash = '#/teachers'")
    browser.until("!!document.querySelector('#forget')", 3)
    browser.press("#forget")
    browser.evaluate("location.hash = '#/'")
    check(browser.until("document.querySelectorAll('.card em').length === 1 && /7 steps/.test(document.querySelector('.card[href=\"#/stop/1\"]').textContent)", 3),
          "what is forgotten stays")


TESTS = (every_step, motion, keys, conventions, numbers, views, looks, remembered)
