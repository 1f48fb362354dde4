#!/bin/sh
# fast_math.sh CC SOURCE_DIR LEVEL ROOMS - kernels give the same bits when they are compiled with -ffast-math.
# No other file holds a float (tests/floors), so all else comes from the archive ROOMS as it was built.
# The kernels are one text, compiled for three widths of vectors. With WSIM_TEST_SAMPLE one width is compiled.
cc=$1 source=$2 level=$3 rooms=$4
out=$(mktemp -d) && trap 'rm -rf "$out"' EXIT
cd "$source" || exit 2
kernels="sim/kernels/*.c"
[ "${WSIM_TEST_SAMPLE:-1}" = 1 ] || kernels=sim/kernels/avx2.c
for file in $kernels; do
    object=$out/$(basename "$file" .c).o
    "$cc" -std=c11 "$level" -ffast-math -Iinclude -D_POSIX_C_SOURCE=200809L -c "$file" -o "$object" ||
        exit 2
done
# The linker takes nothing from the archive that an object has. A kernel that it took from both would be
# defined twice, and the program would not link.
"$cc" -std=c11 -O1 -Iinclude -D_POSIX_C_SOURCE=200809L tests/modes/modes.c "$out"/*.o "$rooms" \
    -pthread -lm -o "$out/modes" || exit 2
"$out/modes"
