/* Order of work in streams; see order.h. */
#include "order.h"
#include "api.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_WORK = 1024,      /* that is remembered */
    MOST_RANGES = 1 << 16, /* of one piece of work */
    MOST_ROWS = 4096       /* of a box */
};

/* --- clocks --- */

static void join(struct clock *to, const struct clock *from) {
    for (unsigned i = 0; i < CORE_CLOCKS; i++)
        if (from->at[i] > to->at[i])
            to->at[i] = from->at[i];
}

/* Whether one piece of work is over before the other begins. */
static int is_before(const struct stamp *first, const struct stamp *second) {
    return second->clock.at[first->slot] >= first->clock.at[first->slot];
}

int order_is_known(const struct stamp *stamp) {
    return core.order.known.at[stamp->slot] >= stamp->clock.at[stamp->slot];
}

void order_open(struct wsimrt_stream *stream) {
    unsigned slot = 0;
    while (slot < CORE_CLOCKS && core.order.used >> slot & 1)
        slot++;
    if (slot == CORE_CLOCKS) {
        core.order.off = 1; /* more streams than clocks count */
        slot = 0;
    }
    core.order.used |= UINT64_C(1) << slot;
    stream->slot = (uint8_t)slot;
    stream->number = stream->context->legacy ? ++core.order.streams : 0;
    stream->clock = core.order.known;
    core.order.on |= stream->context->legacy != NULL;
}

static void drop_primary(struct wsimrt_stream *stream) {
    free(stream->primary);
    stream->primary = NULL;
    stream->n_primary = 0;
}

void order_close(struct wsimrt_stream *stream) {
    drop_primary(stream);
    core.order.used &= ~(UINT64_C(1) << stream->slot);
}

void order_host(void) {
    core.order.on = 1;
}

void order_graph(void) {
    core.order.on = 1;
    core.order.graphs++;
}

int order_is_on(void) {
    return core.order.on && !core.order.off && core.settings.checks & CHECK_API;
}

/* --- launches that begin early --- */

void order_depends(void) {
    core.order.depends = 1;
}

int order_is_touched(void) {
    return order_is_on() || core.order.depends;
}

void order_primary(struct work *work) {
    if (!work->is.launch.dependent)
        return;
    work->is.launch.launch.primary = work->stream->primary;
    work->is.launch.launch.n_primary = work->stream->n_primary;
}

static int compare_ranges(const void *a, const void *b) {
    const struct wsim_touched *const x = a, *const y = b;
    return x->kind != y->kind         ? x->kind - y->kind
           : x->address != y->address ? (x->address > y->address) - (x->address < y->address)
                                      : 0;
}

/* Sorts ranges by kind and address, and joins those that overlap. Returns how many are left. */
static size_t join_ranges(struct wsim_touched *ranges, size_t n) {
    size_t left = 0;
    qsort(ranges, n, sizeof *ranges, compare_ranges);
    for (size_t i = 0; i < n; i++) {
        struct wsim_touched *last = &ranges[left ? left - 1 : 0];
        const uint64_t end = ranges[i].address + ranges[i].bytes;
        if (!left || last->kind != ranges[i].kind ||
            last->address + last->bytes < ranges[i].address)
            ranges[left++] = ranges[i];
        else if (end > last->address + last->bytes)
            last->bytes = end - last->address;
    }
    return left;
}

/* Kernels before a kernel that did not wait for them may still run when it has ended. Launches
 * without the race check count as if they had waited. Returns how many ranges follow `to`. */
static size_t keep_beyond(const struct work *work, const struct wsim_report *report,
                          struct wsim_touched *to) {
    const struct wsim_launch *const launch = &work->is.launch.launch;
    const int waited = wsim_report_waited(report);
    size_t n = 0;
    for (size_t i = 0; i < launch->n_primary && launch->checks & WSIM_CHECK_RACE; i++) {
        const int beyond = launch->primary[i].kind >= WSIM_TOUCHED_KINDS;
        if (waited && !beyond)
            continue;
        to[n] = launch->primary[i];
        to[n++].kind += beyond ? 0 : WSIM_TOUCHED_KINDS;
    }
    return join_ranges(to, n);
}

