/* Refusals that no line of text can ask for: of tensor maps as bytes, of descriptors, of what only
 * a program can get wrong. Refusals of copies and barriers are in direct_copy.c. */
#include "case.h"

#include <wsim/harness/harness.h>

#if REJECT_HEAP_ENDS
#include <sys/resource.h>
#endif

/* --- operations --- */

static const struct wsim_arch *hopper(void) {
    return wsim_arch_find("sm_90a");
}

static enum wsim_status no_arch(struct wsim_diag *diag) {
    struct wsim_op op = every_parse("movmatrix.sync.aligned.m8n8.trans.b16");
    return wsim_op_check(&op, NULL, diag);
}

static enum wsim_status find(const char *name, struct wsim_diag *diag) {
    struct wsim_op op;
    size_t count;
    return wsim_op_find(name, &op, 1, &count, diag);
}

static enum wsim_status read_f16(const char *text, struct wsim_diag *diag) {
    uint64_t bits = 0x5A5A;
    enum wsim_status status =
        wsim_format_read(wsim_format_find("f16"), text, WSIM_RN, NULL, &bits, diag);
    ck_assert_uint_eq(bits, 0x5A5A);
    return status;
}

static enum wsim_status number_text(struct wsim_diag *diag) {
    return read_f16("1.5f", diag);
}

static enum wsim_status number_inexact(struct wsim_diag *diag) {
    return read_f16("0.1", diag);
}

static enum wsim_status number_range(struct wsim_diag *diag) {
    return read_f16("65520", diag);
}

static enum wsim_status move_row(struct wsim_diag *diag) {
    struct wsim_op op = every_parse("ldmatrix.sync.aligned.m8n8.x2.shared.b16");
    struct wsim_coord row;
    return wsim_move_row(&op, 16, &row, diag);
}

static enum wsim_status packed(struct wsim_diag *diag) {
    struct wsim_tensor t = {.dtype = WSIM_TENSOR_FLOAT16, .rank = 2, .dims = {65, 8}};
    return wsim_tensor_pack(&t, diag);
}

static enum wsim_status name_word(struct wsim_diag *diag) {
    return find("mma.m16n8k99.f16", diag);
}

static enum wsim_status name_match(struct wsim_diag *diag) {
    return find("HMMA.1688.F32.BF16.BF16.SAT", diag);
}

static enum wsim_status name_argument(struct wsim_diag *diag) {
    return find("SM90_64x8x32_S32S8S8_SS_TN<GMMA::Major::K, GMMA::Major::K>", diag);
}

static enum wsim_status name_unclosed(struct wsim_diag *diag) {
    return find("SM90_64x8x16_F32F16F16_SS<GMMA::Major::K", diag);
}

static enum wsim_status name_beyond(struct wsim_diag *diag) {
    return find("SM100_MMA_F16BF16_SS<half_t>", diag);
}

static enum wsim_status name_lanes(struct wsim_diag *diag) {
    return find("SM90_TMA_LOAD_2D::PREFETCH", diag);
}

static enum wsim_status name_several(struct wsim_diag *diag) {
    return find("SM50_Shuffle_U32_2x2Trans_XOR4", diag);
}

static enum wsim_status flags(struct wsim_diag *diag) {
    struct wsim_op op = every_parse("movmatrix.sync.aligned.m8n8.trans.b16");
    struct wsim_code code;
    return wsim_prepare(&op, hopper(), UINT32_C(1) << 31, &code, diag);
}

static enum wsim_status access_number(struct wsim_diag *diag) {
    struct wsim_op op = every_parse("ld.shared.b32");
    uint32_t addr[WSIM_LANES] = {0};
    struct wsim_io io = {.move = {.addr = addr, .mask = UINT32_MAX}};
    struct wsim_cost_access access;
    struct wsim_code code;
    ck_assert_int_eq(wsim_prepare(&op, hopper(), 0, &code, NULL), WSIM_OK);
    return wsim_cost_access(&code, &io, 1, &access, diag);
}

