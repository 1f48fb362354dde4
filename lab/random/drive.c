/* drive FILE.ptx TYPE SEED - runs kernel `k` of a file on 8 inputs, and prints a digest of each result. TYPE is float, double,
 * __half or unsigned. Unsigned inputs are all bits, and whole numbers of -1000 to 1000. Others are numbers of -8 to 8, of 0.5 to 1.5, and whole ones of -3 to 3. It links with libcuda, of a GPU or of wsim. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1024, ROUNDS = 8 };

int main(int argc, char **argv) {
    static double input[N], output[N];
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    CUdeviceptr in, out;
    const char *type = argc == 4 ? argv[2] : "";
    const size_t size = !strcmp(type, "double") ? 8 : !strcmp(type, "float") || !strcmp(type, "unsigned") ? 4 : 2;
    if (argc != 4)
        return 2;
    if (cuInit(0) || cuDeviceGet(&device, 0) || cuDevicePrimaryCtxRetain(&context, device) || cuCtxSetCurrent(context) ||
        cuModuleLoad(&module, argv[1]) || cuModuleGetFunction(&kernel, module, "k") || cuMemAlloc(&in, N * size) ||
        cuMemAlloc(&out, N * size))
        return 3;
    for (int round = 0; round < ROUNDS; round++) {
        unsigned state = 12345 + (unsigned)round * 77 + (unsigned)atoi(argv[3]);
        unsigned long long digest = 14695981039346656037ull;
        int n = round * 3 + 1;
        void *arguments[] = {&in, &out, &n};
        for (int i = 0; i < N; i++) {
            state = state * 1664525 + 1013904223;
            const int m = (int)(state >> 8);
            const double x = round < 4   ? (m % 2001 - 1000) / 128.0
                             : round < 6 ? m % 4096 / 4096.0 + 0.5
                                         : m % 7 - 3;
            if (!strcmp(type, "unsigned"))
                ((unsigned *)input)[i] = round < 4 ? state ^ state >> 15 : (unsigned)(m % 2001 - 1000);
            else if (size == 8)
                input[i] = x;
            else if (size == 4)
                ((float *)input)[i] = (float)x;
            else
                ((_Float16 *)input)[i] = (_Float16)(float)x;
        }
        if (cuMemcpyHtoD(in, input, N * size) || cuMemsetD8(out, 0, N * size) ||
            cuLaunchKernel(kernel, 4, 1, 1, 128, 1, 1, 0, 0, arguments, 0) || cuMemcpyDtoH(output, out, N * size))
            return 4;
        for (size_t i = 0; i < N * size; i++)
            digest = (digest ^ ((unsigned char *)output)[i]) * 1099511628211ull;
        printf(" %016llx", digest);
    }
    printf("\n");
    return 0;
}
