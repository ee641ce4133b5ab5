#!/bin/sh
# examples/firmware keeps its state in flash pages under every flipped bit, cut and loss of power, says the same here
# and on the emulated device, and fits the memory that its page names.
#
# From the project's root. MAKE: the make (default make).
. tests/lib.sh
MAKE=${MAKE:-make}
out=build/firmware # where make puts its parts
mkdir -p $out

# ---- On this machine: the pages ----

if ! $MAKE -s $out/host >$out/log 2>&1; then
    cat $out/log
    expect "make $out/host" false
    finish
fi
parts='device state flash activity print'
numbers='3 2 4' few=
! short "flash of 3 pages, not also of 2 and 4; on a Cortex-M4F, not also on M0 and M3" || numbers=3 few=yes
# The header's code for all that is sanitized, compiled once.
# shellcheck disable=SC2086 # words
expect "perceptron.h, sanitized" $CC -std=c99 $sanitized -DPERCEPTRON_NO_LIBC -DPERCEPTRON_IMPLEMENTATION -x c -c perceptron.h \
    -o $out/header.o
with="-DPCN_IMPLEMENTED $out/header.o"
for pages in $numbers; do
    # shellcheck disable=SC2046,SC2086 # words
    if expect "$out/test does not compile" $CC -std=c99 $sanitized -Wall -Wextra -DFLASH_PAGES=$pages -I. -Itests \
        -Iexamples/firmware -I$out $with tests/targets/firmware/device.c $(printf 'examples/firmware/%s.c ' $parts) -o $out/test; then
        $out/test >$out/text 2>&1
        status=$?
        grep -v ' passed, ' $out/text | head -n 20
        add $out/text || verdict 1 "$out/test did not finish with $pages pages (status $status)"
    fi
done

# ---- What it says ----

# A condition of awk on the transcript $out/said; `right` and `factory` are per cent of a stretch.
says() { # LABEL AWK
    expect "$1" awk "$2"' END { exit !ok }' $out/said
}

# Of a stretch of 1000 windows from $1 on, which word: 'right 98.6 % (factory model 98.6 %)'.
stretch='{ first = -1 } /^  windows/ { first = $2; right = $6; factory = $10 }'

claims() { # the transcript is $out/said, of the $1
    says "$1: factory model before the drift" "$stretch"' first == 0 { ok = right >= 95 && factory == right }'
    says "$1: factory model after the drift" "$stretch"'
        first >= 1000 { n++; bad += factory > 60 } { ok = n >= 9 && !bad }'
    says "$1: learned" "$stretch"'
        first >= 2000 && first < 8000 { n++; bad += right < 95 || right < factory + 30 }
        { ok = n >= 7 && !bad }'
    says "$1: the state before and after a reset" '/the state is/ && n++ == 0 { saved = $4 }
        /^Reset/ { reset = $2 } /goes on with the state/ && reset == 1 { ok = $NF == saved }'
    says "$1: the same end with and without a reset" '/the state is/ { n++; at[n] = $4; sub(",", "", at[n]) }
        END { ok = n == 3 && at[2] == at[3] && at[1] != at[2] }'
    says "$1: a flipped bit" '/^Reset/ { reset = $2 } reset == 2 && /page 0: not an image/ { bad = 1 }
        reset == 2 && /goes on with the state of page 1/ { ok = bad }'
    says "$1: a write cut short" '/^Power fails/ { cut = 1 } cut && /page 0: no complete state/ { bad = 1 }
        bad && /goes on with the state of page 1/ { ok = 1 }'
    says "$1: both bad" '/^Reset/ { reset = $2 } reset == 4 && /page 1: not an image/ { bad++ }
        reset == 4 && /page 0: no complete/ { bad++ }
        reset == 4 && /goes on from the factory/ { ok = bad == 2 }'
    says "$1: a newer version" '/^Reset/ { reset = $2 }
        reset == 5 && /page 1: image of a newer version/ { bad = 1 }
        reset == 5 && /goes on with the state of page 0/ { ok = bad }'
}

$out/host >$out/said
expect "host: ends well" test $? -eq 0
cp $out/said $out/said.host
claims host

