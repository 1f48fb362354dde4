/* Memory in a trace: written out, repeated, generated, or read from a file. Lengths are limited
 * before anything is allocated. */
#include "../../sim/base/base.h"
#include "beside.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <wsim/both.h>

void trace_bytes_free(struct trace_bytes *bytes) {
    free(bytes->at);
    *bytes = (struct trace_bytes){NULL, 0, 0};
}

int trace_words_resize(struct trace_words *words, size_t rows) {
    if (rows > words->room) {
        uint32_t *grown = realloc(words->at, rows * WSIM_LANES * sizeof *grown);
        if (!grown)
            return 0;
        words->at = grown;
        words->room = rows;
    }
    words->rows = rows;
    return 1;
}

int trace_bytes_resize(struct trace_bytes *bytes, size_t size) {
    if (size > bytes->room) {
        uint8_t *grown = realloc(bytes->at, size);
        if (!grown)
            return 0;
        bytes->at = grown;
        bytes->room = size;
    }
    bytes->size = size;
    return 1;
}

static enum wsim_status resize(struct trace_bytes *bytes, uint64_t size, uint32_t col,
                               struct wsim_diag *diag) {
    if (size == 0 || size > TRACE_BYTES_MAX)
        return base_refuse(diag, RULE_TRACE_BYTES_RANGE, col,
                           "%llu bytes of memory; a field holds 1 to %lu", (unsigned long long)size,
                           (unsigned long)TRACE_BYTES_MAX);
    if (!trace_bytes_resize(bytes, (size_t)size))
        return base_refuse(diag, RULE_MEMORY_HEAP_FULL, col, "no memory for %lu bytes",
                           (unsigned long)size);
    return WSIM_OK;
}

/* Reads as many digits as fit; the first digit of a byte is the high one. */
static void put_digits(struct trace_bytes *bytes, const char *digits) {
    size_t i = 0;
    for (; bytes->size - i >= 4; i += 4) {
        uint32_t four = trace_hex_word(digits + 2 * i);
        for (unsigned k = 0; k < 4; k++)
            bytes->at[i + k] = (uint8_t)(four >> (24 - 8 * k));
    }
    for (; i < bytes->size; i++)
        bytes->at[i] = (uint8_t)trace_hex(digits + 2 * i, 2);
}

static enum wsim_status read_digits(struct trace_bytes *bytes, struct trace_span value,
                                    struct wsim_diag *diag) {
    enum wsim_status status = trace_hex_check(value, diag);
    if (!status && value.length % 2)
        status =
            base_refuse(diag, RULE_TRACE_BYTES_ODD, value.col,
                        "%lu hex digits; a byte takes two of them", (unsigned long)value.length);
    if (!status)
        status = resize(bytes, value.length / 2, value.col, diag);
    if (!status)
        put_digits(bytes, value.at);
    return status;
}

/* Cuts ":NUMBER" off the end of *text. */
static enum wsim_status cut_number(struct trace_span *text, uint64_t *number,
                                   struct wsim_diag *diag) {
    size_t n = text->length;
    struct trace_span digits;
    while (n && text->at[n - 1] != ':')
        n--;
    if (n == 0)
        return base_refuse(diag, RULE_TRACE_BYTES_SYNTAX, text->col,
                           "memory is hex digits, @FILE:OFFSET:LENGTH, @mix:SEED:LENGTH or "
                           "@fill:BB:LENGTH");
    digits.at = text->at + n;
    digits.length = text->length - n;
    digits.col = text->col + (uint32_t)n;
    text->length = n - 1;
    return trace_decimal(digits, number, diag);
}

static int starts(struct trace_span text, const char *word) {
    return text.length >= strlen(word) && memcmp(text.at, word, strlen(word)) == 0;
}

static struct trace_span after(struct trace_span text, size_t n) {
    struct trace_span rest = {text.at + n, text.length - n, text.col + (uint32_t)n};
    return rest;
}

static enum wsim_status fill(struct trace_bytes *bytes, struct trace_span byte, uint64_t length,
                             struct wsim_diag *diag) {
    enum wsim_status status = trace_hex_check(byte, diag);
    if (!status && byte.length != 2)
        status = base_refuse(diag, RULE_TRACE_BYTES_SYNTAX, byte.col,
                             "@fill repeats one byte, two hex digits");
    if (!status)
        status = resize(bytes, length, byte.col, diag);
    if (!status)
        memset(bytes->at, (int)trace_hex(byte.at, 2), bytes->size);
    return status;
}

