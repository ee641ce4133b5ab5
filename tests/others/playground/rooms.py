"""The rooms of examples/playground: each uses those before it only, engine and model have no document, and files are short."""
import glob
import os
import re

from cli import check

FOLDER = "examples/playground"
ROOMS = "engine model state draw hands stories free front".split()
MOST_OF_FILE, MOST_OF_ALL = 400, 9100  # lines
NAMES = re.compile(r"^(?:async )?(?:const|class|function|let) (\w+)", re.M)


def bare(text):
    """Without comments and strings, but with what stands in ${...} of a template."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    return re.sub(r"'(?:\\.|[^'\\\n])*'", "''", text)


def files():
    return {path: open(path).read() for room in ROOMS for path in sorted(glob.glob(f"{FOLDER}/{room}/*.js"))}


def room_of(path):
    return ROOMS.index(path.split("/")[-2])


def upwards(texts):
    """(file, name) of what a room uses of a later one."""
    defined = {name: path for path, text in texts.items() for name in NAMES.findall(text)}
    found = []
    for path, text in texts.items():
        for name in set(re.findall(r"(?<![.\w$])[A-Za-z_]\w*", bare(text))) & set(defined):
            if room_of(defined[name]) > room_of(path):
                found.append((path, name))
    return found


def test():
    texts = files()
    check(len(texts) > 40, f"{len(texts)} scripts")
    check(upwards(texts) == [], f"calls upwards: {upwards(texts)}")
    planted = dict(texts, **{f"{FOLDER}/model/planted.js": "const planted = () => Front.show();"})
    check(upwards(planted) == [(f"{FOLDER}/model/planted.js", "Front")], "a call upwards is not noticed")
    for path, text in texts.items():
        if room_of(path) < ROOMS.index("state"):
            check(not re.search(r"\bdocument\b", bare(text)), f"{path} names the document")
        check(text.count("\n") <= MOST_OF_FILE, f"{path} has {text.count(chr(10))} lines")
    every = [path for kind in ("*/*.js", "*/*.css", "*.html") for path in glob.glob(f"{FOLDER}/{kind}")]
    lines = sum(open(path).read().count("\n") for path in every)
    check(lines <= MOST_OF_ALL, f"{lines} lines of JS, CSS and HTML in {len(every)} files")
