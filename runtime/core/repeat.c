/* Launches that need not run; see repeat.h.
 *
 * Each write gives an allocation a new version. A kernel may be launched again with the same
 * parameters: the second launch records the bytes that it accesses, and how it leaves them. The
 * third one begins with these versions, accesses the same bytes and leaves them equal? Then
 * launches that begin with the same versions need not run. Kernels with other inputs and outputs
 * always run: clocks, order of atomics, textures, calls, printf, memory that others see.
 */
#include "repeat.h"
#include "look.h"

#include <stdlib.h>
#include <string.h>

enum { TRIES = 4 };
#define MOST_BYTES (UINT64_C(1) << 28) /* written by a launch that is looked at */

enum stage { NEW, AGAIN, FIXED, HOPELESS };

struct seen {
    uint64_t base, id, version;
};

struct repeat {
    enum stage stage;
    unsigned tries;
    struct wsimrt_context *context;
    struct wsim_launch launch; /* its sizes; params: of this struct */
    unsigned char *params;
    uint8_t checked;
    uint8_t was;        /* the launch that runs began with these versions */
    uint64_t begun;     /* core.versions then */
    uint64_t variables; /* version of all variables */
    struct wsim_report *report;
    struct seen *memory; /* that it accesses */
    size_t n;
    unsigned char *written; /* bytes that it wrote, as it left them */
    uint64_t bytes;
};

/* --- versions --- */

void repeat_wrote(uint64_t address, uint64_t bytes) {
    struct allocation *memory = memory_find(address, bytes);
    if (!memory)
        return;
    memory->version = ++core.versions;
    if (memory->kind == WSIMRT_VARIABLE)
        core.variables = core.versions;
}

static void wrote_anything(void) {
    core.unknown = core.variables = ++core.versions;
}

static uint64_t version_of(const struct allocation *memory) {
    return memory->version > core.unknown ? memory->version : core.unknown;
}

int repeat_is_filled(const struct wsimrt_fill *fill) {
    const struct allocation *memory = memory_find(fill->to.address, 1);
    return memory && memory->kind == WSIMRT_DEVICE && memory->filled && !memory->imported &&
           !core.shared && memory->filled == version_of(memory) &&
           memcmp(&memory->fill, fill, sizeof *fill) == 0;
}

void repeat_filled(const struct wsimrt_fill *fill) {
    struct allocation *memory = memory_find(fill->to.address, 1);
    repeat_wrote(fill->to.address, 1);
    if (!memory)
        return;
    memory->fill = *fill;
    memory->filled = version_of(memory);
}

/* --- the launch --- */

static void forget(struct repeat *repeat) {
    wsim_report_free(repeat->report);
    free(repeat->memory);
    free(repeat->written);
    repeat->report = NULL;
    repeat->memory = NULL;
    repeat->written = NULL;
    repeat->n = 0;
    repeat->bytes = 0;
}

void repeat_free(struct repeat *repeat) {
    if (!repeat)
        return;
    forget(repeat);
    free(repeat->params);
    free(repeat);
}

static int is_same_launch(const struct repeat *repeat, const struct work *work) {
    const struct wsim_launch *a = &repeat->launch, *b = &work->is.launch.launch;
    return repeat->context == work->context && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0 &&
           memcmp(a->cluster, b->cluster, sizeof a->cluster) == 0 && a->shared == b->shared &&
           a->cooperative == b->cooperative && !a->primary && !b->primary && repeat->checked == work->is.launch.checked &&
           (!b->param_bytes || memcmp(repeat->params, b->params, b->param_bytes) == 0);
}

static int is_same_memory(const struct repeat *repeat) {
    if (!repeat->report || repeat->variables != core.variables)
        return 0;
    for (size_t i = 0; i < repeat->n; i++) {
        const struct seen *seen = &repeat->memory[i];
        const struct allocation *memory = memory_find(seen->base, 1);
        if (!memory || memory->id != seen->id || version_of(memory) != seen->version)
            return 0;
    }
    return 1;
}

/* Begins to look at another launch of the kernel. 0: no memory. */
static int begin_new(struct repeat *repeat, const struct work *work) {
    const struct wsim_launch *launch = &work->is.launch.launch;
    forget(repeat);
    if (!repeat->params)
        repeat->params = malloc(launch->param_bytes + 1u);
    if (!repeat->params)
        return 0;
    if (launch->param_bytes)
        memcpy(repeat->params, launch->params, launch->param_bytes);
    repeat->launch = *launch;
    repeat->context = work->context;
    repeat->checked = work->is.launch.checked;
    repeat->stage = NEW;
    repeat->tries = 0;
    return 1;
}

const struct wsim_report *repeat_begin(struct work *work) {
    struct repeat *repeat = work->is.launch.function->repeat;
    if (core.settings.seed || core.settings.runs_all || core.shared ||
        (look_is_on() && work->is.launch.function->wanted))
        return NULL;
    if (!repeat)
        repeat = work->is.launch.function->repeat = calloc(1, sizeof *repeat);
    if (!repeat)
        return NULL;
    if (!repeat->params || !is_same_launch(repeat, work)) {
        begin_new(repeat, work);
        return NULL;
    }
    if (repeat->stage == NEW)
        repeat->stage = AGAIN;
    if (repeat->stage == HOPELESS)
        return NULL;
    repeat->was = (uint8_t)is_same_memory(repeat);
    if (repeat->stage == FIXED && repeat->was)
        return repeat->report;
    repeat->stage = AGAIN;
    repeat->begun = core.versions;
    work->is.launch.launch.touched = 1;
    return NULL;
}

