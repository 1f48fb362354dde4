/* look.h - wsim-look.so, which the core of the runtime opens inside of a program for wsim run
 * --print and --trace. Its one symbol is WIRE_LOOK_SYMBOL, a struct wire_look. */
#ifndef WSIM_WIRE_LOOK_H
#define WSIM_WIRE_LOOK_H

#include <stdint.h>
#include <stdio.h>
#include <wsim/look.h>

#define WIRE_LOOK_FILE "libwsim-look.so"
#define WIRE_LOOK_SYMBOL "wsim_look_functions"

struct wire_look {
    /* Reads the options, JSON: {"places": [TEXT], "trace": PATH, "block": [X, Y, Z], "warp": N,
     * "lane": N, "most": N}; all but "most" may be absent. The trace of a process is PATH and its
     * number. 0 after a message. */
    int (*open)(const char *options);
    /* The look of launch `number`, from 1 on; `end` after it. NULL: no memory. */
    void *(*begin)(uint64_t number, const struct wsim_look **look);
    void (*end)(void *launch);
    /* Writes members of the record: ', "visits": [...], "printed": [...]'. */
    void (*write)(FILE *out);
    /* Forgets what the parent of this process saw. */
    void (*forget)(void);
};

#endif
