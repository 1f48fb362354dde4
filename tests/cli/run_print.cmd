# --print and --trace: registers, variables and fragments of a running kernel
cat >k.cu <<'END'
__global__ void k(float *out)
{
    __shared__ float tile[64];
    tile[threadIdx.x] = 1.5f * threadIdx.x;
    if (threadIdx.x < 3)
        out[threadIdx.x] = tile[threadIdx.x + 1];
}
END
cat >k.ptx <<'END'
.version 8.0
.target sm_80
.address_size 64
.file 1 "/home/user/src/k.cu"
.visible .entry _Z1kPf(.param .u64 out)
{
    .reg .pred %p<2>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    .shared .align 4 .b8 _ZZ1kPfE4tile[256];
    .loc 1 4 5
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, _ZZ1kPfE4tile;
    mad.lo.s32 %r3, %r1, 4, %r2;
    cvt.rn.f32.u32 %r4, %r1;
    mul.rn.f32 %r4, %r4, 0f3FC00000;
    st.shared.f32 [%r3], %r4;
    .loc 1 5 5
    setp.gt.u32 %p1, %r1, 2;
    @%p1 bra DONE;
    .loc 1 6 9
    ld.shared.f32 %r5, [%r3+4];
    add.rn.f32 %r5, %r5, 0f3F800000;
    .loc 1 7 1
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.f32 [%rd3], %r5;
DONE:
    ret;
}
END
go() { wsim run k.ptx --block 40 --check none --lines 0 --arg 'out[64]=0' "$@"; }
go --print k.cu:6 --print k.cu:4:%r4,%r2/s32 --at-warp 0
go --print 'k.cu:6:%r5,%r3/u32,tid.x,threadIdx.x,tile/f32x8[0],tile/f32[3],%r77,none' --print k.cu:5:%p1 --at-lane 2
go --print src/k.cu:3 --print k.cu:60 --print other.cu:6 --print 24 --print k.ptx:13 --at-most 1 --at-lane 1 || echo "status $?"
go --print k.cu:6:tile/f32x1 --at-most 1 --json | tr -d ' \n' | grep -o '"printed".*"launches"' | cut -c1-700
# a trace: stable, a line for each instruction
go --trace trace.tsv --at-lane 2 >/dev/null
cat trace.tsv
go --trace trace.tsv --at-warp 1 --at-block 0 >/dev/null
wc -l <trace.tsv
sed -n '4,5p' trace.tsv
# fragments
cat >m.ptx <<'END'
.version 8.0
.target sm_80
.address_size 64
.visible .entry m()
{
    .reg .b32 %r<16>;
    .reg .f32 %f<8>;
    mov.u32 %r1, %laneid;
    cvt.rn.f16x2.f32 %r2, 0f3F800000, 0f40000000;
    mov.f32 %f1, 0f3F000000;
    mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1,%f1,%f2,%f3}, {%r2,%r2}, {%r2}, {%f1,%f1,%f1,%f1};
    ret;
}
END
sed -i 's/{%f1,%f1,%f2,%f3}/{%f4,%f5,%f6,%f7}/' m.ptx
wsim run m.ptx --block 32 --lines 0 --print 11:b,d
wsim run m.ptx --block 32 --lines 0 --print 9:a
# what is wrong
for place in 0 :5 k.cu k.cu:x k.cu:5: k.cu:5:%r1/f31 'k.cu:5:tile[' 'k.cu:5:tile[1][2][3]' k.cu:5:,; do go --print "$place"; done
go --at-warp 1
go --print 5 --at-warp 32
go --print 5 --at-block x
go --trace none/trace.tsv
