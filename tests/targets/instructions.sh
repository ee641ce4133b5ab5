#!/bin/sh
# The library's dense loops on Cortex-M0 and M4F take at most so many times the instructions of loops by hand in
# assembly, with the same results; a row takes at most what the table of examples/firmware/README.md says.
#
# The loops by hand are m0.S and m4.S. A feature's instructions are the difference of the calls with 1,024 and 512
# features over 512. An update is that of one class alone, without the score and the decision that learn makes before
# it: of integers what learn takes more where the rule fires, with the bias and a count; of floats pcn_add. The ratio
# is taken at -O2, the most that a row takes at -Os, as formulas (bounds.c, bounds.py; TABLES=write: puts the table
# there). From the root of the project; on Debian it wants gcc-arm-none-eabi, picolibc-arm-none-eabi and
# qemu-system-arm.

. tests/lib.sh
need arm-none-eabi-gcc gcc-arm-none-eabi && need qemu-system-arm qemu-system-arm && need python3 python3 || finish
if ! [ -f "$(arm-none-eabi-gcc -print-file-name=picolibc.specs)" ]; then
    skip "picolibc is not installed (Debian: apt-get install picolibc-arm-none-eabi)"
    finish
fi

build() { # M0|M4F LEVEL PROGRAM SOURCES
    case $1 in
    M0) cpu='-mcpu=cortex-m0' board=microbit mhz=16 flash=0x40000 ram=0x4000 ;;
    M4F)
        cpu='-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16'
        board=mps2-an386 mhz=25 flash=0x400000 ram=0x400000
        ;;
    esac
    flags="--specs=picolibc.specs -std=c99 $2 $cpu -mthumb -ffunction-sections -Wall -Wextra -I. -Itests"
    memory="--defsym=__flash=0,--defsym=__flash_size=$flash"
    memory="$memory,--defsym=__ram=0x20000000,--defsym=__ram_size=$ram"
    # shellcheck disable=SC2046,SC2086 # words
    arm-none-eabi-gcc $flags -DPERCEPTRON_NO_LIBC -DPERCEPTRON_IMPLEMENTATION -c -x c perceptron.h \
        -o "$3.o" &&
        arm-none-eabi-gcc $flags -DMHZ=$mhz --oslib=semihost --crt0=hosted -Wl,--gc-sections -Wl,$memory \
            $(printf 'tests/targets/instructions/%s ' $4) "$3.o" -o "$3.elf"
}

# What the program prints goes to a file for the tables below. An instruction takes 2^SHIFT ns.
measure() { # M0|M4F LEVEL SHIFT PROGRAM SOURCES
    said=$out/$4$1$2
    : >"$said"
    build "$1" "$2" "$said" "$5" &&
        timeout 120 qemu-system-arm -M "$board" -icount shift=$3 -display none -monitor none -serial none \
            -semihosting-config enable=on,target=native -kernel "$said.elf" </dev/null >"$said" 2>&1
    verdict $? "$4 $1 $2: does not run, or loops by hand and the library's do not agree"
    grep '^FAIL' "$said" | head -n 3
    add "$said"
}

row() { # M0|M4F LOOP LABEL LIMIT
    awk -v cpu="$1" -v loop="$2" -v label="$3" -v limit="$4" '
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
        }' "$out/count$1-O2" "$out/count$1-Os"
    verdict $? "$1, $3: more than $4 times the instructions by hand"
}

for processor in M4F M0; do
    loops=m0.S
    [ $processor = M0 ] || loops=m4.S
    for level in -O2 -Os; do measure $processor $level 0 count "count.c $loops"; done
    measure $processor -Os 6 bounds bounds.c
done
echo "| | a feature | by hand | -O2 | ratio | -Os | call, n = 8: by hand / -O2 / -Os | n = 32 | n = 256 |"
echo "|---|---|---|---|---|---|---|---|---|"
row M4F dot 'float dot product' 1.5
row M4F idot 'integer dot product' 1.5
row M0 idot 'integer dot product' 1.5
row M0 iadd 'integer update, no score' 1.5
# What C cannot say: load and store many, and saturate.
row M4F iadd 'integer update, no score' 2.2
row M4F add 'float update, no score' 3.2

python3 tests/targets/instructions/bounds.py $out/bounds M4F=$out/boundsM4F-Os M0=$out/boundsM0-Os >$out/log
add $out/log
verdict $? "bounds.py does not finish"
cat $out/log
quotes 'instructions: bounds' examples/firmware/README.md $out/bounds
finish
