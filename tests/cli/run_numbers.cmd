# numbers that do not fit, and those that are texts because JSON is too short for them
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
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"u8": 256}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"s8": -129}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"b16": -32769}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"u32": -1}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"s32": "0x80000000"}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"s32": 1.5}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"s32": "0x1g"}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"u64": "18446744073709551616"}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"u64": 18446744073709551615}, {"s64": "-9223372036854775809"}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"f32": 1e39}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"f16": 65520}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"f32": "0x123456789"}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"f64": "one"}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"f64": true}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"hex": "abc"}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"hex": ""}]}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 1e3}}, "launches": [{}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 100000000000}}, "launches": [{}]}'
try '{"ptx": "scale.ptx", "buffers": {"a": {"bytes": 4294967296}, "b": {"bytes": 1}}, "launches": [{}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 1, "fill": 256}}, "launches": [{}]}'
# numbers of more than 64 bits, and a time that no computer waits
wsim run --launch l.json --seed 18446744073709551616
wsim run --launch l.json --max-instructions 99999999999999999999
wsim run --launch l.json --timeout 1e999
