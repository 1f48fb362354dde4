/* Surfaces: bytes at coordinates, outside of them, and what an H100 returns there. Textures without
 * an object read zeros, which is a finding. */
#include "../../run.h"

#include <string.h>
#include <wsim/wsim.h>

static struct wsim_device *device;
static uint64_t surface, out;
static struct wsim_array array;
static uint32_t threads = 1;

static void begin(uint8_t shape, uint32_t depth) {
    uint8_t bytes[8 * 4 * 3 * 4];
    array = (struct wsim_array){.shape = shape,
                                .width = 8,
                                .height = 4,
                                .depth = depth,
                                .channels = 1,
                                .bits = 32,
                                .kind = WSIM_CHANNEL_SIGNED};
    ck_assert(!wsim_device_make(wsim_arch_find("sm_90a"), &device, NULL));
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7 + i / 256 * 13 + 1);
    ck_assert(!wsim_device_alloc(device, "array", sizeof bytes, 0, &array.address, NULL));
    ck_assert(!wsim_device_write(device, array.address, bytes, sizeof bytes, NULL));
    ck_assert(!wsim_surface_make(device, &array, &surface, NULL));
    ck_assert(!wsim_device_alloc(device, "out", 16, 0, &out, NULL));
}

/* Runs a line with the surface in %rd1; %r1 is stored in the end. Returns the number of findings.
 */
static int run(const char *line, uint32_t *value) {
    const uint64_t params[2] = {surface, out};
    const struct wsim_launch launch = {.params = params,
                                       .block = {threads},
                                       .param_bytes = sizeof params,
                                       .checks = WSIM_CHECK_ALL,
                                       .threads = 1};
    struct wsim_totals totals;
    struct wsim_module *module;
    struct wsim_report *report;
    struct wsim_diag diag;
    char text[640];
    snprintf(text, sizeof text,
             ".version 9.0\n.target sm_90a\n.address_size 64\n"
             ".entry k(.param .u64 s, .param .u64 o) { .reg .b32 %%r<9>; .reg .b64 %%rd<3>;\n"
             ".reg .b16 %%h<3>; .reg .f32 %%f<5>; ld.param.u64 %%rd1, [s]; ld.param.u64 %%rd2, [o];"
             " mov.u32 %%r1, 9;\n%s\nst.global.u32 [%%rd2], %%r1; ret; }\n",
             line);
    ck_assert_msg(!wsim_module_load(text, strlen(text), 0, &module, &diag), "%s", diag.text);
    ck_assert_msg(!wsim_launch_run(device, module, &launch, &report, &diag), "%s", diag.text);
    wsim_report_totals(report, &totals);
    wsim_report_free(report);
    wsim_module_free(module);
    ck_assert(!wsim_device_read(device, out, value, 4, NULL));
    return (int)totals.findings;
}

static void reads(const char *line, uint32_t wanted) {
    uint32_t value;
    ck_assert_int_eq(run(line, &value), 0);
    ck_assert_msg(value == wanted, "%s: %08x, not %08x", line, (unsigned)value, (unsigned)wanted);
}

START_TEST(layers_and_planes_are_clamped_as_on_a_gpu) {
    begin(WSIM_ARRAY_2D_LAYERS, 3);
    reads("suld.b.a2d.b32.clamp {%r1}, [%rd1, {0, 4, 1, 1}];", 0x120b04fd);
    reads("suld.b.a2d.b32.clamp {%r1}, [%rd1, {1, 4, 1, 1}];", 0x928b847d);
    reads("suld.b.a2d.b32.clamp {%r1}, [%rd1, {3, 4, 1, 1}];", 0x1f18110a);
    reads("suld.b.a2d.b32.clamp {%r1}, [%rd1, {-1, 4, 1, 1}];", 0x1f18110a);
    reads("suld.b.a2d.b32.zero {%r1}, [%rd1, {-1, 4, 1, 1}];", 0);
    wsim_device_free(device);
    begin(WSIM_ARRAY_3D, 3);
    reads("suld.b.3d.b32.clamp {%r1}, [%rd1, {4, 1, -1, 0}];", 0x120b04fd);
    reads("suld.b.3d.b32.clamp {%r1}, [%rd1, {4, 1, 100, 0}];", 0x1f18110a);
    reads("suld.b.3d.b32.zero {%r1}, [%rd1, {4, 1, -1, 0}];", 0);
    wsim_device_free(device);
}
END_TEST

START_TEST(stores_and_reductions_reach_their_bytes) {
    begin(WSIM_ARRAY_2D, 0);
    reads(
        "sust.b.2d.v2.b32.trap [%rd1, {8, 2}], {5, 6}; suld.b.2d.b32.trap {%r1}, [%rd1, {12, 2}];",
        6);
    reads("sust.b.2d.b32.zero [%rd1, {32, 0}], {5}; suld.b.2d.b32.trap {%r1}, [%rd1, {0, 1}];",
          0xf6efe8e1);
    reads("sured.b.add.2d.u32.trap [%rd1, {8, 2}], 7; suld.b.2d.b32.trap {%r1}, [%rd1, {8, 2}];",
          12);
    reads("sured.b.min.2d.s32.trap [%rd1, {8, 2}], -7; suld.b.2d.b32.trap {%r1}, [%rd1, {8, 2}];",
          (uint32_t)-7);
    reads("suq.width.b32 %r1, [%rd1];", 8);
    wsim_device_free(device);
}
END_TEST

START_TEST(a_handle_of_nothing_reads_zeros_and_is_found) {
    uint32_t value;
    begin(WSIM_ARRAY_2D, 0);
    ck_assert_int_gt(
        run("tex.2d.v4.s32.f32 {%r1, %r2, %r3, %r4}, [%rd1, {0f00000000, 0f00000000}];", &value),
        0);
    ck_assert_uint_eq(value, 0);
    wsim_device_free(device);
}
END_TEST

