# digests: one that is right, one of other cases, operands that this wsim does not make; in words
# and for programs
{
    printf '#wsim-trace 1\n#arch: sm_90a\n'
    for key in gpu driver toolkit generator seed date; do echo "#$key: x"; done
    digest() { printf '%s\tstream=%s\tdist=%s\tseed=1\tfirst=0\tcases=%s\tdigest=%s\n' "$@"; }
    f16=mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
    digest $f16 2 all 26 8a8b7f08a952c682
    digest $f16 2 all 27 8a8b7f08a952c682
    digest $f16 1 all 26 8a8b7f08a952c682
    printf 'mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32\tsel=7\t'
    digest stream=2 2 raw 1 0000000000000000 | cut -f 2-
} >a.trace
wsim replay a.trace
wsim replay --json --jobs 1 a.trace
