/* Refusals of tensor maps as bytes, and of their replaced fields. */
#include "case.h"

#include <wsim/kernel.h>

static const struct wsim_arch *hopper(void) {
    return wsim_arch_find("sm_90a");
}

struct wsim_tensor reject_tiled(void) {
    struct wsim_tensor t = {.dtype = WSIM_TENSOR_FLOAT16,
                            .rank = 3,
                            .base = 4096,
                            .dims = {100, 50, 20},
                            .strides = {256, 12800},
                            .estrides = {1, 1, 1},
                            .box = {32, 8, 2}};
    return t;
}

struct wsim_tensor_map reject_map(const struct wsim_tensor *tensor) {
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
    struct wsim_tensor t = reject_tiled();
    const struct wsim_tensor_map whole = reject_map(&t);
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
    struct wsim_tensor t = reject_tiled();
    struct wsim_tensor_map map, before;
    enum wsim_status status;
    t.mode = mode;
    t.channels = 32;
    t.pixels = 16;
    map = before = reject_map(&t);
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
    struct wsim_tensor t = reject_tiled();
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
    struct wsim_tensor t = reject_tiled();
    struct wsim_tensor_map map = reject_map(&t);
    wsim_tensor_replace(&map, WSIM_TENSOR_FIELD_SWIZZLE_MODE, 0, 1, hopper(), NULL);
    wsim_tensor_replace(&map, WSIM_TENSOR_FIELD_SWIZZLE_ATOMICITY, 0, 1, wsim_arch_find("sm_100a"),
                        NULL);
    return decode(&map, diag);
}

/* A tile that a copy wrote with the swizzle of its map, at 1024; its mbarrier lies behind it. */
static const char product[] =
    ".version 8.0 .target sm_90a .address_size 64\n"
    ".visible .entry k(.param .align 64 .b8 map[128]) {\n"
    ".reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<8>;\n"
    "mov.u32 %r1, %tid.x; mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1; mov.b64 %rd2, 64;\n"
    "setp.ne.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r1, %r1; mov.u32 %r2, 0; @%p1 bra JOIN;\n"
    "mbarrier.init.shared.b64 [3072], 1; fence.proxy.async;\n"
    "mbarrier.arrive.expect_tx.shared.b64 _, [3072], 1024;\n"
    "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [1024], "
    "[%rd1, {%r2, %r2}], [3072];\n"
    "JOIN: bar.sync 0;\n"
    "WAIT: mbarrier.try_wait.parity.shared.b64 %p3, [3072], 0; @!%p3 bra WAIT;\n"
    "wgmma.fence.sync.aligned;\n"
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd2, %rd2, 0, 1, 1, "
    "0, 0;\n"
    "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0; ret; }\n";

static enum wsim_status another_swizzle(struct wsim_diag *diag) {
    static uint16_t matrix[8 * 64];
    struct wsim_tensor tensor = {.dtype = WSIM_TENSOR_FLOAT16,
                                 .rank = 2,
                                 .dims = {64, 8},
                                 .strides = {128},
                                 .estrides = {1, 1},
                                 .box = {64, 8},
                                 .swizzle = WSIM_SWIZZLE_128B};
    struct wsim_tensor_map map;
    struct wsim_launch launch = {.grid = {1},
                                 .block = {128},
                                 .shared = 4096,
                                 .checks = WSIM_CHECK_RACE,
                                 .params = &map,
                                 .param_bytes = sizeof map};
    struct wsim_finding finding;
    struct wsim_module *module;
    struct wsim_device *device;
    struct wsim_report *report;
    size_t i = 0;
    ck_assert_int_eq(wsim_module_load(product, sizeof product - 1, 0, &module, diag), WSIM_OK);
    ck_assert_int_eq(wsim_device_make(hopper(), &device, diag), WSIM_OK);
    ck_assert_int_eq(wsim_device_alloc(device, "matrix", sizeof matrix, 128, &tensor.base, diag),
                     WSIM_OK);
    wsim_device_write(device, tensor.base, matrix, sizeof matrix, diag);
    map = reject_map(&tensor);
    ck_assert_int_eq(wsim_launch_run(device, module, &launch, &report, diag), WSIM_OK);
    while (wsim_report_finding(report, i++, &finding))
        if (diag && strcmp(finding.rule, "advice.swizzle.mixed") == 0) {
            diag->status = WSIM_OK;
            diag->rule = "advice.swizzle.mixed";
            snprintf(diag->text, sizeof diag->text, "%s", finding.text);
        }
    wsim_report_free(report);
    wsim_device_free(device);
    wsim_module_free(module);
    return WSIM_OK;
}

const struct reject_direct reject_maps[] = {
    {"advice.swizzle.mixed", another_swizzle},
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
};

const int reject_maps_count = COUNT(reject_maps);
