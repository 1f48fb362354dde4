/* launch_round.c - a launch file on the GPU, several times. */
#include "launch.h"
#include "command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Guards around each buffer hold a byte that kernels seldom write. */
enum { GUARD = 4096, GUARD_BYTE = 0xc5 };

static int fail(const struct launch_run *run, const char *what, const char *why) {
    char text[512];
    snprintf(text, sizeof text, "%s: %s", run->path, what);
    return hw_fail(text, why);
}

static void say(struct launch_run *run, const char *name, const char *what) {
    printf("%s: %s: %s\n", run->path, name, what);
    run->problems++;
}

/* --- memory --- */

static uint64_t align_of(const struct wsim_launch_buffer *buffer) {
    return buffer->align > 256 ? buffer->align : 256;
}

/* The bytes of a buffer before the launches: those of its file, then its fill or, without one,
 * `other`. */
static void prepare(const struct wsim_launch_buffer *buffer, int other, uint8_t *bytes) {
    memset(bytes, buffer->fill >= 0 ? buffer->fill : other, (size_t)buffer->bytes);
    if (buffer->given_bytes)
        memcpy(bytes, buffer->given, (size_t)buffer->given_bytes);
}

static const char *make_buffer(struct launch_run *run, size_t i, int other) {
    const struct wsim_launch_buffer *buffer = &run->launch->buffers[i];
    const uint64_t align = align_of(buffer), room = buffer->bytes + 2 * GUARD + align;
    const char *why = hw_memory_make(room, &run->memory[i]);
    if (why)
        return why;
    run->address[i] = (run->memory[i] + GUARD + align - 1) / align * align;
    why = hw_memory_fill(run->memory[i], GUARD_BYTE, room);
    prepare(buffer, other, run->before[i]);
    return why || !buffer->bytes ? why
                                 : hw_memory_write(run->address[i], run->before[i], buffer->bytes);
}

static const char *write_symbol(const struct wsim_launch_symbol *symbol) {
    uint64_t address, bytes;
    const char *why = hw_module_symbol(symbol->name, &address, &bytes);
    if (!why && (symbol->bytes > bytes || symbol->given_bytes > bytes))
        return "the variable has fewer bytes";
    if (!why && symbol->fill >= 0 && symbol->bytes)
        why = hw_memory_fill(address, symbol->fill, symbol->bytes);
    return why || !symbol->given_bytes
               ? why
               : hw_memory_write(address, symbol->given, symbol->given_bytes);
}

/* --- launches --- */

static const char *patch(const struct launch_run *run, const struct wsim_launch_patch *patch,
                         uint8_t *value) {
    const uint64_t address = run->address[patch->buffer] + patch->offset;
    struct wsim_tensor tensor = patch->tensor;
    tensor.base = address;
    if (patch->is_map)
        return hw_tensor_encode(&tensor, value + patch->at);
    for (unsigned i = 0; i < 8; i++)
        value[patch->at + i] = (uint8_t)(address >> 8 * i);
    return NULL;
}

/* The bytes of an argument, aligned for any type. */
static void *fill_arg(const struct launch_run *run, const struct wsim_launch_arg *arg,
                      const char **why) {
    uint8_t *value = aligned_alloc(128, (arg->bytes / 128 + 1) * 128);
    if (!value) {
        *why = "out of memory";
        return NULL;
    }
    if (arg->bytes)
        memcpy(value, arg->value, arg->bytes);
    for (size_t i = 0; i < arg->npatches && !*why; i++)
        *why = patch(run, &arg->patches[i], value);
    return value;
}

static const char *run_one(const struct launch_run *run, const struct wsim_launch_one *one) {
    struct hw_grid grid = {.kernel = one->kernel, .shared = one->shared, .nargs = one->nargs};
    void **args = calloc(one->nargs + 1, sizeof *args);
    uint32_t *bytes = calloc(one->nargs + 1, sizeof *bytes);
    const char *why = args && bytes ? NULL : "out of memory";
    memcpy(grid.grid, one->grid, sizeof grid.grid);
    memcpy(grid.block, one->block, sizeof grid.block);
    memcpy(grid.cluster, one->cluster, sizeof grid.cluster);
    grid.cooperative = one->cooperative;
    for (size_t i = 0; i < one->nargs && !why; i++) {
        bytes[i] = one->args[i].bytes;
        args[i] = fill_arg(run, &one->args[i], &why);
    }
    grid.args = args;
    grid.bytes = bytes;
    if (!why)
        why = hw_grid_run(&grid);
    for (size_t i = 0; args && i < one->nargs; i++)
        free(args[i]);
    free(args);
    free(bytes);
    return why;
}

