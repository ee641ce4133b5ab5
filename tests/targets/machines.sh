#!/bin/sh
# A server and a Cortex-M0 give the same bits, and so do all targets between: x86, Arm, RISC-V, s390x, ppc64, AVR,
# WebAssembly, Windows, in as little as 8 KB.
#
# Builds tests/targets/program.c for each, runs it there or in an emulator, and compares the hash of all that it has
# trained with a golden one. Targets with an operating system that tests/targets/bits.sh does not have run
# tests/targets/fixed.c too. A table at the end, then 'N passed, N failed, N skipped' targets. From the root of the
# project; writes only to build/. Bare metal gets 8 KB of memory, whatever the board has. What is not installed is
# skipped; tests/packages.sh has all packages.

# Made by gcc -O0 -DPERCEPTRON_SIMD=0. They must never change: models would not stay the same. tests/targets/bits.sh
# says what else they rest on.
golden="dense 90ffeca0, sparse 8046ad4c, passes 6cf95499, newer 6d4974e6"
golden_fixed=$(sed -n 's/^golden_\([a-z]*\)=\(.*\)/\2 \1/p' tests/targets/bits.sh) # lines: hash and name

. tests/lib.sh
rm -rf $out/[0-9][0-9]
count=0 jobs='' few=
! short "each kind of machine once, AArch64 in bits.sh; fixed.c on none" || few=yes

build() { # SOURCE COMPILER
    # shellcheck disable=SC2086 # the words of a command
    $2 -std=gnu99 -Wall -Wextra -Wconversion -Wdouble-promotion -Werror -I. -Itests \
        -o "$dir/program.exe" "$1" >"$dir/log" 2>&1
}

# Text without carriage returns (Windows), colours and the dot for a line's end (simavr).
run() { # RUNNER
    # shellcheck disable=SC2086 # the words of a command
    timeout 300 $1 "$dir/program.exe" </dev/null >"$dir/log" 2>&1
    status=$?
    tr -d '\r\033' <"$dir/log" | sed 's/\[[0-9;]*m//g; s/\.$//' >"$dir/text"
    return $status
}

# Sets tests, hash and fixed; returns 1 with a reason, and what there is to see in the log.
try() { # COMPILER RUNNER [fixed]
    tests=- hash=- fixed=- reason="does not build"
    build tests/targets/program.c "$1" || return 1
    run "$2"
    reason="ends with status $status"
    summary=$(grep '^[0-9]* passed, [0-9]* failed, dense ' "$dir/text") || return 1
    tests=${summary%, dense *} all=${summary#*failed, }
    hash=$(echo "$all" | sed 's/dense //; s/, sparse / /; s/,.*//')
    [ $status -eq 0 ] || { grep '^FAIL' "$dir/text" >"$dir/log"; return 1; }
    cp "$dir/text" "$dir/groups"
    reason="has other bits than the golden $golden; groups that differ from the first target's:"
    [ "$all" = "$golden" ] || { grep -vxFf $out/01/groups "$dir/text" >"$dir/log"; return 1; }
    [ -n "$3" ] && [ -z "$few" ] || return 0
    reason="does not build or finish tests/targets/fixed.c"
    build tests/targets/fixed.c "$1" && run "$2" || return 1
    reason="has other bits in tests/targets/fixed.c than tests/targets/bits.sh"
    fixed=other
    [ "$(echo "$golden_fixed" | grep -vxFf "$dir/text")" = "" ] && fixed=equal
}

attempt() { # as target; returns 0 passed, 1 failed, 2 skipped
    printf '#include <stdio.h>\nint main(void) { return 0; }\n' >"$dir/empty.c"
    if ! command -v "${4%% *}" >/dev/null || ! build "$dir/empty.c" "$3"; then
        echo "skipped: $1: install $2"
        return 2
    fi
    try "$3" "$4" "$5"
    result=$?
    printf '%-30s %-23s %-18s %s\n' "$1" "$tests" "$hash" "$fixed" >"$dir/row"
    [ $result -eq 0 ] || { echo "FAIL $1 $reason"; tail -n 5 "$dir/log"; }
    return $result
}

collect() {
    for job in $jobs; do
        wait "$job"
        case $? in
        0) passed=$((passed + 1)) ;;
        2) skipped=$((skipped + 1)) ;;
        *) failed=$((failed + 1)) ;;
        esac
    done
    jobs=
}

# The short form leaves out what begins here: a machine that was tried, with another compiler, level or kind of vectors.
again() {
    [ "$few" ] || target "$@"
}

# Two at a time, after the first, to which others are compared.
target() { # LABEL PACKAGES COMPILER RUNNER [fixed]: RUNNER is an emulator, or env
    count=$((count + 1))
    dir=$out/$(printf %02d $count)
    mkdir -p "$dir"
    attempt "$@" >"$dir/report" &
    jobs="$jobs $!"
    [ $((count % 2)) -eq 0 ] || collect
}

