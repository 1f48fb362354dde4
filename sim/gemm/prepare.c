/* Divides a product of matrices into tiles and blocks, and computes the memory that it needs. */
#include "tensor.h"

#include "../isa/isa.h"

#include <string.h>

/* --- instructions --- */

static enum wsim_status check_op(const struct wsim_op *op, struct wsim_diag *diag) {
    struct wsim_op_info info = wsim_op_describe(op);
    if (!(info.does & WSIM_DOES_MULTIPLY))
        return base_refuse(diag, RULE_GEMM_OP_OTHER, 0,
                           "%s does not multiply matrices: use mma, wmma.mma or wgmma.mma_async",
                           isa_op_called(op).text);
    if (info.sparse)
        return base_refuse(
            diag, RULE_GEMM_OP_DENSE, 0,
            "%s has metadata besides A and B, not modelled for whole matrices: use a dense form",
            isa_op_called(op).text);
    return WSIM_OK;
}

static enum wsim_status check_result(const struct wsim_op *op, const struct wsim_layout *c,
                                     const struct wsim_layout *d, struct wsim_diag *diag) {
    if (c->format == d->format)
        return WSIM_OK;
    return base_refuse(diag, RULE_GEMM_RESULT_OTHER, 0,
                       "%s has D of %s and C of %s, so it cannot continue along k: use a form with "
                       "equal types of C and D",
                       isa_op_called(op).text, d->format->name, c->format->name);
}

static enum wsim_status check_promotion(const struct wsim_gemm *gemm, struct wsim_diag *diag) {
    if (!gemm->size.promote)
        return WSIM_OK;
    if (gemm->d != &isa_formats[FORMAT_F32])
        return base_refuse(diag, RULE_GEMM_PROMOTE_TYPE, 0,
                           "accumulators of %s cannot be promoted: only f32 can", gemm->d->name);
    if (gemm->size.promote % gemm->tile_k)
        return base_refuse(
            diag, RULE_GEMM_PROMOTE_RANGE, 0,
            "promotion after %llu of k: must be a multiple of %llu, the k of an instruction",
            (unsigned long long)gemm->size.promote, (unsigned long long)gemm->tile_k);
    return WSIM_OK;
}

/* Slices have the same number of instructions, rounded up, so the last slices may be empty. */
static enum wsim_status check_split(struct wsim_gemm *gemm, struct wsim_diag *diag) {
    size_t steps = gemm->work.steps, split = gemm->size.split, each;
    gemm->slices = 1;
    gemm->slice_k = gemm->size.k;
    if (split <= 1)
        return WSIM_OK;
    if (gemm->d != &isa_formats[FORMAT_F32] && gemm->d != &isa_formats[FORMAT_F64] &&
        gemm->d != &isa_formats[FORMAT_S32])
        return base_refuse(diag, RULE_GEMM_SPLIT_TYPE, 0,
                           "slices of %s: kernels add them in several ways; only f32, f64 and s32 "
                           "are added in their own type",
                           gemm->d->name);
    if (split > steps)
        return base_refuse(diag, RULE_GEMM_SPLIT_RANGE, 0,
                           "%llu slices of k %llu: it is %llu instructions of %llu, and a slice "
                           "has one at least",
                           (unsigned long long)split, (unsigned long long)gemm->size.k,
                           (unsigned long long)steps, (unsigned long long)gemm->tile_k);
    each = steps / split + (steps % split != 0);
    gemm->slices = steps / each + (steps % each != 0);
    gemm->slice_k = each * gemm->tile_k;
    return WSIM_OK;
}

/* --- sizes --- */

/* A number of bytes, or an overflow of size_t. */
struct bytes {
    size_t number;
    int too_large;
};

static struct bytes times(struct bytes bytes, size_t factor) {
    if (factor && bytes.number > SIZE_MAX / factor)
        bytes.too_large = 1;
    bytes.number *= factor;
    return bytes;
}

