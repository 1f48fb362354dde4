# PTX that is none, and PTX with what is not modelled: all of it is told, and nothing runs
cat >bad.ptx <<'END'
.version 8.0
.target sm_90a
.address_size 64
.visible .entry f(.param .u32 n)
{
    .reg .b32 %r<2>;
    ld.param.u32 %r1, [n];
    add.s32 %r1, %r1, %r2;
    ret;
}
END
wsim run bad.ptx --arg u32:1; echo "exit $?"
sed 's/add.s32 .*/multimem.red;/; s/ret;/trap; multimem.st; ret;/' bad.ptx >new.ptx
wsim run new.ptx --arg u32:1; echo "exit $?"
echo 'not PTX' >no.ptx
wsim run no.ptx; echo "exit $?"
: >empty.ptx
wsim run empty.ptx; echo "exit $?"
