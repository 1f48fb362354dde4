/* Architectures by the name printed on a card. */
#include "isa.h"

#include <string.h>

enum { NAME = 32, WORDS = 4 };

static int is_gap(char c) {
    return c && strchr(" \t_-", c) != NULL;
}

static char small(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Words of a product's name before the one that matters. */
static int is_maker(const char *word) {
    static const char *const makers[] = {
#define MAKER(word) word,
#include "arch.def"
    };
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++)
        if (strcmp(word, makers[i]) == 0)
            return 1;
    return 0;
}

/* The first `words` words of a name, in one and in small letters; the makers do not count. */
static void join(const char *text, unsigned words, char out[NAME]) {
    size_t n = 0;
    out[0] = '\0';
    for (unsigned taken = 0; *text && taken < words;) {
        size_t start = n;
        text += strspn(text, " \t_-");
        for (; *text && !is_gap(*text) && n + 1 < NAME; text++)
            out[n++] = small(*text);
        if (*text && !is_gap(*text)) { /* longer than any name */
            out[start] = '\0';
            return;
        }
        out[n] = '\0';
        if (is_maker(out + start))
            out[n = start] = '\0';
        else
            taken++;
    }
}

/* Whether it began with the prefix. */
static int drop(char name[NAME], const char *prefix) {
    size_t n = strlen(prefix), length = strlen(name);
    if (length < n || memcmp(name, prefix, n) != 0)
        return 0;
    memmove(name, name + n, length - n + 1);
    return 1;
}

const struct wsim_arch *wsim_arch_called(const char *text) {
    const struct wsim_arch *arch = isa_arch_named(text);
    char name[NAME];
    for (unsigned words = WORDS; words > 0 && !arch; words--) {
        join(text, words, name);
        if (!drop(name, "sm")) /* "90a" is a name as well */
            drop(name, "compute");
        arch = *name ? isa_arch_named(name) : NULL;
    }
    return arch;
}
