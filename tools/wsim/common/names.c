/* Words for values; see names.h. */
#include "names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* --- misspelt words --- */

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

unsigned name_distance(const char *a, const char *b) {
    unsigned row[3][NAME_FAR + 1];
    size_t n = strlen(a), m = strlen(b);
    if (n > NAME_FAR || m > NAME_FAR)
        return NAME_FAR;
    for (unsigned j = 0; j <= m; j++)
        row[0][j] = j;
    for (unsigned i = 1; i <= n; i++) {
        unsigned *now = row[i % 3], *last = row[(i - 1) % 3], *before = row[(i + 1) % 3];
        now[0] = i;
        for (unsigned j = 1; j <= m; j++) {
            int differs = tolower((unsigned char)a[i - 1]) != b[j - 1];
            now[j] = least(least(now[j - 1], last[j]) + 1, last[j - 1] + (unsigned)differs);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return row[n % 3][m];
}

static const char *without_dashes(const char *name) {
    return name + strspn(name, "-");
}

/* The start of a name is near it as well: "lay". */
static unsigned badness(const char *text, const char *name) {
    size_t length = strlen(text);
    if (length > 1 && strncmp(text, name, length) == 0)
        return 1;
    return name_distance(text, name);
}

struct name_hint name_near(const char *text, const char *const *names, size_t count) {
    struct name_hint hint = {""};
    unsigned best = 3;
    text = without_dashes(text);
    for (size_t i = 0; i < count; i++) {
        unsigned bad = badness(text, without_dashes(names[i]));
        if (bad < best && bad < strlen(text)) {
            best = bad;
            snprintf(hint.text, sizeof hint.text, "; did you mean '%.64s'?", names[i]);
        }
    }
    return hint;
}

/* --- architectures --- */

struct name_hint name_near_arch(const char *text) {
    const char *names[256], *alias;
    const struct wsim_arch *arch;
    size_t count = 0;
    for (size_t i = 0; (arch = wsim_arch_at(i)) != NULL; i++) {
        if (count < sizeof names / sizeof names[0])
            names[count++] = wsim_arch_name(arch);
        for (size_t k = 0; (alias = wsim_arch_alias(arch, k)) != NULL; k++)
            if (count < sizeof names / sizeof names[0])
                names[count++] = alias;
    }
    return name_near(text, names, count);
}

/* --- tensor maps --- */

enum wsim_swizzle name_swizzle(const char *text) {
    int value = wsim_tensor_called(WSIM_TENSOR_LIST_SWIZZLE, text);
    return value < 0 ? WSIM_SWIZZLES : (enum wsim_swizzle)value;
}

/* --- types of operations --- */

struct named_types named_types(const char *text) {
    static const struct {
        const char *word;
        struct named_types types;
    } words[] = {
        {"fp8", {{"e4m3", "e5m2"}}},   {"fp6", {{"e2m3", "e3m2"}}},   {"fp4", {{"e2m1"}}},
        {"int8", {{"s8", "u8"}}},      {"int4", {{"s4", "u4"}}},      {"half", {{"f16"}}},
        {"fp16", {{"f16"}}},           {"float16", {{"f16"}}},        {"bfloat16", {{"bf16"}}},
        {"fp32", {{"f32"}}},           {"float", {{"f32"}}},          {"fp64", {{"f64"}}},
        {"double", {{"f64"}}},         {"tfloat32", {{"tf32"}}},      {"int32", {{"s32"}}},
        {"binary", {{"b1"}}},          {"nvfp4", {{"mxf4nvf4"}}},     {"mxfp4", {{"mxf4"}}},
        {"__half", {{"f16"}}},         {"half_t", {{"f16"}}}, /* CUDA's, then CUTLASS's, then
                                                                 NumPy's */
        {"__nv_bfloat16", {{"bf16"}}}, {"nv_bfloat16", {{"bf16"}}},   {"bfloat16_t", {{"bf16"}}},
        {"__nv_fp8_e4m3", {{"e4m3"}}}, {"float_e4m3_t", {{"e4m3"}}},  {"float8_e4m3fn", {{"e4m3"}}},
        {"__nv_fp8_e5m2", {{"e5m2"}}}, {"float_e5m2_t", {{"e5m2"}}},  {"float8_e5m2", {{"e5m2"}}},
        {"__nv_fp6_e2m3", {{"e2m3"}}}, {"float_e2m3_t", {{"e2m3"}}},  {"__nv_fp6_e3m2", {{"e3m2"}}},
        {"float_e3m2_t", {{"e3m2"}}},  {"__nv_fp4_e2m1", {{"e2m1"}}}, {"float_e2m1_t", {{"e2m1"}}},
        {"tfloat32_t", {{"tf32"}}},    {"int8_t", {{"s8"}}},          {"uint8", {{"u8"}}},
        {"uint8_t", {{"u8"}}},         {"int32_t", {{"s32"}}},
    };
    struct named_types own = {{text}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(text, words[i].word) == 0)
            return words[i].types;
    return own;
}
