#!/bin/sh
# What the library promises to firmware, seen on its objects: with PERCEPTRON_NO_LIBC nothing is undefined
# but the arithmetic of the compiler's own library, none of it in double; no variables; no recursion, no
# frames of variable size, bounded stack of every public function, which it prints; and clang's real-time
# checks on learning and predicting.
# From the root of the project; wants Debian's gcc-arm-none-eabi gcc-riscv64-unknown-elf gcc-avr clang
# clang-22 libclang-rt-22-dev python3.

. tests/lib.sh

# Integers of 64 bits, floats, shifts, and copying of registers; what AVR needs for 8 x 8 bits.
arithmetic='^(__aeabi_(f(add|sub|mul|div|cmp..|2iz)|u?i2f|ui2f|u?idiv(mod)?|l(mul|lsl|lsr))|__gnu_thumb1_case_.*'
arithmetic="$arithmetic|__(add|sub|mul|div|eq|ne|lt|le|gt|ge)sf[23]|__fixsfsi|__float(un)?sisf|__(ashl|ashr|lshr|mul|cmp|neg|add|sub)di[23]"
arithmetic="$arithmetic|__(adddi3|cmpdi2)_s8|__u?mul(hi|si|shi|ohi)*(si|di)3|__udivmod.i4|__do_copy_data)\$"

object() { # LABEL NM COMPILER...: at every level; -O3 makes calls of memset of loops
    label=$1 nm=$2
    shift 2
    for level in -O0 -O1 -O2 -Os; do
        "$@" $level -Wdouble-promotion -Werror -I. -c tests/freestanding/library.c -o $out/$label.o
        verdict $? "$label $level does not compile" || continue
        $nm -u $out/$label.o | awk '{ print $2 }' >$out/undefined
        [ $label$level != M0-O0 ] || sed -i '/^memcpy$/d' $out/undefined # structs returned by value
        ! grep -vE "$arithmetic" $out/undefined
        verdict $? "$label $level needs more than arithmetic"
        ! $nm $out/$label.o | grep -E ' [bBdDcC] '
        verdict $? "$label $level has variables"
    done
}

# Of every public function, at two levels. Functions that are equal by chance would share one entry.
callgraph() { # LABEL COMPILER...
    label=$1
    shift
    for level in -Os -O2; do
        [ $level = -Os ] && limit=700 || limit=1024
        "$@" $level -fno-ipa-icf -fcallgraph-info=su -I. -c tests/freestanding/library.c -o "$out/$label$level.o"
        verdict $? "$label $level: no call graph" || continue
        graphs="$graphs $label$level=$limit=$out/$label$level.ci"
    done
}

m4f='-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16 -mthumb'
if need arm-none-eabi-gcc gcc-arm-none-eabi; then
    object M0 arm-none-eabi-nm arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb
    object M4F arm-none-eabi-nm arm-none-eabi-gcc $m4f
    need clang clang && object M4F-clang arm-none-eabi-nm clang --target=arm-none-eabi $m4f -ffreestanding
    if need python3 python3; then
        graphs=
        callgraph M0 arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb
        callgraph M4F arm-none-eabi-gcc $m4f
        # shellcheck disable=SC2086 # words
        python3 tests/freestanding/stack.py perceptron.h $graphs
        verdict $? "stack"
    fi
fi
if need riscv64-unknown-elf-gcc gcc-riscv64-unknown-elf; then
    object riscv riscv64-unknown-elf-nm riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32 -ffreestanding
fi
need avr-gcc gcc-avr && object AVR avr-nm avr-gcc -mmcu=atmega1284p

realtime() { # EXPECTED LABEL FLAGS...
    expected=$1 label=$2
    shift 2
    clang-22 -std=gnu2x -O1 -Wfunction-effects -Werror=function-effects -fsanitize=realtime "$@" -I. \
        tests/freestanding/realtime.c -o $out/realtime 2>$out/log && $out/realtime >>$out/log 2>&1
    [ $? -eq 0 ] && result=0 || result=1
    [ $result -eq $expected ]
    verdict $? "$label: $(head -n 3 $out/log)"
}

if need clang-22 'clang-22 libclang-rt-22-dev'; then
    realtime 0 'real time'
    realtime 0 'real time, portable C' -DPERCEPTRON_SIMD=0
    realtime 1 'the compiler does not see a call of malloc' -DBREAK=1
    realtime 1 'the sanitizer does not see a call of malloc' -DBREAK=2
fi
finish
