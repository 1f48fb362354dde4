/* Products of whole matrices through tcgen05.mma. A tile is in words like those of a warpgroup: a
 * thread has a row of A and of D, or a column of B. The words are copied into the memories of the
 * instruction. The numbers do not depend on the shape of the instruction, so one is enough. */
#include "tensor.h"

#include "../exec/umma.h"

#include <string.h>

enum { LINES = 128, K_WORDS = 8, NEAR_WORDS = 4, CORE_WORDS = 32, QUARTERS = 4 };

/* Columns of tensor memory. */
enum { D_AT = 0, SFA_AT = 256, SFB_AT = 264 };

enum { SIDE_WORDS = LINES * K_WORDS, TENSOR_WORDS = UMMA_LANES * UMMA_COLUMNS };

int tensor_is(const struct wsim_code *code) {
    return work_of(code)->tensor.rows != 0;
}

size_t tensor_own(void) {
    return (TENSOR_WORDS + 2 * SIDE_WORDS) * sizeof(uint32_t);
}

/* Bit i of a line is coordinate 2^i of the axis that begins at bit `axis`; elements take the
 * other. */
static struct wsim_layout layout_of(const struct wsim_format *format, unsigned bits, unsigned elems,
                                    unsigned axis, unsigned cols) {
    struct wsim_layout layout = {.name = "tensor",
                                 .format = format,
                                 .lanes = LINES,
                                 .elems = (uint16_t)elems,
                                 .elem_bits = (uint8_t)bits,
                                 .regs = (uint8_t)((elems * bits + 31) / 32),
                                 .batches = 1,
                                 .rows = (uint16_t)(axis ? elems : LINES),
                                 .cols = (uint16_t)(axis ? cols : elems)};
    for (unsigned i = 0; i < 7; i++)
        layout.lane[i] = UINT32_C(1) << (i + axis);
    for (unsigned i = 0; elems >> (i + 1); i++)
        layout.elem[i] = UINT32_C(1) << (i + (axis ? 0 : 12));
    return layout;
}

enum wsim_status tensor_open(struct wsim_gemm *gemm, struct wsim_diag *diag) {
    const struct wsim_code_product *how = &work_of(gemm->code)->product;
    const struct wsim_code_tensor *tensor = &work_of(gemm->code)->tensor;
    struct wsim_gemm_work *work = &gemm->work;
    if (how->kept)
        return base_refuse(diag, RULE_GEMM_OP_DENSE, 0,
                           "a sparse tcgen05.mma has metadata besides A and B, not modelled for "
                           "whole matrices: use a dense form");
    if (tensor->blocks != 1 || tensor->stationary || how->rows != LINES || how->cols != LINES ||
        tensor->narrow[0] || tensor->narrow[1] || tensor->trans[0] || tensor->trans[1])
        return base_refuse(diag, RULE_GEMM_TENSOR_FORM, 0,
                           "whole matrices go through cta_group::1, M 128, N 128, K-major, of "
                           "types that fill their bytes; other shapes have the same numbers");
    work->d = layout_of(how->d, how->d->bits, LINES, 0, LINES);
    work->a = layout_of(how->a, how->bits_a, how->k, 0, how->k);
    work->b = layout_of(how->b, how->bits_b, how->k, 12, LINES);
    if (how->blocks) {
        work->scale_a = layout_of(how->factor, 8, how->blocks, 0, how->blocks);
        work->scale_b = layout_of(how->factor, 8, how->blocks, 12, LINES);
        gemm->scale = how->factor;
        gemm->block_k = how->k / how->blocks;
    }
    gemm->a = how->a;
    gemm->b = how->b;
    gemm->d = how->d;
    gemm->element_a = (uint8_t)(how->bits_a < 8 ? 1 : how->bits_a / 8);
    gemm->element_b = (uint8_t)(how->bits_b < 8 ? 1 : how->bits_b / 8);
    gemm->element_d = (uint8_t)(how->d->bits / 8);
    gemm->tile_m = gemm->tile_n = LINES;
    gemm->tile_k = how->k;
    work->words_a = (size_t)(work->a.regs + work->scale_a.regs) * LINES;
    work->words_b = (size_t)(work->b.regs + work->scale_b.regs) * LINES;
    work->words_d = (size_t)work->d.regs * LINES;
    return WSIM_OK;
}

