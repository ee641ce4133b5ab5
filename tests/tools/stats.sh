#!/bin/sh
# How large is the header, and how long does it compile? Prints a table in Markdown.
#     sh tests/tools/stats.sh [HEADER]     from the root of the project; default: perceptron.h
# FLAGS: more flags of the compiler, such as -DPERCEPTRON_GROW. Writes only to build/stats.
#
# Lines of code are what `gcc -fpreprocessed -dD -E -P` leaves: no comments, no blank lines; directives
# count. The implementation begins at `#ifdef PERCEPTRON_IMPLEMENTATION`. Of its conditionals, #if, #ifdef,
# #ifndef, #elif and #else count, and those ask for a target or a width that name PERCEPTRON_SIMD, PCNP_W,
# PCNP_FUSED or a processor (asking for the compiler or for -Os does not count). Places: sections
# whose title tells of an instruction set or of rounding are where such questions belong.
# Compiled is a file with nothing but the implementation, in turns with one with stb_image.h: medians of 5.

for tool in gcc size; do
    command -v $tool >/dev/null || { echo "skipped: '$tool' is missing: apt-get install gcc"; exit 0; }
done
header=${1:-perceptron.h}
out=build/stats
stb=${STB:--isystem /usr/include/stb}
mkdir -p $out
begin=$(grep -n '^#ifdef PERCEPTRON_IMPLEMENTATION' "$header" | cut -d: -f1)
if [ -z "$begin" ]; then
    echo "$header has no implementation." >&2
    exit 1
fi
head -n $((begin - 1)) "$header" >$out/interface.h
tail -n "+$begin" "$header" >$out/implementation.h

row() { # WHAT NUMBER [NUMBER]
    printf '| %s |' "$1"
    shift
    printf ' %s |' "$@"
    echo
}

code() { # interface|implementation
    gcc -fpreprocessed -dD -E -P -w -x c $out/"$1".h | grep -v '^[[:space:]]*$'
}

# All conditionals, those that ask for a target, and of these the ones that stand elsewhere; the titles of
# the sections left out.
conditionals() {
    awk '
    /^\/\* ---- / {
        title = $0
        gsub(/^\/\* ---- | -+( \*\/)?$/, "", title)
        apart = title ~ /SSE|AVX|NEON|SIMD|WebAssembly|[Vv]ector vocabulary|[Ii]nstruction|[Pp]ortable|lanes|[Rr]ound/
        if (apart) titles = titles (titles ? ", " : "") title
    }
    /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else)([^a-z_]|$)/ { all++ }
    /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif)([^a-z_]|$)/ &&
    /PERCEPTRON_SIMD|PCNP_W[^A-Z_]|PCNP_W$|PCNP_FUSED|__(AVX|AVR|SSE|FMA|ARM|arm|aarch64|x86_64|i386|wasm|m68k|s390|powerpc|riscv)|_M_X64/ {
        asking++
        if (!apart) elsewhere++
    }
    END { print all + 0; print asking + 0; print elsewhere + 0; print titles ? titles : "none" }' $out/implementation.h
}

echo "| $header $(sed -n '1s/.* \(v[0-9.]*\) .*/\1/p' "$header") | |"
echo "|---|---|"
row "lines of code, interface" "$(code interface | wc -l)"
row "lines of code, implementation" "$(code implementation | wc -l)"
conditionals >$out/conditionals
row "conditionals in the implementation" "$(sed -n 1p $out/conditionals)"
row "of these, asking for a target or a width" "$(sed -n 2p $out/conditionals)"
row "and standing outside of: $(sed -n 4p $out/conditionals)" "$(sed -n 3p $out/conditionals)"
row "public functions (PCN_API)" "$(code interface | grep -c '^PCN_API')"
row "inline functions (PCN_INLINE)" "$(code interface | grep '^PCN_INLINE' | sed 's/(.*//; s/.*[ *]//' | sort -u | wc -l)"
echo

# shellcheck disable=SC2086 # words
if ! echo '#include "stb_image.h"' | gcc $stb -E -x c - >/dev/null 2>&1; then
    echo "skipped: sizes and times are compared with stb_image.h: apt-get install libstb-dev"
    exit 0
fi
printf '#define PERCEPTRON_IMPLEMENTATION\n#include "%s"\n' "$(realpath "$header")" >$out/header.c
printf '#define STB_IMAGE_IMPLEMENTATION\n#include "stb_image.h"\n' >$out/stb.c

compile() { # SOURCE FLAGS: seconds of CPU
    # shellcheck disable=SC2086 # FLAGS and stb are words
    (gcc -std=gnu99 -O2 $2 $FLAGS $stb -c $out/"$1".c -o $out/"$1".o && times) |
        tail -n 1 | tr 'ms' '  ' | awk '{ print $1 * 60 + $2 + $3 * 60 + $4 }'
}

median() { sort -n | sed -n 3p; }

bytes() { size $out/header.o | awk 'NR == 2 { print $1 }'; }

compare() { # FLAGS: bytes of text, times of stb_image.h, seconds
    for _ in 1 2 3 4 5; do
        echo "$(compile header "$1")" "$(compile stb "$1")"
    done >$out/rounds
    bytes
    awk '{ printf "%.2f\n", $1 / $2 }' $out/rounds | median
    cut -d' ' -f1 $out/rounds | median
}

compare "" >$out/plain
compare -mavx2 >$out/avx2
echo "| gcc -O2${FLAGS:+ $FLAGS} | plain | -mavx2 |"
echo "|---|---|---|"
row "bytes of text" "$(sed -n 1p $out/plain)" "$(sed -n 1p $out/avx2)"
row "time to compile, as a multiple of stb_image.h's" "$(sed -n 2p $out/plain)" "$(sed -n 2p $out/avx2)"
row "time to compile, s of CPU" "$(sed -n 3p $out/plain)" "$(sed -n 3p $out/avx2)"
