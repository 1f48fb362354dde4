/* options.c - the command line. */
#include "hw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: wsim-hw diff   [options]             hardware against model\n"
    "       wsim-hw record [options] -o FILE     a trace of what the hardware did\n"
    "\n"
    "  --ops FILTER      spellings that contain FILTER, or match it if it has * ? or [\n"
    "  --cases N         cases for each spelling and selector (diff: 1300, record: 13)\n"
    "  --results N       diff: at least N result elements for each spelling instead\n"
    "  --seed S          of the operands (1)\n"
    "  --dist D          raw near-one finite cancelling subnormal wide specials overflow c-alone\n"
    "                    narrow one-hot position extremes, or all: case n has n modulo 13 (all)\n"
    "  --first N         number of the first case (0), to go on where a run ended\n"
    "  --shard I/N       the Ith of N equal shares of the cases, counted from 0\n"
    "  --arch NAME       diff: the model of another architecture\n"
    "  --stop-after N    diff: end after N cases that differ (0: never)\n"
    "  --json            diff: the report as JSON\n"
    "  -o FILE           the trace; diff writes one if there are differences (wsim-hw.trace)\n"
    "\n"
    "exit status: 0 equal, 1 different, 2 error, 77 no GPU\n"
    "\n"
    "  wsim-hw diff --results 1000000\n"
    "  wsim-hw record --ops m16n8k16 --dist specials --cases 4 -o specials.trace\n";

static int fail(const char *what, const char *value) {
    fprintf(stderr, "wsim-hw: %s%s%s; try wsim-hw --help\n", what, value ? ": " : "",
            value ? value : "");
    return 2;
}

static int read_number(const char *text, uint64_t *number) {
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 0);
    return *text >= '0' && *text <= '9' && !*end && !errno;
}

static int read_shard(const char *text, struct hw_options *options) {
    char rest;
    return sscanf(text, "%u/%u%c", &options->shard, &options->shards, &rest) == 2 &&
           options->shards > 0 && options->shard < options->shards;
}

static int read_dist(const char *text, struct hw_options *options) {
    int dist = wsim_dist_find(text);
    options->dist = (unsigned)dist;
    return dist >= 0;
}

/* Options with a value. 1: read, 0: the value is wrong, -1: there is no such option. */
static int read_option(struct hw_options *o, const char *name, const char *value) {
    const struct {
        const char *name;
        uint64_t *number;
        const char **text;
    } known[] = {
        {"--cases", &o->cases, NULL}, {"--results", &o->results, NULL},
        {"--seed", &o->seed, NULL},   {"--first", &o->first, NULL},
        {"--ops", NULL, &o->ops},     {"--stop-after", &o->stop_after, NULL},
        {"-o", NULL, &o->out},        {"--arch", NULL, &o->arch},
    };
    if (strcmp(name, "--dist") == 0)
        return read_dist(value, o);
    if (strcmp(name, "--shard") == 0)
        return read_shard(value, o);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(name, known[i].name) != 0)
            continue;
        if (known[i].number)
            return read_number(value, known[i].number);
        *known[i].text = value;
        return 1;
    }
    return -1;
}

static int read_command(struct hw_options *options, int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0) {
            fputs(help, stdout);
            return -1;
        }
    if (argc < 2)
        return fail("diff or record?", NULL);
    options->record = strcmp(argv[1], "record") == 0;
    if (!options->record && strcmp(argv[1], "diff") != 0)
        return fail("no such command", argv[1]);
    return 0;
}

int hw_options_read(struct hw_options *options, int argc, char **argv) {
    struct hw_options none = {.seed = 1, .dist = WSIM_DISTS, .shards = 1};
    int status;
    *options = none;
    status = read_command(options, argc, argv);
    for (int i = 2; i < argc && !status; i++) {
        int read = -1;
        if (strcmp(argv[i], "--json") == 0) {
            options->json = 1;
            continue;
        }
        if (i + 1 < argc)
            read = read_option(options, argv[i], argv[i + 1]);
        if (read < 1)
            return fail(read ? "no such option, or no value" : "not a value of its option",
                        read ? argv[i] : argv[i + 1]);
        i++;
    }
    if (!status && options->record && !options->out)
        return fail("record needs -o FILE", NULL);
    if (!options->out)
        options->out = "wsim-hw.trace";
    if (!options->cases)
        options->cases = options->record ? WSIM_DISTS : 100 * WSIM_DISTS;
    return status;
}
