/* A spelling as an operation. Qualifiers come in any order; only first and second layout, and the
 * order of the types, carry meaning. Words and places are those of qualifier.def and format.def. */
#include "match.h"

#include <string.h>

struct reading {
    const char *text, *at; /* the whole spelling; the word being read          */
    size_t length;         /* of that word                                     */
    enum wsim_family family;
    struct wsim_op op;
    enum base_rule rule; /* that the first problem breaks; none: RULE_NONE     */
    uint32_t col;
    char why[WSIM_DIAG_TEXT / 2];
};

/* Remembers the first problem; later ones may only follow from it. */
static struct base_text problem(struct reading *r, enum base_rule rule) {
    struct base_text text = {r->why, sizeof r->why, 0}, nowhere = {NULL, 0, 0};
    if (r->rule)
        return nowhere;
    r->rule = rule;
    r->col = (uint32_t)(r->at - r->text) + 1;
    return text;
}

static int word_is(const struct reading *r, const char *word) {
    return strlen(word) == r->length && memcmp(word, r->at, r->length) == 0;
}

/* Number of single-character edits between a word of `n` characters and the one being read; long
 * words are cut. */
static unsigned distance(const struct reading *r, const char *word, size_t n) {
    enum { MAX = 32 };
    unsigned row[MAX + 1];
    size_t m = r->length < MAX ? r->length : MAX;
    size_t i, j;
    n = n < MAX ? n : MAX;
    for (j = 0; j <= n; j++)
        row[j] = (unsigned)j;
    for (i = 1; i <= m; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (j = 1; j <= n; j++) {
            unsigned best = diagonal + (r->at[i - 1] != word[j - 1]);
            diagonal = row[j];
            best = row[j] + 1 < best ? row[j] + 1 : best;
            row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
        }
    }
    return row[n];
}

/* The values that any row of the family has in place p. */
static uint64_t family_values(enum wsim_family family, int p) {
    uint64_t values = 0;
    unsigned i;
    for (i = 0; i < FORM_COUNT; i++)
        if (isa_forms[i].family == family)
            values |= isa_forms[i].allow[p] & ~UINT64_C(1);
    return values;
}

static void put_type(struct reading *r, unsigned format) {
    int p;
    for (p = PLACE_D; p <= PLACE_STYPE && family_values(r->family, p); p++)
        if (!r->op.q[p]) {
            r->op.q[p] = (uint8_t)format;
            return;
        }
    {
        struct base_text why = problem(r, RULE_SPELLING_TYPE_EXCESS);
        base_put(&why, "'.%s' is one type too many for %s", isa_formats[format].name,
                 isa_family_name(r->family));
    }
}

static void refuse_order(struct reading *r, const struct isa_word *word, int place) {
    struct base_text why = problem(r, RULE_SPELLING_ORDER_OTHER);
    base_put(&why, "'.%s' must come after the %s", word->text, isa_place_words[place - 1]);
}

/* The value of place `p` whose word is `text`, of `n` characters; 0: none. */
static uint8_t value_of(int p, const char *text, size_t n) {
    size_t i;
    int place = -1;
    for (i = 0; i < isa_word_count; i++) {
        const struct isa_word *word = &isa_words[i];
        if (!word->text)
            place = word->place;
        else if (place == p && strlen(word->text) == n && memcmp(word->text, text, n) == 0)
            return word->value;
    }
    return 0;
}

/* Whether the word being read is `word` of `place`. What a * of it stands for is a value of the
 * next place: *inner, else 0. */
static int fits(const struct reading *r, const struct isa_word *word, int place, uint8_t *inner) {
    const char *star = strchr(word->text, '*');
    size_t before, after;
    *inner = 0;
    if (!star)
        return !(word->flags & WORD_INNER) && word_is(r, word->text);
    before = (size_t)(star - word->text);
    after = strlen(star + 1);
    if (r->length < before + after || memcmp(r->at, word->text, before) != 0 ||
        memcmp(r->at + r->length - after, star + 1, after) != 0)
        return 0;
    *inner = value_of(place + 1, r->at + before, r->length - before - after);
    return *inner != 0;
}

static void refuse_second(struct reading *r, int place) {
    struct base_text why = problem(r, RULE_SPELLING_QUALIFIER_TWICE);
    base_put(&why, "'.%.*s' comes after '.", (int)r->length, r->at);
    isa_word_put(&why, &r->op, place);
    base_put(&why, "': %s is given already", isa_place_words[place]);
}

