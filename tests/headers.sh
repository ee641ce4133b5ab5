#!/bin/sh
# The header as a header: alone, in every standard and compiler, without a warning; in two units; in
# every order with stb_ds.h; its symbols; its refusal of -ffast-math; the SYNOPSIS of its manual.
# From the root of the project; writes only to build/.

out=build/headers
mkdir -p $out
passed=0 failed=0 skipped=0

warnings="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Wcast-qual
    -Wcast-align -Wdouble-promotion -Werror"
stb=$(pkg-config --cflags stb 2>/dev/null || echo -I/usr/include/stb)
stb=$(echo "$stb" | sed 's/-I/-isystem /g') # its warnings are not ours

have() { command -v "$1" >/dev/null 2>&1; }

skip() {
    echo "SKIP $*"
    skipped=$((skipped + 1))
}

check() { # COMMAND...
    if "$@" >$out/log 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $*"
        head -n 3 $out/log
    fi
}

# ---- Alone ----

cat >$out/interface.c <<'END'
#include "perceptron.h"
int user(const pcn_linear *m, pcn_vec x);
int user(const pcn_linear *m, pcn_vec x) { return pcn_linear_predict(m, x); }
END

cat >$out/static.c <<'END'
#define PERCEPTRON_STATIC
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
int user(const pcn_linear *m, pcn_vec x);
int user(const pcn_linear *m, pcn_vec x) { return pcn_linear_predict(m, x); }
END

# a private copy whose interface comes first
cat >$out/twice.c <<'END'
#define PERCEPTRON_STATIC
#include "perceptron.h"
int user(const pcn_linear *m, pcn_vec x);
int user(const pcn_linear *m, pcn_vec x) { return pcn_linear_predict(m, x); }
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
END

alone() { # LANGUAGE COMPILER FLAGS...
    language=$1
    shift
    check "$@" -x "$language" -DPERCEPTRON_IMPLEMENTATION -c perceptron.h -o $out/alone.o
    for unit in interface static twice; do
        check "$@" -I. -x "$language" -c $out/$unit.c -o $out/unit.o
    done
}

x86=no
case $(uname -m) in x86_64 | amd64) x86=yes ;; esac

for cc in gcc clang; do
    have $cc || { skip "$cc: not installed"; continue; }
    for std in c99 c11 c17; do
        for flags in "" -DPERCEPTRON_SIMD=0 -mavx2; do
            [ $x86-$flags = no--mavx2 ] && continue
            # shellcheck disable=SC2086 # lists of flags
            alone c $cc -std=$std -O2 $flags $warnings -Wstrict-prototypes
        done
    done
done
for cxx in g++ clang++; do
    have $cxx || { skip "$cxx: not installed"; continue; }
    for std in c++11 c++17; do
        for flags in "" -DPERCEPTRON_SIMD=0 -mavx2; do
            [ $x86-$flags = no--mavx2 ] && continue
            # shellcheck disable=SC2086
            alone c++ $cxx -std=$std -O2 $flags $warnings
        done
    done
done
# shellcheck disable=SC2086
if have tcc; then alone c tcc $stb -Wall -Werror; else skip "tcc: not installed"; fi
for cc in gcc clang; do
    # shellcheck disable=SC2086
    have $cc && alone c $cc -std=c99 -O2 -DPERCEPTRON_NO_HEAP $warnings
done
if have aarch64-linux-gnu-gcc; then
    for flags in "" -DPERCEPTRON_SIMD=0; do
        # shellcheck disable=SC2086
        alone c aarch64-linux-gnu-gcc -std=c99 -O2 $flags $warnings -Wstrict-prototypes
    done
else
    skip "aarch64-linux-gnu-gcc: not installed"
fi

# ---- Two units ----

cat >$out/main.c <<'END'
#include "perceptron.h"
int user(const pcn_linear *m, pcn_vec x);
int main(void)
{
    float memory[PCN_WEIGHTS(2, 1)], x[2] = {1, 2};
    pcn_perceptron m;
    if (pcn_perceptron_init(&m, memory, PCN_LENGTH(memory), 2, 1) != PCN_OK) return 2;
    return user(&m.model, pcn_dense(x, 2)) == 1 && pcn_norm2(pcn_dense(x, 2)) == 5 ? 0 : 1;
}
END

for cc in "gcc -std=c99" "clang -std=c99" "g++ -x c++" "clang++ -x c++" "tcc $stb"; do
    have "${cc%% *}" || { skip "two units by $cc: not installed"; continue; }
    rm -f $out/two
    # shellcheck disable=SC2086
    {
        check $cc -I. -DPERCEPTRON_IMPLEMENTATION -c $out/interface.c -o $out/one.o
        check $cc -I. -c $out/main.c -o $out/other.o
        check "${cc%% *}" $out/one.o $out/other.o -o $out/two
        check $out/two
        rm -f $out/two
        check $cc -I. -c $out/static.c -o $out/one.o
        check $cc -I. -DPERCEPTRON_STATIC -DPERCEPTRON_IMPLEMENTATION -c $out/main.c -o $out/other.o
        check "${cc%% *}" $out/one.o $out/other.o -o $out/two
        check $out/two
    }
done

# ---- Orders of inclusion ----

ours='#include "perceptron.h"'
define='#define PERCEPTRON_IMPLEMENTATION'
stb_ds='#include "stb_ds.h"'
stb_define='#define STB_DS_IMPLEMENTATION'

