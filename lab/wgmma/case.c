/* case.c - operands of a case as the trace format generates them, so that it is a short line. */
#include "case.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

/* Any bits; floats whose exponents are about zero; or those below one, subnormals among them. */
struct generator case_numbers(unsigned bits, unsigned exponent, int is_float, enum dist dist,
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
 * are. Fixed values differ from nibble to nibble, free ones from thread to thread. */
struct generator case_metadata(const struct form *form, uint64_t *state) {
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

static size_t d_bytes(const struct form *form) {
    return (size_t)form->d.regs * WSIM_GROUP_THREADS * 4;
}

enum gpu_answer case_execute(const struct operands *with, struct launch *launch) {
    fill(&with->window, launch->window, launch->size);
    fill(&with->a, launch->a, sizeof launch->a);
    fill(&with->c, launch->c, d_bytes(launch->form));
    fill(&with->e, launch->e, sizeof launch->e);
    return gpu_run(launch);
}

static uint64_t hash(const void *at, size_t bytes) {
    const uint8_t *byte = at;
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    while (bytes--)
        h = (h ^ *byte++) * UINT64_C(0x100000001b3);
    return h;
}

void case_print(const struct operands *with, const struct launch *launch, int trapped) {
    const struct form *form = launch->form;
    printf("%s", form->spelling);
    put("smem", &with->window, launch->size);
    if (form->in_registers)
        put("a", &with->a, sizeof launch->a);
    else
        printf("\tdescA=%016" PRIx64, launch->desc[0]);
    printf("\tdescB=%016" PRIx64, launch->desc[1]);
    put("c", &with->c, d_bytes(form));
    printf("\tscaled=%d", launch->scale_d != 0);
    if (form->signs)
        printf("\tscaleA=%d\tscaleB=%d", form->negate[0] ? -1 : 1, form->negate[1] ? -1 : 1);
    if (form->majors && !form->in_registers)
        printf("\ttnspA=%u", form->trans[0]);
    if (form->majors)
        printf("\ttnspB=%u", form->trans[1]);
    if (form->info.sparse) {
        put("e", &with->e, sizeof launch->e);
        printf("\tsel=%u", form->selector);
    }
    if (trapped)
        puts("\ttrap=1");
    else
        printf("\td_fnv=%016" PRIx64 "\n", hash(launch->d, d_bytes(form)));
}
