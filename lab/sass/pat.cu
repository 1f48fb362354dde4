// pat PAT.TXT - one warp and one predicated wide load of shared memory a launch; see README.md.
#include <cstdio>
#include <cstdlib>
#include <vector>
template <int W> __global__ void k(const unsigned *in, unsigned *out) {
    extern __shared__ unsigned s[];
    unsigned a = in[threadIdx.x], on = in[32] >> threadIdx.x & 1, r0 = 0, r1 = 0, r2 = 0, r3 = 0;
    if (W == 16) asm volatile("{.reg .pred p;\nsetp.ne.u32 p,%5,0;\n@p ld.shared.v4.u32 {%0,%1,%2,%3},[%4];}" : "+r"(r0), "+r"(r1), "+r"(r2), "+r"(r3) : "r"(a), "r"(on));
    else asm volatile("{.reg .pred p;\nsetp.ne.u32 p,%3,0;\n@p ld.shared.v2.u32 {%0,%1},[%2];}" : "+r"(r0), "+r"(r1) : "r"(a), "r"(on));
    out[threadIdx.x] = r0 + r1 + r2 + r3;
}
int main(int c, char **v) {
    FILE *f = fopen(v[1], "r"); int w; unsigned h[33], *d, *o;
    cudaMalloc(&d, 4096); cudaMalloc(&o, 4096);
    while (fscanf(f, "%d %x", &w, &h[32]) == 2) {
        for (int i = 0; i < 32; i++) if (fscanf(f, "%u", &h[i]) != 1) return 2;
        cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
        if (w == 16) k<16><<<1, 32, 4096>>>(d, o); else k<8><<<1, 32, 4096>>>(d, o);
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
