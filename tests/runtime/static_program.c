/* A program that has the runtime inside, as nvcc links it: functions of the public names are in its
 * symbol table and nowhere else. Each gives an error that no runtime gives, so the exit status is 0
 * only if all were taken over.
 *
 *     LD_PRELOAD=libcudart.so.13 static_program */
#include "static_runtime.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char text[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".visible .entry add(.param .u64 out, .param .u32 v)\n{\n"
                           ".reg .u32 %r<4>; .reg .u64 %d<4>;\n"
                           "ld.param.u64 %d1, [out]; ld.param.u32 %r1, [v];\n"
                           "mov.u32 %r2, %tid.x; add.u32 %r1, %r1, %r2;\n"
                           "mul.wide.u32 %d2, %r2, 4; add.u64 %d1, %d1, %d2;\n"
                           "st.global.u32 [%d1], %r1; ret;\n}\n";

/* A fat binary with one member: the text, not packed. */
static unsigned char fatbin[16 + 64 + sizeof text + 8];

static void fill_fatbin(void) {
    const uint64_t bytes = (sizeof text + 7) / 8 * 8, all = 64 + bytes;
    const uint32_t magic = 0xBA55ED50, head = 64, arch = 80;
    const uint16_t version = 1, head_16 = 16, kind = 1, member_version = 0x101;
    unsigned char *const member = fatbin + 16;
    memcpy(fatbin, &magic, 4);
    memcpy(fatbin + 4, &version, 2);
    memcpy(fatbin + 6, &head_16, 2);
    memcpy(fatbin + 8, &all, 8);
    memcpy(member, &kind, 2);
    memcpy(member + 2, &member_version, 2);
    memcpy(member + 4, &head, 4);
    memcpy(member + 8, &bytes, 8);
    memcpy(member + 28, &arch, 4);
    member[40] = 0x11;
    memcpy(member + 64, text, sizeof text);
}

static struct {
    uint32_t magic, version;
    const void *data, *more;
} wrapper = {0x466243B1, 1, fatbin, NULL};

static void **registered;
static const char host; /* its address is the name of the kernel */

__attribute__((constructor)) static void enter(void) {
    fill_fatbin();
    registered = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(registered, &host, NULL, "add", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFatBinaryEnd(registered);
}

static int check(int error, const char *what) {
    if (error)
        printf("%s: %d\n", what, error);
    return error != 0;
}

#ifdef LIBRARY
__attribute__((destructor)) static void leave(void) {
    __cudaUnregisterFatBinary(registered);
}

__attribute__((visibility("default"))) int run(void);
int run(void) {
#else
int main(void) {
#endif
    const struct three one = {1, 1, 1}, many = {32, 1, 1};
    uint32_t out[32] = {0}, v = 100;
    void *device = NULL;
    void *params[] = {&device, &v};
    int wrong = check(cudaMalloc(&device, sizeof out), "cudaMalloc");
    wrong += check(cudaLaunchKernel(&host, one, many, params, 0, NULL), "cudaLaunchKernel");
    wrong += check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    wrong += check(cudaMemcpy(out, device, sizeof out, 2), "cudaMemcpy");
    wrong += check(cudaGetLastError(), "cudaGetLastError");
    wrong += check(cudaFree(device), "cudaFree");
    for (uint32_t i = 0; i < 32; i++)
        wrong += check(out[i] != v + i, "a result");
    return wrong != 0;
}
