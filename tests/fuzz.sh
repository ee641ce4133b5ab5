# Fuzzes the library, and replays the inputs kept in tests/fuzz/corpus in every build: clang with libFuzzer for portable
# C, SSE2 and AVX2, $CC with sanitizers, and NEON under emulation. FUZZ_SECONDS: of fuzzing, all together (default 20).
# FUZZ_CC: a clang with libFuzzer. FUZZ='linear images': only these targets. An input that fails is left in build/.
. tests/lib.sh

targets=${FUZZ:-linear kernel integer images models}
FUZZ_CC=${FUZZ_CC:-clang}
fuzzer="-g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all"
seconds=${FUZZ_SECONDS:-20}

builds() { # what clang fuzzes: each instruction set of this machine
    echo 0
    [ $x86 = no ] || echo 1
    ! processor avx2 || echo 2
}

flags_of() { # SIMD
    case $1 in 2) echo "-DPERCEPTRON_SIMD=2 -mavx2" ;; *) echo "-DPERCEPTRON_SIMD=$1" ;; esac
}

# The program's parts for what fuzzes it. stb_ds.h indexes a char[8] beyond its end.
program=
for part in model options labels common number rows reader read_text read_csv read_columns read_libsvm; do
    program="$program examples/perceptron/$part.c"
done
parts_of() { # TARGET
    case $1 in
    models) echo "-std=gnu99 -Iexamples/perceptron -pthread -fno-sanitize=bounds $program" ;;
    *) echo "-std=c99" ;;
    esac
}

compile() { # COMPILER OUTPUT TARGET FLAGS...
    compiler=$1 output=$2 target=$3
    shift 3
    # shellcheck disable=SC2046,SC2086 # lists of flags
    check $compiler $warnings "$@" $(parts_of "$target") -I. $stb "tests/fuzz/$target.c" -o "$output" -lm
}

# Replays the corpus of a target; the program says how many inputs it took.
replay() { # LABEL TARGET COMMAND...
    label=$1 target=$2
    shift 2
    ASAN_OPTIONS=$(leaks_of "$target")
    export ASAN_OPTIONS
    expect "$label: corpus of $target" "$@" "tests/fuzz/corpus/$target"
}

# Executions that libFuzzer reports.
executions() { # LOG
    sed -n 's/^stat::number_of_executed_units: //p' "$1"
}

leaks_of() { # TARGET; die() leaves memory to the end of the program
    case $1 in models) echo detect_leaks=0 ;; *) echo detect_leaks=1 ;; esac
}

fuzz() { # TARGET SIMD SECONDS
    fuzzed=$out/$1$2 found=$out/found_$1
    # shellcheck disable=SC2046 # a list of flags
    compile "$FUZZ_CC" "$fuzzed" "$1" $fuzzer $(flags_of "$2") || return
    replay "SIMD $2" "$1" "$fuzzed" -runs=0 -rss_limit_mb=1500
    mkdir -p "$found"
    "$fuzzed" -max_total_time="$3" -max_len=4096 -rss_limit_mb=1500 -timeout=60 -print_final_stats=1 \
        -artifact_prefix="$out/$1-" "$found" "tests/fuzz/corpus/$1" >"$out/$1$2.log" 2>&1
    verdict $? "$1, SIMD $2: see $out/$1$2.log" || grep -E 'not so|runtime error|ERROR|Test unit' "$out/$1$2.log"
    echo "$1, SIMD $2: $(executions "$out/$1$2.log") executions in $3 s"
}

if ! need "$FUZZ_CC" clang; then
    :
elif ! echo 'int LLVMFuzzerTestOneInput(const char *d, long n) { return d && n < 0; }' |
    $FUZZ_CC -fsanitize=fuzzer,address -x c - -o $out/probe 2>/dev/null; then
    skip "$FUZZ_CC has no libFuzzer (Debian: apt-get install libclang-rt-14-dev)"
else
    # shellcheck disable=SC2046 # words
    share=$((seconds / ($(echo $targets | wc -w) * $(builds | wc -l))))
    for simd in $(builds); do
        for target in $targets; do fuzz "$target" "$simd" $((share > 0 ? share : 1)); done
    done
fi

for target in $targets; do
    # shellcheck disable=SC2086 # lists of flags
    compile "$CC" "$out/$target" "$target" $sanitized $native tests/fuzz/main.c && replay "$CC" "$target" "$out/$target"
    have aarch64-linux-gnu-gcc && have qemu-aarch64 &&
        compile aarch64-linux-gnu-gcc "$out/${target}_neon" "$target" -O2 -static tests/fuzz/main.c &&
        replay NEON "$target" qemu-aarch64 "$out/${target}_neon"
done
need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
need qemu-aarch64 qemu-user
finish
