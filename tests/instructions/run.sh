#!/bin/sh
# Instructions of the library's dense loops on Cortex-M0 and M4F beside those of loops by hand (m0.S, m4.S): a
# feature's, which is the difference of the calls with 1,024 and 512 features over 512, and those of whole
# calls. Checks the ratio at -O2, and that the results are the same. From the root of the project; on Debian
# it wants gcc-arm-none-eabi, picolibc-arm-none-eabi and qemu-system-arm.

out=build/instructions
mkdir -p $out
passed=0 failed=0
# shellcheck disable=SC3045 # no core dumps, where the shell can say so
ulimit -c 0 2>/dev/null

if ! command -v arm-none-eabi-gcc >/dev/null || ! command -v qemu-system-arm >/dev/null ||
    ! [ -f "$(arm-none-eabi-gcc -print-file-name=picolibc.specs)" ]; then
    echo "skipped: counting instructions needs an Arm compiler and emulator (Debian: apt-get install" \
        "gcc-arm-none-eabi picolibc-arm-none-eabi qemu-system-arm)"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi

verdict() { # RESULT LABEL
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $2"
    fi
}

build() { # LEVEL CPU-FLAGS MHZ ASSEMBLY FLASH RAM PROGRAM
    flags="--specs=picolibc.specs -std=c99 $1 $2 -mthumb -ffunction-sections -Wall -Wextra -I. -Itests"
    # shellcheck disable=SC2086 # words
    arm-none-eabi-gcc $flags -DPERCEPTRON_NO_LIBC -DPERCEPTRON_IMPLEMENTATION -c -x c perceptron.h -o $out/library.o &&
        arm-none-eabi-gcc $flags -DMHZ=$3 --oslib=semihost --crt0=hosted -Wl,--gc-sections \
            -Wl,--defsym=__flash=0,--defsym=__flash_size=$5,--defsym=__ram=0x20000000,--defsym=__ram_size=$6 \
            tests/instructions/count.c tests/instructions/$4 $out/library.o -o "$7"
}

# What the program prints goes to a file for the rows below.
measure() { # M0|M4F LEVEL
    program=$out/$1$2
    case $1 in
    M0) board=microbit
        build $2 -mcpu=cortex-m0 16 m0.S 0x40000 0x4000 $program.elf ;;
    M4F) board=mps2-an386
        build $2 '-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16' 25 m4.S 0x400000 0x400000 $program.elf ;;
    esac && timeout 60 qemu-system-arm -M $board -icount shift=0 -display none -monitor none -serial none \
        -semihosting-config enable=on,target=native -kernel $program.elf </dev/null >$program 2>&1
    verdict $? "$1 $2: the loops by hand and the library's do not agree, or do not run"
    grep '^FAIL' $program | head -n 3
    # shellcheck disable=SC2046 # words
    set -- $(tail -n 1 $program | tr -d ,)
    [ "$2 $4" != "passed failed" ] || passed=$((passed + $1)) failed=$((failed + $3))
}

row() { # M0|M4F LOOP LABEL LIMIT
    awk -v cpu=$1 -v loop=$2 -v label="$3" -v limit=$4 '
        function feature(whose) { return (n[whose, 1024] - n[whose, 512]) / 512 }
        function whole(k) { return n["hand", k] " / " n["library", k] " / " n["small", k] }
        $1 == "count" && $2 == loop {
            if (FILENAME !~ /-Os$/) n[$3, $4] = $5
            else if ($3 == "library") n["small", $4] = $5
        }
        END {
            ratio = feature("hand") > 0 ? feature("library") / feature("hand") : 0
            printf "| %s | %s | %.2f | %.2f | %.2f | %.2f | %s | %s | %s |\n", cpu, label, feature("hand"),
                feature("library"), ratio, feature("small"), whole(8), whole(32), whole(256)
            exit !(ratio > 0 && ratio <= limit)
        }' $out/$1-O2 $out/$1-Os
    verdict $? "$1, $3: more than $4 times the instructions by hand"
}

for cpu in M4F M0; do
    for level in -O2 -Os; do measure $cpu $level; done
done
echo "| | instructions a feature | by hand | -O2 | ratio | -Os | n = 8: by hand / -O2 / -Os | n = 32 | n = 256 |"
echo "|---|---|---|---|---|---|---|---|---|"
row M4F dot 'float dot product' 1.5
row M4F idot 'integer dot product' 1.5
row M0 idot 'integer dot product' 1.5
row M0 iadd 'integer update' 1.5
# What C cannot say: load and store many, and saturate.
row M4F iadd 'integer update' 2.2
row M4F add 'float update' 3.2
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
