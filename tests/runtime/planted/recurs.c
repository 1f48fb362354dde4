/* Launches that find again what an earlier one found: inputs that the host writes anew, outputs
 * that a fill or an allocation resets. */
#include "planted.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TO_DEVICE = 1, TO_HOST = 2, RIGHT = 60000, WRONG = 62, WRONG_SAMPLE = 32 };

int cudaMalloc(void **, size_t), cudaMemset(void *, int, size_t);
int cudaMemcpy(void *, const void *, size_t, int);
int cudaMallocManaged(void **, size_t, unsigned);
int cuModuleGetGlobal_v2(uint64_t *, size_t *, void *, const char *);
int cuMemcpyHtoD_v2(uint64_t, const void *, size_t);
int cuLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void *, void **, void **);

/* `count` adds f(in[tid]) * scale to out[0], and keeps the order of its atomics; f takes long.
 * `grow` changes its own input, and a variable. `spread` writes out[in[tid]]: equal numbers race.
 * `bump` only changes its input, and `zero` makes it 0. */
static const char text[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .const .align 4 .u32 scale = 3;\n.visible .global .align 4 .u32 total;\n"
    ".visible .entry count(.param .u64 out, .param .u64 in) {\n"
    ".reg .u64 %a<4>; .reg .u32 %r<8>; .reg .pred %p;\n"
    "ld.param.u64 %a0, [out]; ld.param.u64 %a1, [in]; mov.u32 %r0, %tid.x; mov.u32 %r2, 0;\n"
    "mul.wide.u32 %a2, %r0, 4; add.u64 %a1, %a1, %a2; ld.global.u32 %r1, [%a1];\n"
    "next: mad.lo.u32 %r1, %r1, %r1, %r2; shf.l.wrap.b32 %r1, %r1, %r1, 3;\n"
    "add.u32 %r2, %r2, 1; setp.lt.u32 %p, %r2, 3500; @%p bra next;\n"
    "ld.const.u32 %r3, [scale]; mul.lo.u32 %r1, %r1, %r3;\n"
    "atom.global.add.u32 %r4, [%a0], %r1;\n"
    "add.u64 %a2, %a2, %a0; st.global.u32 [%a2+4], %r4; ret; }\n"
    ".visible .entry grow(.param .u64 out, .param .u64 in) {\n"
    ".reg .u64 %a<4>; .reg .u32 %r<4>; ld.param.u64 %a0, [out]; mov.u32 %r0, %tid.x;\n"
    "mul.wide.u32 %a2, %r0, 4; add.u64 %a0, %a0, %a2; ld.global.u32 %r1, [%a0];\n"
    "add.u32 %r1, %r1, %r0; st.global.u32 [%a0], %r1; red.global.add.u32 [total], 1; ret; }\n"
    ".visible .entry spread(.param .u64 out, .param .u64 in) {\n"
    ".reg .u64 %a<4>; .reg .u32 %r<4>; ld.param.u64 %a0, [out]; ld.param.u64 %a1, [in];\n"
    "mov.u32 %r0, %tid.x; mul.wide.u32 %a2, %r0, 4; add.u64 %a1, %a1, %a2;\n"
    "ld.global.u32 %r1, [%a1]; mul.wide.u32 %a2, %r1, 4; add.u64 %a0, %a0, %a2;\n"
    "st.global.u32 [%a0], %r0; ret; }\n"
    ".visible .entry bump(.param .u64 out, .param .u64 in) {\n"
    ".reg .u64 %a<4>; .reg .u32 %r<4>; ld.param.u64 %a0, [out]; mov.u32 %r0, %tid.x;\n"
    "mul.wide.u32 %a2, %r0, 4; add.u64 %a0, %a0, %a2; ld.global.u32 %r1, [%a0];\n"
    "add.u32 %r1, %r1, %r0; st.global.u32 [%a0], %r1; ret; }\n"
    ".visible .entry zero(.param .u64 out, .param .u64 in) {\n"
    ".reg .u64 %a<4>; .reg .u32 %r<4>; ld.param.u64 %a0, [out]; mov.u32 %r0, %tid.x;\n"
    "mul.wide.u32 %a2, %r0, 4; add.u64 %a0, %a0, %a2; mov.u32 %r1, 0;\n"
    "st.global.u32 [%a0], %r1; ret; }\n";

static void run(void *module, const char *name, void *out, const void *in) {
    void *function, *params[] = {&out, &in};
    must(cuModuleGetFunction(&function, module, name));
    must(cuLaunchKernel(function, 1, 1, 1, N, 1, 1, 0, NULL, params, NULL));
}

/* A sample under sanitizers, which make f slow, has each change of an input at least once. */
static uint32_t rounds_of(int wrong) {
    const char *sample = getenv("WSIM_TEST_SAMPLE");
    return !wrong ? RIGHT : sample && atoi(sample) >= 32 ? WRONG_SAMPLE : WRONG;
}

void recurs(int wrong) {
    const uint32_t rounds = rounds_of(wrong);
    uint32_t host[N + 1], first[N], sum = 0, *seen, *out, *in, *grown;
    void *module;
    uint64_t scale, total;
    size_t bytes;
    must(cudaFree(NULL));
    must(cuModuleLoadData(&module, text));
    must(cuModuleGetGlobal_v2(&scale, &bytes, module, "scale"));
    must(cuModuleGetGlobal_v2(&total, &bytes, module, "total"));
    must(cudaMalloc((void **)&in, BYTES));
    must(cudaMalloc((void **)&grown, BYTES));
    must(cudaMallocManaged((void **)&seen, BYTES, 1));
    for (uint32_t i = 0; i < N; i++)
        first[i] = seen[i] = i;
    must(cudaMemset(grown, 0, BYTES));
    for (uint32_t round = 0; round < rounds; round++) {
        const uint32_t number = wrong && round % 20 > 12 ? 5 : 3;
        if (wrong && round % 30 == 29)
            first[7] ^= 5;
        must(cuMemcpyHtoD_v2(scale, &number, 4));
        must(cudaMemcpy(in, first, BYTES, TO_DEVICE));
        must(cudaMalloc((void **)&out, BYTES + 4));
        must(cudaMemset(out, 0, 4));
        run(module, "count", out, in);
        must(cudaMemcpy(host, out, BYTES + 4, TO_HOST));
        sum = 31 * sum + host[0] + host[N];
        if (wrong) {
            if (round % 16 == 9)
                seen[round % N] = round;
            must(cudaMemset(out, 0, 4));
            run(module, "count", out, seen);
            run(module, "grow", grown, NULL);
            if (round % 4 == 3)
                must(cudaMemset(grown, 0, BYTES));
            must(cudaMemcpy(host, out, BYTES + 4, TO_HOST));
            sum = 31 * sum + host[0] + host[N / 2];
            must(cudaMemcpy(host, grown, BYTES, TO_HOST));
            sum = 31 * sum + host[9];
        }
        must(cudaFree(out));
    }
    must(cudaMemcpy(host, (void *)(uintptr_t)total, 4, TO_HOST));
    printf("%u %u\n", sum, host[0]);
    must(cudaFree(in));
    must(cudaFree(seen));
    must(cudaFree(grown));
}

/* Launches that change memory, which is reset behind each of them, with checks. If wrong, numbers
 * in a later round are equal, or bytes of equal value are not initialised, or memory is freed. */
void revisits(int wrong) {
    enum { ROUNDS = 40, LAST = ROUNDS - 1 };
    uint32_t host[N], places[N], sum = 0, *in, *out, *grown, *fresh, *pooled;
    void *module;
    must(cudaFree(NULL));
    must(cuModuleLoadData(&module, text));
    must(cudaMalloc((void **)&in, BYTES));
    must(cudaMalloc((void **)&out, BYTES + 4));
    must(cudaMalloc((void **)&grown, BYTES));
    must(cudaMalloc((void **)&fresh, BYTES));
    for (uint32_t i = 0; i < N; i++)
        places[i] = N - 1 - i;
    for (uint32_t round = 0; round < (wrong ? ROUNDS : RIGHT); round++) {
        if (wrong)
            places[5] = round % 9 == 7 ? places[6] : N - 1 - 5;
        must(cudaMemcpy(in, places, BYTES, TO_DEVICE));
        must(cudaMemset(out, 0, BYTES + 4));
        run(module, wrong ? "spread" : "count", out, in);
        must(cudaMemcpy(host, out, BYTES, TO_HOST));
        sum = 31 * sum + host[0] + host[N - 1 - 5];
        if (!wrong)
            continue;
        if (round % 11 == 10)
            must(cudaMemcpy(grown, fresh, BYTES, 3));
        else
            must(cudaMemset(grown, 0, BYTES));
        run(module, "bump", grown, NULL);
        must(cudaMallocAsync((void *)&pooled, BYTES, NULL));
        run(module, "zero", pooled, NULL);
        run(module, "bump", pooled, NULL);
        must(cudaMemcpy(host, pooled, BYTES, TO_HOST));
        sum = 31 * sum + host[0] + host[N - 1 - 5];
        must(cudaFreeAsync(pooled, NULL));
        if (round == LAST)
            run(module, "bump", pooled, NULL);
    }
    printf("%u\n", sum);
    if (wrong)
        must(cudaDeviceSynchronize() == 0);
    must(cudaFree(in));
}
