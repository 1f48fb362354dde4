/* Words with a meaning of their own: types, state spaces, numbers of targets. */
#include "reader.h"

#include <string.h>

static const struct ptx_type types[] = {
    {"b32", 32, 'b'},     {"b64", 64, 'b'},   {"b8", 8, 'b'},      {"b16", 16, 'b'},
    {"b128", 128, 'b'},   {"pred", 1, 'p'},   {"f32", 32, 'f'},    {"f64", 64, 'f'},
    {"u64", 64, 'u'},     {"u32", 32, 'u'},   {"u16", 16, 'u'},    {"u8", 8, 'u'},
    {"s64", 64, 's'},     {"s32", 32, 's'},   {"s16", 16, 's'},    {"s8", 8, 's'},
    {"f16", 16, 'f'},     {"f16x2", 32, 'f'}, {"texref", 64, 't'}, {"samplerref", 64, 't'},
    {"surfref", 64, 't'},
};

int ptx_type_find(const char *word, struct ptx_type *out) {
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].name, word) == 0) {
            *out = types[i];
            return 1;
        }
    return 0;
}

int ptx_space_find(const char *word) {
    static const struct {
        const char *word;
        enum ptx_space space;
    } spaces[] = {{"param", PTX_PARAM},           {"shared", PTX_SHARED},
                  {"global", PTX_GLOBAL},         {"local", PTX_LOCAL},
                  {"const", PTX_CONST},           {"shared::cta", PTX_SHARED},
                  {"shared::cluster", PTX_SHARED}};
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
        if (strcmp(word, spaces[i].word) == 0)
            return (int)spaces[i].space;
    return -1;
}