static enum wsim_status no_element(struct wsim_diag *diag) {
    struct wsim_op op = every_parse("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    struct wsim_code code;
    struct wsim_why *why = malloc(sizeof *why);
    enum wsim_status status;
    ck_assert(why && !wsim_prepare(&op, hopper(), 0, &code, NULL));
    status = wsim_why(&code, &(struct wsim_io){0}, (struct wsim_coord){0, 16, 0}, why, diag);
    free(why);
    return status;
}

static enum wsim_status no_group(struct wsim_diag *diag) {
    struct wsim_op op = every_parse("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    uint32_t e[WSIM_LANES] = {0};
    struct wsim_meta_group group;
    return wsim_meta_read(&op, e, 0, 0, 4, &group, diag);
}

static enum wsim_status foreign(struct wsim_diag *diag) {
    struct wsim_op op = every_parse("movmatrix.sync.aligned.m8n8.trans.b16");
    op.q[0] ^= 1;
    return wsim_op_check(&op, hopper(), diag);
}

/* --- products of matrices --- */

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

static enum wsim_status gemm_tensor_form(struct wsim_diag *diag) {
    const struct wsim_umma umma = {.kind = WSIM_UMMA_F16, .blocks = 1};
    struct wsim_gemm gemm;
    struct wsim_code code;
    wsim_umma_prepare(&umma, 0x08100010 /* N 64 */, wsim_arch_find("sm_100a"), 0, &code, diag);
    return wsim_gemm_prepare(&code, &(struct wsim_gemm_size){16, 8, 16, 0, 0}, &gemm, diag);
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

/* --- tensor maps --- */

static struct wsim_tensor tiled(void) {
    struct wsim_tensor t = {.dtype = WSIM_TENSOR_FLOAT16,
                            .rank = 3,
                            .base = 4096,
                            .dims = {100, 50, 20},
                            .strides = {256, 12800},
                            .estrides = {1, 1, 1},
                            .box = {32, 8, 2}};
    return t;
}

static struct wsim_tensor_map map_of(const struct wsim_tensor *tensor) {
    struct wsim_tensor_map map;
    ck_assert_int_eq(wsim_tensor_encode(tensor, hopper(), &map, NULL), WSIM_OK);
    return map;
}

static enum wsim_status decode(const struct wsim_tensor_map *map, struct wsim_diag *diag) {
    struct wsim_tensor tensor, before;
    enum wsim_status status;
    memset(&tensor, 0xA5, sizeof tensor);
    before = tensor;
    status = wsim_tensor_decode(map, &tensor, diag);
    ck_assert(!status || memcmp(&tensor, &before, sizeof tensor) == 0);
    return status;
}

static enum wsim_status no_map(struct wsim_diag *diag) {
    struct wsim_tensor_map map = {{0}};
    return decode(&map, diag);
}

/* Changes one byte of a map after another until the rule refuses it. The test does not fix the
 * place of the byte. */
static enum wsim_status damage(const char *rule, struct wsim_diag *diag) {
    struct wsim_tensor t = tiled();
    const struct wsim_tensor_map whole = map_of(&t);
    size_t i;
    unsigned value;
    for (i = 0; i < sizeof whole; i++)
        for (value = 0; value < 256; value++) {
            struct wsim_tensor_map map = whole;
            struct wsim_diag why = {WSIM_OK, 0, 0, NULL, ""};
            ((uint8_t *)&map)[i] = (uint8_t)value;
            if (decode(&map, &why) && strcmp(why.rule, rule) == 0)
                return decode(&map, diag);
        }
    return WSIM_OK;
}

static enum wsim_status version(struct wsim_diag *diag) {
    return damage("tensor.image.version", diag);
}

static enum wsim_status damaged(struct wsim_diag *diag) {
    return damage("tensor.image.damaged", diag);
}

static enum wsim_status replace(enum wsim_tensor_mode mode, int field, unsigned index,
                                uint64_t value, struct wsim_diag *diag) {
    struct wsim_tensor t = tiled();
    struct wsim_tensor_map map, before;
    enum wsim_status status;
    t.mode = mode;
    t.channels = 32;
    t.pixels = 16;
    map = before = map_of(&t);
    status = wsim_tensor_replace(&map, (enum wsim_tensor_field)field, index, value, hopper(), diag);
    ck_assert(!status || memcmp(&map, &before, sizeof map) == 0);
    return status;
}

static enum wsim_status replace_mode(struct wsim_diag *diag) {
    return replace(WSIM_TENSOR_IM2COL, WSIM_TENSOR_FIELD_GLOBAL_ADDRESS, 0, 0, diag);
}

static enum wsim_status replace_number(struct wsim_diag *diag) {
    return replace(WSIM_TENSOR_TILED, WSIM_TENSOR_FIELD_INTERLEAVE_LAYOUT, 0, 3, diag);
}

static enum wsim_status replace_ordinal(struct wsim_diag *diag) {
    return replace(WSIM_TENSOR_TILED, WSIM_TENSOR_FIELD_BOX_DIM, 5, 1, diag);
}

static enum wsim_status replace_width(struct wsim_diag *diag) {
    return replace(WSIM_TENSOR_TILED, WSIM_TENSOR_FIELD_ELEMENT_STRIDE, 0, UINT64_C(1) << 32, diag);
}

static enum wsim_status value_unknown(struct wsim_diag *diag) {
    struct wsim_tensor t = tiled();
    t.dtype = WSIM_TENSOR_TYPES;
    return wsim_tensor_check(&t, hopper(), diag);
}

/* A mode of sm_100 that only walks along the width. */
static enum wsim_status wide(enum wsim_tensor_interleave interleave, struct wsim_diag *diag) {
    struct wsim_tensor t = {.mode = WSIM_TENSOR_IM2COL_W,
                            .dtype = WSIM_TENSOR_FLOAT16,
                            .interleave = interleave,
                            .rank = 4,
                            .dims = {64, 40, 30, 10},
                            .strides = {128, 8192, 262144},
                            .estrides = {1, 1, 1, 1},
                            .channels = 32,
                            .pixels = 16};
    return wsim_tensor_check(&t, wsim_arch_find("sm_100a"), diag);
}

static enum wsim_status wide_interleave(struct wsim_diag *diag) {
    return wide(WSIM_TENSOR_INTERLEAVE_16B, diag);
}

static enum wsim_status wide_swizzle(struct wsim_diag *diag) {
    return wide(WSIM_TENSOR_INTERLEAVE_NONE, diag);
}

static enum wsim_status replace_field(struct wsim_diag *diag) {
    return replace(WSIM_TENSOR_TILED, WSIM_TENSOR_FIELDS, 0, 0, diag);
}

/* Each field of a map has a swizzle; together they have none. */
static enum wsim_status replace_atomicity(struct wsim_diag *diag) {
    struct wsim_tensor t = tiled();
    struct wsim_tensor_map map = map_of(&t);
    wsim_tensor_replace(&map, WSIM_TENSOR_FIELD_SWIZZLE_MODE, 0, 1, hopper(), NULL);
    wsim_tensor_replace(&map, WSIM_TENSOR_FIELD_SWIZZLE_ATOMICITY, 0, 1, wsim_arch_find("sm_100a"),
                        NULL);
    return decode(&map, diag);
}

/* --- descriptors --- */

static enum wsim_status encode(struct wsim_descriptor d, struct wsim_diag *diag) {
    uint64_t bits = 0xA5;
    enum wsim_status status = wsim_descriptor_encode(&d, &bits, diag);
    ck_assert(!status || bits == 0xA5);
    return status;
}

static enum wsim_status field_align(struct wsim_diag *diag) {
    return encode((struct wsim_descriptor){.start = 1032}, diag);
}

static enum wsim_status field_range(struct wsim_diag *diag) {
    return encode((struct wsim_descriptor){.stride = 262144}, diag);
}

static enum wsim_status base_range(struct wsim_diag *diag) {
    return encode((struct wsim_descriptor){.base_offset = 8}, diag);
}

static enum wsim_status swizzle_unknown(struct wsim_diag *diag) {
    return encode((struct wsim_descriptor){.mode = WSIM_SWIZZLE_128B_ATOM_32B}, diag);
}

static enum wsim_status bits_meaningless(struct wsim_diag *diag) {
    struct wsim_descriptor d;
    return wsim_descriptor_decode(UINT64_C(1) << 14, &d, diag);
}

static struct wsim_tile tile_of(const char *spelling, int mn_major) {
    struct wsim_op op = every_parse(spelling);
    struct wsim_tile tile;
    ck_assert_int_eq(wsim_wgmma_tile(&op, WSIM_B, mn_major, &tile, NULL), WSIM_OK);
    return tile;
}

#define HALVES "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16"
#define BYTES "wgmma.mma_async.sync.aligned.m64n64k32.s32.s8.s8"

static enum wsim_status major_other(struct wsim_diag *diag) {
    struct wsim_op op = every_parse(BYTES);
    struct wsim_tile tile;
    return wsim_wgmma_tile(&op, WSIM_B, 1, &tile, diag);
}

/* The advice of that rule about a descriptor of B, among others; WSIM_ILLEGAL if it is not given.
 */
static enum wsim_status advise(const char *rule, struct wsim_descriptor d, struct wsim_diag *diag) {
    struct wsim_tile tile = tile_of(HALVES, 0);
    struct wsim_diag advice;
    uint32_t cursor = 0;
    while (wsim_descriptor_advice(&d, &tile, wsim_arch_find("sm_90a"), &cursor, &advice))
        if (strcmp(advice.rule, rule) == 0) {
            if (diag)
                *diag = advice;
            return advice.status;
        }
    return WSIM_ILLEGAL;
}

static enum wsim_status advise_base(struct wsim_diag *diag) {
    return advise("advice.base.ignored",
                  (struct wsim_descriptor){1024, 128, 256, 3, WSIM_SWIZZLE_NONE}, diag);
}

static enum wsim_status advise_elsewhere(struct wsim_diag *diag) {
    const struct wsim_op load =
        every_parse("cp.async.bulk.tensor.3d.shared::cta.global.tile.mbarrier::complete_tx::bytes");
    const struct wsim_descriptor d = {1024, 16, 1024, 0, WSIM_SWIZZLE_128B};
    const struct wsim_tensor t = tiled();
    const struct wsim_tensor_map map = map_of(&t);
    const struct wsim_bulk bulk = {.map = &map, .shared_at = 1024};
    const struct wsim_op op = every_parse("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16");
    struct wsim_descriptor_match match;
    struct wsim_tile tile;
    wsim_wgmma_tile(&op, WSIM_B, 0, &tile, NULL);
    return wsim_descriptor_compare(&d, &tile, &load, hopper(), &bulk, &match, diag);
}

static enum wsim_status advise_overlaid(struct wsim_diag *diag) {
    return advise("advice.element.overlaid",
                  (struct wsim_descriptor){1024, 128, 64, 0, WSIM_SWIZZLE_NONE}, diag);
}

static enum wsim_status advise_line(struct wsim_diag *diag) {
    return advise("advice.line.crossed",
                  (struct wsim_descriptor){1024 + 112, 16, 1024, 0, WSIM_SWIZZLE_128B}, diag);
}

static enum wsim_status advise_end(struct wsim_diag *diag) {
    return advise("advice.memory.end",
                  (struct wsim_descriptor){233472 - 1024, 16, 1024, 0, WSIM_SWIZZLE_128B}, diag);
}

static enum wsim_status advise_wmma(struct wsim_diag *diag) {
    struct wsim_op op = every_parse("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16");
    uint32_t addr[WSIM_LANES] = {0};
    struct wsim_io io = {.move = {.addr = addr, .stride = 24}};
    struct wsim_code code;
    ck_assert_int_eq(wsim_prepare(&op, wsim_arch_find("h200"), 0, &code, diag), WSIM_OK);
    ck_assert_int_eq(wsim_code_documented(&code, &io, diag), 0);
    return WSIM_OK;
}

static enum wsim_status advise_ignored(struct wsim_diag *diag) {
    return advise("advice.offset.ignored",
                  (struct wsim_descriptor){1024, 4096, 1024, 0, WSIM_SWIZZLE_128B}, diag);
}

static enum wsim_status advise_missing(struct wsim_diag *diag) {
    return advise("advice.offset.missing",
                  (struct wsim_descriptor){1024, 16, 0, 0, WSIM_SWIZZLE_128B}, diag);
}

static enum wsim_status advise_unit(struct wsim_diag *diag) {
    return advise("advice.offset.unit",
                  (struct wsim_descriptor){1024, 16, 16384, 0, WSIM_SWIZZLE_128B}, diag);
}

static enum wsim_status advise_start(struct wsim_diag *diag) {
    return advise("advice.start.unaligned",
                  (struct wsim_descriptor){1024 + 256, 16, 1024, 0, WSIM_SWIZZLE_128B}, diag);
}

/* --- traces --- */

static enum wsim_status no_case(struct wsim_diag *diag) {
    static uint32_t in[WSIM_CASE_ROWS * WSIM_LANES];
    struct wsim_trace *trace = wsim_trace_new(NULL);
    struct wsim_plan plan;
    enum wsim_status status = wsim_trace_block(trace, &plan, in, NULL, diag);
    wsim_trace_free(trace);
    return status;
}

#if REJECT_HEAP_ENDS
/* From now on the program gets no further address space. */
static struct rlimit end_heap(void) {
    struct rlimit before, none;
    ck_assert_int_eq(getrlimit(RLIMIT_AS, &before), 0);
    none = before;
    none.rlim_cur = 1;
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &none), 0);
    return before;
}

/* Reads a case whose window has 16 MiB and replays it; memory ends before the one or the other. */
static enum wsim_status without_memory(int read, struct wsim_diag *diag) {
    static const char *const lines[] = {"#wsim-trace 1",
                                        "#gpu: none",
                                        "#arch: sm_90a",
                                        "#driver: 1",
                                        "#toolkit: 1",
                                        "#generator: none",
                                        "#seed: 0",
                                        "#date: 2026-11-22",
                                        "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16\t"
                                        "smem=@fill:00:16777216\ttrap=1\taddr="};
    struct wsim_trace *trace = wsim_trace_new(NULL);
    struct wsim_replay replay = {0};
    struct rlimit before;
    enum wsim_status status = WSIM_OK;
    char line[1024];
    int i, is_case;
    ck_assert_ptr_nonnull(trace);
    for (i = 0; i < COUNT(lines) - 1; i++)
        wsim_trace_line(trace, lines[i], strlen(lines[i]), &is_case, NULL);
    snprintf(line, sizeof line, "%s%0256d", lines[i], 0);
    if (read)
        status = wsim_trace_line(trace, line, strlen(line), &is_case, diag);
    before = end_heap();
    if (read)
        wsim_trace_replay(trace, NULL, &replay);
    else
        status = wsim_trace_line(trace, line, strlen(line), &is_case, diag);
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &before), 0);
    wsim_trace_free(trace);
    if (!read)
        return status;
    ck_assert_int_eq(status, WSIM_OK);
    ck_assert_int_eq(replay.verdict, WSIM_UNSUPPORTED);
    if (diag)
        *diag = replay.why;
    return replay.why.status;
}

