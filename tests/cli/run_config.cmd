# what a launch cannot be is said before any runs, whichever of them it is
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
try() { echo "$1"; printf '%s\n' "$1" >l.json; wsim run --launch l.json; }
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"block": [2000], "args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"grid": [1, 65536], "args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"shared": 300000, "args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]},
 {"grid": [6], "cluster": [4], "args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]}]}'
