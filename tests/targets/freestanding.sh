#!/bin/sh
# With PERCEPTRON_NO_LIBC nothing is undefined but the arithmetic of the compiler's own library, none of it in double:
# no variables, no recursion, a bounded stack of every public function, nothing that takes unbounded time. On an AVR
# models and texts lie in flash. The rules of MISRA C that are broken have a reason.
#
# From the root of the project; wants Debian's gcc-arm-none-eabi gcc-riscv64-unknown-elf gcc-avr clang clang-22
# libclang-rt-22-dev cppcheck python3 qemu-system-arm simavr libstb-dev. TABLES=write: puts the stacks on their page.

. tests/lib.sh
levels='-O0 -Og -O1 -O2 -Os' of_programs=$levels some='-O1 -O2 -O3 -Os -Oz' clangs="clang $(numbered | grep clang)" portable=yes
m4f_column=3 # of the M4F's -Os in the table of stacks
! short "objects by -O2, programs and stacks by -Os; of programs gcc for M0 and the newest clang for M4F" ||
    levels=-O2 of_programs=-Os some=-Os clangs=$(newest_clang) portable='' m4f_column=2

# Integers of 64 bits, floats, shifts, and copying of registers; what AVR needs for 8 x 8 bits.
arithmetic='^(__aeabi_(f(add|sub|mul|div|cmp..|2iz)|u?i2f|ui2f|u?idiv(mod)?|l(mul|lsl|lsr))|__gnu_thumb1_case_.*'
arithmetic="$arithmetic|__(add|sub|mul|div|eq|ne|lt|le|gt|ge)sf[23]|__fixsfsi|__float(un)?sisf|__(ashl|ashr|lshr|mul|cmp|neg|add|sub)di[23]"
arithmetic="$arithmetic|__(adddi3|cmpdi2)_s8|__u?mul(hi|si|uhi|shi|ohi)*(si|di)3|__udivmod.i4|__do_copy_data)\$"

object() { # LABEL NM COMPILER...: at every level; -O3 makes calls of memset of loops
    label=$1 nm=$2
    shift 2
    for level in $levels; do
        "$@" $level -Wdouble-promotion -Werror -I. -c tests/targets/freestanding/library.c -o $out/$label.o
        verdict $? "$label $level does not compile" || continue
        $nm -u $out/$label.o | awk '{ print $2 }' >$out/undefined
        ! grep -vE "$arithmetic" $out/undefined
        verdict $? "$label $level needs more than arithmetic"
        ! $nm $out/$label.o | grep -E ' [bBdDcC] '
        verdict $? "$label $level has variables"
    done
}

# Of every public function, for the table of stacks. Functions that are equal by chance would share one entry.
callgraph() { # FILE LABEL LIMIT COMPILER...
    graph=$out/$1 label=$2 limit=$3
    shift 3
    "$@" -fno-ipa-icf -fcallgraph-info=su -I. -c tests/targets/freestanding/library.c -o "$graph.o"
    verdict $? "$label: no call graph" || return
    graphs="$graphs|$label=$limit=$graph.ci"
    case $1 in
    arm-*)
        "$@" -nostdlib -Wl,-e,pcn_version "$graph.o" -lgcc -o "$graph.elf" &&
            arm-none-eabi-objdump -dt "$graph.elf" >"$graph.dis"
        verdict $? "$label does not link"
        ;;
    esac
}

# What calls take on the emulated board is at most what the table says; for many of these calls it is the same.
depths() { # COLUMN BOARD COMPILER...
    column=$1 board=$2
    shift 2
    "$@" -Os -std=gnu99 -nostdlib -ffunction-sections -Wl,--gc-sections -I. -Iexamples/firmware \
        -T examples/firmware/board.ld examples/firmware/startup.c examples/firmware/print.c \
        tests/targets/freestanding/depth.c tests/targets/freestanding/library.c -lc -lgcc -o $out/depth.elf &&
        timeout 60 qemu-system-arm -M $board -display none -monitor none -serial stdio \
            -semihosting-config enable=on,target=native -kernel $out/depth.elf </dev/null >$out/depth
    verdict $? "$board: stacks are not measured" || return
    tr -d ',`' <$out/stack | awk -F ' *[|] *' -v column=$column '
        NR == FNR { most[$2] = $(column + 2); next }
        split($0, said, " ") == 2 && said[1] ~ /^pcn_/ {
            n++; same += said[2] == most[said[1]]
            if (!(said[1] in most) || said[2] + 0 > most[said[1]]) { bad = 1; print $0 ", not " most[said[1]] }
        }
        END { exit bad || n < 20 || same < 2 * n / 5 }' - $out/depth
    verdict $? "$board: stacks measured"
}

