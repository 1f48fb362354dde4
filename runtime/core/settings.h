/* settings.h - what the environment of the process says: settings.c. */
#ifndef WSIM_RUNTIME_SETTINGS_H
#define WSIM_RUNTIME_SETTINGS_H

#include "wire/checks.h"

#include <wsim/kernel.h>

enum report_kind { REPORT_NONE, REPORT_TEXT, REPORT_ALWAYS, REPORT_JSON };

struct settings {
    const struct wsim_arch *arch;
    int devices;
    uint64_t memory; /* bytes of a device */
    /* By the architecture: allocations begin at multiples of `unit`. Larger ones than `shares` have
     * pages of their own, which a GPU takes back when they are freed. Pools get pieces of `piece`
     * bytes. */
    uint64_t unit, shares, piece;
    uint32_t checks; /* WSIM_CHECK_..., CHECK_... of wire/checks.h */
    char *launches;  /* pattern of kernels; NULL: all */
    uint64_t seed;
    uint8_t async; /* enum wsim_async */
    uint8_t late;  /* streams */
    uint32_t threads;
    uint64_t max_instructions; /* of a launch; 0: no limit */
    enum report_kind report;
    char *report_file, *report_folder; /* NULL: not given */
    char *ptx;       /* folder with the PTX of machine code (beside.h); NULL: none */
    char *assembler; /* socket of a process that assembles (assembled.h); NULL: none */
    struct wsim_suppress *suppress; /* findings that do not count; NULL: no settings yet */
    uint8_t status;
    uint8_t wrong;          /* a variable is wrong: nothing runs */
    uint8_t lines;          /* costs of lines are counted, for a record or a report in JSON */
    uint8_t runs_all;       /* launches that would leave memory as it is run too */
    uint32_t shard, shards; /* launches number `shard` of `shards` are checked; 0: all */
    uint32_t first;         /* number of the first launch of the process */
};

/* Reads the environment. An error is a variable that is wrong; stderr says which. */
int settings_read(struct settings *settings);

/* Reads the entries to ignore, between commas or blanks, and a baseline; NULL: none. An error is
 * said. */
int suppress_read(const char *ignore, const char *path, struct wsim_suppress **list);

/* Whether kernels of this name are checked and reported. */
int settings_wants(const char *kernel);

#endif
