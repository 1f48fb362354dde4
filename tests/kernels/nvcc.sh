#!/bin/sh
# nvcc.sh PROGRAM SOURCE_DIR - `wsim run saxpy.cu` compiles with the nvcc of this machine and runs as saxpy.ptx does;
# the messages of nvcc are shown. 77: there is no nvcc that compiles.
WSIM_ASSEMBLER=none && export WSIM_ASSEMBLER
PATH=$(cd "$(dirname "$1")" && pwd):$PATH
cd "$2/examples/kernels" || exit 2
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
TMPDIR=$out
export TMPDIR
unset NVCC
printf '__global__ void one(int *out) { *out = 1; }\n' >"$out/one.cu"
wsim run "$out/one.cu" --arg 'out[4]' >/dev/null 2>"$out/said" || { cat "$out/said"; exit 77; }
try() { wsim run "$1" --arch sm_80 --grid 1 --block 64 --arg f32:2 --arg 'x[256]=0' --arg 'y[256]=0' --arg s32:64; }
try saxpy.cu >"$out/cu" || { echo "saxpy.cu does not run"; exit 1; }
grep -q 'saxpy.cu:[0-9]* .*y\[' "$out/cu" || { echo "no line of the source"; cat "$out/cu"; exit 1; }
try saxpy.ptx >"$out/ptx"
tail -n 1 "$out/cu" | sed 's/instructions [0-9]*//' >"$out/a"
tail -n 1 "$out/ptx" | sed 's/instructions [0-9]*//' | diff "$out/a" - || exit 1
printf '__global__ void bad(int *out) { *out = none; }\n' >"$out/bad.cu"
wsim run "$out/bad.cu" --arg 'out[4]' 2>"$out/said"
[ $? -eq 2 ] && grep -q 'bad.cu(1): error: .*none' "$out/said" || { echo "no message of nvcc"; cat "$out/said"; exit 1; }
left=$(find "$out" -name 'wsim-*')
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
