"""Each package of make dist, and make install, serves to build a program in an empty folder; what is installed is
built without -march=native.

A tool that is missing is one test skipped. From the project's root; writes only to build/.
"""
import hashlib
import json
import os
import re
import shutil
import subprocess
import threading
import zipfile
from xml.etree import ElementTree

from cli import OUT, check, finish, get, skip

HERE = os.path.abspath(OUT)
DIST = os.path.abspath("build/dist")
ANSWER = "pcn_perceptron_predict(&m, pcn_dense(&x, 1))"
PROGRAM = """#define PERCEPTRON_IMPLEMENTATION
#include <perceptron.h>
#include <stdio.h>
int main(void) {
    static float memory[PCN_PERCEPTRON_FLOATS(1, 2)];
    pcn_perceptron m;
    float x = 1;
    if (pcn_perceptron_init(&m, 1, 2, memory, sizeof memory) < 0) return 1;
    pcn_perceptron_learn(&m, pcn_dense(&x, 1), 0);
    printf("%d\\n", ANSWER);
    return 0;
}
""".replace("ANSWER", ANSWER)


def has(tool, package):
    if not shutil.which(tool):
        skip(f"{tool} is not installed (Debian: apt-get install {package})")
    return shutil.which(tool)


def folder(name, files):
    """An empty one, with these files."""
    path = os.path.join(HERE, name)
    shutil.rmtree(path, ignore_errors=True)
    for file, text in files.items():
        os.makedirs(os.path.dirname(os.path.join(path, file)), exist_ok=True)
        with open(os.path.join(path, file), "w", encoding="utf-8") as f:
            f.write(text)
    return path


def run(command, where):
    return subprocess.run(command, shell=isinstance(command, str), cwd=where, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)


def steps(what, where, *commands):
    """They succeed one after the other; the last prints what the program should."""
    for command in commands:
        done = run(command, where)
        if done.returncode != 0:
            check(False, f"{what}: {command}\n{done.stdout[-2000:]}")
            return
    check(done.stdout == "0\n", f"{what}: the program prints {done.stdout!r}")


def make(*arguments):
    subprocess.run(["make", "-s", *arguments], check=True, stdout=subprocess.DEVNULL)


def test_files():
    """The sums are right, the archives hold one folder, and the same tree gives the same bytes."""
    with open(DIST + "/SHA256SUMS", encoding="utf-8") as f:
        sums = dict(reversed(line.split()) for line in f)
    for name, digest in sums.items():
        check(hashlib.sha256(get(f"{DIST}/{name}")).hexdigest() == digest, f"the checksum of {name}")
    make("dist")
    with open(DIST + "/SHA256SUMS", encoding="utf-8") as f:
        check(dict(reversed(line.split()) for line in f) == sums, "a second make dist gives the same bytes")
    check(get(DIST + "/perceptron.h") == get("perceptron.h"), "the header is the header")
    check(NAME + ".tar.gz" in sums and "perceptron.wrap" in sums, "the archive and the wrap file are there")
    with zipfile.ZipFile(f"{DIST}/{NAME}.zip") as packed:
        inside = {name: packed.read(f"{NAME}/{name}") for name in
                  ("src/perceptron.h", "library.properties", "library.json", "examples/Analog/Analog.ino")}
    check(inside["src/perceptron.h"] == get("perceptron.h"), "the header is in the .zip")
    check(f"version={VERSION}\n" in inside["library.properties"].decode(), "Arduino's version")
    check(json.loads(inside["library.json"])["version"] == VERSION, "PlatformIO's version")
    told = re.findall(r"^## (\d+\.\d+\.\d+)$", get("examples/HISTORY.md").decode(), re.M)
    check(VERSION in told, f"the history tells of {VERSION}: {told}")
    left = [name for name, _, files in os.walk(f"{DIST}/{NAME}") for file in files
            if re.search(rb"@[A-Z]+@", get(os.path.join(name, file)))]
    check(not left, f"facts that were not filled in: {left}")


def test_single():
    root = folder("single", {"app.c": PROGRAM})
    steps("the file itself", root, f"cp {DIST}/perceptron.h .", "cc -I. app.c -o app", "./app")