/* --- results --- */

/* Prints where bytes outside of a buffer changed. */
static const char *check_guards(struct launch_run *run, size_t i) {
    const struct wsim_launch_buffer *buffer = &run->launch->buffers[i];
    const uint64_t from[2] = {run->address[i] - GUARD, run->address[i] + buffer->bytes};
    uint8_t guard[GUARD];
    for (int side = 0; side < 2; side++) {
        const char *why = hw_memory_read(from[side], guard, sizeof guard);
        if (why)
            return why;
        for (unsigned k = 0; k < GUARD; k++)
            if (guard[k] != GUARD_BYTE) {
                char text[96];
                snprintf(text, sizeof text, "byte %lld was written, outside of it",
                         side ? (long long)(buffer->bytes + k) : (long long)k - GUARD);
                say(run, buffer->name, text);
                break;
            }
    }
    return NULL;
}

/* `*kept` has the bytes of the round before. Prints where the new bytes differ, then keeps them. */
static const char *keep(struct launch_run *run, const char *name, uint64_t address, uint64_t bytes,
                        unsigned round, uint8_t **kept) {
    uint8_t *now = malloc((size_t)bytes + 1);
    const char *why = !now ? "out of memory" : bytes ? hw_memory_read(address, now, bytes) : NULL;
    for (uint64_t k = 0; !why && round && k < bytes; k++)
        if (now[k] != (*kept)[k]) {
            char text[128];
            snprintf(text, sizeof text, "round %u: byte %llu is 0x%02x, and was 0x%02x", round,
                     (unsigned long long)k, now[k], (*kept)[k]);
            say(run, name, text);
            break;
        }
    free(*kept);
    *kept = now;
    return why;
}

/* Bytes that neither a file, a fill nor a kernel wrote differ in each round. They get the values of
 * the first round, so that rounds can be compared. */
static const char *keep_buffer(struct launch_run *run, size_t i, unsigned round) {
    const struct wsim_launch_buffer *buffer = &run->launch->buffers[i];
    uint8_t *was = run->after[i], *now = NULL;
    const char *why = keep(run, buffer->name, run->address[i], buffer->bytes, 0, &now);
    for (uint64_t k = 0; !why && round && k < buffer->bytes; k++) {
        const int untouched =
            buffer->fill < 0 && k >= buffer->given_bytes && now[k] == run->before[i][k];
        if (untouched)
            now[k] = was[k];
        else if (now[k] != was[k]) {
            char text[128];
            snprintf(text, sizeof text, "round %u: byte %llu is 0x%02x, and was 0x%02x", round,
                     (unsigned long long)k, now[k], was[k]);
            say(run, buffer->name, text);
            break;
        }
    }
    free(was);
    run->after[i] = now;
    return why;
}

static const char *keep_symbol(struct launch_run *run, size_t i, unsigned round) {
    const struct wsim_launch_expect *expect = &run->launch->expects[i];
    uint64_t address;
    const char *why = hw_module_symbol(expect->symbol, &address, &run->symbol_bytes[i]);
    return why ? why
               : keep(run, expect->name, address, run->symbol_bytes[i], round, &run->symbols[i]);
}

/* --- rounds --- */

static const char *load(const struct wsim_launch_parts *launch) {
    const char **texts = malloc(launch->nptx * sizeof *texts), *why;
    if (!texts)
        return "out of memory";
    for (size_t i = 0; i < launch->nptx; i++)
        texts[i] = (const char *)launch->ptx[i].bytes;
    why = hw_module_load(texts, launch->nptx);
    free(texts);
    return why;
}