sed -n '/^Reset 0/,/^```/p' examples/firmware/README.md |
    grep -v -x -e '```' -e '  \.\.\.' >$out/quoted
expect "README.md quotes what is printed" \
    sh -c "[ -s $out/quoted ] && ! grep -v -x -F -f $out/said.host $out/quoted"

flags=$(sed -n 's|^/\* build with: cc \(.*\) -o build/adc$|\1|p' examples/firmware/adc.c)
# shellcheck disable=SC2086 # words
expect "adc.c builds as it says" $CC $flags $warnings -o $out/adc
$out/adc >$out/said.adc
expect "adc.c ends well" test $? -eq 0
sed -n '/^left out/,/^```/p' examples/firmware/README.md | grep -v -x '```' >$out/quoted
expect "README.md quotes what adc.c prints" sh -c "sed 1d $out/said.adc | cmp - $out/quoted"

# ---- There and back: pages.py types the page ----

perceptron=build/perceptron
expect "windows" $MAKE -s $perceptron build/firmware/windows
$out/windows 0 1000000 2000 >$out/desk.csv
expect "wrist: train" $perceptron train -q --probabilities $out/desk.csv $out/wrist.model
expect "wrist: export" $perceptron export --as trainer --name wrist $out/wrist.model $out/wrist.h
wrist='wrist users state flash activity print'
# shellcheck disable=SC2046,SC2086 # words
expect "wrist compiles" $CC -std=c99 $sanitized $warnings -I. -Iexamples/firmware -I$out $with examples/firmware/host.c \
    $(printf 'examples/firmware/%s.c ' $wrist) -o $out/wrist
$out/wrist >$out/said
expect "wrist ends well" test $? -eq 0
cp $out/said $out/said.wrist
says "wrist: each user is served better after some labels than before" '/ windows .*00 \.\. .*99:/ { n = $4 - $2 + 1
    share[++rows] = $6 / n; ok = rows == 6 && share[4] > share[3] + .2 && share[6] > share[5] + .1 }'
says "wrist: no loss of power loses a state" '/^Power fails before each of the 28[0-9] words/ { ok = 1 }'

# ---- The parts ----

parts_h=examples/firmware/parts.h
for compiler in "$CC -std=c99" "$(plus_plus "$CC") -x c++ -std=c++11"; do
    # shellcheck disable=SC2086 # words
    expect "parts.h alone, and behind perceptron.h: $compiler" eval "
        echo '#include \"$parts_h\"' >$out/alone.c && echo '#include \"perceptron.h\"' | cat - $out/alone.c >$out/behind.c &&
        $compiler $warnings -I. -c $out/alone.c -o $out/alone.o && $compiler $warnings -I. -c $out/behind.c -o $out/behind.o"
done
awk '/^\/\* ---- /{ n = 0; parts++ } ++n > 30 && parts || /^#ifdef/ && parts < 3 { exit bad = 1 }
    END { exit bad || parts != 5 }' $parts_h
expect "parts.h has five parts of at most 30 lines" test $? -eq 0
# shellcheck disable=SC2086 # words
if expect "the test of parts.h compiles" $CC -std=c99 $sanitized $warnings -I. -Itests -Iexamples/firmware \
    tests/targets/firmware/parts.c examples/firmware/activity.c -o $out/parts -lm; then
    $out/parts >$out/text 2>&1
    status=$?
    grep -v ' passed, ' $out/text | head -n 20
    add $out/text || verdict 1 "$out/parts did not finish (status $status)"
    $out/parts print >$out/far
    quotes 'firmware: far' examples/firmware/README.md $out/far
fi
line='n += memory[i] >= PCN_IMAX || memory[i] <= -PCN_IMAX;'
for file in perceptron.h examples/firmware/README.md tests/targets/firmware/parts.c; do
    expect "$file has the scan for saturated weights" grep -q -F "$line" $file
done

# ---- On the device ----

missing() { # VARIABLE PACKAGE: one sentence says what to install
    $MAKE -s firmware-run "$1=no-such-tool" >$out/said 2>&1 && return 1
    grep no-such-tool $out/said | grep -q "apt-get install.* $2" &&
        [ "$(grep -c -v '^make' $out/said)" -eq 1 ]
}
expect "firmware-run without a compiler" missing ARM_CC gcc-arm-none-eabi
expect "firmware-run without an emulator" missing QEMU_ARM qemu-system-arm

