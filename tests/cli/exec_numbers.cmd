# numbers in, one element out: 4096 + 1 - 4096 of f16 with f32 accumulation; files; what is lost
op=mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32
wsim exec $op --a '0,0=4096; 0,1=1; 0,2=-4096' --b '*,0=1' --c '0,0=0x33800000' --row 0 --col 0 --show-inputs
wsim exec $op --a '0,*=inf' --b '*,3=nan; *,2=1' --row 0 --format csv
wsim exec $op --a ' 15,7 = -65504 ;' --b '7,7=.5' --row 15 --col 7 --format json | tail -24
i=0; while [ $i -lt 8 ]; do echo "$i,1.5 -$i; 0x3c00 inf 2 3 4 # row $i"; i=$((i+1)); done >b.csv
wsim exec $op --a eye --b b.csv --row 3
wsim exec $op --a '0,0=0.1'; wsim exec $op --a '0,0=0.1' --b eye --round --row 0 --col 0
wsim exec $op --a '0,0=1e5'; wsim exec $op --a '0,8=1'; wsim exec $op --a '0=1'; wsim exec $op --a '0,0=x'
wsim exec $op --a '0,1,2=1'; wsim exec $op --a ',=1'; wsim exec $op --a '0,0=1; 3'; wsim exec $op --a '='
wsim exec $op --a b.csv; echo 1 2 3 >c.csv; echo 1 2 >>c.csv; wsim exec $op --a c.csv; wsim exec $op --a none.csv
wsim exec $op --row 16; wsim exec $op --col 8; wsim exec stmatrix.sync.aligned.m8n8.x1.shared.b16 --row 1
wsim exec mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 --a '0,0=-128; 0,1=127' --b '*,*=-128' --row 0 --col 7
wsim exec mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 --a '0,0=128'
wsim exec mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 --a '2,0,0=3' --b '*,*=1' --row 0 --col 0
wsim exec wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 --a '5,3=2' --b '3,1=0.25' --row 5 --col 1