order() { # LINES: a unit that begins with them, uses both libraries and runs
    {
        printf '%s\n' "$@"
        cat <<'END'
int main(void)
{
    static const float x[2] = {3, 4};
    int *array = NULL, pushed;
    arrput(array, 7);
    pushed = array[0] == 7 && arrlen(array) == 1;
    arrfree(array);
    return pushed && pcn_norm2(pcn_dense(x, 2)) == 25 ? 0 : 1;
}
END
    } >$out/order.c
    for cc in gcc clang; do
        have $cc || continue
        rm -f $out/order
        # shellcheck disable=SC2086
        check $cc -std=c99 -Wall -Wextra -Werror -I. $stb $out/order.c -o $out/order
        check $out/order
    done
}

# shellcheck disable=SC2086
if echo "$stb_ds" | cc $stb -x c -fsyntax-only - 2>/dev/null; then
    order "$define" "$ours" "$stb_define" "$stb_ds"
    order "$stb_define" "$define" "$ours" "$stb_ds"
    order "$stb_define" "$stb_ds" "$define" "$ours"
    order "$define" "$stb_define" "$stb_ds" "$ours"
    order "$stb_ds" "$ours" "$stb_define" "$stb_ds" "$define" "$ours"
    order "$ours" "$stb_ds" "$define" "$ours" "$stb_define" "$stb_ds"
    order "$ours" "$ours" "$define" "$ours" "$ours" "$stb_define" "$stb_ds"
    order "$define" "$ours" "$ours" "$define" "$ours" "$stb_define" "$stb_ds"
else
    skip "orders with stb_ds.h: not installed"
fi

# ---- Symbols ----

symbols() { # WHAT, BAD: of nm's lines none matches
    echo "$1"
    if printf '%s\n' "$2" | grep .; then return 1; fi
}

allowed='(mem(cpy|set|move)|_GLOBAL_OFFSET_TABLE_|__[a-z_]*)'
if have nm && have gcc; then
    for level in -O0 -O2 -Os; do
        gcc -std=c99 $level -x c -DPERCEPTRON_IMPLEMENTATION -c perceptron.h -o $out/alone.o
        check symbols "defined, but not pcn_... ($level)" \
            "$(nm -g --defined-only $out/alone.o | grep -v ' T pcn_[a-z0-9_]*$')"
        check symbols "used, but not memcpy, memset, memmove, realloc, free ($level)" \
            "$(nm -u $out/alone.o | grep -vE " ($allowed|realloc|free)\$")"
        gcc -std=c99 $level -DPERCEPTRON_NO_HEAP -x c -DPERCEPTRON_IMPLEMENTATION -c perceptron.h \
            -o $out/unit.o
        check symbols "used without a heap, but not memcpy, memset, memmove ($level)" \
            "$(nm -u $out/unit.o | grep -vE " $allowed\$")"
        gcc -std=c99 $level -I. -c $out/static.c -o $out/unit.o
        check symbols "PERCEPTRON_STATIC leaves only user ($level)" \
            "$(nm -g --defined-only $out/unit.o | grep -v ' T user$')"
        # no data of ours is writable
        check symbols "global state ($level)" "$(nm $out/alone.o | grep -i ' [bdcs] ')"
    done
else
    skip "symbols: no nm or no gcc"
fi

# ---- Macros ----

for cc in "gcc" "gcc -DPERCEPTRON_SIMD=0" "gcc -mavx2" "gcc -mavx512f" aarch64-linux-gnu-gcc; do
    case $x86-$cc in no-*-mavx*) continue ;; esac
    have "${cc%% *}" || { skip "macros by $cc: not installed"; continue; }
    check symbols "macros of the implementation that outlive it ($cc)" \
        "$($cc -std=c99 -O2 -dM -E -x c -DPERCEPTRON_IMPLEMENTATION perceptron.h | grep -i '^#define pcni_')"
done

# ---- -ffast-math ----

refused() { # COMPILER FLAG: exactly one error, which is the header's own
    "$@" -x c -DPERCEPTRON_IMPLEMENTATION -c perceptron.h -o $out/fast.o >$out/fast 2>&1 && return 1
    cat $out/fast
    [ "$(grep -c 'error:' $out/fast)" = 1 ] && grep -q 'error.*perceptron.h needs IEEE' $out/fast
}

for cc in gcc clang; do
    have $cc || continue
    check refused $cc -ffast-math
    check refused $cc -Ofast
done

# ---- The SYNOPSIS ----

sed -n '/^ \* SYNOPSIS/,/^ \* WHICH/s/^ \*     //p' perceptron.h >$out/synopsis.c
printf '%s\n' -1 +1 +1 +1 >$out/expected

for cc in "gcc -std=c99" "clang -std=c99" "g++ -x c++" "clang++ -x c++" "tcc $stb"; do
    have "${cc%% *}" || continue
    case $cc in tcc*) flags=-Wall ;; *) flags="-Wall -Wextra -Wpedantic -Werror" ;; esac
    rm -f $out/synopsis
    # shellcheck disable=SC2086
    check $cc $flags -I. $out/synopsis.c -o $out/synopsis
    $out/synopsis >$out/printed 2>&1
    check cmp $out/printed $out/expected
done

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
