#!/bin/sh
# The guide's recipe for interrupts, word for word, on a Cortex-M4F and on an AVR: no interrupt sees a model that is
# half copied, or half of an address; without what the guide says it needs, some do.
#
# From the project's root. Wants Debian's gcc-arm-none-eabi qemu-system-arm gcc-avr avr-libc simavr.
. tests/lib.sh

recipe=$out/recipe
rm -rf "$recipe" "$recipe".*
mkdir -p $recipe $recipe.early $recipe.pointer $recipe.integer
sed -n '/^static float copy/,/^now = /p' examples/GUIDE.md >$out/all
grep '^static' $out/all >$recipe/recipe_data.h
grep -v '^static' $out/all >$recipe/recipe_code.h
[ "$(wc -l <$recipe/recipe_data.h) $(wc -l <$recipe/recipe_code.h)" = "3 4" ]
verdict $? "the recipe in examples/GUIDE.md has other lines"
cp tests/targets/interrupts/recipe.c $recipe/

variant() { # NAME SED: the recipe and its program in other words
    for file in recipe.c recipe_data.h recipe_code.h; do sed "$2" $recipe/$file >$recipe.$1/$file; done
}
# With the change-over before the copy, as a compiler may order it without the barrier; with an address for an index; of
# the integer twin.
variant early ''
{ sed -n '1p; $p' $recipe/recipe_code.h && sed '1d; $d' $recipe/recipe_code.h; } >$recipe.early/recipe_code.h
variant pointer 's/static volatile uint8_t now;/static const pcn_linear *volatile now = frozen;/
    s/(uint8_t)!now/now == frozen/; s/now = spare/now = \&frozen[spare]/; s/&frozen\[now\]/now/'
variant integer 's/float x/int16_t x/; s/float/int32_t/g; s/PCN_[A-Z]*_FLOATS/PCN_IPERCEPTRON_NUMBERS/
    s/pcn_linear/pcn_ilinear/g; s/pcn_perceptron/pcn_iperceptron/g; s/pcn_dense/pcn_idense/
    s/learner\.rule\.margin/bias_step = 1, m.margin/'

build_arm() { # LEVEL FOLDER
    arm-none-eabi-gcc -std=gnu99 $1 -nostdlib -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -Wall -Wextra \
        -Werror -DLOOKS=30000 -ffunction-sections -Wl,--gc-sections -I. -Iexamples/firmware \
        -T examples/firmware/board.ld examples/firmware/startup.c examples/firmware/print.c $2/recipe.c -lc -lgcc \
        -o $out/recipe.elf
}

run_arm() { # one instruction a nanosecond: the same every time
    timeout 60 qemu-system-arm -M mps2-an386 -icount shift=0 -display none -monitor none -serial stdio \
        -semihosting-config enable=on,target=native -kernel $out/recipe.elf
}

# The two models, of 14 bytes each, lie on both sides of a multiple of 256: both bytes of their addresses differ.
build_avr() { # LEVEL FOLDER
    avr-gcc -mmcu=atmega328p -std=gnu99 $1 -Wall -Wextra -Werror -DLOOKS=60000 -ffunction-sections -Wl,--gc-sections \
        -Wl,--section-start=.frozen=0x8004f2 -I. -Iexamples/firmware examples/firmware/print.c $2/recipe.c \
        -o $out/recipe.elf
}

run_avr() {
    timeout 60 simavr -m atmega328p -f 16000000 $out/recipe.elf
}

torn() { # BOARD LEVEL [VARIANT]: sets looks, torn, changes and refused
    : >$out/said
    build_$1 $2 $recipe${3:+.$3} && run_$1 </dev/null 2>&1 | tr -d '\033' | sed 's/\[[0-9;]*m//g' >$out/said
    # shellcheck disable=SC2046 # words
    set -- $(tr -d ',' <$out/said | awk '/looks.*refused/ { print $1, $3, $5, $7 }')
    looks=${1:-0} torn=${2:--1} changes=${3:-0} refused=${4:--1}
    counts="$torn of $looks looks torn, $changes changes, $refused refused"
}

whole() { # BOARD LEVEL [VARIANT]
    torn "$@"
    echo "$*: $counts"
    [ $looks -ge 30000 ] && [ $torn -eq 0 ] && [ $changes -gt 400 ] && [ $refused -eq 0 ]
    verdict $? "interrupts by the recipe, $*: $counts"
}

seen() { # VARIANT BOARD LEVEL...: what the guide warns of is seen at one level at least
    variant=$1 board=$2 most=0
    shift 2
    for level; do
        torn $board $level $variant
        echo "$board $level $variant: $counts"
        most=$((most > torn ? most : torn))
    done
    [ $most -gt 0 ]
    verdict $? "$board, $variant: the test sees no torn looks"
}

if need arm-none-eabi-gcc gcc-arm-none-eabi && need qemu-system-arm qemu-system-arm; then
    for level in -Os -O1 -O2 -O3; do whole arm $level; done
    whole arm -O2 integer
    seen early arm -O2
fi
if need avr-gcc 'gcc-avr avr-libc' && need simavr simavr; then
    for level in -Os -O2; do whole avr $level; done
    whole avr -Os integer
    seen pointer avr -Os
fi
finish