/* A later launch may need the bytes of a kernel, if nothing comes between. */
static void keep_bytes(struct work *work, const struct wsim_report *report) {
    struct wsim_touched touched;
    size_t n = 0;
    while (order_is_touched() && wsim_report_touched(report, n, &touched))
        n++;
    if (n + work->is.launch.launch.n_primary <= MOST_RANGES)
        work->bytes = malloc((n + work->is.launch.launch.n_primary + 1) * sizeof *work->bytes);
    work->n_bytes = work->bytes ? n : 0;
    for (size_t i = 0; i < work->n_bytes; i++)
        wsim_report_touched(report, i, &work->bytes[i]);
    if (work->bytes)
        work->n_bytes += keep_beyond(work, report, work->bytes + n);
}

static void move_bytes(struct work *work) {
    drop_primary(work->stream);
    work->stream->primary = work->bytes;
    work->stream->n_primary = work->n_bytes;
    work->bytes = NULL;
}

/* --- work --- */

static void free_stamp(struct stamp *stamp) {
    free(stamp->node);
    free(stamp->ranges);
    free(stamp);
}

/* Work of the stream without a handle comes after that of all blocking streams, and before theirs.
 */
static void join_legacy(struct wsimrt_stream *stream) {
    struct wsimrt_stream *legacy = stream_legacy(stream);
    if (stream->flags & WSIMRT_STREAM_NON_BLOCKING || !legacy)
        return;
    if (stream != legacy) {
        join(&stream->clock, &legacy->clock);
        return;
    }
    for (const struct wsimrt_stream *at = stream->context->streams; at; at = at->next)
        if (!(at->flags & WSIMRT_STREAM_NON_BLOCKING) && stream_shares(at, stream))
            join(&stream->clock, &at->clock);
}

void order_node(struct work *list, size_t index, const unsigned char *before, size_t n) {
    for (; list; list = list->next) {
        list->node = malloc(sizeof *list->node + n);
        if (!list->node)
            continue;
        list->node->launch = core.order.graphs;
        list->node->index = index;
        memcpy(list->node->before, before, n);
    }
}

/* Two nodes of one launch of a graph, of which the second one does not wait for the first one. */
static int are_beside(const struct stamp *earlier, const struct stamp *later) {
    const struct stamp_node *const a = earlier->node, *const b = later->node;
    return a && b && a->launch == b->launch && a->index != b->index && !b->before[a->index];
}

/* The next time of a stream; NULL: no memory. */
static struct stamp *make_stamp(struct wsimrt_stream *stream) {
    struct stamp *const stamp = calloc(1, sizeof *stamp);
    stream->clock.at[stream->slot] = ++core.order.counts[stream->slot];
    if (!stamp)
        return NULL;
    stamp->slot = stream->slot;
    stamp->number = stream->number;
    stamp->clock = stream->clock;
    api_frames(&stamp->caller);
    return stamp;
}

void order_issue(struct work *work) {
    struct wsimrt_stream *const stream = work->stream;
    if (!order_is_on())
        return;
    join(&stream->clock, &core.order.known);
    join_legacy(stream);
    if (work->kind->records) {
        work->is.mark->clock = stream->clock;
        return;
    }
    if (work->kind->waits)
        join(&stream->clock, &work->is.mark->clock);
    if (work->kind->outside) /* something that the runtime does not see may order it */
        for (const struct wsimrt_stream *at = stream->context->streams; at; at = at->next)
            join(&stream->clock, &at->clock);
    work->stamp = make_stamp(stream);
    if (!work->stamp)
        return;
    work->stamp->frees = work->kind->frees;
    work->stamp->node = work->node;
    work->node = NULL;
}

