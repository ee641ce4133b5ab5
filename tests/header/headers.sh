#!/bin/sh
# The header compiles alone, without a warning, in every standard of C and C++ and by every compiler, with each macro
# of its CONFIGURATION; each function alone; in two files, in two versions, in every order with stb_ds.h, as a module.
# It has no other symbols, macros or variables, its assertions find wrong calls, it refuses what it cannot be built for
# with one sentence, and the first job of its manual runs.
#
# From the root of the project; writes only to build/.

. tests/lib.sh
warnings="$warnings -Wcast-qual -Wcast-align"

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

units='interface static twice' parsed=
! short "only gcc's C99 is compiled, all else is parsed; each macro in one standard; static has the interface before it" ||
    units='interface twice' parsed=-fsyntax-only

alone() { # LANGUAGE COMPILER FLAGS...
    language=$1
    shift
    case " $* " in *" -fsyntax-only "*) object='' ;; *) object="-c -o $out/alone.o" ;; esac
    # shellcheck disable=SC2086 # words
    check "$@" -x "$language" -DPERCEPTRON_IMPLEMENTATION perceptron.h $object
    for unit in $units; do
        # shellcheck disable=SC2086
        check "$@" -I. -x "$language" $out/$unit.c $object
    done
}

# What an optimizer warns of no standard changes.
level_of() { # COMPILER STANDARD FLAG
    case $1$2$3 in
    gccc99) echo -O2 ;;
    *c99* | *c++11*) echo "${parsed:--O2}" ;;
    *) echo "${parsed:--O0}" ;;
    esac
}

for cc in gcc clang; do
    need $cc $cc || continue
    for std in c99 c11 c17; do
        for flags in "" -DPERCEPTRON_SIMD=0 -mavx2 -mavx512f -DPERCEPTRON_GROW -DPERCEPTRON_DEBUG -DPERCEPTRON_SMALLEST -DPERCEPTRON_BIAS_STEP=1; do
            case $x86$flags in no-mavx*) continue ;; esac
            case $std$flags in c1?-mavx512f | c1?-DPERCEPTRON_[GDSB][REMI]*) continue ;; esac # one standard is enough
            case $parsed$std$flags in -*c1?-*) continue ;; esac
            level=$(level_of $cc $std $flags)
            # shellcheck disable=SC2086 # lists of flags
            alone c $cc -std=$std $level $stb $flags $warnings -Wstrict-prototypes
        done
    done
done
for cxx in g++ clang++; do
    need $cxx "g++ clang" || continue
    for std in c++11 c++17; do
        for flags in "" -DPERCEPTRON_SIMD=0 -mavx2 -DPERCEPTRON_GROW -DPERCEPTRON_DEBUG; do
            case $x86$flags in no-mavx*) continue ;; esac
            case $parsed$std$flags in -*c++17-*) continue ;; esac
            level=$(level_of $cxx $std $flags)
            # shellcheck disable=SC2086
            alone c++ $cxx -std=$std $level $stb $flags $warnings
        done
    done
done
levels=${parsed:--O1 -O2 -O3 -Os} wide=
[ $x86 = no ] || wide=-mavx2
for cc in $(numbered); do
    for level in $levels; do
        # shellcheck disable=SC2086
        alone c $cc -std=c99 $level $wide $warnings -Wstrict-prototypes
    done
    cxx=$(plus_plus $cc)
    # shellcheck disable=SC2086
    need $cxx "$(echo $cc | sed 's/gcc/g++/')" && alone c++ $cxx -std=c++20 ${parsed:--O1} $warnings
done
if need tcc tcc; then
    alone c tcc -Wall -Werror
    # shellcheck disable=SC2086
    alone c tcc -DPERCEPTRON_GROW $stb -Wall -Werror
fi
for cc in gcc clang; do
    # shellcheck disable=SC2086
    have $cc && alone c $cc -std=c99 ${parsed:--O2} -DPERCEPTRON_NO_LIBC $warnings
done
if need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu; then
    for flags in "" -DPERCEPTRON_SIMD=0; do
        # shellcheck disable=SC2086
        alone c aarch64-linux-gnu-gcc -std=c99 ${parsed:--O2} $flags $warnings -Wstrict-prototypes
    done
fi
for target in x86_64 i686 aarch64; do # clang in MSVC's mode
    # shellcheck disable=SC2086
    have clang && alone c clang --target=$target-pc-windows-msvc -ffreestanding -std=c99 ${parsed:--O2} -DPERCEPTRON_NO_LIBC $warnings
done
if have clang && [ $x86 = yes ]; then # what is there for MSVC itself, see there
    msvc="-include tests/targets/msvc.h -Wno-unused-function" # as its warning 4505
    for flags in -DPERCEPTRON_SIMD=0 -DPERCEPTRON_SIMD=1 -mavx2; do
        # shellcheck disable=SC2086
        alone c clang -std=c99 ${parsed-} $flags $warnings $msvc
        # shellcheck disable=SC2086
        alone c++ clang++ -std=c++11 ${parsed-} $flags $warnings $msvc
    done
fi
wasm='clang --target=wasm32 -msimd128 -ffreestanding -DPERCEPTRON_NO_LIBC'
if have clang && echo '#include <wasm_simd128.h>' | $wasm -x c -c - -o $out/wasm.o 2>/dev/null; then
    # shellcheck disable=SC2086
    alone c $wasm -std=c99 ${parsed:--O2} $warnings
    # shellcheck disable=SC2086
    alone c $wasm -std=c99 ${parsed:--O2} -DPERCEPTRON_SIMD=4 $warnings
else
    skip "clang for WebAssembly: not installed"
fi

# ---- Targets, by the registers that floats lie in: an asm statement names them ----

