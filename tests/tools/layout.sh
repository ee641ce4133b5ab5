#!/bin/sh
# All C is laid out as .clang-format says.
#
# Other versions of clang-format lay out the same file a little differently, so this asks for one of them. From the
# project's root; writes only to build/.
. tests/lib.sh

in_order() { # FILE...
    clang-format-14 --dry-run --Werror --style=file "$@"
}

if need clang-format-14 clang-format-14; then
    printf 'int f(int a) { return a; }\n' >$out/planted.c
    in_order $out/planted.c 2>$out/log
    [ $? -eq 1 ] && grep -q 'planted.c:1:.*clang-format-violations' $out/log
    verdict $? "a function in one line is not noticed: $(cat $out/log)"
    # In parts: clang-format-14 takes half a minute for all of perceptron.h, and a second for each of its parts.
    rm -f $out/part*.h
    awk -v out=$out 'function flush() { for (; n > 0 && line[n] == ""; n--); for (i = 1; i <= n; i++) print line[i] >file; n = 0 }
        BEGIN { file = out "/part0.h" }
        /^\/\* =+ \*\/$/ && !title { flush(); file = out "/part" ++parts ".h" } { title = /^\/\* =/; line[++n] = $0 }
        END { flush() }' perceptron.h
    [ "$(cat $out/part*.h | grep -c .)" -eq "$(grep -c . perceptron.h)" ] && [ -f $out/part3.h ]
    verdict $? "the parts of perceptron.h are not all of it"
    parts=$(ls $out/part*.h)
    ! whole || parts="$parts perceptron.h"
    # shellcheck disable=SC2086 # words
    for file in $parts $(find examples tests -name '*.[ch]' -o -name '*.ino'); do
        expect "$file is not as make layout leaves it" in_order "$file"
    done
fi
finish
