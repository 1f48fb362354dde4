/* Words, types and rows of name.def, which names of every kind share. */
#include "name.h"

#include <string.h>

/* --- characters --- */

static int small(int c) {
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* Whether the first `n` characters of `text` are `name`, capitals or not. */
int name_same(const char *text, size_t n, const char *name) {
    if (strlen(name) != n)
        return 0;
    for (size_t i = 0; i < n; i++)
        if (small(text[i]) != small(name[i]))
            return 0;
    return 1;
}

int name_begins(const char *text, size_t n, const char *name) {
    size_t m = strlen(name);
    return m <= n && name_same(text, m, name);
}

/* --- the wanted words --- */

int name_put_words(struct name_wanted *w, const char *text, const char *star, size_t star_length) {
    while (*text) {
        size_t n = 0;
        if (w->words == NAME_WORDS)
            return 0;
        for (; *text && (*text != '.' || !n); text++) {
            size_t piece = *text == '*' ? star_length : 1;
            if (*text == '[' && !star_length) /* skip the optional part */
                text += strcspn(text, "]");
            if (strchr("[].", *text))
                continue;
            if (n + piece >= NAME_WORD)
                return 0;
            memcpy(w->word[w->words].text + n, *text == '*' ? star : text, piece);
            n += piece;
        }
        w->word[w->words].text[n] = '\0';
        w->word[w->words].col = 0;
        w->words += n != 0;
    }
    return 1;
}

uint64_t name_types(const char *text, size_t n) {
    static const struct {
        const char *name;
        uint8_t format;
    } called[] = {
#define CALLED(name, id) {name, FORMAT_##id},
#include "../isa/format.def"
    };
    uint64_t types = 0;
    for (unsigned f = 1; f < FORMAT_COUNT; f++)
        if (name_same(text, n, isa_formats[f].name))
            types |= UINT64_C(1) << f;
    for (size_t i = 0; i < sizeof called / sizeof called[0] && !types; i++)
        if (name_same(text, n, called[i].name))
            for (size_t k = i; k < sizeof called / sizeof called[0]; k++)
                types |= name_same(text, n, called[k].name) ? UINT64_C(1) << called[k].format : 0;
    return types;
}

int name_put_type(struct name_wanted *w, uint64_t types) {
    if (w->types == NAME_TYPES)
        return 0;
    w->type[w->types++] = types;
    return 1;
}

/* --- extents --- */

int name_put_extents(struct name_wanted *w, const char *text, size_t n, uint32_t *k) {
    static const char letters[] = "mnk";
    char word[NAME_WORD] = "";
    size_t used = 0, i = 0;
    for (unsigned axis = 0; axis < 3; axis++) {
        size_t first = i;
        if (axis && (i == n || small(text[i++]) != 'x'))
            return 0;
        first = i;
        word[used++] = letters[axis];
        for (*k = 0; i < n && name_is_digit(text[i]) && used + 2 < NAME_WORD; i++) {
            word[used++] = text[i];
            *k = *k * 10 + (uint32_t)(text[i] - '0');
        }
        if (i == first)
            return 0;
    }
    word[used] = '\0';
    return i == n && name_put_words(w, word, NULL, 0);
}

/* --- rows of whole names --- */

int name_is_row(const char *text, size_t n, const char *name, const char **star, size_t *length) {
    const char *end = text + n;
    *length = 0;
    for (; *name; name++)
        if (*name == '*') {
            for (*star = text; text < end && name_is_digit(*text); text++)
                ++*length;
            if (*length == 0)
                return 0;
        } else if (*name == '[' && text == end) {
            name += strcspn(name, "]");
        } else if (!strchr("[]", *name) && (text == end || small(*text++) != small(*name))) {
            return 0;
        }
    return text == end;
}

/* Types among the words count as such. */
static void part_types(struct name_wanted *w) {
    for (unsigned at = 0; at < w->words;) {
        uint64_t types = name_types(w->word[at].text, strlen(w->word[at].text));
        if (types && name_put_type(w, types)) {
            w->words--;
            memmove(&w->word[at], &w->word[at + 1], (w->words - at) * sizeof w->word[0]);
        } else {
            at++;
        }
    }
}

int name_read_row(const char *text, size_t n, struct name_wanted *w) {
    static const struct {
        const char *name, *words;
    } rows[] = {
#define NAMED(name, words) {name, words},
#include "name.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *star = NULL;
        size_t length;
        if (!name_is_row(text, n, rows[i].name, &star, &length))
            continue;
        if (!name_put_words(w, rows[i].words, star, length))
            return 0;
        part_types(w);
        return 1;
    }
    return 0;
}

/* A row that ends with '-' matches every name with this beginning. */
static int is_other(const char *text, size_t n, const char *row) {
    size_t length = strlen(row);
    if (length && row[length - 1] == '-')
        return n >= length - 1 && strncmp(text, row, length - 1) == 0;
    return n == length && strncmp(text, row, n) == 0;
}

enum wsim_status name_read_other(const char *name, const char *last, size_t n,
                                 struct wsim_diag *diag) {
    enum other { SEVERAL, LANES, ELSEWHERE };
    static const struct {
        const char *name, *what;
        enum other kind;
    } rows[] = {
#define OTHER(name, kind, what) {name, what, kind},
#include "name.def"
    };
    int shown = (int)(last - name) + (int)n;
    shown = shown < 64 ? shown : 64;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!is_other(last, n, rows[i].name))
            continue;
        if (rows[i].kind == SEVERAL)
            return base_refuse(diag, RULE_NAME_ATOM_SEVERAL, 0,
                               "'%.*s' is %s: name one instruction", shown, name, rows[i].what);
        if (rows[i].kind == LANES)
            return base_refuse(diag, RULE_NAME_ATOM_LANES, 0,
                               "'%.*s' is %s, a scalar instruction without a matrix", shown, name,
                               rows[i].what);
        return base_refuse(diag, RULE_NAME_ATOM_BEYOND, 0,
                           "'%.*s' is %s: it has operands in tensor memory", shown, name,
                           rows[i].what);
    }
    return WSIM_OK;
}

enum wsim_status name_refuse_unknown(const char *name, struct wsim_diag *diag) {
    return base_refuse(
        diag, RULE_NAME_WORD_UNKNOWN, 0,
        "'%.64s' is not a PTX spelling, a CuTe atom or a machine instruction that wsim knows",
        name);
}
