/* A launch file on a device: what memory holds before, parameters, one report a launch; see
 * <wsim/harness/launch.h>. */
#include "file.h"

#include <stdlib.h>
#include <string.h>

struct one {
    const struct wsim_kernel *kernel;
    struct wsim_kernel_info info;
    uint8_t *params;
    struct wsim_report *report;
};

struct wsim_session {
    const struct wsim_launch_file *file;
    const struct wsim_launch_parts *parts;
    struct wsim_launch_options options;
    const struct wsim_arch *arch;
    struct wsim_module *module;
    struct wsim_device *device;
    uint64_t *address; /* of each buffer */
    struct one *launches;
    size_t ran, part;
    uint64_t first, units; /* the part of the grid of launch `part` */
    int stopped;
};

/* --- the module --- */

static enum wsim_status load(struct wsim_session *session, const char **ptx,
                             struct wsim_diag *diag) {
    const struct wsim_launch_parts *parts = session->parts;
    struct wsim_text *texts = calloc(parts->nptx, sizeof *texts);
    enum wsim_status status;
    size_t wrong = 0;
    if (!texts)
        return lf_no_memory(diag);
    for (size_t i = 0; i < parts->nptx; i++)
        texts[i] = (struct wsim_text){parts->ptx[i].name, parts->ptx[i].bytes,
                                      (size_t)parts->ptx[i].size, session->options.machine};
    status = wsim_module_link(texts, parts->nptx, session->options.flags, &session->module, &wrong,
                              diag);
    free(texts);
    if (status)
        *ptx = parts->ptx[wrong].name;
    return status;
}

/* Whether a launched kernel has problems; those outside of functions concern all kernels. Illegal
 * instructions come first. */
static enum wsim_status check_problems(const struct wsim_session *session, const char **ptx,
                                       struct wsim_diag *diag) {
    struct wsim_problem problem, first = {.status = WSIM_OK};
    int has = 0;
    for (size_t i = 0; i < session->parts->nlaunches; i++)
        has |= session->launches[i].info.problems > 0;
    for (size_t i = 0; wsim_module_problem(session->module, i, &problem); i++)
        if ((has || !problem.kernel) && (!first.status || (first.status == WSIM_UNMODELLED &&
                                                           problem.status != WSIM_UNMODELLED)))
            first = problem;
    if (!first.status)
        return WSIM_OK;
    *ptx = first.file ? first.file : session->parts->ptx[0].name;
    first.status = base_refuse(diag,
                               first.status == WSIM_UNMODELLED ? RULE_LAUNCH_KERNEL_UNMODELLED
                                                               : RULE_LAUNCH_KERNEL_ILLEGAL,
                               first.col, "%s", first.text);
    if (diag)
        diag->line = first.line;
    return first.status;
}

/* The architecture of the PTX or, of a target older than all that are known, the first that runs
 * it, as a driver does. */
static const struct wsim_arch *arch_of(const char *target) {
    const struct wsim_arch *arch = wsim_arch_find(target), *best = NULL;
    const unsigned wanted = wsim_target_number(target);
    for (size_t i = 0; !arch && wanted && wsim_arch_at(i); i++) {
        const unsigned number = wsim_target_number(wsim_arch_name(wsim_arch_at(i)));
        if (number >= wanted && (!best || number < wsim_target_number(wsim_arch_name(best))))
            best = wsim_arch_at(i);
    }
    return arch ? arch : best;
}

static enum wsim_status choose_arch(struct wsim_session *session, struct wsim_diag *diag) {
    struct wsim_module_info info;
    session->arch = session->parts->arch;
    if (session->arch)
        return WSIM_OK;
    wsim_module_describe(session->module, &info);
    session->arch = info.target ? arch_of(info.target) : NULL;
    return session->arch
               ? WSIM_OK
               : lf_refuse(diag, &session->file->sources[0].root, RULE_LAUNCH_NAME_UNKNOWN,
                           "%s: unknown target '%s': name an architecture with arch",
                           lf_cut(session->parts->ptx[0].name).text,
                           info.target ? lf_cut(info.target).text : "");
}

/* --- kernels and arguments --- */

static const struct lf_node *child_of(const struct lf_node *up, size_t index) {
    const struct lf_node *one = up ? up->first : NULL;
    while (one && index-- > 0)
        one = one->next;
    return one;
}

