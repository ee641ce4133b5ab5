#!/bin/sh
# The first hour of somebody new: a fresh Debian root and the README's lines, own data as they are, a terminal of
# 80 columns. From the project's root, with build/perceptron there; writes only to build/. The fresh root takes root
# rights, debootstrap and the network; it is made once (make clean removes it), and each run uses a copy.
. tests/lib.sh

P=build/perceptron
model=$out/model customers=$out/customers.csv later=$out/later.csv

says() { # STATUS TEXT COMMAND...: ends with this status and one sentence that holds the text
    want=$1 text=$2
    shift 2
    "$@" >$out/said 2>&1 </dev/null
    got=$?
    [ $got -eq "$want" ] && [ "$(wc -l <$out/said)" -eq 1 ] && grep -qF -e "$text" $out/said
    verdict $? "$*: status $got instead of $want, or without '$text': $(head -n 3 $out/said)"
}

prints() { # TEXT COMMAND...: succeeds and prints a line with the text
    text=$1
    shift
    "$@" >$out/said 2>&1 </dev/null
    status=$?
    [ $status -eq 0 ] && grep -qF -e "$text" $out/said
    verdict $? "$*: status $status, or without '$text': $(head -n 5 $out/said)"
}

# ---- Own data ----

# Customers who leave: quoted fields, values that are missing, a text column, a column of names, the label in the
# middle. Beside it what is in them, plain, for export: age income visits city, - where there is nothing.
make_customers() {
    awk -v plain=$out/plain '
        function draw(n) { seed = seed * 16807 % 2147483647; return seed % n }
        BEGIN {
            seed = 7
            split("Berlin|Lyon|\"Paris, 15e\"|\"Turin \"\"Nord\"\"\"", city, "|")
            print "id,age,\"income, EUR\",left,city,visits"
            for (i = 1; i <= 400; i++) {
                age = 18 + draw(60); income = 1000 + draw(4000); visits = draw(30)
                c = i <= 4 ? i : 1 + draw(4)
                left = (age - 45) * 40 + (income - 3000) / 2 + (c == 2) * 900 - visits * 20 < -200 ? "yes" : "no"
                if (draw(20) == 0) age = "NA"
                if (draw(25) == 0) income = ""
                print "C" 10000 + i "," age "," income "," left "," city[c] "," visits
                print age, income == "" ? "NA" : income, visits, c >plain
            }
        }' >$out/all.csv
    head -n 301 $out/all.csv >$customers
    { head -n 1 $out/all.csv; tail -n 100 $out/all.csv; } >$later
    tail -n 100 $out/plain >$out/plain.later
}

# The same rows as a colleague sends them: other columns first, no label.
other_order() {
    awk -F'"' -v OFS='"' '
        function out(a, b) { print b "," a }
        NR == 1 { print "visits,city,\"income, EUR\",id,age"; next }
        {
            visits = $0; sub(/.*,/, "", visits)
            rest = substr($0, 1, length($0) - length(visits) - 1)
            split(rest, f, ",")
            city = rest; sub(/^[^,]*,[^,]*,[^,]*,[^,]*,/, "", city)
            print visits "," city "," f[3] "," f[1] "," f[2]
        }' $later
}

own_table() {
    make_customers
    says 2 "column 'age' has no value here ('NA'): --missing zero, mean or drop" $P train $customers $model
    says 2 "no label column 'lefft'" $P train --label lefft $customers $model
    says 1 "is --label meant?" $P train --labl left $customers $model
    prints "Accuracy = 9" $P train --label left --ignore id --missing mean --normalize maxabs -t $later --report \
        $customers $model
    for text in "Baseline = " "AUC = 0.9" "precision  recall" "macro average"; do
        expect "the report has no '$text'" grep -qF "$text" $out/said
    done
    prints "against yes" $P show $model
    for text in "city=Turin \"Nord\"" "income, EUR" "--ignore id --missing mean"; do
        expect "show has no '$text'" grep -qF -e "$text" $out/said
    done
    prints "Accuracy = 9" $P predict $later $model $out/predicted
    other_order >$out/other.csv
    expect "other columns" $P predict $out/other.csv $model $out/predicted.other
    expect "predictions are those of the columns' names" cmp $out/predicted $out/predicted.other
    expect "a curve" $P predict --roc $out/roc.svg $later $model $out/predicted
    check grep -q '^<svg' $out/roc.svg
    prints "mean accuracy 9" $P train --folds 5 --label left --ignore id --missing mean --normalize maxabs $customers
    prints "--ignore 'id' leaves it out" $P train --label left --missing zero $customers $out/m
    prints "advice: feature income, EUR" $P train --normalize none --label left --ignore id --missing zero $customers $out/m
}

# Nothing of the newcomer's is lost.
own_files() {
    cp $later $out/kept.csv
    says 1 "is no model; test rows go after -t" $P train $customers $later
    says 1 "is an input" $P train $customers $customers
    says 1 "is no export" $P export $model $later
    says 1 "holds no predictions" $P predict $customers $model $later
    says 1 "is an input" $P predict $later $model $later
    long="timeout 10 $P train -q -e 1000000 --label left --missing zero"
    says 3 "absent" $long -t $out/absent $customers $out/none
    says 1 "no such label" $long --weight ja=2 $customers $out/none
    expect "the test rows are still there" cmp $later $out/kept.csv
    expect "a training that cannot be finished leaves no file" test ! -e $out/none
}

# ---- Files that are something else ----

