# rows for other programs from each command that has rows
wsim swizzle SWIZZLE_64B --format csv | sed -n '1,6p;$p'
map='--dtype f16 --dims 20,5 --strides 48 --box 16,8'
wsim tma check $map --format csv
wsim tma check $map --box 17,8 --format csv
wsim tma show $map --format csv --coord 8,2 | sed -n '1,5p;$p'
wsim tma load $map --format csv --coord 8,2 | sed -n '1,3p;$p'
wsim tma store $map --format csv --coord 8,2
wsim desc encode --start 0x400 --stride 1024 --swizzle CU_TENSOR_MAP_SWIZZLE_128B --format csv
wsim desc decode 4000004000000040 --format csv
wsim desc check wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 b 4000004000000040 --format csv | sed -n '1,3p;$p'
wsim desc check wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 b 4000004000000040 --format csv --row 3
{
    printf '#wsim-trace 1\n#arch: sm_90a\n'
    for key in gpu driver toolkit generator seed date; do echo "#$key: x"; done
    printf 'ld.shared.u32\taddr=%s\twavefronts=1\n' "$(printf '%0256d' 0)"
} >a.trace
wsim replay a.trace --format csv
wsim replay a.trace --json >json
wsim replay a.trace --format json | cmp - json
wsim replay --minimize --format csv a.trace
# what is emphasised: pieces that a swizzle moves, what does not come from the tensor
wsim swizzle 32B --color always | sed -n '5,6p'
wsim tma show $map --coord 8,2 --color always | sed -n 4p
wsim tma show $map --color sometimes
