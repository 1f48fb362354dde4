# several launches in a stream, a symbol, an argument by value, a name that is mangled: what the first
# leaves the second reads
cat >scale.ptx <<'END'
.version 8.0
.target sm_90a
.address_size 64
.global .align 4 .f32 table[4] = {0f3F800000, 0f3F800000, 0f3F800000, 0f3F800000};
.visible .entry _Z5scalePfPKff(.param .u64 out, .param .u64 in, .param .f32 factor)
{
    .reg .b32 %r<6>;
    .reg .f32 %f<5>;
    .reg .b64 %rd<8>;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.s32 %r4, %r1, %r2, %r3;
    mul.wide.u32 %rd1, %r4, 4;
    ld.param.u64 %rd2, [in];
    add.s64 %rd3, %rd2, %rd1;
    ld.global.f32 %f1, [%rd3];
    ld.param.f32 %f2, [factor];
    mul.rn.f32 %f3, %f1, %f2;
    ld.global.f32 %f4, [table];
    mul.rn.f32 %f3, %f3, %f4;
    ld.param.u64 %rd4, [out];
    add.s64 %rd5, %rd4, %rd1;
    st.global.f32 [%rd5], %f3;
    ret;
}
END
i=0
while [ $i -lt 64 ]; do printf '\000\000\200\077'; i=$((i + 1)); done >in.bin # 64 ones
i=0
while [ $i -lt 64 ]; do printf '\000\000\000\100'; i=$((i + 1)); done >twos.bin
cat >l.json <<'END'
{"ptx": "scale.ptx",
 "arch": "sm_80",
 "buffers": {"in": {"file": "in.bin"}, "out": {"bytes": 256}},
 "symbols": {"table": {"file": "twos.bin", "bytes": 256}},
 "launches": [{"kernel": "_Z5scalePfPKff", "block": [64], "args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": "0x3f000000"}]},
              {"kernel": "_Z5scalePfPKff", "block": [64], "args": [{"buffer": "in"}, {"buffer": "out"}, {"hex": "0000803f"}]}],
 "expect": {"in": {"file": "twos.bin"}, "out": {"file": "twos.bin", "type": "f32"}, "symbol:table": {"file": "two.bin"}}}
END
head -c 16 twos.bin >two.bin
wsim run --launch l.json --lines 0
sed 's/, "bytes": 256}}/}}/; s/"file": "twos.bin"}},/"file": "two.bin"}},/' l.json >m.json
wsim run --launch m.json --lines 0; echo "exit $?"
sed 's/"0x3f000000"/"0x3f800000"/' m.json >n.json
wsim run --launch n.json --lines 0
# an expected file of another size than its variable: nothing runs
sed 's/"two.bin"/"in.bin"/' m.json >o.json
wsim run --launch o.json; echo "exit $?"
wsim run --launch m.json --expect symbol:table=in.bin; echo "exit $?"