static void add(struct stamp *stamp, uint64_t at, uint64_t bytes, int kind) {
    if (stamp->n == MOST_RANGES)
        stamp->many = 1;
    if (stamp->many)
        return;
    if (stamp->n % 64 == 0 && (stamp->n & (stamp->n - 1)) == 0) {
        struct wsim_touched *grown =
            realloc(stamp->ranges, (stamp->n ? 2 * stamp->n : 64) * sizeof *grown);
        if (!grown) {
            stamp->many = 1;
            return;
        }
        stamp->ranges = grown;
    }
    stamp->low = stamp->n && stamp->low < at ? stamp->low : at;
    stamp->high = stamp->high > at + bytes ? stamp->high : at + bytes;
    stamp->ranges[stamp->n++] =
        (struct wsim_touched){.address = at, .bytes = bytes, .kind = (uint8_t)kind};
}

void order_polls(struct work *work) {
    if (work->stamp)
        work->stamp->polls = 1;
}

void order_box(struct work *work, const char *what, const struct wsimrt_place *place,
               uint64_t width, uint64_t height, uint64_t depth, int written) {
    struct stamp *stamp = work->stamp;
    if (!stamp)
        return;
    snprintf(stamp->what, sizeof stamp->what, "%s", what);
    if (height > MOST_ROWS || depth > MOST_ROWS || height * depth > MOST_ROWS)
        stamp->many = 1;
    for (uint64_t row = 0; row < height * depth && !stamp->many; row++)
        add(stamp, place->address + row / height * place->slice + row % height * place->pitch,
            width, written ? WSIM_TOUCHED_WRITTEN : WSIM_TOUCHED_READ);
}

void order_launch(struct work *work, const struct wsim_report *report) {
    struct stamp *stamp = work->stamp;
    struct wsim_touched touched;
    if (work->is.launch.called)
        keep_bytes(work, report);
    if (!stamp)
        return;
    stamp->kernel = 1;
    snprintf(stamp->what, sizeof stamp->what, "kernel %.40s", work->is.launch.function->info.name);
    for (size_t i = 0; wsim_report_touched(report, i, &touched); i++) {
        const struct allocation *memory =
            touched.kind == WSIM_TOUCHED_STRONG ? memory_find(touched.address, 1) : NULL;
        if (memory_is_seen(memory))
            stamp->signals = 1;
        add(stamp, touched.address, touched.bytes, touched.kind);
    }
}

/* --- conflicts --- */

/* The first byte that `a` accesses as `kind_a` and `b` as `kind_b`, and how many follow. Ranges of
 * a kind are sorted. */
static int overlap(const struct stamp *a, int kind_a, const struct stamp *b, int kind_b,
                   uint64_t *address, uint64_t *bytes) {
    size_t i = 0, k = 0;
    while (i < a->n && k < b->n) {
        const struct wsim_touched *x = &a->ranges[i], *y = &b->ranges[k];
        if (x->kind != kind_a) {
            i++;
        } else if (y->kind != kind_b) {
            k++;
        } else if (x->address + x->bytes <= y->address) {
            i++;
        } else if (y->address + y->bytes <= x->address) {
            k++;
        } else {
            const uint64_t end_x = x->address + x->bytes, end_y = y->address + y->bytes;
            *address = x->address > y->address ? x->address : y->address;
            *bytes = (end_x < end_y ? end_x : end_y) - *address;
            return 1;
        }
    }
    return 0;
}

static void name_stream(const struct stamp *stamp, char out[32]) {
    if (stamp->number)
        snprintf(out, 32, "stream %u", stamp->number);
    else
        snprintf(out, 32, "the default stream");
}

/* Whether atomics of one may meet an access of the other. The host may look at a count with a copy,
 * and may end the wait of a kernel with one. */
static int may_update(const struct stamp *updates, const struct stamp *other, int kind) {
    return other->kernel || other->gives || (kind == WSIM_TOUCHED_WRITTEN && !updates->polls);
}

