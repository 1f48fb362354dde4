/* variables.h - the variables of the environment that the runtime reads, all WSIM_..., and the
 * value of WSIM_SHARD and --shard. */
#ifndef WSIM_WIRE_VARIABLES_H
#define WSIM_WIRE_VARIABLES_H

#include <stdlib.h>
#include <string.h>

#define WIRE_VARIABLES(ROW)                                                                        \
    ROW(ARCH)                                                                                      \
    ROW(ASSEMBLER_SOCKET)                                                                          \
    ROW(ASYNC)                                                                                     \
    ROW(BASELINE)                                                                                  \
    ROW(CHECK)                                                                                     \
    ROW(DEVICES)                                                                                   \
    ROW(DEVICE_MEMORY)                                                                             \
    ROW(IGNORE)                                                                                    \
    ROW(LAUNCHES)                                                                                  \
    ROW(LINES)                                                                                     \
    ROW(LOOK)                                                                                      \
    ROW(MAX_INSTRUCTIONS)                                                                          \
    ROW(PTX)                                                                                       \
    ROW(REPEATS)                                                                                   \
    ROW(REPORT)                                                                                    \
    ROW(REPORT_FILE)                                                                               \
    ROW(REPORT_FOLDER)                                                                             \
    ROW(SEED)                                                                                      \
    ROW(SHARD)                                                                                     \
    ROW(STATUS)                                                                                    \
    ROW(STREAMS)                                                                                   \
    ROW(THREADS)

#define WIRE_NUMBER(word) WIRE_##word,
enum wire_variable { WIRE_VARIABLES(WIRE_NUMBER) WIRE_NONE };
#undef WIRE_NUMBER

static inline const char *wire_name(enum wire_variable variable) {
#define WIRE_TEXT(word) "WSIM_" #word,
    static const char *const names[] = {WIRE_VARIABLES(WIRE_TEXT) ""};
#undef WIRE_TEXT
    return names[variable];
}

/* Whether a name of n letters is another one with a letter more, less or changed, or two
 * exchanged. */
static inline int wire_is_near(const char *a, size_t n, const char *b) {
    size_t m = strlen(b);
    while (n && m && *a == *b)
        a++, b++, n--, m--;
    while (n && m && a[n - 1] == b[m - 1])
        n--, m--;
    return (n <= 1 && m <= 1) || (n == 2 && m == 2 && a[0] == b[1] && a[1] == b[0]);
}

/* The variable that an entry of the environment, NAME=VALUE, may have meant. WIRE_NONE: it is one,
 * or is near none. */
static inline enum wire_variable wire_meant(const char *entry) {
    static const char shards[] = "WSIM_SHARDS"; /* of ci/cluster.sh */
    const size_t n = strcspn(entry, "=");
    enum wire_variable near = WIRE_NONE;
    if (strncmp(entry, "WSIM_", 5) != 0 || (n == sizeof shards - 1 && !memcmp(entry, shards, n)))
        return WIRE_NONE;
    for (int i = 0; i < WIRE_NONE; i++) {
        const char *name = wire_name((enum wire_variable)i);
        if (strlen(name) == n && memcmp(entry, name, n) == 0)
            return WIRE_NONE;
        if (wire_is_near(entry, n, name))
            near = (enum wire_variable)i;
    }
    return near;
}

enum { WIRE_PARTS = 65536 }; /* of I/N, at most */

/* Reads "I/N": part I of N, counted from 0. 0: it is none. */
static inline int wire_shard(const char *text, unsigned *shard, unsigned *shards) {
    enum { DIGITS = 5 };
    const size_t first = strspn(text, "0123456789");
    const size_t last = text[first] == '/' ? strspn(text + first + 1, "0123456789") : 0;
    if (!first || first > DIGITS || !last || last > DIGITS || text[first + 1 + last])
        return 0;
    *shard = (unsigned)strtoul(text, NULL, 10);
    *shards = (unsigned)strtoul(text + first + 1, NULL, 10);
    return *shard < *shards && *shards <= WIRE_PARTS;
}

#endif
