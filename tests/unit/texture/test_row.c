/* Lookups of a warp at once equal those one by one. Arrays, samplers and coordinates are random,
 * with edges of texels, huge numbers and NaN. */
#include "../../../sim/texture/texture.h"
#include "../../every.h"

#include <string.h>

enum { ROUNDS = 3000, WIDTH = 13, HEIGHT = 7, LAYERS = 3 };

static uint64_t state;

static uint32_t random_word(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

static uint32_t below(uint32_t n) {
    return random_word() % n;
}

static uint32_t bits_of(float number) {
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static uint32_t coordinate(const struct wsim_texture *texture, int whole) {
    static const uint32_t special[] = {0,          0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000,
                                       0x00000001, 0x7F7FFFFF, 0xCF000000, 0x4B800000, 0x33800000};
    const float size = texture->normalized ? 1.0f : (float)WIDTH;
    if (whole)
        return below(WIDTH + 4) - 2;
    switch (below(6)) {
    case 0: return special[below(sizeof special / sizeof special[0])];
    case 1: return random_word();
    case 2: return bits_of((float)below(40) * 0.5f * size / WIDTH);
    case 3: return bits_of(-(float)below(1000) / 250.0f * size);
    default: return bits_of((float)below(1 << 20) / (1 << 19) * size);
    }
}

static struct wsim_texture random_texture(void) {
    static const uint8_t shapes[] = {WSIM_ARRAY_1D, WSIM_ARRAY_2D, WSIM_ARRAY_1D_LAYERS,
                                     WSIM_ARRAY_2D_LAYERS, WSIM_ARRAY_LINEAR};
    struct wsim_texture texture = {.filter = (uint8_t)below(2), .normalized = (uint8_t)below(2)};
    struct wsim_array *array = &texture.array;
    array->shape = shapes[below(5)];
    array->width = WIDTH;
    array->height =
        array->shape == WSIM_ARRAY_2D || array->shape == WSIM_ARRAY_2D_LAYERS ? HEIGHT : 0;
    array->depth =
        array->shape == WSIM_ARRAY_1D_LAYERS || array->shape == WSIM_ARRAY_2D_LAYERS ? LAYERS : 0;
    array->channels = (uint8_t)(1u << below(3));
    array->bits = (uint8_t)(8u << below(3));
    array->kind = (uint8_t)below(array->bits == 8 ? 2 : 3);
    array->levels = (uint8_t)below(2);
    if (array->kind != WSIM_CHANNEL_FLOAT && array->bits == 32)
        texture.filter = WSIM_FILTER_POINT;
    texture.reads_float = array->kind != WSIM_CHANNEL_FLOAT && texture.filter;
    if (array->shape == WSIM_ARRAY_LINEAR)
        texture.filter = WSIM_FILTER_POINT;
    for (unsigned k = 0; k < 3; k++)
        texture.address_mode[k] = (uint8_t)below(4);
    for (unsigned i = 0; i < 4; i++)
        texture.border[i] = bits_of((float)below(5) - 2);
    return texture;
}

START_TEST(rows_equal_single_lookups) {
    static uint8_t texels[WIDTH * HEIGHT * LAYERS * 16];
    state = 1;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const struct wsim_texture texture = random_texture();
        const int floats = texture.array.kind == WSIM_CHANNEL_FLOAT && texture.array.bits == 32;
        struct texture_points points = {.whole = texture.array.shape == WSIM_ARRAY_LINEAR};
        const uint32_t lanes = random_word() | 1;
        struct texture_row row;
        for (unsigned i = 0; i < sizeof texels; i++)
            texels[i] = (uint8_t)random_word();
        for (unsigned i = 0; floats && below(4) && i < sizeof texels; i += 4)
            memcpy(&texels[i], &(uint32_t){bits_of(((float)below(2000) - 1000) / 64)}, 4);
        for (unsigned lane = 0; lane < TEXTURE_LANES; lane++) {
            points.layer[lane] = below(LAYERS + 2);
            for (unsigned k = 0; k < 2; k++) {
                points.at[k][lane] = k && below(2) && lane ? points.at[k][lane - 1]
                                                           : coordinate(&texture, points.whole);
                points.offset[k][lane] = (int8_t)(below(3) ? 0 : (int)below(16) - 8);
            }
        }
        if (!texture_has_row(&texture))
            continue;
        texture_place_row(&texture, &points, lanes, &row);
        for (unsigned lane = 0; lane < TEXTURE_LANES; lane++) {
            struct texture_point point = {.whole = points.whole, .layer = points.layer[lane]};
            const uint8_t *texel[TEXTURE_TAPS] = {NULL}, *plane[TEXTURE_PLANE];
            struct texture_taps taps;
            uint32_t one[4], all[4];
            if (!(lanes >> lane & 1))
                continue;
            for (unsigned k = 0; k < 2; k++) {
                point.at[k] = points.at[k][lane];
                point.offset[k] = points.offset[k][lane];
            }
            texture_place(&texture, &point, &taps);
            for (unsigned i = 0; i < taps.n; i++)
                texel[i] = texels + (taps.border >> i & 1 ? 0 : taps.at[i]);
            texture_blend(&texture, &taps, texel, one);
            for (unsigned i = 0; i < TEXTURE_PLANE; i++)
                plane[i] = texels;
            for (unsigned i = 0; i < row.n && !(row.beyond >> lane & 1); i++)
                if (!(row.border[i] >> lane & 1) && row.needs[i] >> lane & 1)
                    plane[i] = texels + row.at[i][lane];
            texture_blend_row(&texture, &row, lane, plane, all);
            expect(!memcmp(one, all, sizeof one),
                   "round %u, lane %u, shape %u, %u channels of %u, filter %u: %x %x %x %x for "
                   "%x %x %x %x",
                   round, lane, texture.array.shape, texture.array.channels, texture.array.bits,
                   texture.filter, all[0], all[1], all[2], all[3], one[0], one[1], one[2], one[3]);
        }
    }
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{rows_equal_single_lookups, 0, 1}};
    return every_run("unit/texture/row", tests, COUNT(tests));
}
