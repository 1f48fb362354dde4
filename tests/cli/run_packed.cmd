# packed files: PTX in xz and gzip, named or standing for the plain file; data in place of a plain file; damaged ones
cat >add.ptx <<'END'
.version 8.0
.target sm_80
.address_size 64
.visible .entry add(.param .u64 at)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [at];
    ld.global.u32 %r1, [%rd1];
    add.s32 %r1, %r1, 1;
    st.global.u32 [%rd1], %r1;
    ret;
}
END
printf '\001\000\000\000' >one.bin
printf '\002\000\000\000' >two.bin
gzip -kn add.ptx
xz -k add.ptx
mkdir gz xz
mv add.ptx.gz gz
cp add.ptx.xz xz
wsim run add.ptx.xz --arg a@one.bin --expect a=two.bin --lines 0
wsim run gz/add.ptx --arg a@one.bin --expect a=two.bin --lines 0 | tail -1
xz two.bin
cat >xz/l.json <<'END'
{"ptx": "add.ptx", "buffers": {"a": {"bytes": 4, "fill": 1}}, "launches": [{"args": [{"buffer": "a"}]}]}
END
wsim run --launch xz/l.json --expect a=two.bin --lines 0 | tail -2
sed 's/add.ptx/add.ptx.xz/' xz/l.json >l.json
wsim run --launch l.json --lines 0 | tail -1
head -c 60 add.ptx.xz >xz/add.ptx.xz
wsim run --launch xz/l.json
echo 'no archive' >bad.ptx.gz
wsim run bad.ptx.gz --arg a@one.bin
wsim run add.ptx --arg a@one.bin --expect a=none.bin
