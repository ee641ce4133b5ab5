#!/bin/sh
# Runs every test, each in its own words, and adds up. From the project's root; the last line is
# 'N passed, N failed, N skipped'. CC: the compiler (default cc). PCN_DATA: a folder with reference
# data sets, not needed. STB: flags that find stb_ds.h.
set -u
CC=${CC:-cc}
passed=0 failed=0 skipped=0
out=build/tests
mkdir -p $out

# Runs a command whose last line is 'N passed, N failed[, N skipped]'.
count() {
    name=$1
    shift
    "$@" >$out/log 2>&1
    status=$?
    sum=$(tail -n 1 $out/log)
    case $sum in
    *' passed, '*' failed'*) ;;
    *) sum='0 passed, 1 failed'
       echo "FAIL $name did not finish (status $status)" >>$out/log ;;
    esac
    grep -v ' passed, ' $out/log | grep -E '^(FAIL|skipped)|rror' | head -n 20
    echo "$name: $sum"
    set -- $(echo "$sum" | tr -d ,)
    passed=$((passed + $1)) failed=$((failed + $3)) skipped=$((skipped + ${5:-0}))
    [ $status -eq 0 ] || [ "$3" -ne 0 ] || failed=$((failed + 1))
}

# Builds and runs every C test with some flags.
programs() {
    label=$1
    shift
    for name in kernels traces properties images errors winnow dual stored dual_images; do
        if $CC -std=c99 "$@" -I. -Itests ${STB:-} tests/$name.c -o $out/$name -lm 2>$out/log; then
            count "$name $label" $out/$name
        else
            echo "FAIL $name $label does not compile"
            head -n 5 $out/log
            failed=$((failed + 1))
        fi
    done
}

native=$(echo | $CC -march=native -E - >/dev/null 2>&1 && echo -march=native)
programs "(this machine)" -O2 $native
programs "(portable C)" -O2 -DPERCEPTRON_SIMD=0
programs "(sanitized)" -O1 -g $native -fsanitize=address,undefined -fno-sanitize-recover=all
count "headers" sh tests/headers.sh
count "bits" sh tests/bits.sh
if command -v python3 >/dev/null; then
    count "program" python3 tests/program.py
    count "references" python3 tests/references.py
else
    echo "skipped: the tests of the program need python3"
    skipped=$((skipped + 2))
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
