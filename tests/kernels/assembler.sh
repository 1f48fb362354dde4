#!/bin/sh
# assembler.sh PROGRAM SOURCE_DIR - with ptxas and nvdisasm, counts follow machine code: kernels/joined stays equal to an
# H200, and six of the eight kernels with loops that the rule cannot follow become equal. 77: ptxas or nvdisasm is missing.
PATH=$(cd "$(dirname "$1")" && pwd):$PATH
cd "$2/tests/kernels/joined" || exit 2
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
TMPDIR=$out
export TMPDIR
unset WSIM_ASSEMBLER
wsim run --launch joined.json --report json -o "$out/joined" || exit 1
grep -q '"counted_by": "machine code"' "$out/joined" || { echo "ptxas or nvdisasm is missing, or too old"; exit 77; }
! grep '"counted_by": "rule"' "$out/joined" || exit 1
wsim run --launch unrolled.json --lines 0 >"$out/unrolled"
tail -n 1 "$out/unrolled" | grep -q 'different [0-2]$' || { cat "$out/unrolled"; exit 1; }
! tail -n 1 "$out/unrolled" | grep -q 'note:.*unrolls' || exit 1
wsim run --launch joined.json --lines 0 --assembler "$out/none" 2>"$out/said"
[ $? -eq 2 ] && grep -q 'there is no ptxas' "$out/said" || { cat "$out/said"; exit 1; }
left=$(find "$out" -name 'wsim-*')
[ -z "$left" ] || { echo "left behind: $left"; exit 1; }
