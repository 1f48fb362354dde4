# no compiler runs: the error names the ways that are left
wsim banks ld.shared.b32 --c kernel.cu
awk 'BEGIN { for (lane = 0; lane < 32; lane++) print lane * 128 }' | wsim banks ld.shared.b32 --addr - | tail -1
wsim banks ld.shared.b32 --addr 'swizzle(lane % 16, lane / 16)'
wsim banks ld.shared.b32 --addr 'swizzle + lane'
