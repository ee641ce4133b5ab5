#!/bin/sh
# Five jobs with the library take at most so many times the time, flash and RAM of the same by hand, on Cortex-M0, M4F,
# RV32 and an ATmega, with the same answers and weights; the tables beside plain loops and what generators write are as
# measured.
#
# The jobs by hand lie in by_hand/; two have exported code; 16 features, at -Os. Tables: README.md and
# examples/firmware/README.md (TABLES=write: puts them there). Time: instructions of a row under QEMU, of the AVR
# cycles under simavr. Flash: above the empty program. TARGETS: only these, M0 and M4F among them. From the root of the
# project, with build/perceptron; wants Debian's gcc-arm-none-eabi picolibc-arm-none-eabi qemu-system-arm
# gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf qemu-system-misc gcc-avr avr-libc simavr.

. tests/lib.sh
targets=${TARGETS:-M0 M4F RV32 AVR}
need arm-none-eabi-gcc 'gcc-arm-none-eabi picolibc-arm-none-eabi' && need qemu-system-arm qemu-system-arm || finish
case $targets in *RV32*)
    need riscv64-unknown-elf-gcc 'gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf' &&
        need qemu-system-riscv32 qemu-system-misc || finish
    ;;
esac
case $targets in *AVR*) need avr-gcc 'gcc-avr avr-libc' && need simavr simavr || finish ;; esac

sections='-ffunction-sections -fdata-sections -Wl,--gc-sections'
picolibc='--specs=picolibc.specs --oslib=semihost --crt0=hosted -DPICOLIBC_INTEGER_PRINTF_SCANF'
memory() { # FLASH RAM
    echo "-Wl,--defsym=__flash=$1,--defsym=__flash_size=0x40000,--defsym=__ram=$2,--defsym=__ram_size=0x4000"
}
qemu='-icount shift=0 -display none -monitor none -serial none -semihosting-config enable=on,target=native -kernel'

target() { # M0|M4F|RV32|AVR
    bare='-nostdlib -Wl,-e,main -Wl,--start-group -lc -lgcc -Wl,--end-group'
    arm=$(memory 0 0x20000000)
    case $1 in
    M0) cc="arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb" whole="$picolibc $arm" runs="qemu-system-arm -M mps2-an385 $qemu" ;;
    M4F)
        cc="arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16"
        whole="$picolibc $arm" runs="qemu-system-arm -M mps2-an386 $qemu"
        ;;
    RV32)
        cc="riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32" bare="--specs=picolibc.specs $bare"
        whole="$picolibc $(memory 0x80000000 0x80200000)" runs="qemu-system-riscv32 -M virt -bios none $qemu"
        ;;
    AVR)
        cc="avr-gcc -mmcu=atmega1284p" whole= runs="simavr -m atmega1284p -f 16000000"
        bare='-nostartfiles -Wl,-e,main -lm -lc'
        ;;
    esac
    size=${cc%%-gcc*}-size
}

built() { # PROGRAM FLAGS...
    program=$1
    shift
    # shellcheck disable=SC2086 # words
    $cc -std=c99 ${LEVEL:--Os} $sections -Wall -Wextra -I. "$@" -o $program 2>$out/log
    verdict $? "$program is not built: $(grep -m 1 -E 'error|undefined' $out/log)"
}

# Appends "TARGET JOB WHOSE FLASH RAM PREDICT STAY UPDATE BITS BITS RIGHT" to $out/figures.
measure() { # TARGET JOB WHOSE FILE [FLAGS]
    exe=$out/$1.$2.$3
    # shellcheck disable=SC2086 # words
    built $exe.size -DSIZE -DJOB=$2 $5 tests/targets/by_hand/main.c tests/targets/by_hand/$4 $bare || return
    # shellcheck disable=SC2086
    built $exe.exe -DJOB=$2 $5 $whole tests/targets/by_hand/main.c tests/targets/by_hand/$4 || return
    # shellcheck disable=SC2086
    timeout 60 $runs $exe.exe </dev/null 2>&1 | tr -d '\r\033' | sed 's/\[[0-9;]*m//g; s/\.$//' >$exe.said
    bytes=$($size $exe.size | awk 'NR == 2 { print $1 + $2, $2 + $3 }')
    echo "$1 $2 $3 $bytes $(sed -n 's/^count //p' $exe.said) $(sed -n 's/^bits //p; s/^right //p' $exe.said | paste -s -d ' ')" >>$out/figures
    [ "$(grep -c -E '^(count|bits|right) ' $exe.said)" -eq 3 ]
    verdict $? "$exe does not finish: $(tail -n 1 $exe.said)"
}

# A model of 16 features and 4 classes for the exported code.
awk 'BEGIN { srand(1); for (i = 0; i < 400; i++) { for (j = 0; j < 16; j++) printf "%.3f,", 2 * rand() + (j % 4 == i % 4); print i % 4 } }' \
    >$out/rows.csv
build/perceptron train -q --textbook -a averaged $out/rows.csv $out/model &&
    build/perceptron export --as arrays --predict $out/model $out/floats.h &&
    build/perceptron export --as arrays --predict --bits 8 $out/model $out/bytes.h 2>$out/log
verdict $? "there is no exported model"

: >$out/figures
for target in $targets; do
    target $target
    # shellcheck disable=SC2086 # words
    built $out/empty -DSIZE -DEMPTY -DJOB=3 tests/targets/by_hand/main.c $bare &&
        echo "$target empty - $($size $out/empty | awk 'NR == 2 { print $1 + $2, $2 + $3 }')" >>$out/figures
    for job in 1 2 3 4 5; do
        measure $target $job hand hand.c
        measure $target $job library library.c
        measure $target $job smallest library.c -DPERCEPTRON_SMALLEST
        case $target$job in M[04]*[1345]) measure $target $job plain plain.c ;; esac
        case $target$job in M4F[134]) measure $target $job unrolled library.c -DPERCEPTRON_UNROLL ;; esac
        case $target$job in M[04]*[14]) measure $target $job fast library.c -O2 ;; esac
        case $target$job in M[04]*5) measure $target $job plain_32 plain.c -DSUM_32 ;; M[04]*1)
            measure $target $job double generated.c -DNUMBER=double
            measure $target $job float generated.c -DNUMBER=float
            measure $target $job varargs generated.c -DVARARGS
            ;;
        esac
        [ $job -le 2 ] || continue
        measure $target $job exported exported.c -I$out
        ! ${size%size}nm $out/$target.$job.exported.size | grep -E ' (memset|memcpy|memmove)$'
        verdict $? "exported code of $target calls the C library"
    done
done

# The limits: the aims where they are met, otherwise what was reached.
python3 tests/targets/by_hand/table.py $out
verdict $? "ratios"
cat $out/time $out/flash $out/ram $out/plain
quotes 'ratio: plain' examples/firmware/README.md $out/plain
quotes 'ratio: short' README.md $out/short
finish
