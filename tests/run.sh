#!/bin/sh
# Runs every test, each in its own words, and adds up. From the project's root; the last line is
# 'N passed, N failed, N skipped'. CC: the compiler (default cc). PCN_DATA: a folder with reference
# data sets, not needed. STB: flags that find stb_ds.h.
set -u
CC=${CC:-cc}
passed=0 failed=0 skipped=0
out=build/tests
mkdir -p $out

# Adds up what a command has written to $out/$1.log, whose last line is 'N passed, N failed[, N skipped]',
# and how it has ended.
tally() {
    sum=$(tail -n 1 $out/$1.log)
    case $sum in
    *' passed, '*' failed'*) ;;
    *) sum='0 passed, 1 failed'
       echo "FAIL $2 did not finish (status $(cat $out/$1.status))" >>$out/$1.log ;;
    esac
    grep -v ' passed, ' $out/$1.log | grep -E '^(FAIL|skipped|SKIP)|rror' | head -n 20
    echo "$2: $sum"
    status=$(cat $out/$1.status)
    set -- $(echo "$sum" | tr -d ,)
    passed=$((passed + $1)) failed=$((failed + $3)) skipped=$((skipped + ${5:-0}))
    [ "$status" -eq 0 ] || [ "$3" -ne 0 ] || failed=$((failed + 1))
}

start() { # NAME COMMAND...
    name=$1
    shift
    "$@" >$out/$name.log 2>&1
    echo $? >$out/$name.status
}

count() { # LABEL COMMAND...
    label=$1
    shift
    start now "$@"
    tally now "$label"
}

program() { # LABEL TEST FLAGS...: builds and runs one C test
    label=$1
    test=$2
    shift 2
    if $CC -std=c99 "$@" -I. -Itests ${STB:-} tests/$test.c -o $out/$test -lm 2>$out/errors; then
        count "$label" $out/$test
    else
        echo "FAIL $label does not compile"
        head -n 5 $out/errors
        failed=$((failed + 1))
    fi
}

# Builds and runs the tests of the header with some flags.
programs() {
    flavour=$1
    shift
    for test in kernels traces properties images errors winnow dual stored dual_images integer integer_images quantized defects; do
        program "$test $flavour" $test "$@"
    done
}

native=$(echo | $CC -march=native -E - >/dev/null 2>&1 && echo -march=native)
{ # as long as all the rest together
    start bits sh tests/bits.sh
    start headers sh tests/headers.sh
} &
programs "(this machine)" -O2 $native
programs "(portable C)" -O2 -DPERCEPTRON_SIMD=0
programs "(portable C, small)" -Os -DPERCEPTRON_SIMD=0
programs "(sanitized)" -O1 -g $native -fsanitize=address,undefined -fno-sanitize-recover=all
program "numbers" numbers -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
program "numbers (this machine)" numbers -O2 $native
count "examples" sh tests/examples.sh
count "firmware promises" sh tests/freestanding/run.sh
count "firmware sizes" sh tests/size/run.sh
count "firmware instructions" sh tests/instructions/run.sh
count "firmware example" sh tests/firmware.sh
if command -v python3 >/dev/null; then
    count "program" python3 tests/program.py
    count "caches" python3 tests/caching.py
    count "reading" python3 tests/reading.py
    count "reports" python3 tests/reports.py
    count "references" python3 tests/references.py
    count "export" python3 tests/export.py
    count "export --bits" python3 tests/export_bits.py
    count "import" python3 tests/import.py
else
    echo "skipped: the tests of the program need python3"
    skipped=$((skipped + 7))
fi
count "targets" sh tests/targets/run.sh
wait
tally bits "bits"
tally headers "headers"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
