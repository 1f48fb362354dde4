/* command.h - a command of wsim-hw. A new one is a file with a table of options and a
 * function, and a line in main.c. Its options may go into a struct of its own. */
#ifndef HW_COMMAND_H
#define HW_COMMAND_H

#include <stddef.h>
#include <stdint.h>

enum hw_kind {
    HW_FLAG,   /* int, set to 1; has no value              */
    HW_NUMBER, /* uint64_t, from 0                         */
    HW_COUNT,  /* uint64_t, from 1                         */
    HW_SEED,   /* uint64_t, any                            */
    HW_TEXT,   /* const char *, not empty                  */
    HW_DIST,   /* unsigned, as of wsim_dist_find           */
    HW_SHARD,  /* struct hw_shard                          */
    HW_ARCH    /* const struct wsim_arch *                 */
};

struct hw_shard {
    unsigned index, count;
};

struct hw_option {
    const char *name, *value, *help; /* help: further lines after newlines */
    enum hw_kind kind;
    size_t at; /* of its field in the struct that hw_options_read fills */
};

struct hw_command {
    const char *name, *arguments;    /* the usage, without options           */
    const char *purpose;             /* one line                             */
    const char *more;                /* of the help, below the options       */
    const struct hw_option *options; /* the last has no name                 */
    int takes_files;
    int (*run)(int argc, char **argv); /* argv[0] is the name; the exit status */
};

extern const struct hw_command hw_diff_command, hw_record_command, hw_replay_command,
    hw_minimize_command, hw_list_command, hw_patterns_command, hw_access_command, hw_scalar_command,
    hw_launch_command;

/* Reads argv[1] and so on into the struct at `into`, which holds the defaults. Other arguments are
 * files: they move to argv[1] on and *argc becomes one more than their number. Returns 0; 2 after a
 * message on stderr; -1 after help on stdout, for the exit status 0. */
int hw_options_read(const struct hw_command *command, void *into, int *argc, char **argv);

/* Whether a spelling contains `filter`, or matches it if it has * ? or [; NULL: always. */
int hw_matches(const char *filter, const char *spelling);

/* "wsim-hw: WHAT: WHY" on stderr; returns the exit status 2. */
int hw_fail(const char *what, const char *why);

#endif