elsewhere() { # HEADER COMPILER...: not if this does not find HEADER
    header=$1
    shift
    if ! echo "#include <$header>" | "$@" -ffreestanding -x c -c - -o $out/unit.o 2>/dev/null; then
        skip "$*: it builds nothing here"
        return
    fi
    case "$quick $*" in *avr*) level=-Os ;; *) level=${quick:--Os} ;; esac # by -O0 clang has too few registers of an AVR
    check "$@" -std=c99 $level -ffreestanding -DPERCEPTRON_NO_LIBC -DPERCEPTRON_IMPLEMENTATION -x c -c perceptron.h \
        -o $out/unit.o
}

quick=
! short "targets by -O0, not -Os" || quick=-O0

clang=$(newest_clang)
if need $clang $clang; then
    for target in mips mipsel 'mipsel -msoft-float' mips64el powerpc 'powerpc -msoft-float' s390x loongarch64 sparcv9 hexagon \
        msp430 'avr -mmcu=atmega328p'; do
        # shellcheck disable=SC2086 # words
        elsewhere stdint.h $clang --target=$target
    done
fi
[ $x86 = no ] || for cc in gcc $(numbered | grep gcc); do
    elsewhere immintrin.h $cc -m32 -mavx2
done
for target in powerpc64 s390x; do
    cc=$target-linux-gnu-gcc
    need $cc gcc-$target-linux-gnu && elsewhere stdint.h $cc -msoft-float
done

# ---- Each public function, where its file uses no other ----

sed '/^#ifdef PERCEPTRON_IMPLEMENTATION/q' perceptron.h | grep '^PCN_API' >$out/public
functions=$(sed -n 's/^PCN_API.*[ *]\(pcn_[a-z0-9_]*\)(.*/\1/p' $out/public)
[ "$(echo "$functions" | wc -l)" = "$(wc -l <$out/public)" ]
verdict $? "a public function has no name here"

uses() { # FUNCTION...: a file that uses them
    printf '%s\n' '#define PERCEPTRON_STATIC' '#define PERCEPTRON_IMPLEMENTATION' '#include "perceptron.h"' \
        'void (*user(int i))(void);' 'void (*user(int i))(void)' '{'
    printf '    if (i-- == 0) return (void (*)(void))%s;\n' "$@"
    printf '%s\n' '    return 0;' '}'
}

sample 10 "functions alone (by gcc)"
for function in $functions; do # gcc inlines what is called once, and then warns of more
    have gcc && sampled || continue
    uses $function >"$out/$function.c"
    case $function in *_grow | *_free) grow="-DPERCEPTRON_GROW $stb" ;; *) grow= ;; esac
    levels=-O2
    ! whole || levels='-O1 -O2 -O3 -Os'
    # shellcheck disable=SC2086 # lists of flags
    for level in $levels; do
        check gcc -std=c99 $level $grow $warnings -I. -c "$out/$function.c" -o $out/uses.o
    done
done
if have clang; then # what it says does not depend on what it inlines
    # shellcheck disable=SC2086
    uses $functions >$out/uses.c
    for level in $levels; do
        # shellcheck disable=SC2086
        check clang -std=c99 $level -DPERCEPTRON_GROW $stb $warnings -I. -c $out/uses.c -o $out/uses.o
    done
fi

# ---- What it includes ----

lacks() { # TEXT COMMAND...: no line of its output has it
    text=$1
    shift
    "$@" >$out/lacks || return 1
    if grep "$text" $out/lacks; then return 1; fi
}

for cc in gcc clang; do
    have $cc || continue
    # shellcheck disable=SC2086
    check lacks stb_ds $cc $stb -M -DPERCEPTRON_IMPLEMENTATION -x c perceptron.h
    # shellcheck disable=SC2086
    check lacks stb_ds $cc $stb -M -DPERCEPTRON_GROW -x c perceptron.h # the interface
    # of the heap nothing, but what the headers of a processor's instructions bring
    check lacks stdlib $cc -M -DPERCEPTRON_SIMD=0 -DPERCEPTRON_IMPLEMENTATION -x c perceptron.h
    check lacks 'string\.h\|assert\.h' $cc -M -DPERCEPTRON_NO_LIBC -DPERCEPTRON_IMPLEMENTATION -x c perceptron.h
    # AVX-512 has no code of its own
    [ $x86 = yes ] && check lacks '__m512\|_mm512' sh -c "$cc -O2 -mavx512f -E -x c -DPERCEPTRON_IMPLEMENTATION \
        perceptron.h | awk '/^# [0-9]+ /{ ours = /perceptron.h/ } ours'"
done

if need arm-none-eabi-gcc gcc-arm-none-eabi; then # a big-endian Cortex-R5: what gcc cannot prove to be set
    check arm-none-eabi-gcc -mcpu=cortex-r5 -mbig-endian -std=c99 -Os -Wall -Wextra -Werror -ffreestanding -x c \
        -DPERCEPTRON_IMPLEMENTATION -DPERCEPTRON_NO_LIBC -c perceptron.h -o $out/alone.o
fi

# macros of <windows.h>, Arduino, <complex.h>, BSD's <ctype.h>, <math.h> and of programs
{
    printf '#define %s\n' near far pascal noinline IN OUT OPTIONAL 'small char' 'word int' 'boolean int' 'T int' \
        'min(a, b) ((a) < (b) ? (a) : (b))' 'max(a, b) ((a) > (b) ? (a) : (b))' 'constrain(a, b, c) a' 'swap(a, b)'
    for word in linux unix test I N K X Y PI B0 B1 B01 B11 D1 A0 _N _U _L _P _C _S _X _B DEC HIGH LOW RTC CRC PWR SP ERROR \
        BIAS SCALE OVERFLOW UNDERFLOW DOMAIN EMPTY; do
        printf '#undef %s\n#define %s 7\n' $word $word
    done
    printf '#define %s(x) x\n' F CLASS sq bit major minor check verify require likely unlikely
    printf '%s\n' '#define PERCEPTRON_IMPLEMENTATION' '#include "perceptron.h"'
} >$out/macros.c
for cc in "gcc -std=c99 -x c" "clang -std=c99 -x c" "g++ -std=c++11 -x c++"; do
    have "$cc" || continue
    for flags in "" -DPERCEPTRON_SIMD=0 -DPERCEPTRON_NO_LIBC; do
        # shellcheck disable=SC2086
        check $cc $native $flags -fsyntax-only -I. $out/macros.c
    done
