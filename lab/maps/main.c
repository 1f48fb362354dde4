/* main.c - wsim-maps: tensor maps, the driver against the model. Parameters by number; what the
 * driver answers becomes a trace, or is compared at once. */
#include "maps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char help[] =
    "usage: wsim-maps diff   [options]             the driver against the model\n"
    "       wsim-maps record [options] -o FILE     a trace of what the driver answered\n"
    "\n"
    "  --tiled N         parameter sets for cuTensorMapEncodeTiled (20000)\n"
    "  --im2col N        parameter sets for cuTensorMapEncodeIm2col (20000)\n"
    "  --seed S          of the sets (1)\n"
    "  --first N         number of the first set (0)\n"
    "  --arch NAME       diff: the model of another architecture\n"
    "  -o FILE           the trace\n"
    "\n"
    "exit status: 0 equal, 1 different, 2 error, 77 no GPU\n"
    "\n"
    "  wsim-maps diff --tiled 1000000 --im2col 1000000\n"
    "  wsim-maps record --seed 7 -o maps.trace\n";

struct options {
    uint64_t sets[MAPS_MODES], seed, first;
    const char *arch, *out;
    int record;
};

static int usage(const char *what, const char *value) {
    fprintf(stderr, "wsim-maps: %s%s%s; try wsim-maps --help\n", what, value ? ": " : "",
            value ? value : "");
    return 2;
}

static int read_number(const char *text, uint64_t *number) {
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 0);
    return *text >= '0' && *text <= '9' && !*end && !errno;
}

static int read_options(struct options *o, int argc, char **argv) {
    const struct {
        const char *name;
        uint64_t *number;
        const char **text;
    } known[] = {
        {"--tiled", &o->sets[WSIM_TENSOR_TILED], NULL},
        {"--im2col", &o->sets[WSIM_TENSOR_IM2COL], NULL},
        {"--seed", &o->seed, NULL},
        {"--first", &o->first, NULL},
        {"--arch", NULL, &o->arch},
        {"-o", NULL, &o->out},
    };
    enum { KNOWN = sizeof known / sizeof known[0] };
    int i, k;
    if (argc < 2 || (strcmp(argv[1], "diff") != 0 && strcmp(argv[1], "record") != 0))
        return usage("diff or record?", NULL);
    o->record = strcmp(argv[1], "record") == 0;
    for (i = 2; i < argc; i += 2) {
        for (k = 0; k < KNOWN && strcmp(argv[i], known[k].name) != 0; k++)
            ;
        if (k == KNOWN || i + 1 == argc)
            return usage(k == KNOWN ? "unknown option" : "a value is missing", argv[i]);
        if (known[k].text)
            *known[k].text = argv[i + 1];
        else if (!read_number(argv[i + 1], known[k].number))
            return usage("not a number", argv[i + 1]);
    }
    return o->record && !o->out ? usage("record needs -o FILE", NULL) : 0;
}

/* --- a trace --- */

static void print_header(FILE *out, const struct options *o, const struct maps_driver *driver) {
    time_t now = time(NULL);
    char date[16];
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    fprintf(out,
            "#wsim-trace 1\n#gpu: %s\n#arch: %s\n#driver: %s\n#toolkit: %d.%d\n"
            "#generator: wsim-maps %s\n#seed: %" PRIu64 "\n#date: %s\n",
            driver->gpu, o->arch, driver->release, driver->version / 1000,
            driver->version % 1000 / 10, wsim_version(), o->seed, date);
}

static void print_list(FILE *out, const char *name, uint32_t n, const uint64_t *wide,
                       const uint32_t *narrow, const int32_t *corners) {
    uint32_t i;
    fprintf(out, "\t%s=", name);
    for (i = 0; i < n; i++) {
        if (i)
            fputc(',', out);
        if (wide)
            fprintf(out, "%" PRIu64, wide[i]);
        else if (narrow)
            fprintf(out, "%" PRIu32, narrow[i]);
        else
            fprintf(out, "%" PRId32, corners[i]);
    }
}

