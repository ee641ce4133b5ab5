#!/bin/sh
# Flash and RAM of each algorithm on Cortex-M0 and M4F are those of the tables of README.md and
# examples/firmware/README.md, follow their formulas, and nothing that is not used is linked.
#
# Links the users in use.c, one by one, and takes off the empty program. Each sets its model up in one function and
# learns or predicts in another. TABLES=write: puts the tables there. From the root of the project; wants Debian's
# gcc-arm-none-eabi.

. tests/lib.sh
need arm-none-eabi-gcc gcc-arm-none-eabi || finish

processor_flags() { # M0|M4F
    case $1 in
    M0) flags='-mcpu=cortex-m0' ;;
    M4F) flags='-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16' ;;
    esac
}

build() { # M0|M4F USE
    processor_flags $1
    arm-none-eabi-gcc $flags -mthumb -std=c99 -Os -ffunction-sections -fdata-sections -DUSE=$2 -I. \
        tests/targets/size/use.c -nostdlib -Wl,-e,main -Wl,--gc-sections -lgcc -o $out/$1.$2
}

bytes() { # M0|M4F USE SECTIONS
    arm-none-eabi-size -A $out/$1.$2 | awk -v want="^\\.($3)" '$1 ~ want { sum += $2 } END { print sum + 0 }'
}

thousands() { # NUMBER, as on the page
    echo "$1" | sed -E ':again s/([0-9])([0-9]{3})($|,)/\1,\2\3/; t again'
}

# What an ELF has above the empty program: flash, in $line, and RAM without the 28 bytes of in and out.
above_empty() { # USE LABEL
    line="| $2 |"
    for cpu in M0 M4F; do
        build $cpu $1
        verdict $? "use $1 on $cpu"
        flash=$(($(bytes $cpu $1 'text|rodata') - $(bytes $cpu 0 'text|rodata')))
        line="$line $(thousands $flash) |"
    done
    ram=$(bytes M4F $1 'bss|data')
    ram=$((ram > 28 ? ram - 28 : 0))
}

# A row of the table of examples/firmware/README.md, to $out/flash.
row() { # USE LABEL FORMULA OF RAM [TEXT]
    above_empty $1 "$2"
    echo "$line $(thousands $ram) | $3$4 |" >>$out/flash
    # a number, a letter or a bracket before a letter or a bracket: times; alignment may take 4 bytes more
    expected=$(echo "$3" | sed -E 's/([0-9nKS)]) ([(nKS])/\1*\2/g')
    n=16 K=4 S=8
    over=$((ram - ($expected)))
    [ $over -ge 0 ] && [ $over -le 4 ]
    verdict $? "use $1: $ram bytes of RAM, not $3"
}

part() { # USE LABEL RAM: of examples/firmware/parts.h, to $out/parts
    above_empty $1 "$2"
    echo "$line $ram |" >>$out/parts
    [ $ram -ge $3 ] && [ $ram -le $(($3 + 4)) ] # alignment may take 4 bytes more
    verdict $? "part $1: $ram bytes of RAM, not $3"
}

# The whole of examples/firmware/smallest.c with and without the switch, and that the same rows teach the same weights.
smallest() { # LABEL [SWITCH]
    line="| $1 |"
    shift
    for cpu in M0 M4F; do
        processor_flags $cpu
        arm-none-eabi-gcc $flags -mthumb -std=c99 -Os -ffunction-sections -fdata-sections "$@" -I. \
            examples/firmware/smallest.c -nostdlib -Wl,-e,main -Wl,--gc-sections -lgcc -o $out/$cpu.smallest
        verdict $? "smallest $* on $cpu"
        line="$line $(thousands $(bytes $cpu smallest 'text|rodata')) |"
    done
    echo "$line" >>$out/switches
    $CC -std=c99 -Os -DPERCEPTRON_SIMD=0 $warnings "$@" -I. -Itests tests/targets/size/switches.c -o $out/switches.exe &&
        $out/switches.exe >$out/learned
    verdict $? "switches $*: $(grep -m 1 FAIL $out/learned)"
    grep -E '^[0-9a-f]{8}$' $out/learned >$out/weights
    [ -f $out/weights.all ] || cp $out/weights $out/weights.all
    [ "$(wc -l <$out/weights)" -eq 4 ] && cmp $out/weights $out/weights.all
    verdict $? "switches $*: other weights"
}

limit() { # CPU USE MOST
    flash=$(($(bytes $1 $2 'text|rodata') - $(bytes $1 0 'text|rodata')))
    [ $flash -le $3 ]
    verdict $? "use $2 on $1: $flash bytes of flash, at most $3"
}

more() { # CPU USE WITHOUT MOST: than the program that does without
    flash=$(($(bytes $1 $2 'text|rodata') - $(bytes $1 $3 'text|rodata')))
    [ $flash -le $4 ]
    verdict $? "use $2 on $1: $flash bytes more flash than $3, at most $4"
}

free_of() { # CPU USE SYMBOLS
    arm-none-eabi-nm $out/$1.$2 >$out/symbols && ! grep -E "$3" $out/symbols
    verdict $? "use $2 on $1 links what it does not use: $3"
}

size_of() { # TYPE, on Cortex-M
    printf '#include "perceptron.h"\nchar size[sizeof(%s)];\n' "$1" |
        arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -I. -x c -c - -o $out/type.o
    echo $((0x$(arm-none-eabi-nm -S $out/type.o | awk '/ size$/ { print $2 }')))
}

