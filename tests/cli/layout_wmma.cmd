wsim layout wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 --row 3 --col 12
wsim layout wmma.load.b.sync.aligned.row.m8n32k16.s8 --lane 5 --format csv
wsim ops --family wmma.mma --arch sm_90a | tail -4
wsim layout wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 --arch sm_70 --operand d | head -24
wsim layout wmma.load.a.sync.aligned.col.m16n16k16.f16 --arch v100 --row 3 --col 12
wsim layout wmma.load.a.sync.aligned.col.m16n16k16.f16 --operand d | head -6
wsim layout wmma.load.a.sync.aligned.col.m32n8k16.f16 --arch sm_70
wsim layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --arch sm_70
wsim layout wmma.load.a.sync.aligned.col.m16n16k16.f16 --arch h100 --lane 0 --reg 0 --format json | head -5
wsim layout wmma.load.a.sync.aligned.col.m16n16k16.f16 --arch nothing | head -1
