# which block it takes for a difference, for a finding; and a block alone
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
head -c 256 twos.bin >three.bin
printf '\000\000\100\100' | dd of=three.bin bs=1 seek=136 conv=notrunc 2>/dev/null
go() { wsim run scale.ptx --kernel scale --block 8 --arg out[256]=0 --arg in@in.bin --arg f32:2 --lines 0 "$@"; echo "exit $?"; }
go --grid 8 --expect out=three.bin,f32 --minimize
go --grid 8 --part 4,1 | tail -1
go --grid 9 --minimize
go --grid 9 --minimize --json | tail -4
go --grid 3 --minimize --expect out=three.bin
go --grid 8 --part 8,1
go --part 3
