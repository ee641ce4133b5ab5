#!/bin/sh
# Each example prints what its first comment says, in three builds, draws the picture beside it, and refuses wrong
# arguments with a sentence.
#
# The comment ends with the line ' * It prints:', an empty line, and the output, 5 spaces in. From the root of the
# project; writes only to build/. With PERCEPTRON_STATIC an example compiles several times as fast, and clang compiles
# what is sanitized faster than gcc.
. tests/lib.sh

# What the comment says that an example prints.
promise() {
    sed -e '1,/^ \* It prints:$/d' -e '/^ \*\/$/,$d' "$1" | sed -e 1d -e 's/^ \*     //' -e 's/^ \*$//'
}

# What an example is called with, a line each. Pictures go to build/NAME.svg, as the comments say.
arguments() {
    case $1 in
    save) echo $out/save.image ;;
    exported) printf '%s\n' 'Wo ist der Hund?' 'Where is the dog?' 'Où est le chien ?' '¿Dónde está el perro?' ;;
    text) echo examples/data/languages.tsv ;;
    threads) echo examples/data/digits.csv ;;
    digits) printf '%s\n' examples/data/digits.csv build/digits.svg ;;
    freund_schapire) printf '%s\n' $out/learn.images $out/learn.labels $out/test.images $out/test.labels ;;
    esac
}

# The digits as MNIST's idx files: 8 x 8 pixels; every sixth row is a test row.
write_idx() {
    python3 - $out <<'END'
import struct, sys
rows = [list(map(int, line.split(","))) for line in open("examples/data/digits.csv")]
for name, part in (("learn", [r for i, r in enumerate(rows) if i % 6]), ("test", rows[::6])):
    with open(f"{sys.argv[1]}/{name}.images", "wb") as f:
        f.write(struct.pack(">4I", 0x803, len(part), 8, 8) + bytes(15 * p for r in part for p in r[:64]))
    with open(f"{sys.argv[1]}/{name}.labels", "wb") as f:
        f.write(struct.pack(">2I", 0x801, len(part)) + bytes(r[64] for r in part))
END
}

# What an example says about arguments that are wrong, and status 1.
refuses() { # MESSAGE PROGRAM ARGUMENT...
    message=$1
    shift
    "$@" >$out/now 2>$out/errors
    status=$?
    [ $status -eq 1 ] && [ ! -s $out/now ] && [ "$(cat $out/errors)" = "$message" ]
    verdict $? "$* ends with status $status: $(cat $out/errors)"
}

run() { # FILE LABEL COMPILER FLAGS...: one example in one build, if there is this compiler
    source=$1 name=$(basename "${1%.*}")
    label="$name ($2)" picture=${1%.*}.svg
    case $1 in *.cpp) standard=-std=c++11 ;; *) standard='-std=c99 -Wstrict-prototypes' ;; esac
    shift 2
    need "$1" "$1" || return
    program=$out/$name
    # shellcheck disable=SC2086 # lists of flags
    expect "$label does not compile" "$@" $standard $warnings -I. -I$out $stb "$source" -o $program \
        -pthread -lm || return
    # shellcheck disable=SC2046
    (IFS='
' && exec $program $(arguments $name)) >$out/$name.now 2>$out/errors
    status=$?
    verdict $status "$label ends with status $status: $(head -n 5 $out/errors)" || return
    expect "$label prints something else than its comment says" diff $out/$name.promise $out/$name.now
    [ ! -e "$picture" ] || expect "$label draws another $picture; after a look: make pictures" \
        cmp "$picture" build/$name.svg
}

