# What to run after a change of one function of the header: sixteen C tests in one portable build, in seconds. Fourteen are
# linked with one object of the header; their own objects stay until their source or the header's interface changes.
. tests/lib.sh

linked='errors quantized defects traces final images integer_images dual_images confidence following scaler calibration mixing integer'
whole='stored bias_step'
flags="-std=c99 -O1 -DPERCEPTRON_SIMD=0 -w -I. -Itests $stb"

fresh() { # TEST: is its object newer than all that it is made from?
    [ -f "$out/$1.o" ] && [ -z "$(find "tests/header/$1.c" tests/*.h tests/header/*.h $out/interface -newer "$out/$1.o")" ]
}

# shellcheck disable=SC2086 # lists of flags
run_linked() {
    $CC $flags -DPERCEPTRON_GROW -DPERCEPTRON_IMPLEMENTATION -x c -c perceptron.h -o $out/header.o || return
    for test in $linked; do
        fresh $test || $CC $flags -DPCN_IMPLEMENTED -c tests/header/$test.c -o $out/$test.o || continue
        $CC $out/$test.o $out/header.o -o $out/$test -lm && $out/$test >$out/$test.log
    done
}

# shellcheck disable=SC2086
run_whole() { # they define how the header takes memory
    for test in $whole; do $CC $flags tests/header/$test.c -o $out/$test -lm && $out/$test >$out/$test.log; done
}

sed '/^#ifdef PERCEPTRON_IMPLEMENTATION/q' perceptron.h >$out/interface.new # what the tests see
cmp -s $out/interface.new $out/interface || mv $out/interface.new $out/interface
rm -f $out/*.log
run_linked &
run_whole
wait
for test in $linked $whole; do
    [ ! -f $out/$test.log ] || grep FAIL $out/$test.log
    [ -f $out/$test.log ] && add $out/$test.log || verdict 1 "$test was not built or did not finish"
done
finish
