#!/bin/sh
# The program for Windows, under wine, gives the models and predictions of the other one, of files with either end of
# line and with either slash; an output takes its name when it is whole.
#
# Tests that the program has on this system, and what is Windows' own (windows.py). From the root of the project, with
# build/perceptron there; wants Debian's gcc-mingw-w64-x86-64 wine64.
. tests/lib.sh

program=$PWD/$out/perceptron
WINEPREFIX=$PWD/$out/wine WINEDEBUG=-all PYTHONPATH=tests
export WINEPREFIX WINEDEBUG PYTHONPATH
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
server=$(command -v wineserver64 || echo /usr/lib/wine/wineserver64)
need x86_64-w64-mingw32-gcc "gcc-mingw-w64-x86-64" || finish
need "$wine" wine64 || finish
faster=
! short "the program by -O1" || faster=CFLAGS=-O1
# shellcheck disable=SC2086 # a word, or none
make -s $faster build/perceptron.exe
verdict $? "the program is built" || finish
# setarch -R: with addresses at random, wine finds the page it wants taken, once in 6,000 starts, and ends with status 1.
printf '#!/bin/sh\nexec setarch -R "%s" "%s/build/perceptron.exe" "$@"\n' "$wine" "$PWD" >"$program"
chmod +x "$program"

# The first program makes the folder of wine. Then the server of wine, and what it starts for the second program, stay until
# the end: started by a test, they would hold its pipes.
once() {
    timeout 300 "$program" --version </dev/null >/dev/null 2>&1
}
trap '"$server" -k' EXIT
once
"$server" -k
"$server" -p >/dev/null 2>&1 </dev/null
once
verdict $? "the program runs under wine" || finish
tests='targets/windows program/first_line program/row_by_row program/reading'
! short "windows and first_line of the tests $tests" || tests='targets/windows program/first_line'
for test in $tests; do
    echo "$test"
    PROGRAM=$program python3 tests/$test.py >"$out/log" 2>&1 </dev/null
    grep -E '^(FAIL|skipped)' "$out/log"
    if ! add "$out/log"; then verdict 1 "$test did not finish"; fi
done
finish
