/* wsim --version: the program, its manual, and the GPUs of its recordings. */
#include "common/screen.h"
#include "common/tool.h"
#include "version.h"
#ifdef HAVE_COMMIT
#include "wsim_commit.h" /* written by cmake/commit.cmake */
#else
#define WSIM_COMMIT ""
#define WSIM_DATE "1970-01-01"
#endif

#include <stdio.h>
#include <string.h>

enum { GPUS = 8, FILES = 256 };

/* Versions "PTX ISA 9.0" that rows of the tables name as their source, as 900, and how often. Few
 * rows follow a later manual, of which the tables do not have all. */
enum { MANUALS = 16 };
struct manuals {
    unsigned version[MANUALS], count[MANUALS], n;
};

static void count_manual(const char *source, struct manuals *manuals) {
    const char *at = strstr(source, "PTX ISA ");
    unsigned major, minor, i = 0;
    if (!at || sscanf(at, "PTX ISA %u.%u", &major, &minor) != 2)
        return;
    while (i < manuals->n && manuals->version[i] != 100 * major + minor)
        i++;
    if (i == MANUALS)
        return;
    manuals->n += i == manuals->n;
    manuals->version[i] = 100 * major + minor;
    manuals->count[i]++;
}

static unsigned most_counted(const struct manuals *manuals) {
    unsigned most = 0;
    for (unsigned i = 1; i < manuals->n; i++)
        most = manuals->count[i] > manuals->count[most] ? i : most;
    return manuals->version[most];
}

struct recordings {
    const char *gpu[GPUS], *file[FILES];
    size_t ngpu, nfile;
};

static void put(const char **list, size_t *n, size_t most, const char *text) {
    size_t i = 0;
    while (i < *n && strcmp(list[i], text) != 0)
        i++;
    if (i == *n && i < most)
        list[(*n)++] = text;
}

static void collect(struct recordings *found) {
    struct wsim_recording recording;
    for (size_t i = 0; wsim_recording_at(i, &recording); i++) {
        put(found->gpu, &found->ngpu, GPUS, recording.gpu);
        put(found->file, &found->nfile, FILES, recording.file);
    }
}

const char *version_date(void) {
    return WSIM_DATE;
}

int version_print(void) {
    struct recordings found = {.ngpu = 0};
    const struct wsim_arch *arch, *last = wsim_arch_at(0);
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    struct manuals manuals = {.n = 0};
    unsigned manual;
    char gpus[256] = "";
    size_t n = 0;
    while (wsim_op_next(&cursor, &op))
        count_manual(wsim_op_describe(&op).source, &manuals);
    collect(&found);
    manual = most_counted(&manuals);
    for (size_t i = 0; (arch = wsim_arch_at(i)) != NULL; i++)
        last = arch;
    for (size_t i = 0; i < found.ngpu && n < sizeof gpus; i++)
        n += (size_t)snprintf(gpus + n, sizeof gpus - n, "%s%s", i ? ", " : "", found.gpu[i]);
    printf("wsim %s\n", wsim_version());
    if (*WSIM_COMMIT)
        puts("commit " WSIM_COMMIT " of " WSIM_DATE);
    screen_fold(2, "instructions of PTX ISA %u.%u on %s to %s", manual / 100, manual % 100,
                wsim_arch_name(wsim_arch_at(0)), wsim_arch_name(last));
    if (found.nfile)
        screen_fold(2, "compared with recordings of %s, %lu files", gpus,
                    (unsigned long)found.nfile);
    else
        puts("built without the evidence of recordings");
    return TOOL_FINE;
}
