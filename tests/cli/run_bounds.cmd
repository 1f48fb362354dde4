# launches that would never end or take all memory, copies of odd sizes, and files of launches that stop
head='.version 8.6
.target sm_90a
.address_size 64
'
kernel() {
    echo "$head.visible .entry k(.param .u64 a) { .reg .b64 %rd<4>; .reg .b32 %r<4>; .reg .pred %p<4>;
ld.param.u64 %rd1, [a];"
    cat
    echo '}'
}
echo 'L: bra L;' | kernel >loop.ptx
echo 'mov.u64 %rd2, 0; L: add.u64 %rd2, %rd2, 1; setp.ne.u64 %p1, %rd2, 0; @%p1 bra L; ret;' | kernel >long.ptx
echo 'mov.u32 %r1, 7; st.global.u32 [%rd1], %r1; st.global.u32 [%rd1+4], %r1; trap;' | kernel >trap.ptx
wsim run loop.ptx --arg 'a[8]=0' --lines 0
wsim run long.ptx --arg 'a[8]=0' --lines 0 --timeout 0.2 | sed 's/after [0-9]* warp/after N warp/;s/[0-9]* warp instructions,/N warp instructions,/;s/[0-9]* of threads/N of threads/;s/instructions [0-9]*/instructions N/'
for t in 0 -1 x 1s; do wsim run long.ptx --arg 'a[8]=0' --timeout $t; done
# a launch that stops leaves the old file
echo old >out.bin
wsim run trap.ptx --arg 'a[8]=0' --out a=out.bin --lines 0
cat out.bin
wsim run long.ptx --arg 'a[8]=0' --out a=out.bin --timeout 0.1 >/dev/null
cat out.bin
# nothing stays behind when a signal ends the program
for signal in INT TERM HUP; do
    timeout -s $signal 0.5 wsim run long.ptx --arg 'a[8]=0' --output report.txt
    echo $?
    ls report* 2>/dev/null
done
# variables
echo "$head.global .b8 g[4294967297]; .visible .entry k() { .reg .b32 %r; ld.global.u32 %r, [g]; ret; }" >large.ptx
wsim run large.ptx --lines 0
wsim run large.ptx --lines 0 --variables 0x100000001 | tail -1
wsim run large.ptx --variables many
echo "$head.visible .entry k() { .reg .b32 %r; .shared .b8 s[4294967297]; ld.shared.u32 %r, [s]; ret; }" >shared.ptx
wsim run shared.ptx
# a bulk copy of 20 bytes moves 16, and the barrier waits for the rest
kernel >odd.ptx <<'END2'
.shared .align 16 .b8 s[64]; .shared .align 8 .b64 m;
mbarrier.init.shared.b64 [m], 1;
fence.proxy.async.shared::cta;
mbarrier.arrive.expect_tx.shared.b64 %rd2, [m], 20;
mov.u32 %r2, 20;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%rd1], %r2, [m];
W: mbarrier.try_wait.shared.b64 %p1, [m], %rd2; @!%p1 bra W; ret;
END2
wsim run odd.ptx --arg 'a[64]=0' --lines 0
# a kernel's printf: a terminal gets '?' for control characters, a pipe and --raw get all bytes
cat >print.ptx <<'END2'
.version 8.6
.target sm_90a
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .align 1 .b8 text[10] = {27, 93, 48, 59, 120, 7, 9, 121, 10, 0};
.visible .entry k() {
    .reg .b64 %d<3>;
    mov.u64 %d1, text;
    cvta.global.u64 %d2, %d1;
    {
        .param .b64 f;
        .param .b64 a;
        .param .b32 r;
        st.param.b64 [f], %d2;
        st.param.b64 [a], 0;
        call (r), vprintf, (f, a);
    }
    ret;
}
END2
terminal() { script -qec "$1" /dev/null </dev/null | head -1 | tr -d '\r' | od -An -c | tr -s ' '; }
terminal 'wsim run print.ptx --lines 0'
terminal 'wsim run print.ptx --lines 0 --raw'
wsim run print.ptx --lines 0 | head -1 | od -An -c | tr -s ' '
