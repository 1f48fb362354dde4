/* Refusals of products of whole matrices. */
#include "case.h"

#include <wsim/harness/harness.h>

static const struct wsim_arch *hopper(void) {
    return wsim_arch_find("sm_90a");
}

static enum wsim_status prepare_gemm(const char *spelling, const char *arch,
                                     struct wsim_gemm_size size, struct wsim_diag *diag) {
    struct wsim_op op = every_parse(spelling);
    struct wsim_gemm gemm, before;
    struct wsim_code code;
    enum wsim_status status;
    memset(&gemm, 0xA5, sizeof gemm);
    before = gemm;
    ck_assert_int_eq(wsim_prepare(&op, wsim_arch_find(arch), 0, &code, NULL), WSIM_OK);
    status = wsim_gemm_prepare(&code, &size, &gemm, diag);
    ck_assert(!status || memcmp(&gemm, &before, sizeof gemm) == 0);
    return status;
}

static const char fp16[] = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";

static enum wsim_status gemm_other(struct wsim_diag *diag) {
    return prepare_gemm("movmatrix.sync.aligned.m8n8.trans.b16", "sm_90a",
                        (struct wsim_gemm_size){16, 8, 16, 0, 0}, diag);
}

static enum wsim_status gemm_sparse(struct wsim_diag *diag) {
    return prepare_gemm("mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
                        "sm_90a", (struct wsim_gemm_size){16, 8, 16, 0, 0}, diag);
}

static enum wsim_status scaled_gemm(struct wsim_code *code, struct wsim_gemm *gemm) {
    struct wsim_op op = every_parse("mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale."
                                    "f32.e2m1.e2m1.f32.ue8m0");
    struct wsim_diag diag;
    wsim_prepare(&op, wsim_arch_find("sm_120a"), 0, code, &diag);
    return wsim_gemm_prepare(code, &(struct wsim_gemm_size){16, 8, 64, 0, 0}, gemm, &diag);
}

static enum wsim_status gemm_scales_a(struct wsim_diag *diag) {
    static uint32_t packed[1024];
    struct wsim_gemm_from from = {packed, 64, 1, NULL, 0, 0};
    struct wsim_code code;
    struct wsim_gemm gemm;
    scaled_gemm(&code, &gemm);
    return wsim_gemm_pack_a(&gemm, &from, 0, packed, diag);
}

static enum wsim_status gemm_scales_b(struct wsim_diag *diag) {
    static uint32_t packed[1024];
    struct wsim_gemm_from from = {packed, 8, 1, NULL, 0, 0};
    struct wsim_code code;
    struct wsim_gemm gemm;
    scaled_gemm(&code, &gemm);
    return wsim_gemm_pack_b(&gemm, &from, 0, packed, diag);
}

static enum wsim_status quantize(const struct wsim_gemm *gemm, enum wsim_operand operand,
                                 const char *type, struct wsim_diag *diag) {
    static uint32_t memory[1024];
    const struct wsim_gemm_from from = {memory, 1, 1, NULL, 0, 0};
    const struct wsim_gemm_to to = {memory, 1, 1};
    return wsim_gemm_quantize(gemm, operand, wsim_format_find(type), &from, &to, &to, diag);
}

static enum wsim_status gemm_quantize_type(struct wsim_diag *diag) {
    struct wsim_code code;
    struct wsim_gemm gemm;
    scaled_gemm(&code, &gemm);
    return quantize(&gemm, WSIM_A, "s8", diag);
}

static enum wsim_status gemm_quantize_operand(struct wsim_diag *diag) {
    struct wsim_code code;
    struct wsim_gemm gemm;
    scaled_gemm(&code, &gemm);
    return quantize(&gemm, WSIM_C, "f32", diag);
}

static enum wsim_status gemm_quantize_dense(struct wsim_diag *diag) {
    struct wsim_op op = every_parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    struct wsim_code code;
    struct wsim_gemm gemm;
    wsim_prepare(&op, wsim_arch_find("sm_80"), 0, &code, diag);
    wsim_gemm_prepare(&code, &(struct wsim_gemm_size){16, 8, 16, 0, 0}, &gemm, diag);
    return quantize(&gemm, WSIM_A, "f32", diag);
}

static enum wsim_status gemm_mixed(struct wsim_diag *diag) {
    return prepare_gemm("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f16", "sm_80",
                        (struct wsim_gemm_size){16, 16, 16, 0, 0}, diag);
}

static enum wsim_status gemm_promote_type(struct wsim_diag *diag) {
    return prepare_gemm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "sm_90a",
                        (struct wsim_gemm_size){16, 8, 64, 32, 0}, diag);
}

static enum wsim_status gemm_split_type(struct wsim_diag *diag) {
    return prepare_gemm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "sm_90a",
                        (struct wsim_gemm_size){16, 8, 64, 0, 2}, diag);
}

static enum wsim_status gemm_split_range(struct wsim_diag *diag) {
    return prepare_gemm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "sm_90a",
                        (struct wsim_gemm_size){16, 8, 63, 0, 5}, diag);
}

static enum wsim_status gemm_promote_range(struct wsim_diag *diag) {
    return prepare_gemm(fp16, "sm_90a", (struct wsim_gemm_size){16, 8, 64, 24, 0}, diag);
}