# Programs whose compiler sees all of the library, and inlines it, need no libc either: gcc links, with its arithmetic.
users() { # LABEL MACHINE LEVELS COMPILER...
    label=$1 machine=$2 user_levels=$3
    shift 3
    for level in $user_levels; do
        for use in 3 4 10 13 15 16 21 30 32; do
            # shellcheck disable=SC2086 # words
            "$@" $machine -std=c99 $level -ffunction-sections -DUSE=$use -I. -c tests/targets/size/use.c \
                -o $out/user.o 2>$out/log &&
                arm-none-eabi-gcc $machine -nostdlib -Wl,-e,main -Wl,--gc-sections $out/user.o -lgcc -o $out/user 2>$out/log
            verdict $? "$label $level, use $use: $(grep -m 1 -o -E 'undefined reference.*|error:.*' $out/log)"
        done
    done
}

m0='-mcpu=cortex-m0 -mthumb' m4f='-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16 -mthumb'
if need arm-none-eabi-gcc gcc-arm-none-eabi; then
    # shellcheck disable=SC2086 # words
    object M0 arm-none-eabi-nm arm-none-eabi-gcc $m0
    # shellcheck disable=SC2086
    object M4F arm-none-eabi-nm arm-none-eabi-gcc $m4f
    users M0 "$m0" "$of_programs" arm-none-eabi-gcc
    ! whole || users M4F "$m4f" "$of_programs" arm-none-eabi-gcc
    for cc in $clangs; do
        need $cc $cc || continue
        ! whole || users "M0 $cc" "$m0" "$some" $cc --target=arm-none-eabi -ffreestanding
        users "M4F $cc" "$m4f" "$some" $cc --target=arm-none-eabi -ffreestanding
    done
    need clang clang && object M4F-clang arm-none-eabi-nm clang --target=arm-none-eabi $m4f -ffreestanding
    if need python3 python3; then
        graphs=''
        callgraph M0-Os 'M0 `-Os`' 760 arm-none-eabi-gcc $m0 -Os
        ! whole || callgraph M0-O2 'M0 `-O2`' 1024 arm-none-eabi-gcc $m0 -O2
        callgraph M4F-Os 'M4F `-Os`' 760 arm-none-eabi-gcc $m4f -Os
        ! whole || callgraph M4F-O2 'M4F `-O2`' 1024 arm-none-eabi-gcc $m4f -O2
        ! whole || [ $x86 = no ] || callgraph AVX2 'x86-64 `-O2 -mavx2`' 32768 gcc -O2 -mavx2
        (IFS='|' && python3 tests/targets/freestanding/stack.py perceptron.h $out ${graphs#?})
        verdict $? "stack"
        ! whole || [ $x86 = no ] || quotes 'every stack' examples/firmware/stack.md $out/shown
        if need qemu-system-arm qemu-system-arm; then
            depths 1 mps2-an385 arm-none-eabi-gcc $m0
            depths $m4f_column mps2-an386 arm-none-eabi-gcc $m4f
        fi
    fi
fi
if need riscv64-unknown-elf-gcc gcc-riscv64-unknown-elf; then
    object riscv riscv64-unknown-elf-nm riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32 -ffreestanding
fi
need avr-gcc gcc-avr && object AVR avr-nm avr-gcc -mmcu=atmega1284p

simulate() { # PROCESSOR PROGRAM: what it prints, in $out/said
    timeout 60 simavr -m $1 -f 16000000 $2 </dev/null 2>&1 |
        tr -d '\033' | sed 's/\[[0-9;]*m//g; s/\.$//' >$out/said
}

# Models and texts in the flash of an AVR. Of 2,560 bytes of float weights and 1,028 of texts none is in RAM.
flash() { # LEVEL
    avr-gcc -mmcu=atmega328p -std=gnu99 $1 -Wall -Wextra -Werror -ffunction-sections -fdata-sections \
        -Wl,--gc-sections -I. tests/targets/freestanding/flash.c -o $out/flash
    verdict $? "AVR, models in flash, $1: does not compile" || return
    avr-size -A $out/flash | awk '$1 == ".data" { data = $2 } END { exit !(data != "" && data < 100) }'
    verdict $? "AVR, models in flash, $1: $(avr-size -A $out/flash | grep '^\.data')"
    simulate atmega328p $out/flash
    add $out/said || verdict 1 "AVR, models in flash, $1: it does not finish"
    printf '%s\n' '#include "perceptron.h"' '#include <stdio.h>' '#define LINE(name, value, text) puts(text);' \
        'int main(void) { PCN_ERRORS(LINE) return 0; }' >$out/texts.c
    $CC -I. $out/texts.c -o $out/texts.exe && $out/texts.exe >$out/texts
    [ "$(wc -l <$out/texts)" -eq 17 ] && grep -x -A 17 ok $out/said | tail -n 17 | cmp - $out/texts
    verdict $? "AVR, texts in flash, $1"
}

grow() {
    avr-gcc -mmcu=atmega1284p -std=gnu99 -Os -Wall -Wextra -Werror $stb -I. tests/targets/freestanding/grow.c -o $out/grow
    verdict $? "AVR, growth: does not compile" || return
    simulate atmega1284p $out/grow
    add $out/said || verdict 1 "AVR, growth: it does not finish"
}
need avr-gcc gcc-avr && need simavr simavr && flash -Os && flash -O2 && grow

realtime() { # EXPECTED LABEL FLAGS...
    expected=$1 label=$2
    shift 2
    clang-22 -std=gnu2x -O1 -Wfunction-effects -Werror=function-effects -fsanitize=realtime "$@" -I. \
        tests/targets/freestanding/realtime.c -o $out/realtime 2>$out/log && $out/realtime >>$out/log 2>&1
    [ $? -eq 0 ] && result=0 || result=1
    [ $result -eq $expected ]
    verdict $? "$label: $(head -n 3 $out/log)"
}

if need clang-22 'clang-22 libclang-rt-22-dev'; then
    realtime 0 'real time'
    [ ! "$portable" ] || realtime 0 'real time, portable C' -DPERCEPTRON_SIMD=0
    realtime 1 'the compiler does not see a call of malloc' -DBREAK=1
    realtime 1 'the sanitizer does not see a call of malloc' -DBREAK=2
fi

# Lines of portable C that break a rule of MISRA C:2012, as cppcheck's addon counts them. A rule that has no reason here
# must not be broken.
misra() {
    cp perceptron.h $out/misra.h
    cppcheck --dump -q --std=c99 --language=c -D__GNUC__=12 -DPERCEPTRON_IMPLEMENTATION -DPERCEPTRON_SIMD=0 \
        -DPERCEPTRON_NO_LIBC $out/misra.h >/dev/null 2>&1
    python3 "$1" -q $out/misra.h.dump 2>&1 |
        sed -n 's/^\[[^:]*:\([0-9]*\)\].*\[misra-c2012-\([0-9.]*\)\]$/\2 \1/p' | sort -u >$out/broken
    awk -F '|' -v page=$out/misra '
        NR == FNR { split($0, said, " "); lines[said[1]]++; next }
        FNR == 1 { print "| rules | lines | why |\n|---|---|---|" >page }
        {
            count = split($1, rule, " ")
            for (sum = i = 0; i++ < count;) {
                sum += lines[rule[i]]
                delete lines[rule[i]]
            }
            gsub(" ", ", ", $1)
            printf "| %s | %d | %s |\n", $1, sum, $2 >page
            bad = bad || !sum
        }
        END { for (left in lines) { print "MISRA " left " is broken, without a reason"; bad = 1 } exit bad }' $out/broken - <<'EOT'
15.6 15.7|one statement needs no braces
10.1 10.3 10.4 10.6 10.7 10.8|enumerations, comparisons and small constants in unsigned arithmetic; gcc's -Wconversion finds what loses
12.1|&&, comparisons and arithmetic need no parentheses between each other
15.5|an error returns at once: then nothing has changed
12.3 13.3 13.4 14.2|loops count an index and move pointers together; several variables a line
11.4 11.5 11.6 11.8 11.9 18.4|one array of yours holds several parts, found by adding to a pointer; images are bytes, read as numbers
14.4 17.8|a pointer or a count is a condition; parameters count down
20.1 20.5 20.7 20.9|the code of vectors and of options is made by macros
3.1 5.5 7.2 8.9 9.3 14.1 19.2|single places: a union of floats and a vector, tables, // in the manual's examples
EOT
    verdict $? "MISRA: rules that are broken have a reason, and only those"
    quotes 'misra' examples/firmware/README.md $out/misra
}
addon=$(ls /usr/lib/*/cppcheck/addons/misra.py 2>/dev/null)
if need cppcheck cppcheck && need python3 python3; then
    case $(cppcheck --version) in
    "Cppcheck 2.10"*) misra $addon ;;
    *) skip "the table of MISRA was made by cppcheck 2.10" ;;
    esac
fi
finish