/* --- what it did --- */

/* Whether an instruction has inputs or outputs beside memory and parameters. */
static int is_open(const struct wsim_report *report) {
    static const char *const words[] = {"tex", "tld4", "su", "call", "nanosleep"};
    struct wsim_totals totals;
    struct wsim_line line;
    size_t size = 0;
    wsim_report_totals(report, &totals);
    wsim_report_output(report, &size);
    if (totals.clock || totals.order || size)
        return 1;
    for (size_t i = 0; wsim_report_line(report, i, &line); i++)
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
            if (strstr(line.opcode, ".tensor") ||
                (strncmp(line.opcode, words[k], strlen(words[k])) == 0 &&
                 strncmp(line.opcode, "sub", 3) != 0))
                return 1;
    return 0;
}

/* The allocations of all ranges, and the number of bytes written. 0: one of them is not the
 * kernel's alone, or there are too many bytes. */
static int list_memory(const struct wsim_report *report, struct repeat *to) {
    struct wsim_touched touched;
    uint64_t known = 0;
    for (size_t i = 0; wsim_report_touched(report, i, &touched); i++) {
        const struct allocation *memory;
        size_t k = 0;
        if (touched.kind != WSIM_TOUCHED_READ)
            to->bytes += touched.bytes;
        if (known && touched.address >= to->memory[to->n - 1].base &&
            touched.address + touched.bytes <= known)
            continue;
        memory = memory_find(touched.address, touched.bytes);
        if (!memory || to->bytes > MOST_BYTES || memory->imported ||
            (memory->kind != WSIMRT_DEVICE && memory->kind != WSIMRT_VARIABLE))
            return 0;
        while (k < to->n && to->memory[k].base != memory->base)
            k++;
        if (k < to->n)
            continue;
        if (to->n % 16 == 0 && (to->n & (to->n - 1)) == 0) {
            struct seen *grown = realloc(to->memory, (to->n ? 2 * to->n : 16) * sizeof *grown);
            if (!grown)
                return 0;
            to->memory = grown;
        }
        to->memory[to->n++] = (struct seen){memory->base, memory->id, version_of(memory)};
        known = memory->base + memory->bytes;
    }
    return 1;
}

/* Calls for each range that was written: its bytes are copied to `to`, or compared with it. */
static int each_written(const struct wsim_report *report, unsigned char *to, int compares) {
    struct wsim_touched touched;
    for (size_t i = 0; wsim_report_touched(report, i, &touched); i++) {
        const void *bytes = memory_host(touched.address);
        if (touched.kind == WSIM_TOUCHED_READ)
            continue;
        if (!compares)
            memcpy(to, bytes, (size_t)touched.bytes);
        else if (memcmp(to, bytes, (size_t)touched.bytes) != 0)
            return 0;
        to += touched.bytes;
    }
    return 1;
}

static int is_same_touched(const struct wsim_report *a, const struct wsim_report *b) {
    struct wsim_touched x, y;
    size_t i = 0;
    for (;; i++) {
        const int more = wsim_report_touched(a, i, &x);
        if (more != wsim_report_touched(b, i, &y))
            return 0;
        if (!more)
            return 1;
        if (x.address != y.address || x.bytes != y.bytes || x.kind != y.kind)
            return 0;
    }
}

/* Gives the written allocations a new version. */
static void write_versions(const struct wsim_report *report) {
    struct wsim_touched touched;
    for (size_t i = 0; wsim_report_touched(report, i, &touched); i++)
        if (touched.kind != WSIM_TOUCHED_READ)
            repeat_wrote(touched.address, touched.bytes);
}

/* Records what the launch left. 0: that is not possible. */
static int record(struct repeat *repeat, struct wsim_report *report) {
    forget(repeat);
    if (!list_memory(report, repeat))
        return 0;
    repeat->written = malloc((size_t)repeat->bytes + 1);
    if (!repeat->written)
        return 0;
    each_written(report, repeat->written, 0);
    repeat->variables = core.variables;
    repeat->report = report;
    return 1;
}

int repeat_end(struct work *work, struct wsim_report *report, int error) {
    struct repeat *repeat = work->is.launch.function->repeat;
    const int alone = repeat && repeat->begun == core.versions && !work->stuck;
    if (!work->is.launch.launch.touched) {
        wrote_anything();
        return 0;
    }
    if (!repeat || repeat->stage != AGAIN || !is_same_launch(repeat, work)) {
        write_versions(report);
        return 0;
    }
    if (error || !alone || is_open(report) || ++repeat->tries > TRIES) {
        write_versions(report);
        forget(repeat);
        repeat->stage = HOPELESS;
        return 0;
    }
    if (repeat->was && is_same_touched(repeat->report, report) &&
        each_written(report, repeat->written, 1)) {
        repeat->stage = FIXED; /* no byte has another value: versions stay */
        wsim_report_free(repeat->report);
        repeat->report = report;
        return 1;
    }
    write_versions(report);
    if (record(repeat, report))
        return 1;
    forget(repeat);
    repeat->stage = HOPELESS;
    return 0;
}
