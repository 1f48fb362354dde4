/* Textures of every shape, format, filter and address mode read as an H100 reads them: kernels look
 * up what recorded.def names. Texels are numbers of their position, or noise that their position
 * seeds. */
#include "../../run.h"

#include <string.h>
#include <wsim/wsim.h>

enum texels { ONE, RAMP, NEAR, FAR, SPECIAL, BITS, NUMBER, LEVEL, ALL };

struct recorded {
    const char *name;
    uint8_t shape;
    uint32_t width, height, depth;
    uint8_t channels, bits, kind, reads_float, filter, mode, normalized, border, texels, gathers;
    uint8_t known; /* channels that were recorded */
    int8_t levels;
    uint8_t mip_filter;
    uint32_t bias, least, most;
};

static const struct recorded textures[] = {
#define TEXTURE(name, shape, width, height, depth, channels, bits, kind, reads, filter, mode,      \
                norm, border, texels, gathers, known, levels, mip, bias, least, most)              \
    {#name,                                                                                        \
     WSIM_ARRAY_##shape,                                                                           \
     width,                                                                                        \
     height,                                                                                       \
     depth,                                                                                        \
     channels,                                                                                     \
     bits,                                                                                         \
     WSIM_CHANNEL_##kind,                                                                          \
     reads,                                                                                        \
     filter,                                                                                       \
     WSIM_ADDRESS_##mode,                                                                          \
     norm,                                                                                         \
     border,                                                                                       \
     texels,                                                                                       \
     gathers,                                                                                      \
     known,                                                                                        \
     levels,                                                                                       \
     mip,                                                                                          \
     bias,                                                                                         \
     least,                                                                                        \
     most},
#define LOOKUP(x, y, z, layer, r, g, b, a)
#include "recorded.def"
};
#define TEXTURES ((int)(sizeof textures / sizeof textures[0]))

/* Lookups, each with the number of its texture. */
struct lookup {
    uint32_t at[3];
    uint32_t layer; /* or the level */
    uint32_t colour[4];
};
static const struct lookup lookups[] = {
#define TEXTURE(...)
#define LOOKUP(x, y, z, layer, r, g, b, a) {{x, y, z}, (uint32_t)(layer), {r, g, b, a}},
#include "recorded.def"
};
enum { EACH = 16 };
_Static_assert(sizeof lookups / sizeof lookups[0] == EACH * sizeof textures / sizeof textures[0],
               "recorded.def: 16 lookups a texture");

/* --- texels --- */

static uint64_t noise(const struct recorded *t, uint64_t number) {
    uint64_t hash = UINT64_C(1469598103934665603);
    for (const char *at = t->name; *at; at++)
        hash = wsim_fnv_byte(hash, (uint8_t)*at);
    return wsim_hash_mix(hash + number * UINT64_C(0x9E3779B97F4A7C15));
}

static uint32_t float_of(const struct recorded *t, uint32_t whole) {
    const struct wsim_format *format = wsim_format_find(t->bits == 32 ? "f32" : "f16");
    return (uint32_t)wsim_format_convert(wsim_format_find("u32"), whole, format, WSIM_RZ);
}

static uint32_t special_of(const struct recorded *t, uint64_t r) {
    static const uint32_t words[] = {0,          0x80000000, 1,          0x80000001, 0x7FFFFF,
                                     0x800000,   0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000,
                                     0x7FC00000, 0xFFC00000, 0x7F800001, 0x3F800000, 0xBF800000,
                                     0x3F000000, 0x3F7FFFFF, 0x3EFFFFFF, 0x3F000001, 0x33800000};
    static const uint16_t halves[] = {0,      0x8000, 1,      0x8001, 0x3FF,  0x400,
                                      0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0x7C01,
                                      0x3C00, 0xBC00, 0x3555, 0x5555};
    if (t->bits == 16)
        return halves[(r >> 20) % 16];
    return (r >> 50) % 4 ? words[(r >> 20) % 20] : (uint32_t)r;
}

/* A float of a random sign and fraction, with one of `n` exponents from `least` on. */
static uint32_t scaled(const struct recorded *t, uint64_t r, uint32_t least, uint32_t n) {
    return t->bits == 16 ? (uint32_t)(r & 0x83FF) | (least + (uint32_t)((r >> 20) % n)) << 10
                         : (uint32_t)(r & 0x807FFFFF) | (least + (uint32_t)((r >> 40) % n)) << 23;
}

