/* Finds the operations that the words and types of a name mean. It compares every operation with
 * them and keeps the operations with the fewest other words. */
#include "name.h"

#include <string.h>

/* The words of a spelling. */
struct spelled {
    char text[WSIM_SPELLING_MAX];
    struct {
        const char *text;
        size_t n;
        int used;
    } word[NAME_WORDS + NAME_TYPES];
    unsigned words;
};

static void split(const struct wsim_op *op, struct spelled *s) {
    const char *at = s->text;
    wsim_op_spell(op, s->text);
    for (s->words = 0; *at && s->words < NAME_WORDS + NAME_TYPES; at += *at == '.') {
        size_t n = strcspn(at, ".");
        s->word[s->words].text = at;
        s->word[s->words].n = n;
        s->word[s->words++].used = 0;
        at += n;
    }
}

/* True if the word is `before` and then `wanted`. */
static int is_after(const char *before, const char *wanted, const char *text, size_t n) {
    const size_t length = strlen(before);
    return name_begins(text, n, before) && name_same(text + length, n - length, wanted);
}

/* "sp" also means ".sp::ordered_metadata", "mxf4" ".kind::mxf4", "2X" ".scale_vec::2X". */
static int is_word(const char *wanted, const char *text, size_t n) {
    return name_same(text, n, wanted) ||
           (strcmp(wanted, "sp") == 0 && name_begins(text, n, "sp::")) ||
           is_after("kind::", wanted, text, n) || is_after("scale_vec::", wanted, text, n);
}

static int is_layout(const char *word) {
    return strcmp(word, "row") == 0 || strcmp(word, "col") == 0;
}

/* Words come in any order, but layouts: those are of A, then of B. */
static int has_words(struct spelled *s, struct name_wanted *w) {
    unsigned behind = 0; /* the last layout */
    int all = 1;
    for (unsigned i = 0; i < w->words; i++) {
        int layout = is_layout(w->word[i].text);
        unsigned k = layout ? behind : 0;
        while (k < s->words &&
               (s->word[k].used || !is_word(w->word[i].text, s->word[k].text, s->word[k].n)))
            k++;
        if (k < s->words)
            s->word[k].used = w->word[i].seen = 1;
        else
            all = 0;
        behind = layout ? k : behind;
    }
    return all;
}

static int in(uint64_t types, const struct wsim_format *format) {
    return format && types >> (format - isa_formats) & 1;
}

/* Types that names leave out. A and B share one type, and C is as D. A single type is that of A and
 * B or, at a cost, that of D. A word that an operation begins with names its family: mma is not
 * wmma.mma. NEVER: these do not match. */
enum { NEVER = 1000, RESULT_ONLY = 100, NO_FAMILY = 200 };

static unsigned product_types(const struct wsim_op *op, const struct name_wanted *w) {
    const struct wsim_format *d = isa_op_type(op, PLACE_D), *a = isa_op_type(op, PLACE_A),
                             *b = isa_op_type(op, PLACE_B), *c = isa_op_type(op, PLACE_C);
    const uint64_t *t = w->type;
    int alike = a == b, kept = !c || c == d;
    switch (w->types) {
    case 1: return alike && kept && in(t[0], a) ? 0 : kept && in(t[0], d) ? RESULT_ONLY : NEVER;
    case 2:
        return (alike && kept && in(t[0], d) && in(t[1], a)) || (kept && in(t[0], a) && in(t[1], b))
                   ? 0
                   : NEVER;
    case 3: return kept && in(t[0], d) && in(t[1], a) && in(t[2], b) ? 0 : NEVER;
    default:
        return in(t[0], d) && in(t[1], a) && in(t[2], b) && in(t[3], c) &&
                       (w->types == 4 || in(t[4], isa_op_type(op, PLACE_STYPE)))
                   ? 0
                   : NEVER;
    }
}

static unsigned other_types(const struct wsim_op *op, const struct name_wanted *w) {
    unsigned n = 0;
    for (int p = PLACE_D; p <= PLACE_STYPE; p++)
        if (op->q[p] && n < w->types && w->type[n] >> op->q[p] & 1)
            n++;
    return n == w->types ? 0 : NEVER;
}

/* Counts the words that the operation has and the name does not; NEVER or more: it lacks a word. */
static unsigned beyond(const struct wsim_op *op, struct name_wanted *w, struct spelled *s) {
    unsigned cost = 0;
    split(op, s);
    if (!has_words(s, w))
        return NEVER;
    if (w->types)
        cost = isa_op_type(op, PLACE_A) && isa_op_type(op, PLACE_B) ? product_types(op, w)
                                                                    : other_types(op, w);
    cost += s->word[0].used ? 0 : NO_FAMILY;
    for (unsigned k = 0; k < s->words; k++)
        cost += !s->word[k].used && !(w->types && name_types(s->word[k].text, s->word[k].n));
    for (unsigned k = 0; k < s->words; k++) /* plain .sp comes before .sp::ordered_metadata */
        cost += s->word[k].used && name_begins(s->word[k].text, s->word[k].n, "sp::");
    return cost;
}

size_t name_match(struct name_wanted *w, struct wsim_op *out, size_t max) {
    struct wsim_op op = {0};
    struct spelled spelled;
    uint32_t cursor = 0;
    unsigned best = NEVER;
    size_t count = 0;
    while (wsim_op_next(&cursor, &op)) {
        unsigned cost = beyond(&op, w, &spelled);
        if (cost < best)
            count = 0;
        if (cost < NEVER && cost <= best) {
            best = cost;
            if (count++ < max)
                out[count - 1] = op;
        }
    }
    return count;
}
