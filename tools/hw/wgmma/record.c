/* record.c - runs the kernels of kernels.c on random descriptors and prints a trace.
 *     record SEED KERNELS.cubin... >wgmma.trace           every form
 *     record SEED --odd KERNELS.cubin... >odd.trace       what no manual defines: base offsets,
 *                                                         bits that mean nothing, addresses that wrap
 * Operands are given by the generators of the trace format, so that a case is a short line. */
#include "forms.h"

#include <cuda.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REGS_BYTES = WSIM_GROUP_REGS * WSIM_GROUP_THREADS * 4, PARTS_MAX = 16 };

static void check(CUresult result, const char *what) {
    const char *text = "?";
    if (result == CUDA_SUCCESS)
        return;
    cuGetErrorString(result, &text);
    fprintf(stderr, "%s: %s\n", what, text);
    exit(2);
}

/* --- operands as the trace format generates them --- */

struct generator {
    uint64_t keep, set, seed;
};

static uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static void fill(const struct generator *g, void *at, size_t bytes) {
    uint64_t *word = at;
    for (size_t i = 0; i < bytes / 8; i++)
        word[i] = (mix(g->seed + 8 * i) & g->keep) | g->set;
}

static void put(const char *name, const struct generator *g, size_t bytes) {
    printf("\t%s=", name);
    if (g->keep == UINT64_MAX)
        printf("@mix:%" PRIu64 ":%zu", g->seed, bytes);
    else
        printf("@bits:%016" PRIx64 ":%016" PRIx64 ":%" PRIu64 ":%zu", g->keep, g->set, g->seed,
               bytes);
}

enum dist { NEAR_ONE, RAW, SMALL, DISTS };

/* Any bits; floats whose exponents are about zero; or those below one, subnormals among them. */
static struct generator choose(unsigned bits, unsigned exponent, int is_float, enum dist dist,
                               uint64_t seed) {
    struct generator g = {UINT64_MAX, 0, seed % 1000000007};
    uint64_t each = 0, keep, set;
    for (unsigned i = 0; i < 64; i += bits)
        each |= UINT64_C(1) << i;
    if (!is_float || dist == RAW)
        return g;
    keep = (UINT64_C(1) << (bits - 1)) | ((UINT64_C(1) << (bits - 1 - exponent + 2)) - 1);
    set = ((UINT64_C(1) << (exponent - 1)) - 4) << (bits - 1 - exponent);
    if (dist == SMALL) {
        keep = ~(UINT64_C(1) << (bits - 2)) & (UINT64_MAX >> (64 - bits));
        set = 0;
    }
    g.keep = keep * each;
    g.set = set * each;
    return g;
}

/* Metadata: nibbles with two different indices, in either order; of tf32 one of the two that there
 * are. What is fixed differs from nibble to nibble, what is free from thread to thread. */
static struct generator choose_metadata(const struct form *form, uint64_t *state) {
    struct generator g = {0, 0, form_random(state) % 1000000007};
    int pairs = strstr(form->spelling, "tf32") == NULL;
    for (int i = 0; i < 64; i += 4) {
        uint64_t one = form_random(state) & 1;
        g.set |= (uint64_t)(pairs ? (one ? 8 : 2) : (one ? 14 : 4)) << i;
        g.keep |= (uint64_t)(pairs ? 5 : 0) << i;
    }
    return g;
}

/* --- one case --- */

struct gpu {
    CUdeviceptr window, a, c, d, e, io;
    CUmodule module[PARTS_MAX];
    unsigned parts;
};

struct run {
    const struct form *form;
    uint64_t desc[2], scale_d;
    struct generator window, a, c, e;
};

static uint8_t window[FORM_WINDOW];
static uint32_t regs[WSIM_GROUP_REGS * WSIM_GROUP_THREADS];

static void send(CUdeviceptr to, const struct generator *g, void *buffer, size_t bytes) {
    fill(g, buffer, bytes);
    check(cuMemcpyHtoD(to, buffer, bytes), "copy");
}

static CUfunction find(const struct gpu *gpu, unsigned number) {
    CUfunction function = NULL;
    char name[32];
    snprintf(name, sizeof name, "k%u", number);
    for (unsigned i = 0; i < gpu->parts; i++)
        if (cuModuleGetFunction(&function, gpu->module[i], name) == CUDA_SUCCESS)
            return function;
    fprintf(stderr, "no kernel %s\n", name);
    exit(2);
}

static size_t d_bytes(const struct form *form) {
    return (size_t)form->d.regs * WSIM_GROUP_THREADS * 4;
}