/* The place of an argument, or of the launch. */
static const struct lf_node *arg_at(const struct wsim_session *session, size_t launch, size_t arg) {
    const struct lf_node *at = session->file->launch_at[launch];
    const struct lf_node *found = child_of(lf_member(at, "args"), arg);
    return found ? found : at;
}

static enum wsim_status find_kernel(struct wsim_session *session, size_t index,
                                    struct wsim_diag *diag) {
    const struct lf_node *at = session->file->launch_at[index], *name = lf_member(at, "kernel");
    struct one *one = &session->launches[index];
    enum wsim_status status =
        lf_kernel(session->module, session->parts->launches[index].kernel, session->options.partial,
                  name ? name : at, &one->kernel, diag);
    if (!status)
        wsim_kernel_describe(one->kernel, &one->info);
    return status;
}

struct types {
    char text[96];
};

/* ": f32, u64 ..." of the parameters of a kernel, as many as there is room for. */
static struct types types_of(const struct wsim_kernel *kernel) {
    struct types types = {""};
    struct base_text text = {types.text, sizeof types.text, 0};
    struct wsim_kernel_param param;
    for (size_t i = 0; wsim_kernel_param_at(kernel, i, &param); i++) {
        if (text.used + strlen(param.type) + sizeof ", , ..." > sizeof types.text) {
            base_put(&text, ", ...");
            break;
        }
        base_put(&text, "%s%s", i ? ", " : ": ", param.type);
    }
    return types;
}

static enum wsim_status check_args(const struct wsim_session *session, size_t index,
                                   struct wsim_diag *diag) {
    const struct wsim_launch_one *from = &session->parts->launches[index];
    const struct one *one = &session->launches[index];
    const struct lf_node *at = session->file->launch_at[index];
    struct wsim_kernel_param param;
    if (from->nargs != one->info.params)
        return lf_refuse(diag, from->nargs ? lf_member(at, "args") : at, RULE_LAUNCH_PARAMS_SIZE,
                         "%zu argument%s for kernel %s, which has %zu parameter%s%s", from->nargs,
                         from->nargs == 1 ? "" : "s", lf_cut(one->info.name).text, one->info.params,
                         one->info.params == 1 ? "" : "s", types_of(one->kernel).text);
    for (size_t i = 0; i < from->nargs; i++) {
        const uint32_t bytes = from->args[i].bytes;
        wsim_kernel_param_at(one->kernel, i, &param);
        if (bytes != param.bytes)
            return lf_refuse(diag, arg_at(session, index, i), RULE_LAUNCH_PARAMS_SIZE,
                             "the argument has %u byte%s, parameter %s (%s) has %u",
                             (unsigned)bytes, bytes == 1 ? "" : "s", lf_cut(param.name).text,
                             param.type, (unsigned)param.bytes);
    }
    return WSIM_OK;
}

static enum wsim_status make(struct wsim_session *session, const char **ptx,
                             struct wsim_diag *diag) {
    const size_t n = session->parts->nlaunches;
    enum wsim_status status;
    session->launches = calloc(n, sizeof *session->launches);
    session->address = calloc(session->parts->nbuffers + 1, sizeof *session->address);
    if (!session->launches || !session->address)
        return lf_no_memory(diag);
    status = load(session, ptx, diag);
    for (size_t i = 0; i < n && !status; i++)
        status = find_kernel(session, i, diag);
    if (!status)
        status = check_problems(session, ptx, diag);
    if (!status)
        status = choose_arch(session, diag);
    for (size_t i = 0; i < n && !status; i++)
        status = check_args(session, i, diag);
    return status;
}

enum wsim_status wsim_session_make(const struct wsim_launch_file *file,
                                   const struct wsim_launch_options *options,
                                   struct wsim_session **session, const char **ptx,
                                   struct wsim_diag *diag) {
    struct wsim_session *made = calloc(1, sizeof *made);
    const char *unused, **name = ptx ? ptx : &unused;
    enum wsim_status status;
    *session = NULL;
    *name = NULL;
    if (!made)
        return lf_no_memory(diag);
    made->file = file;
    made->parts = &file->parts;
    made->options = *options;
    status = make(made, name, diag);
    if (status && !((status == WSIM_UNMODELLED || status == WSIM_ILLEGAL) && made->module))
        wsim_session_free(made);
    else
        *session = made;
    return status;
}

