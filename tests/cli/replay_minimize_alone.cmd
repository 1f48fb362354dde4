# without a model that gives the recorded result: what the element is not made of goes; cases without
# two results to compare are named and left out; --first counts cases that were made small
same() { n=0; while [ $n -lt 32 ]; do printf '%s' "$1"; n=$((n + 1)); done; }
move() { printf 'movmatrix.sync.aligned.m8n8.trans.b16\ta=%s\td=%s\n' "$(same 3c003c00)" "$(same $1)"; }
{
    printf '#wsim-trace 1\n#arch: sm_90a\n'
    for key in gpu driver toolkit generator seed date; do echo "#$key: x"; done
    printf 'ld.shared.u32\taddr=%s\twavefronts=2\n' "$(same 00000040)"
    printf 'ld.shared.u32\taddr=%s\ttrap=1\n' "$(same 00000040)"
    printf 'ldmatrix.sync.aligned.m8n8.x1.shared.b16\tsmem=@fill:00:64\taddr=%s\td=%s\n' \
        "$(same 00000008)" "$(same 00000000)"
    printf 'movmatrix.sync.aligned.m8n8.trans.b16\tstream=2\tdist=raw\tseed=0\tfirst=0\tcases=9\t'
    printf 'digest=0000000000000000\n'
    f16=wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16
    printf '%s\tsmem=@fill:3c:4096\tdescA=0000000800080000\tdescB=0000000800080000\tc=@fill:00:2048\t' $f16
    printf 'scaled=1\td_fnv=0000000000000000\n'
    move 3c003c00
    move 3c013c00
    move 3c003c01
} >a.trace
wsim replay --minimize --first 1 a.trace >small.trace
echo "exit $?"
cat small.trace
wsim replay small.trace
