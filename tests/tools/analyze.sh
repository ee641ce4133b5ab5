#!/bin/sh
# Analyzers: those of gcc and of two clangs, and cppcheck, over the header in every form, the program and the examples. What
# they may say stands with its reason in tests/tools/analyze.txt. From the root of the project; TESTS=all with
# build/language.h there.

# shellcheck source=lib.sh
. tests/lib.sh

program=$(ls examples/perceptron/*.c examples/perceptron/*/*.c)
newest=$(newest_clang)

# 'FILE:LINE: warning: TEXT [ID]' becomes 'FILE ID: what stands in that line', which outlives other lines.
reports() {
    sed -nE 's/^([^: ]+):([0-9]+):([0-9]+:)? (warning|error): .*\[([^]]*)\]$/\1 \2 \5/p' | sort -u |
        while read -r file line id; do
            printf '%s %s: %s\n' "$file" "$id" "$(sed -n "${line}s/^ *//p" "$file")"
        done
}

analyzed() { # LABEL COMMAND...: it says nothing that tests/tools/analyze.txt does not know
    label=$1
    shift
    "$@" >$out/log 2>&1
    verdict $? "$label ends with an error: $(head -n 3 $out/log)" || return
    sed -n 's/^- //p' tests/tools/analyze.txt >$out/known
    reports <$out/log | tee -a $out/said | grep -vxFf $out/known >$out/reports
    [ ! -s $out/reports ]
    verdict $? "$label:" || cat $out/reports
}

# The header as a unit of its own, in every form that has other code.
header_forms() { # COMMAND...
    for form in $forms; do
        # shellcheck disable=SC2086 # lists of flags
        analyzed "$1 on perceptron.h, $form" "$@" -std=c99 $stb -DPERCEPTRON_IMPLEMENTATION -D$form -x c perceptron.h
    done
}

units() { # LABEL STANDARD FILES COMMAND...
    tool=$1 standard=$2 files=$3
    shift 3
    # shellcheck disable=SC2086
    for file in $files; do
        analyzed "$tool on $file" "$@" -std=$standard -I. -Iexamples/perceptron -Ibuild/firmware $stb $file
    done
}

gcc_analyzer='gcc -O1 -fanalyzer -c -o '$out/object.o

cppcheck_on() { # FLAGS FILES...
    analyzed "cppcheck $*" cppcheck -q --std=c99 --enable=warning,performance,portability,style --inline-suppr \
        --suppressions-list=tests/tools/cppcheck.txt --template='{file}:{line}: warning: {message} [{id}]' "$@"
}

all_cppcheck() {
    need cppcheck cppcheck || return
    cppcheck_on -DPERCEPTRON_IMPLEMENTATION -DPERCEPTRON_SIMD=0 --language=c perceptron.h
    # shellcheck disable=SC2086
    cppcheck_on -Iexamples/perceptron $program examples/*.c examples/literature/*.c examples/firmware/*.c
}

some() {
    forms=PERCEPTRON_GROW
    # A shallow look does not follow calls, so it does not see what they exclude.
    need $newest clang-22 &&
        header_forms $newest --analyze --analyzer-output text -Xanalyzer -analyzer-config -Xanalyzer mode=shallow \
            -Xanalyzer -analyzer-disable-checker=core.NonNullParamChecker,core.BitwiseShift,unix.cstring
    # shellcheck disable=SC2086
    need gcc gcc && units gcc gnu99 "$program" $gcc_analyzer
    # shellcheck disable=SC2086
    need cppcheck cppcheck && cppcheck_on -DPERCEPTRON_IMPLEMENTATION -DPERCEPTRON_SIMD=0 --language=c perceptron.h
}

all() {
    forms='PERCEPTRON_GROW PERCEPTRON_STATIC PERCEPTRON_NO_LIBC PERCEPTRON_SIMD=0 PERCEPTRON_DEBUG'
    for analyzer in "$gcc_analyzer" "clang --analyze --analyzer-output text" \
        "$newest --analyze --analyzer-output text"; do
        need "$analyzer" "${analyzer%% *}" || continue
        # shellcheck disable=SC2086
        {
            header_forms $analyzer
            units "${analyzer%% *}" gnu99 "$program" $analyzer
            units "${analyzer%% *}" c99 "$(ls examples/*.c examples/literature/*.c)" $analyzer -DPCN_IMPLEMENTED -Ibuild
        }
    done
    all_cppcheck
    sort -u $out/said >$out/heard
    sed -n 's/^- //p' tests/tools/analyze.txt | grep -vxFf $out/heard | sed 's/^/no tool says any more: /'
}

rm -f $out/said
if short "the header in one form by cppcheck and a shallow look of $newest, the program by gcc; no examples"; then some; else all; fi
finish
