# values as source code, drivers and shops write them
wsim tma check --dtype CU_TENSOR_MAP_DATA_TYPE_FLOAT16 --dims 64x64 --strides 128 --box '64, 8' --swizzle SWIZZLE_128B --l2 L2_256B --interleave INTERLEAVE_NONE --oob FLOAT_OOB_FILL_NONE --format json >map
wsim tma check --dtype f16 --dims 64,64 --strides 128 --box 64x8 --swizzle CU_TENSOR_MAP_SWIZZLE_128B --l2 3 --format json | cmp - map
echo '{"dtype": "half", "dims": [64, 64], "strides": [128], "box": [64, 8], "swizzle": "128b", "l2": "CU_TENSOR_MAP_L2_PROMOTION_L2_256B"}' | wsim tma check --format json - | cmp - map
for value in 64x64x x64 64xx64 64,,64 '' 0x40x; do wsim tma check --dtype f16 --dims "$value" --strides 128 --box 64,8; done
wsim tma check --dtype f16 --dims 64 --box 64 --l2 512B
for arch in sm90a SM_90A 90a H200 'H100 SXM' 'NVIDIA H100 80GB HBM3' hopper; do
    wsim ops --family wgmma.fence --arch "$arch"
done
for arch in 'RTX 4090' 'GeForce RTX 4090 Laptop' rtx4090 NVIDIA-A100-SXM4-80GB; do
    wsim check --arch "$arch" mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 | cut -c 1-7
done
wsim check --arch 'RTX' ldmatrix.sync.aligned.m8n8.x1.b16 2>&1 | cut -c 1-60
wsim layout ldmatrix.sync.aligned.m8n8.x1.b16 --operand D --lane 3
wsim desc check wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 B 4000004000000040 | sed -n 7p
wsim desc encode --start 1024 --stride 1024 --swizzle cu_tensor_map_swizzle_64b | tail -1