/* "4096 bytes of 'buffer 2'" */
static void name_bytes(uint64_t address, uint64_t bytes, char out[96]) {
    const struct allocation *memory = memory_find(address, 1);
    const unsigned long long n = bytes;
    const char *const plural = bytes == 1 ? "" : "s";
    memory = memory ? memory : memory_freed(address);
    if (!memory || !memory->number)
        snprintf(out, 96, "%llu byte%s at 0x%llx", n, plural, (unsigned long long)address);
    else if (address == memory->base)
        snprintf(out, 96, "%llu byte%s of 'buffer %llu'", n, plural,
                 (unsigned long long)memory->number);
    else
        snprintf(out, 96, "%llu byte%s from byte %llu of 'buffer %llu' on", n, plural,
                 (unsigned long long)(address - memory->base), (unsigned long long)memory->number);
}

/* 1: they conflict, and it is said. */
static int compare(const struct stamp *earlier, const struct stamp *later) {
    static const int pairs[][2] = {
        {WSIM_TOUCHED_WRITTEN, WSIM_TOUCHED_READ},    {WSIM_TOUCHED_WRITTEN, WSIM_TOUCHED_WRITTEN},
        {WSIM_TOUCHED_READ, WSIM_TOUCHED_WRITTEN},    {WSIM_TOUCHED_UPDATED, WSIM_TOUCHED_READ},
        {WSIM_TOUCHED_UPDATED, WSIM_TOUCHED_WRITTEN}, {WSIM_TOUCHED_READ, WSIM_TOUCHED_UPDATED},
        {WSIM_TOUCHED_WRITTEN, WSIM_TOUCHED_UPDATED}};
    static const char *const verbs[] = {[WSIM_TOUCHED_READ] = "reads",
                                        [WSIM_TOUCHED_WRITTEN] = "writes",
                                        [WSIM_TOUCHED_UPDATED] = "updates"};
    const int in_graph = are_beside(earlier, later);
    char named[96];
    char one[32], two[32];
    if (earlier->high <= later->low || later->high <= earlier->low)
        return 0;
    if (!in_graph && (is_before(earlier, later) || is_before(later, earlier)))
        return 0;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const int kind = pairs[i][0], other = pairs[i][1];
        uint64_t address, bytes;
        if ((kind == WSIM_TOUCHED_UPDATED && !may_update(earlier, later, other)) ||
            (other == WSIM_TOUCHED_UPDATED && !may_update(later, earlier, kind)) ||
            !overlap(earlier, kind, later, other, &address, &bytes))
            continue;
        name_stream(earlier, one);
        name_stream(later, two);
        name_bytes(address, bytes, named);
        report_pair(API_STREAMS, &later->caller, &earlier->caller,
                    "%s in %s %s %s, and %s in %s %s %s: %s orders the two", later->what,
                    in_graph ? "a graph" : two, later->frees ? "frees" : verbs[other], named,
                    earlier->what, in_graph ? "that graph" : one,
                    earlier->gives ? "gives" : verbs[kind], bytes == 1 ? "it" : "them",
                    in_graph ? "no edge" : "nothing");
        return 1;
    }
    return 0;
}

/* Forgets work that the host knows to be over, once nothing else can run beside it. */
static void prune(void) {
    struct stamp **at = &core.order.past;
    while (*at && !core.active) {
        struct stamp *stamp = *at;
        if (order_is_known(stamp)) {
            *at = stamp->next;
            core.order.n_past--;
            core.order.n_seen -= stamp->seen;
            free_stamp(stamp);
        } else {
            at = &stamp->next;
        }
    }
}

/* Whether the host sees a part of the ranges: only those are protected. */
static int is_seen(const struct stamp *stamp) {
    const struct allocation *memory = NULL;
    for (size_t i = 0; i < stamp->n; i++) {
        const uint64_t address = stamp->ranges[i].address;
        if (memory && address - memory->base < memory->bytes)
            continue;
        memory = memory_find(address, 1);
        if (memory_is_seen(memory))
            return 1;
    }
    return 0;
}

