/* Words with a meaning of their own: types, state spaces, directives. */
#include "../spell/near.h"
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

/* The directives of PTX; those that are not `read` are not modelled. */
static const struct directive {
    const char *word;
    uint8_t read;
} directives[] = {
    {"reg", 1},       {"local", 1},         {"shared", 1},  {"global", 1},  {"const", 1},
    {"param", 1},     {"loc", 1},           {"file", 1},    {"section", 1}, {"pragma", 1},
    {"alias", 1},     {"extern", 1},        {"visible", 1}, {"weak", 1},    {"common", 1},
    {"entry", 1},     {"func", 1},          {"version", 1}, {"target", 1},  {"address_size", 1},
    {"attribute", 0}, {"local_maxnreg", 0},
};
enum { DIRECTIVES = sizeof directives / sizeof directives[0] };

/* NULL: it is none. */
static const struct directive *find_directive(const char *word) {
    for (size_t i = 0; i < DIRECTIVES; i++)
        if (strcmp(directives[i].word, word) == 0)
            return &directives[i];
    return NULL;
}

int ptx_is_directive(const char *word) {
    const struct directive *found = find_directive(word);
    return found && found->read && strcmp(word, "pragma") != 0;
}

enum base_rule ptx_directive_rule(const char *word) {
    return find_directive(word) ? RULE_PTX_DIRECTIVE_UNMODELLED : RULE_PTX_DIRECTIVE_UNKNOWN;
}

const char *ptx_directive_near(const char *word, unsigned *edits) {
    const char *nearest = NULL;
    *edits = 3;
    for (size_t i = 0; i < DIRECTIVES; i++) {
        const char *one = directives[i].word;
        const unsigned n = near_edits(word, strlen(word), one, strlen(one), *edits - 1);
        if (n < *edits && directives[i].read) {
            *edits = n;
            nearest = one;
        }
    }
    return nearest;
}
