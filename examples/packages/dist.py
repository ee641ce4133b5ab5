"""Builds the packages of perceptron.h into build/dist, from the facts below and the files beside this one:

    perceptron.h                    the single header
    perceptron-VERSION/             what the next two hold
    perceptron-VERSION.tar.gz       for CMake, Meson, Zephyr, ESP-IDF, vcpkg, Conan, xmake, clib, and any other build
    perceptron-VERSION.zip          for Arduino and PlatformIO, which read the same folder
    perceptron.wrap                 for Meson: how it finds and checks the .tar.gz
    perceptron.perceptron.VERSION.pack  for tools that take CMSIS-Packs
    SHA256SUMS                      of all that

From the project's root: make dist, or make dist URL=https://... where the project has a page of its own. The same tree
gives the same bytes."""
import gzip
import hashlib
import io
import os
import re
import shutil
import sys
import tarfile
import zipfile

HERE, OUT = os.path.dirname(__file__), "build/dist"
FACTS = {
    "VERSION": re.match(r"/\* perceptron\.h - v([0-9.]+) - ", open("perceptron.h", encoding="utf-8").readline())[1],
    "SUMMARY": "Online linear classifiers in one C99 header",
    "URL": sys.argv[1] if len(sys.argv) > 1 else "",
}
NAME = "perceptron-" + FACTS["VERSION"]
# Where each file lies in the package, and where it is from.
FILES = {
    "LICENSE": "LICENSE",
    "README.md": HERE + "/README.md",
    "src/perceptron.h": "perceptron.h",
    "CMakeLists.txt": HERE + "/CMakeLists.txt",
    "meson.build": HERE + "/meson.build",
    "library.properties": HERE + "/library.properties",
    "library.json": HERE + "/library.json",
    "examples/Analog/Analog.ino": HERE + "/Analog.ino",
    "idf_component.yml": HERE + "/idf_component.yml",
    "zephyr/module.yml": HERE + "/zephyr.yml",
    "zephyr/CMakeLists.txt": HERE + "/zephyr.cmake",
    "vcpkg/perceptron/vcpkg.json": HERE + "/vcpkg.json",
    "vcpkg/perceptron/portfile.cmake": HERE + "/portfile.cmake",
    "conanfile.py": HERE + "/conanfile.py",
    "xmake/packages/p/perceptron/xmake.lua": HERE + "/xmake.lua",
    "clib.json": HERE + "/clib.json",
}
IN_PACK = ("LICENSE", "README.md", "src/perceptron.h")


def filled(path):
    """A file's bytes, with the facts in the place of their @NAMES@."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    return re.sub(r"@([A-Z0-9]+)@", lambda name: FACTS[name[1]], text).encode()


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)
    return path


def tar_gz(contents):
    raw = io.BytesIO()
    with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as packed, tarfile.open(fileobj=packed, mode="w") as tar:
        for name, data in contents.items():
            entry = tarfile.TarInfo(f"{NAME}/{name}")
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return raw.getvalue()


def zipped(contents):
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in contents.items():
            packed.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return raw.getvalue()


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    contents = {name: filled(path) for name, path in FILES.items()}
    for name, data in contents.items():
        write(f"{OUT}/{NAME}/{name}", data)
    made = {"perceptron.h": contents["src/perceptron.h"], NAME + ".tar.gz": tar_gz(contents),
            NAME + ".zip": zipped({f"{NAME}/{name}": data for name, data in contents.items()})}
    pack = {name: contents[name] for name in IN_PACK} | {"perceptron.perceptron.pdsc": filled(HERE + "/perceptron.pdsc")}
    made[f"perceptron.perceptron.{FACTS['VERSION']}.pack"] = zipped(pack)
    FACTS["SHA256"] = hashlib.sha256(made[NAME + ".tar.gz"]).hexdigest()
    made["perceptron.wrap"] = filled(HERE + "/perceptron.wrap")
    for name, data in made.items():
        write(f"{OUT}/{name}", data)
    sums = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in made.items())
    write(f"{OUT}/SHA256SUMS", sums.encode())
    print(sums, end="")


main()