done

# ---- Windows ----

cc=x86_64-w64-mingw32-gcc
if need $cc gcc-mingw-w64-x86-64; then
    printf '%s\n' '#include <windows.h>' '#define PERCEPTRON_IMPLEMENTATION' '#include "perceptron.h"' >$out/windows.c
    check $cc -std=c99 -Wall -Werror -fsyntax-only -I. $out/windows.c
    printf '%s\n' '#include "perceptron.h"' 'int main(void) { return pcn_version() != PERCEPTRON_VERSION; }' >$out/import.c
    check $cc -std=c99 -Wall -Werror '-DPCN_API=__declspec(dllexport)' -DPERCEPTRON_IMPLEMENTATION -shared -x c perceptron.h \
        -o $out/perceptron.dll
    check $cc -std=c99 -Wall -Werror '-DPCN_API=__declspec(dllimport)' -I. $out/import.c $out/perceptron.dll -o $out/import.exe
    check grep -q perceptron.dll $out/import.exe
fi

# ---- Modules of C++20 ----

printf '%s\n' 'import "perceptron.h";' 'int main()' '{' '    float x[1] = {2};' \
    '    return pcn_norm2(pcn_dense(x, 1)) == 4 && pcn_version() == PERCEPTRON_VERSION ? 0 : 1;' '}' >$out/unit.cpp
printf '%s\n' 'module;' '#include "perceptron.h"' 'export module linear;' 'export using ::pcn_linear;' \
    'export int guess(const pcn_linear *m, const float *x, unsigned n) { return pcn_linear_predict(m, pcn_dense(x, n)); }' \
    >$out/linear.cppm
printf '%s\n' 'import linear;' 'int main()' '{' '    pcn_linear m{}; // no features: the score is 0' '    m.scores = 1;' \
    '    return guess(&m, nullptr, 0) == 1 ? 0 : 1;' '}' >$out/module.cpp
