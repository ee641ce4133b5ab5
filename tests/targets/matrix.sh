#!/bin/sh
# The header by every compiler that there is: every standard with every configuration macro, every level, and bits.sh; then
# what headers.sh checks with the machine's own gcc and clang, with the oldest and the newest of both and gcc 11. A
# compiler that is missing is skipped. From the root of the project; writes only to build/.

. tests/lib.sh

gccs=$(versions gcc) clangs=$(versions clang)
[ "$(echo "$gccs" | wc -w)" -gt 1 ] || skip "a second gcc: none is installed (Debian: apt-get install gcc-11 g++-11)"
[ "$(echo "$clangs" | wc -w)" -gt 1 ] || skip "a second clang: none is installed (Debian: apt-get install clang-13)"

named() { # GCC CLANG: a name for each version
    for v in $gccs; do echo "$1-$v"; done
    for v in $clangs; do echo "$2-$v"; done
}

# ---- Every standard, with each macro alone and with all together ----

printf '%s\n' '#include <stdlib.h>' '#define PERCEPTRON_REALLOC(p, size) realloc(p, size)' \
    '#define PERCEPTRON_FREE(p) free(p)' '#define PCN_ASSERT(condition) ((void)(condition))' \
    '#include "perceptron.h"' >$out/own.c
cp perceptron.h $out/plain.c
all="-DPERCEPTRON_STATIC -DPERCEPTRON_DEBUG -DPERCEPTRON_SIMD=0"

accepts() { # COMPILER FLAGS...
    echo 'int main(void) { return 0; }' | "$@" -x "$language" -c - -o $out/accepts.o 2>/dev/null
}

only=-fsyntax-only # headers.sh compiles: many times slower
configurations() { # COMPILER FLAGS...
    accepts "$@" || { skip "$*: not known to this compiler"; return; }
    # shellcheck disable=SC2086 # lists of flags
    for macros in "" -DPERCEPTRON_STATIC -DPERCEPTRON_DEBUG -DPERCEPTRON_SIMD=0 -DPERCEPTRON_NO_LIBC \
        "-DPERCEPTRON_GROW $stb" -DPCN_API=extern "$all -DPERCEPTRON_NO_LIBC" "$all -DPERCEPTRON_GROW $stb"; do
        case $1$macros in tcc*NO_LIBC*) continue ;; esac # needs the asm statements and builtins of gcc
        check "$@" $only $macros -I. -DPERCEPTRON_IMPLEMENTATION -x "$language" $out/plain.c
        case $macros in *STATIC*) continue ;; esac # needs the implementation
        check "$@" $only $macros -I. -x "$language" $out/plain.c
    done
    # shellcheck disable=SC2086
    check "$@" $only -DPERCEPTRON_GROW $stb -DPERCEPTRON_IMPLEMENTATION -I. -x "$language" $out/own.c
}

language=c
for cc in $(named gcc clang) musl-gcc x86_64-w64-mingw32-gcc; do
    need $cc "$(echo $cc | sed 's/^musl-gcc/musl-tools/; s/^x86_64.*/gcc-mingw-w64-x86-64/')" || continue
    for std in c99 c11 c17 c2x; do
        # shellcheck disable=SC2086
        configurations $cc -std=$std $warnings -Wstrict-prototypes
    done
done
if need tcc tcc; then only="-c -o $out/unit.o" && configurations tcc -Wall -Werror && only=-fsyntax-only; fi
language=c++
for cxx in $(named g++ clang++) x86_64-w64-mingw32-g++; do
    need $cxx "$(echo $cxx | sed 's/^clang++/clang/; s/^x86_64.*/g++-mingw-w64-x86-64/')" || continue
    for std in c++11 c++14 c++17 c++20 c++2b; do
        # shellcheck disable=SC2086
        configurations $cxx -std=$std $warnings
    done
done
language=c

# ---- Every level, and at link time: the tests that use most of the header ----

runs() { # RUNNER TEST COMPILER FLAGS...
    runner=$1 test=$2
    shift 2
    rm -f $out/test $out/test.exe
    # shellcheck disable=SC2086
    "$@" -I. -Itests $stb "tests/header/$test.c" -o $out/test.exe -lm && $runner $out/test.exe
}

for cc in $(named gcc clang) musl-gcc; do
    have $cc || continue
    for level in -O0 -O1 -O2 -O3 -Os "-O2 -flto"; do
        case $cc$level in clang*flto) [ -e "/usr/lib/llvm-${cc#clang-}/lib/LLVMgold.so" ] || have "ld.lld-${cc#clang-}" || {
            skip "$cc $level: no linker for it"
            continue
        } ;; esac
        # shellcheck disable=SC2086
        check runs "" defects $cc -std=c99 $level
    done
    for level in -O1 -O2 -O3; do # with the widest vectors of this machine, and all that can be inlined
        # shellcheck disable=SC2086
        check runs "" dual $cc -std=c99 $level $native -DPERCEPTRON_STATIC
    done
done
cc=x86_64-w64-mingw32-gcc
if have $cc; then
    wine=$(command -v wine64 || command -v wine || ls /usr/lib/wine/wine64 2>/dev/null)
    [ -n "$wine" ] || skip "what $cc builds does not run: wine is not installed (Debian: apt-get install wine64)"
    for level in -O0 -O2 -Os; do check runs "${wine:-:}" defects $cc -std=c99 -static $level; done
fi

# ---- The tests ----

summed() { # LABEL COMMAND...: a test, whose sum is added
    label=$1
    shift
    "$@" >$out/test.log 2>&1
    grep -E '^(FAIL|skipped)' $out/test.log
    add $out/test.log || verdict 1 "$label did not finish"
}

summed bits env TESTS=all sh tests/targets/bits.sh

headers_by() { # GCC CLANG: numbers
    rm -rf ${out:?}/by && mkdir $out/by
    for name in gcc g++; do ln -s "$(command -v $name-"$1")" $out/by/$name; done
    for name in clang clang++; do ln -s "$(command -v $name-"$2")" $out/by/$name; done
    echo "headers by gcc $1 and clang $2"
    summed "headers by gcc $1 and clang $2" env PATH="$PWD/$out/by:$PATH" NUMBERED=none sh tests/header/headers.sh
}

if [ -n "$gccs" ] && [ -n "$clangs" ]; then
    oldest=$(echo "$gccs" | head -n 1) newest=$(echo "$clangs" | tail -n 1)
    headers_by "$oldest" "$(echo "$clangs" | head -n 1)"
    headers_by "$(echo "$gccs" | tail -n 1)" "$newest"
    [ "$oldest" -ge 11 ] || ! have gcc-11 || headers_by 11 "$newest"
fi

finish
