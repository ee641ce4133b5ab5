#!/bin/sh
# All compilers, levels of optimisation, standards and values of PERCEPTRON_SIMD give the same bits, which never
# change; upper halves of vector registers are left clear.
#
# Builds tests/targets/fixed.c in all of these ways and compares what the programs print with the first of them,
# portable C by gcc. From the root of the project; writes only to build/.

# Made by gcc -O0 -DPERCEPTRON_SIMD=0. They must never change: models would not stay the same. tests/header/sums.py
# trains on sparse rows anew, AROW too, in another language.
golden_dense=5e314d270f80f095
golden_sparse=fe3f9eecaeefa1d2
golden_passes=812adc372e604478
golden_calibration=607c9d781232bd36
golden_scaler=9a2e9243a827bfe7

. tests/lib.sh
few=

# The builds of the short form: each compiler, kind of vectors, licence to fuse and standard.
chosen() { # COMPILER FLAGS...
    case "$*" in
    "gcc -std=c99 -O0 "* | "gcc -DPERCEPTRON_SIMD=1 -std=c99 -O2" | "clang -DPERCEPTRON_SIMD=2 -mavx2 -std=c99 -O3") ;;
    "gcc -std=gnu17 -O2 -mavx2 -mfma -ffp-contract=fast -DPERCEPTRON_SIMD=0" | "gcc -std=gnu17 -O2 -mavx512f "*) ;;
    "clang -std=c99 -O2 -DPERCEPTRON_SIMD=0 -freciprocal-math "* | gcc-*" -DPERCEPTRON_STATIC -std=c99 -O2") ;;
    tcc | "g++ -std=c++17 -O2" | "aarch64-linux-gnu-gcc -static -std=gnu17 -O2") ;;
    *) return 1 ;;
    esac
}

! short "of some 70 builds one for each compiler, kind of vectors and licence to fuse; upper halves by gcc -O1" || few=yes

same() { # RUNNER COMPILER FLAGS...: RUNNER is empty or an emulator
    runner=$1
    shift
    [ -z "$few" ] || chosen "$@" || return
    rm -f $out/fixed $out/text
    "$@" -I. -Itests -o $out/fixed $language tests/targets/fixed.c && $runner $out/fixed >$out/text &&
        { [ -f $out/first ] || cp $out/text $out/first; } && cmp -s $out/text $out/first
    verdict $? "$*"
}

levels() { # LEVELS COMPILER FLAGS...: in a strict mode (GNU modes differ where they may fuse: see FMA)
    some=$1
    shift
    for level in $some; do
        same "" "$@" -std=c99 $level
    done
}

language=
rm -f $out/first

same "" gcc -std=c99 -O0 -DPERCEPTRON_SIMD=0
for part in dense sparse passes calibration scaler; do
    golden=$(sed -n "s/^golden_$part=//p" tests/targets/bits.sh)
    grep -qx "$golden $part" $out/first
    verdict $? "the hash is not the golden one: $(grep -x ".* $part" $out/first), not $golden"
done

every_way() { # COMPILER
    cc=$1
    levels '-O0 -O2 -O3 -Os' $cc -DPERCEPTRON_SIMD=0
    same "" $cc -std=gnu17 -O2 -DPERCEPTRON_SIMD=0
    same "" $cc -std=gnu17 -O3 -march=native
    same "" $cc -std=c99 -O2 -DPERCEPTRON_NO_LIBC
    same "" $cc -std=c99 -Os -DPERCEPTRON_NO_LIBC -DPERCEPTRON_SIMD=0
    if [ $x86 = no ]; then skip "$cc, SSE2 and AVX2: not an x86-64"; return; fi
    levels '-O2 -O3' $cc -DPERCEPTRON_SIMD=1
    case $cc in clang*) # a pragma undoes what no macro tells; gcc's are refused
        for simd in 0 1; do
            same "" $cc -std=c99 -O2 -DPERCEPTRON_SIMD=$simd -freciprocal-math -fassociative-math -fno-signed-zeros \
                -fno-trapping-math
        done
        ;;
    esac
    if ! processor avx2; then skip "$cc, AVX2: not in this processor"; return; fi
    levels '-O2 -O3' $cc -DPERCEPTRON_SIMD=2 -mavx2
    if ! processor fma; then skip "$cc, FMA: not in this processor"; return; fi
    for simd in 0 1 2; do
        same "" $cc -std=c99 -O3 -mavx2 -mfma -ffp-contract=fast -DPERCEPTRON_SIMD=$simd
        same "" $cc -std=gnu17 -O2 -mavx2 -mfma -ffp-contract=fast -DPERCEPTRON_SIMD=$simd
    done
    if ! processor avx512f; then skip "$cc, AVX-512: not in this processor"; return; fi
    for level in -O1 -O2; do # the AVX2 code; the compiler may use more registers and wider ones
        same "" $cc -std=gnu17 $level -mavx512f -mavx2 -mfma -ffp-contract=fast
    done
}

for cc in gcc clang; do
    need $cc $cc && every_way $cc
done

# With PERCEPTRON_STATIC compilers inline more, and keep more in registers.
wide=
[ $x86 = no ] || ! processor avx2 || wide=-mavx2
for cc in $(numbered); do
    for static in "" -DPERCEPTRON_STATIC; do # gcc 11 is where this was seen to go wrong
        levels '-O1 -O2 -O3' $cc $wide $static
    done
    every_way $cc
done
for cc in gcc $(numbered | grep gcc); do # other compilers clear the upper halves by themselves, and gcc from -O2 on
    if ! processor xgetbv1; then skip "$cc, upper halves of registers: this processor does not tell of them"; continue; fi
    for level in -O1 -Os; do
        case $few$cc$level in yesgcc-O1 | [!y]*) ;; *) continue ;; esac
        $cc -std=c99 $level -mavx2 -DPERCEPTRON_IMPLEMENTATION -x c -c perceptron.h -o $out/upper.o &&
            gcc -std=c99 -I. tests/targets/upper.c $out/upper.o -o $out/upper && $out/upper
        verdict $? "$cc $level -mavx2: upper halves"
    done
done
levels -O2 gcc $wide -DPERCEPTRON_STATIC
! have clang || levels -O2 clang $wide -DPERCEPTRON_STATIC

if need tcc tcc; then same "" tcc; fi

language="-x c++"
for cxx in g++ clang++; do
    need $cxx "g++ clang" || continue
    same "" $cxx -std=c++17 -O2
    same "" $cxx -std=c++17 -O2 -DPERCEPTRON_SIMD=0
done
language=

if need qemu-aarch64 qemu-user && need aarch64-linux-gnu-gcc "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"; then
    for cc in "aarch64-linux-gnu-gcc" "clang --target=aarch64-linux-gnu"; do
        need "$cc" clang || continue # gcc's libraries serve clang
        for mode in "-std=c99 -O1" "-std=c99 -O2" "-std=c99 -O3" "-std=gnu17 -O2" "-std=gnu17 -O3" \
            "-std=c99 -O1 -DPERCEPTRON_SIMD=0" "-std=gnu17 -O3 -DPERCEPTRON_SIMD=0"; do
            same qemu-aarch64 $cc -static $mode
        done
    done
fi

finish
