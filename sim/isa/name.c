/* Names that are no spellings: words of one, atoms of CuTe, instructions of the machine. Each
 * becomes the words and types that an operation must have, and all operations are held against
 * these. */
#include "isa.h"

#include <string.h>

/* A name is short; what is longer than any is none. */
enum { MOST_WORDS = 16, MOST_TYPES = 5, WORD = 32, NAME_MOST = 256 };

struct wanted {
    struct {
        char text[WORD];
        uint32_t col; /* in the name, from 1; 0: it is not written there */
        int seen;     /* some operation has it                           */
    } word[MOST_WORDS];
    unsigned words;
    uint64_t type[MOST_TYPES]; /* bit per isa_format: any of them */
    unsigned types;
    int several; /* it is more than one instruction */
};

/* --- characters --- */

static int is_digit(int c) {
    return c >= '0' && c <= '9';
}

static int small(int c) {
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* Whether the first `n` characters of `text` are `name`, capitals or not. */
static int is_same(const char *text, size_t n, const char *name) {
    if (strlen(name) != n)
        return 0;
    for (size_t i = 0; i < n; i++)
        if (small(text[i]) != small(name[i]))
            return 0;
    return 1;
}

static int begins_with(const char *text, size_t n, const char *name) {
    size_t m = strlen(name);
    return m <= n && is_same(text, m, name);
}

/* --- what is wanted --- */

/* Puts the words of `text`, parted by dots, with what * stands for. 0: no room for them. */
static int put_words(struct wanted *w, const char *text, const char *star, size_t star_length,
                     uint32_t col) {
    while (*text) {
        size_t n = 0;
        if (w->words == MOST_WORDS)
            return 0;
        for (; *text && *text != '.'; text++) {
            size_t piece = *text == '*' ? star_length : 1;
            if (n + piece >= WORD)
                return 0;
            memcpy(w->word[w->words].text + n, *text == '*' ? star : text, piece);
            n += piece;
        }
        w->word[w->words].text[n] = '\0';
        w->word[w->words++].col = col;
        text += *text == '.';
    }
    return 1;
}

/* The formats of a word, also of what others call them; 0: it is no type. */
static uint64_t types_of(const char *text, size_t n) {
    static const struct {
        const char *name;
        uint8_t format;
    } called[] = {
#define CALLED(name, id) {name, FORMAT_##id},
#include "format.def"
    };
    uint64_t types = 0;
    for (unsigned f = 1; f < FORMAT_COUNT; f++)
        if (is_same(text, n, isa_formats[f].name))
            types |= UINT64_C(1) << f;
    for (size_t i = 0; i < sizeof called / sizeof called[0] && !types; i++)
        if (is_same(text, n, called[i].name))
            for (size_t k = i; k < sizeof called / sizeof called[0]; k++)
                types |= is_same(text, n, called[k].name) ? UINT64_C(1) << called[k].format : 0;
    return types;
}

static int put_type(struct wanted *w, uint64_t types) {
    if (w->types == MOST_TYPES)
        return 0;
    w->type[w->types++] = types;
    return 1;
}

/* --- words of a spelling --- */

static int read_words(const char *text, struct wanted *w) {
    const char *at = text;
    for (;;) {
        size_t n = strcspn(at, ".");
        uint64_t types = types_of(at, n);
        if (types ? !put_type(w, types) : n == 0 || n >= WORD || w->words == MOST_WORDS)
            return 0;
        if (!types) {
            memcpy(w->word[w->words].text, at, n);
            w->word[w->words].text[n] = '\0';
            w->word[w->words++].col = (uint32_t)(at - text) + 1;
        }
        if (!at[n])
            return 1;
        at += n + 1;
    }
}

/* --- rows of whole names --- */

/* Whether `text` is `name`; * of it stands for digits. */
static int is_named(const char *text, size_t n, const char *name, const char **star,
                    size_t *length) {
    const char *end = text + n;
    *length = 0;
    for (; *name; name++)
        if (*name == '*') {
            for (*star = text; text < end && is_digit(*text); text++)
                ++*length;
            if (*length == 0)
                return 0;
        } else if (text == end || small(*text++) != small(*name)) {
            return 0;
        }
    return text == end;
}

/* Arguments of a template do not tell copies apart. */
static int read_named(const char *text, size_t n, struct wanted *w) {
    static const struct {
        const char *name, *words;
    } rows[] = {
#define NAMED(name, words) {name, words},
#include "name.def"
    };
    const char *star = NULL;
    size_t length, at = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (is_named(text, n, rows[i].name, &star, &length)) {
            const char *words = rows[i].words;
            if (!put_words(w, words, star, length, 0))
                return 0;
            while (at < w->words) { /* types among them count as such */
                uint64_t types = types_of(w->word[at].text, strlen(w->word[at].text));
                if (types && put_type(w, types)) {
                    w->words--;
                    memmove(&w->word[at], &w->word[at + 1], (w->words - at) * sizeof w->word[0]);
                } else {
                    at++;
                }
            }
            return 1;
        }
    return 0;
}

/* --- parts of names --- */

struct part {
    const char *name, *words;
};

static const char *words_of(const struct part *parts, size_t count, const char *text, size_t n) {
    for (size_t i = 0; i < count; i++)
        if (is_same(text, n, parts[i].name))
            return parts[i].words;
    return NULL;
}

/* "16x8x16" as the word m16n8k16. */
static int read_extents(const char *text, size_t n, struct wanted *w) {
    static const char letters[] = "mnk";
    char word[WORD] = "";
    size_t used = 0, i = 0;
    for (unsigned axis = 0; axis < 3; axis++) {
        size_t first = i;
        if (axis && (i == n || small(text[i++]) != 'x'))
            return 0;
        first = i;
        word[used++] = letters[axis];
        for (; i < n && is_digit(text[i]) && used + 2 < WORD; i++)
            word[used++] = text[i];
        if (i == first)
            return 0;
    }
    word[used] = '\0';
    return i == n && put_words(w, word, NULL, 0, 0);
}

/* --- atoms of CuTe that multiply --- */

/* The length of the longest type that `text` begins with. */
static size_t longest_type(const char *text, size_t n, uint64_t *types) {
    size_t longest = 0;
    for (unsigned f = 1; f < FORMAT_COUNT; f++)
        if (begins_with(text, n, isa_formats[f].name) && strlen(isa_formats[f].name) > longest) {
            longest = strlen(isa_formats[f].name);
            *types = UINT64_C(1) << f;
        }
    if (longest < 3 && begins_with(text, n, "U1")) { /* what PTX calls b1 */
        longest = strlen("U1");
        *types = UINT64_C(1) << FORMAT_B1;
    }
    return longest;
}

/* "F32F16F16F32": one type behind another. */
static int read_run(const char *text, size_t n, struct wanted *w) {
    unsigned before = w->types;
    if (begins_with(text, n, "C64")) /* complex numbers */
        return w->several = 1;
    while (n) {
        uint64_t types = 0;
        size_t length = longest_type(text, n, &types);
        if (length == 0 || !put_type(w, types)) {
            w->types = before;
            return 0;
        }
        text += length;
        n -= length;
    }
    return 1;
}

/* "TN": A lies as it is or transposed, then B; of BLAS, where N is by columns. */
static int is_layouts(const char *text, size_t n) {
    return n == 2 && (text[0] == 'T' || text[0] == 'N') && (text[1] == 'T' || text[1] == 'N');
}

/* The types of C++ of A, B and C, where the name has none. Others are no types. */
static void read_arguments(const char *text, struct wanted *w) {
    static const struct {
        const char *name;
        uint8_t format;
    } rows[] = {
#define ARGUMENT(name, format) {name, FORMAT_##format},
#include "name.def"
    };
    uint64_t found[3] = {0};
    unsigned count = 0;
    while (*text && count < 3) {
        size_t n = 0;
        while (text[n] && (is_digit(text[n]) || text[n] == '_' ||
                           (small(text[n]) >= 'a' && small(text[n]) <= 'z')))
            n++;
        for (size_t i = 0; n && count < 3 && i < sizeof rows / sizeof rows[0]; i++)
            if (is_same(text, n, rows[i].name)) {
                found[count++] = UINT64_C(1) << rows[i].format;
                break;
            }
        text += n ? n : 1;
    }
    if (count < 3 || w->types)
        return;
    put_type(w, found[2]);
    put_type(w, found[0]);
    put_type(w, found[1]);
    put_type(w, found[2]);
}

static int read_atom(const char *text, struct wanted *w) {
    static const struct part parts[] = {
#define PART(name, words) {name, words},
#include "name.def"
    };
    const size_t end = strcspn(text, "<");
    const char *layouts = NULL;
    int known = 1, group = 0;
    for (size_t i = 0, n; known && i < end; i += n + 1) {
        const char *part = text + i, *words;
        n = strcspn(part, "_:<");
        words = words_of(parts, sizeof parts / sizeof parts[0], part, n);
        if (words && strcmp(words, "wgmma") == 0)
            group = 1; /* said several times */
        else if (words)
            known = put_words(w, words, NULL, 0, 0);
        else if (is_layouts(part, n))
            layouts = part;
        else if (n && !is_same(part, n, "cute") && !(begins_with(part, n, "SM") && n > 2))
            known = is_digit(*part) ? read_extents(part, n, w) : read_run(part, n, w);
    }
    if (known && group)
        known = put_words(w, "wgmma.mma_async", NULL, 0, 0);
    else if (known && layouts)
        known = put_words(w, layouts[0] == 'T' ? "row" : "col", NULL, 0, 0) &&
                put_words(w, layouts[1] == 'T' ? "row" : "col", NULL, 0, 0) &&
                put_words(w, "mma", NULL, 0, 0);
    else if (known)
        known = put_words(w, "mma", NULL, 0, 0);
    if (text[end] == '<')
        read_arguments(text + end, w);
    return known && (w->types || w->several);
}

/* --- instructions of the machine that multiply --- */

/* "16816" is m16n8k16: m is 8 or 16 and n is 8, so there is one way to part the digits. */
static int read_digits(const char *text, size_t n, struct wanted *w) {
    char word[WORD] = "m";
    size_t m = text[0] == '1' ? 2 : 1, used = 1;
    if (n < m + 2 || n > m + 5 || text[m] != '8')
        return 0;
    memcpy(word + used, text, m);
    used += m;
    memcpy(word + used, "n8k", 3);
    used += 3;
    memcpy(word + used, text + m + 1, n - m - 1);
    word[used + n - m - 1] = '\0';
    return put_words(w, word, NULL, 0, 0);
}

/* Types as they are written: the result unless it goes without saying, then A and B. */
static int put_product(struct wanted *w, const uint64_t *type, unsigned count, unsigned result,
                       unsigned factor) {
    uint64_t d = result ? UINT64_C(1) << result : 0, a, b;
    if (!d && count) {
        d = *type++;
        count--;
    }
    a = count ? type[0] : factor ? UINT64_C(1) << factor : 0;
    b = count > 1 ? type[1] : a;
    return d && a && count <= 2 && put_type(w, d) && put_type(w, a) && put_type(w, b);
}

static int read_opcode(const char *text, struct wanted *w) {
    static const struct {
        const char *name, *words;
        uint8_t result, factor;
    } rows[] = {
#define OPCODE(name, words, result, factor) {name, words, FORMAT_##result, FORMAT_##factor},
#include "name.def"
    };
    static const struct part options[] = {
#define OPTION(name, words) {name, words},
#include "name.def"
    };
    const size_t first = strcspn(text, "."), count = sizeof rows / sizeof rows[0];
    uint64_t type[MOST_TYPES];
    unsigned types = 0;
    size_t row = 0;
    while (row < count && !is_same(text, first, rows[row].name))
        row++;
    if (row == count || !put_words(w, rows[row].words, NULL, 0, 0))
        return 0;
    for (const char *at = text + first; *at;) {
        const char *part = ++at, *words;
        size_t n = strcspn(at, ".");
        uint64_t one = types_of(part, n);
        words = words_of(options, sizeof options / sizeof options[0], part, n);
        at += n;
        if (words ? !put_words(w, words, NULL, 0, 0)
            : one
                ? types == MOST_TYPES
                : n == 0 || !is_digit(*part) ||
                      !(memchr(part, 'x', n) ? read_extents(part, n, w) : read_digits(part, n, w)))
            return 0;
        if (!words && one)
            type[types++] = one;
    }
    return put_product(w, type, types, rows[row].result, rows[row].factor);
}

/* --- operations --- */

/* The words of a spelling. */
struct spelled {
    char text[WSIM_SPELLING_MAX];
    struct {
        const char *text;
        size_t n;
        int used;
    } word[MOST_WORDS + MOST_TYPES];
    unsigned words;
};

static void split(const struct wsim_op *op, struct spelled *s) {
    const char *at = s->text;
    wsim_op_spell(op, s->text);
    for (s->words = 0; *at && s->words < MOST_WORDS + MOST_TYPES; at += *at == '.') {
        size_t n = strcspn(at, ".");
        s->word[s->words].text = at;
        s->word[s->words].n = n;
        s->word[s->words++].used = 0;
        at += n;
    }
}

/* ".sp" is meant by ".sp::ordered_metadata" too, where there is nothing else. */
static int is_word(const char *wanted, const char *text, size_t n) {
    return is_same(text, n, wanted) || (strcmp(wanted, "sp") == 0 && begins_with(text, n, "sp::"));
}

static int is_layout(const char *word) {
    return strcmp(word, "row") == 0 || strcmp(word, "col") == 0;
}

/* Words come in any order, but layouts: those are of A, then of B. */
static int has_words(struct spelled *s, struct wanted *w) {
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

/* Types as people leave them out: A and B have one in common, C is as D; one type is that of A and
 * B, or, at a cost, of D. A word that an operation begins with names its family: mma is not
 * wmma.mma. NEVER: these are not. */
enum { NEVER = 1000, RESULT_ONLY = 100, NO_FAMILY = 200 };

static unsigned product_types(const struct wsim_op *op, const struct wanted *w) {
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

static unsigned other_types(const struct wsim_op *op, const struct wanted *w) {
    unsigned n = 0;
    for (int p = PLACE_D; p <= PLACE_STYPE; p++)
        if (op->q[p] && n < w->types && w->type[n] >> op->q[p] & 1)
            n++;
    return n == w->types ? 0 : NEVER;
}

/* What the operation has beyond what is wanted; NEVER or more: it lacks something. */
static unsigned beyond(const struct wsim_op *op, struct wanted *w, struct spelled *s) {
    unsigned cost = 0;
    split(op, s);
    if (!has_words(s, w))
        return NEVER;
    if (w->types)
        cost = isa_op_type(op, PLACE_A) && isa_op_type(op, PLACE_B) ? product_types(op, w)
                                                                    : other_types(op, w);
    cost += s->word[0].used ? 0 : NO_FAMILY;
    for (unsigned k = 0; k < s->words; k++)
        cost += !s->word[k].used && !(w->types && types_of(s->word[k].text, s->word[k].n));
    for (unsigned k = 0; k < s->words; k++) /* plain .sp comes before .sp::ordered_metadata */
        cost += s->word[k].used && begins_with(s->word[k].text, s->word[k].n, "sp::");
    return cost;
}

static size_t find(struct wanted *w, struct wsim_op *out, size_t max) {
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

/* --- the door --- */

static int is_atom(const char *text) {
    return strncmp(text, "cute::", 6) == 0 || (strncmp(text, "SM", 2) == 0 && is_digit(text[2]));
}

static int read_name(const char *text, struct wanted *w) {
    size_t n = strcspn(text, "<");
    if (strncmp(text, "cute::", 6) == 0)
        return read_name(text + 6, w);
    if (strlen(text) >= NAME_MOST)
        return 0;
    if (read_named(text, n, w))
        return 1;
    if (is_atom(text))
        return read_atom(text, w);
    if (*text >= 'A' && *text <= 'Z' && read_opcode(text, w))
        return 1;
    *w = (struct wanted){.words = 0};
    return read_words(text, w);
}

static enum wsim_status refuse(const char *name, const struct wanted *w, struct wsim_diag *diag) {
    for (unsigned i = 0; i < w->words; i++)
        if (!w->word[i].seen && w->word[i].col)
            return base_refuse(diag, RULE_NAME_WORD_UNKNOWN, w->word[i].col,
                               "no operation has the word '%.32s'", w->word[i].text);
    return base_refuse(diag, RULE_NAME_MATCH_NONE, 0, "no operation has all that '%.64s' names",
                       name);
}

enum wsim_status wsim_op_find(const char *name, struct wsim_op *out, size_t max, size_t *count,
                              struct wsim_diag *diag) {
    struct wanted w = {.words = 0};
    struct wsim_op op;
    *count = 0;
    if (wsim_op_parse(name, &op, NULL) == WSIM_OK) {
        if (max)
            out[0] = op;
        *count = 1;
        return WSIM_OK;
    }
    if (!read_name(name, &w))
        return base_refuse(diag, RULE_NAME_WORD_UNKNOWN, 0,
                           "'%.64s' is no spelling, no atom of CuTe and no instruction of the "
                           "machine that wsim knows",
                           name);
    if (w.several)
        return base_refuse(diag, RULE_NAME_ATOM_SEVERAL, 0,
                           "'%.64s' multiplies complex numbers by several instructions: ask for "
                           "those",
                           name);
    *count = find(&w, out, max);
    return *count ? WSIM_OK : refuse(name, &w, diag);
}
