# What the shell tests share: each begins with `. tests/lib.sh`, from the project's root, and ends with
# `finish`, which prints '(N checks)' and 'N passed, N failed, N skipped': cases. Writes only to $out.
# CC: the compiler (default cc). STB: flags that find stb_ds.h.

out=build/tests/$(basename "$0" .sh)
mkdir -p $out
passed=0 failed=0 skipped=0 checks=0
CC=${CC:-cc}
unset MAKEFLAGS MFLAGS # a make that a test calls has nothing to do with the one that called the test

warnings="-Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef -Wdouble-promotion -Werror"
sanitized="-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all"
native=$($CC -march=native -E -x c /dev/null >/dev/null 2>&1 && echo -march=native)
stb=${STB:-$(pkg-config --cflags-only-I stb 2>/dev/null || echo -I/usr/include/stb)}
stb=$(echo "$stb" | sed 's/-I/-isystem /g') # its warnings are not ours
x86=no
case $(uname -m) in x86_64 | amd64) x86=yes ;; esac
# shellcheck disable=SC3045
ulimit -c 0 2>/dev/null # no core dumps, where the shell can say so

have() { # COMMAND, whose first word counts
    command -v "${1%% *}" >/dev/null 2>&1
}

versions() { # NAME: the numbers of those of gcc or clang that are installed, oldest first
    for number in 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do ! have "$1-$number" || echo $number; done
}

newest_clang() { # clang-22, whose absence is told, if there is none from 19 on
    echo clang-$(versions clang | awk '$1 >= 19 { number = $1 } END { print number ? number : 22 }')
}

# The compilers that tests try beside gcc and clang: the oldest and the newest of both, and gcc 11, which long-lived systems
# have. TESTS=all: all that are installed. NUMBERED=none, in a root that has others for gcc and clang: none.
numbered() {
    [ "${NUMBERED-}" != none ] || return 0
    which='1p;$p;/^11$/p'
    ! whole || which=p
    for name in gcc clang; do
        for number in $(versions $name | sed -n "$which" | sort -n -u); do
            [ "$(readlink -f "$(command -v $name)")" = "$(readlink -f "$(command -v $name-$number)")" ] || echo $name-$number
        done
    done
}

plus_plus() { # COMPILER: that of C++
    echo "$1" | sed 's/^gcc/g++/; s/^clang/clang++/'
}

processor() { # FEATURE
    grep -qsw "$1" /proc/cpuinfo
}

skip() { # WHY
    echo "skipped: $*"
    skipped=$((skipped + 1))
}

# A long test has a short form, which says in a line each what it leaves out. TESTS=all: the whole.
whole() {
    [ "${TESTS-}" = all ]
}

short() { # WHAT is left out; succeeds where it is to be left out
    ! whole && echo "short: $*"
}

# The short form takes the first of every N cases, where sampled() succeeds.
sample() { # N WHAT
    turn=-1 every=1
    ! short "one of $1 $2 is tried" || every=$1
}

sampled() {
    turn=$((turn + 1))
    [ $((turn % every)) -eq 0 ]
}

need() { # COMMAND PACKAGES
    have "$1" && return
    skip "${1%% *} is not installed (Debian: apt-get install $2)"
    return 1
}

verdict() { # STATUS LABEL; returns STATUS. A check that is a case.
    checks=$((checks + 1))
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $2"
    fi
    return "$1"
}

expect() { # LABEL COMMAND...: the command must succeed
    label=$1
    shift
    "$@" >$out/log 2>&1
    verdict $? "$label" || head -n 5 $out/log
}

check() { # COMMAND...
    expect "$*" "$@"
}

# Adds the sum in a file, its last line that is one, and the checks; returns 1 if there is none.
sum='^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$'
checked='^\([0-9]+ checks\)$'
add() { # FILE
    # shellcheck disable=SC2046 # words
    set -- "$(grep -E "$checked" "$1" | tail -n 1 | tr -dc 0-9)" $(grep -E "$sum" "$1" | tail -n 1 | tr -d ,)
    [ $# -ge 5 ] || return
    passed=$((passed + $2)) failed=$((failed + $4)) skipped=$((skipped + ${6:-0})) checks=$((checks + ${1:-$2 + $4}))
}

# Does the table below <!-- NAME --> in PAGE hold what FILE holds? TABLES=write puts it there.
quotes() { # NAME PAGE FILE
    awk -v name="<!-- $1 -->" -v file="$3" '
        /^[^|]/ || /^$/ { skip = 0 }
        !skip { print }
        $0 == name { skip = 1; while ((getline line < file) > 0) print line }' "$2" >$out/page
    [ "${TABLES-}" != write ] || cp $out/page "$2"
    grep -q -x -F -e "<!-- $1 -->" "$2" && [ -s "$3" ] && diff "$2" $out/page
    verdict $? "the table of $1 in $2 is not what is measured: make tables"
}

finish() {
    [ $checks -gt 0 ] || checks=$((passed + failed))
    echo "($checks checks)"
    echo "$passed passed, $failed failed, $skipped skipped"
    [ $failed -eq 0 ]
    exit
}
