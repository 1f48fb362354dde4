# what is not modelled in PTX that is newer than the tables, each once with a count; a kernel beside it is; exit status 3
cat >a.ptx <<'END'
.version 9.4
.target sm_90a
.address_size 64
.entry fine() { ret; }
.entry objects(.param .u64 t)
{
    .reg .b32 %r<6>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [t];
    multimem.red.relaxed.gpu.global.add.u32 [%rd1], %r5;
    multimem.red.relaxed.gpu.global.add.u32 [%rd1], %r5;
    frobnicate.s32 %r1, %r2, %r3;
    ret;
}
.entry newer() .somethingnew 4 { ret; }
END
wsim ptx a.ptx
wsim ptx --quiet a.ptx
wsim ptx --json a.ptx
