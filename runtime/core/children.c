/* Kernels that kernels launch: the memory of their runtime, and the work that its entries become.
 */
#include "children.h"
#include "graph.h"

#include <stdlib.h>
#include <string.h>

#define ENTRIES (UINT64_C(1) << 24)      /* bytes: more launches than a GPU holds */
#define MOST_PENDING (UINT64_C(1) << 16) /* kernels that launch themselves must not fill memory */

/* The PTX has these numbers. */
_Static_assert(sizeof(struct children_kernel) == 72, "the row of a kernel");
_Static_assert(offsetof(struct children_kernel, blocks) == 40, "its blocks");
_Static_assert(offsetof(struct children_memory, reserved_shared) == 116, "the memory");

static const char pointer_name[] = "wsim_device_runtime"; /* in the PTX */

enum { ATTRIBUTES = 256, MOST_ERROR = 1000, MOST_TEXTS_BYTES = 65536 };
enum {
    LIMIT_DEPTH = 3,
    DEVICE_VERSION = 6000
}; /* what a kernel on an H100 reads, with CUDA 13.0 */

struct children {
    uint64_t address;             /* of struct children_memory                                 */
    struct children_memory start; /* how a launch begins                                       */
    uint64_t kernels;             /* address of the table; `room` kernels fit                  */
    size_t room;
    const struct wsimrt_module *module; /* whose kernels it holds */
    const struct work *work;            /* that runs; NULL: none */
    uint64_t pending;                   /* launches that wait or run */
};

/* --- the memory of a context --- */

static int alloc(struct wsimrt_context *context, const void *bytes, size_t size, uint64_t *at) {
    struct wsim_diag diag;
    return !wsim_device_alloc(context->device, "launches of kernels", size, 0, at, &diag) &&
           (!bytes || !wsim_device_write(context->device, *at, bytes, size, &diag));
}

/* No entry is where all bytes are 0. */
static int clear(struct wsimrt_context *context, uint64_t entries, uint64_t bytes) {
    struct wsim_diag diag;
    return !wsim_device_fill(context->device, entries, 0, 1, bytes, &diag);
}

static int add_attributes(struct wsimrt_context *context, struct children_memory *start) {
    int32_t pairs[2 * ATTRIBUTES] = {0};
    start->n_attributes = ATTRIBUTES;
    for (int i = 1; i < ATTRIBUTES; i++)
        pairs[2 * i] = device_attribute(&pairs[2 * i + 1], i, context->ordinal);
    return alloc(context, pairs, sizeof pairs, &start->attributes);
}

static int add_limits(struct wsimrt_context *context, struct children_memory *start) {
    uint64_t limits[CORE_LIMITS];
    start->n_limits = CORE_LIMITS;
    for (unsigned i = 0; i < CORE_LIMITS; i++)
        limits[i] = i == LIMIT_DEPTH ? UINT64_MAX : context->limits[i];
    return alloc(context, limits, sizeof limits, &start->limits);
}

/* Puts a text behind others. */
static uint64_t add_text(char *texts, size_t *used, const char *text, uint64_t base) {
    const size_t bytes = strlen(text) + 1, at = *used;
    if (bytes > MOST_TEXTS_BYTES - at)
        return base;
    memcpy(texts + at, text, bytes);
    *used += bytes;
    return base + at;
}

/* Names and texts of errors; the last row is that of unknown ones. */
static int add_texts(struct wsimrt_context *context, struct children_memory *start) {
    struct children_text *rows = calloc(MOST_ERROR + 1, sizeof *rows);
    char *texts = calloc(1, MOST_TEXTS_BYTES);
    struct wsim_diag diag;
    size_t used = 0;
    uint64_t at = 0;
    int good = rows && texts && alloc(context, NULL, MOST_TEXTS_BYTES, &at);
    for (int error = 0; good && error <= MOST_ERROR; error++) {
        const char *name, *text;
        errors_text(error < MOST_ERROR ? error : -1, &name, &text);
        if (!name || !text)
            continue;
        rows[start->n_texts++] = (struct children_text){
            add_text(texts, &used, name, at), add_text(texts, &used, text, at), (uint32_t)error, 0};
    }
    good = good && !wsim_device_write(context->device, at, texts, MOST_TEXTS_BYTES, &diag) &&
           alloc(context, rows, (MOST_ERROR + 1) * sizeof *rows, &start->texts);
    free(rows);
    free(texts);
    return good;
}