clang=$(plus_plus $(newest_clang))
if need $clang "$(newest_clang)"; then
    rm -f $out/*.pcm $out/unit $out/module
    check $clang -std=c++20 -c -DPERCEPTRON_IMPLEMENTATION -x c++ perceptron.h -o $out/alone.o
    check $clang -std=c++20 -xc++-user-header --precompile perceptron.h -o $out/header.pcm
    check $clang -std=c++20 -fmodule-file=$out/header.pcm -I. $out/unit.cpp $out/alone.o -o $out/unit
    check $out/unit
    check $clang -std=c++20 -I. --precompile $out/linear.cppm -o $out/linear.pcm
    check $clang -std=c++20 -fmodule-file=linear=$out/linear.pcm $out/module.cpp $out/linear.pcm $out/alone.o -o $out/module
    check $out/module
fi

# ---- Two units ----

cat >$out/main.c <<'END'
#include "perceptron.h"
int user(const pcn_linear *m, pcn_vec x);
int main(void)
{
    float memory[PCN_PERCEPTRON_FLOATS(2, 2)], x[2] = {1, 2};
    pcn_perceptron m;
    if (pcn_version() != PERCEPTRON_VERSION) return 3;
    if (pcn_perceptron_init(&m, 2, 2, memory, sizeof memory) != PCN_OK) return 2;
    return user(&m.live, pcn_dense(x, 2)) == 1 && pcn_norm2(pcn_dense(x, 2)) == 5 ? 0 : 1;
}
END

sample 3 "compilers of two units"
for cc in "gcc -std=c99" "clang -std=c99" "g++ -x c++" "clang++ -x c++" "tcc $stb"; do
    have "$cc" || { skip "two units by $cc: not installed"; continue; }
    sampled || continue
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
        rm -f $out/two # a private copy beside the one that others call
        check $cc -I. -DPERCEPTRON_IMPLEMENTATION -c $out/main.c -o $out/other.o
        check "${cc%% *}" $out/one.o $out/other.o -o $out/two
        check $out/two
    }
done

# ---- Two versions in one program ----

cat >$out/version.c <<'END'
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#ifdef __cplusplus
extern "C"
#endif
int USE(void);
int USE(void) /* OR, and a kernel model that grows if it can */
{
    static const float x[4][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
    float memory[PCN_PERCEPTRON_FLOATS(2, 2)], room[PCN_KPERCEPTRON_FLOATS(2, 2, 4)];
    pcn_perceptron m;
    pcn_kperceptron d;
    int i, right = 0;
#ifdef PERCEPTRON_GROW
    if (pcn_kperceptron_init(&d, pcn_kernel_poly(2, 1, 1), 2, 2, NULL, 0, room, sizeof room) != PCN_OK) return -1;
    d.admit = pcn_admit_grow;
#else
    pcn_slot slot[4];
    if (pcn_kperceptron_init(&d, pcn_kernel_poly(2, 1, 1), 2, 2, slot, 4, room, sizeof room) != PCN_OK) return -1;
#endif
    if (pcn_perceptron_init(&m, 2, 2, memory, sizeof memory) != PCN_OK) return -1;
    for (i = 0; i < 40; i++) {
        pcn_perceptron_learn(&m, pcn_dense(x[i % 4], 2), i % 4 != 0);
        pcn_kperceptron_learn_row(&d, pcn_dense(x[i % 4], 2), i % 4 == 1 || i % 4 == 2, (uint32_t)i % 4);
    }
    for (i = 0; i < 4; i++) {
        int cls;
        float work[PCN_KMODEL_WORK(2, 4, 1)];
        pcn_vec v = pcn_dense(x[i], 2);
        right += pcn_linear_predict(&m.live, v) == (i != 0);
        if (pcn_kmodel_predict(&d.model, PCN_DECIDE_LAST, &v, 1, &cls, work, sizeof work) != PCN_OK) return -1;
        right += cls == (i == 1 || i == 2);
    }
#ifdef PERCEPTRON_GROW
    pcn_kperceptron_free(&d);
#endif
    return right;
}
END
cat >$out/versions.c <<'END'
#ifdef __cplusplus
extern "C" {
#endif
int use_one(void);
int use_two(void);
#ifdef __cplusplus
}
#endif
int main(void) { return use_one() == 8 && use_two() == 8 ? 0 : 1; }
END

sample 5 "programs of two versions"
for cc in "gcc -std=c99 -x c" "clang -std=c99 -x c" "g++ -std=c++11 -x c++" "clang++ -std=c++17 -x c++"; do
    have "$cc" || { skip "two versions by $cc: not installed"; continue; }
    for flags in "" "-DPERCEPTRON_GROW $stb"; do
        sampled || continue
        rm -f $out/versions
        # shellcheck disable=SC2086
        {
            check $cc $flags -I. -DPERCEPTRON_STATIC -DUSE=use_one -c $out/version.c -o $out/one.o
            check $cc $flags -I. -DPERCEPTRON_STATIC -DUSE=use_two -c $out/version.c -o $out/other.o
            check $cc -c $out/versions.c -o $out/versions.o
            check "${cc%% *}" $out/versions.o $out/one.o $out/other.o -o $out/versions
            check $out/versions
        }
    done
done

# ---- Orders of inclusion ----

ours='#include "perceptron.h"'
grow='#define PERCEPTRON_GROW'
define='#define PERCEPTRON_IMPLEMENTATION'
stb_ds='#include "stb_ds.h"'
stb_define='#define STB_DS_IMPLEMENTATION'

sample 5 "orders of inclusion, by gcc and clang in turn"
order() { # LINES: a unit that begins with them, uses both libraries and runs
    {
        printf '%s\n' "$grow" "$@"
        cat <<'END'
int main(void)
{
    static const float x[2] = {3, 4};
    static float room[2];
    pcn_kperceptron m;
    int *array = NULL, pushed, learned;
    arrput(array, 7);
    pushed = array[0] == 7 && arrlen(array) == 1;
    arrfree(array);
    if (pcn_kperceptron_init(&m, pcn_kernel_linear(), 2, 2, NULL, 0, room, sizeof room) != PCN_OK) return 2;
    m.admit = pcn_admit_grow;
    learned = pcn_kperceptron_learn(&m, pcn_dense(x, 2), 1) == 1 && arrlen(m.own.slot) <= 1 && m.model.slots == 1;
    pcn_kperceptron_free(&m);
    return pushed && learned && pcn_norm2(pcn_dense(x, 2)) == 25 ? 0 : 1;
}
END
    } >$out/order.c
    for cc in gcc clang; do
        have $cc && sampled || continue
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
levels='-O2 -O0 -Os'
! short "symbols by -O1 only" || levels=-O1
if have nm && have gcc; then
    for level in $levels; do
        # without -fPIE, where constant tables of functions lie with the variables
        gcc -std=c99 $level -fno-pie -x c -DPERCEPTRON_IMPLEMENTATION -c perceptron.h -o $out/alone.o
        check symbols "defined, but not pcn_... ($level)" \
            "$(nm -g --defined-only $out/alone.o | grep -v ' T pcn_[a-z0-9_]*$')"
        check symbols "used, but not memcpy, memset, memmove ($level)" \
            "$(nm -u $out/alone.o | grep -vE " $allowed\$")"
        # shellcheck disable=SC2086
        gcc -std=c99 $level -fno-pie -DPERCEPTRON_GROW $stb -x c -DPERCEPTRON_IMPLEMENTATION -c perceptron.h \
            -o $out/unit.o
        check symbols "defined by one that grows, but not pcn_... ($level)" \
            "$(nm -g --defined-only $out/unit.o | grep -v ' T pcn_[a-z0-9_]*$')"
        check symbols "used by one that grows, but not memcpy, memset, memmove, realloc, free ($level)" \
            "$(nm -u $out/unit.o | grep -vE " ($allowed|realloc|free)\$")"
        check symbols "global state of one that grows ($level)" "$(nm $out/unit.o | grep -i ' [bdcs] ')"
        gcc -std=c99 $level -DPERCEPTRON_GROW -I. -c $out/interface.c -o $out/unit.o
        check symbols "an interface that grows needs only what it calls ($level)" \
            "$(nm -u $out/unit.o | grep -vE ' (pcn_linear_predict_at|_GLOBAL_OFFSET_TABLE_)$')"
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

check symbols "macros without a prefix of ours" "$(sed -n 's/^ *# *define \([A-Za-z_0-9]*\).*/\1/p' perceptron.h |
    grep -vE '^(PCN_|PERCEPTRON_|PCNP_|pcnp_)' | grep -vx STB_DS_IMPLEMENTATION)"

# ---- Assertions ----

cat >$out/assert.c <<'END'
#ifdef OWN
static int broken;
#define PCN_ASSERT(condition) ((condition) ? (void)0 : (void)broken++)
#endif
#define PERCEPTRON_IMPLEMENTATION
#include "perceptron.h"
#include <stdlib.h>
int main(int argc, char **argv)
{
    static float memory[2][PCN_PERCEPTRON_FLOATS(2, 3)], x[3] = {1, 2, 3};
    static float mean_memory[PCN_PERCEPTRON_FLOATS(2, 2)], sum[PCN_AVERAGING_FLOATS(2, 2)], ones[2] = {1, 1};
    static int32_t imemory[3][PCN_IPERCEPTRON_NUMBERS(2, 3)];
    static int64_t isum[PCN_IPERCEPTRON_NUMBERS(2, 3)];
    static int16_t ix[3] = {1, 2, 3};
    static const uint16_t scale = 1;
    static const uint32_t falls[2] = {1, 0}, twice[2] = {1, 1}, rises[2] = {0, 1};
    static pcn_slot slot[1];
    static float room[PCN_KPERCEPTRON_FLOATS(2, 2, 1)], work[PCN_KMODEL_WORK(2, 1, 1)];
    const pcn_vec dense = pcn_dense(x, 2), longer = pcn_dense(x, 3);
    const pcn_vec fallen = pcn_sparse(falls, x, 2), doubled = pcn_ones(twice, 2);
    const pcn_ivec idense = pcn_idense(ix, 2), ifallen = pcn_isparse(falls, ix, 2), idoubled = pcn_iones(twice, 2);
    static pcn_perceptron one, three, mean, none;
    static pcn_kperceptron dual, knone;
    static pcn_iperceptron inone;
    pcn_iperceptron ione, ithree, imean;
    const uint32_t id[2] = {5, 5};
    const int y[2] = {1, 1};
    int result[2];
    pcn_vec two[2];
    pcn_update push;
    int64_t iscore[3];
    float score[3] = {7, -3, 0}, probability[3] = {0, 0, 0};
    pcn_calibration calibration;
    int cls;
    pcn_calibration_init(&calibration);
    if (pcn_perceptron_init(&one, 2, 2, memory[0], sizeof memory[0]) < 0) return 1;
    if (pcn_perceptron_init(&three, 2, 3, memory[1], sizeof memory[1]) < 0) return 1;
    if (pcn_perceptron_init(&mean, 2, 2, mean_memory, sizeof mean_memory) < 0) return 1;
    if (pcn_perceptron_use_averaging(&mean, sum, sizeof sum) < 0) return 1;
    if (pcn_iperceptron_init(&ione, 2, 2, imemory[0], sizeof imemory[0]) < 0) return 1;
    if (pcn_iperceptron_init(&ithree, 2, 3, imemory[1], sizeof imemory[1]) < 0) return 1;
    if (pcn_iperceptron_init(&imean, 2, 3, imemory[2], sizeof imemory[2]) < 0) return 1;
    if (pcn_iperceptron_use_averaging(&imean, isum, sizeof isum) < 0) return 1;
    if (pcn_kperceptron_init(&dual, pcn_kernel_linear(), 2, 2, slot, 1, room, sizeof room) < 0) return 1;
    if (pcn_kperceptron_learn_row(&dual, pcn_dense(ones, 2), 1, 5) != 1) return 1;
    two[0] = pcn_ones(rises, 2), two[1] = dense;
    push.x = &dense, push.bias = 1, push.up = push.down = 0, push.share = 0, push.zero_negative = 0;
    push.slope_of = NULL, push.trainer = NULL;
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 0: /* what is right */
        (void)pcn_linear_predict(&one.live, dense);
        (void)pcn_linear_score(&one.live, dense);
        (void)pcn_linear_predict(&three.live, dense);
        pcn_linear_scores(&three.live, dense, score);
        pcn_linear_scores(&one.live, dense, score);
        (void)pcn_perceptron_predict(&one, dense);
        (void)pcn_perceptron_predict(&three, pcn_ones(rises, 2));
        (void)pcn_perceptron_predict(&mean, dense);
        pcn_perceptron_scores(&three, dense, score);
        pcn_perceptron_scores(&mean, dense, score);
        (void)pcn_ilinear_predict(&ione.live, idense);
        (void)pcn_ilinear_score(&ione.live, idense);
        (void)pcn_ilinear_predict(&ithree.live, idense);
        pcn_ilinear_scores(&ithree.live, idense, iscore);
        pcn_ilinear_scores(&ione.live, idense, iscore);
        (void)pcn_perceptron_learn(&one, pcn_ones(rises, 2), 1);
        (void)pcn_iperceptron_learn(&ione, pcn_iones(rises, 2), 1);
        if (pcn_perceptron_learn(&none, dense, 1) != PCN_EOPTION) return 1;
        if (pcn_perceptron_learn(&one, longer, 1) != PCN_EINDEX) return 1;
        if (pcn_kperceptron_learn(&dual, fallen, 1) != PCN_EINDEX) return 1;
        if (pcn_kperceptron_learn_row(&dual, fallen, 1, 5) != PCN_EINDEX) return 1;
        (void)pcn_kperceptron_learn_row(&dual, two[0], 0, 5); /* the same row in three forms */
        (void)pcn_kperceptron_learn_row(&dual, pcn_sparse(rises, ones, 2), 1, 5);
        (void)pcn_kperceptron_learn_row(&dual, pcn_ones(NULL, 2), 1, 5);
        (void)pcn_kperceptron_learn_row(&dual, dense, 1, 6);
        (void)pcn_kperceptron_predict(&dual, longer);
        pcn_kperceptron_scores(&dual, two[0], score);
        pcn_kperceptron_set_id(&dual, 0, 7);
        (void)pcn_iperceptron_predict(&imean, idense);
        (void)pcn_iperceptron_predict(&imean, pcn_iones(rises, 2));
        pcn_perceptron_final_scores(&mean, dense, score);
        pcn_perceptron_final_scores(&three, dense, score);
        (void)pcn_probabilities(&calibration, score, 3, probability);
        (void)pcn_calibrate(&calibration, score, 3, probability, 1);
        (void)pcn_probabilities(&calibration, score, 2, probability);
        (void)pcn_calibrate(&calibration, score, 2, probability, -1);
        if (pcn_calibrate(&calibration, score, 2, score, 1) != PCN_EOPTION) return 1;
        if (pcn_slope(&push) != 6) return 1;
        break;
    case 1: (void)pcn_linear_score(&three.live, dense); break;
    case 2: (void)pcn_ilinear_score(&ithree.live, idense); break;
    case 3: (void)pcn_linear_predict(&one.live, fallen); break; /* from here on: indices that do not ascend */
    case 4: (void)pcn_linear_score(&one.live, doubled); break;
    case 5: (void)pcn_linear_predict(&three.live, fallen); break;
    case 6: pcn_linear_scores(&three.live, doubled, score); break;
    case 7: (void)pcn_perceptron_learn(&one, doubled, 1); break;
    case 8: (void)pcn_perceptron_learn(&three, fallen, 1); break;
    case 9: (void)pcn_perceptron_predict(&one, fallen); break;
    case 10: (void)pcn_perceptron_predict(&three, doubled); break;
    case 11: (void)pcn_perceptron_predict(&mean, fallen); break;
    case 12: pcn_perceptron_scores(&three, fallen, score); break;
    case 13: pcn_perceptron_scores(&mean, doubled, score); break;
    case 14: (void)pcn_ilinear_predict(&ione.live, ifallen); break;
    case 15: (void)pcn_ilinear_score(&ione.live, idoubled); break;
    case 16: (void)pcn_ilinear_predict(&ithree.live, ifallen); break;
    case 17: pcn_ilinear_scores(&ithree.live, idoubled, iscore); break;
    case 18: (void)pcn_iperceptron_learn(&ione, ifallen, 1); break;
    case 19: (void)pcn_iperceptron_learn(&ithree, idoubled, 1); break;
    case 20: (void)pcn_kmodel_scores(&dual.model, PCN_DECIDE_LAST, &fallen, 1, score, work, sizeof work); break;
    case 21: (void)pcn_kmodel_predict(&dual.model, PCN_DECIDE_LAST, &doubled, 1, &cls, work, sizeof work); break;
    case 22: /* 32 bits with a scale */
        ione.live.scale = &scale;
        (void)pcn_ilinear_score(&ione.live, idense);
        break;
    case 23: (void)pcn_linear_predict(&three.live, longer); break; /* a dense row that is longer than the model */
    case 24: (void)pcn_perceptron_predict(&one, longer); break;
    case 25: (void)pcn_perceptron_predict(&mean, longer); break;
    case 26: (void)pcn_ilinear_predict(&ithree.live, pcn_idense(ix, 3)); break;
    case 27: (void)pcn_perceptron_predict(&none, dense); break; /* no init */
    case 28: pcn_perceptron_scores(&none, dense, score); break;
    case 29: (void)pcn_calibrate(&calibration, score, 3, probability, 1); break; /* no pcn_probabilities before */
    case 30: /* scores and probabilities swapped */
        (void)pcn_probabilities(&calibration, score, 3, probability);
        (void)pcn_calibrate(&calibration, probability, 3, score, 1);
        break;
    case 31:
        (void)pcn_probabilities(&calibration, score, 2, probability);
        (void)pcn_calibrate(&calibration, probability, 2, score, 1);
        break;
    case 32: (void)pcn_probabilities(&calibration, score, 3, score); break; /* p in the place of the scores */
    case 33: (void)pcn_kperceptron_learn_row(&dual, dense, 1, 5); break;    /* an id that another row has */
    case 34: (void)pcn_kperceptron_learn_row(&dual, pcn_ones(rises, 1), 0, 5); break;
    case 35: (void)pcn_kperceptron_learn_rows(&dual, two, y, id, 2, result, work, sizeof work); break;
    case 36: pcn_kperceptron_set_id(&dual, 1, 5); break; /* no such slot */
    case 37: (void)pcn_kperceptron_predict(&dual, fallen); break;
    case 38: pcn_kperceptron_scores(&dual, doubled, score); break;
    case 39: (void)pcn_kperceptron_predict(&knone, dense); break;
    case 40: pcn_kperceptron_scores(&knone, dense, score); break;
    case 41: (void)pcn_iperceptron_predict(&imean, ifallen); break;
    case 42: (void)pcn_iperceptron_predict(&imean, pcn_idense(ix, 3)); break;
    case 43: (void)pcn_iperceptron_predict(&inone, idense); break;
    case 44: pcn_perceptron_final_scores(&mean, fallen, score); break;
    case 45: pcn_perceptron_final_scores(&none, dense, score); break;
    }
#ifdef OWN
    return broken != 0 ? 9 : 0;
#else
    return 0;
#endif
}
END

