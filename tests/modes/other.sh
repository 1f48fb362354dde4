#!/bin/sh
# other.sh CC QEMU SOURCE_DIR [FLAG...] - the paths of vectors on another machine: the rooms of matrix instructions
# are compiled for it, and the modes run under qemu. Skipped (77) where compiler or qemu is missing.
cc=$1 qemu=$2 source=$3
shift 3
command -v "$cc" >/dev/null && command -v "$qemu" >/dev/null || { echo "skipped: no $cc or $qemu"; exit 77; }
out=$(mktemp -d) && trap 'rm -rf "$out"' EXIT
cd "$source" || exit 2
rooms=$(sed -n 's/^wsim_room(cases *ON \(.*\) HARNESS)$/\1/p' CMakeLists.txt)
[ -n "$rooms" ] || { echo "no row of the room cases in CMakeLists.txt"; exit 2; }
for file in $(for room in $rooms spell names; do echo "sim/$room/*.c"; done) harness/cases/*.c tests/modes/modes.c; do
    # Compiling takes longer than the run, so nothing is optimised.
    "$cc" -std=c11 -O0 "$@" -Iinclude -D_POSIX_C_SOURCE=200809L -c "$file" \
        -o "$out/$(echo "$file" | tr / _).o" || exit 2
done
"$cc" -static -pthread "$out"/*.o -lm -o "$out/modes" || exit 2
"$qemu" "$out/modes"
