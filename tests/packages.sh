#!/bin/sh
# Installs what the tests need on Debian 12 or 13, from root or with sudo:
#     sh tests/packages.sh test     for make test
#     sh tests/packages.sh all      for make test-all, too (0.9 GB to fetch, 5.4 GB on disk), and make bench-peers
#     sh tests/packages.sh nightly  every gcc and clang there is, too (0.1 GB to fetch, 0.8 GB on disk)
# A|B: the first of them that the release has. What it has not is left out with a sentence; tests skip then.
set -u

test="gcc make libc6-dev libstb-dev g++ clang tcc python3 pkg-config unicode-data"
# Line by line: x86 (gcc-multilib would remove the cross-compilers), Linux, Cortex-M, RISC-V, AVR, WebAssembly,
# Windows, the real-time checks, programs to compare with, Open MPI, a fresh root, a terminal and a browser,
# programs that the packages are for, older compilers.
targets="gcc-14-multilib|gcc-12-multilib
    gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-arm-linux-gnueabihf libc6-dev-armhf-cross
    gcc-s390x-linux-gnu libc6-dev-s390x-cross gcc-powerpc64-linux-gnu libc6-dev-ppc64-cross
    gcc-riscv64-linux-gnu libc6-dev-riscv64-cross qemu-user
    gcc-arm-none-eabi libnewlib-arm-none-eabi picolibc-arm-none-eabi qemu-system-arm
    gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf qemu-system-riscv|qemu-system-misc
    gcc-avr avr-libc simavr
    lld wasi-libc libclang-rt-14-dev|libclang-rt-19-dev libclang-rt-14-dev-wasm32|libclang-rt-19-dev-wasm32 nodejs
    gcc-mingw-w64-x86-64 wine64
    clang-22 libclang-rt-22-dev llvm-22 cppcheck clang-format-14
    liblinear-tools libsvm-tools
    openmpi-bin libopenmpi-dev
    debootstrap tmux chromium
    cmake meson ninja-build python3-numpy arduino-builder arduino-core-avr lua5.4
    gcc-11|gcc-12 g++-11|g++-12 clang-13|clang-17"
every_compiler() { # that the release has
    apt-cache pkgnames 2>/dev/null | grep -x -E '(gcc|g\+\+|clang)-[0-9]+'
}

installed() { dpkg-query -W -f '${Status}\n' "$1" 2>/dev/null | grep -q ' installed$'; }
offered() { apt-cache policy "$1" 2>/dev/null | grep -q '^  Candidate: [^(]'; }

first() { # TEST A|B...: the first that passes the test
    for package in $(echo "$2" | tr '|' ' '); do
        "$1" "$package" && echo "$package" && return
    done
    return 1
}

every=''
# Sets packages, to install, and unknown, which the lists of the machine do not have.
choose() {
    packages='' unknown=''
    for item in $wanted $($every); do
        first installed "$item" >/dev/null && continue
        if package=$(first offered "$item"); then packages="$packages $package"; else unknown="$unknown $item"; fi
    done
}

apt() { # apt-get's ARGUMENTS: quiet, unless it fails
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" >"$log" 2>&1
}

case ${1-} in
test) wanted=$test ;;
all) wanted="$test $targets" ;;
nightly) wanted="$test $targets" every=every_compiler ;;
*)
    echo "usage: sh tests/packages.sh test|all|nightly" >&2
    exit 1
    ;;
esac
if ! command -v apt-get >/dev/null; then
    echo "packages.sh knows only Debian's packages; make test says what is missing." >&2
    exit 1
fi
choose
[ -n "$packages$unknown" ] || exit 0
sudo=
if [ "$(id -u)" -ne 0 ]; then
    sudo=$(command -v sudo) || {
        echo "Only root can install packages; as root: sh tests/packages.sh $1" >&2
        exit 1
    }
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if [ -n "$unknown" ]; then # perhaps the lists are old, or there are none
    apt update
    choose
fi
for item in $unknown; do echo "This release has no package $item: the tests that need it are skipped."; done
[ -n "$packages" ] || exit 0
echo "Installing$packages"
# shellcheck disable=SC2086 # words
apt install -y --no-install-recommends $packages ||
    { apt update && choose && apt install -y --no-install-recommends $packages; } || {
    tail -n 5 "$log" >&2
    exit 1
}