static int before(struct launch_run *run, unsigned round) {
    const struct wsim_launch_parts *launch = run->launch;
    const char *why = load(launch);
    if (why)
        return fail(run, launch->ptx[0].name, why);
    for (size_t i = 0; i < launch->nbuffers; i++)
        if ((why = make_buffer(run, i, (int)(0x5b + 37 * round) & 0xff)))
            return fail(run, launch->buffers[i].name, why);
    for (size_t i = 0; i < launch->nsymbols; i++)
        if ((why = write_symbol(&launch->symbols[i])))
            return fail(run, launch->symbols[i].name, why);
    return 0;
}

static int launches(const struct launch_run *run) {
    for (size_t i = 0; i < run->launch->nlaunches; i++) {
        const char *why = run_one(run, &run->launch->launches[i]);
        char name[48];
        snprintf(name, sizeof name, "launches[%zu]", i);
        if (why)
            return fail(run, name, why);
    }
    return 0;
}

/* Runs the launches and keeps the lines that they print. */
static int printed(struct launch_run *run) {
    FILE *file = tmpfile();
    int out = -1, status;
    if (file && fflush(stdout) == 0 && (out = dup(STDOUT_FILENO)) >= 0 &&
        dup2(fileno(file), STDOUT_FILENO) >= 0) {
        status = launches(run);
        fflush(stdout);
        dup2(out, STDOUT_FILENO);
    } else
        status = fail(run, "standard output", strerror(errno));
    if (out >= 0)
        close(out);
    if (!status) {
        run->output_size = (size_t)lseek(fileno(file), 0, SEEK_END);
        free(run->output);
        run->output = malloc(run->output_size + 1);
        lseek(fileno(file), 0, SEEK_SET);
        if (!run->output ||
            read(fileno(file), run->output, run->output_size) != (ssize_t)run->output_size)
            status = fail(run, "standard output", "cannot be read again");
    }
    if (file)
        fclose(file);
    return status;
}

static int after(struct launch_run *run, unsigned round) {
    const struct wsim_launch_parts *launch = run->launch;
    const char *why;
    for (size_t i = 0; i < launch->nbuffers; i++)
        if ((why = check_guards(run, i)) || (why = keep_buffer(run, i, round)))
            return fail(run, launch->buffers[i].name, why);
    for (size_t i = 0; i < launch->nexpects; i++)
        if (launch->expects[i].symbol && (why = keep_symbol(run, i, round)))
            return fail(run, launch->expects[i].name, why);
    return 0;
}

static int allocate(struct launch_run *run) {
    const size_t n = run->launch->nbuffers + 1, m = run->launch->nexpects + 1;
    run->memory = calloc(n, sizeof *run->memory);
    run->address = calloc(n, sizeof *run->address);
    run->before = calloc(n, sizeof *run->before);
    run->after = calloc(n, sizeof *run->after);
    run->symbols = calloc(m, sizeof *run->symbols);
    run->symbol_bytes = calloc(m, sizeof *run->symbol_bytes);
    if (!run->memory || !run->address || !run->before || !run->after || !run->symbols ||
        !run->symbol_bytes)
        return fail(run, "memory", "there is none left");
    for (size_t i = 0; i < run->launch->nbuffers; i++) {
        run->before[i] = malloc((size_t)run->launch->buffers[i].bytes + 1);
        if (!run->before[i])
            return fail(run, run->launch->buffers[i].name, "out of memory");
    }
    return 0;
}

int launch_rounds(struct launch_run *run, unsigned rounds) {
    int status = allocate(run);
    for (unsigned round = 0; round < rounds && !status; round++) {
        status = before(run, round);
        if (!status)
            status = printed(run);
        if (!status)
            status = after(run, round);
        for (size_t i = 0; i < run->launch->nbuffers; i++) {
            if (run->memory[i])
                hw_memory_free(run->memory[i]);
            run->memory[i] = 0;
        }
    }
    return status;
}

void launch_release(struct launch_run *run) {
    for (size_t i = 0; run->before && run->after && i < run->launch->nbuffers; i++) {
        free(run->before[i]);
        free(run->after[i]);
    }
    for (size_t i = 0; run->symbols && i < run->launch->nexpects; i++)
        free(run->symbols[i]);
    free(run->memory);
    free(run->address);
    free(run->before);
    free(run->after);
    free(run->symbols);
    free(run->symbol_bytes);
    free(run->output);
}
