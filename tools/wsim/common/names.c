/* Words for values; see names.h. */
#include "names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { WORD = NAME_FAR + 1 };

/* --- what was probably meant --- */

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
            snprintf(hint.text, sizeof hint.text, "; is '%.64s' meant?", names[i]);
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

/* What the driver's names begin with, after CU_TENSOR_MAP_. */
static const char *const prefixes[WSIM_TENSOR_LISTS] = {
    [WSIM_TENSOR_LIST_DTYPE] = "DATA_TYPE_",
    [WSIM_TENSOR_LIST_INTERLEAVE] = "INTERLEAVE_",
    [WSIM_TENSOR_LIST_SWIZZLE] = "SWIZZLE_",
    [WSIM_TENSOR_LIST_OOB] = "FLOAT_OOB_FILL_",
};

static const struct {
    enum wsim_tensor_list list;
    const char *word, *name;
} others[] = {
    {WSIM_TENSOR_LIST_DTYPE, "U8", "UINT8"},
    {WSIM_TENSOR_LIST_DTYPE, "U16", "UINT16"},
    {WSIM_TENSOR_LIST_DTYPE, "U32", "UINT32"},
    {WSIM_TENSOR_LIST_DTYPE, "S32", "INT32"},
    {WSIM_TENSOR_LIST_DTYPE, "U64", "UINT64"},
    {WSIM_TENSOR_LIST_DTYPE, "S64", "INT64"},
    {WSIM_TENSOR_LIST_DTYPE, "F16", "FLOAT16"},
    {WSIM_TENSOR_LIST_DTYPE, "FP16", "FLOAT16"},
    {WSIM_TENSOR_LIST_DTYPE, "HALF", "FLOAT16"},
    {WSIM_TENSOR_LIST_DTYPE, "F32", "FLOAT32"},
    {WSIM_TENSOR_LIST_DTYPE, "FP32", "FLOAT32"},
    {WSIM_TENSOR_LIST_DTYPE, "FLOAT", "FLOAT32"},
    {WSIM_TENSOR_LIST_DTYPE, "F64", "FLOAT64"},
    {WSIM_TENSOR_LIST_DTYPE, "FP64", "FLOAT64"},
    {WSIM_TENSOR_LIST_DTYPE, "DOUBLE", "FLOAT64"},
    {WSIM_TENSOR_LIST_DTYPE, "BF16", "BFLOAT16"},
    {WSIM_TENSOR_LIST_DTYPE, "TF32", "TFLOAT32"},
    {WSIM_TENSOR_LIST_OOB, "NONE", "ZERO"},
    {WSIM_TENSOR_LIST_OOB, "NAN_REQUEST_ZERO_FMA", "NAN"},
};

static const char *without(const char *text, const char *prefix) {
    size_t length = prefix ? strlen(prefix) : 0;
    return prefix && strncmp(text, prefix, length) == 0 ? text + length : text;
}

static void capitals(const char *text, char out[WORD]) {
    size_t i;
    for (i = 0; text[i] && i + 1 < WORD; i++)
        out[i] = (char)toupper((unsigned char)text[i]);
    out[text[i] ? 0 : i] = '\0';
}

/* Bits of an address that no swizzle looks beyond. */
enum { SWIZZLE_BITS = 16 };

/* Whether a mode is CuTe's Swizzle<B, M, S> of byte addresses: B bits, from bit M + S on, are
 * XORed into those from bit M on. Both are linear, so that single bits are enough. */
static int is_cute(enum wsim_swizzle mode, unsigned bits, unsigned base, unsigned shift) {
    uint32_t mask = ((1u << bits) - 1) << base;
    for (unsigned i = 0; i < SWIZZLE_BITS; i++)
        if (wsim_swizzle_apply(mode, 1u << i) != ((1u << i) ^ ((1u << i) >> shift & mask)))
            return 0;
    return 1;
}