/* Puts the word into the first place that has it and is free. */
static int put_word(struct reading *r) {
    const struct isa_word *taken = NULL;
    int place = -1, taken_place = -1, known = 0;
    uint8_t inner;
    size_t i;
    for (i = 0; i < isa_word_count; i++) {
        const struct isa_word *word = &isa_words[i];
        if (!word->text) {
            place = word->place;
            continue;
        }
        if (!fits(r, word, place, &inner))
            continue;
        known = 1;
        if (!family_values(r->family, place))
            continue;
        if (r->op.q[place] == 0) {
            if (word->flags & WORD_FOLLOWS && r->op.q[place - 1] == 0)
                refuse_order(r, word, place);
            r->op.q[place] = word->value;
            if (inner)
                r->op.q[place + 1] = inner;
            return 1;
        }
        taken = word;
        taken_place = place;
    }
    if (taken && taken->flags & WORD_REPEATS && r->op.q[taken_place] == taken->value)
        return 1;
    if (taken) {
        refuse_second(r, taken_place);
    } else if (known) {
        struct base_text why = problem(r, RULE_SPELLING_QUALIFIER_FOREIGN);
        base_put(&why, "'.%.*s' does not belong to %s", (int)r->length, r->at,
                 isa_family_name(r->family));
    }
    return known;
}

static int put_known(struct reading *r) {
    unsigned f;
    for (f = 1; f < FORMAT_COUNT; f++)
        if (f != FORMAT_PAIR && word_is(r, isa_formats[f].name)) {
            put_type(r, f);
            return 1;
        }
    return put_word(r);
}

struct guess {
    char word[32];
    unsigned distance;
};

static void consider(const struct reading *r, struct guess *guess, const char *word) {
    unsigned d = distance(r, word, strlen(word));
    if (d < guess->distance) {
        guess->distance = d;
        memcpy(guess->word, word, strlen(word) + 1);
    }
}

/* All that `word` of `place` can be read as: itself, or its * filled with every word that the
 * family has for it. */
static void consider_all(const struct reading *r, struct guess *guess, const struct isa_word *word,
                         int place) {
    uint64_t values = strchr(word->text, '*') ? family_values(r->family, place + 1) : 1;
    struct wsim_op one = {0};
    unsigned v;
    one.q[place] = word->value;
    for (v = 0; v < 64; v++)
        if (values >> v & 1) {
            char buffer[sizeof guess->word];
            struct base_text text = {buffer, sizeof buffer, 0};
            if (v)
                one.q[place + 1] = (uint8_t)v;
            isa_word_put(&text, &one, place);
            consider(r, guess, buffer);
        }
}

/* The nearest word that the family knows in a place that is still free. */
static struct guess nearest_word(const struct reading *r) {
    struct guess guess = {"", ~0u};
    uint64_t values = 0, types = 0;
    size_t i;
    int p, place = 0;
    for (i = 0; i < isa_word_count; i++) {
        if (!isa_words[i].text) {
            place = isa_words[i].place;
            values = r->op.q[place] || isa_place_inner(place) ? 0 : family_values(r->family, place);
        } else if (values >> isa_words[i].value & 1) {
            consider_all(r, &guess, &isa_words[i], place);
        }
    }
    for (p = PLACE_D; p <= PLACE_STYPE; p++)
        types |= r->op.q[p] ? 0 : family_values(r->family, p);
    for (i = 1; i < FORMAT_COUNT; i++)
        if (types >> i & 1)
            consider(r, &guess, isa_formats[i].name);
    return guess;
}

/* Reads the nearest word instead of an unknown one, so that a nearest legal spelling can be told.
 */
static void put_nearest(struct reading *r) {
    struct reading guess = *r;
    struct guess nearest = nearest_word(r);
    struct base_text why = problem(r, RULE_SPELLING_QUALIFIER_UNKNOWN);
    guess.at = nearest.word;
    guess.length = strlen(guess.at);
    base_put(&why, "unknown qualifier '.%.*s'", r->length < 40 ? (int)r->length : 40, r->at);
    if (guess.length == 0)
        return;
    base_put(&why, ", nearest is '.%s'", guess.at);
    guess.rule = r->rule; /* the guess reports nothing of its own */
    put_known(&guess);
    r->op = guess.op;
}

static void next_word(struct reading *r) {
    r->at += r->length + 1;
    r->length = strcspn(r->at, ".");
}

/* Whether the spelling begins with the words of `name`. */
static int begins(const struct reading *r, const char *name) {
    size_t n = strlen(name);
    return strncmp(r->text, name, n) == 0 && (r->text[n] == '.' || r->text[n] == '\0');
}

