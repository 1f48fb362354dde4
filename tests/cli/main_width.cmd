# no line is wider than 80 columns but for a spelling; --wide has lines as they are
wide() { awk -v most="$1" -v of="$2" 'length > most && NF > 1 { print of ": " $0; exit }'; }
mma=mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32
bits=mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc
scaled=mma.sync.aligned.kind::mxf4.block_scale.scale_vec::2X.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue8m0
group=wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16
map='--dtype FLOAT16 --dims 20,5 --strides 48 --box 16,8'
while read -r command; do
    command=$(eval "echo \"$command\"")
    wsim $command 2>/dev/null | wide 80 "$command"
    [ "$(wsim $command --wide 2>/dev/null | wc -l)" -gt 0 ] || echo "nothing of $command --wide"
done <<END
ops --family mma --arch sm_120a
ops --evidence --family ldmatrix
layout $mma
layout $scaled
layout $group --operand d
exec $mma --show-inputs
exec $bits --show-inputs
exec $scaled --show-inputs --arch sm_120a
exec $group
banks ld.shared.v4.u32 --addr lane*128
banks cp.async.ca.shared.global --size 16 --addr lane*2048
banks wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 --stride 16
tma check $map
tma show $map
tma load $map
tma store $map --coord 8,2
swizzle 128B --pitch 512
desc check wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 b 4000004000003a00
END
COLUMNS=64 wsim exec mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 --a random:1 | tail -35
