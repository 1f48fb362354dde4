/* Settings: the variables of the environment that begin with WSIM_. */
#define _GNU_SOURCE /* environ */
#include "look.h"
#include "state.h"
#include "wire/variables.h"

#include <ctype.h>
#include <errno.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int complain(enum wire_variable name, const char *value, const char *right) {
    enum { SHOWN = 80 };
    wsimrt_say("%s=%.*s%s is wrong: expected %s", wire_name(name), SHOWN, value,
               strlen(value) > SHOWN ? "..." : "", right);
    return WSIMRT_INVALID_VALUE;
}

/* The value of a variable; NULL if it is missing or empty. */
static const char *variable(enum wire_variable name) {
    const char *value = getenv(wire_name(name));
    return value && *value ? value : NULL;
}

static int read_number(enum wire_variable name, uint64_t least, uint64_t most, uint64_t *out) {
    const char *value = variable(name);
    char *end;
    unsigned long long number;
    if (!value)
        return 0;
    errno = 0;
    number = strtoull(value, &end, 0);
    if (errno || !isdigit((unsigned char)*value) || *end || number < least || number > most) {
        char right[64];
        snprintf(right, sizeof right, "a number from %llu to %llu", (unsigned long long)least,
                 (unsigned long long)most);
        return complain(name, value, right);
    }
    *out = number;
    return 0;
}

static int read_size(enum wire_variable name, uint64_t *out) {
    static const char units[] = "KMGT";
    const char *value = variable(name), *unit;
    char *end;
    unsigned long long number;
    unsigned shift;
    if (!value)
        return 0;
    errno = 0;
    number = strtoull(value, &end, 0);
    unit = *end ? strchr(units, *end & ~0x20) : NULL;
    shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (errno || !isdigit((unsigned char)*value) || (*end && !unit) || (unit && end[1]) ||
        !number || number > UINT64_MAX >> shift >> 16)
        return complain(name, value, "bytes, such as 512M or 80G");
    *out = (uint64_t)number << shift;
    return 0;
}

static int read_arch(struct settings *settings) {
    const char *value = variable(WIRE_ARCH);
    settings->arch = wsim_arch_called(value ? value : WSIM_ARCH_USUAL);
    if (!settings->arch)
        return complain(WIRE_ARCH, value, "an architecture, such as " WSIM_ARCH_USUAL);
    settings->memory = wsim_arch_product(settings->arch).figures[WSIM_FIGURE_MEMORY];
    settings->unit = wsim_arch_limit(settings->arch, WSIM_LIMIT_MEMORY_UNIT);
    settings->shares = wsim_arch_limit(settings->arch, WSIM_LIMIT_MEMORY_SHARES);
    settings->piece = wsim_arch_limit(settings->arch, WSIM_LIMIT_POOL_PIECE);
    return 0;
}

static int read_checks(struct settings *settings) {
    const char *value = variable(WIRE_CHECK);
    const uint32_t known = WSIM_CHECK_ALL | CHECK_API | CHECK_LEAK;
    if (checks_read(value ? value : "all", known, &settings->checks))
        return complain(WIRE_CHECK, value, "all, none, or a list of " CHECK_WORDS_ALL);
    return 0;
}

/* One of `n` words; the first one is the default. */
static int read_word(enum wire_variable name, const char *const *words, unsigned n, unsigned *out) {
    const char *value = variable(name);
    char right[64] = "";
    *out = 0;
    for (unsigned i = 0; value && i < n; i++) {
        if (strcmp(value, words[i]) == 0) {
            *out = i;
            return 0;
        }
        strcat(strcat(right, i ? " or " : ""), words[i]);
    }
    return value ? complain(name, value, right) : 0;
}

static int read_words(struct settings *settings) {
    static const char *const async[] = {"eager", "late"}, *const streams[] = {"eager", "late"},
                             *const report[] = {"text", "text+", "json", "none"};
    static const enum report_kind kinds[] = {REPORT_TEXT, REPORT_ALWAYS, REPORT_JSON, REPORT_NONE};
    unsigned word;
    int error = read_word(WIRE_ASYNC, async, 2, &word);
    settings->async = (uint8_t)(word ? WSIM_ASYNC_LATE : WSIM_ASYNC_EAGER);
    error = error ? error : read_word(WIRE_STREAMS, streams, 2, &word);
    settings->late = (uint8_t)word;
    error = error ? error : read_word(WIRE_REPORT, report, 4, &word);
    settings->report = kinds[word];
    return error;
}

