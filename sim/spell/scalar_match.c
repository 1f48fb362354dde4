/* From a spelling to an operation of scalar.def. Words come in the order of a row or, if no row has
 * them so, in any other. */
#include "../isa/scalar.h"

#include <string.h>

/* --- words in the order of the row --- */

static int match_ordered(const struct isa_scalar_row *row, const char *text,
                         uint8_t word[WSIM_SCALAR_PLACES]) {
    const char *at = row->spelling;
    struct scalar_place place;
    for (unsigned p = 0; at; p++) {
        const size_t n = text ? strcspn(text, ".") : 0;
        at = scalar_place_read(at, &place);
        word[p] = text ? (uint8_t)scalar_place_find(&place, text, n) : 0;
        if (!scalar_is_filled(&place, word, p))
            return 0;
        if (word[p])
            text = text[n] ? text + n + 1 : NULL;
    }
    return !text;
}

/* --- and in another: each takes the first free place that allows it, but types stay in order ---
 */

/* Puts word `number` of a text into a place from `from` on; the number of the place after it, 0:
 * none. A fixed place takes the word of its own number. */
static unsigned take_place(const struct isa_scalar_row *row, const char *text, size_t n,
                           unsigned number, unsigned from, uint8_t word[WSIM_SCALAR_PLACES]) {
    const char *at = row->spelling;
    struct scalar_place place;
    for (unsigned p = 0; at; p++) {
        unsigned found;
        at = scalar_place_read(at, &place);
        found =
            p < from || word[p] || (place.fixed && p != number) || (place.behind && !word[p - 1])
                ? 0
                : scalar_place_find(&place, text, n);
        if (found) {
            word[p] = (uint8_t)found;
            return p + 1;
        }
    }
    return 0;
}

static int is_complete(const struct isa_scalar_row *row, const uint8_t word[WSIM_SCALAR_PLACES]) {
    const char *at = row->spelling;
    struct scalar_place place;
    for (unsigned p = 0; at; p++) {
        at = scalar_place_read(at, &place);
        if (!scalar_is_filled(&place, word, p))
            return 0;
    }
    return 1;
}

static int match_any_order(const struct isa_scalar_row *row, const char *text,
                           uint8_t word[WSIM_SCALAR_PLACES]) {
    unsigned types = 0; /* the place after the last type */
    memset(word, 0, WSIM_SCALAR_PLACES);
    for (unsigned number = 0; text; number++) {
        const size_t n = strcspn(text, ".");
        const int is_type = scalar_type_find(text, n) != SCALAR_NO_TYPE;
        const unsigned behind = take_place(row, text, n, number, is_type ? types : 0, word);
        if (!behind)
            return 0;
        types = is_type ? behind : types;
        text = text[n] ? text + n + 1 : NULL;
    }
    return is_complete(row, word);
}

/* --- the whole --- */

int scalar_match(const char *text, struct wsim_scalar *op) {
    size_t count, first = scalar_rows_find(text, &count);
    for (unsigned ordered = 2; ordered-- > 0;)
        for (size_t i = first; i < first + count; i++) {
            memset(op, 0, sizeof *op);
            op->row = (uint16_t)(i + 1);
            if (ordered ? match_ordered(&isa_scalar_rows[i], text, op->word)
                        : match_any_order(&isa_scalar_rows[i], text, op->word))
                return 1;
        }
    memset(op, 0, sizeof *op);
    return 0;
}

int scalar_reads(const char *text) {
    struct wsim_scalar op;
    return scalar_match(text, &op);
}