static size_t ceiling(size_t number, size_t unit) {
    return number / unit + (number % unit != 0);
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t words_of(const struct wsim_layout *layout) {
    return (size_t)layout->regs * layout->lanes;
}

/* Rows and columns of a block. Its accumulators, and its parts of A and B along a chunk of k, fit
 * into a cache of 256 KB. */
enum { BLOCK_LINES = 128, CHUNK_BYTES = 128 << 10 };

static void divide(struct wsim_gemm *gemm) {
    struct wsim_gemm_work *work = &gemm->work;
    size_t panel = BLOCK_LINES / gemm->tile_n, strip = BLOCK_LINES / gemm->tile_m;
    work->rows = ceiling(gemm->size.m, gemm->tile_m);
    work->columns = ceiling(gemm->size.n, gemm->tile_n);
    work->steps = ceiling(gemm->size.k, gemm->tile_k);
    work->panel = panel ? panel : 1;
    work->strip = strip ? strip : 1;
    work->chunk = CHUNK_BYTES / (work->panel * work->words_b * sizeof(uint32_t));
    work->chunk = work->chunk ? work->chunk : 1;
    gemm->parts_a = work->rows;
    gemm->parts_b = ceiling(work->columns, work->panel);
    gemm->blocks = gemm->parts_b * ceiling(work->rows, work->strip);
    gemm->steps = (uint64_t)work->rows * work->columns * work->steps;
}

size_t tile_pointers(const struct wsim_gemm_work *work) {
    return (work->words_a + work->panel * (work->words_b + work->words_d)) / WSIM_LANES;
}

static enum wsim_status measure(struct wsim_gemm *gemm, struct wsim_diag *diag) {
    const struct wsim_gemm_work *work = &gemm->work;
    size_t tiles = least(work->panel, work->columns) * least(work->strip, work->rows);
    struct bytes one = {1, 0};
    struct bytes a = times(times(times(times(one, work->words_a), 4), work->rows), work->steps);
    struct bytes b = times(times(times(times(one, work->words_b), 4), work->columns), work->steps);
    struct bytes d = times(times(times(one, work->rows), work->columns), work->steps);
    size_t slack = work->b.regs ? 0 : TILE_SLACK;
    if (a.too_large || b.too_large || d.too_large || b.number > SIZE_MAX - slack)
        return base_refuse(
            diag, RULE_GEMM_SIZE_RANGE, 0,
            "m %llu, n %llu, k %llu: packed matrices must fit in the address space of this machine",
            (unsigned long long)gemm->size.m, (unsigned long long)gemm->size.n,
            (unsigned long long)gemm->size.k);
    gemm->bytes_a = a.number;
    gemm->bytes_b = b.number + slack;
    gemm->bytes_own = tile_pointers(work) * sizeof(void *) +
                      (tiles * (1 + (gemm->size.promote != 0) + (gemm->slices > 1))) *
                          work->words_d * sizeof(uint32_t) +
                      (tensor_is(gemm->code) ? tensor_own(gemm) : 0);
    return WSIM_OK;
}

/* --- the whole --- */

static uint8_t element_bytes(unsigned bits) {
    return bits < 8 ? 1 : (uint8_t)(bits / 8);
}

/* B of a warpgroup: blocks of 8 columns and 16 bytes of k that follow each other along k, without a
 * swizzle. */
static void share(struct wsim_gemm *gemm) {
    enum { CORE_BYTES = 128, COLUMN_BYTES = 32 };
    struct wsim_gemm_work *work = &gemm->work;
    struct wsim_descriptor descriptor = {
        .leading = CORE_BYTES, .stride = 2 * CORE_BYTES, .mode = WSIM_SWIZZLE_NONE};
    wsim_wgmma_tile(&gemm->code->op, WSIM_B, 0, &work->tile_b, NULL);
    wsim_descriptor_encode(&descriptor, &work->desc_b, NULL);
    work->words_b = (size_t)work->tile_b.rows * COLUMN_BYTES / sizeof(uint32_t);
    gemm->b = work->tile_b.format;
    gemm->element_b = element_bytes(work->tile_b.bits);
}

/* The registers of scale factors follow those of A and of B in a packed tile. */
static void open_scales(struct wsim_gemm *gemm) {
    const struct wsim_op *op = &gemm->code->op;
    struct wsim_gemm_work *work = &gemm->work;
    if (!isa_op_has(op, WSIM_SFA))
        return;
    wsim_op_layout(op, gemm->code->arch, WSIM_SFA, &work->scale_a, NULL);
    wsim_op_layout(op, gemm->code->arch, WSIM_SFB, &work->scale_b, NULL);
    gemm->scale = work->scale_a.format;
    gemm->block_k = gemm->tile_k / work->scale_a.cols;
    work->words_a += words_of(&work->scale_a);
    work->words_b += words_of(&work->scale_b);
}

static void open_factors(struct wsim_gemm *gemm) {
    const struct wsim_op *op = &gemm->code->op;
    struct wsim_gemm_work *work = &gemm->work;
    struct wsim_op_info info = wsim_op_describe(op);
    wsim_op_layout(op, gemm->code->arch, WSIM_A, &work->a, NULL);
    gemm->a = work->a.format;
    gemm->element_a = element_bytes(work->a.elem_bits);
    work->words_a = words_of(&work->a);
    gemm->tile_m = (size_t)work->d.rows * work->d.batches;
    gemm->tile_n = info.n;
    gemm->tile_k = info.k;
    if (!isa_op_has(op, WSIM_B)) {
        share(gemm);
        return;
    }
    wsim_op_layout(op, gemm->code->arch, WSIM_B, &work->b, NULL);
    gemm->b = work->b.format;
    gemm->element_b = element_bytes(work->b.elem_bits);
    work->words_b = words_of(&work->b);
    open_scales(gemm);
}

static enum wsim_status finish(struct wsim_gemm *made, struct wsim_gemm *gemm,
                               struct wsim_diag *diag) {
    enum wsim_status status;
    divide(made);
    status = check_promotion(made, diag);
    if (!status)
        status = check_split(made, diag);
    if (!status)
        status = measure(made, diag);
    if (!status)
        *gemm = *made;
    return status;
}

enum wsim_status wsim_gemm_prepare(const struct wsim_code *code, const struct wsim_gemm_size *size,
                                   struct wsim_gemm *gemm, struct wsim_diag *diag) {
    struct wsim_gemm made = {.code = code, .size = *size};
    struct wsim_layout c;
    enum wsim_status status;
    if (tensor_is(code)) {
        status = tensor_open(&made, diag);
        return status ? status : finish(&made, gemm, diag);
    }
    status = check_op(&code->op, diag);
    if (status)
        return status;
    wsim_op_layout(&code->op, code->arch, WSIM_C, &c, NULL);
    wsim_op_layout(&code->op, code->arch, WSIM_D, &made.work.d, NULL);
    status = check_result(&code->op, &c, &made.work.d, diag);
    if (status)
        return status;
    made.d = made.work.d.format;
    made.element_d = element_bytes(made.work.d.elem_bits);
    made.work.words_d = words_of(&made.work.d);
    open_factors(&made);
    return finish(&made, gemm, diag);
}
