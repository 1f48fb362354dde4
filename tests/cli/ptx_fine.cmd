# kernels, parameters, resources; two files; the only exit status of files that are all modelled
cat >a.ptx <<'END'
.version 8.0
.target sm_90a
.address_size 64
.const .align 4 .f32 c[4] = {1.0, 2.0, 3.0, 4.0};
.extern .shared .align 16 .b8 dynamic[];
.visible .entry scale(.param .u64 .ptr .global .align 16 out, .param .f32 factor, .param .align 8 .b8 pair[16])
.reqntid 128
.reqnctapercluster 2, 1, 1
{
    .reg .b32 %r<6>;
    .reg .f32 %f<5>;
    .reg .b64 %rd<8>;
    .shared .f32 tile[32];
    .local .align 8 .b8 depot[24];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd1, %r1, 4;
    ld.param.u64 %rd2, [out];
    add.s64 %rd3, %rd2, %rd1;
    ld.param.f32 %f2, [factor];
    st.shared.f32 [tile], %f2;
    st.global.f32 [%rd3], %f2;
    ret;
}
.entry nothing() .maxntid 32, 4 { ret; }
END
printf '.version 7.0\n.target sm_70\n.address_size 64\n' >b.ptx
wsim ptx a.ptx b.ptx
wsim ptx --quiet a.ptx
wsim ptx --json a.ptx
wsim ptx - <b.ptx