for cpu in M0 M4F; do build $cpu 0; done
float=$(size_of pcn_perceptron) integer=$(size_of pcn_iperceptron) dual=$(size_of pcn_kperceptron)
linear=$(size_of pcn_linear) support=$(size_of pcn_kmodel) scaler=$(size_of pcn_scaler)
printf '%s\n' '| bytes | flash, M0 | flash, M4F | RAM | RAM, any n, K, S |' '|---|---|---|---|---|' >$out/flash
printf '%s\n' '| bytes of flash | M0 | M4F |' '|---|---|---|' >$out/switches
rm -f $out/weights.all
row 1 'binary: score' 0 ', or 4 (n + 1)'
row 2 'any number of classes: predict' 0 ', or 4 (n + 1) K'
row 3 'the same from an image in flash: check and predict' "$linear"
row 4 'kernel (RBF) from an image in flash: check and predict' "$support + 4 (S + 2 K)"
row 10 'binary: learn, predict' "$float + 4 (n + 3)"
row 11 'the same, passive-aggressive' "$float + 4 (n + 3)"
row 5 'binary: learn, probabilities' "$float + 4 (n + 3) + 8"
row 6 'binary: learn, calibrate, probabilities' "$float + 4 (n + 3) + 40"
row 12 'multiclass: learn, predict' "$float + 4 (n + 3) K"
row 7 'multiclass: learn, probabilities' "$float + 4 (n + 3) K + 4 K"
row 8 'multiclass: learn, calibrate, probabilities' "$float + 4 (n + 3) K + 4 K + 32"
row 13 'multiclass, averaged: learn, predict' "$float + 4 (n + 3) K + 8 (n + 1) K"
row 14 'balanced Winnow: learn, predict' "$float + 4 (n + 3) + 4 (n + 1)"
row 17 'AROW: learn, predict' "$float + 4 (n + 3) + 4 (n + 1)"
row 9 'scaler: note, scale' "$scaler + 20 n + 4 n" ', a scaled row'
row 15 'multiclass: load, learn, predict, save' "$float + 4 (n + 3) K + 256" ', a page'
row 16 'kernel (RBF), budget: learn, predict' "$dual + 4 (n + K + 2) S + 12 S + 8 K + 4 (S + 2 K)"
row 20 'integers, binary: score' 0 ', or 4 (n + 1)'
row 21 'integers, any number of classes: predict' 0 ', or 4 (n + 1) K'
row 22 '8 or 16 bits, any number of classes: predict' 0 ': (n + 6) K or (2 n + 6) K in flash'
row 23 'rows of int16: scale' '2 n' ', a scaled row; 8 n in flash'
row 30 'integers, binary: learn, predict' "$integer + 4 (n + 1)"
row 33 'the same with `PERCEPTRON_BIAS_STEP`' "$integer + 4 (n + 1)"
row 31 'integers, multiclass: learn, predict' "$integer + 4 (n + 1) K"
row 32 'integers, averaged: learn, predict' "$integer + 12 (n + 1) K"

printf '%s\n' '| bytes | flash, M0 | flash, M4F | RAM |' '|---|---|---|---|' >$out/parts
part 40 '`window_features`' 10
part 41 '`debounced`' 6
part 42 '`alarm_rings`' 4
part 43 '`is_far`' 4
part 44 '`ram_seal`, `ram_is_sealed`' 4

smallest 'everything'
smallest '`PERCEPTRON_SMALLEST`' -DPERCEPTRON_SMALLEST
smallest '`PERCEPTRON_UNROLL`' -DPERCEPTRON_UNROLL

# Six of the rows, by names of their own, are in README.md.
printf '%s\n' '| bytes, gcc 12 `-Os` | flash, Cortex-M0 | flash, Cortex-M4F | RAM |' '|---|---|---|---|' >$out/short
short() { # LABEL, LABEL IN README.md
    sed -n "s/^| $1 |\(.*|\) [^|]*|\$/| $2 |\1/p" $out/flash | grep . >>$out/short
    verdict $? "no row '$1' for README.md"
}
short 'any number of classes: predict' 'predict'
short '8 or 16 bits, any number of classes: predict' 'predict, 8 bits a weight'
short 'binary: learn, predict' 'learn two classes'
short 'integers, binary: learn, predict' 'learn two classes, integers only'
short 'multiclass, averaged: learn, predict' 'learn four classes, averaged'
short 'kernel (RBF), budget: learn, predict' 'learn four classes, kernel with 8 vectors'
quotes "make size: short" README.md $out/short

for name in flash switches parts; do
    cat $out/$name
    echo
    quotes "make size: $name" examples/firmware/README.md $out/$name
done

limit M4F 1 370
limit M0 20 550
limit M0 33 932
limit M0 40 260
limit M4F 43 260
more M4F 5 10 490 # probabilities of one score,
more M4F 6 5 840  # calibrating them,
more M4F 7 12 640 # of four scores
more M4F 8 7 780
more M0 30 33 124 # finding the step of the bias
more M4F 30 33 100

# Nothing of what a user has not named: kernels, exponentials, images, arithmetic in double.
for use in 1 2 9 10 11 12 13 20 21 23 30 31 33; do
    for cpu in M0 M4F; do
        free_of $cpu $use 'kernel|exp|image|crc|__aeabi_d|__aeabi_f2d|malloc|mem(cpy|set|move)'
    done
done
for use in 20 21 22 23 30 31 32 33 40 41 42 44; do
    free_of M0 $use '__aeabi_f|__aeabi_ui2f|__aeabi_i2f|mem(cpy|set|move)'
done
finish
