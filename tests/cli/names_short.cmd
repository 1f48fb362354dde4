# short names: one operation, or those that it can be
wsim layout m16n8k16.f32.f16 --operand d --lane 0
wsim layout m16n8k16.f16; echo "status $?"
wsim layout m16n8k32 --operand a | head -3; echo "status $?"
wsim banks ldmatrix.x4.shared --addr 'lane * 16' | head -3
wsim exec mma.m16n8k16.sync.f16
