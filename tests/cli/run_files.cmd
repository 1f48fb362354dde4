# files: below the folder of the launch file, through no link, of the right size
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
printf '%016d' 0 >16.bin
printf '%064d' 0 >64.bin
ln -s scale.ptx link.ptx
ln -s . dir
mkfifo pipe
npy() { printf '\223NUMPY\001\000\166\000%-117s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': ($1), }"; }
{ npy 4,; printf '%016d' 0; } >4.npy
{ npy 5,; printf '%016d' 0; } >bad.npy
try() { echo "$1"; printf '%s\n' "$1" >l.json; wsim run --launch l.json; }
try '{"ptx": "../scale.ptx", "launches": [{}]}'
try '{"ptx": "/etc/passwd", "launches": [{}]}'
try '{"ptx": "none.ptx", "launches": [{}]}'
try '{"ptx": "link.ptx", "launches": [{}]}'
try '{"ptx": "pipe", "launches": [{}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 15, "file": "16.bin"}}, "launches": [{}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 15, "file": "4.npy"}}, "launches": [{}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "file": "bad.npy"}}, "launches": [{}]}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]}], "expect": {"out": {"file": "16.bin"}}}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]}], "expect": {"out": {"abs": 1, "file": "64.bin"}}}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]}], "expect": {"out": {"abs": -1, "type": "f32", "file": "64.bin"}}}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]}], "expect": {"out": {"type": "f8", "file": "64.bin"}}}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]}], "stdout": "none.txt"}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]}], "save": {"out": "../out.bin"}}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]}], "save": {"out": "none/out.bin"}}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]}], "save": {"out": "dir/out.bin"}}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]}], "save": {"out": "link.ptx"}}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]}], "save": {"out": "l.json"}}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]}], "save": {"out": {"file": "x.npy", "type": "f32", "shape": [4, 5]}}}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]}], "save": {"out": {"file": "x.npy", "type": "f24"}}}'
try '{"ptx": "scale.ptx", "buffers": {"in": {"bytes": 64, "fill": 0}, "out": {"bytes": 64, "fill": 0}}, "launches": [{"args": [{"buffer": "out"}, {"buffer": "in"}, {"f32": 2}]}], "save": {"out": {"file": "x.bin", "type": "f32"}}}'
