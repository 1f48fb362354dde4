#!/bin/sh
# browser.sh PROGRAM SOURCE_DIR - shows pages and pictures in a headless browser. Nothing is wider than a window of
# 400 or 1280 pixels, no text cut off, no word on the console, nothing asked for from anywhere. Skipped (77) without a
# browser.
WSIM_ASSEMBLER=none && export WSIM_ASSEMBLER
for browser in chromium chromium-browser google-chrome; do
    command -v $browser >/dev/null && break
    browser=
done
[ -n "$browser" ] || { echo "skipped: no chromium"; exit 77; }
PATH=$(cd "$(dirname "$1")" && pwd):$PATH
source=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cp "$source/tests/browser/pages.html" "$work"
cp "$source"/docs/gallery/*.svg "$work"
cd "$work" || exit 2
# A command that ends with this status: the test wants a difference.
said() {
    wanted=$1
    shift
    "$@"
    [ $? -eq "$wanted" ]
}
wsim layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --lane 5 --format html -o layout.html &&
    wsim layout mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc --operand a --format html -o bits.html &&
    wsim layout mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc --operand b --format svg -o bits.svg &&
    wsim banks ld.shared.v2.f32 --addr 'lane * 72' --format html -o banks.html &&
    wsim swizzle 128B --pitch 256 --format html -o swizzle.html &&
    wsim tma show --dtype INT32 --dims 40,40 --strides 160 --box 32,8 --coord 12,36 --format html -o tile.html &&
    wsim meta compress mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --dense '0,1=3; 0,2=5' --format html -o meta.html &&
    wsim exec mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --a iota --b eye --show-inputs --format html -o exec.html &&
    wsim ops --family stmatrix --arch h100 --format html -o ops.html &&
    wsim ops --family ldmatrix --format svg -o ops.svg &&
    wsim why mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --element 3,5 --a random:1 --b random:2 --c random:3 --format html -o why.html &&
    wsim why mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 --element 2,3,5 --a random:1 --b random:2 --c random:4 --format svg -o chain.svg &&
    wsim why mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 --element 3,5 --a random:1 --b random:2 --format html -o f64.html &&
    wsim why mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 --arch sm_120a --element 3,5 \
        --a random:1 --b random:2 --sfa random:3 --sfb random:4 --format html -o fp4.html &&
    wsim why mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 --element 3,5 --a '3,0=65536; 3,1=-0.0000000000000000000000000000011832913578315177' --round --b one --format svg -o far.svg &&
    said 1 wsim why mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 --arch sm_80 --format html -o refused.html &&
    said 1 wsim compare mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --a random:1 --b random:2 --c random:3 --format html -o compare.html &&
    said 1 wsim compare mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 --random 100 --format svg -o random.svg &&
    said 1 wsim gemm m16n8k16.f32.f16 --random near-one --size 72x40x32 --arch h100 --compare a100,b200 --format html >gemm.html 2>/dev/null &&
    said 1 wsim number all 0.1 --format html -o number.html &&
    said 1 wsim number all 0.1 3.14159 1e300 --format svg -o numbers.svg &&
    wsim arch --format html -o arch.html && wsim arch --format svg -o arch.svg &&
    wsim fits ldmatrix.sync.aligned.m8n8.x4.shared.b16 mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --operand a --format html -o fits.html &&
    wsim layout ldmatrix.sync.aligned.m8n8.x4.shared.b16 --addresses --format html -o addresses.html &&
    wsim banks ld.shared.b32 --addr 'lane * pitch' --let pitch=64..72:4 --format html -o sweep.html &&
    wsim run --launch "$source/tests/kernels/transposes/xor.json" --format html --output run.html || exit 1
names=$(ls ./*.html ./*.svg | grep -v pages.html | sed 's|^\./||' | paste -sd, -)
"$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$work/profile" --no-first-run \
    --host-resolver-rules='MAP * ~NOTFOUND' --disable-background-networking --disable-component-update \
    --allow-file-access-from-files --enable-logging=stderr --log-level=0 --virtual-time-budget=60000 \
    --dump-dom "file://$work/pages.html#$names" >seen 2>log
failed=0
sed -n '/<pre id="said">/,/<\/pre>/p' seen | sed 's/.*<pre id="said">//; s/<\/pre>.*//' >said
grep -q '^seen: ' said || { echo "the browser did not get through:"; tail -5 log; failed=1; }
grep -qvE '^seen: |^$' said && failed=1
grep 'CONSOLE' log && failed=1
cat said
exit $failed
