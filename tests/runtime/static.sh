#!/bin/sh
# static.sh RUNTIME_DIR PROGRAM LIBRARY OPENER OLD COMPILER - a program with the runtime inside is taken over, and so is a
# library that dlopen loads. A stripped one says what to do. A compiler returns PTX in the place of machine code.
runtime=$1 program=$2 library=$3 opener=$4 old=$5 compiler=$6
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
LD_LIBRARY_PATH=$runtime
export LD_LIBRARY_PATH
fail() {
    echo "$*"
    exit 1
}

"$program" >"$work/out" && fail "the program needs no runtime"
LD_PRELOAD=$runtime/libcudart.so.13 "$program" || fail "the program is not taken over"
LD_PRELOAD=$runtime/libcudart.so.13 "$old" || fail "the program of CUDA 12 is not taken over"
LD_PRELOAD=$runtime/libcudart.so.13 "$opener" "$library" || fail "the library is not taken over"
"$opener" "$compiler" >"$work/out" && fail "the compiler returns PTX by itself"
LD_PRELOAD=$runtime/libcudart.so.13 "$opener" "$compiler" || fail "the compiler returns machine code"
command -v objcopy >/dev/null || exit 0
printf x >"$work/x"
objcopy --strip-all --add-section .nv_fatbin="$work/x" "$program" "$work/stripped"
LD_PRELOAD=$runtime/libcudart.so.13 "$work/stripped" >"$work/out" 2>"$work/err"
grep -q 'wsim: .*stripped.*-cudart shared' "$work/err" || fail "nothing says that the program is stripped"