/* Lines without a swizzle: 16 bytes of 8 lines follow each other, then those of the next ones. */
static void put_side(const uint32_t *words, uint8_t *to) {
    for (unsigned word = 0; word < K_WORDS; word++)
        for (unsigned line = 0; line < LINES; line++)
            memory_write_words(to + 4 * (word / NEAR_WORDS * (LINES * NEAR_WORDS) +
                                         line / 8 * CORE_WORDS + line % 8 * NEAR_WORDS +
                                         word % NEAR_WORDS),
                               words + word * LINES + line, 1);
}

static void put_factors(const uint32_t *words, unsigned column, uint8_t *tensor) {
    for (unsigned line = 0; line < LINES; line++)
        for (unsigned quarter = 0; quarter < QUARTERS; quarter++)
            memory_write_words(tensor + umma_byte(32 * quarter + line % 32, column + line / 32),
                               words + line, 1);
}

/* Registers with two 16-bit numbers of neighbouring columns, or one of 32 bits; `to`: into
 * tensor memory, else back. */
static void move_d(const struct wsim_gemm *gemm, uint32_t *d, uint8_t *tensor, int to) {
    const unsigned each = 32u / gemm->work.d.elem_bits, bits = gemm->work.d.elem_bits;
    for (unsigned col = 0; col < LINES; col++)
        for (unsigned line = 0; line < LINES; line++) {
            uint32_t *word = d + (size_t)(col / each) * LINES + line, one;
            uint8_t *at = tensor + umma_byte(line, D_AT + col);
            unsigned shift = col % each * bits;
            uint32_t mask = (uint32_t)((UINT64_C(1) << bits) - 1) << shift;
            if (to) {
                one = (*word & mask) >> shift;
                memory_write_words(at, &one, 1);
            } else {
                memory_read_words(&one, at, 1);
                *word = (*word & ~mask) | (one << shift & mask);
            }
        }
}

enum wsim_status tensor_run(const struct wsim_gemm *gemm, uint32_t *d, const uint32_t *a,
                            const uint32_t *b, void *own, struct wsim_diag *diag) {
    uint8_t *tensor_bytes = own, *shared_bytes = tensor_bytes + TENSOR_WORDS * 4;
    const struct wsim_memory tensor =
        wsim_memory_over(WSIM_TENSOR, tensor_bytes, TENSOR_WORDS * 4, 0);
    const struct wsim_memory shared =
        wsim_memory_over(WSIM_SHARED, shared_bytes, 2 * SIDE_WORDS * 4, 0);
    struct wsim_descriptor side = {.leading = LINES * NEAR_WORDS * 4, .stride = CORE_WORDS * 4};
    struct wsim_io io = {
        .shared = &shared,
        .umma = {.tensor = &tensor, .d = D_AT, .sfa = SFA_AT, .sfb = SFB_AT, .adds = 1}};
    enum wsim_status status;
    wsim_umma_matrix_encode(&side, &io.umma.desc_a, NULL);
    side.start = SIDE_WORDS * 4;
    wsim_umma_matrix_encode(&side, &io.umma.desc_b, NULL);
    put_side(a, shared_bytes);
    put_side(b, shared_bytes + SIDE_WORDS * 4);
    if (gemm->scale) {
        put_factors(a + (size_t)gemm->work.a.regs * LINES, SFA_AT, tensor_bytes);
        put_factors(b + (size_t)gemm->work.b.regs * LINES, SFB_AT, tensor_bytes);
    }
    move_d(gemm, d, tensor_bytes, 1);
    status = wsim_run(gemm->code, &io, diag);
    if (!status)
        move_d(gemm, d, tensor_bytes, 0);
    return status;
}
