/* Slips in spellings; see slip.h. */
#include "slip.h"

#include "../../sim/base/base.h"
#include "../../sim/isa/scalar.h"
#include "../../sim/spell/outside.h"

#include <ctype.h>
#include <string.h>
#include <wsim/scalar.h>

enum { LEAST_LETTERS = 4, MOST_LETTERS = 40 };

/* A spelling with a word to replace. */
struct slip {
    const char *before, *after; /* what precedes the word, and what follows it */
    size_t before_n;
};

/* Whether it is an instruction without rows. */
static int is_outside(const char *text) {
    const struct isa_outside *row = isa_outside_find(text);
    struct base_text nowhere = {NULL, 0, 0};
    uint32_t col;
    return row && isa_outside_reads(row, text, &nowhere, &col);
}

static int is_legal(const struct slip *slip, const char *word, size_t n) {
    char text[WSIM_SPELLING_MAX];
    struct wsim_op op;
    struct wsim_scalar scalar;
    const size_t after = strlen(slip->after);
    if (!n || slip->before_n + n + after >= sizeof text)
        return 0;
    memcpy(text, slip->before, slip->before_n);
    memcpy(text + slip->before_n, word, n);
    memcpy(text + slip->before_n + n, slip->after, after + 1);
    return isa_op_match(text, &op) || scalar_match(text, &scalar) || is_outside(text);
}

static void exchange(char *word, size_t i) {
    const char c = word[i];
    word[i] = word[i + 1];
    word[i + 1] = c;
}

static int is_exchanged(const struct slip *slip, const char *word, size_t n) {
    char other[MOST_LETTERS];
    memcpy(other, word, n);
    for (size_t i = 0; i + 1 < n; i++) {
        exchange(other, i);
        if (word[i] != word[i + 1] && is_legal(slip, other, n))
            return 1;
        exchange(other, i);
    }
    return 0;
}

/* Whether the word is legal with a letter less at some place. */
static int is_longer(const struct slip *slip, const char *word, size_t n) {
    char other[MOST_LETTERS];
    for (size_t i = 1; i < n; i++) {
        memcpy(other, word, i);
        memcpy(other + i, word + i + 1, n - i - 1);
        if (is_legal(slip, other, n - 1))
            return 1;
    }
    return 0;
}

/* Whether the word is legal with another letter (`more` 0) or a letter more (1) at some place. */
static int lacks_letter(const struct slip *slip, const char *word, size_t n, size_t more) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";
    char other[MOST_LETTERS + 1];
    for (size_t i = 1; i < n + more; i++)
        for (const char *c = letters; *c; c++) {
            memcpy(other, word, i);
            other[i] = *c;
            memcpy(other + i + 1, word + i + 1 - more, n - i - 1 + more);
            if (is_legal(slip, other, n + more))
                return 1;
        }
    return 0;
}

int lint_is_slip(const char *spelling, size_t at) {
    const char *word = spelling + at;
    const size_t n = strcspn(word, ".");
    const struct slip slip = {spelling, word + n, at};
    if (n < LEAST_LETTERS - 1 || n >= MOST_LETTERS)
        return 0;
    for (size_t i = 0; i < n; i++)
        if (isdigit((unsigned char)word[i]))
            return 0;
    return is_exchanged(&slip, word, n) || (n > LEAST_LETTERS && is_longer(&slip, word, n)) ||
           (n >= LEAST_LETTERS && lacks_letter(&slip, word, n, 0)) ||
           lacks_letter(&slip, word, n, n >= LEAST_LETTERS);
}
