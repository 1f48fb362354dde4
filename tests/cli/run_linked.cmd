# a program of two files: on the command line, in a launch file, in one text; what is missing, twice or
# otherwise; a grid whose blocks wait for each other
cat >main.ptx <<'END'
.version 9.0
.target sm_90a
.address_size 64
.extern .global .u32 total;
.extern .func (.param .b32 r) twice(.param .b32 p);
.visible .entry add(.param .u64 out)
{
    .reg .b32 %r<4>;
    .reg .b64 %d;
    ld.param.u64 %d, [out];
    {
        .param .b32 p;
        .param .b32 r;
        st.param.b32 [p], 21;
        call (r), twice, (p);
        ld.param.b32 %r1, [r];
    }
    st.global.u32 [%d], %r1;
    atom.global.add.u32 %r2, [total], %r1;
    st.global.u32 [%d+4], %r2;
    ret;
}
END
cat >parts.ptx <<'END'
.version 9.0
.target sm_90a
.address_size 64
.visible .global .u32 total = 7;
.visible .func (.param .b32 r) twice(.param .b32 p)
{
    .reg .b32 %r;
    ld.param.b32 %r, [p];
    add.u32 %r, %r, %r;
    st.param.b32 [r], %r;
    ret;
}
END
wsim run main.ptx parts.ptx --arg 'out[8]=0' --out out=out.bin --lines 3
od -An -tu4 out.bin
echo '{"ptx": ["main.ptx", "parts.ptx"], "buffers": {"out": {"bytes": 8}},
 "launches": [{"args": [{"buffer": "out"}]}], "expect": {"out": {"file": "out.bin"}}}' >both.json
wsim run --launch both.json --lines 0 | tail -1
cat main.ptx parts.ptx >one.ptx && wsim run one.ptx --arg 'out[8]=0' --lines 0 | tail -1
wsim run main.ptx --arg 'out[8]=0'
wsim ptx --quiet main.ptx parts.ptx
wsim ptx --link main.ptx parts.ptx
sed 's/.u32 total = 7/.u64 total/' parts.ptx >wide.ptx
wsim run wide.ptx main.ptx --arg 'out[8]=0'
wsim ptx --quiet --link main.ptx parts.ptx parts.ptx
sed 's/add.u32/add.u32 x/' parts.ptx >wrong.ptx
wsim run main.ptx wrong.ptx --arg 'out[8]=0'
sed 's/st.global.u32 \[%d+4\]/st.global.u32 [%d+8]/' main.ptx >far.ptx
wsim run far.ptx parts.ptx --arg 'out[8]=0' --lines 0
wsim run far.ptx parts.ptx --arg 'out[8]=0' --json | grep -A3 '"ptx": {' | grep '"file"' | sort | uniq -c | sed 's/^ *//'
echo '{"ptx": [], "launches": [{"cooperative": 1}]}' >empty.json
wsim run --launch empty.json
echo '{"ptx": "main.ptx", "launches": [{"cooperative": 1}]}' >empty.json
wsim run --launch empty.json
wsim run main.ptx parts.ptx --grid 9999 --cooperative --arg 'out[8]=0'
wsim run --launch both.json --cooperative