static enum wsim_status gemm_size(struct wsim_diag *diag) {
    return prepare_gemm(fp16, "sm_90a", (struct wsim_gemm_size){SIZE_MAX / 2, 8, 16, 0, 0}, diag);
}

static enum wsim_status gemm_sizes(struct wsim_diag *diag) {
    return prepare_gemm(fp16, "sm_90a", (struct wsim_gemm_size){16, 8, SIZE_MAX, 0, 0}, diag);
}

/* A product of 40 x 40 x 16 that is about to be packed or run. */
struct gemm_under_way {
    struct wsim_code code;
    struct wsim_gemm gemm;
    uint16_t in[40 * 40];
    uint32_t out[40 * 40];
    struct wsim_gemm_from from;
    struct wsim_gemm_to to;
    void *packed, *own;
};

static struct gemm_under_way *start_gemm(void) {
    struct gemm_under_way *g = calloc(1, sizeof *g);
    struct wsim_op op = every_parse(fp16);
    ck_assert(g && wsim_prepare(&op, hopper(), 0, &g->code, NULL) == WSIM_OK);
    ck_assert_int_eq(
        wsim_gemm_prepare(&g->code, &(struct wsim_gemm_size){40, 40, 16, 0, 0}, &g->gemm, NULL),
        WSIM_OK);
    g->from = (struct wsim_gemm_from){.elements = g->in, .row = 40, .column = 1};
    g->to = (struct wsim_gemm_to){g->out, 40, 1};
    g->packed = calloc(1, g->gemm.bytes_a + g->gemm.bytes_b);
    g->own = calloc(1, g->gemm.bytes_own);
    memset(g->out, 0xA5, sizeof g->out);
    return g;
}

static enum wsim_status end_gemm(struct gemm_under_way *g, enum wsim_status status) {
    for (int i = 0; i < COUNT(g->out); i++)
        ck_assert(!status || g->out[i] == UINT32_C(0xA5A5A5A5));
    free(g->packed);
    free(g->own);
    free(g);
    return status;
}

static enum wsim_status gemm_part_a(struct wsim_diag *diag) {
    struct gemm_under_way *g = start_gemm();
    return end_gemm(g, wsim_gemm_pack_a(&g->gemm, &g->from, g->gemm.parts_a, g->packed, diag));
}

static enum wsim_status gemm_part_b(struct wsim_diag *diag) {
    struct gemm_under_way *g = start_gemm();
    return end_gemm(g, wsim_gemm_pack_b(&g->gemm, &g->from, g->gemm.parts_b, g->packed, diag));
}

static enum wsim_status run_gemm(size_t block, size_t row, size_t column, struct wsim_diag *diag) {
    struct gemm_under_way *g = start_gemm();
    g->to.row = row;
    g->to.column = column;
    return end_gemm(g, wsim_gemm_run(&g->gemm, g->packed, (uint8_t *)g->packed + g->gemm.bytes_a,
                                     NULL, &g->to, block, g->own, diag));
}

static enum wsim_status gemm_block(struct wsim_diag *diag) {
    return run_gemm(1, 40, 1, diag);
}

static enum wsim_status gemm_jobs(struct wsim_diag *diag) {
    struct gemm_under_way *g = start_gemm();
    struct wsim_gemm_how how = {.jobs = WSIM_GEMM_JOBS + 1};
    return end_gemm(g, wsim_gemm_multiply(&g->gemm, &g->from, &g->from, NULL, &g->to, &how, diag));
}

static enum wsim_status gemm_row_overlaid(struct wsim_diag *diag) {
    return run_gemm(0, 39, 1, diag);
}

static enum wsim_status gemm_columns_overlaid(struct wsim_diag *diag) {
    return run_gemm(0, 1, 39, diag);
}

static enum wsim_status gemm_one_place(struct wsim_diag *diag) {
    return run_gemm(0, 40, 0, diag);
}

const struct reject_direct reject_gemms[] = {
    {"gemm.op.other", gemm_other},
    {"gemm.op.dense", gemm_sparse},
    {"gemm.scales.missing", gemm_scales_a},
    {"gemm.scales.missing", gemm_scales_b},
    {"gemm.quantize.other", gemm_quantize_type},
    {"gemm.quantize.other", gemm_quantize_operand},
    {"gemm.quantize.other", gemm_quantize_dense},
    {"gemm.result.other", gemm_mixed},
    {"gemm.promote.type", gemm_promote_type},
    {"gemm.promote.range", gemm_promote_range},
    {"gemm.split.type", gemm_split_type},
    {"gemm.split.range", gemm_split_range},
    {"gemm.size.range", gemm_size},
    {"gemm.size.range", gemm_sizes},
    {"gemm.part.range", gemm_part_a},
    {"gemm.part.range", gemm_part_b},
    {"gemm.part.range", gemm_block},
    {"gemm.jobs.range", gemm_jobs},
    {"gemm.result.overlaid", gemm_row_overlaid},
    {"gemm.result.overlaid", gemm_columns_overlaid},
    {"gemm.result.overlaid", gemm_one_place},
};

const int reject_gemms_count = COUNT(reject_gemms);
