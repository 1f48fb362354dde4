/* Reports the error in a spelling that no row of scalar.def has, and the nearest legal spelling. */
#include "../isa/scalar.h"

#include "../base/base.h"
#include "near.h"
#include "outside.h"

#include <string.h>

/* The comparison of a row with a spelling. */
struct fit {
    const struct isa_scalar_row *row;
    unsigned cost;
    uint8_t word[WSIM_SCALAR_PLACES];
    int behind;        /* the place after the last type: types stay in order */
    const char *wrong; /* the first written word that has no place; NULL: all have             */
    size_t n;
    const char *instead; /* the word of the row that is near it; NULL: none                      */
    size_t instead_n;
    struct scalar_place missing; /* the first place that has to be written and is not; at: NULL  */
};

/* "wait" of "wait::ld". */
static int is_half(const char *text, size_t n, const char *word, size_t length) {
    return n + 2 < length && memcmp(text, word, n) == 0 && word[n] == ':';
}

/* The free place that allows the word. If `most` is not 0: one within `most` edits of the word. */
static int find_place(const struct fit *fit, const char *text, size_t n, unsigned most,
                      unsigned *found, const char **word, size_t *length) {
    const char *at = fit->row->spelling;
    struct scalar_place place;
    for (int p = 0; at; p++) {
        at = scalar_place_read(at, &place);
        if (fit->word[p] || (p < fit->behind && scalar_type_find(text, n)))
            continue;
        if (!most && (*found = scalar_place_find(&place, text, n)) != 0)
            return p;
        for (unsigned i = 1; most && (*length = scalar_place_word(&place, i, word)) != 0; i++)
            if (near_edits(text, n, *word, *length, most) != NEAR_NEVER ||
                is_half(text, n, *word, *length)) {
                *found = i;
                return p;
            }
    }
    return -1;
}

/* The word of a place that is the type most like `type`: of as many bits, else the first. */
static unsigned nearest_type(const struct scalar_place *place, enum scalar_type type) {
    const char *word;
    size_t n;
    for (unsigned i = 1; (n = scalar_place_word(place, i, &word)) != 0; i++)
        if (isa_scalar_types[scalar_type_find(word, n)].bits == isa_scalar_types[type].bits)
            return i;
    return 1;
}

/* Puts a type into the first free place that has others; 0: the word is none, or there is none. */
static int put_type(struct fit *fit, const char *text, size_t n) {
    const enum scalar_type type = scalar_type_find(text, n);
    const char *at = fit->row->spelling, *word;
    struct scalar_place place;
    for (unsigned p = 0; type && at; p++) {
        size_t length;
        at = scalar_place_read(at, &place);
        length = scalar_place_word(&place, 1, &word);
        if (!fit->word[p] && !place.optional && (int)p >= fit->behind &&
            scalar_type_find(word, length)) {
            fit->word[p] = (uint8_t)nearest_type(&place, type);
            fit->behind = (int)p + 1;
            return 1;
        }
    }
    return 0;
}

static void put_word(struct fit *fit, const char *text, size_t n) {
    enum { SLIP = 4, OTHER_TYPE = 6, DROPPED = 10, SLIPS = 2 };
    const char *word = NULL;
    size_t length = 0;
    unsigned found;
    int p = find_place(fit, text, n, 0, &found, &word, &length);
    if (p >= 0) {
        fit->word[p] = (uint8_t)found;
        fit->behind = scalar_type_find(text, n) ? p + 1 : fit->behind;
        return;
    }
    p = find_place(fit, text, n, SLIPS, &found, &word, &length);
    if (!fit->wrong) {
        fit->wrong = text;
        fit->n = n;
        fit->instead = p >= 0 ? word : NULL;
        fit->instead_n = length;
    }
    if (p >= 0) {
        fit->word[p] = (uint8_t)found;
        fit->cost += SLIP;
    } else {
        fit->cost += put_type(fit, text, n) ? OTHER_TYPE : DROPPED;
    }
}

static void add_missing(struct fit *fit, const struct scalar_place *place) {
    enum { MISSING = 3 };
    fit->cost += MISSING;
    if (!fit->missing.at)
        fit->missing = *place;
}

