# what the command line says that makes no sense
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
wsim run
wsim run none.ptx
wsim run scale.ptx scale.ptx
wsim run --launch none.json
echo '{}' >l.json
wsim run --launch l.json --grid 2
for arg in x:2 s32 'a b@x' 'out[4' 'out[4]x' '{' '{"s32": 5, "x": 1}' 'out+4' s33:5 f32:x 'in@none.bin'; do
    wsim run scale.ptx --arg "$arg"
done
wsim run scale.ptx --arg 'a[4]' --arg 'a[4]'
wsim run scale.ptx --kernel skale
wsim run scale.ptx --grid 1,2,3,4
wsim run scale.ptx --grid x
wsim run scale.ptx --block 4x
wsim run scale.ptx --symbol table
wsim run scale.ptx --out x
wsim run scale.ptx --expect =
wsim run scale.ptx --out a=b --out a=c
wsim run scale.ptx --check speed
wsim run scale.ptx --check memory,
wsim run scale.ptx --check race,api
wsim run --env --check api,speed
wsim run scale.ptx --async soon
wsim run scale.ptx --seed -1
wsim run scale.ptx --threads 4096
wsim run scale.ptx --max-instructions many
wsim run scale.ptx --report yaml
wsim run scale.ptx --arch sm_1
