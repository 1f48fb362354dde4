wsim layout wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 --row 3 --col 12
wsim layout wmma.load.b.sync.aligned.row.m8n32k16.s8 --lane 5 --format csv
wsim ops --family wmma.mma --arch sm_90a | tail -4
