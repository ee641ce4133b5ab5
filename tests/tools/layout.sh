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
    for file in perceptron.h $(find examples tests -name '*.[ch]' -o -name '*.ino'); do
        expect "$file is not as make layout leaves it" in_order "$file"
    done
fi
finish
