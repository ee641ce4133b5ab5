#!/bin/sh
# Sanitizers and valgrind find nothing: integers, conversions and uninitialised memory in the C tests, threads,
# addresses and leaks in the program. Scripts are clean under shellcheck.
#
# With arguments only these parts: sh tests/tools/check.sh threads memory. Where unsigned numbers may wrap stands in
# tests/tools/wraps.txt. From the root of the project.

# shellcheck source=lib.sh
. tests/lib.sh

all='strict_all memory threads valgrind_tests valgrind_program program_tests shell'
tests='traces final errors defects quantized winnow confidence following scaler calibration mixing images dual_images stored
       integer_images dual integer kernels measures top sort_row invariances bounds definition changes rules passes same_model
       resize means'
program=$(ls examples/perceptron/*.c examples/perceptron/*/*.c)

newest=$(newest_clang)
narrow='-m32 -msse2 -mfpmath=sse' # lengths that wrap round where size_t has 32 bits

# ---- Sanitizers over the C tests ----

over() { # LABEL RUNNER TESTS COMPILER FLAGS...: all but `stored`, which allocates by itself, are linked with one header
    build=$1 runner=$2 these=$3
    shift 3
    if ! echo 'int main(void) { return 0; }' | "$@" -x c - -o $out/probe 2>/dev/null; then
        skip "$build: $1 does not build with it (Debian: apt-get install clang-22 libclang-rt-22-dev)"
        return
    fi
    # shellcheck disable=SC2086
    expect "$build" "$@" -std=c99 -g $stb -DPERCEPTRON_GROW -DPERCEPTRON_IMPLEMENTATION -x c -c perceptron.h -o $out/header.o
    for test in $these; do
        case $test in stored) with='' ;; *) with="-DPCN_IMPLEMENTED $out/header.o" ;; esac
        # shellcheck disable=SC2086
        expect "$build: $test" "$@" -std=c99 -g -I. -Itests $stb $with tests/header/$test.c -o "$out/program" -lm &&
            expect "$build: $test" $runner $out/program
    done
}

strict() { # TESTS FLAGS...
    these=$1
    shift
    over "strict $*" "" "$these" $newest -O1 "$@" -fno-sanitize-recover=all \
        -fsanitize=undefined,integer,implicit-conversion,float-divide-by-zero,float-cast-overflow \
        -fsanitize=nullability,local-bounds -fsanitize-ignorelist=tests/tools/wraps.txt
}

strict_some() {
    # shellcheck disable=SC2086
    strict "traces errors images quantized" $native
    strict "defects" $narrow
}

strict_all() {
    # shellcheck disable=SC2086
    strict "$tests" $native
    strict "$tests" -DPERCEPTRON_SIMD=0
    # shellcheck disable=SC2086
    strict "$tests" $narrow
}

# Tests compare structs with what lies between their fields.
memory() {
    MSAN_OPTIONS=intercept_memcmp=0
    export MSAN_OPTIONS
    for simd in "$native" -DPERCEPTRON_SIMD=0; do
        # shellcheck disable=SC2086
        over "memory $simd" "" "$tests" $newest -O1 $simd -fsanitize=memory -fno-sanitize-recover=all \
            -fsanitize-memory-track-origins
    done
}

# ---- The program ----

# Its own reader thread reads ahead in files and pipes that are long enough.
rows() { # ROWS: of libsvm text
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) { printf "%d", i % 3
        for (j = 1; j < 60; j++) { s = (s * 1103515245 + 12345) % 2147483648
            if (s % 3 == i % 3) printf " %d:%.3f", j, s / 1e9 }
        print "" } }'
}