/* Families that PTX has and wsim does not model yet: the name of this one, NULL if it is none. */
static const char *find_stranger(const struct reading *r) {
    static const char *const names[] = {
#define STRANGER(name) name,
#include "family.def"
    };
    size_t i;
    for (i = 0; i < sizeof names / sizeof names[0]; i++)
        if (begins(r, names[i]))
            return names[i];
    return NULL;
}

/* Reads on to the last word of `name`; the edits that the words differ by, where one in the first
 * word weighs more than any number after it. *wrong is the first word that differs. */
static unsigned read_name(struct reading *r, const char *name, const char **wrong) {
    unsigned edits = 0, weight = 64;
    *wrong = NULL;
    for (;; next_word(r), weight = 1) {
        size_t n = strcspn(name, ".");
        unsigned here = distance(r, name, n);
        int last = name[n] == '\0', missing = !last && r->at[r->length] == '\0';
        edits += here * weight + (missing ? (unsigned)strlen(name + n) : 0);
        if (!*wrong && (here || missing))
            *wrong = r->at;
        if (last || missing)
            return edits;
        name += n + 1;
    }
}

static void refuse_family(struct reading *r, const char *wrong, const struct reading *end) {
    size_t length = (size_t)(end->at - r->text) + end->length;
    struct base_text why;
    r->at = wrong;
    why = problem(r, RULE_SPELLING_FAMILY_UNKNOWN);
    base_put(&why, "unknown instruction '%.*s', nearest is '%s'", length < 40 ? (int)length : 40,
             r->text, isa_family_name(r->family));
}

/* Fewer edits are better; names as near as a slip or two, the longer: one begins with the other. */
static int is_better(unsigned edits, const char *end, unsigned least, const char *best) {
    enum { SLIPS = 2 };
    if (edits <= SLIPS && least <= SLIPS && end != best)
        return end > best;
    return edits < least || (edits == least && end > best);
}

static void read_family(struct reading *r) {
    struct reading end = *r;
    const char *wrong = NULL;
    unsigned f, least = ~0u;
    for (f = 0; f < FAMILY_COUNT; f++) {
        struct reading at = *r;
        const char *here;
        unsigned edits = read_name(&at, isa_family_name((enum wsim_family)f), &here);
        if (!is_better(edits, at.at, least, end.at))
            continue;
        least = edits;
        r->family = (enum wsim_family)f;
        wrong = here;
        end = at;
    }
    if (least)
        refuse_family(r, wrong, &end);
    r->at = end.at;
    r->length = end.length;
}

/* One qualifier into its place; problems are remembered and reading goes on, so that the nearest
 * legal spelling can be told. */
static void read_word(struct reading *r) {
    if (r->length == 0) {
        struct base_text why = problem(r, RULE_SPELLING_QUALIFIER_EMPTY);
        base_put(&why, "empty qualifier");
    } else if (!put_known(r)) {
        put_nearest(r);
    }
}

/* Types fill their places in the order D A B C; where a row has no A and B, two are D and C. */
static void settle_types(struct reading *r) {
    uint8_t *q = r->op.q;
    unsigned i;
    for (i = 0; i < FORM_COUNT && q[PLACE_A] && !q[PLACE_B]; i++)
        if (isa_forms[i].family == r->family && isa_forms[i].factor) {
            q[PLACE_C] = q[PLACE_A];
            q[PLACE_A] = 0;
        }
}

enum wsim_status wsim_op_parse(const char *text, struct wsim_op *op, struct wsim_diag *diag) {
    struct reading r = {.text = text, .at = text, .length = strcspn(text, ".")};
    struct base_text why = {r.why, sizeof r.why, 0}, nowhere = {NULL, 0, 0};
    char spelling[WSIM_SPELLING_MAX];
    const char *stranger;
    int guessed;
    *op = r.op;
    stranger = find_stranger(&r);
    if (stranger)
        return base_refuse(diag, RULE_SPELLING_FAMILY_UNMODELLED, 1, "%s is not modelled",
                           stranger);
    read_family(&r);
    while (r.at[r.length] == '.') {
        next_word(&r);
        read_word(&r);
    }
    settle_types(&r);
    guessed = r.rule != RULE_NONE;
    if (!isa_match(&r.op, r.family, guessed, guessed ? &nowhere : &why) && !guessed)
        r.rule = RULE_SPELLING_FORM_NONE;
    *op = r.op;
    if (r.rule == RULE_NONE)
        return WSIM_OK;
    wsim_op_spell(&r.op, spelling);
    return base_refuse(diag, r.rule, r.col, "%s; nearest legal: %s", r.why, spelling);
}