gives() { # STATUS COMMAND...
    wanted=$1
    shift
    sh -c '"$@"; exit $?' sh "$@" >$out/gives 2>&1
    got=$?
    cat $out/gives
    [ $got -eq $wanted ]
}

sample 4 "compilers of assertions"
for cc in "gcc -std=c99 -x c" "clang -std=c99 -x c" "g++ -std=c++11 -x c++" "clang++ -std=c++17 -x c++"; do
    have "$cc" && sampled || continue
    rm -f $out/assert $out/own
    # shellcheck disable=SC2086
    {
        check $cc -I. -O1 -g $warnings -DPERCEPTRON_DEBUG $out/assert.c -o $out/assert
        check $cc -I. -O1 -g $warnings -DOWN $out/assert.c -o $out/own
    }
    check gives 0 $out/assert 0
    check gives 0 $out/own 0
    for what in $(seq 45); do
        check gives 134 $out/assert $what # SIGABRT
        check grep -q 'perceptron.h:[0-9]*:.*Assertion' $out/gives
        check gives 9 $out/own $what
    done
done

# ---- Codes that must be looked at ----

cat >$out/unseen.c <<'END'
#include "perceptron.h"
void user(pcn_perceptron *m, pcn_kperceptron *k, pcn_iperceptron *i, pcn_linear *l, pcn_ilinear *q, pcn_slot *slot,
          float *f, int32_t *w, int64_t *s, uint32_t *x, pcn_log_entry *log, const void *image, const pcn_arrays *a,
          pcn_calibration *c, pcn_scaler *r, pcn_icolumn *column);
