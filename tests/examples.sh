#!/bin/sh
# The examples print what their header comment says, in every build. The comment of such an example ends with
# the line ' * It prints:', an empty line, and the output, 5 spaces in. From the root of the project; writes
# only to build/. The last line is 'N passed, N failed, N skipped'. CC: the compiler (default cc).
set -u
out=build/tests/examples
mkdir -p $out
passed=0 failed=0 skipped=0
WARN="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Wdouble-promotion
      -Wstrict-prototypes -Werror"

pass() { passed=$((passed + 1)); }

fail() {
    echo "FAIL $*"
    failed=$((failed + 1))
}

# What the comment says that an example prints.
promise() {
    sed -e '1,/^ \* It prints:$/d' -e '/^ \*\/$/,$d' "$1" | sed -e 1d -e 's/^ \*     //' -e 's/^ \*$//'
}

run() { # NAME LABEL COMPILER FLAGS...: one example in one build
    name=$1
    label=$2
    shift 2
    program=$out/$name
    if ! "$@" -std=c99 $WARN -I. ${STB:-} examples/$name.c -o $program -lm 2>$out/errors; then
        fail "$name ($label) does not compile"
        head -n 5 $out/errors
        return
    fi
    if [ $name = save ]; then set -- $out/save.image; else set --; fi
    $program "$@" >$out/$name.now 2>$out/errors
    status=$?
    if [ $status -ne 0 ]; then
        fail "$name ($label) ends with status $status"
        head -n 5 $out/errors
    elif ! cmp -s $out/$name.promise $out/$name.now; then
        fail "$name ($label) prints something else than its comment says"
        diff $out/$name.promise $out/$name.now | head -n 6
    else
        pass
    fi
}

native=$(echo | ${CC:-cc} -march=native -E - >/dev/null 2>&1 && echo -march=native)
examples=$(grep -l '^ \* It prints:$' examples/*.c)
for example in $examples; do
    name=$(basename "$example" .c)
    promise "$example" >$out/$name.promise
    if [ ! -s $out/$name.promise ]; then fail "$name: its comment has no output"; fi
    run $name "this machine" ${CC:-cc} -O2 $native
    run $name "sanitized" ${CC:-cc} -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
    for compiler in gcc clang; do
        if ! command -v $compiler >/dev/null; then
            echo "SKIP $name by $compiler: not installed"
            skipped=$((skipped + 1))
            continue
        fi
        run $name "$compiler, portable C" $compiler -Os -DPERCEPTRON_SIMD=0
        run $name "$compiler -O3" $compiler -O3 $native
    done
done
[ -n "$examples" ] || fail "no example says what it prints"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
