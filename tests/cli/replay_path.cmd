# --path: no faster one than this; the results are the same, and a name is looked up
{
    printf '#wsim-trace 1\n#arch: sm_90a\n'
    for key in gpu driver toolkit generator seed date; do echo "#$key: x"; done
    f16=mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
    printf '%s\tstream=2\tdist=all\tseed=1\tfirst=0\tcases=26\tdigest=8a8b7f08a952c682\n' $f16
} >a.trace
wsim replay --path plain a.trace && wsim replay a.trace
wsim replay --path nowhere a.trace 2>&1 | sed 's/; available:.*//'
