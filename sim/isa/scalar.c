/* Spellings of scalar.def: which row reads one, how an operation is written, and all of them in
 * sequence. The reader uses the spelling of a row directly from the table. */
#include "scalar.h"

#include <string.h>

const struct isa_scalar_row isa_scalar_rows[] = {
#define SCALAR_UNTIL(id, spelling, operands, method, feature, ptx, until, source)                  \
    {#id, spelling, operands, SCALAR_METHOD_##method, FEATURE_##feature, ptx, until, source},
#define SCALAR(id, spelling, operands, method, feature, ptx, source)                               \
    SCALAR_UNTIL(id, spelling, operands, method, feature, ptx, 0, source)
#include "scalar.def"
};
const size_t isa_scalar_row_count = sizeof isa_scalar_rows / sizeof isa_scalar_rows[0];

/* --- places --- */

const char *scalar_place_read(const char *text, struct scalar_place *place) {
    const size_t n = strcspn(text, ".");
    const char last = n ? text[n - 1] : '\0';
    place->at = text;
    place->silent = last == '~';
    place->bound = last == '&' || last == '>';
    place->behind = last == '>';
    place->fixed = last == '!';
    place->optional = last == '?' || place->silent || place->bound;
    place->n = n - (place->optional || place->fixed);
    return text[n] ? text + n + 1 : NULL;
}

size_t scalar_place_word(const struct scalar_place *place, unsigned number, const char **word) {
    const char *at = place->at, *end = place->at + place->n;
    while (number && at < end) {
        const char *bar = memchr(at, '|', (size_t)(end - at));
        const size_t n = (size_t)((bar ? bar : end) - at);
        *word = at;
        if (--number == 0)
            return n;
        at += n + 1;
    }
    return 0;
}

unsigned scalar_place_find(const struct scalar_place *place, const char *word, size_t n) {
    const char *at = place->at, *end = place->at + place->n;
    for (unsigned number = 1; at + n <= end; number++) {
        const char *bar;
        if (memcmp(at, word, n) == 0 && (at + n == end || at[n] == '|'))
            return number;
        bar = memchr(at, '|', (size_t)(end - at));
        if (!bar)
            return 0;
        at = bar + 1;
    }
    return 0;
}

/* --- rows --- */

/* As strcmp of the first word of a row and a word of `n` characters. */
static int compare(const struct isa_scalar_row *row, const char *word, size_t n) {
    const size_t length = strcspn(row->spelling, ".");
    const int order = strncmp(row->spelling, word, length < n ? length : n);
    return order ? order : (length > n) - (length < n);
}

size_t scalar_rows_find(const char *text, size_t *count) {
    const size_t n = strcspn(text, ".");
    size_t low = 0, high = isa_scalar_row_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (compare(&isa_scalar_rows[middle], text, n) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (*count = 0; low + *count < isa_scalar_row_count; ++*count)
        if (compare(&isa_scalar_rows[low + *count], text, n) != 0)
            break;
    return low;
}

size_t scalar_fixed(const struct isa_scalar_row *row) {
    const char *at = row->spelling;
    struct scalar_place place;
    size_t end = 0;
    while (at) {
        at = scalar_place_read(at, &place);
        if (place.optional || memchr(place.at, '|', place.n))
            return end;
        end = (size_t)(place.at - row->spelling) + place.n;
    }
    return end;
}

size_t scalar_fixed_longest(const char *text) {
    size_t count, first = scalar_rows_find(text, &count), longest = 0;
    for (size_t i = first; i < first + count; i++) {
        const char *fixed = isa_scalar_rows[i].spelling;
        size_t n = scalar_fixed(&isa_scalar_rows[i]);
        while (n > longest && (strncmp(fixed, text, n) != 0 || (text[n] != '.' && text[n])))
            do /* back to the end of the word before */
                n--;
            while (n && fixed[n] != '.');
        longest = n > longest ? n : longest;
    }
    return longest;
}

int scalar_row_has(const struct isa_scalar_row *row, const char *word, size_t n) {
    struct scalar_place place;
    for (const char *at = row->spelling; at;) {
        at = scalar_place_read(at, &place);
        if (scalar_place_find(&place, word, n))
            return 1;
    }
    return 0;
}

/* --- operations --- */

const struct isa_scalar_row *scalar_row(const struct wsim_scalar *op) {
    const struct isa_scalar_row *row;
    const char *at, *word;
    struct scalar_place place;
    unsigned p = 0;
    if (op->row == 0 || op->row > isa_scalar_row_count)
        return NULL;
    row = &isa_scalar_rows[op->row - 1];
    for (at = row->spelling; at; p++) {
        at = scalar_place_read(at, &place);
        if (!scalar_is_filled(&place, op->word, p) ||
            (op->word[p] && !scalar_place_word(&place, op->word[p], &word)))
            return NULL;
    }
    for (; p < WSIM_SCALAR_PLACES; p++)
        if (op->word[p])
            return NULL;
    return row;
}

size_t wsim_scalar_spell(const struct wsim_scalar *op, char *out, size_t size) {
    const struct isa_scalar_row *row = scalar_row(op);
    const char *at = row ? row->spelling : NULL, *word;
    struct scalar_place place;
    size_t length = 0;
    if (size)
        *out = '\0';
    for (unsigned p = 0; at; p++) {
        size_t n;
        at = scalar_place_read(at, &place);
        n = scalar_place_word(&place, op->word[p], &word);
        for (size_t i = 0; n && i < n + (p > 0); i++, length++)
            if (length + 1 < size) {
                out[length] = p > 0 && i == 0 ? '.' : word[i - (p > 0)];
                out[length + 1] = '\0';
            }
    }
    return length;
}

/* The first or last operation of a row that loops over all write. */
static void begin_row(struct wsim_scalar *op, size_t row) {
    const char *at = isa_scalar_rows[row].spelling;
    struct scalar_place place;
    memset(op, 0, sizeof *op);
    op->row = (uint16_t)(row + 1);
    for (unsigned p = 0; at; p++) {
        at = scalar_place_read(at, &place);
        op->word[p] = !place.optional;
    }
}

/* One step of the odometer whose last place turns fastest; 0: it was the last. */
static int step_row(struct wsim_scalar *op, const char *spelling) {
    struct scalar_place places[WSIM_SCALAR_PLACES];
    const char *word;
    unsigned count = 0, n;
    for (const char *at = spelling; at; count++)
        at = scalar_place_read(at, &places[count]);
    for (n = count; n-- > 0;) {
        if (places[n].silent || (places[n].bound && !op->word[n]))
            continue;
        op->word[n]++;
        if (scalar_place_word(&places[n], op->word[n], &word))
            break;
        op->word[n] = !places[n].optional;
    }
    for (unsigned p = 1; p < count; p++) /* those after it are at their beginning */
        if (places[p].bound && (!op->word[p] || !op->word[p - 1]))
            op->word[p] = op->word[p - 1] != 0;
    return n < count;
}

int wsim_scalar_next(struct wsim_scalar *op) {
    if (op->row && (!scalar_row(op) || step_row(op, isa_scalar_rows[op->row - 1].spelling)))
        return scalar_row(op) != NULL;
    if (op->row >= isa_scalar_row_count)
        return 0;
    begin_row(op, op->row);
    return 1;
}

/* --- what an operation needs --- */

static const struct {
    const char *word;
    uint8_t feature;
    uint16_t ptx;
} word_needs[] = {
#define NEEDS(word, feature, ptx) {word, FEATURE_##feature, ptx},
#include "scalar_words.def"
};

uint32_t isa_scalar_needs(const struct wsim_scalar *op, uint16_t *ptx) {
    const struct isa_scalar_row *row = scalar_row(op);
    const char *at = row->spelling, *word;
    struct scalar_place place;
    uint32_t all = UINT32_C(1) << row->feature;
    *ptx = row->ptx;
    for (unsigned p = 0; at; p++) {
        size_t n;
        at = scalar_place_read(at, &place);
        n = scalar_place_word(&place, op->word[p], &word);
        for (size_t i = 0; n && i < sizeof word_needs / sizeof word_needs[0]; i++)
            if (strncmp(word_needs[i].word, word, n) == 0 && word_needs[i].word[n] == '\0') {
                all |= UINT32_C(1) << word_needs[i].feature;
                *ptx = *ptx < word_needs[i].ptx ? word_needs[i].ptx : *ptx;
            }
    }
    return all;
}
