/* checks.h - the words of --check and of WSIM_CHECK, with their bits: those of wsim/kernel.h, and
 * two for calls. */
#ifndef WSIM_WIRE_CHECKS_H
#define WSIM_WIRE_CHECKS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <wsim/kernel.h>

/* Checks of calls, beside those of kernels. */
#define CHECK_API 0x10000u
#define CHECK_LEAK 0x20000u /* memory that is not freed is a mistake, not a note */

/* The checks, with AND between two. */
#define CHECKS_OF_KERNELS(CHECK, AND)                                                              \
    CHECK(memory, WSIM_CHECK_MEMORY)                                                               \
    AND CHECK(init, WSIM_CHECK_INIT)                                                               \
    AND CHECK(race, WSIM_CHECK_RACE)                                                               \
    AND CHECK(sync, WSIM_CHECK_SYNC)
#define CHECKS_OF_CALLS(CHECK, AND) CHECK(api, CHECK_API) AND CHECK(leak, CHECK_API | CHECK_LEAK)

/* Their words, for sentences. */
#define CHECK_WORD(word, bits) #word
#define CHECK_WORDS CHECKS_OF_KERNELS(CHECK_WORD, ", ")
#define CHECK_WORDS_ALL CHECK_WORDS ", " CHECKS_OF_CALLS(CHECK_WORD, ", ")

/* Reads all, none, or a list of the words of `known` checks. "all" has no leaks, and a list always
 * has memory. NULL, or the first word that is wrong. */
static inline const char *checks_read(const char *text, uint32_t known, uint32_t *checks) {
#define CHECK_ROW(word, bits) {#word, bits},
    static const struct {
        const char *word;
        uint32_t bits;
    } rows[] = {CHECKS_OF_KERNELS(CHECK_ROW, ) CHECKS_OF_CALLS(CHECK_ROW, ){"all", UINT32_MAX},
                {"none", 0}};
#undef CHECK_ROW
    enum { ROWS = sizeof rows / sizeof rows[0] };
    *checks = strcmp(text, "none") != 0 ? WSIM_CHECK_MEMORY : 0;
    for (;; text++) {
        const size_t length = strcspn(text, ",");
        uint32_t bits = 0;
        size_t i = 0;
        while (i < ROWS &&
               (strlen(rows[i].word) != length || memcmp(rows[i].word, text, length) != 0))
            i++;
        if (i < ROWS)
            bits = rows[i].bits == UINT32_MAX ? known & ~CHECK_LEAK : rows[i].bits;
        if (i == ROWS || bits & ~known)
            return text;
        *checks |= bits;
        text += length;
        if (!*text)
            return NULL;
    }
}

#endif