/* Gives back the device and all that belongs to one run. */
static void drop_run(struct wsim_session *session) {
    for (size_t i = 0; session->launches && i < session->parts->nlaunches; i++) {
        free(session->launches[i].params);
        wsim_report_free(session->launches[i].report);
        session->launches[i].params = NULL;
        session->launches[i].report = NULL;
    }
    wsim_device_free(session->device);
    session->device = NULL;
    session->ran = 0;
    session->stopped = 0;
}

void wsim_session_free(struct wsim_session *session) {
    if (!session)
        return;
    drop_run(session);
    wsim_module_free(session->module);
    free(session->launches);
    free(session->address);
    free(session);
}

/* --- memory --- */

/* Writes the bytes of a file, then those of a fill. */
static enum wsim_status write_bytes(struct wsim_session *session, const struct lf_node *at,
                                    uint64_t address, uint64_t bytes, const void *given,
                                    uint64_t given_bytes, int fill, struct wsim_diag *diag) {
    struct wsim_diag why;
    if (given_bytes && wsim_device_write(session->device, address, given, given_bytes, &why))
        return lf_repeat(diag, at, &why);
    if (fill >= 0 && bytes > given_bytes &&
        wsim_device_fill(session->device, address + given_bytes, (uint64_t)fill, 1,
                         bytes - given_bytes, &why))
        return lf_repeat(diag, at, &why);
    return WSIM_OK;
}

static enum wsim_status fill_buffer(struct wsim_session *session, size_t index,
                                    struct wsim_diag *diag) {
    const struct wsim_launch_buffer *buffer = &session->parts->buffers[index];
    const struct lf_node *at = session->file->buffer_at[index];
    struct wsim_diag why;
    if (wsim_device_alloc(session->device, buffer->name, buffer->bytes, buffer->align,
                          &session->address[index], &why))
        return lf_repeat(diag, at, &why);
    return write_bytes(session, at, session->address[index], buffer->bytes, buffer->given,
                       buffer->given_bytes, buffer->fill, diag);
}

static enum wsim_status fill_symbol(struct wsim_session *session, size_t index,
                                    struct wsim_diag *diag) {
    const struct wsim_launch_symbol *symbol = &session->parts->symbols[index];
    const struct lf_node *at = session->file->symbol_at[index];
    uint64_t address, bytes;
    struct wsim_diag why;
    if (wsim_device_symbol(session->device, session->module, symbol->name, &address, &bytes, &why))
        return lf_repeat(diag, at, &why);
    if (symbol->bytes > bytes)
        return lf_refuse(diag, at, RULE_LAUNCH_FILE_SIZE, "%llu bytes: the variable has %llu",
                         (unsigned long long)symbol->bytes, (unsigned long long)bytes);
    return write_bytes(session, at, address, symbol->bytes, symbol->given, symbol->given_bytes,
                       symbol->fill, diag);
}

/* A further text is none that the caller of a session knows: a refusal has no line then. */
static enum wsim_status without_place(const struct lf_node *at, struct wsim_diag *diag,
                                      enum wsim_status status) {
    while (at->up)
        at = at->up;
    if (diag && at->index)
        diag->line = diag->col = 0;
    return status;
}

/* The address of the bytes that an expectation compares. */
static enum wsim_status find_expected(const struct wsim_session *session, size_t index,
                                      uint64_t *address, struct wsim_diag *diag) {
    const struct wsim_launch_expect *expect = &session->parts->expects[index];
    const struct lf_node *at = session->file->expect_at[index];
    struct wsim_diag why;
    uint64_t bytes;
    if (!expect->symbol) {
        *address = session->address[expect->buffer];
        return WSIM_OK;
    }
    if (wsim_device_symbol(session->device, session->module, expect->symbol, address, &bytes, &why))
        return without_place(at, diag, lf_repeat(diag, at, &why));
    if (bytes == expect->size)
        return WSIM_OK;
    return without_place(at, diag,
                         lf_refuse(diag, at, RULE_LAUNCH_FILE_SIZE,
                                   "%llu bytes are expected: the variable has %llu",
                                   (unsigned long long)expect->size, (unsigned long long)bytes));
}

/* --- parameters --- */

