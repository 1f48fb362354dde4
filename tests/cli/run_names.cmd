# names that do not exist, and arguments that are not the parameters
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
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"kernel": "scale", "args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"kernel": "_Z5scalePfPKf", "args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"buffer": "out"}, {"buffer": "im"}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"buffer": "out"}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"buffer": "out"},
 {"buffer": "in"},
 {"f64": 2}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"buffer": "out", "offset": 65}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]}], "symbols": {"tables": {"bytes": 4, "fill": 0}}}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]}], "symbols": {"table": {"bytes": 20, "fill": 0}}}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]}], "symbols": {"table": {"bytes": 16}}}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]}], "expect": {"ot": {"file": "x"}}}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]}], "save": {"ot": "x"}}'
# a name that JSON cannot have
bytes=$(printf '\377\376')
cp scale.ptx "$bytes.ptx"
wsim run "$bytes.ptx"
wsim run scale.ptx --arg "out@$bytes"
wsim run scale.ptx --kernel "$bytes"
wsim run scale.ptx --out "out=$bytes"
echo 'import wsim' >script.py && wsim run script.py
