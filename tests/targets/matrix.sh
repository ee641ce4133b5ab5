#!/bin/sh
# The header by every compiler that there is: every standard with every configuration macro, every level; then what
# headers.sh and bits.sh check with the machine's own gcc and clang, with the oldest and the newest of both. A compiler
# that is missing is skipped. From the root of the project; writes only to build/.

. tests/lib.sh

versions() { # NAME: its versions, oldest first
    for number in 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do
        have "$1-$number" && echo $number
    done
}

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

# ---- Every level, and at link time: the test that uses most of the header ----

runs() { # RUNNER COMPILER FLAGS...
    runner=$1
    shift
    rm -f $out/test $out/test.exe
    # shellcheck disable=SC2086
    "$@" -I. -Itests $stb tests/header/defects.c -o $out/test.exe -lm && $runner $out/test.exe
}

for cc in $(named gcc clang) musl-gcc; do
    have $cc || continue
    for level in -O0 -O1 -O2 -O3 -Os "-O2 -flto"; do
        case $cc$level in clang*flto) [ -e "/usr/lib/llvm-${cc#clang-}/lib/LLVMgold.so" ] || have "ld.lld-${cc#clang-}" || {
            skip "$cc $level: no linker for it"
            continue
        } ;; esac
        # shellcheck disable=SC2086
        check runs "" $cc -std=c99 $level
    done
done
cc=x86_64-w64-mingw32-gcc
if have $cc; then
    wine=$(command -v wine64 || command -v wine || ls /usr/lib/wine/wine64 2>/dev/null)
    [ -n "$wine" ] || skip "what $cc builds does not run: wine is not installed (Debian: apt-get install wine64)"
    for level in -O0 -O2 -Os; do check runs "${wine:-:}" $cc -std=c99 -static $level; done
fi

# ---- The tests of the header, by the oldest and by the newest ----

link() { # FOLDER NAME VERSION
    mkdir -p "$out/$1"
    have "$2-$3" && ln -sf "$(command -v "$2-$3")" "$out/$1/$2"
}

by() { # FOLDER TEST: its sum is added
    echo "$2 by $(readlink "$out/$1/gcc") and $(readlink "$out/$1/clang")"
    PATH="$PWD/$out/$1:$PATH" sh tests/*/"$2.sh" >"$out/$1/$2.log" 2>&1
    grep -E '^(FAIL|skipped)' "$out/$1/$2.log"
    if ! add "$out/$1/$2.log"; then verdict 1 "$2 did not finish"; fi
}

for age in oldest newest; do
    case $age in oldest) which="head" ;; newest) which="tail" ;; esac
    rm -rf "${out:?}/$age"
    for name in gcc g++; do link $age $name "$(echo "$gccs" | $which -n 1)"; done
    for name in clang clang++; do link $age $name "$(echo "$clangs" | $which -n 1)"; done
    for test in headers bits; do by $age $test; done
done

finish