/* The word behind the name of the instruction is usually the operation: it weighs most. */
static void put_second(struct fit *fit, const char *text, size_t n) {
    enum { OTHER_OPERATION = 10 };
    put_word(fit, text, n);
    if (fit->wrong == text && !scalar_type_find(text, n))
        fit->cost += OTHER_OPERATION;
}

/* Compares the words after the first one with a row; the first one counts as right. A word that the
 * row needs and the spelling lacks becomes the first word of its place. */
static struct fit hold(const struct isa_scalar_row *row, const char *text) {
    struct fit fit = {.row = row};
    const char *at = row->spelling;
    struct scalar_place place, before = {.at = NULL};
    fit.word[0] = 1;
    text += strcspn(text, ".");
    for (const char *second = text; *text;) {
        const size_t n = strcspn(++text, ".");
        (text == second + 1 ? put_second : put_word)(&fit, text, n);
        text += n;
    }
    for (unsigned p = 0; at; p++) {
        at = scalar_place_read(at, &place);
        if (place.bound && fit.word[p] && !fit.word[p - 1]) {
            fit.word[p - 1] = 1;
            add_missing(&fit, &before);
        }
        if (!fit.word[p] && (place.bound ? fit.word[p - 1] != 0 : !place.optional)) {
            fit.word[p] = 1;
            add_missing(&fit, &place);
        }
        before = place;
    }
    return fit;
}

static struct fit nearest_row(const char *text, size_t first, size_t count) {
    struct fit best = {.cost = ~0u};
    for (size_t i = first; i < first + count; i++) {
        const struct fit fit = hold(&isa_scalar_rows[i], text);
        if (fit.cost < best.cost && isa_scalar_rows[i].ptx && !isa_scalar_rows[i].until)
            best = fit;
    }
    return best;
}

/* The first word of a row that is nearest to that of the spelling; count 0: none is near. */
static size_t nearest_name(const char *text, size_t *count) {
    const size_t n = strcspn(text, ".");
    unsigned least = NEAR_NEVER;
    size_t best = 0;
    *count = 0;
    for (size_t i = 0; i < isa_scalar_row_count; i++) {
        const char *name = isa_scalar_rows[i].spelling;
        const unsigned edits = near_edits(text, n, name, strcspn(name, "."), NEAR_MAX);
        if (edits < least) {
            least = edits;
            best = i;
        }
    }
    return least == NEAR_NEVER ? 0 : scalar_rows_find(isa_scalar_rows[best].spelling, count);
}

/* Whether any row has the word: then it is one of PTX that does not belong here. */
static int is_known(const char *word, size_t n) {
    for (size_t i = 0; i < isa_scalar_row_count; i++)
        if (scalar_row_has(&isa_scalar_rows[i], word, n))
            return 1;
    return 0;
}

static int name_length(const char *text) {
    const size_t n = strcspn(text, ".");
    return n < 40 ? (int)n : 40;
}

/* ".rn .rz .rm .rp", or "one of" these. */
static void put_words(struct base_text *text, const struct scalar_place *place) {
    const char *word;
    size_t n;
    base_put(text, "%s", memchr(place->at, '|', place->n) ? "one of" : "");
    for (unsigned i = 1; (n = scalar_place_word(place, i, &word)) != 0; i++)
        base_put(text, "%s.%.*s", text->used ? " " : "", (int)n, word);
}

/* Whether a row from `first` to before `row` has the word as its second one. */
static int is_put(size_t first, size_t row, const char *word, size_t n) {
    for (size_t i = first; i < row; i++) {
        struct scalar_place place;
        const char *at = scalar_place_read(isa_scalar_rows[i].spelling, &place);
        if (at) {
            scalar_place_read(at, &place);
            if (scalar_place_find(&place, word, n))
                return 1;
        }
    }
    return 0;
}

/* The words that can be behind the name of an instruction that is all of the spelling. 0: there are
 * none, only a row's, or types. */
