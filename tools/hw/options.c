/* options.c - the command line: a table of options, each with the kind of value that it takes. */
#include "command.h"

#include <wsim/harness/harness.h>
#include <wsim/wsim.h>

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Counts and numbers of cases: so large that no sum of a few overflows. */
#define NUMBER_MAX (UINT64_C(1) << 53)

int hw_fail(const char *what, const char *why) {
    fprintf(stderr, "wsim-hw: %s: %s\n", what, why);
    return 2;
}

int hw_matches(const char *filter, const char *spelling) {
    if (!filter)
        return 1;
    return strpbrk(filter, "*?[") ? fnmatch(filter, spelling, 0) == 0
                                  : strstr(spelling, filter) != NULL;
}

static int refuse(const struct hw_command *command, const char *what, const char *why) {
    fprintf(stderr, "wsim-hw %s: %s: %s; try wsim-hw %s --help\n", command->name, what, why,
            command->name);
    return 2;
}

static void print_help(const struct hw_command *command) {
    printf("usage: wsim-hw %s %s\n%s\n\n", command->name, command->arguments, command->purpose);
    for (const struct hw_option *o = command->options; o->name; o++) {
        int used = printf("  %s %s", o->name, o->value ? o->value : "");
        for (const char *line = o->help; line; used = 0) {
            const char *end = strchr(line, '\n');
            int length = end ? (int)(end - line) : (int)strlen(line);
            printf("%*s%.*s\n", used < 20 ? 20 - used : 1, "", length, line);
            line = end ? end + 1 : NULL;
        }
    }
    printf("%s", command->more);
}

/* These read a value and answer NULL, or what it should have been. */

static const char *read_number(const char *text, uint64_t least, uint64_t most, uint64_t *number) {
    char *end;
    uint64_t value;
    errno = 0;
    value = strtoull(text, &end, 0);
    if (*text < '0' || *text > '9' || *end || errno)
        return "a number is wanted";
    if (value < least || value > most)
        return least ? "a number from 1 to 2^53 is wanted" : "a number to 2^53 is wanted";
    *number = value;
    return NULL;
}

static const char *read_shard(const char *text, struct hw_shard *shard) {
    struct hw_shard read;
    char rest;
    if (sscanf(text, "%9u/%9u%c", &read.index, &read.count, &rest) != 2 || strpbrk(text, "+- "))
        return "I/N is wanted, such as 0/4";
    if (read.index >= read.count)
        return "I counts from 0 and is less than N";
    *shard = read;
    return NULL;
}

static const char *read_dist(const char *text, unsigned *dist) {
    int found = wsim_dist_find(text);
    if (found < 0)
        return "no such distribution";
    *dist = (unsigned)found;
    return NULL;
}

static const char *read_arch(const char *text, const struct wsim_arch **arch) {
    const struct wsim_arch *found = wsim_arch_find(text);
    if (!found)
        return "no such architecture";
    *arch = found;
    return NULL;
}

static const char *read_text(const char *text, const char **into) {
    if (!*text)
        return "the empty word means nothing";
    *into = text;
    return NULL;
}

static const char *read_value(const struct hw_option *option, const char *text, void *field) {
    switch (option->kind) {
    case HW_NUMBER: return read_number(text, 0, NUMBER_MAX, field);
    case HW_COUNT: return read_number(text, 1, NUMBER_MAX, field);
    case HW_SEED: return read_number(text, 0, UINT64_MAX, field);
    case HW_DIST: return read_dist(text, field);
    case HW_SHARD: return read_shard(text, field);
    case HW_ARCH: return read_arch(text, field);
    case HW_TEXT: return read_text(text, field);
    case HW_FLAG: break;
    }
    *(int *)field = 1;
    return NULL;
}

static const struct hw_option *find(const struct hw_command *command, const char *name) {
    const struct hw_option *o = command->options;
    while (o->name && strcmp(o->name, name) != 0)
        o++;
    return o->name ? o : NULL;
}

static int read_option(const struct hw_command *command, void *into, const char *name,
                       const char *value, uint64_t *given) {
    const struct hw_option *option = find(command, name);
    const char *why;
    uint64_t bit = option ? UINT64_C(1) << (option - command->options) : 0;
    char what[256];
    if (!option)
        return refuse(command, name, "no such option");
    if (*given & bit)
        return refuse(command, name, "given twice");
    if (option->value && !value)
        return refuse(command, name, "its value is missing");
    *given |= bit;
    why = read_value(option, value, (char *)into + option->at);
    snprintf(what, sizeof what, "%s %s", name, option->value ? value : "");
    return why ? refuse(command, what, why) : 0;
}

int hw_options_read(const struct hw_command *command, void *into, int *argc, char **argv) {
    int files = 1, status = 0;
    uint64_t given = 0;
    for (int i = 1; i < *argc; i++)
        if (strcmp(argv[i], "--help") == 0) {
            print_help(command);
            return -1;
        }
    for (int i = 1; i < *argc && !status; i++) {
        const struct hw_option *option = find(command, argv[i]);
        if (argv[i][0] != '-' || !argv[i][1]) {
            argv[files++] = argv[i];
            continue;
        }
        status = read_option(command, into, argv[i], i + 1 < *argc ? argv[i + 1] : NULL, &given);
        i += option && option->value;
    }
    if (!status && files > 1 && !command->takes_files)
        status = refuse(command, argv[1], "no file is read");
    if (!status && files == 1 && command->takes_files)
        status = refuse(command, command->arguments, "there is none");
    *argc = files;
    return status;
}