void user(pcn_perceptron *m, pcn_kperceptron *k, pcn_iperceptron *i, pcn_linear *l, pcn_ilinear *q, pcn_slot *slot,
          float *f, int32_t *w, int64_t *s, uint32_t *x, pcn_log_entry *log, const void *image, const pcn_arrays *a,
          pcn_calibration *c, pcn_scaler *r, pcn_icolumn *column)
{
    pcn_perceptron_init(m, 1, 2, f, 1);
    pcn_perceptron_init_one(m, 1, f, 1);
    pcn_perceptron_init_several(m, 1, 3, f, 1);
    pcn_perceptron_resize(m, 1, 2, a);
    pcn_perceptron_final(m, l, f, 1);
    pcn_perceptron_use_feature_major(m);
    pcn_perceptron_use_averaging(m, f, 1);
    pcn_perceptron_use_following(m);
    pcn_perceptron_use_batch(m, f, 1);
    pcn_perceptron_apply_batch(m, 1);
    pcn_perceptron_discard_batch(m);
    pcn_perceptron_end_batch(m);
    pcn_perceptron_use_winnow(m, 1, 0, f, 1);
    pcn_perceptron_use_confidence(m, 1, f, 1);
    pcn_perceptron_use_regrowth(m, 1);
    pcn_perceptron_save(m, f, 1);
    pcn_perceptron_load(m, image, 1);
    pcn_linear_copy(l, l, f, 1);
    pcn_linear_save(l, f, 1);
    pcn_linear_open(l, image, 1);
    pcn_image_read(NULL, image, 1);
    pcn_iperceptron_init(i, 1, 2, w, 1);
    pcn_iperceptron_init_one(i, 1, w, 1);
    pcn_iperceptron_init_several(i, 1, 3, w, 1);
    pcn_iperceptron_use_averaging(i, s, 1);
    pcn_iperceptron_final(i, q, w, 1);
    pcn_iperceptron_save(i, f, 1);
    pcn_iperceptron_load(i, image, 1);
    pcn_ilinear_quantize(q, l, 8, 1, NULL, w, 1);
    pcn_ilinear_save(q, f, 1);
    pcn_ilinear_open(q, image, 1);
    pcn_ilinear_load(q, w, 1, image, 1);
    pcn_kperceptron_init(k, pcn_kernel_linear(), 1, 2, slot, 1, f, 1);
    pcn_kperceptron_use_sparse(k, f, x, 1);
    pcn_kperceptron_use_rows(k, f, x, 1);
    pcn_kperceptron_use_log(k, log, 1);
    pcn_kperceptron_use_forgetron(k, f, 1);
    pcn_kperceptron_use_projectron(k, 0, f, 1);
    pcn_kperceptron_swap_classes(k);
    pcn_kperceptron_save(k, f, 1);
    pcn_kperceptron_load(k, image, 1);
    pcn_kmodel_save(&k->model, f, 1);
    pcn_kmodel_open(&k->model, pcn_kernel_linear(), image, 1);
    pcn_calibration_save(c, f, 1);
    pcn_calibration_load(c, image, 1);
    pcn_scaler_init(r, 1, f, 1);
    pcn_scaler_use_window(r, 16);
    pcn_scaler_fold(r, l, l, f, 1);
    pcn_scaler_integers(r, column);
    pcn_scaler_save(r, f, 1);
    pcn_scaler_load(r, image, 1);
    pcn_perceptron_learn(m, pcn_dense(f, 1), 1); /* refused counts what these answer */
    pcn_iperceptron_learn(i, pcn_idense(NULL, 0), 1);
    pcn_kperceptron_learn(k, pcn_dense(f, 1), 1);
    pcn_kperceptron_learn_row(k, pcn_dense(f, 1), 1, 0);
}
END

