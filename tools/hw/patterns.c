/* patterns.c - the command `patterns`: what is to be measured, for `access` to launch. */
#include "command.h"
#include "pattern_kind.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* Options of the command. */
struct asked {
    const char *ops, *out;
    const struct wsim_arch *arch;
    uint64_t cases, seed;
};
#define AT(field) offsetof(struct asked, field)

static const struct hw_option options[] = {
    {"-o", "FILE", "the patterns", HW_TEXT, AT(out)},
    {"--ops", "FILTER", "spellings that contain FILTER, or match it if it has * ? or [", HW_TEXT,
     AT(ops)},
    {"--cases", "N", "patterns for each kind of access (150)", HW_COUNT, AT(cases)},
    {"--seed", "S", "of the random ones (1)", HW_SEED, AT(seed)},
    {"--arch", "NAME", "accesses that are legal there (sm_90a)", HW_ARCH, AT(arch)},
    {0},
};

/* Copies the generated text to `path`. */
static int copy(FILE *from, const char *path) {
    char bytes[4096];
    size_t n;
    FILE *to = fopen(path, "w");
    if (!to)
        return hw_fail(path, strerror(errno));
    rewind(from);
    while ((n = fread(bytes, 1, sizeof bytes, from)) > 0)
        fwrite(bytes, 1, n, to);
    return ferror(from) | ferror(to) | fclose(to) ? hw_fail(path, "cannot be written") : 0;
}

/* The file that there was is not touched before all patterns are there. */
static int write_file(const struct asked *asked) {
    FILE *whole = tmpfile();
    unsigned kinds;
    int status;
    if (!whole)
        return hw_fail("a temporary file", strerror(errno));
    fprintf(whole, "#seed: 0x%" PRIx64 "\n", asked->seed);
    kinds = hw_patterns_print(whole, asked->arch, asked->ops, asked->cases, asked->seed);
    status = !kinds          ? hw_fail("--ops", "no access of shared memory matches")
             : ferror(whole) ? hw_fail("a temporary file", "cannot be written")
                             : copy(whole, asked->out);
    fclose(whole);
    if (!status)
        fprintf(stderr, "%u kinds of access in %s\n", kinds, asked->out);
    return status;
}

static int run(int argc, char **argv) {
    struct asked asked = {NULL, NULL, wsim_arch_find(WSIM_ARCH_USUAL), 150, 1};
    int status = hw_options_read(&hw_patterns_command, &asked, &argc, argv);
    if (!status && !asked.out)
        status = hw_fail("patterns", "-o FILE is missing; try wsim-hw patterns --help");
    if (status)
        return status < 0 ? 0 : status;
    return write_file(&asked);
}

const struct hw_command hw_patterns_command = {
    "patterns",
    "-o FILE [options]",
    "accesses of shared memory to measure",
    "\nexit status: 0 done, 2 error\n\n"
    "  wsim-hw patterns --ops ldmatrix --cases 50 -o patterns.txt\n",
    options,
    0,
    run,
};
