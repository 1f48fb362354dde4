wsim banks atom.global.add.u32 --decl 'unsigned hist[64]' --addr '&hist[threadIdx.x % 5]' --format json
