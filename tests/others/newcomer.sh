#!/bin/sh
# Somebody new gets through the first hour: in a terminal of 80 columns, and in a fresh Debian root, without git,
# terminals or /proc, by the README's lines.
#
# From the project's root, with build/perceptron there; writes only to build/. The fresh root takes root rights,
# debootstrap and the network; it is made once (make clean removes it), and each run uses a copy.
. tests/lib.sh

P=build/perceptron

prints() { # TEXT COMMAND...: succeeds and prints a line with the text
    text=$1
    shift
    "$@" >$out/said 2>&1 </dev/null
    status=$?
    [ $status -eq 0 ] && grep -qF -e "$text" $out/said
    verdict $? "$*: status $status, or without '$text': $(head -n 5 $out/said)"
}

# ---- A terminal ----

terminal() {
    tmux -L newcomer$$ -f /dev/null "$@"
}

await() { # TEXT: on the screen, within 10 seconds
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        terminal capture-pane -p -J >$out/screen
        grep -qF -e "$1" $out/screen && break
        sleep 0.5
    done
    grep -qF -e "$1" $out/screen
    verdict $? "the terminal does not show '$1': $(grep . $out/screen | tail -n 3)" &&
        expect "more than 80 columns: $(grep -E '.{81}' $out/screen)" awk 'length > 80 { exit 1 }' $out/screen
}

own_terminal() {
    need tmux tmux || return
    rm -f $out/digits
    ln -sf "$PWD/$P" $out/perceptron
    cp examples/data/digits.csv $out/digits.csv
    terminal new-session -d -x 80 -y 50 -c $out "PS1='> ' exec sh" || return
    trap 'terminal kill-server' EXIT
    terminal send-keys "./perceptron train -e 1000000 digits.csv digits" Enter
    await " 655" && expect "no head of the table" grep -q 'rows  epoch      updates     mistakes' $out/screen
    terminal send-keys C-c
    await "to go on"
    terminal send-keys "clear; ./perceptron train --resume digits -e 5 digits.csv digits; echo status \$?" Enter
    await "status 0" && expect "no 5 epochs more" grep -q '^5 epochs' $out/screen
    terminal kill-server
    trap - EXIT
    prints "Accuracy = " $P predict examples/data/digits.csv $out/digits $out/digits.predicted
}

# ---- A fresh root, the README line by line ----

base=$PWD/$out/base root=$PWD/$out/root

make_base() {
    [ ! -e $base.done ] || return 0
    rm -rf $base
    if ! debootstrap --variant=minbase bookworm $base >$out/log 2>&1; then
        skip "debootstrap makes no root here (is there a network?): $(tail -n 1 $out/log)"
        return 1
    fi
    touch $base.done
}

faster=
! short "what is built in the fresh root is built by -O0" || faster=CFLAGS=-O0
in_root() { # COMMANDS
    # shellcheck disable=SC2086 # a word, or none
    chroot $root env -i HOME=/ PATH=/usr/sbin:/usr/bin:/sbin:/bin $faster sh -c "cd /perceptron.h && $1"
}

make_root() {
    [ "$(id -u)" -eq 0 ] || { skip "a fresh Debian root: needs root rights" && return 1; }
    if ! git ls-files -z >$out/tracked 2>/dev/null; then
        skip "a fresh Debian root: git does not say which files are the project's"
        return 1
    fi
    need debootstrap debootstrap && make_base || return
    rm -rf $root
    cp -a $base $root
    cp -L /etc/resolv.conf $root/etc/
    mkdir $root/perceptron.h
    xargs -0 tar c <$out/tracked | tar x -C $root/perceptron.h
    if ! in_root "apt-get -qq -o APT::Update::Error-Mode=any -o Dir::State::lists=/tmp update" >$out/log 2>&1; then
        skip "a fresh Debian root: no network"
        return 1
    fi
}

# The README's first block of a language: README's lines come as input.
block() { # LANGUAGE
    awk -v begin='```'"$1" '$0 == "```" && inside { exit } inside { print } $0 == begin { inside = 1 }'
}

readme_demo() {
    began=$(date +%s)
    prints "97.67 % of 300 test rows right" in_root "$(grep '&& make demo$' README.md)"
    echo "the README's demo line: $(($(date +%s) - began)) s"
    check grep -q '^<svg' $root/perceptron.h/build/digits.svg
}

readme_program() {
    block c <README.md >$out/program.c
    sed '1,/^```c$/d' README.md | block sh >$out/program.sh
    source=$(sed -n 's/^g\{0,1\}cc \(.* \)*\([^ ]*\.c\)\( .*\)*$/\2/p' $out/program.sh)
    if [ -z "$source" ]; then
        skip "the README's program: no cc line in the block below it"
        return
    fi
    cp $out/program.c "$root/perceptron.h/$source"
    prints "" in_root "set -e; $(cat $out/program.sh)"
}

readme_shell() {
    expect "the program is built with what the demo needs" in_root "make build/perceptron"
    expect "it learns" in_root "build/perceptron train examples/data/digits.csv build/digits.model"
    prints "skipped: python3 is not installed" in_root "make -s test T=reading"
}

# No git, no /dev/pts and no /proc: what a test lacks is skipped with a sentence.
readme_tests() {
    line=$(grep '&& make test$' README.md)
    asking='signals tree' with=compare # for processes and git, and for terminals
    ! short "of make test only $asking and robust" ||
        line="${line% make test} for test in $asking; do make -s test T=\$test || exit; done" with=robust
    expect "nothing that it would lack is there" test ! -e $root/usr/bin/git -a ! -e $root/dev/pts/ptmx
    in_root "$line" >$out/tests 2>&1
    verdict $? "$line: status $?: $(grep -E '^FAIL|Error' $out/tests | head -n 5; tail -n 20 $root/perceptron.h/build/tests/run/*.log | grep -B9 -E 'Error|Expired')"
    prints "there are none here (mount /dev/pts)" in_root "make -s test T=$with"
    if mount -t devpts -o newinstance devpts $root/dev/pts 2>$out/log; then
        trap 'umount $root/dev/pts' EXIT
        in_root "make -s test T=$with" >$out/tests 2>&1
        verdict $? "make test T=$with with terminals: $(tail -n 3 $out/tests)"
        expect "it is skipped where there are terminals" sh -c "! grep -q 'mount /dev/pts' $out/tests"
        umount $root/dev/pts
        trap - EXIT
    else
        skip "a fresh Debian root with terminals: $(tail -n 1 $out/log)"
    fi
}

own_terminal
if make_root; then
    readme_demo
    readme_program
    readme_shell
    readme_tests
    rm -rf $root
fi
finish
