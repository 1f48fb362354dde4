#!/bin/sh
# closed.sh CC SOURCE_DIR - evidence is closed by default. Adds an invented type e3m4, and rows of mma for it and for
# a new shape, to a copy of the sources. Their evidence is "inferred".
cc=$1
source=$(cd "$2" && pwd) || exit 2
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cp -R "$source/sim" "$source/include" "$work/"
after() { # FILE START LINE: plants LINE after the line that begins with START
    awk -v start="$2" -v line="$3" '{ print } index($0, start) == 1 && !done { print line; done = 1 } END { exit !done }' \
        "$work/$1" >"$work/planted" || { echo "closed: $1 has no line '$2'"; exit 1; }
    cp "$work/planted" "$work/$1"
}
after sim/isa/format.def 'BINARY(E4M3,' 'BINARY(E3M4,  "e3m4",   8,  0, 1,  3,  4,    3,  NAN,  0x7F,                    TENSOR,  0)'
after sim/isa/mma.def 'MMA(m16n8k32_fp8_f32,' 'MMA(m16n8k32_e3m4, DENSE, M16N8K32, ROW_COL, T(F32), T(F32), T(E3M4), T(E3M4), FP8, FP8, 84, ISA_DENSE, PLAIN)'
after sim/isa/mma.def 'MMA(m16n8k32_e3m4,' 'MMA(m16n8k64_fp8, DENSE, M16N8K64, ROW_COL, T(F32), T(F32), FLOAT8, FLOAT8, FP8, FP8, 84, ISA_DENSE, PLAIN)'
(cd "$work" && "$cc" -std=c11 -O0 -DWSIM_NO_KERNELS -Iinclude "$source/tests/guards/closed.c" sim/*/*.c -o closed) &&
    "$work/closed" || { echo "closed: a row that no source covers does not say inferred"; exit 1; }
