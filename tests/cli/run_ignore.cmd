# findings that are left out: by a rule, a place, a comment, a baseline; what leaves out none is said
cat >race.ptx <<'END'
.version 8.0
.target sm_80
.address_size 64
.visible .entry race(.param .u64 out) {
.reg .u64 %a<4>; .reg .u32 %r<4>;
ld.param.u64 %a0, [out]; mov.u32 %r0, %tid.x;
st.global.u32 [%a0], %r0;
st.global.u32 [%a0+4], %r0; // wsim-lint: off-line race.global -- any of them is right
ret; }
END
run() { wsim run race.ptx --block 64 --arg 'out[64]' --lines 0 "$@"; echo "exit $?"; }
# the comment alone, then a line, a kernel, a rule and its symptom
run | grep -v '^  '
run --ignore race.global@race.ptx:7 | grep -v '^  '
run --ignore race@race --ignore race@rce --ignore init | grep -v '^  '
run --ignore race.warp | grep -v '^  '
# other orders have findings too
run --ignore race --seeds 2 | tail -3
# a baseline: written, used, old
run --write-baseline known.txt | tail -2
cat known.txt
run --baseline known.txt | grep -v '^  '
sed -i.old 's/a0+4/a0+8/' race.ptx
run --baseline known.txt | grep -v '^  '
sed -i.old 's/%a0\], %r0/%a0], 7/' race.ptx
run --baseline known.txt | grep -v '^  '
# wrong ones are refused before anything runs
run --ignore race.globl
run --ignore race@
run --baseline none.txt
# JSON and SARIF keep them
run --ignore race --format json | grep -A3 '"suppressed"'
run --ignore race --baseline known.txt --format sarif | grep -A4 '"suppressions"'
# one mistake at two pairs of lines: the second counts if only the first is left out
cat >two.ptx <<'END'
.version 8.0
.target sm_80
.address_size 64
.visible .entry two(.param .u64 out) {
.reg .u64 %a<4>; .reg .u32 %r<4>;
.shared .b32 s[64];
ld.param.u64 %a0, [out]; mov.u32 %r0, %tid.x; mov.u32 %r1, s;
shl.b32 %r2, %r0, 2; add.u32 %r2, %r2, %r1;
st.shared.u32 [%r2], %r0;
xor.b32 %r2, %r2, 128;
ld.shared.u32 %r3, [%r2];
ld.shared.u32 %r3, [%r2];
st.global.u32 [%a0], 7;
ret; }
END
two() { wsim run two.ptx --block 64 --arg 'out[64]' --lines 0 "$@" | grep -v '^  [^ ]'; }
two
two --ignore race@two.ptx:11
# two launches of one kernel have one entry
cat >twice.json <<'END'
{"ptx": "two.ptx", "buffers": {"out": {"bytes": 64}},
 "launches": [{"block": [64], "args": [{"buffer": "out"}]}, {"block": [64], "args": [{"buffer": "out"}]}]}
END
wsim run --launch twice.json --lines 0 --write-baseline twice.txt | tail -1
grep -c two.ptx twice.txt
wsim run --launch twice.json --lines 0 --baseline twice.txt | grep -v '^  [^ ]'