/* A GPU has 131,072 texels a row, but more in linear memory. */
START_TEST(sizes_are_those_of_a_gpu) {
    struct wsim_array wide = {.shape = WSIM_ARRAY_1D,
                              .width = 131072,
                              .channels = 1,
                              .bits = 8,
                              .kind = WSIM_CHANNEL_UNSIGNED};
    ck_assert_int_eq(wsim_array_check(&wide, NULL), WSIM_OK);
    wide.width++;
    ck_assert_int_eq(wsim_array_check(&wide, NULL), WSIM_OPERAND);
    wide.shape = WSIM_ARRAY_LINEAR;
    ck_assert_int_eq(wsim_array_check(&wide, NULL), WSIM_OK);
    wide.levels = 2;
    wide.shape = WSIM_ARRAY_2D;
    wide.width = wide.height = 1;
    ck_assert_int_eq(wsim_array_check(&wide, NULL), WSIM_OPERAND);
}
END_TEST

/* A variable of PTX holds the handle. */
START_TEST(a_texref_is_bound_by_its_bytes) {
    static const char text[] =
        ".version 9.0\n.target sm_90a\n.address_size 64\n.global .texref image;\n"
        ".entry k(.param .u64 o) { .reg .b32 %r<5>; .reg .b64 %rd<4>; .reg .pred %p;\n"
        "ld.param.u64 %rd1, [o];\n"
        "tex.2d.v4.s32.f32 {%r1, %r2, %r3, %r4}|%p, [image, {0f3FC00000, 0f40200000}];\n"
        "@!%p mov.u32 %r1, 0; st.global.u32 [%rd1], %r1;\n"
        "mov.u64 %rd2, image; txq.height.b32 %r2, [%rd2]; st.global.u32 [%rd1+4], %r2; ret; }\n";
    struct wsim_texture texture;
    struct wsim_module *module;
    struct wsim_report *report;
    struct wsim_diag diag;
    uint64_t handle, variable, bytes;
    uint32_t words[2];
    begin(WSIM_ARRAY_2D, 0);
    texture = (struct wsim_texture){.array = array};
    ck_assert(!wsim_texture_make(device, &texture, &handle, NULL));
    ck_assert_msg(!wsim_module_load(text, strlen(text), 0, &module, &diag), "%s", diag.text);
    ck_assert(!wsim_device_symbol(device, module, "image", &variable, &bytes, NULL));
    ck_assert_uint_eq(bytes, 8);
    ck_assert(!wsim_device_write(device, variable, &handle, sizeof handle, NULL));
    const struct wsim_launch launch = {.params = &out, .param_bytes = sizeof out, .threads = 1};
    ck_assert_msg(!wsim_launch_run(device, module, &launch, &report, &diag), "%s", diag.text);
    ck_assert(!wsim_device_read(device, out, words, sizeof words, NULL));
    ck_assert_uint_eq(words[0], 0xf2ebe4dd);
    ck_assert_uint_eq(words[1], 4);
    wsim_report_free(report);
    wsim_module_free(module);
    wsim_device_free(device);
}
END_TEST

/* Without a mipmap all gradients choose level 0, also those that are no numbers: an H200 (driver
 * 580) gave the same bits for 7,296 lookups. */
START_TEST(gradients_in_one_level_change_nothing) {
    static const char *const gradients[] = {"{0f00000000, 0f00000000}, {0f00000000, 0f00000000}",
                                            "{0f41000000, 0fC2000000}, {0f3F000000, 0f7F7FFFFF}",
                                            "{0f7F800000, 0f7FC00000}, {0fFF800000, 0f00000001}"};
    struct wsim_texture texture;
    char line[256];
    begin(WSIM_ARRAY_2D, 0);
    texture = (struct wsim_texture){.array = array, .anisotropy = 1};
    ck_assert(!wsim_texture_make(device, &texture, &surface, NULL));
    for (size_t i = 0; i < sizeof gradients / sizeof gradients[0]; i++) {
        snprintf(line, sizeof line,
                 "tex.grad.2d.v4.s32.f32 {%%r1, %%r2, %%r3, %%r4}, [%%rd1, {0f3FC00000, "
                 "0f40200000}], %s;",
                 gradients[i]);
        reads(line, 0xf2ebe4dd);
    }
    wsim_device_free(device);
}
END_TEST

/* Lanes store 4, 8 or 16 bytes each to one texel. */
START_TEST(lanes_that_store_to_one_texel_stay_as_on_an_h200) {
#define STORED(vector, list)                                                                       \
    "mov.u32 %r2, %tid.x; add.u32 %r2, %r2, 1; sust.b.2d" vector ".b32.trap [%rd1, {0, 0}], " list \
    "; bar.warp.sync -1; suld.b.2d.b32.trap {%r1}, [%rd1, {0, 0}];"
    begin(WSIM_ARRAY_2D, 0);
    threads = 32;
    reads(STORED("", "{%r2}"), 1);
    reads(STORED(".v2", "{%r2, %r2}"), 17);
    reads(STORED(".v4", "{%r2, %r2, %r2, %r2}"), 25);
    threads = 1;
    wsim_device_free(device);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {layers_and_planes_are_clamped_as_on_a_gpu,
                                  stores_and_reductions_reach_their_bytes,
                                  a_handle_of_nothing_reads_zeros_and_is_found,
                                  sizes_are_those_of_a_gpu,
                                  a_texref_is_bound_by_its_bytes,
                                  gradients_in_one_level_change_nothing,
                                  lanes_that_store_to_one_texel_stay_as_on_an_h200};
    return run_tests("surface", tests, sizeof tests / sizeof tests[0]);
}