def test_cmake():
    if not has("cmake", "cmake"):
        return
    head = "cmake_minimum_required(VERSION 3.14)\nproject(app C)\n"
    tail = "add_executable(app app.c)\ntarget_link_libraries(app PRIVATE perceptron::perceptron)\n"
    version = ".".join(VERSION.split(".")[:2])
    root = folder("cmake", {"app.c": PROGRAM,
                            "CMakeLists.txt": head + f"find_package(perceptron {version} REQUIRED)\n" + tail})
    steps("find_package", root, f"tar xzf {DIST}/{NAME}.tar.gz",
          f"cmake -S {NAME} -B package -DCMAKE_INSTALL_PREFIX=$PWD/there", "cmake --install package",
          "cmake -B build -DCMAKE_PREFIX_PATH=$PWD/there", "cmake --build build", "build/app")
    fetch = ("include(FetchContent)\nFetchContent_Declare(perceptron URL " + f"{DIST}/{NAME}.tar.gz URL_HASH SHA256="
             + hashlib.sha256(get(f"{DIST}/{NAME}.tar.gz")).hexdigest() + ")\nFetchContent_MakeAvailable(perceptron)\n")
    root = folder("fetch", {"app.c": PROGRAM, "CMakeLists.txt": head + fetch + tail})
    steps("FetchContent", root, "cmake -B build", "cmake --build build",
          "cmake --install build --prefix there && test ! -e there", "build/app")


def test_meson():
    if not (has("meson", "meson") and has("ninja", "ninja-build")):
        return
    build = "project('app', 'c')\nexecutable('app', 'app.c', dependencies: dependency('perceptron'))\n"
    root = folder("meson", {"app.c": PROGRAM, "meson.build": build})
    steps("a wrap file", root, f"mkdir -p subprojects/packagefiles && cp {DIST}/perceptron.wrap subprojects && "
          f"cp {DIST}/{NAME}.tar.gz subprojects/packagefiles", "meson setup build", "ninja -C build", "build/app")
    check(run("DESTDIR=$PWD/there meson install -C build && ! find there -type f | grep .", root).returncode == 0,
          "a subproject is not installed")
    if has("pkg-config", "pkg-config"):
        root = folder("meson_installed", {"app.c": PROGRAM})
        flags = "PKG_CONFIG_PATH=there/share/pkgconfig"
        steps("Meson's install", root, f"tar xzf {DIST}/{NAME}.tar.gz", f"meson setup --prefix=$PWD/there build {NAME}",
              "meson install -C build", f"cc $({flags} pkg-config --cflags perceptron) app.c -o app", "./app")


def test_install():
    """make install, pkg-config, and make uninstall, which leaves nothing; the program runs on any machine."""
    root = folder("install", {"app.c": PROGRAM})
    make("install", f"DESTDIR={root}/there", "PREFIX=/usr")
    if has("pkg-config", "pkg-config"):
        flags = f"PKG_CONFIG_PATH={root}/there/usr/share/pkgconfig PKG_CONFIG_SYSROOT_DIR={root}/there"
        steps("pkg-config", root, f"cc $({flags} pkg-config --cflags perceptron) app.c -o app", "./app")
        said = subprocess.run(f"{flags} pkg-config --modversion perceptron", shell=True, capture_output=True, text=True)
        check(said.stdout.strip() == VERSION, f"pkg-config's version: {said.stdout}{said.stderr}")
    program = root + "/there/usr/bin/perceptron"
    check(get(program) == get("build/any/perceptron"), "the program is the one for any machine")
    manual = subprocess.run([program, "--man"], capture_output=True, check=True).stdout
    check(manual and get(root + "/there/usr/share/man/man1/perceptron.1") == manual, "the man page is installed")
    said = run("make -n -B ARCH= build/any/perceptron", ".").stdout
    check("-march" not in said and "-std=gnu99" in said, "it is built without -march")
    make("uninstall", f"DESTDIR={root}/there", "PREFIX=/usr")
    left = [name for _, _, files in os.walk(root + "/there") for name in files]
    check(not left, f"make uninstall leaves {left}")