static void launch(const struct gpu *gpu, const struct run *run) {
    const struct form *form = run->form;
    uint64_t io[8] = {gpu->window, gpu->a, gpu->c, gpu->d, gpu->e, run->desc[0], run->desc[1],
                      run->scale_d};
    CUdeviceptr at = gpu->io;
    void *arguments[] = {&at};
    CUfunction function = find(gpu, form->number);
    send(gpu->window, &run->window, window, sizeof window);
    send(gpu->a, &run->a, regs, 4 * WSIM_GROUP_THREADS * 4);
    send(gpu->c, &run->c, regs, d_bytes(form));
    send(gpu->e, &run->e, regs, WSIM_GROUP_THREADS * 4);
    check(cuMemsetD32(gpu->d, 0xA5A5A5A5u, REGS_BYTES / 4), "fill");
    check(cuMemcpyHtoD(gpu->io, io, sizeof io), "copy");
    check(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                             FORM_WINDOW),
          "window");
    check(cuLaunchKernel(function, 1, 1, 1, WSIM_GROUP_THREADS, 1, 1, FORM_WINDOW, NULL, arguments,
                         NULL),
          form->spelling);
    check(cuCtxSynchronize(), form->spelling);
    check(cuMemcpyDtoH(regs, gpu->d, d_bytes(form)), "copy");
}

static uint64_t hash(const void *at, size_t bytes) {
    const uint8_t *byte = at;
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    while (bytes--)
        h = (h ^ *byte++) * UINT64_C(0x100000001b3);
    return h;
}

static void print(const struct run *run, int whole) {
    const struct form *form = run->form;
    printf("%s", form->spelling);
    put("smem", &run->window, FORM_WINDOW);
    if (form->in_registers)
        put("a", &run->a, 4 * WSIM_GROUP_THREADS * 4);
    else
        printf("\tdescA=%016" PRIx64, run->desc[0]);
    printf("\tdescB=%016" PRIx64, run->desc[1]);
    put("c", &run->c, d_bytes(form));
    printf("\tscaled=%d", run->scale_d != 0);
    if (form->signs)
        printf("\tscaleA=%d\tscaleB=%d", form->negate[0] ? -1 : 1, form->negate[1] ? -1 : 1);
    if (form->majors && !form->in_registers)
        printf("\ttnspA=%u", form->trans[0]);
    if (form->majors)
        printf("\ttnspB=%u", form->trans[1]);
    if (form->info.sparse) {
        put("e", &run->e, WSIM_GROUP_THREADS * 4);
        printf("\tsel=%u", form->selector);
    }
    if (whole) {
        printf("\td=");
        for (size_t i = 0; i < d_bytes(form) / 4; i++)
            printf("%08" PRIx32, regs[i]);
    } else {
        printf("\td_fnv=%016" PRIx64, hash(regs, d_bytes(form)));
    }
    putchar('\n');
}

/* --- descriptors --- */

static uint32_t highest(const struct wsim_descriptor *d, const struct wsim_tile *tile) {
    uint32_t most = 0;
    for (unsigned row = 0; row < tile->rows; row++)
        for (unsigned k = 0; k < tile->k; k++) {
            uint32_t at = wsim_descriptor_address(d, tile, row, k);
            most = at > most ? at : most;
        }
    return most;
}

/* Any that stays inside the window. */
static struct wsim_descriptor random_descriptor(const struct wsim_tile *tile, uint64_t *state) {
    static const enum wsim_swizzle modes[] = {WSIM_SWIZZLE_NONE, WSIM_SWIZZLE_32B,
                                              WSIM_SWIZZLE_64B, WSIM_SWIZZLE_128B};
    for (;;) {
        uint64_t r = form_random(state), q = form_random(state);
        struct wsim_descriptor d = {0};
        unsigned spread = 1u << (3 + (q >> 40) % 9);
        d.mode = modes[r & 3];
        d.start = (uint32_t)(r >> 8) % (FORM_WINDOW / 16) * 16;
        if (r >> 2 & 1)
            d.start &= ~1023u;
        d.leading = (uint32_t)q % spread * 16;
        d.stride = (uint32_t)(q >> 20) % spread * 16;
        if (r >> 3 & 1)
            d.stride = 8 * (d.mode == WSIM_SWIZZLE_NONE ? 16 : wsim_swizzle_span(d.mode));
        if (highest(&d, tile) + 4 <= FORM_WINDOW)
            return d;
    }
}

