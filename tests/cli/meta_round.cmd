# compressing and expanding are inverse
f=mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
wsim meta expand $f --a random:1 --e random:2 --selector 1
wsim meta compress $f --dense '0,1=3; 0,2=5; 3,*=0; 15,15=-0.5; 4,0=0x7c00' --selector 1
wsim meta expand $f --a random:1 --e random:2 --format json >expanded
python3 -c 'import json
for row in json.load(open("expanded"))["matrix"]: print(*row, sep=",")' >dense.csv
wsim meta compress $f --dense dense.csv --format json | grep -A1 '"hex"' | cut -c1-60
wsim meta compress $f --dense dense.csv --format json | python3 -c 'import json,sys
x = json.load(sys.stdin); print("--a hex:%s --e hex:%s" % (x["a"]["hex"], x["e"]["hex"]))' >again
wsim meta expand $f $(cat again) --format json | cmp - expanded && echo "expands to the same"
wsim meta compress mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 --dense zero | tail -10
wsim meta expand mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0 --e random:2 | head -6
wsim meta expand wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 --e random:3 | tail -3
wsim meta compress $f --dense zero --format json | head -12
