/* Names that can have been meant; see near_name.h. */
#include "near_name.h"
#include "match.h"
#include "near.h"
#include "outside.h"
#include "../isa/scalar.h"

#include <string.h>

/* How far the beginning of the spelling is from `name`, word by word. A spelling that only ends
 * before the name does, even within a word, has one slip. Another continuation is one slip too,
 * unless the spelling is `right` up to there. */
static struct name_guess hold_name(const char *text, const char *name, size_t length, int right) {
    struct name_guess guess = {.name = name, .length = length};
    const char *at = text, *part = name, *end, *part_end;
    for (;; at = end + 1, part = part_end + 1) {
        size_t n = strcspn(at, "."), m = strcspn(part, ".");
        unsigned edits = near_edits(at, n, part, m, NEAR_MAX);
        int begins_so = n > 1 && n < m && memcmp(at, part, n) == 0;
        end = at + n;
        part_end = part + m;
        if (edits == NEAR_NEVER && at > text && !right && !begins_so)
            break;
        guess.end = (size_t)(end - text);
        if (edits == NEAR_NEVER && begins_so && (*end == '\0' || part_end == name + length))
            break;
        guess.edits = edits == NEAR_NEVER ? edits : guess.edits + edits;
        guess.first = at == text ? edits : guess.first;
        if (!guess.wrong && (n != m || memcmp(at, part, n) != 0))
            guess.wrong = at;
        if (guess.edits == NEAR_NEVER || part_end == name + length)
            return guess;
        if (*end == '\0')
            break;
    }
    guess.edits = guess.edits ? NEAR_NEVER : 1;
    guess.is_short = 1;
    guess.wrong = guess.wrong ? guess.wrong : at;
    return guess;
}

/* The difference in length between the name and its guess. */
static size_t difference(const struct name_guess *guess) {
    size_t n = guess->length;
    return guess->is_short ? 0 : n > guess->end ? n - guess->end : guess->end - n;
}

/* Fewer edits are better; names as near as a slip or two, the longer: one begins with the other. */
static int is_better(const struct name_guess *a, const struct name_guess *b) {
    enum { SLIPS = 2 };
    if (a->edits == NEAR_NEVER || b->edits == NEAR_NEVER)
        return a->edits < b->edits;
    if (a->edits <= SLIPS && b->edits <= SLIPS && a->end != b->end)
        return a->end > b->end;
    if (a->edits != b->edits)
        return a->edits < b->edits;
    return a->first < b->first || (a->first == b->first && difference(a) < difference(b));
}

/* Whether `name` begins with the first `known` characters of `text` and goes on with a word. */
static int goes_on(const char *name, size_t length, const char *text, size_t known) {
    return !known || (*name == *text && known < length && strncmp(name, text, known) == 0 &&
                      name[known] == '.');
}

int name_is_beginning(const char *text) {
    const size_t n = strcspn(text, ".");
    int found = 0;
    for (unsigned f = 0; f < WSIM_FAMILIES; f++) {
        const char *name = isa_family_name((enum wsim_family)f);
        if (strncmp(name, text, n) == 0 && name[n] == '\0')
            return 0;
        found |= goes_on(name, strlen(name), text, n);
    }
    return found;
}

struct name_guess name_nearest(const char *text, size_t known, int right) {
    struct name_guess best = {.edits = NEAR_NEVER}, guess;
    const char *last = NULL;
    int begins = 0;
    for (unsigned f = 0; f < WSIM_FAMILIES; f++) {
        const char *name = isa_family_name((enum wsim_family)f);
        if (!goes_on(name, strlen(name), text, known))
            continue;
        guess = hold_name(text, name, strlen(name), right);
        guess.is_family = 1;
        guess.family = (enum wsim_family)f;
        best = is_better(&guess, &best) ? guess : best;
    }
    for (size_t i = 0; i < isa_outside_count; i++) {
        const char *name = isa_outsides[i].name;
        if (goes_on(name, strlen(name), text, known)) {
            guess = hold_name(text, name, strlen(name), right);
            best = is_better(&guess, &best) ? guess : best;
        }
    }
    for (size_t i = 0; i < isa_scalar_row_count; i++) {
        /* The name of a row: its first word, or where families begin with that word, all words that
         * it always has. Neighbours mostly have the first word in common. */
        const char *name = isa_scalar_rows[i].spelling;
        const size_t first = strcspn(name, ".");
        size_t length;
        if (!last || strncmp(name, last, first + 1) != 0)
            begins = name_is_beginning(name);
        last = name;
        length = begins ? scalar_fixed(&isa_scalar_rows[i]) : first;
        if (goes_on(name, length, text, known)) {
            guess = hold_name(text, name, length, right);
            if (!guess.is_short ||
                memchr(name, '.', length)) /* not ad for addc, but cp for cp.async */
                best = is_better(&guess, &best) ? guess : best;
        }
    }
    return best;
}

size_t name_beginning(const char *text) {
    const size_t n = strcspn(text, ".");
    size_t count;
    for (unsigned f = 0; f < WSIM_FAMILIES; f++) {
        const char *name = isa_family_name((enum wsim_family)f);
        if (n && goes_on(name, strlen(name), text, n))
            return n;
    }
    for (size_t i = 0; i < isa_outside_count; i++)
        if (n && goes_on(isa_outsides[i].name, strlen(isa_outsides[i].name), text, n))
            return n;
    scalar_rows_find(text, &count);
    return count && name_is_beginning(text) ? n : 0;
}