/* "Swizzle<3,4,3>", with blanks or without. */
static enum wsim_swizzle cute_swizzle(const char *text) {
    unsigned bits = 0, base = 0, shift = 0;
    char end = 0, rest = 0;
    int mode = 0;
    text = without(text, "cute::");
    if (sscanf(text, "Swizzle < %1u , %1u , %1u %c%c", &bits, &base, &shift, &end, &rest) != 4 ||
        end != '>')
        return WSIM_SWIZZLES;
    while (mode < WSIM_SWIZZLES && !is_cute((enum wsim_swizzle)mode, bits, base, shift))
        mode++;
    return (enum wsim_swizzle)mode;
}

/* What CuTe's atoms of layouts for wgmma have between Layout_K_ or Layout_MN_ and _Atom. */
static enum wsim_swizzle atom_swizzle(const char *text) {
    static const struct {
        const char *name;
        enum wsim_swizzle mode;
    } atoms[] = {{"INTER_Atom", WSIM_SWIZZLE_NONE},
                 {"SW32_Atom", WSIM_SWIZZLE_32B},
                 {"SW64_Atom", WSIM_SWIZZLE_64B},
                 {"SW128_Atom", WSIM_SWIZZLE_128B}};
    const char *name = strstr(text, "Layout_");
    name = name ? without(without(name + strlen("Layout_"), "K_"), "MN_") : text;
    for (size_t i = 0; name != text && i < sizeof atoms / sizeof atoms[0]; i++) {
        size_t length = strlen(atoms[i].name);
        if (strncmp(name, atoms[i].name, length) == 0 && (!name[length] || name[length] == '<'))
            return atoms[i].mode;
    }
    return WSIM_SWIZZLES;
}

/* The mode that CuTe calls so; -1: none. */
static int of_cute(const char *text) {
    enum wsim_swizzle mode = cute_swizzle(text);
    if (mode == WSIM_SWIZZLES)
        mode = atom_swizzle(text);
    return mode < WSIM_SWIZZLES ? (int)mode : -1;
}

int name_tensor(enum wsim_tensor_list list, const char *text) {
    char word[WORD];
    const char *name;
    int value;
    capitals(text, word);
    name = without(without(word, "CU_TENSOR_MAP_"), prefixes[list]);
    value = wsim_tensor_find(list, name);
    for (size_t i = 0; value < 0 && i < sizeof others / sizeof others[0]; i++)
        if (others[i].list == list && strcmp(others[i].word, name) == 0)
            value = wsim_tensor_find(list, others[i].name);
    return value < 0 && list == WSIM_TENSOR_LIST_SWIZZLE ? of_cute(text) : value;
}

int name_l2(const char *text) {
    static const char *const names[] = {"NONE", "64B", "128B", "256B"};
    char word[WORD];
    const char *name;
    capitals(text, word);
    name = without(without(without(word, "CU_TENSOR_MAP_"), "L2_PROMOTION_"), "L2_");
    for (int i = 0; i < 4; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    return -1;
}

enum wsim_swizzle name_swizzle(const char *text) {
    int value = name_tensor(WSIM_TENSOR_LIST_SWIZZLE, text);
    return value < 0 ? WSIM_SWIZZLES : (enum wsim_swizzle)value;
}

/* --- types of operations --- */

struct name_types name_types(const char *text) {
    static const struct {
        const char *word;
        struct name_types types;
    } words[] = {
        {"fp8", {{"e4m3", "e5m2"}}}, {"fp6", {{"e2m3", "e3m2"}}}, {"fp4", {{"e2m1"}}},
        {"int8", {{"s8", "u8"}}},    {"int4", {{"s4", "u4"}}},    {"half", {{"f16"}}},
        {"fp16", {{"f16"}}},         {"float16", {{"f16"}}},      {"bfloat16", {{"bf16"}}},
        {"fp32", {{"f32"}}},         {"float", {{"f32"}}},        {"fp64", {{"f64"}}},
        {"double", {{"f64"}}},       {"tfloat32", {{"tf32"}}},    {"int32", {{"s32"}}},
        {"binary", {{"b1"}}},        {"nvfp4", {{"mxf4nvf4"}}},   {"mxfp4", {{"mxf4"}}},
    };
    struct name_types own = {{text}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(text, words[i].word) == 0)
            return words[i].types;
    return own;
}
