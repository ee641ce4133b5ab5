#!/bin/sh
# Runs tests, two at a time, and adds up; the last lines are '(N checks)' and 'N passed, N failed, N skipped': cases.
# From the project's root, with build/perceptron there:
#     sh tests/run.sh test|more|all       what make test, test-more and test-all run
#     sh tests/run.sh nightly             all of it, whole; if nothing fails, what it was goes to tests/nightly.txt
#     sh tests/run.sh quick               what make quick T=program runs
#     sh tests/run.sh NAME                one test, with all that it prints
#     sh tests/run.sh FOLDER              all tests of tests/FOLDER
#     sh tests/run.sh jobs test|more|all  only what they would run, a test in a build a line
# Test NAME is tests/FOLDER/NAME.c, which runs in several builds, NAME.sh or NAME.py. Its last line is
# 'N passed, N failed[, N skipped]', and its status is not 0 when one failed. A case is something that one would name, a
# function of a test; how many checks it makes stands in a line '(N checks)'. A long test runs in a short form, and says in
# lines 'short: WHAT' what that leaves out; TESTS=all runs the whole. JOBS: how many at a time.
. tests/lib.sh
PYTHONPATH=tests
export PYTHONPATH

folders='header program fuzz targets others tools'

header='mistakes kernels traces bounds measures invariances same_model means rules changes definition passes top resize sort_row
        final images corruption errors winnow confidence following scaler calibration mixing dual stored dual_images
        integer integer_images bias_step quantized defects'
lasting='endurance drift endurance_kernels numbers' # more for long runs than for builds
alone='mistakes bias_step stored dual numbers' # have the code in themselves
narrow='defects' # also where size_t has 32 bits
small='kernels traces integer quantized' # also by -Os, which has sums and updates of its own
# The short form of the sanitized builds: what reads and writes memory in its own way.
memory='kernels traces same_model passes top resize sort_row final images corruption errors scaler calibration mixing stored
        dual_images integer_images quantized defects'
# The longest first: two at a time, they end together.
long='analyze check bits headers fuzz machines coverage mutate examples export export_bits export_fit export_rows words import
      freestanding windows references mpi newcomer options firmware faults pages figures sure rooms small ways aliasing ratio instructions size
      interrupts threads builds proof playground playground_bits python dist layout devices'

