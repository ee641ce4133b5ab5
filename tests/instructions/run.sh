#!/bin/sh
# Instructions per feature on Cortex-M0 and M4F beside the best loops by hand (m0.S, m4.S): builds count.c,
# runs it in qemu, where instructions are counted exactly, and compares. From the root of the project;
# wants Debian's gcc-arm-none-eabi picolibc-arm-none-eabi qemu-system-arm.

out=build/instructions
mkdir -p $out
passed=0 failed=0

for tool in arm-none-eabi-gcc qemu-system-arm; do
    command -v $tool >/dev/null && continue
    echo "skipped: instruction counts need $tool (Debian: apt-get install gcc-arm-none-eabi picolibc-arm-none-eabi qemu-system-arm)"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
done
# shellcheck disable=SC3045 # no core dumps, where the shell can say so
ulimit -c 0 2>/dev/null

verdict() { # RESULT LABEL
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $2"
    fi
}

counts() { # CPU LEVEL: writes $out/CPU.LEVEL
    case $1 in
    M0) flags='-mcpu=cortex-m0 -DMHZ=16' source=m0.S board=microbit flash=0x40000 ram=0x4000 ;;
    M4F) flags='-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16 -DMHZ=25'
         source=m4.S board=mps2-an386 flash=0x400000 ram=0x400000 ;;
    esac
    arm-none-eabi-gcc --specs=picolibc.specs --oslib=semihost --crt0=hosted $flags -mthumb $2 -I. -Itests \
        tests/instructions/count.c tests/instructions/$source -ffunction-sections -Wl,--gc-sections \
        -Wl,--defsym=__flash=0,--defsym=__flash_size=$flash,--defsym=__ram=0x20000000,--defsym=__ram_size=$ram \
        -o $out/$1$2.elf &&
        timeout 120 qemu-system-arm -M $board -icount shift=0 -display none -monitor none -serial none \
            -semihosting-config enable=on,target=native -kernel $out/$1$2.elf </dev/null >$out/$1$2 2>&1
    verdict $? "$1 $2: the loops differ: $(grep FAIL $out/$1$2 | head -n 3)"
}

per_feature() { # CPU LEVEL LOOP hand|library: between 512 and 1,024 features
    awk -v loop="$3" -v who="$4" '$2 == loop && $3 == who { c[$4] = $5 }
                                  END { printf "%.2f", (c[1024] - c[512]) / 512 }' $out/$1$2
}

row() { # CPU LOOP LABEL [MOST]
    hand=$(per_feature $1 -O2 $2 hand) fast=$(per_feature $1 -O2 $2 library)
    ratio=$(awk -v a=$fast -v b=$hand 'BEGIN { printf "%.2f", a / b }')
    echo "| $1 | $3 | $hand | $fast | $ratio | $(per_feature $1 -Os $2 library) |"
    [ -n "$4" ] || return
    awk -v r=$ratio -v most=$4 'BEGIN { exit !(r > 0 && r <= most) }'
    verdict $? "$1, $3: $ratio times the instructions of the loop by hand, more than $4"
}

for cpu in M0 M4F; do
    counts $cpu -O2
    counts $cpu -Os
done
echo "| processor | loop | by hand | -O2 | ratio | -Os |"
echo "|---|---|---|---|---|---|"
row M4F dot 'float dot product' 1.5
row M4F add 'float w += step x'
row M4F idot 'integer dot product' 1.5
row M4F iadd 'integer w += step x, saturating'
row M0 idot 'integer dot product' 1.5
row M0 iadd 'integer w += step x, saturating'
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
