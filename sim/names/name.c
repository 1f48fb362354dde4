/* Names that are no spellings: words of one, atoms of CuTe, instructions of the machine. Each
 * becomes the words and types that an operation must have. */
#include "name.h"

#include <string.h>

/* --- words of a spelling --- */

/* "nvfp4" is a name of NVIDIA's format, not a word of PTX. */
static int put_nvfp4(struct name_wanted *w) {
    static const char *const types[] = {"f32", "e2m1", "e2m1", "f32", "ue4m3"};
    int fits = name_put_words(w, "kind::mxf4nvf4.scale_vec::4X", NULL, 0);
    for (size_t i = 0; i < sizeof types / sizeof *types && fits; i++)
        fits = name_put_type(w, name_types(types[i], strlen(types[i])));
    return fits;
}

/* A type or a word, at a column of the name. */
static int read_word(const char *text, size_t n, uint32_t col, struct name_wanted *w) {
    const uint64_t types = name_types(text, n);
    if (types)
        return name_put_type(w, types);
    if (name_same(text, n, "nvfp4"))
        return put_nvfp4(w);
    if (n == 0 || n >= NAME_WORD || w->words == NAME_WORDS)
        return 0;
    memcpy(w->word[w->words].text, text, n);
    w->word[w->words].text[n] = '\0';
    w->word[w->words++].col = col;
    return 1;
}

static int read_words(const char *text, struct name_wanted *w) {
    const char *at = text;
    for (;;) {
        size_t n = strcspn(at, ".");
        if (!read_word(at, n, (uint32_t)(at - text) + 1, w))
            return 0;
        if (!at[n])
            return 1;
        at += n + 1;
    }
}

/* --- parts of names --- */

struct part {
    const char *name, *words;
};

static const char *words_of(const struct part *parts, size_t count, const char *text, size_t n) {
    for (size_t i = 0; i < count; i++)
        if (name_same(text, n, parts[i].name))
            return parts[i].words;
    return NULL;
}

/* --- instructions of the machine that multiply --- */

/* "16816" is m16n8k16: m is 8 or 16 and n is 8, so there is one way to part the digits. */
static int read_digits(const char *text, size_t n, struct name_wanted *w) {
    char word[NAME_WORD] = "m";
    size_t m = text[0] == '1' ? 2 : 1, used = 1;
    if (n < m + 2 || n > m + 5 || text[m] != '8')
        return 0;
    memcpy(word + used, text, m);
    used += m;
    memcpy(word + used, "n8k", 3);
    used += 3;
    memcpy(word + used, text + m + 1, n - m - 1);
    word[used + n - m - 1] = '\0';
    return name_put_words(w, word, NULL, 0);
}

/* Types as they are written: the result unless it goes without saying, then A and B. */
static int put_product(struct name_wanted *w, const uint64_t *type, unsigned count, unsigned result,
                       unsigned factor) {
    uint64_t d = result ? UINT64_C(1) << result : 0, a, b;
    if (!d && count) {
        d = *type++;
        count--;
    }
    a = count ? type[0] : factor ? UINT64_C(1) << factor : 0;
    b = count > 1 ? type[1] : a;
    return d && a && count <= 2 && name_put_type(w, d) && name_put_type(w, a) &&
           name_put_type(w, b);
}

static int read_opcode(const char *text, struct name_wanted *w) {
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
    uint64_t type[NAME_TYPES];
    unsigned types = 0;
    uint32_t k;
    size_t row = 0;
    while (row < count && !name_same(text, first, rows[row].name))
        row++;
    if (row == count || !name_put_words(w, rows[row].words, NULL, 0))
        return 0;
    for (const char *at = text + first; *at;) {
        const char *part = ++at, *words;
        size_t n = strcspn(at, ".");
        uint64_t one = name_types(part, n);
        words = words_of(options, sizeof options / sizeof options[0], part, n);
        at += n;
        if (words ? !name_put_words(w, words, NULL, 0)
            : one ? types == NAME_TYPES
                  : n == 0 || !name_is_digit(*part) ||
                        !(memchr(part, 'x', n) ? name_put_extents(w, part, n, &k)
                                               : read_digits(part, n, w)))
            return 0;
        if (!words && one)
            type[types++] = one;
    }
    return put_product(w, type, types, rows[row].result, rows[row].factor);
}

/* --- the door --- */

static int is_atom(const char *text) {
    return strncmp(text, "SM", 2) == 0 && name_is_digit(text[2]);
}

/* Names of the machine are capitals. */
static enum wsim_status read_name(const char *text, struct name_wanted *w, struct wsim_diag *diag) {
    size_t n = strlen(text);
    enum wsim_status status;
    if (strncmp(text, "cute::", 6) == 0 || (n < NAME_MOST && is_atom(text)))
        return name_read_atom(text + (is_atom(text) ? 0 : 6), w, diag);
    if (n < NAME_MOST && *text >= 'A' && *text <= 'Z') {
        if (name_read_row(text, n, w))
            return WSIM_OK;
        status = name_read_other(text, text, strcspn(text, "."), diag);
        if (status || read_opcode(text, w))
            return status;
    }
    *w = (struct name_wanted){.atom = w->atom};
    if (n < NAME_MOST && read_words(text, w))
        return WSIM_OK;
    return name_refuse_unknown(text, diag);
}

static enum wsim_status refuse(const char *name, const struct name_wanted *w,
                               struct wsim_diag *diag) {
    for (unsigned i = 0; i < w->words; i++)
        if (!w->word[i].seen && w->word[i].col)
            return base_refuse(diag, RULE_NAME_WORD_UNKNOWN, w->word[i].col,
                               "no instruction has the word '%.32s'", w->word[i].text);
    return base_refuse(diag, RULE_NAME_MATCH_NONE, 0, "no instruction has all words of '%.64s'",
                       name);
}

enum wsim_status wsim_atom_find(const char *name, struct wsim_atom *atom, struct wsim_op *out,
                                size_t max, size_t *count, struct wsim_diag *diag) {
    struct name_wanted w = {.atom.times = 1};
    struct wsim_op op;
    enum wsim_status status;
    *count = 0;
    if (wsim_op_parse(name, &op, NULL) == WSIM_OK) {
        if (max)
            out[0] = op;
        *atom = w.atom;
        *count = 1;
        return WSIM_OK;
    }
    status = read_name(name, &w, diag);
    if (status)
        return status;
    *count = name_match(&w, out, max);
    if (!*count)
        return refuse(name, &w, diag);
    *atom = w.atom;
    return WSIM_OK;
}

enum wsim_status wsim_op_find(const char *name, struct wsim_op *out, size_t max, size_t *count,
                              struct wsim_diag *diag) {
    struct wsim_atom atom;
    return wsim_atom_find(name, &atom, out, max, count, diag);
}