# Every Python test is in `make test` that is not in the list above.
program() {
    for folder in $folders; do
        for file in tests/"$folder"/*.py; do
            [ ! -f "$file" ] || basename "$file" .py
        done
    done | grep -v -x -E "devtools|exported|list|sentences|worth|$(echo $long | tr ' ' '|')" | sort
}

folder_of() { # NAME
    for folder in $folders; do
        for file in "tests/$folder/$1".c "tests/$folder/$1".sh "tests/$folder/$1".py; do
            [ ! -f "$file" ] || echo "$folder"
        done
    done | head -n 1
}

builds() { # FLAVOUR...
    for flavour; do
        for test in $header; do echo "$test:$flavour"; done
    done
}

# The C tests in other builds than the native one.
compiled() {
    if whole; then
        builds sanitized portable
        (header='endurance numbers' builds sanitized portable)
    else
        (header=$memory builds sanitized)
    fi
    (header=$small builds small)
}

jobs_of() { # test|more|all|nightly|NAME
    case $1 in
    quick) printf '%s\n' commands training reading reports robust ;;
    test) program && builds native && (header=$narrow builds narrow) ;;
    more) printf '%s\n' $long && (header=$lasting builds native) && compiled ;;
    all) jobs_of test && jobs_of more ;;
    nightly) jobs_of more && jobs_of test ;; # the longest first
    *) for job in $(TESTS=all jobs_of all); do case $1 in "$job" | "${job%:*}" | "$(folder_of "${job%:*}")") echo "$job" ;; esac done ;;
    esac
}

flags_of() { # FLAVOUR
    case $1 in
    sanitized) echo "$sanitized $native" ;;
    native) echo "-O2 $native" ;;
    portable) echo "-O2 -DPERCEPTRON_SIMD=0" ;;
    small) echo "-Os -DPERCEPTRON_SIMD=0" ;;
    narrow) echo "-O2 -m32 -msse2 -mfpmath=sse" ;;
    esac
}

# The header by itself, with which most C tests are linked.
header_object() { # FLAVOUR
    # shellcheck disable=SC2046,SC2086 # lists of flags
    $CC -std=c99 $(flags_of $1) -DPERCEPTRON_GROW -DPERCEPTRON_IMPLEMENTATION -x c -c perceptron.h -o "$out/header.$1.o"
}

build_and_run() { # NAME FLAVOUR
    flags=$(flags_of "$2") program=$out/$1:$2
    # shellcheck disable=SC2086 # lists of flags
    if ! { echo 'int main(void) { return 0; }' | $CC $flags -x c - -o "$program" && "$program"; } 2>/dev/null; then
        skip "$CC builds nothing that runs here with $flags"
        finish
    fi
    case " $alone " in
    *" $1 "*) with='' ;;
    *) with="-DPCN_IMPLEMENTED $out/header.$2.o" ;;
    esac
    # shellcheck disable=SC2086
    $CC -std=c99 $flags -I. -Itests $stb $with "tests/$(folder_of "$1")/$1.c" -o "$program" -lm && "$program"
}

run_job() { # JOB
    case $1 in
    *:*) build_and_run "${1%:*}" "${1#*:}" ;;
    *)
        file=tests/$(folder_of "$1")/$1
        if [ -f "$file.sh" ]; then
            sh "$file.sh"
        elif need python3 python3; then
            python3 "$file.py"
        else
            finish
        fi
        ;;
    esac
}

# Adds the sum of a test, which has failed if it did not finish, or ends with a status that its sum does not tell of.
count() { # JOB; prints what its log does not say
    status=$(cat "$out/$1.status" 2>/dev/null) before=$failed
    if ! add "$out/$1.log"; then
        printf 'FAIL %s was not built or did not finish (status %s)\n0 passed, 1 failed\n' "$1" "$status"
    elif [ "$failed" -eq "$before" ] && [ "$status" -ne 0 ]; then
        echo "FAIL $1 ends with status $status"
    else
        return
    fi
    failed=$((failed + 1))
}

# Prints what failed and was skipped, or all of a test that was asked for by name.
tally() { # JOB
    log=$out/$1.log
    count "$1" >>"$log"
    case $part in
    test | more | all | nightly) grep -E '^(FAIL|skipped|short)|(rror|ERROR):' "$log" | head -n 20 ;;
    *) grep -v -E "$sum|$checked" "$log" ;;
    esac
    echo "$1: $(grep -E "$sum" "$log" | tail -n 1)"
}

# The row of a test in tests/nightly.txt: cases that passed and were skipped, checks, seconds of a processor.
row() { # JOB
    passed=0 failed=0 skipped=0 checks=0
    count "$1" >/dev/null
    echo "$1 $passed $skipped $checks $(cat "$out/$1.seconds")"
}

# Only a night in which every test ran whole, at one commit, and none failed.
note() { # JOBS
    printf '%s\n' "date $(date +%F)" "commit $commit" "test passed skipped checks seconds" >$out/nightly
    for job; do (row "$job"); done | sort >>$out/nightly
    cp $out/nightly tests/nightly.txt
}

# Each line of the input names a job that has ended; they are printed in the order of the list.
report() { # JOBS
    all=$*
    while read -r _; do
        while [ $# -gt 0 ] && [ -s "$out/$1.status" ]; do
            tally "$1"
            shift
        done
    done
    for job; do tally "$job"; done # never started
    [ "$part" != test ] || echo "make test-all also runs" $long "and sanitized, portable and small builds."
    case $part in more | all) short "of the sanitized builds only" $memory "and of the portable ones only -Os:" $small ;; esac
    [ "$part$failed" != nightly0 ] || note $all
    finish
}

part=${1:-test}
[ "$part" != jobs ] || { jobs_of "$2" && exit; }
if [ "$part" = job ]; then
    (run_job "$2") >"$out/$2.log" 2>&1
    echo $? >"$out/$2.status"
    times >"$out/$2.times"
    tail -n 1 "$out/$2.times" | tr ms '  ' | awk '{ printf "%.0f\n", $1 * 60 + $2 + $3 * 60 + $4 }' >"$out/$2.seconds"
    echo "$2"
    exit
fi
if [ $# -gt 1 ]; then
    echo "tests/run.sh runs one test, folder or part: '$2' is another" >&2
    exit 1
fi
[ "$part" != nightly ] || export TESTS=all
jobs=$(jobs_of "$part")
if [ -z "$jobs" ]; then
    echo "There is no test '$part'. Tests:" $(jobs_of all | sed 's/:.*//' | sort -u) >&2
    exit 1
fi
rm -f $out/*.status
if [ "$part" = nightly ]; then
    commit=$(git rev-parse --short=12 HEAD) && git diff --quiet HEAD || { echo "make nightly notes commits: commit first." >&2 && exit 1; }
fi
for flavour in $(printf '%s\n' $jobs | sed -n 's/.*://p' | sort -u); do header_object $flavour 2>/dev/null & done
wait
# shellcheck disable=SC2086 # a list of words
printf '%s\n' $jobs | xargs -P "${JOBS:-2}" -n 1 sh tests/run.sh job | report $jobs