x86() { # LABEL COMPILER: SSE2 and AVX2 where the processor has them
    if [ $x86 = no ]; then
        for _ in 1 2 3; do skip "x86-64 $1: this is not an x86-64"; done
        return
    fi
    again "x86-64 $1 portable C" "$1" "$2 -DPERCEPTRON_SIMD=0" env
    again "x86-64 $1 SSE2" "$1" "$2 -DPERCEPTRON_SIMD=1" env
    if processor avx2; then
        again "x86-64 $1 AVX2" "$1" "$2 -DPERCEPTRON_SIMD=2 -mavx2" env
    else
        skip "x86-64 $1 AVX2: this processor has no AVX2"
    fi
}

i386="gcc-12-multilib" # gcc-multilib would remove the cross compilers
aarch64="gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user"
armv7="gcc-arm-linux-gnueabihf libc6-dev-armhf-cross qemu-user"

target "this machine gcc -O0" gcc "gcc -O0 -DPERCEPTRON_SIMD=0" env
x86 gcc "gcc -O2"
x86 clang "clang -O2"
target "i386 gcc -O2 x87" "$i386" "gcc -m32 -march=i686 -mfpmath=387 -O2" env fixed
again "i386 gcc -Os SSE" "$i386" "gcc -m32 -msse2 -mfpmath=sse -Os" env
again "i386 clang -O2 x87" "clang $i386" "clang -m32 -O2" env fixed
again "AArch64 gcc -O2 NEON" "$aarch64" "aarch64-linux-gnu-gcc -static -O2" qemu-aarch64
again "AArch64 clang -Os NEON" "clang $aarch64" "clang --target=aarch64-linux-gnu -static -Os" qemu-aarch64
target "ARMv7 gcc -O2" "$armv7" "arm-linux-gnueabihf-gcc -static -marm -O2" qemu-arm fixed
again "ARMv7 gcc -Os Thumb" "$armv7" "arm-linux-gnueabihf-gcc -static -mthumb -Os" qemu-arm
again "ARMv7 clang -O2" "clang $armv7" "clang --target=arm-linux-gnueabihf -static -O2" qemu-arm
target "s390x gcc -O2" "gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user" \
    "s390x-linux-gnu-gcc -static -O2" qemu-s390x fixed
target "ppc64 gcc -O2" "gcc-powerpc64-linux-gnu libc6-dev-ppc64-cross qemu-user" \
    "powerpc64-linux-gnu-gcc -static -O2" qemu-ppc64 fixed
again "riscv64 gcc -O2" "gcc-riscv64-linux-gnu libc6-dev-riscv64-cross qemu-user" \
    "riscv64-linux-gnu-gcc -static -O2" qemu-riscv64 fixed

# Bare metal: picolibc's start-up code, text and exit status by semihosting.
memory() { # FLASH RAM
    echo "-Wl,--defsym=__flash=$1,--defsym=__flash_size=0x40000,--defsym=__ram=$2,--defsym=__ram_size=0x2000"
}
sections="-ffunction-sections -fdata-sections -Wl,--gc-sections"
picolibc="--specs=picolibc.specs --oslib=semihost --crt0=hosted -DPICOLIBC_INTEGER_PRINTF_SCANF"
picolibc="$picolibc $sections,--defsym=__stack_size=0x600"
semihosting="-display none -monitor none -serial none -semihosting-config enable=on,target=native"

cortex() { # WORD LABEL FLAGS BOARD [FLASH RAM]: target or again
    word=$1
    shift
    $word "Cortex-$1" "gcc-arm-none-eabi picolibc-arm-none-eabi qemu-system-arm" \
        "arm-none-eabi-gcc $picolibc -mthumb -mcpu=cortex-$2 $(memory "${4-0}" "${5-0x20000000}")" \
        "qemu-system-arm -M $3 $semihosting -kernel"
}

