# lane 3 has row 1 of no operand; the exit status is that of a finding
wsim layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --lane 3 --row 1
wsim layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --lane 3 --row 1 --format csv
wsim layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --lane 3 --row 1 --format json
