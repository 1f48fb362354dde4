/* spelling.c - takes an instruction spelling apart, word by word. */
#include "oracle.h"
#include "wide.h"

#include <stdio.h>
#include <string.h>

static const char *const types[] = {
    "f16", "bf16", "tf32", "f32", "f64", "e4m3", "e5m2", "e3m2",  "e2m3",      "e2m1",     "s8",
    "u8",  "s4",   "u4",   "b1",  "s32", "b16",  "b8",   "b8x16", "b6x16_p32", "b4x16_p64"};
static const char *const scale_types[] = {"ue8m0", "ue4m3"};
static const char *const kinds[] = {"f8f6f4", "mxf8f6f4", "mxf4", "mxf4nvf4"};
static const char *const families[] = {"mma", "ldmatrix", "stmatrix", "movmatrix", "wgmma", "wmma"};
static const char *const roundings[] = {"rn", "rz", "rm", "rp"};
static const char *const silent[] = {"sync", "aligned", "shared",      "shared::cta", "global",
                                     "popc", "row",     "block_scale", "mma_async"};

#define FIND(list, word) find(list, sizeof(list) / sizeof *(list), word)

static const char *const *find(const char *const *list, size_t size, const char *word) {
    for (size_t i = 0; i < size; i++)
        if (strcmp(list[i], word) == 0)
            return &list[i];
    return NULL;
}

struct reading {
    struct oracle_op *op;
    int types, layouts;
};

static int read_type(struct reading *reading, const char *word) {
    const char *const *type = FIND(types, word);
    const char *const *scale = FIND(scale_types, word);
    if (scale)
        reading->op->scale_type = *scale;
    if (type && reading->types < 4)
        reading->op->type[reading->types++] = *type;
    return type || scale;
}

static int read_shape(struct oracle_op *op, const char *word) {
    return sscanf(word, "m%dn%dk%d", &op->m, &op->n, &op->k) >= 2;
}

/* Words with a value after a double colon, and .x1 .x2 .x4. */
static int read_valued(struct oracle_op *op, const char *word) {
    if (strncmp(word, "kind::", 6) == 0) {
        const char *const *kind = FIND(kinds, word + 6);
        op->kind = kind ? *kind : "";
        return kind != NULL;
    }
    return sscanf(word, "scale_vec::%dX", &op->scales) == 1 ||
           sscanf(word, "x%d", &op->matrices) == 1;
}

static int read_flag(struct reading *reading, const char *word) {
    struct oracle_op *op = reading->op;
    const char *const *rounding = FIND(roundings, word);
    int col = strcmp(word, "col") == 0;
    if (col || strcmp(word, "row") == 0)
        *(reading->layouts++ == 0 ? &op->col_a : &op->col_b) = col;
    if (rounding)
        op->rounding = (int)(rounding - roundings);
    op->sparse |= strncmp(word, "sp", 3) == 0 || strcmp(word, "sp::ordered_metadata") == 0;
    op->ordered |= strcmp(word, "sp::ordered_metadata") == 0;
    op->satfinite |= strcmp(word, "satfinite") == 0;
    op->bit_and |= strcmp(word, "and") == 0;
    op->trans |= strcmp(word, "trans") == 0;
    return col || rounding || FIND(silent, word) || strncmp(word, "sp", 2) == 0 ||
           strcmp(word, "satfinite") == 0 || strcmp(word, "and") == 0 || strcmp(word, "xor") == 0 ||
           strcmp(word, "trans") == 0;
}

static int read_word(struct reading *reading, const char *word) {
    return read_type(reading, word) || read_shape(reading->op, word) ||
           read_valued(reading->op, word) || read_flag(reading, word);
}

/* The word after wmma, and after load and store the operand. */
static int read_wmma(struct oracle_op *op, char **rest) {
    static const char operands[] = "dabc";
    const char *verb = strtok_r(NULL, ".", rest), *letter, *at;
    if (!verb || strcmp(verb, "mma") == 0)
        return verb != NULL;
    letter = strtok_r(NULL, ".", rest);
    at = letter && strlen(letter) == 1 ? strchr(operands, *letter) : NULL;
    op->move = strcmp(verb, "load") == 0 ? ORACLE_WMMA_LOAD : ORACLE_WMMA_STORE;
    op->operand = at ? (int)(at - operands) : 0;
    return at && (op->move == ORACLE_WMMA_LOAD || strcmp(verb, "store") == 0);
}

/* Unwritten types: C of a warpgroup has the type of D; A and B of a wmma.mma with two types are
 * f16. A load or a store has one matrix. */
static void complete_types(const struct reading *reading) {
    struct oracle_op *op = reading->op;
    if (op->move == ORACLE_WGMMA)
        op->type[3] = op->type[0];
    if (op->move == ORACLE_WMMA && reading->types == 2) {
        op->type[3] = op->type[1];
        op->type[1] = op->type[2] = "f16";
    }
    if (op->move == ORACLE_WMMA_LOAD || op->move == ORACLE_WMMA_STORE)
        op->type[1] = op->type[2] = op->type[3] = op->type[0];
}

int oracle_parse(const char *spelling, struct oracle_op *op) {
    char text[WSIM_SPELLING_MAX];
    struct reading reading = {op, 0, 0};
    memset(op, 0, sizeof *op);
    for (int i = 0; i < 4; i++)
        op->type[i] = "";
    op->kind = op->scale_type = "";
    op->matrices = 1;
    snprintf(text, sizeof text, "%s", spelling);
    char *rest = NULL, *word = strtok_r(text, ".", &rest);
    const char *const *family = word ? FIND(families, word) : NULL;
    if (!family)
        return 0;
    op->move = (enum oracle_move)(family - families);
    if (op->move == ORACLE_WMMA && !read_wmma(op, &rest))
        return 0;
    while ((word = strtok_r(NULL, ".", &rest)))
        if (!read_word(&reading, word))
            return 0;
    complete_types(&reading);
    if (op->scales == 0 && strcmp(op->kind, "mxf8f6f4") == 0)
        op->scales = 1;
    if (op->scales == 0 && strcmp(op->kind, "mxf4") == 0)
        op->scales = 2;
    return 1;
}
