# Times differ from run to run: every number is masked.
wsim bench mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --arch sm_80 --path plain --json | sed 's/: [0-9][0-9.e+-]*/: N/'
