wsim banks atom.shared.add.u32 --addr 'lane % 4 * 4'