static uint32_t texel_of(const struct recorded *t, uint32_t level, uint32_t x, uint32_t y,
                         uint32_t z, uint32_t channel) {
    const uint32_t mask = 0xFFFFFFFFu >> (32 - t->bits);
    const uint64_t id = ((((uint64_t)level * 64 + z) * 65536 + y) * 65536 + x) * 4 + channel;
    const uint64_t r = noise(t, id + UINT64_C(0x1000000000));
    const uint32_t number = x + 64 * y + 4096 * z + 2097152 * channel;
    const int is_float = t->kind == WSIM_CHANNEL_FLOAT, half = t->bits == 16;
    const int is_one =
        x == 1 && (t->height <= 1 || y == 1) && (t->shape != WSIM_ARRAY_3D || z == 1);
    const uint32_t place[] = {x, y, z, level};
    switch (t->texels) {
    case ONE:
        return is_float ? float_of(t, is_one)
               : is_one ? mask >> (t->kind == WSIM_CHANNEL_SIGNED)
                        : 0;
    case RAMP: return float_of(t, 256 * place[channel]);
    case NUMBER: return is_float ? float_of(t, number) : number & mask;
    case LEVEL: return float_of(t, 256 * level);
    case ALL: return (x + y * t->width + (is_float ? 0 : 37 * channel)) & mask;
    case NEAR: return half ? scaled(t, r, 13, 4) : scaled(t, r, 125, 4);
    case FAR: return half ? scaled(t, r, 0, 31) : scaled(t, r, 107, 40);
    case SPECIAL: return special_of(t, r);
    default: return (uint32_t)r & mask;
    }
}

/* --- a texture, and a kernel that reads it --- */

static struct wsim_array array_of(const struct recorded *t) {
    return (struct wsim_array){.shape = t->shape,
                               .width = t->width,
                               .height = t->height,
                               .depth = t->depth,
                               .channels = t->channels,
                               .bits = t->bits,
                               .kind = t->kind,
                               .levels = (uint8_t)(t->levels < 0 ? -t->levels : t->levels)};
}

static void put_texel(const struct recorded *t, uint8_t *at, uint32_t level, uint32_t x, uint32_t y,
                      uint32_t z) {
    for (uint32_t c = 0; c < t->channels; c++) {
        const uint32_t texel = texel_of(t, level, x, y, z, c), n = t->bits / 8u;
        for (uint32_t i = 0; i < n; i++)
            at[c * n + i] = (uint8_t)(texel >> 8 * i);
    }
}

static void make_array(struct wsim_device *device, const struct recorded *t,
                       struct wsim_array *array) {
    const uint64_t bytes = wsim_array_bytes(array);
    uint8_t *texels = malloc((size_t)bytes);
    struct wsim_array level;
    ck_assert(texels && !wsim_device_alloc(device, t->name, bytes, 0, &array->address, NULL));
    for (unsigned i = 0; wsim_array_level(array, i, &level); i++)
        for (uint32_t z = 0; z == 0 || z < level.depth; z++)
            for (uint32_t y = 0; y == 0 || y < level.height; y++)
                for (uint32_t x = 0; x < level.width; x++)
                    put_texel(t, texels + (wsim_array_at(&level, x, y, z) - array->address), i, x,
                              y, z);
    ck_assert(!wsim_device_write(device, array->address, texels, bytes, NULL));
    free(texels);
}

static uint64_t make_texture(struct wsim_device *device, const struct recorded *t) {
    static const uint32_t border[] = {0x3E99999A, 0xBFD9999A, 0x501502F9, 0x42C93333};
    struct wsim_texture texture = {.array = array_of(t),
                                   .address_mode = {t->mode, t->mode, t->mode},
                                   .filter = t->filter,
                                   .normalized = t->normalized,
                                   .reads_float = t->reads_float != 0,
                                   .srgb = t->reads_float == 2,
                                   .mip_filter = t->mip_filter,
                                   .lod_bias = t->bias,
                                   .lod_least = t->least,
                                   .lod_most = t->most};
    struct wsim_diag diag;
    uint64_t handle;
    make_array(device, t, &texture.array);
    if (t->border)
        memcpy(texture.border, border, sizeof border);
    ck_assert_msg(!wsim_texture_make(device, &texture, &handle, &diag), "%s: %s", t->name,
                  diag.text);
    return handle;
}