/* Masks of a generated word: bits to keep and bits to set. */
struct masks {
    uint64_t keep, set;
};

/* Words as bytes, low ones first. */
static void put_words(uint8_t *at, size_t size, uint64_t seed, struct masks masks) {
    size_t i = 0;
    for (; size - i >= 8; i += 8) {
        uint64_t word = (wsim_hash_mix(seed + i) & masks.keep) | masks.set;
        for (unsigned k = 0; k < 8; k++)
            at[i + k] = (uint8_t)(word >> 8 * k);
    }
    for (unsigned k = 0; i + k < size; k++)
        at[i + k] = (uint8_t)(((wsim_hash_mix(seed + i) & masks.keep) | masks.set) >> 8 * k);
}

static enum wsim_status generate(struct trace_bytes *bytes, struct trace_span text, uint64_t length,
                                 struct masks masks, struct wsim_diag *diag) {
    uint64_t seed;
    enum wsim_status status = trace_decimal(text, &seed, diag);
    if (!status)
        status = resize(bytes, length, text.col, diag);
    if (!status)
        put_words(bytes->at, bytes->size, seed, masks);
    return status;
}

/* KEEP:SET:SEED */
static enum wsim_status generate_masked(struct trace_bytes *bytes, struct trace_span text,
                                        uint64_t length, struct wsim_diag *diag) {
    enum { DIGITS = 16, BOTH = 2 * (DIGITS + 1) };
    struct trace_span keep = {text.at, DIGITS, text.col}, set = after(keep, 0);
    struct masks masks;
    enum wsim_status status;
    if (text.length < BOTH || text.at[DIGITS] != ':' || text.at[BOTH - 1] != ':')
        return base_refuse(diag, RULE_TRACE_BYTES_SYNTAX, text.col,
                           "@bits has two masks of 16 hex digits before its seed and length");
    set.at += DIGITS + 1;
    set.col += DIGITS + 1;
    status = trace_hex_check(keep, diag);
    if (!status)
        status = trace_hex_check(set, diag);
    if (status)
        return status;
    masks.keep = trace_hex(keep.at, DIGITS);
    masks.set = trace_hex(set.at, DIGITS);
    return generate(bytes, after(text, BOTH), length, masks, diag);
}

static enum wsim_status take(struct trace_bytes *bytes, const char *dir, struct trace_span name,
                             uint64_t offset, uint64_t length, struct wsim_diag *diag) {
    int shown = name.length < 80 ? (int)name.length : 80, ok;
    FILE *file;
    enum wsim_status status = trace_beside_open(dir, name, &file, diag);
    if (status)
        return status;
    status = resize(bytes, length, name.col, diag);
    ok = !status && offset <= LONG_MAX && fseek(file, (long)offset, SEEK_SET) == 0 &&
         fread(bytes->at, 1, bytes->size, file) == bytes->size;
    fclose(file);
    if (status || ok)
        return status;
    return base_refuse(diag, RULE_TRACE_FILE_SHORT, name.col,
                       "file '%.*s' ends before the %lu bytes from offset %llu", shown, name.at,
                       (unsigned long)length, (unsigned long long)offset);
}

enum wsim_status trace_bytes_read(struct trace_bytes *bytes, const char *dir,
                                  struct trace_span value, struct wsim_diag *diag) {
    uint64_t length = 0, offset = 0;
    enum wsim_status status;
    if (!starts(value, "@"))
        return read_digits(bytes, value, diag);
    status = cut_number(&value, &length, diag);
    if (!status && starts(value, "@fill:"))
        return fill(bytes, after(value, strlen("@fill:")), length, diag);
    if (!status && starts(value, "@mix:"))
        return generate(bytes, after(value, strlen("@mix:")), length, (struct masks){UINT64_MAX, 0},
                        diag);
    if (!status && starts(value, "@bits:"))
        return generate_masked(bytes, after(value, strlen("@bits:")), length, diag);
    if (!status)
        status = cut_number(&value, &offset, diag);
    return status ? status : take(bytes, dir, after(value, 1), offset, length, diag);
}
