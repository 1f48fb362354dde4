/* The header of a .npy file: a prefix, and a dictionary as Python writes it. */
#include "../../sim/base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wsim/harness/npy.h>

static const uint8_t magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

enum wsim_status wsim_npy_prefix(const void *bytes, size_t *start, size_t *length,
                                 struct wsim_diag *diag) {
    const uint8_t *prefix = bytes;
    if (memcmp(prefix, magic, sizeof magic) != 0)
        return base_refuse(diag, RULE_NPY_HEADER_WRONG, 0, "it does not begin as a .npy file");
    if (prefix[6] < 1 || prefix[6] > 3 || prefix[7] != 0)
        return base_refuse(diag, RULE_NPY_HEADER_WRONG, 0, "it is not of version 1.0, 2.0 or 3.0");
    *length = prefix[8] | (size_t)prefix[9] << 8;
    *start = 10;
    if (prefix[6] > 1) {
        *length |= (size_t)prefix[10] << 16 | (size_t)prefix[11] << 24;
        *start = 12;
    }
    return *length > WSIM_NPY_TEXT
               ? base_refuse(diag, RULE_NPY_HEADER_WRONG, 0, "its header is longer than 64 KiB")
               : WSIM_OK;
}

/* --- the dictionary --- */

struct reader {
    const char *at, *end;
    struct wsim_npy *header;
    struct wsim_diag *diag;
};

static int complain(struct reader *r, const char *format, ...) BASE_PRINTF(2, 3);

static int complain(struct reader *r, const char *format, ...) {
    char sentence[WSIM_DIAG_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    base_refuse(r->diag, RULE_NPY_HEADER_WRONG, 0, "%s", sentence);
    return 0;
}

static void skip(struct reader *r) {
    while (r->at < r->end && memchr(" \t\r\n", *r->at, 4))
        r->at++;
}

/* The next character that is no blank; 0: there is none. */
static char peek(struct reader *r) {
    skip(r);
    return r->at < r->end ? *r->at : 0;
}

static int take(struct reader *r, char c) {
    if (peek(r) != c)
        return complain(r, "its header has no '%c' where one belongs", c);
    r->at++;
    return 1;
}

enum { WORD = 24 };

/* A string without escapes, as keys and plain types are. */
static int take_string(struct reader *r, char word[WORD]) {
    char quote = peek(r);
    size_t n = 0;
    if (quote != '\'' && quote != '"')
        return complain(r, "its header has something other than a plain string where one belongs "
                           "(types of several fields are not read)");
    for (r->at++; r->at < r->end && *r->at != quote; r->at++) {
        if (n + 1 == WORD || *r->at == '\\' || *r->at < ' ' || *r->at > '~')
            return complain(r, "its header has a string that no matrix has");
        word[n++] = *r->at;
    }
    word[n] = 0;
    return take(r, quote);
}

static int take_word(struct reader *r, const char *word) {
    size_t n = strlen(word);
    skip(r);
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0)
        return 0;
    r->at += n;
    return 1;
}

/* '<f2', '|u1', '>i4', '|V2'. */
static int read_type(struct reader *r) {
    static const char kinds[] = "fiubV", sizes[] = "1248";
    char type[WORD];
    if (!take_string(r, type))
        return 0;
    if (strlen(type) != 3 || !strchr("<>|=", type[0]) || !strchr(kinds, type[1]) ||
        !strchr(sizes, type[2]) || (type[1] == 'f' && type[2] == '1') ||
        (type[1] == 'b' && type[2] != '1'))
        return complain(r,
                        "its type '%s' is none of matrices here: f2 f4 f8, i1 to i8, u1 to u8, "
                        "b1, V1 to V8",
                        type);
    if (type[0] == '=' || (type[0] == '|' && type[2] != '1' && type[1] != 'V'))
        return complain(r, "its type '%s' does not say the order of bytes", type);
    r->header->kind = type[1];
    r->header->bytes = (uint8_t)(type[2] - '0');
    r->header->big_endian = type[0] == '>' && type[1] != 'V';
    return 1;
}

static int read_order(struct reader *r) {
    if (take_word(r, "True"))
        r->header->fortran = 1;
    else if (!take_word(r, "False"))
        return complain(r, "fortran_order of its header is neither True nor False");
    return 1;
}

/* Python 2 wrote an L after long integers. */
static int read_number(struct reader *r, uint64_t *number) {
    const char *first;
    *number = 0;
    skip(r);
    for (first = r->at; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++)
        if ((*number = *number * 10 + (uint64_t)(*r->at - '0')) > WSIM_NPY_EXTENT)
            return complain(r, "it has an extent beyond %d", WSIM_NPY_EXTENT);
    if (r->at == first)
        return complain(r, "its shape has something other than a number");
    take_word(r, "L");
    return 1;
}