own_formats() {
    table="a,b,y\n1.5,2,no\n2.5,1,yes\n"
    # shellcheck disable=SC2059
    printf "$table" | tr , '\t' >$out/tabs
    says 2 "not by ',': --sep tab reads them" $P train $out/tabs $out/m
    check $P train -q --sep tab $out/tabs $out/m
    printf "$table" | tr , ';' >$out/semicolons
    says 2 "not by ',': --sep ';' reads them" $P train $out/semicolons $out/m
    check $P train -q --sep ';' $out/semicolons $out/m
    printf "$table" | gzip >$out/packed.gz
    says 2 "compressed by gzip: read it through gunzip -c" $P train $out/packed.gz $out/m
    expect "unpacked" sh -c "gunzip -c $out/packed.gz | $P train -q - $out/m"
    printf "$table" | iconv -t UTF-16 >$out/wide.csv
    says 2 "iconv -f UTF-16" $P train $out/wide.csv $out/m
    printf '"a","y"\n"1",2,0\n"2",1,1\n' >$out/r.csv
    says 2 "R's row names?" $P train $out/r.csv $out/m
    printf 'a,b,a,y\n1,2,3,0\n2,3,4,1\n' >$out/twice.csv
    says 2 "columns 1 and 3 have the same name 'a'" $P train $out/twice.csv $out/m
}

# ---- Texts ----

make_messages() {
    awk 'function draw(n) { seed = seed * 16807 % 2147483647; return seed % n }
        BEGIN {
            seed = 11
            split("free prize call now win cash urgent claim txt mobile", bad)
            split("see you at home later ok lunch tomorrow thanks love", good)
            split("the a I and to, it is my! for \"hey\"", both)
            for (i = 1; i <= 500; i++) {
                spam = draw(4) == 0
                line = spam ? "spam\thi" : "ham\thi"
                for (k = 4 + draw(8); k > 0; k--) {
                    of = draw(10); w = 1 + draw(10)
                    line = line " " (of < 4 ? both[w] : spam != (of == 9) ? bad[w] : good[w])
                }
                print line
            }
        }'
}

own_texts() {
    make_messages >$out/messages
    head -n 400 $out/messages >$out/messages.train
    tail -n 100 $out/messages >$out/messages.test
    says 2 "--text if a line is a label, a tab and a text" $P train $out/messages.train $out/texts
    prints "AUC = 0.9" $P train --text -t $out/messages.test --report --roc $out/text.svg $out/messages.train $out/texts
    prints "for spam" $P show $out/texts
    check grep -q '^<svg' $out/text.svg
    cut -f 2 $out/messages.test >$out/unread
    check $P predict -q $out/messages.test $out/texts $out/spam
    check $P predict -q $out/unread $out/texts $out/spam.unread
    expect "texts alone, without labels" cmp $out/spam $out/spam.unread
    prints "Accuracy = " $P train --text --ngrams 2 --hash 12 -t $out/messages.test $out/messages.train $out/hashed
}

# ---- In C ----

# Rows of numbers as the comment of the exported file numbers them, and says what to put where nothing is.
exported_rows() {
    awk 'FNR == NR { if (/where it is missing: /) fill[$2] = $NF + 0; next }
        {
            for (i = 0; i < 3; i++) printf "%s ", $(i + 1) == "NA" ? fill[i] : $(i + 1)
            for (i = 1; i <= 4; i++) printf("%d%s", $4 == i, i < 4 ? " " : "\n")
        }' $out/model.h $out/plain.later
}

own_c() {
    check $P export --as arrays --predict $model $out/model.h || return
    cat >$out/row.c <<'EOF'
#include <stdio.h>
#include "model.h"

int main(void)
{
    float x[model_FEATURES];
    int i = 0;
    while (scanf("%f", &x[i]) == 1) {
        i = (i + 1) % model_FEATURES;
        if (i == 0) puts(model_label[model_predict(NULL, x, model_FEATURES)]);
    }
    return 0;
}
EOF
    # shellcheck disable=SC2086
    expect "the exported C compiles" $CC -std=c99 $warnings $out/row.c -o $out/row || return
    exported_rows | $out/row >$out/predicted.c
    expect "the exported C predicts as the program on every row" cmp $out/predicted $out/predicted.c
}

# ---- A terminal ----

terminal() {
    tmux -L newcomer$$ -f /dev/null "$@"
}

help_fits() {
    for command in "" train predict export import show; do
        # shellcheck disable=SC2086
        expect "$command --help: more than 80 columns" sh -c "! $P $command --help | grep -E '.{81}'"
    done
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
    help_fits
    need tmux tmux || return
    rm -f $out/digits
    ln -sf "$PWD/$P" $out/perceptron
    cp examples/data/digits.csv $out/digits.csv
    terminal new-session -d -x 80 -y 50 -c $out "PS1='> ' exec sh" || return
    trap 'terminal kill-server' EXIT
    terminal send-keys "./perceptron train -e 1000000 digits.csv digits" Enter
    await " 655" && expect "no head of the table" grep -q 'rows  epoch      updates     mistakes' $out/screen
    terminal send-keys C-c
    await "to go on, all rows again:"
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

in_root() { # COMMANDS
    chroot $root env -i HOME=/ PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -c "cd /perceptron.h && $1"
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

own_table
own_files
own_formats
own_texts
own_c
own_terminal
if make_root; then
    readme_demo
    readme_program
    readme_shell
    rm -rf $root
fi
finish
