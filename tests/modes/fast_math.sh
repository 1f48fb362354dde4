#!/bin/sh
# fast_math.sh CC SOURCE_DIR LEVEL LIBRARY HARNESS - the kernels do not change a bit when they are compiled with
# -ffast-math: nothing else of sim/num holds a float (tests/floors), so all the rest is that of two libraries.
cc=$1 source=$2 level=$3 library=$4 harness=$5
out=$(mktemp -d) && trap 'rm -rf "$out"' EXIT
cd "$source" || exit 2
for file in sim/num/kernel_*.c; do
    object=$out/$(basename "$file" .c).o
    "$cc" -std=c11 "$level" -ffast-math -Iinclude -D_POSIX_C_SOURCE=200809L -c "$file" -o "$object" ||
        exit 2
done
# What an object has the linker takes from no library. A kernel that it took from there all the same
# would be there twice, and does not link.
"$cc" -std=c11 -O1 -Iinclude -D_POSIX_C_SOURCE=200809L tests/modes/modes.c "$out"/*.o "$harness" "$library" \
    -pthread -lm -o "$out/modes" || exit 2
"$out/modes"
