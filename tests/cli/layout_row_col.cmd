wsim layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --row 9 --col 3
wsim layout mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 --operand a --row 1 --col 6
wsim layout mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 --operand a --lane 6 --reg 5