static int put_seconds(struct base_text *text, size_t first, size_t count) {
    unsigned rows = 0;
    base_put(text, "one of");
    for (size_t i = first; i < first + count; i++) {
        struct scalar_place place;
        const char *at = scalar_place_read(isa_scalar_rows[i].spelling, &place), *word;
        size_t n;
        if (!at)
            return 0;
        scalar_place_read(at, &place);
        n = scalar_place_word(&place, 1, &word);
        rows += n && !is_put(first, i, word, n);
        for (unsigned k = 1; (n = scalar_place_word(&place, k, &word)) != 0; k++) {
            if (place.optional || scalar_type_find(word, n))
                return 0;
            if (!is_put(first, i, word, n))
                base_put(text, " .%.*s", (int)n, word);
        }
    }
    return rows > 1;
}

static enum wsim_status refuse_words(const char *text, const struct fit *fit,
                                     struct wsim_diag *diag) {
    char near[WSIM_SPELLING_MAX], words[WSIM_DIAG_TEXT / 2] = "";
    struct base_text missing = {words, sizeof words, 0};
    struct wsim_scalar op = {.row = (uint16_t)(fit->row - isa_scalar_rows + 1)};
    const uint32_t col = fit->wrong ? (uint32_t)(fit->wrong - text) + 1 : 0;
    const int n = fit->n < 40 ? (int)fit->n : 40;
    memcpy(op.word, fit->word, sizeof op.word);
    wsim_scalar_spell(&op, near, sizeof near);
    if (fit->wrong && fit->n == 0)
        return base_refuse(diag, RULE_SPELLING_QUALIFIER_EMPTY, col,
                           "empty qualifier; nearest legal: %s", near);
    if (fit->wrong && is_known(fit->wrong, fit->n))
        return base_refuse(
            diag, RULE_SPELLING_QUALIFIER_FOREIGN, col,
            "'.%.*s' cannot be combined with the rest of this %.*s; nearest legal: %s", n,
            fit->wrong, name_length(fit->row->spelling), fit->row->spelling, near);
    if (fit->wrong && fit->instead)
        return base_refuse(diag, RULE_SPELLING_QUALIFIER_UNKNOWN, col,
                           "unknown qualifier '.%.*s', nearest is '.%.*s'; nearest legal: %s", n,
                           fit->wrong, (int)fit->instead_n, fit->instead, near);
    if (fit->wrong)
        return base_refuse(diag, RULE_SPELLING_QUALIFIER_UNKNOWN, col,
                           "unknown qualifier '.%.*s'; nearest legal: %s", n, fit->wrong, near);
    if (!fit->missing.at)
        return base_refuse(diag, RULE_SPELLING_ORDER_OTHER, 0,
                           "the qualifiers are in another order; nearest legal: %s", near);
    put_words(&missing, &fit->missing);
    return base_refuse(diag, RULE_SPELLING_FORM_NONE, 0, "%s is missing; nearest legal: %s", words,
                       near);
}

enum wsim_status scalar_refuse(const char *text, struct wsim_diag *diag) {
    const struct isa_outside *outside = isa_outside_find(text);
    struct base_text nowhere = {NULL, 0, 0};
    size_t count, first = scalar_rows_find(text, &count);
    uint32_t col;
    char words[WSIM_DIAG_TEXT] = "";
    struct base_text seconds = {words, sizeof words, 0};
    struct fit fit;
    if (outside && isa_outside_reads(outside, text, &nowhere, &col))
        return base_refuse(diag, RULE_SPELLING_FAMILY_UNMODELLED, 1, "%s is not modelled",
                           outside->name);
    if (count && !strchr(text, '.') && put_seconds(&seconds, first, count))
        return base_refuse(diag, RULE_SPELLING_FORM_NONE, 0, "%s is missing", words);
    if (count) {
        fit = nearest_row(text, first, count);
        return refuse_words(text, &fit, diag);
    }
    first = nearest_name(text, &count);
    if (!count)
        return base_refuse(diag, RULE_SPELLING_FAMILY_UNKNOWN, 1, "unknown instruction '%.*s'",
                           name_length(text), text);
    fit = nearest_row(text, first, count);
    return base_refuse(diag, RULE_SPELLING_FAMILY_UNKNOWN, 1,
                       "unknown instruction '%.*s', nearest is '%.*s'", name_length(text), text,
                       name_length(fit.row->spelling), fit.row->spelling);
}
