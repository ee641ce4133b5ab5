# Random input breaks nothing: trainers under any sequence of calls beside plain arithmetic, images, model files, texts
# and tables. What was found once is tried again in every build.
#
# clang with libFuzzer; the corpus is replayed by $CC with sanitizers for this machine, for SSE2 and for portable C,
# and by NEON under emulation. FUZZ_SECONDS: of fuzzing, all together (default 7, with TESTS=all 20). FUZZ_SIMD='0 1
# 2': the instructions to fuzz with, one after the other (default: the widest of this machine). FUZZ='linear images':
# only these targets. FUZZ_CC: a clang with libFuzzer. FUZZ_COVERAGE=1: only says which regions the kept inputs reach,
# by clang-22 or $FUZZ_CC. An input that fails is left in build/.
. tests/lib.sh

targets=${FUZZ:-linear kernel integer images models texts reader}
FUZZ_CC=${FUZZ_CC:-clang}
seconds=20
! short "7 seconds, not 20, of fuzzing; what is kept is replayed in one build of five" || seconds=7
seconds=${FUZZ_SECONDS:-$seconds}
corpus=tests/fuzz/corpus

widest() {
    if [ $x86 = no ]; then echo 0; elif processor avx2; then echo 2; else echo 1; fi
}

flags_of() { # SIMD
    case $1 in 2) echo "-DPERCEPTRON_SIMD=2 -mavx2" ;; *) echo "-DPERCEPTRON_SIMD=$1" ;; esac
}

# The library, the program's parts and the targets are compiled once for a build. A target that includes a part of the
# program is linked without it. stb_ds.h indexes a char[8] beyond its end.
build() { # NAME FLAGS... -- COMPILER LINKER-FLAGS...
    name=$1 flags="-std=gnu99 -I. -Iexamples/perceptron $stb"
    shift
    while [ "$1" != -- ]; do flags="$flags $1" && shift; done
    compiler=$2 link=
    shift 2
    for flag; do link="$link $flag"; done
    rm -rf "${out:?}/${name:?}" && mkdir -p "$out/$name"
    bounds=$(case $flags in *undefined*) echo -fno-sanitize=bounds ;; esac)
    for part in examples/perceptron/cli/*.c examples/perceptron/text/*.c examples/perceptron/read/*.c \
        examples/perceptron/model/*.c; do
        # shellcheck disable=SC2086 # lists of flags
        check $compiler $flags $bounds -c "$part" -o "$out/$name/$(basename "$part" .c).o" || return
    done
    # shellcheck disable=SC2086
    check $compiler $flags $warnings -c tests/fuzz/library.c -o "$out/$name/library.o" || return
    for target in $targets; do link_target || return; done
}

link_target() {
    main=$(case $link in *fuzzer*) ;; *) echo tests/fuzz/main.c ;; esac)
    parts=
    case $target in
    models | texts | reader)
        lines=$(case $target in reader) echo lines.o ;; esac) # it has them with reads of its own
        parts=$(find "$out/$name" -name '*.o' ! -name "$lines" ! -name library.o)
        extra=$bounds
        ;;
    *) extra= ;;
    esac
    # shellcheck disable=SC2086 # lists of flags
    check $compiler $flags $extra $warnings $link "tests/fuzz/$target.c" $main $parts "$out/$name/library.o" \
        -o "$out/$name/$target" -pthread -lm
}

# Replays what is kept; the program says how many inputs it took. die() leaves memory to the end of the program.
replay() { # BUILD COMMAND-BEFORE...
    name=$1
    shift
    for target in $targets; do
        ASAN_OPTIONS=detect_leaks=$(case $target in models | texts | reader) echo 0 ;; *) echo 1 ;; esac)
        export ASAN_OPTIONS
        arguments=$(case $name in fuzz*) echo "-runs=0 -rss_limit_mb=1500" ;; esac)
        # shellcheck disable=SC2086 # words
        expect "$name: corpus of $target" "$@" "$out/$name/$target" $arguments "$corpus/$target"
    done
}

fuzz() { # SIMD SECONDS-FOR-EACH
    for target in $targets; do
        log=$out/$target$1.log found=$out/found_$target
        ASAN_OPTIONS=detect_leaks=$(case $target in models | texts | reader) echo 0 ;; *) echo 1 ;; esac)
        export ASAN_OPTIONS
        mkdir -p "$found"
        "$out/fuzz$1/$target" -max_total_time="$2" -max_len=4096 -rss_limit_mb=1500 -timeout=60 \
            -print_final_stats=1 -artifact_prefix="$out/$target-" "$found" "$corpus/$target" >"$log" 2>&1
        verdict $? "$target, SIMD $1: see $log" || grep -aE 'not so|runtime error|ERROR|Test unit' "$log"
        echo "$target, SIMD $1: $(sed -n 's/^stat::number_of_executed_units: //p' "$log") executions in $2 s"
    done
}

coverage() {
    have "$FUZZ_CC-22" && FUZZ_CC=$FUZZ_CC-22
    version=$($FUZZ_CC -dumpversion | sed 's/\..*//')
    # shellcheck disable=SC2046 # a list of flags
    build coverage -O1 -fprofile-instr-generate -fcoverage-mapping $(flags_of "$(widest)") -- "$FUZZ_CC" || finish
    LLVM_PROFILE_FILE=$out/coverage/%p.profraw && export LLVM_PROFILE_FILE
    replay coverage
    check "llvm-profdata-$version" merge -sparse "$out"/coverage/*.profraw -o "$out/coverage/all.profdata"
    objects=
    for target in $targets; do objects="$objects${objects:+ -object} $out/coverage/$target"; done
    # shellcheck disable=SC2086 # a list
    "llvm-cov-$version" report $objects "-instr-profile=$out/coverage/all.profdata" perceptron.h examples/perceptron |
        awk '$4 ~ /%/ { printf "%8s of %5d regions  %s\n", $4, $2, $1 }'
    finish
}

[ -z "$FUZZ_COVERAGE" ] || coverage

sanitize="-g -fsanitize=address,undefined -fno-sanitize-recover=all"
# shellcheck disable=SC2086,SC2046 # lists of flags
if ! need "$FUZZ_CC" clang; then
    :
elif ! echo 'int LLVMFuzzerTestOneInput(const char *d, long n) { return d && n < 0; }' |
    $FUZZ_CC -fsanitize=fuzzer,address -x c - -o $out/probe 2>/dev/null; then
    skip "$FUZZ_CC has no libFuzzer (Debian: apt-get install libclang-rt-14-dev)"
else
    simds=${FUZZ_SIMD:-$(widest)}
    share=$((seconds / ($(echo $targets | wc -w) * $(echo $simds | wc -w))))
    for simd in $simds; do
        build "fuzz$simd" -O1 $sanitize -fsanitize=fuzzer-no-link $(flags_of "$simd") -- "$FUZZ_CC" -fsanitize=fuzzer &&
            replay "fuzz$simd" && fuzz "$simd" $((share > 0 ? share : 1))
    done
fi

whole || finish
# shellcheck disable=SC2086
{
    build native -O1 $sanitize $native -- "$CC" && replay native
    build portable -O1 -DPERCEPTRON_SIMD=0 -- "$CC" && replay portable
    [ $x86 = no ] || { build sse2 -O1 -DPERCEPTRON_SIMD=1 -- "$CC" && replay sse2; }
}
if need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu && need qemu-aarch64 qemu-user; then
    build neon -O1 -static -- aarch64-linux-gnu-gcc && replay neon qemu-aarch64
fi
finish