# each function whose result must be checked stands there
sed '/^#ifdef PERCEPTRON_IMPLEMENTATION/q' perceptron.h |
    sed -n 's/^PCN_[A-Z]* PCN_MUST_CHECK .*[ *]\(pcn_[a-z0-9_]*\)(.*/\1/p' | sort -u >$out/must
sed -n 's/^    \(pcn_[a-z0-9_]*\)(.*/\1/p' $out/unseen.c | grep -v _learn | sort -u | check cmp - $out/must

unseen() { # COMPILER...: one warning for each line before the comment, and no other
    "$@" -I. -c $out/unseen.c -o $out/unit.o >$out/warnings 2>&1
    cat $out/warnings
    sed -n 's/^[^:]*unseen\.c:\([0-9]*\):.*\[-Wunused-result\].*/\1/p' $out/warnings | sort -n >$out/warned
    grep -n '^    pcn_' $out/unseen.c | grep -v _learn | cut -d: -f1 | cmp - $out/warned
}

for cc in "gcc -std=c99 -x c" "clang -std=c99 -x c" "g++ -std=c++11 -x c++" "clang++ -std=c++17 -x c++"; do
    have "$cc" || continue
    # shellcheck disable=SC2086
    {
        check unseen $cc
        check $cc -I. -DPCN_MUST_CHECK= $warnings -c $out/unseen.c -o $out/unit.o
    }
done

# ---- What is refused, with one sentence ----

