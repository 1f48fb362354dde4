# what compilers write and no assembler takes is taken on request
cat >a.ptx <<'END'
.version 8.0
.target sm_90a
.address_size 64
.entry k() { .reg .f64 %d<2>; rcp.approx.f64 %d0, %d1; ret; }
END
wsim ptx a.ptx
wsim ptx --lenient a.ptx
