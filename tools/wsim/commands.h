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
};

struct commands {
    const struct command *list;
    size_t count;
};

/* NULL: unknown. */
const struct command *command_find(const struct commands *commands, const char *name);

#endif
