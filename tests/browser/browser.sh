#!/bin/sh
# browser.sh PROGRAM SOURCE_DIR - pages and pictures as a browser without a screen shows them: nothing wider than a window of 400 or
# 1280 pixels, no text cut off, no word on the console, nothing asked for from anywhere. Skipped (77) without a browser.
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
