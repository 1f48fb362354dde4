/* Refusals of matrix descriptors, and advice about them. */
#include "case.h"

static const struct wsim_arch *hopper(void) {
    return wsim_arch_find("sm_90a");
}

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
    const struct wsim_tensor t = reject_tiled();
    const struct wsim_tensor_map map = reject_map(&t);
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

const struct reject_direct reject_descriptors[] = {
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
};

const int reject_descriptors_count = COUNT(reject_descriptors);