turns='0 1 2'
! short "each example in one of three builds, in turn" || turns=0
examples=$(grep -l '^ \* It prints:$' examples/*.c examples/*.cpp examples/literature/*.c)
expect "language.h is not exported" sh -c "build/perceptron train -q --force --text examples/data/languages.tsv $out/m &&
    build/perceptron export --force --as arrays --predict --name language $out/m $out/language.h"
expect "no example says what it prints" test -n "$examples"
turn=0
for file in $examples; do
    example=$(basename "${file%.*}") plus=''
    case $file in *.cpp) plus=++ ;; esac
    promise "$file" >$out/$example.promise
    expect "$example: its comment has no output" test -s $out/$example.promise
    if [ $example = freund_schapire ] && ! write_idx; then
        skip "freund_schapire: python3 writes its files"
        continue
    fi
    turn=$(((turn + 1) % 3))
    # shellcheck disable=SC2086 # lists of flags
    for more in $turns; do
        case $(((turn + more) % 3)) in
        0) run $file "clang, sanitized" clang$plus -DPERCEPTRON_STATIC $sanitized ;;
        1) run $file "gcc, portable C" ${plus:+g}${plus:-gcc} -Os -DPERCEPTRON_SIMD=0 ;;
        2) run $file "gcc -O3" ${plus:+g}${plus:-gcc} -DPERCEPTRON_STATIC -O3 $native ;;
        esac
    done
done
text=$out/text
printf 'Wo ist der Hund?\nOù est le chien ?\n' | cat examples/data/languages.tsv - | $text | tail -n 2 >$out/judged
expect "text judges a line without a label" test "$(cat $out/judged)" = "German: Wo ist der Hund?
French: Où est le chien ?"
for label in 0123456789abcdef0123456789abcdef "$(seq 17)"; do
    echo "$label" | sed 's/$/\tword/' | $text >$out/now 2>$out/errors
    status=$?
    [ $status -eq 2 ] && grep -q '^no room for the label of: .*word$' $out/errors
    verdict $? "text with the label $label ends with status $status: $(cat $out/errors)"
done
expect "threads says what it wants" sh -c "$out/threads 2>&1 | grep -q '^usage: threads '"
committee=$out/committee
refuses "the panel K is '0': give a whole number from 1 to 99" $committee 0
refuses "the panel K is '101': give a whole number from 1 to 99" $committee 101
refuses "the panel K is '3x': give a whole number from 1 to 99" $committee 3x
refuses "the panel K is '': give a whole number from 1 to 99" $committee ""
refuses "the panel K is 4: give an odd number, so that no vote is a tie" $committee 4
refuses "the number of experts P is '149': give a whole number from 150 to 5000" $committee 3 149
refuses "the number of experts P is '5001': give a whole number from 750 to 5000" $committee 15 5001
refuses "usage: committee [K [P [PICTURE.svg]]]" $committee 3 150 $out/a.svg b
for k_p in "1 50" "15 750" "99 4950"; do
    k=${k_p% *} p=${k_p#* }
    # shellcheck disable=SC2086 # two arguments
    $committee $k_p $out/committee.svg >$out/committee.now
    awk '$1 + 0 > 0 && ($2 + 0 > $3 || $4 + 0 > $5) { exit 1 }' $out/committee.now &&
        grep -q "k = $k .*p = $p " $out/committee.svg && ! grep -qi nan $out/committee.svg
    verdict $? "committee $k_p: more mistakes than the bounds allow, or no picture"
    verdict $(($(grep -o "[0-9]+" $out/committee.now | wc -l) - $(grep -c " open'" $out/committee.svg))) \
        "committee $k_p: other runs are cut in the table than in the picture"
done
grep "from p = " $out/committee.promise | awk -F '[^0-9.]+' '$3 < 0.9 || $3 > 1.1 { exit 1 }'
verdict $? "a run to its end shows the perceptron's mistakes as p^1: $(grep "from p = " $out/committee.promise)"
for picture in plane committee kernels digits; do
    grep -q '<title' build/$picture.svg && grep -q '<desc' build/$picture.svg && ! grep -qi nan build/$picture.svg
    verdict $? "build/$picture.svg has no title or no description, or a number that is none"
done
finish
