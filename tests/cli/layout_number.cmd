# one reading of numbers for all options: decimal, with or without leading zeros, or 0x hex
for lane in 010 0x1F 5 '' ' 5' +5 -2 5x 0x 0b1 1e1 32 4294967301 18446744073709551617; do
    wsim layout mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --operand c --reg 0 --lane "$lane"
done