/* Extents of 0 count as 1 here: any order of them is judged alike. */
#define NPY_ELEMENTS (UINT64_C(1) << 60)

static int read_shape(struct reader *r) {
    struct wsim_npy *header = r->header;
    uint64_t count = 1;
    if (!take(r, '('))
        return 0;
    while (peek(r) != ')') {
        uint64_t number;
        if (!read_number(r, &number))
            return 0;
        if (header->rank == WSIM_NPY_RANK)
            return complain(r, "it has more than %d dimensions", WSIM_NPY_RANK);
        header->extent[header->rank++] = number;
        if (number && count > NPY_ELEMENTS / number)
            return complain(r, "it has more than 2^60 elements");
        count *= number ? number : 1;
        if (peek(r) != ')' && !take(r, ','))
            return 0;
    }
    r->at++;
    return 1;
}

static int read_item(struct reader *r, unsigned *seen) {
    static const struct {
        const char *key;
        int (*read)(struct reader *r);
    } items[] = {{"descr", read_type}, {"fortran_order", read_order}, {"shape", read_shape}};
    char key[WORD];
    if (!take_string(r, key) || !take(r, ':'))
        return 0;
    for (unsigned i = 0; i < 3; i++)
        if (strcmp(key, items[i].key) == 0) {
            if (*seen >> i & 1)
                return complain(r, "its header has '%s' twice", key);
            *seen |= 1u << i;
            return items[i].read(r);
        }
    return complain(r, "its header has '%s', which is unknown", key);
}

static int read_text(struct reader *r) {
    unsigned seen = 0;
    if (!take(r, '{'))
        return 0;
    while (peek(r) != '}')
        if (!read_item(r, &seen) || (peek(r) != '}' && !take(r, ',')))
            return 0;
    r->at++;
    if (seen != 7)
        return complain(r, "its header lacks one of descr, fortran_order and shape");
    if (peek(r))
        return complain(r, "its header has something after the '}'");
    return 1;
}

enum wsim_status wsim_npy_read(const char *text, size_t length, struct wsim_npy *array,
                               struct wsim_diag *diag) {
    struct wsim_npy header = {0};
    struct reader r = {text, text + length, &header, diag};
    if (!read_text(&r))
        return WSIM_SYNTAX;
    *array = header;
    return WSIM_OK;
}

uint64_t wsim_npy_load(const void *element, unsigned bytes) {
    uint64_t wide;
    uint32_t word;
    uint16_t half;
    switch (bytes) {
    case 1: return *(const uint8_t *)element;
    case 2: memcpy(&half, element, sizeof half); return half;
    case 4: memcpy(&word, element, sizeof word); return word;
    default: memcpy(&wide, element, sizeof wide); return wide;
    }
}

void wsim_npy_swap(void *array, uint64_t count, unsigned bytes) {
    uint8_t *elements = array;
    for (uint64_t i = 0; i < count; i++)
        for (unsigned low = 0; low < bytes / 2; low++) {
            uint8_t *one = elements + i * bytes, byte = one[low];
            one[low] = one[bytes - 1 - low];
            one[bytes - 1 - low] = byte;
        }
}

uint64_t wsim_npy_count(const struct wsim_npy *header) {
    uint64_t count = 1;
    for (unsigned i = 0; i < header->rank; i++)
        count *= header->extent[i];
    return count;
}

/* "(5,)": a comma makes one number a list. */
static void shape_text(const struct wsim_npy *header, char *out, size_t room) {
    size_t n = (size_t)snprintf(out, room, "(");
    for (unsigned i = 0; i < header->rank; i++)
        n += (size_t)snprintf(out + n, room - n, "%s%llu", i ? ", " : "",
                              (unsigned long long)header->extent[i]);
    snprintf(out + n, room - n, header->rank == 1 ? ",)" : ")");
}

size_t wsim_npy_write(const struct wsim_npy *header, char out[WSIM_NPY_WRITTEN]) {
    enum { START = 10, UNIT = 64 };
    char shape[16 * WSIM_NPY_RANK];
    int n;
    shape_text(header, shape, sizeof shape);
    n = snprintf(out + START, WSIM_NPY_WRITTEN - START,
                 "{'descr': '%c%c%u', 'fortran_order': %s, 'shape': %s, }",
                 header->bytes == 1 ? '|' : '<', header->kind, (unsigned)header->bytes,
                 header->fortran ? "True" : "False", shape);
    size_t used = START + (size_t)n, all = (used + 1 + UNIT - 1) / UNIT * UNIT;
    memset(out + used, ' ', all - used);
    out[all - 1] = '\n';
    memcpy(out, magic, sizeof magic);
    out[6] = 1;
    out[7] = 0;
    out[8] = (char)(all - START);
    out[9] = 0;
    return all;
}
