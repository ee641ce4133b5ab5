"""A visitor of the playground's page, with a mouse, a finger or keys: buttons, sliders, and what can be dragged or tapped in a
picture."""
import json

import devtools


class Hand:
    """kind: mouse, finger or keys."""

    def __init__(self, browser, kind):
        self.browser, self.kind = browser, kind

    def press(self, selector):
        if self.kind == "mouse":
            self.browser.press(selector)
        elif self.kind == "finger":
            self.browser.touch([self.browser.centre(selector)])
        else:
            self.focus(selector)
            self.browser.key("Enter")

    def act(self, number):
        """The button of that number below the text."""
        self.browser.until(f"document.querySelectorAll('#story-acts button').length > {number}")
        self.browser.evaluate("document.querySelectorAll('#story-acts button').forEach((b, i) => { b.dataset.act = i; })")
        self.press(f"#story-acts [data-act='{number}']")

    def focus(self, selector):
        self.browser.evaluate(f"document.querySelector({json.dumps(selector)}).focus()")

    # ---- In the picture ----

    def box(self, key):
        """Of what has that key: (left, top, width, height) in the document."""
        return self.browser.evaluate(f"""(() => {{ const e = document.querySelector('#story-stage .grip[data-key={json.dumps(key)}]');
            const b = e.getBoundingClientRect(); return [b.left + scrollX, b.top + scrollY, b.width, b.height]; }})()""")

    def centre(self, key):
        left, top, width, height = self.box(key)
        return [left + width / 2, top + height / 2]

    def grip(self, key):
        return f"#story-stage .grip[data-key={json.dumps(key)}]"

    def tap(self, key, across=0.5, down=0.5, keys=()):
        """At a share of its width and height; with keys: those, then Enter."""
        if self.kind == "keys":
            self.focus(self.grip(key))
            for name in keys:
                self.browser.key(name)
            self.browser.key("Enter")
            return
        left, top, width, height = self.box(key)
        place = left + across * width, top + down * height
        if self.kind == "mouse":
            self.browser.click(*place)
        else:
            self.browser.touch([place])

    def drag(self, key, to, keys=()):
        """To a place of the plane; with keys: those."""
        if self.kind == "keys":
            self.focus(self.grip(key))
            for name in keys:
                self.browser.key(name.lstrip("+"), devtools.SHIFT if name.startswith("+") else 0)
            return
        x, y = self.browser.evaluate(f"""(() => {{ const [x, y] = Story.now().plot.at({json.dumps(to)});
            const svg = document.querySelector('#story-stage'), b = svg.getBoundingClientRect(), v = svg.viewBox.baseVal;
            return [b.left + scrollX + x * b.width / v.width, b.top + scrollY + y * b.height / v.height]; }})()""")
        self.along([self.centre(key), (x, y)])

    def along(self, ends):
        """In ten moves, with the button or the finger down."""
        (x0, y0), (x1, y1) = ends
        places = [(x0 + (x1 - x0) * i / 10, y0 + (y1 - y0) * i / 10) for i in range(11)]
        if self.kind == "mouse":
            self.browser.drag(places)
        else:
            self.browser.touch(places)
            self.browser.evaluate("new Promise(done => setTimeout(done, 700))")  # a browser takes no tap for one so soon after

    def stroke(self, key):
        """A bar from above to below, within a pad."""
        if self.kind == "keys":
            self.focus(self.grip(key))
            for _ in range(9):
                self.browser.key("ArrowDown")
            return
        left, top, width, height = self.box(key)
        self.along([(left + width / 2, top + 0.15 * height), (left + 0.48 * width, top + 0.85 * height)])

    # ---- Sliders ----

    def slide(self, name, share):
        """To a share of its way."""
        least, most, step, value = self.browser.evaluate(
            f"(() => {{ const e = document.querySelector('#{name}'); return [e.min, e.max, e.step, e.value].map(Number); }})()")
        if self.kind == "keys":
            self.focus("#" + name)
            count = round((least + share * (most - least) - value) / step)
            for _ in range(abs(count)):
                self.browser.key("ArrowRight" if count > 0 else "ArrowLeft")
            return
        left, top, width, height = self.browser.evaluate(
            f"(() => {{ const b = document.querySelector('#{name}').getBoundingClientRect(); "
            "return [b.left + scrollX, b.top + scrollY, b.width, b.height]; })()")
        at = lambda part: (left + 8 + part * (width - 16), top + height / 2)
        if self.kind == "finger":
            self.browser.touch([at(share)])
            return
        self.along([at((value - least) / (most - least)), at(share)])