static void print_set(FILE *out, const struct wsim_tensor *t, int result) {
    uint32_t rank = t->rank < WSIM_TENSOR_RANK ? t->rank : WSIM_TENSOR_RANK;
    fprintf(out, "tensormap.%s\tdtype=%s\trank=%" PRIu32 "\tbase=%" PRIu64,
            wsim_tensor_name(WSIM_TENSOR_LIST_MODE, t->mode),
            wsim_tensor_name(WSIM_TENSOR_LIST_DTYPE, t->dtype), t->rank, t->base);
    print_list(out, "dims", rank, t->dims, NULL, NULL);
    print_list(out, "strides", rank ? rank - 1 : 0, t->strides, NULL, NULL);
    if (t->mode == WSIM_TENSOR_TILED) {
        print_list(out, "box", rank, NULL, t->box, NULL);
    } else {
        print_list(out, "lower", rank > 2 ? rank - 2 : 0, NULL, NULL, t->lower);
        print_list(out, "upper", rank > 2 ? rank - 2 : 0, NULL, NULL, t->upper);
        fprintf(out, "\tchannels=%" PRIu32 "\tpixels=%" PRIu32, t->channels, t->pixels);
    }
    print_list(out, "estrides", rank, NULL, t->estrides, NULL);
    fprintf(out, "\tinterleave=%s\tswizzle=%s\tl2=%" PRIu32 "\toob=%s\tresult=%d\n",
            wsim_tensor_name(WSIM_TENSOR_LIST_INTERLEAVE, t->interleave),
            wsim_tensor_name(WSIM_TENSOR_LIST_SWIZZLE, t->swizzle), t->l2,
            wsim_tensor_name(WSIM_TENSOR_LIST_OOB, t->oob), result);
}

/* --- all sets --- */

enum { CODE_REFUSED = 1, SHOWN = 10 };

struct tally {
    uint64_t accepted, refused, different;
};

/* A set is printed, or compared. 0, or 2 when the driver answers neither yes nor no. */
static int one_set(const struct options *o, const struct maps_driver *driver, FILE *out,
                   const struct wsim_tensor *tensor, struct tally *tally) {
    int code = maps_driver_ask(driver, tensor, NULL);
    struct wsim_diag diag = {WSIM_OK, 0, 0, NULL, ""};
    if (code != 0 && code != CODE_REFUSED) {
        fprintf(stderr, "wsim-maps: the driver answers %d\n", code);
        return 2;
    }
    tally->accepted += code == 0;
    tally->refused += code != 0;
    if (o->record)
        print_set(out, tensor, code);
    else if ((wsim_tensor_check(tensor, wsim_arch_find(o->arch), &diag) != WSIM_OK) != code &&
             tally->different++ < SHOWN) {
        print_set(out, tensor, code);
        fprintf(out, "# the model %s it%s%s\n", code ? "accepts" : "refuses", code ? "" : ": ",
                diag.text);
    }
    return 0;
}

static int all_sets(const struct options *o, const struct maps_driver *driver, FILE *out) {
    struct tally tally = {0, 0, 0};
    struct wsim_tensor tensor;
    uint64_t i;
    int mode, status;
    for (mode = 0; mode < MAPS_MODES; mode++)
        for (i = 0; i < o->sets[mode]; i++) {
            maps_draw(o->seed, o->first + i, (enum wsim_tensor_mode)mode, &tensor);
            status = one_set(o, driver, out, &tensor, &tally);
            if (status)
                return status;
        }
    printf("%" PRIu64 " accepted, %" PRIu64 " refused", tally.accepted, tally.refused);
    if (!o->record)
        printf(", %" PRIu64 " different", tally.different);
    putchar('\n');
    return tally.different ? 1 : 0;
}

int main(int argc, char **argv) {
    struct options o = {{20000, 20000}, 1, 0, NULL, NULL, 0};
    struct maps_driver driver;
    char arch[16];
    FILE *out = stdout;
    int status;
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(help, stdout);
        return 0;
    }
    status = read_options(&o, argc, argv);
    if (!status)
        status = maps_driver_open(&driver);
    if (status)
        return status;
    snprintf(arch, sizeof arch, "sm_%d%d%s", driver.major, driver.minor,
             driver.major >= 9 ? "a" : "");
    o.arch = o.arch ? o.arch : arch;
    if (!wsim_arch_find(o.arch))
        return usage("unknown architecture", o.arch);
    if (o.out && !(out = fopen(o.out, "w")))
        return usage(strerror(errno), o.out);
    if (o.record)
        print_header(out, &o, &driver);
    status = all_sets(&o, &driver, out);
    if (o.out && (ferror(out) | fclose(out)))
        return usage("cannot write", o.out);
    return status;
}
