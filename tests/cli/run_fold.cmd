# one line of the source that reads and writes: a race of two writes is not hidden behind that of a read
cat >fold.ptx <<'END'
.version 8.0
.target sm_80
.address_size 64
.file 1 "fold.cu"
.visible .entry fold() {
.reg .u32 %r<4>; .shared .b32 sum;
mov.u32 %r0, %tid.x;
.loc 1 12 3
ld.shared.u32 %r1, [sum];
add.u32 %r1, %r1, %r0;
st.shared.u32 [sum], %r1;
.loc 1 13 3
ret; }
END
wsim run fold.ptx --block 64 --lines 0 --check race | grep -v '^  [^ ]'
wsim run fold.ptx --block 64 --lines 0 --check race --format json | grep -c '"rule"'