need arm-none-eabi-gcc gcc-arm-none-eabi && need qemu-system-arm qemu-system-arm || finish

rm -f $out/firmware.elf # complaints of the compiler count
$MAKE -s firmware-run >$out/said 2>$out/errors
expect "firmware-run ends well" test $? -eq 0
expect "firmware-run without complaints: $(head -n 3 $out/errors)" test ! -s $out/errors
claims device
says "device: stack" '/^Stack:/ { ok = $2 > 100 && $2 <= $4 / 2 }'
grep '^Stack:' $out/said >$out/stack.hard
grep -v '^Stack:' $out/said >$out/said.device
expect "device and host say the same" cmp $out/said.host $out/said.device

elf=$out/firmware.elf
arm-none-eabi-nm $elf >$out/symbols
unwanted='malloc|realloc|calloc|free|printf|puts|memcpy|memset|__aeabi_d|__aeabi_[a-z0-9]*2d|__.*df[23]|_sbrk'
expect "no libc, heap or double in $elf" sh -c "! grep -E ' ($unwanted)' $out/symbols"
expect "nothing undefined in $elf" sh -c "! grep ' U ' $out/symbols"
expect "the model lies in flash" grep -q '^0000[0-7]... . activity_factory' $out/symbols
arm-none-eabi-size $elf | awk 'NR == 2 { exit !($1 > 4000 && $1 < 20480 && $2 + $3 < 4096) }'
expect "size of $elf" test $? -eq 0

memory() { # LABEL ELF FILE: a row of the table of examples/firmware/README.md; FILE has the line of the stack
    used=$(awk '{ print $2 }' "$3")
    arm-none-eabi-size "$2" |
        awk -v label="$1" -v used="$used" 'NR == 2 { printf "| %s | %d | %d | %d |\n", label, $1 + $2, $2 + $3, used }'
}

run() { # FILE [BOARD]: its transcript to $out/said, its status
    # shellcheck disable=SC2086 # words
    timeout 60 qemu-system-arm -M "${2:-mps2-an386}" -display none -monitor none -serial stdio \
        -semihosting-config enable=on,target=native -kernel "$1" </dev/null >$out/said 2>&1
}

bare() { # ELF PROCESSOR PARTS [SCRIPT]: as the Makefile links it, but without a C library's headers
    # shellcheck disable=SC2046,SC2086 # words
    arm-none-eabi-gcc -std=c99 -Os -ffreestanding -nostdlib -mthumb -mcpu=$2 -ffunction-sections -fdata-sections \
        -nostdinc -isystem "$(arm-none-eabi-gcc -print-file-name=include)" -Wl,--gc-sections -I. -I$out \
        -T ${4:-examples/firmware/board.ld} examples/firmware/startup.c $(printf 'examples/firmware/%s.c ' $3) -lgcc -o $1
}

m4f='cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16'
for cpu in cortex-m0 "$m4f"; do
    # shellcheck disable=SC2046,SC2086 # words
    expect "parts.h on a $cpu, without a C library's headers" arm-none-eabi-gcc -std=c99 -Os -mthumb -mcpu=$cpu -ffreestanding \
        -nostdinc -isystem "$(arm-none-eabi-gcc -print-file-name=include)" $warnings -I. -c $out/behind.c -o $out/behind.o
done
same() { # LABEL ELF BOARD TEXT: it ends well and says that; its row
    run $2 $3
    expect "$1: ends well" test $? -eq 0
    grep '^Stack:' $out/said >$out/stack
    grep -v '^Stack:' $out/said >$out/said.device
    expect "$1: says what the host says" cmp $4 $out/said.device
    memory "$1" $2 $out/stack >>$out/memory
}

printf '%s\n' '| bytes | flash | RAM | stack used |' '|---|---|---|---|' >$out/memory
memory 'Cortex-M4F' $elf $out/stack.hard >>$out/memory
if [ ! "$few" ]; then
    bare $out/soft.elf cortex-m3 "demo $parts"
    same 'Cortex-M3, without FPU' $out/soft.elf mps2-an385 $out/said.host