/* Lane i reads at the 16 bytes number i of `in` and stores its colour in their place. */
static struct wsim_module *make_kernel(const struct recorded *t) {
    static const char *const reads[] = {
        [WSIM_ARRAY_1D] = "tex%s.1d.v4.%s.f32 {%%r1, %%r2, %%r3, %%r4}, [%%rd1, {%%f1}]%s;",
        [WSIM_ARRAY_2D] = "tex%s.2d.v4.%s.f32 {%%r1, %%r2, %%r3, %%r4}, [%%rd1, {%%f1, %%f2}]%s;",
        [WSIM_ARRAY_3D] =
            "tex%s.3d.v4.%s.f32 {%%r1, %%r2, %%r3, %%r4}, [%%rd1, {%%f1, %%f2, %%f3, %%f3}]%s;",
        [WSIM_ARRAY_1D_LAYERS] =
            "tex%s.a1d.v4.%s.f32 {%%r1, %%r2, %%r3, %%r4}, [%%rd1, {%%r0, %%f1}]%s;",
        [WSIM_ARRAY_2D_LAYERS] =
            "tex%s.a2d.v4.%s.f32 {%%r1, %%r2, %%r3, %%r4}, [%%rd1, {%%r0, %%f1, %%f2, %%f2}]%s;",
        [WSIM_ARRAY_CUBE] =
            "tex%s.cube.v4.%s.f32 {%%r1, %%r2, %%r3, %%r4}, [%%rd1, {%%f1, %%f2, %%f3, %%f3}]%s;",
        [WSIM_ARRAY_CUBE_LAYERS] =
            "tex%s.acube.v4.%s.f32 {%%r1, %%r2, %%r3, %%r4}, [%%rd1, {%%r0, %%f1, %%f2, %%f3}]%s;",
        [WSIM_ARRAY_LINEAR] = "tex%s.1d.v4.%s.s32 {%%r1, %%r2, %%r3, %%r4}, [%%rd1, {%%r5}]%s;"};
    const int is_float = t->kind == WSIM_CHANNEL_FLOAT || t->reads_float;
    char text[2048], read[160], gather[160];
    struct wsim_module *module;
    struct wsim_diag diag;
    snprintf(read, sizeof read, reads[t->shape], t->levels > 0 ? ".level" : "",
             is_float ? "f32" : "u32", t->levels > 0 ? ", %f0" : "");
    snprintf(gather, sizeof gather,
             "tld4.%c.2d.v4.%s.f32 {%%r1, %%r2, %%r3, %%r4}, [%%rd1, {%%f1, %%f2}];",
             "?rgba"[t->gathers], is_float ? "f32" : "u32");
    snprintf(text, sizeof text,
             ".version 9.0\n.target sm_90a\n.address_size 64\n"
             ".entry k(.param .u64 t, .param .u64 in) {\n"
             ".reg .b32 %%r<8>; .reg .b32 %%f<4>; .reg .b64 %%rd<4>;\n"
             "ld.param.u64 %%rd1, [t]; ld.param.u64 %%rd2, [in];\n"
             "mov.u32 %%r6, %%tid.x; mul.wide.u32 %%rd3, %%r6, 16; add.u64 %%rd2, %%rd2, %%rd3;\n"
             "ld.global.v4.b32 {%%f1, %%f2, %%f3, %%r0}, [%%rd2]; mov.b32 %%r5, %%f1; mov.b32 "
             "%%f0, %%r0;\n"
             "%s\nst.global.v4.b32 [%%rd2], {%%r1, %%r2, %%r3, %%r4};\nret; }\n",
             t->gathers ? gather : read);
    ck_assert_msg(!wsim_module_load(text, strlen(text), 0, &module, &diag), "%s: %s", t->name,
                  diag.text);
    return module;
}

START_TEST(lookups_are_those_of_a_gpu) {
    const struct recorded *t = &textures[_i];
    const struct lookup *wanted = &lookups[EACH * _i];
    struct wsim_module *module = make_kernel(t);
    struct wsim_device *device;
    struct wsim_report *report;
    struct wsim_diag diag = {.text = ""};
    uint32_t words[EACH][4];
    uint64_t params[2];
    struct wsim_launch launch = {.block = {EACH},
                                 .params = params,
                                 .param_bytes = sizeof params,
                                 .checks = WSIM_CHECK_ALL,
                                 .threads = 1};
    ck_assert(!wsim_device_make(wsim_arch_find("sm_90a"), &device, NULL));
    params[0] = make_texture(device, t);
    ck_assert(!wsim_device_alloc(device, "in", sizeof words, 0, &params[1], NULL));
    for (unsigned i = 0; i < EACH; i++) {
        memcpy(words[i], wanted[i].at, sizeof wanted[i].at);
        words[i][3] = wanted[i].layer;
    }
    ck_assert(!wsim_device_write(device, params[1], words, sizeof words, NULL));
    ck_assert_msg(!wsim_launch_run(device, module, &launch, &report, &diag), "%s: %s", t->name,
                  diag.text);
    ck_assert_int_eq(wsim_report_finding(report, 0, &(struct wsim_finding){0}), 0);
    ck_assert(!wsim_device_read(device, params[1], words, sizeof words, NULL));
    for (unsigned i = 0; i < EACH; i++)
        for (unsigned c = 0; c < t->known; c++)
            ck_assert_msg(words[i][c] == wanted[i].colour[c],
                          "%s: lookup %u, channel %u: %08x, not %08x", t->name, i, c,
                          (unsigned)words[i][c], (unsigned)wanted[i].colour[c]);
    wsim_report_free(report);
    wsim_device_free(device);
    wsim_module_free(module);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{lookups_are_those_of_a_gpu, 0, TEXTURES}};
    return every_run("recorded", tests, 1);
}
