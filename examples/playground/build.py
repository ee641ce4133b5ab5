"""The playground's page, one file, from the files of this folder.

    build.py ENGINE DIGITS PAGE

ENGINE: engine.c as WebAssembly. DIGITS: examples/data/digits.csv. Both go into the page compressed, and unpack.js reads
them. The scripts come room by room, each room a folder that uses those before it, and by name in a room.
"""
import base64
import hashlib
import pathlib
import re
import sys
import zlib

ROOMS = "engine model state draw hands stories free front".split()
MOST = 560_000  # bytes of the page
HERE = pathlib.Path(__file__).parent


def read(path):
    return path.read_text(encoding="utf-8")


def packed(name, data):
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15, 9)
    text = base64.b64encode(deflate.compress(data) + deflate.flush()).decode()
    return f'<script type="text/plain" id="packed-{name}">{text}</script>\n'


def digits(csv):
    return bytes(int(number) for line in csv.splitlines() for number in line.split(","))


def tabbed(text):
    """Indented by tabs and without the comments that have lines of their own: an eighth of the bytes, and still to be read."""
    text = re.sub(r"^[ ]*/\*.*?\*/[ ]*\n", "", text, flags=re.M | re.S)
    return re.sub(r"^(?: {4})+", lambda indent: "\t" * (len(indent[0]) // 4), text, flags=re.M)


def styles():
    return "".join(tabbed(read(path)) for path in sorted((HERE / "style").glob("*.css")))


def scripts():
    texts = [tabbed(read(path)) for room in ROOMS for path in sorted((HERE / room).glob("*.js"))]
    for text in texts:
        if "</script" in text.lower():
            sys.exit("build.py: a script must not contain the text </script")
    return texts


def policy(texts):
    """Nothing but these scripts, and no network."""
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts]
    allowed = " ".join(f"'sha256-{name}'" for name in hashes)
    rules = ["default-src 'none'", f"script-src {allowed} 'wasm-unsafe-eval'", "style-src 'unsafe-inline'",
             "img-src data: blob:", "worker-src blob:", "base-uri 'none'", "form-action 'none'"]
    return f'<meta http-equiv="Content-Security-Policy" content="{"; ".join(rules)}">\n'


def insert(page, before, text):
    if page.count(before) != 1:
        sys.exit(f"build.py: page.html needs {before} exactly once")
    return page.replace(before, text + before)


def main(engine, csv, target):
    texts = scripts()
    page = insert(read(HERE / "page.html"), "<title>", policy(texts))
    page = insert(page, "</head>", f"<style>\n{styles()}</style>\n")
    data = packed("engine", pathlib.Path(engine).read_bytes())
    data += packed("digits", digits(pathlib.Path(csv).read_text(encoding="utf-8")))
    page = insert(page, "</body>", data + "".join(f"<script>{text}</script>\n" for text in texts)).encode()
    if len(page) >= MOST:
        sys.exit(f"build.py: the page has {len(page)} bytes, and should have fewer than {MOST}")
    pathlib.Path(target).write_bytes(page)
    print(f"{target}: {len(page)} bytes")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