/* A copy of the text of a variable; NULL: it is missing. */
static char *read_text(enum wire_variable name) {
    const char *value = variable(name);
    return value ? strdup(value) : NULL;
}

static int read_pattern(struct settings *settings) {
    regex_t pattern;
    settings->launches = read_text(WIRE_LAUNCHES);
    if (!settings->launches)
        return 0;
    if (regcomp(&pattern, settings->launches, REG_EXTENDED | REG_NOSUB))
        return complain(WIRE_LAUNCHES, settings->launches,
                        "a regular expression (POSIX, extended)");
    regfree(&pattern);
    return 0;
}

/* The number of the first launch: a hash (FNV-1a) of the name and the arguments of the process.
 * Many small processes then share the parts evenly. Paths change from job to job, so folders do not
 * count, nor do arguments with one. */
static uint32_t first_launch(void) {
    FILE *file = fopen("/proc/self/cmdline", "r");
    uint32_t hash = 2166136261u;
    char *word = NULL;
    size_t room = 0;
    for (int is_name = 1; file && getdelim(&word, &room, 0, file) > 0; is_name = 0) {
        const char *slash = strrchr(word, '/'), *at = slash ? slash + 1 : word;
        for (; (is_name || !slash) && *at; at++)
            hash = (hash ^ (unsigned char)*at) * 16777619u;
    }
    free(word);
    if (file)
        fclose(file);
    return hash ^ hash >> 16;
}

/* "I/N": part I of N, counted from 0. */
static int read_shard(struct settings *settings) {
    const char *value = variable(WIRE_SHARD);
    unsigned shard, shards;
    if (!value)
        return 0;
    if (!wire_shard(value, &shard, &shards))
        return complain(WIRE_SHARD, value, "I/N: a part from 0 to N-1, and the number of parts");
    settings->shard = shard;
    settings->shards = shards;
    settings->first = first_launch();
    return 0;
}

/* Names a variable that is none, but looks like one; wsim run does so for its program. */
static void name_near(void) {
    for (char **at = environ; at && *at && !variable(WIRE_REPORT_FOLDER); at++) {
        const enum wire_variable meant = wire_meant(*at);
        if (meant != WIRE_NONE)
            wsimrt_say("%.*s is no variable of the runtime; did you mean %s?",
                       (int)strcspn(*at, "="), *at, wire_name(meant));
    }
}

int settings_read(struct settings *settings) {
    uint64_t devices = 1, threads = 0, status = 0, lines = 0, repeats = 0;
    int error = read_arch(settings);
    name_near();
    error = error ? error : read_number(WIRE_DEVICES, 0, CORE_DEVICES, &devices);
    error = error ? error : read_size(WIRE_DEVICE_MEMORY, &settings->memory);
    error = error ? error : read_checks(settings);
    error = error ? error : read_pattern(settings);
    error = error ? error : read_number(WIRE_SEED, 0, UINT64_MAX, &settings->seed);
    error = error ? error : read_number(WIRE_THREADS, 0, 1024, &threads);
    error = error
                ? error
                : read_number(WIRE_MAX_INSTRUCTIONS, 0, UINT64_MAX, &settings->max_instructions);
    error = error ? error : read_number(WIRE_STATUS, 0, 1, &status);
    error = error ? error : read_number(WIRE_LINES, 0, 1, &lines);
    error = error ? error : read_number(WIRE_REPEATS, 0, 1, &repeats);
    error = error ? error : read_shard(settings);
    error = error ? error : read_words(settings);
    error = error ? error
                  : suppress_read(variable(WIRE_IGNORE), variable(WIRE_BASELINE),
                                  &settings->suppress);
    settings->devices = (int)devices;
    settings->threads = (uint32_t)threads;
    settings->status = (uint8_t)status;
    error = error ? error : look_open(variable(WIRE_LOOK));
    settings->wrong = error != 0;
    settings->runs_all = (uint8_t)repeats;
    settings->report_file = read_text(WIRE_REPORT_FILE);
    settings->report_folder = read_text(WIRE_REPORT_FOLDER);
    settings->lines = lines && (settings->report_folder || settings->report == REPORT_JSON);
    settings->ptx = read_text(WIRE_PTX);
    settings->assembler = read_text(WIRE_ASSEMBLER_SOCKET);
    return error;
}

int settings_wants(const char *kernel) {
    regex_t pattern;
    int wants;
    if (!core.settings.launches ||
        regcomp(&pattern, core.settings.launches, REG_EXTENDED | REG_NOSUB))
        return 1;
    wants = regexec(&pattern, kernel, 0, NULL, 0) == 0;
    regfree(&pattern);
    return wants;
}
