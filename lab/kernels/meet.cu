/* meet.cu - runs the kernels of meet.ptx. MEET FILE.ptx KERNEL THREADS WORDS: a row is a thread and
 * what it left. */
#include "experiment.cuh"

int main(int argc, char **argv) {
    if (argc != 5)
        return 2;
    const unsigned threads = (unsigned)atoi(argv[3]), words = (unsigned)atoi(argv[4]);
    std::vector<uint32_t> out(threads * words);
    cudaLibrary_t library;
    cudaKernel_t kernel;
    void *to;
    CHECK(cudaLibraryLoadFromFile(&library, argv[1], nullptr, nullptr, 0, nullptr, nullptr, 0));
    CHECK(cudaLibraryGetKernel(&kernel, library, argv[2]));
    CHECK(cudaMalloc(&to, out.size() * 4));
    CHECK(cudaMemset(to, 0xa5, out.size() * 4));
    void *args[] = {&to};
    CHECK(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(threads), args, 0, nullptr));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(out.data(), to, out.size() * 4, cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < threads; i++) {
        printf("%s\t%u", argv[2], i);
        for (unsigned w = 0; w < words; w++)
            printf("\t%x", out[i * words + w]);
        printf("\n");
    }
    return 0;
}
