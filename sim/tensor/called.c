/* Values of parameters by their names in the driver, CUDA, CuTe and common use. */
#include "tensor.h"

#include <string.h>

enum { WORD = 64 };

struct called {
    enum wsim_tensor_list list;
    const char *word, *name;
};

static const struct called others[] = {
#define CALLED(list, word, name) {WSIM_TENSOR_LIST_##list, word, name},
#include "../isa/tensor.def"
};

/* Prefixes of the driver's names, after CU_TENSOR_MAP_. */
static const char *const prefixes[WSIM_TENSOR_LISTS] = {
    [WSIM_TENSOR_LIST_DTYPE] = "DATA_TYPE_",
    [WSIM_TENSOR_LIST_INTERLEAVE] = "INTERLEAVE_",
    [WSIM_TENSOR_LIST_SWIZZLE] = "SWIZZLE_",
    [WSIM_TENSOR_LIST_OOB] = "FLOAT_OOB_FILL_",
};

static const char *without(const char *text, const char *prefix) {
    size_t length = prefix ? strlen(prefix) : 0;
    return prefix && strncmp(text, prefix, length) == 0 ? text + length : text;
}

static void capitals(const char *text, char out[WORD]) {
    size_t i;
    for (i = 0; text[i] && i + 1 < WORD; i++)
        out[i] = text[i] >= 'a' && text[i] <= 'z' ? (char)(text[i] - 'a' + 'A') : text[i];
    out[text[i] ? 0 : i] = '\0';
}

static int find(enum wsim_tensor_list list, const char *word) {
    int value = wsim_tensor_find(list, word);
    for (size_t i = 0; value < 0 && i < sizeof others / sizeof others[0]; i++)
        if (others[i].list == list && strcmp(others[i].word, word) == 0)
            value = wsim_tensor_find(list, others[i].name);
    return value;
}

/* --- swizzles of CuTe --- */

/* No swizzle depends on address bits from here on. */
enum { SWIZZLE_BITS = 16 };

/* True if a mode is CuTe's Swizzle<B, M, S> of byte addresses. It XORs B bits from bit M + S into
 * the bits from bit M. Both are linear, so single bits are enough. */
static int is_cute(enum wsim_swizzle mode, const unsigned number[3]) {
    uint32_t mask = ((1u << number[0]) - 1) << number[1];
    for (unsigned i = 0; i < SWIZZLE_BITS; i++)
        if (wsim_swizzle_apply(mode, 1u << i) != ((1u << i) ^ ((1u << i) >> number[2] & mask)))
            return 0;
    return 1;
}

static const char *past_blanks(const char *text) {
    return text + strspn(text, " \t");
}

/* "Swizzle<3,4,3>", with or without blanks; -1 for any other text. */
static int of_swizzle(const char *text) {
    unsigned number[3];
    text = without(text, "cute::");
    if (strncmp(text, "Swizzle", strlen("Swizzle")) != 0)
        return -1;
    text = past_blanks(text + strlen("Swizzle"));
    for (int i = 0; i < 3; i++) {
        if (*text != (i ? ',' : '<'))
            return -1;
        text = past_blanks(text + 1);
        if (*text < '0' || *text > '9')
            return -1;
        number[i] = (unsigned)(*text - '0');
        text = past_blanks(text + 1);
    }
    if (strcmp(text, ">") != 0 && strcmp(text, ">{}") != 0) /* the type, or an object of it */
        return -1;
    for (int mode = 0; mode < WSIM_SWIZZLES; mode++)
        if (is_cute((enum wsim_swizzle)mode, number))
            return mode;
    return -1;
}

/* "GMMA::Layout_K_SW128_Atom<T>"; -1 for any other text. */
static int of_atom(const char *text) {
    const char *name = strstr(text, "Layout_");
    const char *end = name ? strstr(name, "_Atom") : NULL;
    char word[WORD];
    size_t length;
    if (!end || (end[strlen("_Atom")] && end[strlen("_Atom")] != '<'))
        return -1;
    name = without(without(name + strlen("Layout_"), "K_"), "MN_");
    length = name < end ? (size_t)(end - name) : WORD;
    if (length >= WORD)
        return -1;
    memcpy(word, name, length);
    word[length] = '\0';
    return find(WSIM_TENSOR_LIST_SWIZZLE, word);
}

int wsim_tensor_called(enum wsim_tensor_list list, const char *text) {
    char word[WORD];
    int value = wsim_tensor_find(list, text);
    if (value >= 0 || (unsigned)list >= WSIM_TENSOR_LISTS)
        return value;
    capitals(text, word);
    value = find(list, without(without(word, "CU_TENSOR_MAP_"), prefixes[list]));
    if (value < 0 && list == WSIM_TENSOR_LIST_SWIZZLE)
        value = of_swizzle(text);
    if (value < 0 && list == WSIM_TENSOR_LIST_SWIZZLE)
        value = of_atom(text);
    return value;
}