static enum wsim_status put_map(const struct wsim_session *session,
                                const struct wsim_launch_patch *patch, uint64_t base, uint8_t *to,
                                struct wsim_diag *diag) {
    struct wsim_tensor tensor = patch->tensor;
    struct wsim_tensor_map map;
    enum wsim_status status;
    tensor.base = base;
    status = wsim_tensor_encode(&tensor, session->arch, &map, diag);
    if (!status)
        memcpy(to, &map, sizeof map);
    return status;
}

static enum wsim_status put_arg(const struct wsim_session *session,
                                const struct wsim_launch_arg *arg, uint8_t *to,
                                struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    memcpy(to, arg->value, arg->bytes);
    for (size_t i = 0; i < arg->npatches && !status; i++) {
        const struct wsim_launch_patch *patch = &arg->patches[i];
        const uint64_t address = session->address[patch->buffer] + patch->offset;
        if (patch->is_map)
            status = put_map(session, patch, address, to + patch->at, diag);
        for (int byte = 0; byte < 8 && !patch->is_map; byte++)
            to[patch->at + (unsigned)byte] = (uint8_t)(address >> 8 * byte);
    }
    return status;
}

static enum wsim_status put_args(struct wsim_session *session, size_t index,
                                 struct wsim_diag *diag) {
    const struct wsim_launch_one *from = &session->parts->launches[index];
    struct one *one = &session->launches[index];
    one->params = calloc(one->info.param_bytes + 1, 1);
    if (!one->params)
        return lf_no_memory(diag);
    for (size_t i = 0; i < from->nargs; i++) {
        struct wsim_kernel_param param;
        struct wsim_diag why;
        wsim_kernel_param_at(one->kernel, i, &param);
        if (put_arg(session, &from->args[i], one->params + param.offset, &why))
            return lf_repeat(diag, arg_at(session, index, i), &why);
    }
    return WSIM_OK;
}

enum wsim_status wsim_session_fill(struct wsim_session *session, struct wsim_diag *diag) {
    const struct wsim_launch_parts *parts = session->parts;
    enum wsim_status status;
    uint64_t unused;
    drop_run(session);
    status = wsim_device_make(session->arch, &session->device, diag);
    if (!status && session->options.variables)
        wsim_device_limit_variables(session->device, session->options.variables);
    for (size_t i = 0; i < parts->nbuffers && !status; i++)
        status = fill_buffer(session, i, diag);
    for (size_t i = 0; i < parts->nsymbols && !status; i++)
        status = fill_symbol(session, i, diag);
    for (size_t i = 0; i < parts->nexpects && !status; i++)
        status = find_expected(session, i, &unused, diag);
    for (size_t i = 0; i < parts->nlaunches && !status; i++)
        status = put_args(session, i, diag);
    return status;
}

/* --- running --- */

void wsim_session_describe(const struct wsim_session *session, size_t index,
                           struct wsim_launch *out) {
    const struct wsim_launch_one *from = &session->parts->launches[index];
    const struct wsim_launch_options *options = &session->options;
    const struct one *one = &session->launches[index];
    *out = (struct wsim_launch){.kernel = one->kernel,
                                .shared = from->shared,
                                .cooperative = from->cooperative,
                                .params = one->params,
                                .param_bytes = one->info.param_bytes,
                                .checks = options->checks,
                                .count = 1,
                                .async = options->async,
                                .seed = options->seed,
                                .threads = options->threads,
                                .max_instructions = options->max_instructions,
                                .look = options->look,
                                .first = index == session->part ? session->first : 0,
                                .units = index == session->part ? session->units : 0};
    memcpy(out->grid, from->grid, sizeof out->grid);
    memcpy(out->block, from->block, sizeof out->block);
    for (int i = 0; i < 3 && from->unsized && one->info.reqntid[0]; i++)
        out->block[i] = one->info.reqntid[i] ? one->info.reqntid[i] : 1;
    memcpy(out->cluster, from->cluster, sizeof out->cluster);
}

void wsim_session_part(struct wsim_session *session, size_t launch, uint64_t first,
                       uint64_t units) {
    session->part = launch;
    session->first = first;
    session->units = units;
}

