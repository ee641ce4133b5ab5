#!/bin/sh
# The examples print what their header comment says, in every build. The comment of such an example ends with
# the line ' * It prints:', an empty line, and the output, 5 spaces in. From the root of the project; writes
# only to build/. CC: the compiler (default cc).
. tests/lib.sh

# What the comment says that an example prints.
promise() {
    sed -e '1,/^ \* It prints:$/d' -e '/^ \*\/$/,$d' "$1" | sed -e 1d -e 's/^ \*     //' -e 's/^ \*$//'
}

run() { # EXAMPLE LABEL COMPILER FLAGS...: one example in one build
    example=$1 label="$1 ($2)"
    shift 2
    program=$out/$example
    # shellcheck disable=SC2086 # lists of flags
    expect "$label does not compile" "$@" -std=c99 $warnings -Wstrict-prototypes -I. $stb examples/$example.c \
        -o $program -lm || return
    if [ $example = save ]; then set -- $out/save.image; else set --; fi
    $program "$@" >$program.now 2>$out/errors
    status=$?
    verdict $status "$label ends with status $status: $(head -n 5 $out/errors)" &&
        expect "$label prints something else than its comment says" diff $program.promise $program.now
}

examples=$(grep -l '^ \* It prints:$' examples/*.c)
for file in $examples; do
    example=$(basename "$file" .c)
    promise "$file" >$out/$example.promise
    expect "$example: its comment has no output" test -s $out/$example.promise
    run $example "this machine" $CC -O2 $native
    # shellcheck disable=SC2086 # lists of flags
    run $example "sanitized" $CC $sanitized
    for compiler in gcc clang; do
        need $compiler $compiler || continue
        run $example "$compiler, portable C" $compiler -Os -DPERCEPTRON_SIMD=0
        run $example "$compiler -O3" $compiler -O3 $native
    done
done
expect "no example says what it prints" test -n "$examples"
finish
