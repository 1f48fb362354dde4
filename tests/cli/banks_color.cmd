wsim banks ld.shared.u32 --addr 'lane % 2 * 128' --mask 0x7 --color=always
wsim banks ld.shared.u32 --addr 'lane % 2 * 128' --mask 0x7 --color=never
