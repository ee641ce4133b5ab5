"""Drives Chromium by the DevTools protocol, over two pipes: a page from disk, its errors and requests, mouse, touch and
keys, sizes, themes, files. By hand, a picture of a page:

    python3 tests/others/devtools.py PAGE --width 360 --height 900 --theme dark --at '#/stop/4' --screenshot FILE
"""
import argparse
import base64
import fcntl
import json
import os
import pathlib
import select
import shutil
import signal
import sys
import tempfile
import time

PATIENCE = 30  # seconds for a command, unless told otherwise
CODES = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "PageUp": 33, "PageDown": 34, "End": 35, "Home": 36, "ArrowLeft": 37,
         "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Delete": 46, "Backspace": 8}
TEXTS = {"Enter": "\r", " ": " "}
ALT, CONTROL, META, SHIFT = 1, 2, 4, 8


class Failed(Exception):
    """The browser refuses a command, a script throws, or time is up."""


def program():
    """Chromium's path, or None."""
    return next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)


def pipe():
    """Its two ends, away from 3 and 4."""
    ends = os.pipe()
    far = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends]
    for end in ends:
        os.close(end)
    return far


class Browser:
    """A headless browser with one page. errors: what the console and exceptions said; requests: every address."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.errors, self.requests, self.answers, self.downloads = [], [], {}, {}
        self.number, self.buffer, self.session, self.loaded = 0, b"", None, set()
        theirs_in, self.out = pipe()
        self.into, theirs_out = pipe()
        flags = ["--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu", "--hide-scrollbars",
                 "--disable-dev-shm-usage", "--disable-background-networking", f"--user-data-dir={self.profile.name}"]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        log = os.open(os.path.join(self.profile.name, "log"), os.O_WRONLY | os.O_CREAT, 0o600)
        self.pid = os.posix_spawn(program(), [program(), *flags, "about:blank"], os.environ, file_actions=[
            (os.POSIX_SPAWN_DUP2, theirs_in, 3), (os.POSIX_SPAWN_DUP2, theirs_out, 4),
            (os.POSIX_SPAWN_DUP2, log, 1), (os.POSIX_SPAWN_DUP2, log, 2)])
        for end in (theirs_in, theirs_out, log):
            os.close(end)
        self.attach()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def attach(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "DOM", "Accessibility"):
            self.call(domain + ".enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)

    def close(self):
        """Asks it to end, and makes it if it does not."""
        try:
            self.session = None
            self.call("Browser.close", patience=5)
        except (Failed, OSError):
            pass
        until = time.monotonic() + 5
        while os.waitpid(self.pid, os.WNOHANG)[0] == 0:
            if time.monotonic() > until:
                os.kill(self.pid, signal.SIGKILL)
            time.sleep(0.02)
        os.close(self.out)
        os.close(self.into)
        self.profile.cleanup()

    # ---- Messages: JSON that ends in NUL ----

    def read(self, until):
        """Takes what the browser says, or waits for it."""
        wait = until - time.monotonic()
        if wait <= 0 or not select.select([self.into], [], [], wait)[0]:
            raise Failed("time is up")
        data = os.read(self.into, 1 << 20)
        if not data:
            raise Failed("the browser has ended")
        *messages, self.buffer = (self.buffer + data).split(b"\0")
        for message in messages:
            self.take(json.loads(message))

    def take(self, message):
        event, p = message.get("method"), message.get("params", {})
        if "id" in message:
            self.answers[message["id"]] = message
        elif event == "Runtime.exceptionThrown":
            details = p["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif event == "Runtime.consoleAPICalled" and p["type"] in ("error", "warning", "assert"):
            self.errors.append(" ".join(str(a.get("value", a.get("description"))) for a in p["args"]))
        elif event == "Log.entryAdded" and p["entry"]["level"] in ("error", "warning"):
            self.errors.append(p["entry"]["text"] + " " + p["entry"].get("url", ""))
        elif event == "Network.requestWillBeSent":
            self.requests.append(p["request"]["url"])
        elif event == "Page.lifecycleEvent" and p["name"] == "load":
            self.loaded.add(p["loaderId"])
        elif event == "Browser.downloadWillBegin":
            self.downloads[p["guid"]] = [p["suggestedFilename"], False]
        elif event == "Browser.downloadProgress" and p["state"] == "completed":
            self.downloads[p["guid"]][1] = True

    def call(self, method, patience=PATIENCE, **parameters):
        self.number += 1
        number, until = self.number, time.monotonic() + patience
        message = {"id": number, "method": method, "params": parameters}
        if self.session and not method.startswith("Browser."):
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        while number not in self.answers:
            try:
                self.read(until)
            except Failed as why:
                raise Failed(f"{method}: {why}") from None
        answer = self.answers.pop(number)
        if "error" in answer:
            raise Failed(f"{method}: {answer['error'].get('message')}")
        return answer["result"]

    def wait(self, condition, patience=PATIENCE):
        """Reads until the condition, a function here, holds."""
        until = time.monotonic() + patience
        while not condition():
            self.read(until)

    # ---- The page ----

    def open(self, path, fragment="", patience=PATIENCE):
        """A new document from disk, even where only the fragment differs."""
        for url in ("about:blank", pathlib.Path(path).resolve().as_uri() + fragment):
            loader = self.call("Page.navigate", url=url).get("loaderId")
            self.wait(lambda: loader in self.loaded, patience)

    def evaluate(self, script, patience=PATIENCE):
        """The value of an expression; a promise is awaited."""
        answer = self.call("Runtime.evaluate", patience, expression=script, awaitPromise=True, returnByValue=True,
                           userGesture=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise Failed(f"{script[:200]}: {details.get('exception', {}).get('description') or details['text']}")
        return answer["result"].get("value")

    def until(self, script, patience=PATIENCE):
        """Waits until the expression holds; false when time is up."""
        end = time.monotonic() + patience
        while not self.evaluate(script, patience):
            if time.monotonic() > end:
                return False
            time.sleep(0.03)
        return True

    def size(self, width, height, touch=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=touch)
        self.call("Emulation.setTouchEmulationEnabled", enabled=touch)

    def theme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def screenshot(self, path, whole=True):
        """The whole page, or the part in view."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    # ---- Hands. Places are those of the document, in pixels, and are scrolled to. ----

    def place(self, x, y):
        return self.evaluate(f"""(() => {{
            const x = {x}, y = {y};
            if (y < scrollY + 60 || y > scrollY + innerHeight - 20)
                scrollTo({{left: 0, top: y - innerHeight / 2, behavior: 'instant'}});
            return [x - scrollX, y - scrollY]; }})()""")

    def centre(self, selector):
        """The middle of an element, when it has stayed where it is for two frames."""
        place = None
        for _ in range(30):
            before, place = place, self.evaluate(f"""(() => {{
                const e = document.querySelector({json.dumps(selector)});
                if (!e) return null;
                const box = e.getBoundingClientRect();
                return [box.left + box.width / 2 + scrollX, box.top + box.height / 2 + scrollY]; }})()""")
            if not place:
                raise Failed(f"there is no {selector}")
            if place == before:
                break
            self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return place

    def mouse(self, kind, x, y, button="left", modifiers=0):
        held = {"left": 1, "right": 2, "none": 0}[button] if kind != "mouseReleased" else 0
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, buttons=held, modifiers=modifiers,
                  clickCount=0 if kind == "mouseMoved" else 1)

    def click(self, x, y, button="left", modifiers=0):
        x, y = self.place(x, y)
        self.mouse("mouseMoved", x, y, "none")
        self.mouse("mousePressed", x, y, button, modifiers)
        self.mouse("mouseReleased", x, y, button, modifiers)

    def press(self, selector):
        """Clicks on the middle of an element."""
        self.click(*self.centre(selector))

    def drag(self, places):
        """With the left button, along places of the document that are in view together."""
        places = [self.place(*place) for place in places]
        self.mouse("mouseMoved", *places[0], "none")
        self.mouse("mousePressed", *places[0])
        for place in places[1:]:
            self.mouse("mouseMoved", *place)
        self.mouse("mouseReleased", *places[-1])

    def touch(self, places):
        """A finger along places; one place is a tap."""
        places = [self.place(*place) for place in places]
        for i, (x, y) in enumerate(places):
            self.call("Input.dispatchTouchEvent", type="touchMove" if i else "touchStart", touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def key(self, name, modifiers=0):
        code = CODES.get(name, ord(name.upper()) if len(name) == 1 else 0)
        text = TEXTS.get(name, name if len(name) == 1 else "") if not modifiers & (CONTROL | META | ALT) else ""
        common = {"key": name, "windowsVirtualKeyCode": code, "modifiers": modifiers}
        common["code"] = {" ": "Space"}.get(name, "Key" + name.upper() if len(name) == 1 and name.isalpha() else name)
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    # ---- Files ----

    def download(self, act, folder, patience=PATIENCE):
        """The path of the file that the browser stores when act() is done."""
        folder = os.path.abspath(folder)
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder, eventsEnabled=True)
        before = set(self.downloads)
        act()
        self.wait(lambda: any(done for guid, (_, done) in self.downloads.items() if guid not in before), patience)
        return os.path.join(folder, next(name for guid, (name, _) in self.downloads.items() if guid not in before))

    def choose(self, selector, path):
        """A file for an <input type=file>."""
        root = self.call("DOM.getDocument", depth=0)["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", files=[os.path.abspath(path)], nodeId=node)

    def drop(self, selector, path):
        """A file falls onto an element, with the events of a drag from outside."""
        data = base64.b64encode(pathlib.Path(path).read_bytes()).decode()
        self.evaluate(f"""(() => {{
            const data = new DataTransfer(), bytes = Uint8Array.from(atob('{data}'), c => c.charCodeAt(0));
            data.items.add(new File([bytes], {json.dumps(os.path.basename(path))}));
            for (const kind of ['dragenter', 'dragover', 'drop'])
                document.querySelector({json.dumps(selector)}).dispatchEvent(
                    new DragEvent(kind, {{dataTransfer: data, bubbles: true, cancelable: true}})); }})()""")

    # ---- What a screen reader is told ----

    def accessible(self):
        """Of each node: (role, name, value, properties)."""
        for node in self.call("Accessibility.getFullAXTree")["nodes"]:
            if not node.get("ignored"):
                properties = {p["name"]: p["value"].get("value") for p in node.get("properties", [])}
                yield (node.get("role", {}).get("value"), node.get("name", {}).get("value", ""),
                       node.get("value", {}).get("value"), properties)


def main():
    parser = argparse.ArgumentParser(description="A picture of a page, by Chromium.")
    parser.add_argument("page")
    parser.add_argument("--width", type=int, default=1440)
    parser.add_argument("--height", type=int, default=900)
    parser.add_argument("--theme", choices=["light", "dark"], default="light")
    parser.add_argument("--at", default="", metavar="FRAGMENT", help="such as #/play/digits")
    parser.add_argument("--script", help="JavaScript to evaluate then; its value is printed")
    parser.add_argument("--wait", type=float, default=0.5, help="seconds before the picture")
    parser.add_argument("--screenshot", metavar="FILE")
    options = parser.parse_args()
    with Browser() as browser:
        browser.size(options.width, options.height)
        browser.theme(options.theme)
        browser.open(options.page, options.at)
        if options.script:
            print(json.dumps(browser.evaluate(options.script)))
        time.sleep(options.wait)
        if options.screenshot:
            browser.screenshot(options.screenshot)
        browser.evaluate("0")
        for error in browser.errors:
            print("console:", error)
    return bool(browser.errors)


if __name__ == "__main__":
    sys.exit(main())
