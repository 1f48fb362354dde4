#!/bin/sh
# planted.sh PROGRAM DIR - recorded files with one thing changed: each run says what and where, and
# ends with status 1.
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
dir=$(cd "$2" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

# fresh FOLDER: a copy of it that may be changed.
fresh() {
    rm -rf "$work/k"
    mkdir "$work/k"
    cp "$dir/$1"/* "$work/k"
    chmod -R u+w "$work/k"
}

# put FILE OFFSET OCTAL: one byte.
put() { printf "\\$3" | dd of="$work/k/$1" bs=1 seek="$2" conv=notrunc 2>/dev/null; }

# see NAME LAUNCH WORDS...: status 1, and the words in the answer.
see() {
    name=$1 launch=$2
    shift 2
    "$program" run --launch "$work/k/$launch" --lines 0 >"$work/out" 2>&1
    status=$?
    for words in "$@"; do
        [ $status -eq 1 ] && grep -qF -e "$words" "$work/out" && continue
        echo "$name: exit $status, not seen: $words"
        cat "$work/out"
        failed=1
    done
}

fresh half_math
put bf16.out.expected.bin 1027 125 # a byte of word 256
see byte bf16.json 'out: 1 of 4096 bytes differ, the first byte 1027, 32-bit word 256' 'different 1'

fresh half_math
put bf16.out.expected.bin 4095 125
see 'the last byte' bf16.json 'the first byte 4095, 32-bit word 1023'

fresh half_math
put bf16.in.bin 0 125 # other operands, other results
see input bf16.json 'bytes differ, the first byte' 'findings 0 different'

fresh half_math
sed 's/"ld_wavefronts": 0/"ld_wavefronts": 7/; s/"st_conflicts": 0/"st_conflicts": 1/' \
    "$work/k/bf16.json" >"$work/k/counted.json"
see counters counted.json 'counter ld_wavefronts: 7 expected, got 0' \
    'counter st_conflicts: 1 expected, got 0' 'different 2'

fresh printf_forms
sed 2d "$dir/printf_forms/stdout.txt" >"$work/k/stdout.txt"
see 'a line too many' launch.json 'stdout: 1 extra lines' 'different 1'
{ cat "$dir/printf_forms/stdout.txt"; echo 'one more'; } >"$work/k/stdout.txt"
see 'a line is missing' launch.json "stdout: 1 lines are missing" "'one more'" 'different 1'

fresh sgemm
sed 's/"file": "naive.C.expected.bin"/&, "type": "f32", "ulp": 2/' "$dir/sgemm/naive.json" >"$work/k/near.json"
put naive.C.expected.bin 401 125
see limit near.json 'C: 1 of 1961 elements are beyond their limit, first element 100:'

# Descriptors of wgmma that do not advance, advance too little, and advance as they should.
step() { # NAME A2 A3 WORDS...: the second and third step of A in bytes
    name=$1 two=$2 three=$3
    shift 3
    fresh wgmma_gemm
    sed "0,/r63, %r57, 32;/s//r63, %r57, $two;/;0,/r69, %r57, 64;/s//r69, %r57, $three;/;s/262112/262128/" \
        "$dir/wgmma_gemm/wgmma_gemm.ptx" >"$work/k/wgmma_gemm.ptx"
    see "$name" one.json "$@" 'findings 0'
}
step 'a step of A is missing' 0 64 'wgmma_gemm.cu:25: note: advice.step.repeated: product 2 of this sum reads the tile of A at a'
step 'half a step of A' 16 64 'product 2 of this sum reads 1024 bytes of A from a+0x10 on, which product 1 has read' 'whole step'
"$program" run --launch "$dir/wgmma_gemm/one.json" --lines 0 >"$work/out" 2>&1
grep -q step.repeated "$work/out" && { echo 'a step for nothing'; cat "$work/out"; failed=1; }

# The map of A has no swizzle, and the descriptor has one. Every recorded kernel is without this note.
fresh wgmma_gemm
sed '0,/"swizzle": "128B"/s//"swizzle": "NONE"/' "$dir/wgmma_gemm/one.json" >"$work/k/one.json"
see 'another swizzle' one.json 'findings 0' \
    'wgmma_gemm.cu:25: note: advice.swizzle.mixed: the descriptor of A at a+0x0 has swizzle 128B, and the tensor map of the copy that wrote the tile has NONE'
grep -q 'of B' "$work/out" && { echo 'a swizzle for nothing'; cat "$work/out"; failed=1; }
for launch in wgmma_gemm/one wgmma_gemm/two wgmma_gemm/specialised wgmma_forms/bytes; do
    "$program" run --launch "$dir/$launch.json" --lines 0 >"$work/out" 2>&1
    ! grep -q swizzle.mixed "$work/out" || { echo "$launch: a swizzle for nothing"; cat "$work/out"; failed=1; }
done

# The order of lines is free: no difference.
fresh printf_forms
sed -n '1!G;h;$p' "$dir/printf_forms/stdout.txt" >"$work/k/stdout.txt"
"$program" run --launch "$work/k/launch.json" >"$work/out" 2>&1 || { echo order; cat "$work/out"; failed=1; }
exit $failed
