# a struct by value: a number, and behind it an address into a buffer
cat >put.ptx <<'END'
.version 8.0
.target sm_80
.address_size 64
.visible .entry put(.param .align 8 .b8 s[16])
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<2>;
    ld.param.u32 %r1, [s];
    ld.param.u64 %rd1, [s+8];
    st.global.u32 [%rd1], %r1;
    ret;
}
END
printf '\000\000\000\000\000\000\000\000\001\002\003\004\000\000\000\000' >want.bin
cat >l.json <<'END'
{"ptx": "put.ptx", "buffers": {"out": {"bytes": 16, "fill": 0}},
 "launches": [{"args": [{"size": 16, "pack": [{"at": 8, "buffer": "out", "offset": 8}, {"at": 0, "u32": "0x04030201"}]}]}],
 "expect": {"out": {"file": "want.bin"}}}
END
wsim run --launch l.json --lines 0
wsim run put.ptx --arg '{"hex": "0102030400000000"}'
