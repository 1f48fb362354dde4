wsim layout '@!%p1 mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0}, {%r0};' --operand d --lane 0
wsim layout '@p'
wsim layout '// nothing'