refused() { # SENTENCE COMPILER...: exactly one error, which is the header's own
    sentence=$1
    shift
    "$@" -c perceptron.h -o $out/refused.o >$out/refused 2>&1 && return 1
    cat $out/refused
    [ "$(grep -c 'error:' $out/refused)" = 1 ] && grep -q "error:.*$sentence" $out/refused
}

unsafe_math() { # COMPILER: flags that change bits and of which it tells; gcc from version 12 on of more than clang
    echo -ffast-math -Ofast -ffinite-math-only
    $1 -freciprocal-math -dM -E /dev/null | grep -q __RECIPROCAL_MATH__ || return 0
    echo -freciprocal-math -funsafe-math-optimizations -fno-signed-zeros
}

for cc in "gcc -x c" "clang -x c" "g++ -std=c++11 -x c++" "clang++ -std=c++17 -x c++" "tcc -x c"; do
    have "$cc" || continue
    # shellcheck disable=SC2086
    {
        case $cc in tcc*) ;; *)
            for flag in $(unsafe_math "$cc"); do
                check refused 'perceptron.h needs IEEE' $cc -DPERCEPTRON_IMPLEMENTATION $flag
            done
            ;;
        esac
        check refused 'perceptron.h needs IEEE' $cc -DPERCEPTRON_IMPLEMENTATION -D_M_FP_FAST=1 # MSVC's /fp:fast
        check refused 'PERCEPTRON_BIAS_STEP is 0 .. PCN_IMAX - 2' $cc -DPERCEPTRON_IMPLEMENTATION -DPERCEPTRON_BIAS_STEP=-1
        check refused 'PERCEPTRON_BIAS_STEP is 0 .. PCN_IMAX - 2' $cc -DPERCEPTRON_IMPLEMENTATION \
            -DPERCEPTRON_BIAS_STEP=1073741823
        check refused 'perceptron.h: PERCEPTRON_GROW needs' $cc -DPERCEPTRON_NO_LIBC -DPERCEPTRON_GROW
        check refused 'perceptron.h: PERCEPTRON_GROW needs' $cc $stb -DPERCEPTRON_NO_LIBC -DPERCEPTRON_GROW \
            -DPERCEPTRON_IMPLEMENTATION
    }
done

# instructions that the compiler does not build for, or that there are not
unbuilt() { # NUMBERS COMPILER...
    numbers=$1
    shift
    have "$1" || { skip "instructions that $1 does not build for: not installed"; return; }
    for number in $numbers; do
        check refused PERCEPTRON_SIMD "$@" -DPERCEPTRON_IMPLEMENTATION -DPERCEPTRON_SIMD="$number"
    done
}

never='-1 5 7 100'
! short "of instructions that there are not, PERCEPTRON_SIMD=5" || never=5
if [ $x86 = yes ]; then
    for cc in gcc clang; do
        unbuilt "2 3 4 $never" $cc -x c
        unbuilt "3 4 $never" $cc -mavx2 -x c
        unbuilt "3 4 $never" $cc -mavx512f -x c
    done
    for cxx in g++ clang++; do
        unbuilt "2 3 4 $never" $cxx -std=c++11 -x c++
    done
    unbuilt "2 3 4 $never" tcc -x c
fi
unbuilt "1 2 4 $never" aarch64-linux-gnu-gcc -x c
unbuilt "1 2 3 4 $never" arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -ffreestanding -DPERCEPTRON_NO_LIBC -x c
unbuilt "1 2 3 4 $never" riscv64-unknown-elf-gcc -ffreestanding -DPERCEPTRON_NO_LIBC -x c
unbuilt "1 2 3 4 $never" clang --target=wasm32 -ffreestanding -DPERCEPTRON_NO_LIBC -x c
unbuilt "1 2 3 $never" clang --target=wasm32 -msimd128 -ffreestanding -DPERCEPTRON_NO_LIBC -x c

# ---- Mistakes that nothing hears: the guide names what to call ----

for name in pcn_scaler_scale16 pcn_calibrate pcn_perceptron_use_following pcn_linear_copy pcn_pass learner.score; do
    check grep -qF "\`$name" examples/GUIDE.md
done

# ---- The manual: short, with each macro that the code asks for, and a program that runs ----

sed '/\*\/$/q' perceptron.h >$out/manual
expect "the manual has more than 150 lines" awk 'END { exit NR > 150 }' $out/manual
for macro in $(grep -E '^# *(if|elif)' perceptron.h | grep -oE '\<(PERCEPTRON|PCN)_[A-Z_]+' | sort -u); do
    case $macro in PERCEPTRON_H_* | PCN_IMPLEMENTED) continue ;; esac
    check grep -qE "^ \*  $macro\>" $out/manual
done
sed -n '/^ \* A FIRST JOB/,/^ \* PICK/s/^ \*     //p' perceptron.h >$out/job.c
echo '9 rows, 0 refused, class 2' >$out/job.expected
# three classes that lie apart; the flower in the manual is like the last
printf '%s\n' 5.1,3.5,1.4,0.2,0 7.0,3.2,4.7,1.4,1 6.3,3.3,6.0,2.5,2 4.9,3.0,1.4,0.2,0 6.4,3.2,4.5,1.5,1 5.8,2.7,5.1,1.9,2 \
    4.7,3.2,1.3,0.2,0 5.5,2.3,4.0,1.3,1 7.1,3.0,5.9,2.1,2 >$out/rows

for cc in "gcc -std=c99" "clang -std=c99" "g++ -std=c++11 -x c++" "clang++ -std=c++11 -x c++" "tcc $stb"; do
    have "$cc" || continue
    case $cc in tcc*) flags=-Wall ;; *) flags=$warnings ;; esac
    rm -f $out/job
    # shellcheck disable=SC2086
    check $cc $flags -I. $out/job.c -o $out/job
    $out/job <$out/rows >$out/printed 2>&1
    check cmp $out/printed $out/job.expected
done

finish
