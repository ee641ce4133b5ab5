#!/bin/sh
# Arrays may be used as another type than they are declared, as the manual does with words of images and of quantised
# models: every build prints the same, and clang's type sanitizer sees no access that compilers may take as wrong.
#
# From the root of the project; wants Debian's gcc g++ clang clang-22 libclang-rt-22-dev.

. tests/lib.sh
cases='1 2 3 4 5 6'

build() { # CASE COMPILER...: what it prints, to $out/said
    number=$1
    shift
    "$@" -DCASE=$number -I. tests/targets/aliasing.c -o $out/program 2>$out/log && $out/program >$out/said 2>>$out/log && [ -s $out/said ]
}

for case in $cases; do
    build $case "$CC" -O0 -fno-strict-aliasing
    verdict $? "case $case does not run: $(head -n 3 $out/log)"
    cp $out/said $out/right.$case
done

same() { # COMPILER...
    for case in $cases; do
        build $case "$@" && cmp $out/said $out/right.$case
        verdict $? "$*, case $case"
    done
}

if short "gcc -O2 and the newest clang -O3 of 13 builds; of types the portable build by -O1"; then
    need gcc gcc && same gcc -O2
    need "$(newest_clang)" clang-22 && same "$(newest_clang)" -O3
else
    for level in -Os -O2 -O3; do
        need gcc gcc && same gcc $level
        need g++ g++ && same g++ -x c++ $level
        need clang clang && same clang $level
        need "$(newest_clang)" clang-22 && same "$(newest_clang)" $level
    done
    need gcc gcc && same gcc -O2 -flto
fi

# Of a struct with bit-fields, pcnp_format, the sanitizer says what is not so. It takes copies by memmove for accesses of
# the type of what is copied, so there is none.
types() { # FLAGS...
    for case in $cases; do
        build $case "$sanitizer" -fsanitize=type -O1 -g -DPERCEPTRON_NO_LIBC "$@" >/dev/null
        verdict $? "types $*, case $case: $(head -n 3 $out/log)"
        awk '/^(READ|WRITE)/ { what = $0 } /^ *#0 / && /perceptron\.h/ && what !~ /type pcnp_format/ { print what; print }' \
            $out/log >$out/found
        [ ! -s $out/found ]
        verdict $? "types $*, case $case: $(head -n 2 $out/found)"
    done
}

sanitizer=$(newest_clang)
echo 'int main(void) { return 0; }' >$out/empty.c
if "$sanitizer" -fsanitize=type $out/empty.c -o $out/program 2>/dev/null; then
    types -DPERCEPTRON_SIMD=0
    ! whole || types -DPERCEPTRON_SIMD=0 -Os
    ! whole || [ $x86 = no ] || types -DPERCEPTRON_SIMD=1
else
    skip "no compiler has the sanitizer of types (Debian: apt-get install clang-22 libclang-rt-22-dev)"
fi
finish
