# csv: each element with where it is held; of matrices in memory nobody holds anything; stores: bytes
wsim exec movmatrix.sync.aligned.m8n8.trans.b16 --show-inputs --format csv | sed -n '1,3p;65,68p;$p'
wsim exec wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 --format csv --show-inputs >all
wc -l <all
grep -c '^b,,,,16,' all
sed -n '2050,2051p;$p' all
wsim exec stmatrix.sync.aligned.m8n8.x1.shared.b16 --format csv | sed -n '1,4p;$p'
