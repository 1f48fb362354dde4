# an instruction that no row allows is illegal in PTX of a known version; a kernel beside it runs
cat >a.ptx <<'END'
.version 9.0
.target sm_100a
.address_size 64
.entry fine() { ret; }
.entry wrong()
{
    .reg .b32 %r<6>;
    .reg .b64 %rd<4>;
    .reg .pred %p;
    multimem.red.relaxed.gpu.global.add.u32 [%rd1], %r5;
    tcgen05.mma.cta_group::1.kind::f16.block_scale [%r1], %rd1, %rd2, %r2, [%r3], [%r4], %p;
    add.s33 %r1, %r2, %r3;
    add.s33 %r1, %r2, %r3;
    ret;
}
END
wsim check --contents a.ptx || echo "status $?"
wsim run a.ptx --kernel fine | head -1
wsim run a.ptx --kernel wrong || echo "status $?"
wsim check a.ptx
