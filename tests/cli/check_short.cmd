# short words and names are what they stand for; what only lacks .sync.aligned is a spelling, and wrong
for name in m16n8k16.f32.f16 mma.m16n8k32.s8 m16n8k16.f16 ldmatrix.x4.trans mma.m16n8k16.row.col.f32.f16.f16.f32 \
    cp.async.cg.shared m16n8k99.f16 HMMA.16816.F32 SM80_16x8x16_F32F16F16F32_TN SM100_MMA_F16BF16_SS UTCHMMA SM80_16x8; do
    wsim check "$name" --arch sm_80
    echo "status $?"
done
wsim check 'MMA_Atom<SM90_64x8x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::MN>>' --arch h100
wsim check SM90_TMA_LOAD_MULTICAST --dims 64,64 --arch 'NVIDIA H100 80GB HBM3'
wsim check SM90_TMA_LOAD_IM2COL --dims 64x64
wsim check SM90_TMA_LOAD --dims 1,2,3,4,5,6
wsim check SM90_TMA_LOAD --dims 64,
echo m16n8k16.f32.f16 | wsim check -
echo "status $?"
