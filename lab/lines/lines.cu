/* Launches the kernels that the profiler counts line by line. */
#include "../../tests/kernels/transposes/transposes.cu"
#include "../../tests/kernels/lines/accesses.cu"

#include <cstdio>
#include <vector>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            printf("FAILED: %s: %s\n", #call, cudaGetErrorString(error_));                         \
            return 2;                                                                              \
        }                                                                                          \
    } while (0)

int main() {
    const int n = 128;
    std::vector<float> in(n * n), out(n * n);
    char *from, *to;
    for (int i = 0; i < n * n; i++)
        in[i] = (float)i;
    CHECK(cudaMalloc(&from, 65536));
    CHECK(cudaMalloc(&to, 131072));
    CHECK(cudaMemcpy(from, in.data(), 65536, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(to, 0, 131072));
    transpose_plain<<<dim3(4, 4), dim3(32, 8)>>>((const float *)from, (float *)to, n);
    transpose_padded<<<dim3(4, 4), dim3(32, 8)>>>((const float *)from, (float *)to, n);
    transpose_xor<<<dim3(4, 4), dim3(32, 8)>>>((const float *)from, (float *)to, n);
    CHECK(cudaMemcpy(out.data(), to, 65536, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n * n; i++)
        if (out[i] != in[i % n * n + i / n])
            return printf("FAILED: element %d is %g\n", i, out[i]), 1;
    CHECK(cudaMemset(from, 0, 65536));
    accesses<<<2, 32>>>(from, to);
    CHECK(cudaDeviceSynchronize());
    puts("ok");
    return 0;
}