def test_arduino():
    if not has("arduino-builder", "arduino-builder arduino-core-avr"):
        return
    root = folder("arduino", {})
    os.makedirs(root + "/build")
    with zipfile.ZipFile(f"{DIST}/{NAME}.zip") as packed:
        packed.extractall(root + "/libraries")
    ctags = ('"/usr/bin/arduino-ctags" -u --language-force=c++ -f - --c++-kinds=svpf --fields=KSTtzns '
             '--line-directives "{source_file}"')
    done = run(
        ["arduino-builder", "-compile", "-hardware", "/usr/share/arduino/hardware", "-tools", "/usr/bin", "-libraries",
         root + "/libraries", "-fqbn", "arduino:avr:uno", "-warnings=all", "-build-path", root + "/build",
         "-prefs=runtime.tools.avr-gcc.path=/usr", "-prefs=tools.ctags.pattern=" + ctags,
         "-prefs=compiler.cpp.extra_flags=-DDECIMAL_DIG=9",  # which Debian's avr-gcc forgets in C++
         f"{root}/libraries/{NAME}/examples/Analog/Analog.ino"], root)
    check(done.returncode == 0, f"arduino-builder: {done.stdout[-2000:]}")
    check(os.path.exists(root + "/build/Analog.ino.hex"), "it makes a program for an Uno")
    sizes = run(["avr-size", root + "/build/Analog.ino.elf"], root).stdout.split("\n")[1].split()
    text, data, bss = (int(n) for n in sizes[:3])
    said = f"{text + data:,} bytes of flash and {data + bss:,} of RAM"
    check(said in get("examples/packages/README.md").decode(), f"the page of packages has another size: {said}")