/* Drops bytes from the ranges of earlier work. A pool orders this work before the next use of the
 * bytes. A range on both sides of them stays. */
static void forget(struct stamp *past, const struct wsim_touched *freed) {
    const uint64_t low = freed->address, high = low + freed->bytes;
    size_t left = 0;
    for (size_t i = 0; i < past->n; i++) {
        struct wsim_touched range = past->ranges[i];
        const uint64_t end = range.address + range.bytes;
        if (range.address >= low && end <= high)
            continue;
        if (range.address >= low && range.address < high) {
            range.bytes = end - high;
            range.address = high;
        } else if (end > low && end <= high) {
            range.bytes = low - range.address;
        }
        past->ranges[left++] = range;
    }
    past->n = left;
}

static void keep(struct stamp *stamp) {
    stamp->next = core.order.past;
    core.order.past = stamp;
    core.order.n_past++;
    core.order.n_seen += stamp->seen;
}

/* Memory that is freed again was given for nothing. */
static void forget_all(const struct stamp *freed) {
    struct stamp **at = &core.order.past;
    while (*at) {
        struct stamp *const past = *at;
        forget(past, freed->ranges);
        if (past->gives && !past->n) {
            *at = past->next;
            core.order.n_past--;
            free_stamp(past);
        } else {
            at = &past->next;
        }
    }
}

void order_gives(struct wsimrt_stream *stream, uint64_t address, uint64_t bytes) {
    struct stamp *stamp;
    if (!order_is_on() || core.order.n_past == MOST_WORK)
        return;
    join(&stream->clock, &core.order.known);
    join_legacy(stream);
    stamp = make_stamp(stream);
    if (!stamp)
        return;
    stamp->gives = 1;
    snprintf(stamp->what, sizeof stamp->what, "an allocation");
    add(stamp, address, bytes, WSIM_TOUCHED_WRITTEN);
    if (stamp->n)
        keep(stamp);
    else
        free_stamp(stamp);
}

void order_end(struct work *work) {
    struct stamp *stamp = work->stamp;
    work->stamp = NULL;
    move_bytes(work);
    if (!stamp)
        return;
    if (!stamp->n || stamp->many || core.order.n_past == MOST_WORK) {
        free_stamp(stamp);
        return;
    }
    for (struct stamp *past = core.order.past; past; past = past->next)
        if ((past->slot != stamp->slot || are_beside(past, stamp)) && compare(past, stamp) &&
            past->gives)
            past->n = 0; /* its use says all */
    if (stamp->frees) {
        forget_all(stamp);
        free_stamp(stamp);
        return;
    }
    stamp->seen = (uint8_t)is_seen(stamp);
    keep(stamp);
    if (stamp->signals)
        join(&core.order.known, &stamp->clock);
}

/* --- the host --- */

void order_drained(const struct wsimrt_context *context, const struct wsimrt_stream *stream) {
    for (struct wsimrt_stream *at = context->streams; at; at = at->next)
        if (!stream || at == stream || stream == stream_legacy(stream))
            drop_primary(at);
    if (!order_is_on())
        return;
    if (stream)
        join(&core.order.known, &stream->clock);
    for (const struct wsimrt_stream *at = context->streams; at; at = at->next)
        if (!stream || (stream == stream_legacy(stream) && stream_shares(at, stream) &&
                        !(at->flags & WSIMRT_STREAM_NON_BLOCKING)))
            join(&core.order.known, &at->clock);
    prune();
}

void order_reached(const struct mark *mark) {
    if (!order_is_on())
        return;
    join(&core.order.known, &mark->clock);
    prune();
}

void order_called(const struct work *work) {
    if (!order_is_on() || !work->stamp)
        return;
    join(&core.order.known, &work->stamp->clock);
    prune();
}

void order_wait(struct wsimrt_stream *stream, const struct mark *mark) {
    if (order_is_on())
        join(&stream->clock, &mark->clock);
}
