/* record.c - runs the kernels of kernels.c on random descriptors and prints a trace.
 *     record SEED all KERNELS.cubin... >wgmma_sweep.trace   every form
 *     record SEED odd KERNELS.cubin... >wgmma_odd.trace     what no manual defines: base offsets,
 *                                                           bits that mean nothing, far addresses
 * DRIVER and DATE in the environment go into the header.
 * Operands are given by the generators of the trace format, so that a case is a short line. */
#include "gpu.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

struct run {
    struct generator window, a, c, e;
};

static struct launch launch;

static size_t d_bytes(const struct form *form) {
    return (size_t)form->d.regs * WSIM_GROUP_THREADS * 4;
}

static int execute(const struct run *run) {
    fill(&run->window, launch.window, sizeof launch.window);
    fill(&run->a, launch.a, sizeof launch.a);
    fill(&run->c, launch.c, d_bytes(launch.form));
    fill(&run->e, launch.e, sizeof launch.e);
    return gpu_run(&launch);
}

static uint64_t hash(const void *at, size_t bytes) {
    const uint8_t *byte = at;
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    while (bytes--)
        h = (h ^ *byte++) * UINT64_C(0x100000001b3);
    return h;
}

static void print(const struct run *run, int whole) {
    const struct form *form = launch.form;
    printf("%s", form->spelling);
    put("smem", &run->window, FORM_WINDOW);
    if (form->in_registers)
        put("a", &run->a, 4 * WSIM_GROUP_THREADS * 4);
    else
        printf("\tdescA=%016" PRIx64, launch.desc[0]);
    printf("\tdescB=%016" PRIx64, launch.desc[1]);
    put("c", &run->c, d_bytes(form));
    printf("\tscaled=%d", launch.scale_d != 0);
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
            printf("%08" PRIx32, launch.d[i]);
    } else {
        printf("\td_fnv=%016" PRIx64, hash(launch.d, d_bytes(form)));
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
    static const enum wsim_swizzle modes[] = {WSIM_SWIZZLE_NONE, WSIM_SWIZZLE_32B, WSIM_SWIZZLE_64B,
                                              WSIM_SWIZZLE_128B};
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
    struct run run;
    launch.form = form;
    enum dist dist = (enum dist)(turn % DISTS);
    unsigned bits = 0, exponent;
    for (int i = 0; i < 2; i++) {
        struct wsim_descriptor descriptor;
        struct wsim_tile tile;
        wsim_wgmma_tile(&form->op, i ? WSIM_B : WSIM_A, (int)form->trans[i], &tile, NULL);
        descriptor = random_descriptor(&tile, state);
        wsim_descriptor_encode(&descriptor, &launch.desc[i], NULL);
        bits = tile.bits;
    }
    exponent = bits == 16 && !strstr(form->spelling, "bf16") ? 5 : bits == 8 ? 4 : 8;
    run.window = choose(bits, exponent, form->signs, dist, form_random(state));
    run.a = choose(bits, exponent, form->signs, dist, form_random(state));
    run.c = choose(d->elem_bits, d->elem_bits == 16 ? 5 : 8, form->signs, dist, form_random(state));
    run.e = choose_metadata(form, state);
    launch.scale_d = form_random(state) % 4 != 0;
    return run;
}

/* --- what is recorded --- */

static void record_all(uint64_t seed) {
    struct form form = {0};
    uint32_t cursor = 0;
    while (form_next(&cursor, &form)) {
        uint64_t state = seed + form.number * UINT64_C(1000003);
        unsigned first = form.number % DISTS;
        for (unsigned i = 0; i < (form.few ? 1u : 4u); i++) {
            struct run run = choose_run(&form, form.few ? first : i, &state);
            if (execute(&run))
                print(&run, 0);
        }
    }
}

/* A field of the descriptor of B that no manual defines. */
enum odd { BASE_OFFSET, MEANINGLESS, FAR, ODDS };

static uint64_t odd_bits(enum odd odd, uint64_t r) {
    static const uint8_t meaningless[] = {14, 15, 30, 31, 46, 47, 48, 52, 53,
                                          54, 55, 56, 57, 58, 59, 60, 61};
    switch (odd) {
    case BASE_OFFSET: return (r % 7 + 1) << 49;
    case MEANINGLESS: return UINT64_C(1) << meaningless[r % sizeof meaningless];
    default: return UINT64_C(0x3000) << (r & 1 ? 32 : 16); /* steps beyond 18 bits */
    }
}

/* Two forms in each major. What may trap comes last, for it ends the run. */
static void record_odd(uint64_t seed, enum odd odd) {
    struct form form = {0};
    uint32_t cursor = 0;
    while (form_next(&cursor, &form)) {
        uint64_t state = seed + form.number + odd * UINT64_C(1000003);
        if (form.info.sparse || (!strstr(form.spelling, "m64n8k16.f32.f16.f16") &&
                                 !strstr(form.spelling, "m64n8k32.s32.s8.s8")))
            continue;
        for (unsigned i = 0; i < 24; i++) {
            struct run run = choose_run(&form, NEAR_ONE, &state);
            launch.desc[1] |= odd_bits(odd, form_random(&state));
            if (execute(&run))
                print(&run, 1);
        }
    }
}

static const char *setting(const char *name) {
    return getenv(name) ? getenv(name) : "unknown";
}

int main(int argc, char **argv) {
    char name[128];
    int odd = argc > 2 && strcmp(argv[2], "odd") == 0;
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 0;
    if (argc < 3 || (!odd && strcmp(argv[2], "all") != 0)) {
        fprintf(stderr, "usage: record SEED all|odd KERNELS.cubin...\n");
        return 2;
    }
    if (!gpu_open(argv + 3, argc - 3)) {
        fprintf(stderr, "skipped: no GPU\n");
        return 77;
    }
    gpu_name(name, sizeof name);
    printf("#wsim-trace 1\n#gpu: %s\n#arch: sm_90a\n#driver: %s\n#toolkit: 13.0\n"
           "#generator: tools/hw/wgmma\n#seed: %" PRIu64 "\n#date: %s\n",
           name, setting("DRIVER"), seed, setting("DATE"));
    if (!odd)
        record_all(seed);
    for (int i = 0; odd && i < ODDS; i++)
        record_odd(seed, (enum odd)i);
    return 0;
}