fi
for cpu in "$m4f" cortex-m0; do bare "$out/adc.${cpu%% *}" "$cpu" 'adc print'; done
same 'adc.c, Cortex-M4F' $out/adc.cortex-m4 mps2-an386 $out/said.adc
same 'adc.c, Cortex-M0' $out/adc.cortex-m0 mps2-an385 $out/said.adc # no board of QEMU with an M0 has this UART
bare $out/wrist.cortex-m4 "$m4f" "$wrist"
same 'wrist.c, Cortex-M4F' $out/wrist.cortex-m4 mps2-an386 $out/said.wrist
if [ "$few" ]; then
    while read -r row; do
        expect "examples/firmware/README.md has the row $row" grep -q -x -F -e "$row" examples/firmware/README.md
    done <$out/memory
else
    bare $out/wrist.cortex-m0 cortex-m0 "$wrist"
    same 'wrist.c, Cortex-M0' $out/wrist.cortex-m0 mps2-an385 $out/said.wrist
    quotes 'firmware: memory' examples/firmware/README.md $out/memory
fi

# The board that the page names: its memory in the place of board.ld's.
sed -n '/^    FLASH (rx)  : ORIGIN = 0x08/,/^```/p' examples/firmware/README.md | grep -v '```' >$out/f411
sed -e '/^    KEPT/r '$out/f411 -e '/^    \(FLASH\|RAM\|PAGES\|KEPT\) /d' examples/firmware/board.ld >$out/f411.ld
expect "an STM32F411: links" bare $out/f411.elf "$m4f" "demo $parts" $out/f411.ld
arm-none-eabi-nm $out/f411.elf >$out/places
for place in '08000000 . vectors' '08040000 . flash_memory' '2001ffe0 . board_kept' '20000000 . stack_bottom'; do
    expect "an STM32F411: $place" grep -x "$place" $out/places
done

if [ -f "$(arm-none-eabi-gcc -print-file-name=picolibc.specs)" ]; then
    memory=--defsym=__flash=0,--defsym=__flash_size=0x40000,--defsym=__ram=0x20000000,--defsym=__ram_size=0x4000
    # shellcheck disable=SC2046 # words
    arm-none-eabi-gcc -std=c99 -Os --specs=picolibc.specs --oslib=semihost --crt0=hosted -mcpu=cortex-m0 -mthumb -I. \
        -Wl,--gc-sections,$memory $(printf 'examples/firmware/%s.c ' adc print host) -o $out/adc.m0
    run $out/adc.m0 microbit
    expect "adc.c on a Cortex-M0 says what the host says" cmp $out/said.adc $out/said
else
    skip "picolibc is not installed (Debian: apt-get install picolibc-arm-none-eabi)"
fi

# One bit of the factory model in flash: the image of the flash is loaded at address 0.
arm-none-eabi-objcopy -O binary $elf $out/flash.bin
at=$((0x$(sed -n 's/ . activity_factory$//p' $out/symbols) + 100))
byte=$(od -An -tu1 -j $at -N 1 $out/flash.bin)
printf "\\$(printf %03o $((byte ^ 16)))" | dd of=$out/flash.bin bs=1 seek=$at conv=notrunc 2>/dev/null
run $out/flash.bin
expect "a damaged factory model ends the program" test $? -eq 1
says "a damaged factory model is named" '/^The factory model is refused: not an image/ { ok = 1 }'

fault() { # LABEL FLAG: a program that must fault
    arm-none-eabi-gcc -std=c99 -Os -ffreestanding -nostdlib -mthumb -mcpu=$m4f -Iexamples/firmware \
        -T examples/firmware/board.ld examples/firmware/startup.c examples/firmware/print.c $2 \
        tests/targets/firmware/fault.c -lgcc -o $out/fault.elf
    run $out/fault.elf
    expect "$1: status" test $? -eq 1
    says "$1" '/^Fault: exception/ { ok = 1 }'
}
fault "a read of no memory faults" -DNO_MEMORY
fault "an overflow of the stack faults" -DDEEP

finish
