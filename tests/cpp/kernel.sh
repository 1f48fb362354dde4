#!/bin/sh
# kernel.sh NVCC PROGRAM SOURCE_DIR - examples/cpp/kernel.cu compiles, and its indices are constants in its code. Its
# PTX computes the right product: D equals that of awk. Skipped (77) without nvcc.
nvcc=$1 program=$2 source=$3
[ -x "$nvcc" ] || { echo "skipped: no nvcc"; exit 77; }
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
set -e
"$nvcc" -std=c++17 -arch=sm_80 -I"$source/include" -ptx "$source/examples/cpp/kernel.cu" -o "$work/kernel.ptx"
! grep -q 'ld\.local\|st\.local' "$work/kernel.ptx" || { echo "tables in local memory"; exit 1; }
cd "$work"
# a[i] is f16 of i % 3 + 1, b[i] of i % 5 + 1: the high bytes are below, the low ones 0.
numbers() { # COUNT MODULUS
    LC_ALL=C awk -v n="$1" -v m="$2" 'BEGIN {
        split("60 64 66 68 69", high)
        for (i = 0; i < n; i++) printf "%c%c", 0, high[i % m + 1] + 0 }'
}
numbers 1024 3 >a.bin
numbers 512 5 >b.bin
"$program" run kernel.ptx --kernel multiply --block 32 --arg a@a.bin --arg b@b.bin --arg 'd[512]' --out d=d.bin >said 2>&1 ||
    { cat said; exit 1; }
od -An -v -tf4 d.bin | tr -s ' ' '\n' | sed '/^$/d' >is
awk 'BEGIN { for (row = 0; row < 16; row++) for (col = 0; col < 8; col++) {
    sum = 0
    for (k = 0; k < 64; k++) sum += ((row * 64 + k) % 3 + 1) * ((col * 64 + k) % 5 + 1)
    print sum } }' >wanted
cmp is wanted || { paste is wanted | head -20; exit 1; }
