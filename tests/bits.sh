#!/bin/sh
# The same bits from every compiler, level of optimisation and instruction set: builds tests/fixed.c
# in all of these ways and compares what the programs print with the first of them, portable C by
# gcc. From the root of the project; writes only to build/.

# Made by gcc -O0 -DPERCEPTRON_SIMD=0. It must never change: models would not stay the same.
golden=a981b8be25374ad5

out=build/bits
mkdir -p $out
passed=0 failed=0 skipped=0

have() { command -v "$1" >/dev/null 2>&1; }

skip() {
    echo "SKIP $*"
    skipped=$((skipped + 1))
}

verdict() { # RESULT LABEL
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $2"
    fi
}

check() { # RUNNER COMPILER FLAGS...: RUNNER is empty or an emulator
    runner=$1
    shift
    rm -f $out/fixed $out/text
    "$@" -I. -o $out/fixed $language tests/fixed.c && $runner $out/fixed >$out/text &&
        { [ -f $out/first ] || cp $out/text $out/first; } && cmp -s $out/text $out/first
    verdict $? "$*"
}

levels() { # COMPILER FLAGS...: in a strict mode (GNU modes differ where they may fuse: see FMA)
    for level in -O0 -O2 -O3 -Os; do
        check "" "$@" -std=c99 $level
    done
}

language=
rm -f $out/first
x86=no avx2=no fma=no avx512=no
case $(uname -m) in x86_64 | amd64) x86=yes ;; esac
grep -qw avx2 /proc/cpuinfo 2>/dev/null && avx2=yes
grep -qw fma /proc/cpuinfo 2>/dev/null && fma=yes
grep -qw avx512f /proc/cpuinfo 2>/dev/null && avx512=yes

check "" gcc -std=c99 -O0 -DPERCEPTRON_SIMD=0
[ "$(sed -n 's/ total$//p' $out/first)" = $golden ]
verdict $? "the hash is not the golden one: $(tail -n 1 $out/first)"

for cc in gcc clang; do
    have $cc || { skip "$cc: not installed"; continue; }
    levels $cc -DPERCEPTRON_SIMD=0
    check "" $cc -std=gnu17 -O2 -DPERCEPTRON_SIMD=0
    check "" $cc -std=gnu17 -O3 -march=native
    check "" $cc -std=c99 -O2 -DPERCEPTRON_NO_LIBC
    check "" $cc -std=c99 -Os -DPERCEPTRON_NO_LIBC -DPERCEPTRON_SIMD=0
    if [ $x86 = no ]; then skip "$cc, SSE2 and AVX2: not an x86-64"; continue; fi
    levels $cc -DPERCEPTRON_SIMD=1
    if [ $avx2 = no ]; then skip "$cc, AVX2: not in this processor"; continue; fi
    levels $cc -DPERCEPTRON_SIMD=2 -mavx2
    if [ $fma = no ]; then skip "$cc, FMA: not in this processor"; continue; fi
    for simd in 0 1 2; do
        check "" $cc -std=c99 -O3 -mavx2 -mfma -ffp-contract=fast -DPERCEPTRON_SIMD=$simd
        check "" $cc -std=gnu17 -O2 -mavx2 -mfma -ffp-contract=fast -DPERCEPTRON_SIMD=$simd
    done
    if [ $avx512 = no ]; then skip "$cc, AVX-512: not in this processor"; continue; fi
    for level in -O0 -O1 -O2 -Os; do # the AVX2 code; the compiler may use more registers and wider ones
        check "" $cc -std=gnu17 $level -mavx512f -mavx2 -mfma -ffp-contract=fast
    done
done

if have tcc; then check "" tcc; else skip "tcc: not installed"; fi

language="-x c++"
for cxx in g++ clang++; do
    have $cxx || { skip "$cxx: not installed"; continue; }
    check "" $cxx -std=c++17 -O2
    check "" $cxx -std=c++17 -O2 -DPERCEPTRON_SIMD=0
done
language=

if ! have qemu-aarch64; then
    skip "AArch64: no qemu-aarch64"
else
    for cc in "aarch64-linux-gnu-gcc" "clang --target=aarch64-linux-gnu"; do
        # shellcheck disable=SC2086 # the words of a command
        if ! have ${cc%% *} || ! have aarch64-linux-gnu-gcc; then # its libraries serve clang
            skip "AArch64 by $cc: not installed"
            continue
        fi
        for mode in "-std=c99 -O0" "-std=c99 -O2" "-std=c99 -O3" "-std=gnu17 -O2" "-std=gnu17 -O3"; do
            check qemu-aarch64 $cc -static $mode
            check qemu-aarch64 $cc -static $mode -DPERCEPTRON_SIMD=0
        done
    done
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
