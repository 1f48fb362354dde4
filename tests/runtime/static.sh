#!/bin/sh
# static.sh RUNTIME_DIR PROGRAM LIBRARY OPENER OLD COMPILER DSL ASKER MODULE
# A program with the runtime inside is taken over. So are a library that dlopen loads, the library of the CuTe DSL and the
# module of cuda-python. A stripped program says what to do when it calls the driver. A compiler returns PTX.
runtime=$1 program=$2 library=$3 opener=$4 old=$5 compiler=$6 dsl=$7 asker=$8 module=$9
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
"$opener" "$dsl" >"$work/out" && fail "the library of the DSL needs no runtime"
LD_PRELOAD=$runtime/libcudart.so.13 "$opener" "$dsl" || fail "the library of the DSL is not taken over"
"$asker" 2>"$work/err" || fail "the driver has tables that are not public"
[ "$(grep -c '^wsim: .*asker has .* stripped.*-cudart shared' "$work/err")" = 1 ] || fail "nothing says once that the program is stripped"
cp "$asker" "$work/libnvrtc.so.13"
"$work/libnvrtc.so.13" 2>"$work/err" && [ ! -s "$work/err" ] || fail "a compiler that asks for tables lacks something"
command -v python3 >/dev/null || exit 0
ask() {
    PYTHONPATH=$(dirname "$module") python3 -c 'import runtime; print(runtime.count(), runtime.other())'
}
[ "$(ask)" = "-500 -500" ] || fail "the module of Python does not load"
[ "$(LD_PRELOAD=$runtime/libcudart.so.13 ask)" = "1 -500" ] || fail "the module of Python is not taken over"
