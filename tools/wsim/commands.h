/* commands.h - a command of the program; commands.def lists them. */
#ifndef WSIM_COMMANDS_H
#define WSIM_COMMANDS_H

#include <stddef.h>

struct command {
    const char *name;
    int (*main)(int argc, const char **argv);
    const char *help; /* one line */
};

struct commands {
    const struct command *list;
    size_t count;
};

/* NULL: there is none. */
const struct command *command_find(const struct commands *commands, const char *name);

#endif
