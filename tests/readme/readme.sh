#!/bin/sh
# readme.sh CC LIBRARY SOURCE_DIR - examples/tile_test.c, which README.md shows, alone: it compiles without a warning and
# finds nothing wrong. With a conflict or a wrong spelling planted in it, it says so.
cc=$1
library=$2
source=$3
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failed=0

run() { # PROGRAM STATUS WORDS
    "$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$source/include" "$work/$1.c" "$library" \
        -o "$work/$1" || { failed=1; return; }
    "$work/$1" >"$work/out" 2>&1
    status=$?
    if [ $status -ne "$2" ] || ! grep -q "$3" "$work/out"; then
        echo "$1: exit status $status, not $2, or no '$3' in:" && cat "$work/out"
        failed=1
    fi
}

grep -q 'examples/tile_test.c build/libwsim.a' "$source/README.md" || { echo "README.md does not compile it"; exit 1; }
cp "$source/examples/tile_test.c" "$work/right.c"
sed 's/(half ^ row \/ 4 % 2)/half/' "$work/right.c" >"$work/conflict.c"
sed 's/f16\.f32"/f16.f23"/' "$work/right.c" >"$work/spelling.c"
run right 0 '^0 conflicts, 0 elements wrong$'
run conflict 1 '^[1-9][0-9]* conflicts, 0 elements wrong$'
run spelling 1 'nearest legal: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32$'
exit $failed
