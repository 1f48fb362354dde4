/* A spelling as an operation. Qualifiers come in any order; only first and second layout, and the
 * order of the types, carry meaning. Words and places are those of qualifier.def and format.def. */
#include "match.h"
#include "near.h"
#include "near_name.h"
#include "outside.h"
#include "../isa/scalar.h"

#include <string.h>

struct reading {
    const char *text, *at; /* the whole spelling; the word being read                       */
    size_t length;         /* of that word                                                  */
    struct isa_written written;
    uint64_t known[PLACE_COUNT]; /* bit v: some row of the family has value v in that place */
    unsigned types;              /* places for types that the family has                    */
    int exact;                   /* the instruction is spelled right                        */
    int quiet;                   /* do not word the problem                                 */
    int is_family;               /* it has rows, or is taken for one that has               */
    enum base_rule rule;         /* that the first problem breaks; none: RULE_NONE          */
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

/* --- names of instructions --- */

/* The length of `name` if the spelling begins with its words, else 0. */
static size_t begins(const char *text, const char *name) {
    size_t n = strlen(name);
    return strncmp(text, name, n) == 0 && (text[n] == '.' || text[n] == '\0') ? n : 0;
}

/* The length of the longest name of a family that the spelling begins with; 0: of none. */
static size_t find_family(struct reading *r) {
    size_t longest = 0;
    for (unsigned f = 0; f < WSIM_FAMILIES; f++) {
        const char *name = isa_family_name((enum wsim_family)f);
        size_t n = *name == *r->text ? begins(r->text, name) : 0;
        if (n > longest) {
            longest = n;
            r->written.family = (enum wsim_family)f;
        }
    }
    return longest;
}

/* `known`: characters of the spelling that are right. */
static void refuse_name(struct reading *r, const struct name_guess *guess, size_t known) {
    size_t end = known + (known && r->text[known] == '.');
    struct base_text why;
    r->at = guess->name ? guess->wrong : r->text + end;
    end = guess->name ? guess->end : end + strcspn(r->text + end, ".");
    why = problem(r, RULE_SPELLING_FAMILY_UNKNOWN);
    base_put(&why, "unknown instruction '%.*s'", end < 40 ? (int)end : 40, r->text);
    if (guess->name)
        base_put(&why, ", nearest is '%.*s'", (int)guess->length, guess->name);
}

/* Reads the name, or what may be meant by it, up to its end. */
static void read_family(struct reading *r) {
    size_t end = find_family(r), known = end ? end : name_beginning(r->text);
    struct name_guess guess = {.edits = NEAR_NEVER};
    if (!end || r->text[end] == '.')
        guess = name_nearest(r->text, known, end > 0);
    r->exact = r->is_family = end > 0;
    if (!end || guess.name) {
        refuse_name(r, &guess, known);
        r->exact = 0;
        r->is_family = guess.is_family;
        r->written.family = guess.family;
        end = guess.end;
    }
    r->at = r->text;
    r->length = end;
}

/* --- words --- */

static void know_family(struct reading *r) {
    for (unsigned i = 0; i < FORM_COUNT; i++)
        if (isa_forms[i].family == r->written.family)
            for (int p = 0; p < PLACE_COUNT; p++)
                r->known[p] |= isa_forms[i].allow[p];
    for (int p = 0; p < PLACE_COUNT; p++) {
        r->known[p] &= ~UINT64_C(1);
        r->types += isa_place_has_types(p) && r->known[p];
    }
}

static int is_word(const struct reading *r, const char *word) {
    return *word == *r->at && strncmp(word, r->at, r->length) == 0 && word[r->length] == '\0';
}

static unsigned find_type(const struct reading *r) {
    for (unsigned f = 1; f < FORMAT_COUNT; f++)
        if (f != FORMAT_PAIR && is_word(r, isa_formats[f].name))
            return f;
    return 0;
}

static void put_type(struct reading *r, unsigned format) {
    struct base_text why;
    if (r->written.type_count < r->types) {
        r->written.types[r->written.type_count++] = (uint8_t)format;
        return;
    }
    why = problem(r, RULE_SPELLING_TYPE_EXCESS);
    base_put(&why, "'.%s' is one type too many for %s", isa_formats[format].name,
             isa_family_name(r->written.family));
}

/* The words of a place, from value 1 on. */
static const struct isa_word *words_of(int p, unsigned *count) {
    *count = isa_place_at[p + 1] - isa_place_at[p] - 1u;
    return &isa_words[isa_place_at[p] + 1];
}

/* The value of place `p` whose word is `text`, of `n` characters; 0: none. */
static uint8_t value_of(int p, const char *text, size_t n) {
    unsigned count;
    const struct isa_word *words = words_of(p, &count);
    for (unsigned i = 0; i < count; i++)
        if (strlen(words[i].text) == n && memcmp(words[i].text, text, n) == 0)
            return words[i].value;
    return 0;
}

/* Whether the word being read is `word` of `place`. A * in the word stands for a value of the next
 * place: *inner, else 0. */
static int fits(const struct reading *r, const struct isa_word *word, int place, uint8_t *inner) {
    const char *star;
    size_t before, after;
    *inner = 0;
    if (*word->text != *r->at)
        return 0;
    star = strchr(word->text, '*');
    if (!star)
        return !(word->flags & WORD_INNER) && is_word(r, word->text);
    before = (size_t)(star - word->text);
    after = strlen(star + 1);
    if (r->length < before + after || memcmp(r->at, word->text, before) != 0 ||
        memcmp(r->at + r->length - after, star + 1, after) != 0)
        return 0;
    *inner = value_of(place + 1, r->at + before, r->length - before - after);
    return *inner != 0;
}

/* The word of place `p` that is being read; NULL: none. */
static const struct isa_word *find_word(const struct reading *r, int p, uint8_t *inner) {
    unsigned count;
    const struct isa_word *words = words_of(p, &count);
    for (unsigned i = 0; i < count; i++)
        if (fits(r, &words[i], p, inner))
            return &words[i];
    return NULL;
}

static void refuse_order(struct reading *r, const struct isa_word *word, int place) {
    struct base_text why = problem(r, RULE_SPELLING_ORDER_OTHER);
    base_put(&why, "'.%s' must come after the %s", word->text, isa_place_words[place - 1]);
}

static void refuse_second(struct reading *r, int place) {
    struct base_text why = problem(r, RULE_SPELLING_QUALIFIER_TWICE);
    struct wsim_op op = {0};
    memcpy(op.q, r->written.q, sizeof r->written.q);
    base_put(&why, "'.%.*s' comes after '.", (int)r->length, r->at);
    isa_word_put(&why, &op, place);
    base_put(&why, "': %s is already given", isa_place_words[place]);
}

/* Puts the word into the first place of the family that has it and is free; 0: no place has it. */
static int put_word(struct reading *r) {
    const struct isa_word *taken = NULL;
    uint8_t *q = r->written.q, inner;
    int taken_place = -1;
    for (int p = 0; p < PLACE_COUNT; p++) {
        const struct isa_word *word = r->known[p] ? find_word(r, p, &inner) : NULL;
        if (!word)
            continue;
        if (q[p] == 0) {
            if (word->flags & WORD_FOLLOWS && q[p - 1] == 0)
                refuse_order(r, word, p);
            q[p] = word->value;
            if (inner)
                q[p + 1] = inner;
            return 1;
        }
        taken = word;
        taken_place = p;
    }
    if (taken && !(taken->flags & WORD_REPEATS && q[taken_place] == taken->value))
        refuse_second(r, taken_place);
    return taken != NULL;
}

static int put_known(struct reading *r) {
    unsigned type = find_type(r);
    if (type)
        put_type(r, type);
    return type || put_word(r);
}

/* --- words that the family does not have --- */

static int is_foreign(const struct reading *r) {
    uint8_t inner;
    for (int p = 0; p < PLACE_COUNT; p++)
        if (find_word(r, p, &inner))
            return 1;
    return 0;
}

struct word_guess {
    char word[32];
    unsigned edits;
    uint32_t apart; /* of the numbers in both words */
};

static void consider(const struct reading *r, struct word_guess *guess, const char *word) {
    const size_t n = strlen(word);
    const unsigned edits = near_edits(r->at, r->length, word, n, NEAR_NEVER);
    const uint32_t apart = near_numbers(r->at, r->length, word, n);
    if (n < sizeof guess->word && edits != NEAR_NEVER &&
        (apart < guess->apart || (apart == guess->apart && edits < guess->edits))) {
        guess->edits = edits;
        guess->apart = apart;
        memcpy(guess->word, word, n + 1);
    }
}

/* All that `word` of `place` can be read as: itself, or its * filled with every word that the
 * family has for it. */
static void consider_all(const struct reading *r, struct word_guess *guess,
                         const struct isa_word *word, int place) {
    const char *star = strchr(word->text, '*');
    size_t before = star ? (size_t)(star - word->text) : 0;
    if (!star)
        consider(r, guess, word->text);
    for (unsigned v = 1; star && v < 64; v++)
        if (r->known[place + 1] >> v & 1) {
            const char *inner = isa_word_text(place + 1, v);
            char whole[sizeof guess->word] = "";
            size_t n = strlen(inner);
            if (strlen(word->text) - 1 + n < sizeof whole) {
                memcpy(whole, word->text, before);
                memcpy(whole + before, inner, n);
                strcpy(whole + before + n, star + 1);
                consider(r, guess, whole);
            }
        }
}

/* The name of a type outside PTX: the first one that the family has. */
static const char *called(const struct reading *r, uint64_t types) {
    static const struct {
        const char *name;
        uint8_t format;
    } names[] = {
#define CALLED(name, id) {name, FORMAT_##id},
#include "../isa/format.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (types >> names[i].format & 1 && strlen(names[i].name) == r->length &&
            near_edits(r->at, r->length, names[i].name, r->length, 0) == 0)
            return isa_formats[names[i].format].name;
    return NULL;
}

/* The word of a free place that goes on with `::` after the one being read; NULL: none. */
static const char *find_beginning(const struct reading *r) {
    for (int p = 0; p < PLACE_COUNT; p++) {
        unsigned count;
        const struct isa_word *words = words_of(p, &count);
        for (unsigned i = 0; i < count && r->known[p] && !r->written.q[p]; i++)
            if (r->known[p] >> words[i].value & 1 && r->length &&
                strncmp(words[i].text, r->at, r->length) == 0 &&
                strncmp(words[i].text + r->length, "::", 2) == 0)
                return words[i].text;
    }
    return NULL;
}

/* The nearest word that the family knows in a place that is still free; "" if none is near. */
static struct word_guess nearest_word(const struct reading *r) {
    struct word_guess guess = {"", NEAR_NEVER, UINT32_MAX};
    uint64_t types = 0;
    const char *name;
    for (int p = PLACE_D; p <= PLACE_STYPE; p++)
        types |= r->written.type_count < r->types ? r->known[p] : 0;
    name = called(r, types);
    name = name ? name : find_beginning(r);
    if (name && strlen(name) < sizeof guess.word) {
        memcpy(guess.word, name, strlen(name) + 1);
        return guess;
    }
    for (unsigned f = 1; f < FORMAT_COUNT; f++)
        if (types >> f & 1)
            consider(r, &guess, isa_formats[f].name);
    for (int p = 0; p < PLACE_COUNT; p++) {
        unsigned count;
        const struct isa_word *words = words_of(p, &count);
        for (unsigned i = 0; i < count && !r->written.q[p] && !isa_place_inner(p); i++)
            if (r->known[p] >> words[i].value & 1)
                consider_all(r, &guess, &words[i], p);
    }
    return guess;
}

/* Reads another word instead, so that the refusal can name the nearest legal spelling. */
static void read_instead(struct reading *r, const char *word) {
    const char *at = r->at;
    size_t length = r->length;
    r->at = word;
    r->length = strlen(word);
    put_known(r);
    r->at = at;
    r->length = length;
}

static void put_nearest(struct reading *r) {
    struct word_guess nearest = nearest_word(r);
    struct base_text why = problem(r, RULE_SPELLING_QUALIFIER_UNKNOWN);
    base_put(&why, "unknown qualifier '.%.*s'", r->length < 40 ? (int)r->length : 40, r->at);
    if (!*nearest.word)
        return;
    base_put(&why, ", nearest is '.%s'", nearest.word);
    read_instead(r, nearest.word);
}

/* A word of other instructions. The reader takes the word of this family that it begins. */
static void put_foreign(struct reading *r) {
    const char *word = find_beginning(r);
    struct base_text why = problem(r, RULE_SPELLING_QUALIFIER_FOREIGN);
    base_put(&why, "%s has no qualifier '.%.*s'", isa_family_name(r->written.family),
             (int)r->length, r->at);
    if (!word)
        return;
    base_put(&why, ", nearest is '.%s'", word);
    read_instead(r, word);
}

/* Whether a scalar row of that name has the word: it is one of accesses elsewhere. */
static int is_elsewhere(const struct reading *r) {
    size_t count, first = scalar_rows_find(isa_family_name(r->written.family), &count);
    if (isa_doors[isa_families[r->written.family].door].counting != WSIM_COUNT_ACCESS)
        return 0;
    for (size_t i = first; i < first + count; i++)
        if (scalar_row_has(&isa_scalar_rows[i], r->at, r->length))
            return 1;
    return 0;
}

static void refuse_foreign(struct reading *r) {
    if (r->quiet) {
        problem(r, RULE_SPELLING_QUALIFIER_UNKNOWN);
    } else if (is_elsewhere(r)) {
        struct base_text why = problem(r, RULE_SPELLING_QUALIFIER_FOREIGN);
        base_put(&why, "'.%.*s' is not for shared memory", (int)r->length, r->at);
    } else if (is_foreign(r)) {
        put_foreign(r);
    } else {
        put_nearest(r);
    }
}

/* Puts one qualifier into its place. Reading goes on after a problem, so that the refusal can name
 * the nearest legal spelling. */
static void read_word(struct reading *r) {
    if (r->length == 0) {
        struct base_text why = problem(r, RULE_SPELLING_QUALIFIER_EMPTY);
        base_put(&why, "empty qualifier");
    } else if (!put_known(r)) {
        refuse_foreign(r);
    }
}

static void read_words(struct reading *r) {
    know_family(r);
    while (r->at[r->length] == '.') {
        r->at += r->length + 1;
        r->length = strcspn(r->at, ".");
        read_word(r);
    }
}

/* --- the whole --- */

static enum wsim_status refuse_outside(const char *text, const struct isa_outside *row,
                                       struct wsim_diag *diag) {
    char buffer[WSIM_DIAG_TEXT / 2];
    struct base_text why = {buffer, sizeof buffer, 0};
    uint32_t col;
    if (isa_outside_reads(row, text, &why, &col))
        return base_refuse(diag, RULE_SPELLING_FAMILY_UNMODELLED, 1, "%s is not modelled",
                           row->name);
    return base_refuse(diag, col ? RULE_SPELLING_QUALIFIER_UNKNOWN : RULE_SPELLING_FORM_NONE, col,
                       "%s", buffer);
}

/* Whether the spelling belongs to scalar.def. It begins like rows there and unlike any row here, or
 * it accesses a state space that no row here has. */
static int is_scalar(const struct reading *r) {
    const size_t fixed = scalar_fixed_longest(r->text);
    const unsigned space = r->written.q[PLACE_SPACE];
    if (!r->exact && r->is_family) /* a slip in the name of a family */
        return 0;
    if (!r->exact) /* cp and the like begin both */
        return fixed > strcspn(r->text, ".") || (fixed && !name_is_beginning(r->text));
    if (r->rule && r->col <= fixed)
        return 1;
    return isa_doors[isa_families[r->written.family].door].counting == WSIM_COUNT_ACCESS &&
           !(r->known[PLACE_SPACE] >> space & 1);
}

/* Reads all of the spelling. Returns the line of ptx.def if it is an instruction without rows. */
static const struct isa_outside *read_spelling(struct reading *r, const char *text) {
    const struct isa_outside *row = isa_outside_find(text);
    memset(r, 0, sizeof *r);
    r->text = text;
    if (row && strlen(row->name) > find_family(r))
        return row;
    read_family(r);
    if (r->is_family)
        read_words(r);
    return NULL;
}

static enum wsim_status refuse_spelling(struct reading *r, struct wsim_diag *diag) {
    struct base_text why = {r->why, sizeof r->why, 0}, nowhere = {NULL, 0, 0};
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_op near;
    enum base_rule rule = r->rule ? r->rule : RULE_SPELLING_FORM_NONE;
    if (!r->is_family || !diag) /* the nearest spelling is unused */
        return base_refuse(diag, rule, r->col, "%s", r->why);
    isa_match_nearest(&r->written, &near, r->rule ? &nowhere : &why);
    wsim_op_spell(&near, spelling);
    return base_refuse(diag, rule, r->col, "%s; nearest legal: %s", r->why, spelling);
}

static enum wsim_status refuse_table(const char *text, struct wsim_diag *diag) {
    return base_refuse(diag, RULE_SPELLING_TABLE_OTHER, 1,
                       "%s is a scalar instruction: wsim_scalar_parse reads it", text);
}

enum wsim_status wsim_op_parse(const char *text, struct wsim_op *op, struct wsim_diag *diag) {
    struct reading r = {.text = text};
    const struct isa_outside *row;
    const int has_rows = find_family(&r) != 0;
    memset(op, 0, sizeof *op);
    if (!has_rows && scalar_reads(text)) /* at once: the nearest spelling is unused */
        return refuse_table(text, diag);
    row = read_spelling(&r, text);
    if (row)
        return refuse_outside(text, row, diag);
    if (r.rule == 0 && isa_match(&r.written, op))
        return WSIM_OK;
    if (has_rows && scalar_reads(text))
        return refuse_table(text, diag);
    return is_scalar(&r) ? scalar_refuse(text, diag) : refuse_spelling(&r, diag);
}

int wsim_op_nearest(const char *text, struct wsim_op *op) {
    struct base_text nowhere = {NULL, 0, 0};
    struct reading r;
    memset(op, 0, sizeof *op);
    if (read_spelling(&r, text) || !r.is_family)
        return 0;
    if (r.rule == 0 && isa_match(&r.written, op) && wsim_op_describe(op).documented)
        return 1;
    memset(op, 0, sizeof *op);
    if (is_scalar(&r) || scalar_reads(text))
        return 0;
    isa_match_nearest(&r.written, op, &nowhere);
    return 1;
}

/* --- any instruction --- */

int isa_op_match(const char *text, struct wsim_op *op) {
    struct reading r = {.text = text, .quiet = 1};
    memset(op, 0, sizeof *op);
    r.length = find_family(&r);
    if (!r.length)
        return 0;
    r.at = text;
    read_words(&r);
    return !r.rule && isa_match(&r.written, op);
}

enum wsim_status wsim_scalar_parse(const char *text, struct wsim_scalar *op,
                                   struct wsim_diag *diag) {
    struct wsim_op other;
    if (scalar_match(text, op))
        return WSIM_OK;
    if (isa_op_match(text, &other))
        return base_refuse(diag, RULE_SPELLING_TABLE_OTHER, 1,
                           "%s is not a scalar instruction: wsim_op_parse reads it", text);
    return scalar_refuse(text, diag);
}

enum wsim_status wsim_instruction_parse(const char *text, struct wsim_instruction *instruction,
                                        struct wsim_diag *diag) {
    instruction->is_op = (uint8_t)isa_op_match(text, &instruction->op);
    instruction->is_scalar = (uint8_t)scalar_match(text, &instruction->scalar);
    if (instruction->is_op || instruction->is_scalar)
        return WSIM_OK;
    return wsim_op_parse(text, &instruction->op, diag);
}

enum wsim_status wsim_instruction_check(const struct wsim_instruction *instruction,
                                        const struct wsim_arch *arch, struct wsim_diag *diag) {
    if (instruction->is_scalar)
        return wsim_scalar_check(&instruction->scalar, arch, diag);
    return wsim_op_check(&instruction->op, arch, diag);
}
