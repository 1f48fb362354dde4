/* Refusals of textures and surfaces: arrays, samplers, handles, and lookups while a kernel runs. */
#include "case.h"

static struct wsim_device *device;

/* A surface of 4 by 4 words. */
static struct wsim_array open_array(void) {
    struct wsim_array array = {.shape = WSIM_ARRAY_2D,
                               .width = 4,
                               .height = 4,
                               .channels = 1,
                               .bits = 32,
                               .kind = WSIM_CHANNEL_FLOAT};
    ck_assert(!wsim_device_make(wsim_arch_find("sm_90a"), &device, NULL));
    ck_assert(!wsim_device_alloc(device, "array", 64, 0, &array.address, NULL));
    return array;
}

static enum wsim_status close_with(enum wsim_status status) {
    wsim_device_free(device);
    return status;
}

static enum wsim_status make(const struct wsim_texture *texture, struct wsim_diag *diag) {
    uint64_t handle;
    return close_with(wsim_texture_make(device, texture, &handle, diag));
}

static enum wsim_status address_odd(struct wsim_diag *diag) {
    struct wsim_texture texture = {.array = open_array()};
    texture.array.address += 2;
    return make(&texture, diag);
}

static enum wsim_status array_outside(struct wsim_diag *diag) {
    struct wsim_texture texture = {.array = open_array()};
    texture.array.height = 5;
    return make(&texture, diag);
}

static enum wsim_status three_channels(struct wsim_diag *diag) {
    struct wsim_texture texture = {.array = open_array()};
    texture.array.channels = 3;
    return make(&texture, diag);
}

static enum wsim_status filter_unknown(struct wsim_diag *diag) {
    struct wsim_texture texture = {.array = open_array(), .filter = 7};
    return make(&texture, diag);
}

static enum wsim_status released_twice(struct wsim_diag *diag) {
    const struct wsim_array array = open_array();
    uint64_t handle;
    ck_assert(!wsim_surface_make(device, &array, &handle, NULL));
    ck_assert_ptr_nonnull(wsim_surface_of(device, handle));
    ck_assert_ptr_null(wsim_texture_of(device, handle));
    ck_assert(!wsim_texture_release(device, handle, NULL));
    return close_with(wsim_texture_release(device, handle, diag));
}

/* Runs `line` with a surface in %rd1 and a texture in %rd2. */
static enum wsim_status run_with(uint8_t anisotropy, const char *line, struct wsim_diag *diag) {
    const struct wsim_texture texture = {.array = open_array(), .anisotropy = anisotropy};
    uint64_t params[2];
    char text[512];
    struct wsim_module *module;
    struct wsim_report *report;
    enum wsim_status status;
    snprintf(text, sizeof text,
             ".version 9.0\n.target sm_90a\n.address_size 64\n"
             ".entry k(.param .u64 s, .param .u64 t) { .reg .b32 %%r<5>; .reg .b64 %%rd<3>;\n"
             "ld.param.u64 %%rd1, [s]; ld.param.u64 %%rd2, [t]; mov.u32 %%r0, 0; %s ret; }\n",
             line);
    ck_assert(!wsim_surface_make(device, &texture.array, &params[0], NULL));
    ck_assert(!wsim_texture_make(device, &texture, &params[1], NULL));
    ck_assert(!wsim_module_load(text, strlen(text), 0, &module, NULL));
    const struct wsim_launch launch = {
        .params = params, .param_bytes = sizeof params, .threads = 1};
    status = wsim_launch_run(device, module, &launch, &report, diag);
    wsim_report_free(report);
    wsim_module_free(module);
    return close_with(status);
}

static enum wsim_status run(const char *line, struct wsim_diag *diag) {
    return run_with(0, line, diag);
}

static enum wsim_status texture_as_surface(struct wsim_diag *diag) {
    return run("suld.b.2d.b32.zero {%r1}, [%rd2, {%r0, %r0}];", diag);
}

static enum wsim_status other_shape(struct wsim_diag *diag) {
    return run("tex.3d.v4.f32.f32 {%r1, %r2, %r3, %r4}, [%rd2, {%r0, %r0, %r0, %r0}];", diag);
}

static enum wsim_status by_gradient(struct wsim_diag *diag) {
    return run_with(2,
                    "tex.grad.2d.v4.f32.f32 {%r1, %r2, %r3, %r4}, [%rd2, {%r0, %r0}], {%r0, %r0}, "
                    "{%r0, %r0};",
                    diag);
}

static enum wsim_status x_odd(struct wsim_diag *diag) {
    return run("suld.b.2d.b32.zero {%r1}, [%rd1, {2, %r0}];", diag);
}

static enum wsim_status y_outside(struct wsim_diag *diag) {
    return run("sust.b.2d.b32.trap [%rd1, {%r0, 4}], {%r0};", diag);
}

const struct reject_direct reject_textures[] = {{"texture.array.align", address_odd},
                                                {"texture.array.outside", array_outside},
                                                {"texture.array.wrong", three_channels},
                                                {"texture.handle.unknown", released_twice},
                                                {"texture.handle.unknown", texture_as_surface},
                                                {"texture.lookup.unmodelled", by_gradient},
                                                {"texture.sampler.wrong", filter_unknown},
                                                {"texture.shape.other", other_shape},
                                                {"texture.surface.align", x_odd},
                                                {"texture.surface.bounds", y_outside}};
const int reject_textures_count = COUNT(reject_textures);
