/* probe.c - matrices to fragments, through the layouts of the library. */
#include "probe.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void probe_open(struct probe *probe, const char *spelling, unsigned selector) {
    struct wsim_diag diag;
    memset(probe, 0, sizeof *probe);
    if (wsim_op_parse(spelling, &probe->op, &diag) != WSIM_OK ||
        wsim_op_layout(&probe->op, NULL, WSIM_A, &probe->layout_a, &diag) != WSIM_OK) {
        fprintf(stderr, "probes: %s: %s\n", spelling, diag.text);
        exit(2);
    }
    wsim_op_layout(&probe->op, NULL, WSIM_B, &probe->layout_b, NULL);
    wsim_op_layout(&probe->op, NULL, WSIM_C, &probe->layout_c, NULL);
    wsim_op_layout(&probe->op, NULL, WSIM_D, &probe->layout_d, NULL);
    probe->info = wsim_op_describe(&probe->op);
    probe->selector = selector;
    probe->rows = (unsigned)probe->layout_a.batches * probe->layout_a.rows;
    probe->cols = probe->layout_b.cols;
    probe->stored = probe->layout_a.cols;
    if (wsim_op_layout(&probe->op, NULL, WSIM_E, &probe->layout_e, NULL) == WSIM_OK) {
        probe->chunk = (unsigned)probe->info.k / probe->layout_e.cols;
        probe->kept = probe->stored / probe->layout_e.cols;
    }
    probe_clear(probe, 4);
}

void probe_clear(struct probe *probe, unsigned nibble) {
    memset(probe->a, 0, sizeof probe->a);
    memset(probe->b, 0, sizeof probe->b);
    memset(probe->c, 0, sizeof probe->c);
    memset(probe->e, 0, sizeof probe->e);
    for (unsigned row = 0; probe->info.sparse && row < probe->rows; row++)
        probe_set_nibble(probe, row, nibble);
}

void probe_set_a(struct probe *probe, unsigned row, unsigned stored, uint64_t bits) {
    probe->a[row * probe->stored + stored] = bits;
}

void probe_set_b(struct probe *probe, unsigned k, unsigned col, uint64_t bits) {
    const struct wsim_layout *layout = &probe->layout_b;
    for (unsigned batch = 0; batch < layout->batches; batch++)
        probe->b[(batch * layout->rows + k) * layout->cols + col] = bits;
}

void probe_set_c(struct probe *probe, unsigned row, unsigned col, uint64_t bits) {
    probe->c[row * probe->cols + col] = bits;
}

void probe_set_nibble(struct probe *probe, unsigned row, unsigned nibble) {
    for (unsigned col = 0; col < probe->layout_e.cols; col++) {
        struct wsim_coord at = {(uint16_t)probe->selector, (uint16_t)row, (uint16_t)col};
        struct wsim_place place;
        if (wsim_layout_places(&probe->layout_e, at, &place, 1) == 0)
            continue;
        probe->e[place.lane] &= ~(UINT32_C(15) << place.lsb);
        probe->e[place.lane] |= (uint32_t)nibble << place.lsb;
    }
}

/* An index counts quarters of the chunk; the stored elements share the two indices evenly. */
unsigned probe_k(const struct probe *probe, unsigned nibble, unsigned stored) {
    unsigned slot, each, index;
    if (!probe->info.sparse)
        return stored;
    slot = stored % probe->kept;
    each = probe->kept > 1 ? probe->kept / 2 : 1;
    index = nibble >> 2 * (slot / each) & 3;
    return stored / probe->kept * probe->chunk + index * probe->chunk / 4 + slot % each;
}

int probe_nibble_is_defined(const struct probe *probe, unsigned nibble) {
    static const struct wsim_regs a;
    static uint64_t dense[PROBE_A_MAX];
    uint32_t e[WSIM_LANES];
    for (int lane = 0; lane < WSIM_LANES; lane++)
        e[lane] = nibble * 0x11111111u;
    return wsim_sparse_expand(&probe->op, &a, e, probe->selector, dense, NULL) == WSIM_OK;
}

static void print_regs(const char *name, const struct wsim_layout *layout, const uint64_t *matrix) {
    struct wsim_regs regs;
    unsigned step = layout->elem_bits == 64 ? 2 : 1;
    memset(&regs, 0, sizeof regs);
    wsim_fragment_pack(layout, matrix, &regs);
    printf("\t%s=", name);
    for (unsigned reg = 0; reg < layout->regs; reg += step)
        for (unsigned lane = 0; lane < WSIM_LANES; lane++) {
            if (step == 2)
                printf("%08" PRIx32, regs.r[reg + 1][lane]);
            printf("%08" PRIx32, regs.r[reg][lane]);
        }
}

void probe_print(const struct probe *probe, const char *comment) {
    static const uint64_t nothing[PROBE_C_MAX];
    char spelling[WSIM_SPELLING_MAX];
    wsim_op_spell(&probe->op, spelling);
    printf("# %s\n%s", comment, spelling);
    print_regs("a", &probe->layout_a, probe->a);
    print_regs("b", &probe->layout_b, probe->b);
    print_regs("c", &probe->layout_c, probe->c);
    if (probe->info.sparse) {
        printf("\te=");
        for (unsigned lane = 0; lane < WSIM_LANES; lane++)
            printf("%08" PRIx32, probe->e[lane]);
        printf("\tsel=%u", probe->selector);
    }
    print_regs("d", &probe->layout_d, nothing);
    putchar('\n');
}

uint64_t probe_power(const struct wsim_layout *layout, int negative, int exponent) {
    struct wsim_value value = {WSIM_FINITE, (uint8_t)negative, (int16_t)exponent, 1};
    if (layout->format->kind == WSIM_INT)
        value.sig = UINT64_C(1) << exponent, value.exp = 0;
    return wsim_format_encode(layout->format, value, WSIM_RN)
           << (layout->elem_bits > layout->format->bits ? layout->format->pad : 0);
}