static struct children *open(struct wsimrt_context *context) {
    struct children *made = context->children;
    struct children_memory *start;
    if (made)
        return made;
    made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    start = &made->start;
    start->room = ENTRIES;
    start->device = (uint32_t)context->ordinal;
    start->devices = (uint32_t)core.settings.devices;
    start->version = DEVICE_VERSION;
    start->binary = (uint32_t)device_capability();
    start->sm_shared = (uint32_t)wsim_arch_limit(core.settings.arch, WSIM_LIMIT_SM_SHARED);
    start->block_shared =
        (uint32_t)wsim_arch_limit(core.settings.arch, WSIM_LIMIT_BLOCK_SHARED_OPTIN);
    start->reserved_shared =
        (uint32_t)wsim_arch_limit(core.settings.arch, WSIM_LIMIT_BLOCK_SHARED_RESERVED);
    if (!alloc(context, NULL, ENTRIES, &start->entries) ||
        !clear(context, start->entries, ENTRIES) || !add_attributes(context, start) ||
        !add_limits(context, start) || !add_texts(context, start) ||
        !alloc(context, start, sizeof *start, &made->address)) {
        free(made);
        return NULL;
    }
    context->children = made;
    return made;
}

void children_free(struct wsimrt_context *context) {
    free(context->children); /* the device frees its memory */
}

/* --- before a launch --- */

static void add_blocks(struct children_kernel *row) {
    for (uint32_t warps = 1; warps <= sizeof row->blocks; warps++) {
        struct wsim_occupancy occupancy;
        struct wsim_diag diag;
        if (!wsim_arch_occupancy(core.settings.arch, warps * WSIM_LANES, row->registers, 0,
                                 &occupancy, &diag))
            row->blocks[warps - 1] = (uint8_t)occupancy.blocks;
    }
}

/* The kernels of a module, which it may launch. */
static int list_kernels(struct wsimrt_context *context, struct children *children,
                        struct wsimrt_module *module) {
    struct wsim_module_info info;
    struct children_kernel *rows;
    struct wsim_diag diag;
    int good;
    if (children->module == module)
        return 1;
    wsim_module_describe(module->module, &info);
    rows = calloc(info.kernels + 1, sizeof *rows);
    good = rows != NULL;
    for (size_t i = 0; good && i < info.kernels; i++) {
        struct wsimrt_function *function;
        struct wsim_kernel_info kernel;
        good = !module_kernel(module, wsim_module_kernel(module->module, i), &function);
        if (!good)
            break;
        wsim_kernel_describe(function->kernel, &kernel);
        rows[i] = (struct children_kernel){.address = kernel.address,
                                           .params = kernel.param_bytes,
                                           .threads = module_threads(function),
                                           .shared = (uint32_t)function->dynamic_shared,
                                           .fixed = function->info.shared,
                                           .constant = function->info.constant,
                                           .local = function->info.local,
                                           .registers = module_registers(function),
                                           .ptx = (uint32_t)function->ptx_version};
        add_blocks(&rows[i]);
    }
    if (good && info.kernels > children->room) {
        if (children->kernels)
            wsim_device_release(context->device, children->kernels, NULL);
        children->room = 0;
        good = alloc(context, NULL, info.kernels * sizeof *rows, &children->kernels);
        children->room = good ? info.kernels : 0;
    }
    good = good && (!info.kernels || !wsim_device_write(context->device, children->kernels, rows,
                                                        info.kernels * sizeof *rows, &diag));
    free(rows);
    children->start.kernels = children->kernels;
    children->start.n_kernels = (uint32_t)info.kernels;
    children->module = good ? module : NULL;
    return good;
}

int children_begin(struct work *work) {
    struct wsimrt_context *const context = work->context;
    struct wsimrt_module *const module = work->is.launch.function->module;
    struct children *children;
    struct wsim_diag diag;
    uint64_t pointer, bytes;
    if (!module->children)
        return 1;
    children = open(context);
    if (!children)
        return -1;
    if (children->work && children->work != work)
        return 0;
    if (!list_kernels(context, children, module) ||
        wsim_device_symbol(context->device, module->module, pointer_name, &pointer, &bytes,
                           &diag) ||
        wsim_device_write(context->device, pointer, &children->address, sizeof children->address,
                          &diag) ||
        wsim_device_write(context->device, children->address, &children->start,
                          sizeof children->start, &diag))
        return -1;
    children->work = work;
    return 1;
}

/* --- after it --- */

/* A copy or fill: to, from, width, height, and the pitches of both. */
static int make_move(struct work *parent, const struct children_entry *entry, struct work **made) {
    uint64_t given[6];
    const int fills = entry->what == CHILDREN_FILL;
    if (entry->bytes < sizeof *entry + sizeof given)
        return WSIMRT_INVALID_VALUE;
    memcpy(given, entry + 1, sizeof given);
    if (!given[2] || !given[3])
        return 0;
    *made = work_make(parent->stream, fills ? &work_fill : &work_copy, 0);
    if (!*made)
        return WSIMRT_OUT_OF_MEMORY;
    if (fills)
        (*made)->is.fill = (struct wsimrt_fill){.to = {given[0], given[4], 0},
                                                .width = given[2],
                                                .height = given[3],
                                                .depth = 1,
                                                .value = (uint32_t)given[1] & 255,
                                                .size = 1};
    else
        (*made)->is.copy = (struct wsimrt_copy){.to = {given[0], given[4], 0},
                                                .from = {given[1], given[5], 0},
                                                .width = given[2],
                                                .height = given[3],
                                                .depth = 1};
    return 0;
}

