#!/bin/sh
# fast_math.sh CC SOURCE_DIR LEVEL - the kernels do not change a bit when all of wsim is compiled with
# -ffast-math.
cc=$1 source=$2 level=$3
out=$(mktemp -d) && trap 'rm -rf "$out"' EXIT
cd "$source" || exit 2
for file in sim/*/*.c tests/modes/modes.c; do
    case $file in
    sim/num/kernel_*) flags="$level -ffast-math" ;;
    *) flags=-O1 ;;
    esac
    object=$out/$(echo "$file" | tr / _).o
    "$cc" -std=c11 $flags -Iinclude -D_POSIX_C_SOURCE=200809L -c "$file" -o "$object" || exit 2
done
"$cc" -pthread "$out"/*.o -lm -o "$out/modes" || exit 2
"$out/modes"
