/* Instructions of PTX without a row in wsim, known by name and by the words that may follow. */
#include "outside.h"

#include <string.h>

const struct isa_outside isa_outsides[] = {
#define PTX(name, needed, words) {name, needed, words},
#include "ptx.def"
};
const size_t isa_outside_count = sizeof isa_outsides / sizeof isa_outsides[0];

/* As strcmp of a name and the first `n` characters of `text`. */
static int compare(const char *name, const char *text, size_t n) {
    int order = strncmp(name, text, n);
    return order ? order : name[n] != '\0';
}

static const struct isa_outside *find(const char *text, size_t n) {
    size_t low = 0, high = isa_outside_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = compare(isa_outsides[middle].name, text, n);
        if (order == 0)
            return &isa_outsides[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const struct isa_outside *isa_outside_find(const char *text) {
    const struct isa_outside *longest = NULL;
    enum { MOST_WORDS = 5 };
    size_t n = 0;
    for (int words = 0; words < MOST_WORDS; words++) {
        const struct isa_outside *row;
        n += strcspn(text + n, ".");
        row = find(text, n);
        longest = row ? row : longest;
        if (text[n++] == '\0')
            break;
    }
    return longest;
}

/* Whether `word`, of `n` characters, is in a list of words with a blank after each. */
static int is_in(const char *list, const char *word, size_t n) {
    for (; *list; list += strspn(list, " ")) {
        size_t length = strcspn(list, " ");
        if (length == n && memcmp(list, word, n) == 0)
            return 1;
        list += length;
    }
    return 0;
}

int isa_outside_reads(const struct isa_outside *row, const char *text, struct base_text *why,
                      uint32_t *col) {
    const char *at = text + strlen(row->name);
    int needed = *row->needed == '\0', any = *row->words == '*';
    for (; *at == '.'; at += strcspn(at, ".")) {
        size_t n = strcspn(++at, ".");
        if (is_in(row->needed, at, n)) {
            needed = 1;
        } else if (!(any && n) && !is_in(row->words, at, n)) {
            *col = (uint32_t)(at - text) + 1;
            if (n)
                base_put(why, "%s has no qualifier '.%.*s'", row->name, n < 40 ? (int)n : 40, at);
            else
                base_put(why, "empty qualifier");
            return 0;
        }
    }
    *col = 0;
    if (!needed)
        base_put(why, "%s needs one of the qualifiers %.*s", row->name,
                 (int)strlen(row->needed) - 1, row->needed);
    return needed;
}