def test_sketch():
    """What the sketch learns on an emulated Uno, whose pin is quiet or vibrates."""
    if not (has("avr-g++", "gcc-avr avr-libc") and has("qemu-system-avr", "qemu-system-misc")):
        return
    root = folder("sketch", {"README": ""})
    done = run(["avr-g++", "-mmcu=atmega328p", "-Os", "-std=gnu++11", "-Wall", "-Wextra", "-Werror", "-I.",
                '-DSKETCH="../../examples/packages/Analog.ino"', "tests/others/arduino.cpp", "-o", root + "/sketch"], None)
    check(done.returncode == 0, f"the sketch: {done.stdout[-2000:]}")
    with subprocess.Popen(["qemu-system-avr", "-machine", "uno", "-bios", root + "/sketch", "-nographic", "-monitor", "none",
                           "-serial", "stdio"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as emulator:
        timer = threading.Timer(60, emulator.kill)
        timer.start()
        said = emulator.stdout.readline()
        timer.cancel()
        emulator.kill()
    check(said.strip() == b"200", f"of 200 windows the sketch gets right: {said}")


def test_platformio():
    """Its layout: lib/NAME/src is on the include path."""
    quiet = PROGRAM.replace("#include <stdio.h>\n", "").replace(
        f'printf("%d\\n", {ANSWER});\n    return 0', f"return {ANSWER}")
    root = folder("platformio", {"src/main.c": quiet})
    with zipfile.ZipFile(f"{DIST}/{NAME}.zip") as packed:
        packed.extractall(root + "/lib")
    for compiler, flags, package in (
            ("avr-gcc", "-mmcu=atmega328p", "gcc-avr avr-libc"),
            ("arm-none-eabi-gcc", "-mcpu=cortex-m0", "gcc-arm-none-eabi libnewlib-arm-none-eabi")):
        if has(compiler, package):
            done = run(f"{compiler} {flags} -Os -c -Ilib/{NAME}/src src/main.c -o main.o", root)
            check(done.returncode == 0, f"PlatformIO's layout by {compiler}: {done.stdout}")


def test_zephyr():
    """The module's CMake file, with what Zephyr defines for it in the place of Zephyr."""
    if not has("cmake", "cmake"):
        return
    module = get(f"{DIST}/{NAME}/zephyr/module.yml").decode()
    where = re.fullmatch(r"name: perceptron\nbuild:\n  cmake: (.*)\n", module)
    check(where, f"module.yml says {module!r}")
    root = folder("zephyr", {"app.c": PROGRAM, "CMakeLists.txt": "\n".join((
        "cmake_minimum_required(VERSION 3.20)", "project(app C)", "function(zephyr_include_directories folder)",
        "  include_directories(${folder})", "  set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY INCLUDE_DIRECTORIES ${folder})",
        "endfunction()", f"add_subdirectory({NAME}/{where[1]})", "add_executable(app app.c)"))})
    steps("the module of Zephyr", root, f"tar xzf {DIST}/{NAME}.tar.gz", "cmake -B build", "cmake --build build", "build/app")


def test_esp_idf():
    """The component's CMake file, with what ESP-IDF defines for it in the place of ESP-IDF."""
    if not has("cmake", "cmake"):
        return
    told = get(f"{DIST}/{NAME}/idf_component.yml").decode()
    check(re.fullmatch(rf'version: "{VERSION}"\ndescription: .+\nlicense: MIT OR Unlicense\n', told),
          f"the component says {told!r}")
    root = folder("esp_idf", {"app.c": PROGRAM, "CMakeLists.txt": "\n".join((
        "cmake_minimum_required(VERSION 3.16)", "project(app C)", "set(ESP_PLATFORM 1)", "add_executable(app app.c)",
        "function(idf_component_register what folder)", "  if(NOT what STREQUAL INCLUDE_DIRS)", "    message(FATAL_ERROR)",
        "  endif()",
        "  target_include_directories(app PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/${folder})", "endfunction()",
        "add_subdirectory(components/perceptron)"))})
    steps("the component of ESP-IDF", root, f"tar xzf {DIST}/{NAME}.tar.gz", "mkdir components",
          f"mv {NAME} components/perceptron", "cmake -B build", "cmake --build build", "build/app")


def test_vcpkg():
    """The port, with CMake in the place of vcpkg's functions."""
    if not has("cmake", "cmake"):
        return
    root = folder("vcpkg", {"app.c": PROGRAM, "vcpkg.cmake": "\n".join((
        "get_filename_component(CURRENT_PORT_DIR ${PORT} DIRECTORY)", "set(CURRENT_PACKAGES_DIR ${CMAKE_BINARY_DIR}/there)",
        "function(vcpkg_cmake_configure key source)",
        "  execute_process(COMMAND cmake -S ${source} -B tree -DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR})",
        "endfunction()", "function(vcpkg_cmake_install)", "  execute_process(COMMAND cmake --install tree)",
        "endfunction()", "function(vcpkg_cmake_config_fixup key config)",
        "  if(NOT EXISTS ${CURRENT_PACKAGES_DIR}/${config}/perceptron-config.cmake)", "    message(FATAL_ERROR)", "  endif()",
        "endfunction()", "function(vcpkg_install_copyright key file)",
        "  file(INSTALL ${file} DESTINATION ${CURRENT_PACKAGES_DIR}/share/perceptron)", "endfunction()", "include(${PORT})")),
        "CMakeLists.txt": "cmake_minimum_required(VERSION 3.14)\nproject(app C)\nfind_package(perceptron REQUIRED)\n"
                          "add_executable(app app.c)\ntarget_link_libraries(app PRIVATE perceptron::perceptron)\n"})
    steps("vcpkg's port", root, f"tar xzf {DIST}/{NAME}.tar.gz",
          f"cmake -DPORT=$PWD/{NAME}/vcpkg/perceptron/portfile.cmake -P vcpkg.cmake",
          "cmake -B build -DCMAKE_PREFIX_PATH=$PWD/there", "cmake --build build", "test -f there/share/perceptron/LICENSE",
          "build/app")
    told = json.loads(get(f"{root}/{NAME}/vcpkg/perceptron/vcpkg.json"))
    check((told["name"], told["version"]) == ("perceptron", VERSION), f"vcpkg's manifest says {told}")


def test_conan():
    """The recipe, with what it imports from Conan in small."""
    root = folder("conan", {"app.c": PROGRAM, "conan/__init__.py": "class ConanFile:\n    pass\n", "conan/tools/files.py": (
        "import shutil\n\n\ndef copy(recipe, name, source, to):\n    shutil.copytree(source, to, ignore=lambda _, names:"
        " set(names) - {name})\n"), "create.py": f"""import os
import types
import conanfile
recipe = conanfile.Perceptron()
recipe.source_folder, recipe.package_folder, recipe.cpp_info = "{NAME}", "there", types.SimpleNamespace()
recipe.package()
recipe.package_info()
assert os.listdir("there/licenses") == ["LICENSE"] and os.listdir("there/include") == ["perceptron.h"]
assert (recipe.name, recipe.version) == ("perceptron", "{VERSION}") and recipe.package_type == "header-library"
assert all(os.path.exists(os.path.join("{NAME}", files.split("*")[0])) for files in recipe.exports_sources)
"""})
    steps("Conan's recipe", root, f"tar xzf {DIST}/{NAME}.tar.gz", f"PYTHONPATH={NAME} python3 create.py",
          "cc -Ithere/include app.c -o app", "./app")


def test_xmake():
    """The description of the package, with what it calls of xmake in small."""
    if not has("lua5.4", "lua5.4"):
        return
    root = folder("xmake", {"app.c": PROGRAM, "xmake.lua": """local lines, source, package_ = {}, nil, {}
function package(name) lines[#lines + 1] = name end
function set_kind(kind, how) assert(kind == "library" and how.headeronly) end
function set_description() end
function set_license(name) lines[#lines + 1] = name end
function set_sourcedir(folder) source = folder end
path = {join = function(a, b) return a .. "/" .. b end}
os.scriptdir = function() return arg[1] end
os.cp = function(from, to) assert(os.execute("mkdir -p " .. to .. " && cp " .. source .. "/" .. from .. " " .. to)) end
function package_:installdir(folder) return "there/" .. folder end
function package_:has_ctypes(name, how) return name == "pcn_perceptron" and io.open("there/include/" .. how.includes) end
function on_install(f) f(package_) end
function on_test(f) f(package_) end
dofile(arg[1] .. "/xmake.lua")
assert(table.concat(lines, ", ") == "perceptron, MIT OR Unlicense")
"""})
    steps("xmake's package", root, f"tar xzf {DIST}/{NAME}.tar.gz",
          f"lua5.4 xmake.lua {NAME}/xmake/packages/p/perceptron", "cc -Ithere/include app.c -o app", "./app")


def test_clib():
    """The files that it names, where clib puts them."""
    told = json.loads(get(f"{DIST}/{NAME}/clib.json"))
    check((told["name"], told["version"]) == ("perceptron", VERSION), f"clib's description says {told}")
    root = folder("clib", {"app.c": PROGRAM, "deps/perceptron/README": ""})
    steps("clib", root, *(f"cp {DIST}/{NAME}/{file} deps/perceptron" for file in told["src"]),
          "cc -Ideps/perceptron app.c -o app", "./app")


def test_rust():
    """The page's two files, without std, and a program of Rust that learns by them."""
    if not has("rustc", "rustc"):
        return
    page = get(f"{DIST}/{NAME}/README.md").decode()
    c, rust = re.search(r"```c\n(.*?)```\n\n```rust\n(.*?)```", page, re.S).groups()
    root = folder("rust", {"learner.c": c, "learner.rs": rust, "main.rs": """fn main() {
    assert_eq!(learner::init(), 0);
    let rows = [([0.0, 0.0], 0), ([0.0, 1.0], 1), ([1.0, 0.0], 1), ([1.0, 1.0], 1)];
    for _ in 0..6 { for (x, y) in &rows { assert!(learner::learn(x, *y) >= 0); } }
    assert!(learner::learn(&[f32::NAN, 0.0], 1) < 0);
    println!("{}", rows.iter().filter(|(x, y)| learner::predict(x) != *y).count());
}
"""})
    steps("Rust", root, f"cp {DIST}/perceptron.h .", "cc -Wall -Wextra -Werror -O2 -c learner.c",
          "rustc -D warnings --edition 2021 --crate-type lib learner.rs",
          "rustc -D warnings --edition 2021 --extern learner=liblearner.rlib -C link-arg=learner.o main.rs", "./main")


def test_pack():
    """What its description names is in the pack, in the order that PACK.xsd asks for."""
    with zipfile.ZipFile(f"{DIST}/perceptron.perceptron.{VERSION}.pack") as packed:
        names = set(packed.namelist())
        package = ElementTree.fromstring(packed.read("perceptron.perceptron.pdsc"))
        header = packed.read("src/perceptron.h")
    check(header == get("perceptron.h"), "the header is in the pack")
    check([part.tag for part in package][:4] == ["vendor", "name", "description", "url"], "what every pack says")
    named = {file.get("name") for file in package.iter("file")} | {package.findtext("license")}
    check(named == names - {"perceptron.perceptron.pdsc"}, f"the pack holds {names}, and names {named}")
    versions = {package.find("releases/release").get("version"), package.find("components/component").get("Cversion")}
    check(versions == {VERSION}, f"versions {versions}")


os.makedirs(HERE, exist_ok=True)
if not has("make", "make"):
    finish()
make("dist")
VERSION = get("perceptron.h").decode().split(" - v", 1)[1].split(" ", 1)[0]
NAME = "perceptron-" + VERSION
for test in (test_files, test_single, test_cmake, test_meson, test_install, test_arduino, test_sketch, test_platformio,
             test_zephyr, test_esp_idf, test_vcpkg, test_conan, test_xmake, test_clib, test_rust, test_pack):
    test()
finish()
