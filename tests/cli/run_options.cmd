# a kernel on the command line: a part of its name, buffers, what is kept and compared
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
wsim run scale.ptx --kernel scale --grid 2 --block 32 --arg out[256] --arg in@in.bin --arg f32:2 --out out=out.bin --expect out=twos.bin
wsim run scale.ptx --kernel scale --grid 2 --block 32 --arg out[256] --arg in@in.bin --arg f32:2 --out out=out.npy,f32,8x8 --lines 0
cmp out.bin twos.bin && tail -c 256 out.npy | cmp - twos.bin && head -c 128 out.npy | tail -c 118
wsim run scale.ptx --kernel scale --grid 2 --block 32 --arg out[256] --arg in@in.bin --arg f32:3 --expect out=out.npy --lines 0; echo "exit $?"
wsim run scale.ptx --kernel scale --grid 2 --block 32 --arg out[256] --arg in@in.bin --arg f32:2 --expect out=in.bin --lines 0; echo "exit $?"
wsim run scale.ptx --kernel scale --grid 2 --block 32 --arg out[256] --arg in@in.bin --arg f32:2 --expect out=in.bin,f32 --lines 0; echo "exit $?"
wsim run scale.ptx --kernel scale --grid 2 --block 32 --arg out[256] --arg in@in.bin --arg f32:2 --expect out=in.bin,f32,rel=0.5 --lines 0; echo "exit $?"
wsim run scale.ptx --kernel scale --grid 2 --block 32 --arg out[256] --arg in@in.bin --arg f32:2 --expect out=in.bin,f32,abs=1 --lines 0; echo "exit $?"
wsim run scale.ptx --kernel scale --grid 2 --block 32 --arg out[256] --arg in@in.bin --arg f32:2 --expect out=in.bin,f32,ulp=8388608 --lines 0; echo "exit $?"
