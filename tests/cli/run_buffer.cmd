# --buffer: a buffer that only a tensor map names
cat >copy.ptx <<'END'
.version 8.0
.target sm_90a
.address_size 64
.visible .entry copy(.param .align 64 .b8 to[128], .param .align 64 .b8 from[128])
{
    .reg .pred %p<2>;
    .reg .b32 %r<5>;
    .reg .b64 %rd<3>;
    .shared .align 128 .b8 tile[64];
    .shared .align 8 .b64 barrier;
    mov.b64 %rd1, to;
    mov.b64 %rd2, from;
    cvta.param.u64 %rd1, %rd1;
    cvta.param.u64 %rd2, %rd2;
    mov.u32 %r1, tile;
    mov.u32 %r2, barrier;
    mov.u32 %r3, 0;
    mbarrier.init.shared.b64 [%r2], 1;
    fence.mbarrier_init.release.cluster;
    mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 64;
    cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd2, {%r3}], [%r2];
wait:
    mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0;
    @!%p1 bra wait;
    cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd1, {%r3}], [%r1];
    cp.async.bulk.commit_group;
    cp.async.bulk.wait_group 0;
    ret;
}
END
printf '%064d' 5 >in.bin
map() { echo "{\"tensormap\": {\"dtype\": \"UINT8\", \"buffer\": \"$1\", \"dims\": [64], \"box\": [64]}}"; }
wsim run copy.ptx --buffer in@in.bin --buffer 'out[64]' --arg "$(map out)" --arg "$(map in)" --expect out=in.bin --out out=out.bin --lines 0
cmp in.bin out.bin
wsim run copy.ptx --buffer 'in[64]=1' --buffer 'out[64]' --arg "$(map out)" --arg "$(map in)" --expect out=in.bin --lines 0; echo "exit $?"
wsim run copy.ptx --buffer in@in.bin --arg "$(map out)" --arg "$(map in)"
for buffer in in 'in[4' 'a b[4]' '@in.bin' 'in+4' 'in@' 'in@none.bin'; do
    wsim run copy.ptx --buffer "$buffer" --arg "$(map in)" --arg "$(map in)"
done
wsim run copy.ptx --buffer 'in[4]' --buffer 'in[8]'
wsim run copy.ptx --buffer 'in[4]' --arg 'in[8]'
echo '{}' >l.json
wsim run --launch l.json --buffer 'in[4]'
# brackets behind a type count elements
wsim try ./t >/dev/null
for x in 'float x[64]=0' 'f32 x[64]=0' 'unsigned int x[64]=0' 'double x[32]=0' 'x[256]=0' 'float x[60]=0' 'float x[64]' \
    'float x[64]=1' 'flaot x[64]=0' 'float x[]' 'float x[-1]' 'float x[64' ' x[64]' 'x y' 'float x[99999999999]'; do
    echo "$x"; wsim run t/reverse.ptx --block 64 --arg "$x" --lines 0 --check memory | head -1; done
wsim run t/reverse.ptx --block 64 --buffer 'float y[64]=0' --arg y --lines 0 --check memory | head -1