static struct run choose_run(const struct form *form, unsigned turn, uint64_t *state) {
    const struct wsim_layout *d = &form->d;
    struct run run = {.form = form};
    enum dist dist = (enum dist)(turn % DISTS);
    unsigned bits = 0, exponent;
    for (int i = 0; i < 2; i++) {
        struct wsim_descriptor descriptor;
        struct wsim_tile tile;
        wsim_wgmma_tile(&form->op, i ? WSIM_B : WSIM_A, (int)form->trans[i], &tile, NULL);
        descriptor = random_descriptor(&tile, state);
        wsim_descriptor_encode(&descriptor, &run.desc[i], NULL);
        bits = tile.bits;
    }
    exponent = bits == 16 && !strstr(form->spelling, "bf16") ? 5 : bits == 8 ? 4 : 8;
    run.window = choose(bits, exponent, form->signs, dist, form_random(state));
    run.a = choose(bits, exponent, form->signs, dist, form_random(state));
    run.c = choose(d->elem_bits, d->elem_bits == 16 ? 5 : 8, form->signs, dist, form_random(state));
    run.e = choose_metadata(form, state);
    run.scale_d = form_random(state) % 4 != 0;
    return run;
}

/* --- what is recorded --- */

static void record_all(const struct gpu *gpu, uint64_t seed) {
    struct form form = {0};
    uint32_t cursor = 0;
    while (form_next(&cursor, &form)) {
        uint64_t state = seed + form.number * UINT64_C(1000003);
        unsigned first = form.number % DISTS;
        for (unsigned i = 0; i < (form.few ? 1u : 4u); i++) {
            struct run run = choose_run(&form, form.few ? first : i, &state);
            launch(gpu, &run);
            print(&run, 0);
        }
    }
}

/* One form in each major: fields of the descriptor of B (and of A) that no manual defines. */
static void record_odd(const struct gpu *gpu, uint64_t seed) {
    struct form form = {0};
    uint32_t cursor = 0;
    while (form_next(&cursor, &form)) {
        uint64_t state = seed + form.number;
        int half = strstr(form.spelling, "m64n8k16.f32.f16.f16") != NULL;
        int bytes = strstr(form.spelling, "m64n8k32.s32.s8.s8") && !strstr(form.spelling, "sat");
        if ((!half && !bytes) || form.info.sparse)
            continue;
        for (unsigned i = 0; i < 64; i++) {
            struct run run = choose_run(&form, 0, &state);
            uint64_t r = form_random(&state);
            if (i < 32)
                run.desc[1] |= (r % 7 + 1) << 49;
            else if (i < 48)
                run.desc[1] |= UINT64_C(1) << (r & 1 ? 52 + (r >> 1) % 10
                                               : r & 2 ? 14 + (r >> 2) % 2
                                               : r & 4 ? 30 + (r >> 3) % 2
                                                       : 46 + (r >> 3) % 3);
            else /* steps that leave the 18 bits of an address, with a stride beyond them */
                run.desc[1] |= UINT64_C(0x3000) << (r & 1 ? 32 : 16);
            launch(gpu, &run);
            print(&run, 1);
        }
    }
}

static void header(CUdevice device, uint64_t seed) {
    char name[128];
    int version;
    cuDeviceGetName(name, sizeof name, device);
    cuDriverGetVersion(&version);
    printf("#wsim-trace 1\n#gpu: %s\n#arch: sm_90a\n#driver: %s\n#toolkit: 13.0\n"
           "#generator: tools/hw/wgmma\n#seed: %" PRIu64 "\n#date: %s\n",
           name, getenv("DRIVER") ? getenv("DRIVER") : "unknown", seed,
           getenv("DATE") ? getenv("DATE") : "unknown");
}

int main(int argc, char **argv) {
    struct gpu gpu = {0};
    CUdevice device;
    CUcontext context;
    int odd = argc > 2 && strcmp(argv[2], "--odd") == 0;
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;
    if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS) {
        fprintf(stderr, "skipped: no GPU\n");
        return 77;
    }
    check(cuDevicePrimaryCtxRetain(&context, device), "context");
    check(cuCtxSetCurrent(context), "context");
    for (int i = 2 + odd; i < argc && gpu.parts < PARTS_MAX; i++)
        check(cuModuleLoad(&gpu.module[gpu.parts++], argv[i]), argv[i]);
    check(cuMemAlloc(&gpu.window, FORM_WINDOW), "memory");
    check(cuMemAlloc(&gpu.a, REGS_BYTES), "memory");
    check(cuMemAlloc(&gpu.c, REGS_BYTES), "memory");
    check(cuMemAlloc(&gpu.d, REGS_BYTES), "memory");
    check(cuMemAlloc(&gpu.e, REGS_BYTES), "memory");
    check(cuMemAlloc(&gpu.io, 64), "memory");
    header(device, seed);
    (odd ? record_odd : record_all)(&gpu, seed);
    return 0;
}