commands() { # RUNNER...: the main commands with a file and a pipe
    d=$out/data
    rows "$rows" >$d
    expect "$1: train" "$@" train --force -e 3 $d $d.m
    { cat $d && echo '1 1:3e38' && echo '2 1:3e38' && echo '1 1:3e38' && echo '1 1:x'; } >$d.bad
    expect "$1: a row that cannot be learned" sh -c '"$@" 2>&1 | grep NaN' sh "$@" train --force -q -e 1 --threads 2 $d.bad $d.n
    expect "$1: train, averaged" "$@" train --force -q --order each -e 2 --validate 0.2 $d $d.m
    expect "$1: train from a pipe" sh -c 'f=$1; shift; cat "$f" | "$@"' sh $d "$@" train --force - $d.m
    expect "$1: folds" "$@" train --force -q --folds 3 $d
    expect "$1: kernel model" "$@" train --force -q -a kernel --kernel rbf --gamma 0.1 --budget 20 $d $d.k
    expect "$1: predict" "$@" predict --force --report $d $d.m $d.out
    expect "$1: predict a pipe" sh -c 'f=$1; shift; cat "$f" | "$@"' sh $d "$@" predict --force - $d.m $d.out
    expect "$1: predict by kernels" "$@" predict --force $d $d.k $d.out
    expect "$1: show" "$@" show $d.m
    expect "$1: show as JSON" "$@" show --json $d.m
    expect "$1: export to C" "$@" export --force --format c $d.m $d.c
    expect "$1: export to LIBLINEAR" "$@" export --force --format liblinear $d.m $d.txt
    expect "$1: import" "$@" import --force $d.txt $d.i
    expect "$1: CSV" "$@" train --force -q --test examples/data/digits.csv examples/data/digits.csv $d.m
}

build_program() { # OUTPUT COMPILER FLAGS...; stb_ds.h indexes a char[8] beyond its end
    output=$1
    shift
    # shellcheck disable=SC2086
    expect "the program by $*" "$@" -std=gnu99 -g -I. -Iexamples/perceptron $stb $program -o "$output" -pthread -lm
}

threads() {
    rows=20000
    build_program $out/threads "$CC" -O1 -fsanitize=thread || return
    TSAN_OPTIONS=halt_on_error=1:exitcode=66
    export TSAN_OPTIONS
    commands $out/threads
}

# Its Python tests, in a root of their own with another build/perceptron. Their LD_PRELOAD comes before ASan's. Leaks count
# where the program succeeds: after an error, or Ctrl-C, it leaves its memory to the system. Other tests bound memory that
# sanitizers need. Of the pairs of options a sample is tried.
program_tests() {
    need python3 python3 || return
    root=$out/root
    mkdir -p $root/build
    for name in tests examples perceptron.h Makefile README.md; do ln -sfn "$PWD/$name" "$root/$name"; done
    cat >$out/main.c <<'END'
#undef main
int program_main(int argc, char **argv);
void __lsan_do_leak_check(void);
int main(int argc, char **argv) {
    const int status = program_main(argc, argv);
    if (status == 0) __lsan_do_leak_check();
    return status;
}
END
    # shellcheck disable=SC2086
    build_program $root/build/perceptron "$CC" $sanitized -fno-sanitize=bounds -Dmain=program_main $out/main.c || return
    ASAN_OPTIONS=verify_asan_link_order=0:leak_check_at_exit=0
    export ASAN_OPTIONS
    for test in robust options training reports signals; do
        (cd $root && PYTHONPATH=tests TESTS='' python3 tests/program/$test.py) >$out/$test.log 2>&1
        add $out/$test.log || verdict 1 "$test did not finish"
        grep '^FAIL' $out/$test.log
    done
}

# ---- valgrind ----

# Of the comparison of structs, with what lies between their fields.
printf '{\n between_fields\n Memcheck:Cond\n fun:bcmp\n}\n{\n between_fields\n Memcheck:Cond\n fun:memcmp*\n}\n' >$out/between_fields
grind="valgrind -q --error-exitcode=9 --suppressions=$out/between_fields --leak-check=full --show-leak-kinds=all --errors-for-leak-kinds=definite,indirect"

valgrind_tests() {
    need valgrind valgrind || return
    for flags in -DPERCEPTRON_SIMD=0 -mavx2; do
        case $flags in -mavx2) processor avx2 || continue ;; esac
        over "valgrind $flags" "$grind" "traces errors defects quantized winnow images dual_images stored integer" $CC -O1 $flags
    done
}

valgrind_program() {
    need valgrind valgrind || return
    rows=400
    # shellcheck disable=SC2086
    build_program $out/ground "$CC" -O1 && commands $grind $out/ground
}

# ---- Scripts ----

shell() {
    need shellcheck shellcheck || return
    # variables that another file uses, words that are to be split, one variable emptied for a command
    # shellcheck disable=SC2046
    check shellcheck -s sh -P tests -x -S warning -e SC2034,SC2046,SC1007 $(ls tests/*.sh tests/*/*.sh)
}

[ $# -gt 0 ] || set -- $all
if [ "$*" = "$all" ] &&
    short "strict sanitizers over some C tests, the thread sanitizer over the program; no memory sanitizer, no valgrind"; then
    set -- strict_some threads
fi
for part; do
    $part
    echo "$part: $passed passed, $failed failed so far" >&2
done
finish
