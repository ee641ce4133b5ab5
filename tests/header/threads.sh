#!/bin/sh
# One thread learns while others predict with copies that pcn_perceptron_final has written, as examples/GUIDE.md says:
# ThreadSanitizer is silent, and not when a copy is left out. examples/threads.c mixes trainers of threads.
#
# From the project's root.
. tests/lib.sh

build() { # SOURCE FLAGS...
    source=$1
    shift
    # shellcheck disable=SC2086 # a list of flags
    expect "$source $* does not compile" $CC -std=c99 -O1 -g -fsanitize=thread $warnings "$@" -I. -Itests "$source" \
        -o $out/program -pthread -lm
}

echo 'int main(void) { return 0; }' >$out/empty.c
if ! $CC -fsanitize=thread $out/empty.c -o $out/program 2>/dev/null || ! $out/program; then
    skip "ThreadSanitizer: not installed"
    finish
fi
TSAN_OPTIONS=exitcode=66
export TSAN_OPTIONS
if build tests/header/threads.c; then
    $out/program >$out/said 2>&1
    verdict $? "threads.c: $(grep -E 'FAIL|SUMMARY' $out/said | head -n 3)"
    add $out/said || verdict 1 "threads.c does not finish"
    for without in 1 2 3 4; do
        $out/program $without >$out/said 2>&1
        [ $? -eq 66 ] && grep -q 'data race' $out/said && grep -q ' pcnp_.*perceptron\.h:' $out/said
        verdict $? "threads.c without a copy ($without): ThreadSanitizer sees nothing"
    done
fi
build examples/threads.c -DPERCEPTRON_STATIC && expect "examples/threads.c" $out/program examples/data/digits.csv
finish