/* The nodes of a graph, if the kernel is one of a graph that may launch others. */
static int launch_graph(const struct work *parent, const struct children_entry *entry,
                        struct work ***at) {
    struct wsimrt_exec *exec = NULL;
    if (entry->bytes < sizeof *entry + sizeof exec)
        return WSIMRT_INVALID_VALUE;
    memcpy(&exec, entry + 1, sizeof exec);
    return parent->is.launch.expand ? parent->is.launch.expand(exec, parent->stream, at) : 0;
}

struct asked {
    const struct children_entry *entry;
    uint8_t tail, named; /* a stream that the kernel made */
};

/* Launches for the tail come last. Blocks in ascending order, unless they may share streams. */
static int compare(const void *a, const void *b) {
    const struct asked *x = a, *y = b;
    if (x->tail != y->tail)
        return x->tail ? 1 : -1;
    if (!x->named && x->entry->from != y->entry->from)
        return x->entry->from < y->entry->from ? -1 : 1;
    return x->entry->sequence < y->entry->sequence ? -1 : 1;
}

/* The entries that were launched, sorted. A damaged one ends the list. */
static struct asked *sort(const unsigned char *bytes, uint64_t used, size_t *n) {
    struct asked *list = malloc((used / sizeof(struct children_entry) + 1) * sizeof *list);
    uint8_t named = 0;
    *n = 0;
    for (uint64_t at = 0; list && at + sizeof(struct children_entry) <= used;) {
        const struct children_entry *entry = (const void *)(bytes + at);
        if (entry->bytes < sizeof *entry || entry->bytes > used - at || entry->bytes % 16)
            break;
        if (entry->begun == 1)
            list[(*n)++] = (struct asked){.entry = entry, .tail = entry->stream == CHILDREN_TAIL};
        named |= entry->stream > CHILDREN_FORGET;
        at += entry->bytes;
    }
    for (size_t i = 0; list && i < *n; i++)
        list[i].named = named;
    if (list)
        qsort(list, *n, sizeof *list, compare);
    return list;
}

static int collect(struct work *work, const unsigned char *bytes, uint64_t used,
                   children_launch *launch, struct work ***at) {
    struct children *const children = work->context->children;
    size_t n;
    struct asked *list = sort(bytes, used, &n);
    int error = list ? 0 : WSIMRT_OUT_OF_MEMORY;
    for (size_t i = 0; i < n && !error; i++) {
        const struct children_entry *entry = list[i].entry;
        const int moves = entry->what == CHILDREN_COPY || entry->what == CHILDREN_FILL;
        struct work *made = NULL;
        if (entry->what == CHILDREN_GRAPH)
            error = launch_graph(work, entry, at);
        else if (children->pending == MOST_PENDING)
            error = WSIMRT_LAUNCH_OUT_OF_RESOURCES;
        else
            error = moves ? make_move(work, entry, &made) : launch(work, entry, &made);
        if (!made)
            continue;
        if (!moves) {
            made->is.launch.child = 1;
            children->pending++;
        }
        **at = made;
        *at = &made->next;
    }
    free(list);
    return error;
}

int children_end(struct work *work, children_launch *launch, struct work **list) {
    struct wsimrt_context *const context = work->context;
    struct children *const children = context->children;
    struct children_memory now;
    unsigned char *bytes = NULL;
    struct wsim_diag diag;
    int error;
    *list = NULL;
    if (!children || children->work != work)
        return 0;
    children->work = NULL;
    error =
        core_error(wsim_device_read(context->device, children->address, &now, sizeof now, &diag));
    if (error || !now.used)
        return error;
    now.used = now.used < ENTRIES ? now.used : ENTRIES;
    bytes = malloc(now.used);
    error = bytes ? core_error(wsim_device_read(context->device, children->start.entries, bytes,
                                                now.used, &diag))
                  : WSIMRT_OUT_OF_MEMORY;
    error = error ? error : collect(work, bytes, now.used, launch, &list);
    if (!error && !clear(context, children->start.entries, now.used))
        error = WSIMRT_OUT_OF_MEMORY;
    free(bytes);
    return error;
}

void children_drop(struct work *work) {
    struct children *const children = work->context->children;
    if (work->is.launch.child)
        children->pending--;
    work->is.launch.child = 0;
    if (children && children->work == work)
        children->work = NULL;
}