m4f="m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16"
clang_m4f() { # FLAGS... -o PROGRAM SOURCE: compiled by clang with picolibc's headers, linked by gcc
    # shellcheck disable=SC2046,SC2086 # words
    stdio=$(echo '#include <stdio.h>' | arm-none-eabi-gcc $picolibc -M -x c - | grep -o '[^ ]*/stdio.h') &&
        clang --target=arm-none-eabi -mthumb -mcpu=cortex-$m4f -DPICOLIBC_INTEGER_PRINTF_SCANF -isystem "${stdio%/stdio.h}" -c "$@" &&
        mv "$dir/program.exe" "$dir/program.o" &&
        arm-none-eabi-gcc $picolibc -mthumb -mcpu=cortex-$m4f $(memory 0 0x20000000) "$dir/program.o" -o "$dir/program.exe"
}
cortex target "M0 -Os" "m0 -Os" microbit
cortex again "M0 -O2" "m0 -O2" microbit
cortex again "M3 -Os" "m3 -Os" mps2-an385
cortex again "M4F -Os" "$m4f -Os" mps2-an386
cortex again "M4F -O2" "$m4f -O2" mps2-an386
cortex again "M7 -O2" "m7 -mfloat-abi=hard -mfpu=fpv5-d16 -O2" mps2-an500
cortex again "M7 -Os unrolled" "m7 -mfloat-abi=hard -mfpu=fpv5-d16 -Os -DPERCEPTRON_UNROLL" mps2-an500
cortex target "M4F -O2 unrolled" "$m4f -O2 -DPERCEPTRON_UNROLL" mps2-an386
cortex again "M4F -Os unrolled" "$m4f -Os -DPERCEPTRON_UNROLL" mps2-an386
for level in -Os -O2; do
    again "Cortex-M4F clang $level unrolled" "clang gcc-arm-none-eabi picolibc-arm-none-eabi qemu-system-arm" \
        "clang_m4f $level -DPERCEPTRON_UNROLL" "qemu-system-arm -M mps2-an386 $semihosting -kernel"
done
cortex again "M33 -Os" "m33 -mfloat-abi=hard -mfpu=fpv5-sp-d16 -Os" mps2-an505 0x10000000 0x38000000
cortex target "M55 -O3 Helium" "m55 -mfloat-abi=hard -O3" mps3-an547

riscv32() { # WORD LABEL FLAGS
    word=$1
    shift
    $word "$1" "gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf qemu-system-misc" \
        "riscv64-unknown-elf-gcc $picolibc $2 $(memory 0x80000000 0x80200000)" \
        "qemu-system-riscv32 -M virt -bios none $semihosting -kernel"
}

riscv32 target "rv32imac -Os" "-march=rv32imac -mabi=ilp32 -Os"
riscv32 again "rv32imafc -O2" "-march=rv32imafc -mabi=ilp32f -O2"

# The stack starts 8 KB above the start of memory, 0x100.
target "AVR -Os" "gcc-avr avr-libc simavr" \
    "avr-gcc -mmcu=atmega1284p -Os $sections,--defsym=__stack=0x20ff" \
    "simavr -m atmega1284p -f 16000000"

wasm32() { # WORD LABEL FLAGS
    word=$1
    shift
    $word "wasm32 clang $1" "clang lld wasi-libc libclang-rt-14-dev-wasm32 nodejs" \
        "clang --target=wasm32-wasi $2" "node --no-warnings tests/targets/wasi.mjs" fixed
}

wasm32 again "-O2" "-O2"
wasm32 target "-O2 SIMD128" "-O2 -msimd128"

wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
wineserver=$(command -v wineserver || echo /usr/lib/wine/wineserver64)
WINEPREFIX=$PWD/$out/wine WINEDEBUG=-all
export WINEPREFIX WINEDEBUG
trap '[ ! -d "$WINEPREFIX" ] || "$wineserver" -k' EXIT
target "Windows x86-64 -O2" "gcc-mingw-w64-x86-64 wine64" "x86_64-w64-mingw32-gcc -O2" "$wine" fixed

# What the header has for MSVC, built by others: see msvc.h. These fuse nothing, as the pragmas tell MSVC.
msvc() { # WORD LABEL PACKAGES COMPILER RUNNER
    word=$1
    shift
    $word "as MSVC $1" "$2" "$3 -O2 -ffp-contract=off -include tests/targets/msvc.h" "$4" fixed
}

msvc again "Windows x64" "gcc-mingw-w64-x86-64 wine64" "x86_64-w64-mingw32-gcc -DPERCEPTRON_SIMD=0" "$wine"
if [ $x86 = yes ]; then msvc again "x64 SSE2" clang clang env; else skip "as MSVC x64 SSE2: this is not an x86-64"; fi
if processor avx2; then msvc target "x64 AVX2" clang "clang -mavx2" env; else skip "as MSVC x64 AVX2: this processor has no AVX2"; fi
msvc again "x86 x87" "clang $i386" "clang -m32 -march=i686" env
msvc again "x86 SSE2" "clang $i386" "clang -m32 -msse2 -mfpmath=sse" env
msvc again "ARM64 NEON" "clang $aarch64" "clang --target=aarch64-linux-gnu -static" qemu-aarch64

collect

cat $out/[0-9][0-9]/report
printf '\n%-30s %-23s %-18s %s\n' target tests 'dense    sparse' tests/targets/fixed.c
cat $out/[0-9][0-9]/row
finish
