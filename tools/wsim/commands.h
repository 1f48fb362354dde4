/* commands.h - a command of the program; commands.def lists them. */
#ifndef WSIM_COMMANDS_H
#define WSIM_COMMANDS_H

#include "common/tool.h"

#define GROUP(title)
#define COMMAND(name, summary) extern const struct tool_command name##_command;
#include "commands.def"

struct command {
    const char *name, *summary;
    const struct tool_command *is;
    const char *of, *word; /* a part: the name of its command, and the word; NULL: none       */
};

struct commands {
    const struct command *list;
    size_t count;
};

/* NULL: unknown. */
const struct command *command_find(const struct commands *commands, const char *name);

/* The part of a command that a line names: "layout --fits ...", or "check FILE". NULL: none. *from
 * is the index of the first word behind the name. */
const struct command *command_part(const struct commands *commands, int count, const char **words,
                                   int *from);

/* The full name: "layout --fits" of fits. */
#define COMMAND_NAME 32
const char *command_name(const struct command *command, char out[COMMAND_NAME]);

#endif