static enum wsim_status no_memory_to_read(struct wsim_diag *diag) {
    return without_memory(0, diag);
}

static enum wsim_status no_memory_to_replay(struct wsim_diag *diag) {
    return without_memory(1, diag);
}
#endif

static enum wsim_status no_cases(struct wsim_diag *diag) {
    struct wsim_op op = every_parse("ld.shared.u32");
    struct wsim_plan plan;
    return wsim_plan_make(&op, 0, &plan, diag);
}

const struct reject_direct reject_alone[] = {
    {"why.element.outside", no_element},
    {"mma.group.outside", no_group},
    {"arch.missing", no_arch},
    {"matrix.row.none", move_row},
    {"tensor.stride.packed", packed},
    {"name.argument.wrong", name_argument},
    {"name.argument.wrong", name_unclosed},
    {"name.atom.beyond", name_beyond},
    {"name.atom.lanes", name_lanes},
    {"name.atom.several", name_several},
    {"name.match.none", name_match},
    {"name.word.unknown", name_word},
    {"number.text.wrong", number_text},
    {"number.value.inexact", number_inexact},
    {"number.value.range", number_range},
    {"banks.number.range", access_number},
    {"code.flags.unknown", flags},
    {"op.tables.foreign", foreign},
    {"gemm.op.other", gemm_other},
    {"gemm.op.dense", gemm_sparse},
    {"gemm.tensor.form", gemm_tensor_form},
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
    {"tensor.value.unknown", value_unknown},
    {"tensor.interleave.mode", wide_interleave},
    {"tensor.swizzle.mode", wide_swizzle},
    {"tensor.image.stamp", no_map},
    {"tensor.image.version", version},
    {"tensor.image.damaged", damaged},
    {"tensor.replace.mode", replace_mode},
    {"tensor.replace.number", replace_number},
    {"tensor.replace.ordinal", replace_ordinal},
    {"tensor.replace.width", replace_width},
    {"tensor.replace.field", replace_field},
    {"tensor.swizzle.atomicity", replace_atomicity},
    {"descriptor.field.align", field_align},
    {"descriptor.field.range", field_range},
    {"descriptor.base.range", base_range},
    {"descriptor.swizzle.unknown", swizzle_unknown},
    {"descriptor.bits.meaningless", bits_meaningless},
    {"wgmma.major.other", major_other},
    {"advice.base.ignored", advise_base},
    {"advice.copy.elsewhere", advise_elsewhere},
    {"advice.element.overlaid", advise_overlaid},
    {"advice.line.crossed", advise_line},
    {"advice.memory.end", advise_end},
    {"advice.offset.ignored", advise_ignored},
    {"advice.offset.missing", advise_missing},
    {"advice.offset.unit", advise_unit},
    {"advice.start.unaligned", advise_start},
    {"advice.wmma.align", advise_wmma},
    {"trace.case.none", no_case},
#if REJECT_HEAP_ENDS
    {"memory.heap.full", no_memory_to_read},
    {"memory.heap.full", no_memory_to_replay},
#endif
    {"cases.family.none", no_cases},
};

const int reject_alone_count = COUNT(reject_alone);