enum wsim_status wsim_session_check(const struct wsim_session *session, struct wsim_diag *diag) {
    for (size_t i = 0; i < session->parts->nlaunches; i++) {
        struct wsim_launch launch;
        struct wsim_diag why;
        wsim_session_describe(session, i, &launch);
        if (wsim_launch_check(session->device, session->module, &launch, &why))
            return lf_repeat(diag, session->file->launch_at[i], &why);
    }
    return WSIM_OK;
}

static int report_progress(void *context, uint64_t done, uint64_t all) {
    const struct wsim_session *session = context;
    return session->options.progress(session->options.context, session->ran, done, all);
}

/* A launch that cannot begin is an error of the file; one that stops has a finding. */
enum wsim_status wsim_session_run(struct wsim_session *session, struct wsim_diag *diag) {
    struct one *one = &session->launches[session->ran];
    struct wsim_totals totals = {0};
    struct wsim_launch launch;
    struct wsim_diag why;
    enum wsim_status status;
    wsim_session_describe(session, session->ran, &launch);
    if (session->options.progress) {
        launch.progress = report_progress;
        launch.context = session;
    }
    wsim_report_free(one->report);
    status = wsim_launch_run(session->device, session->module, &launch, &one->report, &why);
    if (one->report)
        wsim_report_totals(one->report, &totals);
    if (status == WSIM_NO_MEMORY || (status && !totals.findings))
        return lf_repeat(diag, session->file->launch_at[session->ran], &why);
    session->stopped = status != WSIM_OK;
    session->ran++;
    return WSIM_OK;
}

/* --- results --- */

size_t wsim_session_ran(const struct wsim_session *session) {
    return session->ran;
}

int wsim_session_stopped(const struct wsim_session *session) {
    return session->stopped;
}

const struct wsim_report *wsim_session_report(const struct wsim_session *session, size_t launch) {
    return session->launches[launch].report;
}

const struct wsim_kernel *wsim_session_kernel(const struct wsim_session *session, size_t launch) {
    return session->launches[launch].kernel;
}

struct wsim_module *wsim_session_module(const struct wsim_session *session) {
    return session->module;
}

struct wsim_device *wsim_session_device(const struct wsim_session *session) {
    return session->device;
}

const struct wsim_arch *wsim_session_arch(const struct wsim_session *session) {
    return session->arch;
}

uint64_t wsim_session_address(const struct wsim_session *session, size_t buffer) {
    return session->address[buffer];
}

uint64_t wsim_launch_counter_of(const struct wsim_totals *totals,
                                enum wsim_launch_counter counter) {
    const struct wsim_shared_counts *const kinds[] = {&totals->ld, &totals->st, &totals->atom};
    const struct wsim_shared_counts *kind;
    if (counter >= WSIM_LAUNCH_SASS_LD_WAVEFRONTS)
        return kinds[counter - WSIM_LAUNCH_SASS_LD_WAVEFRONTS]->wavefronts;
    kind = kinds[counter / 2];
    return counter % 2 ? kind->conflicts : kind->wavefronts;
}

int wsim_launch_counter_differs(const struct wsim_launch_one *one, const struct wsim_totals *totals,
                                enum wsim_launch_counter counter) {
    const unsigned kind = 2 * (unsigned)(counter - WSIM_LAUNCH_SASS_LD_WAVEFRONTS);
    const uint64_t got = wsim_launch_counter_of(totals, counter);
    if (one->counted[counter] != 1 || got == one->counter[counter])
        return 0;
    return counter < WSIM_LAUNCH_SASS_LD_WAVEFRONTS || one->counted[kind] != 2 ||
           got != one->counter[kind];
}

enum wsim_status wsim_session_compare(struct wsim_session *session, size_t index,
                                      struct wsim_launch_comparison *out, struct wsim_diag *diag) {
    const struct wsim_launch_expect *expect = &session->parts->expects[index];
    uint64_t address;
    uint8_t *got;
    enum wsim_status status = find_expected(session, index, &address, diag);
    if (status)
        return status;
    got = expect->size < SIZE_MAX / 2 ? malloc((size_t)expect->size + 1) : NULL;
    if (!got)
        return lf_no_memory(diag);
    if (expect->size)
        status = wsim_device_read(session->device, address, got, expect->size, diag);
    if (!status)
        wsim_launch_compare(expect->bytes, got, expect->size, &expect->limits, out);
    free(got);
    return status;
}
