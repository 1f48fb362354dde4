/* The meaning of an operation of scalar.def: its words in flat fields, and its operands. */
#include "scalar.h"

#include <stddef.h>
#include <string.h>

const struct isa_scalar_type isa_scalar_types[SCALAR_TYPES] = {
    {"", 0, 0, 0, '\0', FORMAT_NONE},
#define SCALAR_TYPE(id, name, bits, elements, element_bits, letter, format)                        \
    {name, bits, elements, element_bits, letter, FORMAT_##format},
#include "scalar_words.def"
};

static const struct {
    const char *name;
    uint8_t kind;
} methods[SCALAR_METHODS] = {
#define METHOD(id, name, kind) {name, SCALAR_##kind},
#include "scalar_words.def"
};

/* A word, and the byte of struct scalar_meaning that it sets. */
static const struct {
    const char *word;
    uint8_t field, value;
} words[] = {
#define WORD(word, field, value) {word, offsetof(struct scalar_meaning, field), value},
#include "scalar_words.def"
};

static int is_word(const char *name, const char *word, size_t n) {
    return *name == *word && strncmp(name, word, n) == 0 && name[n] == '\0';
}

enum scalar_type scalar_type_find(const char *word, size_t n) {
    for (unsigned t = 1; t < SCALAR_TYPES; t++)
        if (is_word(isa_scalar_types[t].name, word, n))
            return (enum scalar_type)t;
    return SCALAR_NO_TYPE;
}

const char *isa_scalar_method_name(enum scalar_method method) {
    return methods[method].name;
}

static void put_word(struct scalar_meaning *meaning, const char *word, size_t n) {
    const enum scalar_type type = scalar_type_find(word, n);
    uint8_t *fields = (uint8_t *)meaning;
    if (type && meaning->types < SCALAR_MOST_TYPES)
        meaning->type[meaning->types++] = (uint8_t)type;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (is_word(words[i].word, word, n))
            fields[words[i].field] = words[i].value;
}

int isa_scalar_meaning(const struct wsim_scalar *op, struct scalar_meaning *meaning) {
    const struct isa_scalar_row *row = scalar_row(op);
    const char *at = row ? row->spelling : NULL, *word;
    struct scalar_place place;
    memset(meaning, 0, sizeof *meaning);
    if (!row)
        return 0;
    meaning->method = row->method;
    meaning->kind = methods[row->method].kind;
    for (unsigned p = 0; at; p++) {
        size_t n;
        at = scalar_place_read(at, &place);
        n = scalar_place_word(&place, op->word[p], &word);
        if (n)
            put_word(meaning, word, n);
    }
    return 1;
}

/* --- operands --- */

static const struct {
    const char *name;
    uint8_t kind;
} kinds[] = {
    {"label", WSIM_SCALAR_LABEL},       {"targets", WSIM_SCALAR_TARGETS},
    {"function", WSIM_SCALAR_FUNCTION}, {"prototype", WSIM_SCALAR_PROTOTYPE},
    {"list", WSIM_SCALAR_LIST},         {"offsets", WSIM_SCALAR_OFFSETS},
    {"tuple", WSIM_SCALAR_TUPLE},
};

/* "2x0" of type 0, which is u16 or s16, u32 or s32: the type of that letter with twice the bits. */
static enum scalar_type wider(enum scalar_type type) {
    const struct isa_scalar_type *narrow = &isa_scalar_types[type];
    for (unsigned t = 1; t < SCALAR_TYPES; t++) {
        const struct isa_scalar_type *wide = &isa_scalar_types[t];
        if (wide->letter == narrow->letter && wide->elements == 1 &&
            wide->element_bits == 2 * narrow->element_bits && wide->bits == 2 * narrow->bits)
            return (enum scalar_type)t;
    }
    return SCALAR_NO_TYPE;
}

/* Reads the text after the colon: a type of the operation, a type, or a word for no register. */
static size_t read_type(const char *at, const struct scalar_meaning *meaning,
                        struct wsim_scalar_operand *operand) {
    const size_t n = strcspn(at, "*?#!+&.=@%{^~ ");
    enum scalar_type type = SCALAR_NO_TYPE;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (is_word(kinds[i].name, at, n))
            operand->kind = kinds[i].kind;
    if (operand->kind != WSIM_SCALAR_REGISTER)
        return n;
    if (n == 1 && *at >= '0' && *at < '0' + SCALAR_MOST_TYPES)
        type = (enum scalar_type)meaning->type[*at - '0'];
    else if (n == 3 && strncmp(at, "2x", 2) == 0)
        type = wider((enum scalar_type)meaning->type[at[2] - '0']);
    else
        type = scalar_type_find(at, n);
    operand->bits = isa_scalar_types[type].bits;
    operand->type = isa_scalar_types[type].name;
    operand->immediate = !operand->result;
    return n;
}

/* Whether one of the words w|x|y, up to a blank, is written. */
static int is_written(const struct wsim_scalar *op, const char *list, size_t n) {
    const struct scalar_place asked = {.at = list, .n = n};
    const char *at = isa_scalar_rows[op->row - 1].spelling, *word;
    struct scalar_place place;
    for (unsigned p = 0; at; p++) {
        at = scalar_place_read(at, &place);
        if (op->word[p]) {
            const size_t length = scalar_place_word(&place, op->word[p], &word);
            if (scalar_place_find(&asked, word, length))
                return 1;
        }
    }
    return 0;
}

#define RANGE "0123456789./p" /* what follows '=' */

/* The feature of a name of `n` characters, in a text that ends there. */
static const char *feature_name(const char *name, size_t n) {
    for (unsigned feature = 0; feature < FEATURE_COUNT; feature++)
        if (is_word(isa_feature_names[feature], name, n))
            return isa_feature_names[feature];
    return "";
}

/* Reads the flags after a type; 0: the operand is absent. */
static int read_flags(const char *at, size_t n, const struct wsim_scalar *op,
                      const struct scalar_meaning *meaning, struct wsim_scalar_operand *operand) {
    for (size_t i = 0; i < n; i++)
        switch (at[i]) {
        case '*':
            operand->vector = (uint8_t)(meaning->vector ? meaning->vector : 1);
            operand->vector = (uint8_t)(operand->vector * (meaning->times ? meaning->times : 1));
            if (i + 1 < n && at[i + 1] >= '1' && at[i + 1] <= '9')
                operand->vector = (uint8_t)(at[++i] - '0');
            operand->list = 2;
            break;
        case '?': operand->optional++; break;
        case '#': operand->immediate = 2; break;
        case '!': operand->immediate = 0; break;
        case '+': operand->packs = 1; break;
        case '&': operand->symbol = 1; break;
        case '.': operand->parts = 1; break;
        case '%': operand->address = 1; break;
        case '{': operand->list = 1; break;
        case '^': operand->needs = feature_name(at + i + 1, n - i - 1); return 1;
        case '~':
            operand->result = (uint8_t)(is_written(op, at + i + 1, n - i - 1) ? 3 : 2);
            return 1;
        case '=': i += strspn(at + i + 1, RANGE); break;
        case '@': return is_written(op, at + i + 1, n - i - 1);
        }
    return 1;
}

/* Reads one operand of the row, of `n` characters. Returns 0 if it is absent. */
static int read_operand(const char *at, size_t n, const struct wsim_scalar *op,
                        const struct scalar_meaning *meaning, int *sources,
                        struct wsim_scalar_operand *operand) {
    const char *end = at + n;
    memset(operand, 0, sizeof *operand);
    operand->vector = 1;
    operand->type = operand->needs = "";
    if (*at == '[') {
        operand->name = at[1];
        operand->kind = at[2] != ','   ? WSIM_SCALAR_ADDRESS
                        : at[1] == 't' ? WSIM_SCALAR_TEXTURE
                                       : WSIM_SCALAR_TENSOR;
        operand->address = n == 5 && at[2] == ']'; /* [a]32 */
        operand->symbol = 1;
        *sources = 1;
        return 1;
    }
    operand->pair = *at == '|';
    at += operand->pair;
    operand->name = *at;
    operand->result = !*sources && strchr("dpqr", *at) != NULL;
    *sources |= !operand->result;
    at += 2;
    at += read_type(at, meaning, operand);
    return read_flags(at, (size_t)(end - at), op, meaning, operand);
}

int wsim_scalar_info(const struct wsim_scalar *op, struct wsim_scalar_info *info) {
    const struct isa_scalar_row *row = scalar_row(op);
    struct scalar_meaning meaning;
    int sources = 0;
    memset(info, 0, sizeof *info);
    info->again = "";
    if (!isa_scalar_meaning(op, &meaning))
        return 0;
    info->row = row->name;
    info->method = methods[row->method].name;
    info->feature = isa_feature_names[row->feature];
    info->source = row->source;
    isa_scalar_needs(op, &info->ptx);
    info->until = row->until;
    info->computes = meaning.kind == SCALAR_COMPUTES;
    if (strstr(row->operands, " ^"))
        info->again = strstr(row->operands, " ^") + 2;
    for (const char *at = row->operands; *at && *at != '^'; at += strspn(at, " ")) {
        const size_t n = strcspn(at, " ");
        info->operands +=
            (uint8_t)read_operand(at, n, op, &meaning, &sources, &info->operand[info->operands]);
        at += n;
    }
    return 1;
}

/* Reads digits; `other` if there are none. */
static uint64_t read_digits(const char **at, uint64_t other) {
    uint64_t number = 0;
    if (**at < '0' || **at > '9')
        return other;
    while (**at >= '0' && **at <= '9')
        number = number * 10 + (uint64_t)(*(*at)++ - '0');
    return number;
}

struct isa_range isa_scalar_range(const struct wsim_scalar *op,
                                  const struct scalar_meaning *meaning, unsigned index) {
    struct isa_range range = {0, UINT64_MAX, 1};
    struct wsim_scalar_operand operand;
    int sources = 0;
    for (const char *at = scalar_row(op)->operands; *at && *at != '^'; at += strspn(at, " ")) {
        const size_t n = strcspn(at, " ");
        const char *equal = memchr(at, '=', n);
        const int is_there = read_operand(at, n, op, meaning, &sources, &operand);
        at += n;
        if (!is_there || index--)
            continue;
        if (!equal)
            return range;
        equal++;
        range.least = range.most = read_digits(&equal, 0);
        if (*equal == '.')
            range.most = (equal += 2, read_digits(&equal, UINT64_MAX));
        if (*equal == '/')
            range.step = (equal++, read_digits(&equal, 0));
        return range;
    }
    return range;
}

/* --- evidence --- */

static const uint8_t recorded[] = {
#define RECORDED(generation) GENERATION_##generation,
#include "scalar_words.def"
};

int isa_approximates(const struct wsim_arch *arch) {
    for (size_t i = 0; i < sizeof recorded; i++)
        if (recorded[i] == arch->generation)
            return 1;
    return 0;
}

const char *wsim_scalar_evidence(const struct wsim_scalar *op, const struct wsim_arch *arch) {
    struct scalar_meaning meaning;
    if (!isa_scalar_meaning(op, &meaning) || !arch || meaning.kind == SCALAR_UNKNOWN)
        return "none";
    if (!meaning.approx)
        return "documented";
    return isa_approximates(arch) ? "hardware" : "inferred";
}
