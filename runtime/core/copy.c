/* Copies and fills: between memory that devices know and any other memory of the process. */
#include "api.h"
#include "report.h"
#include "order.h"
#include "repeat.h"
#include "graph.h"

#include <stdlib.h>
#include <string.h>

/* Adds `n` times `step` to *span. 0: more than there are addresses. */
static int widen(uint64_t *span, uint64_t n, uint64_t step) {
    if (n && step > (UINT64_MAX - *span) / n)
        return 0;
    *span += n * step;
    return 1;
}

/* Bytes from the first to the last one of a box; 0: more than there are addresses. */
static uint64_t span_of(const struct wsimrt_place *place, uint64_t width, uint64_t height,
                        uint64_t depth) {
    uint64_t span = width;
    if (!widen(&span, height - 1, place->pitch) || !widen(&span, depth - 1, place->slice))
        return 0;
    return span > UINT64_MAX - place->address ? 0 : span;
}

/* Whether an address is one that only devices may have. */
static int is_of_arena(uint64_t address) {
    return address - core.memory.arena < core.memory.arena_end - core.memory.arena;
}

/* The bytes from an address to the end of its allocation; all addresses: of none. */
static uint64_t rest_of(uint64_t address) {
    const struct allocation *memory = memory_find(address, 1);
    return memory ? memory->bytes - (address - memory->base) : UINT64_MAX;
}

/* Whether one allocation has the bytes, or maps side by side have them. */
static int is_known(uint64_t address, uint64_t span) {
    const struct allocation *memory = memory_find(address, 1);
    while (memory && rest_of(address) < span && memory->mapped) {
        span -= rest_of(address);
        address += rest_of(address);
        memory = memory_find(address, 1);
        if (memory && !memory->mapped)
            return 0;
    }
    return memory && rest_of(address) >= span;
}

/* Why a box does not lie in memory. */
static void say_outside(const struct wsimrt_place *place, uint64_t span) {
    const struct allocation *memory = memory_find(place->address, 1);
    if (memory)
        core_because("%llu bytes from byte %llu of buffer %llu on, which has %llu",
                     (unsigned long long)span, (unsigned long long)(place->address - memory->base),
                     (unsigned long long)memory->number, (unsigned long long)memory->bytes);
    else if ((memory = memory_freed(place->address)))
        core_because("byte %llu of buffer %llu, which is freed",
                     (unsigned long long)(place->address - memory->base),
                     (unsigned long long)memory->number);
    else
        core_because("%s", place->address ? "an address that is in no buffer" : "a null pointer");
}

/* Checks one side of a box. *known: devices know its memory. */
static int check_side(const struct wsimrt_place *place, uint64_t width, uint64_t height,
                      uint64_t depth, int *known) {
    const uint64_t span = span_of(place, width, height, depth);
    char byte;
    if (!span || (height > 1 && place->pitch < width) ||
        (depth > 1 && place->slice < place->pitch * (height - 1) + width))
        return WSIMRT_INVALID_VALUE;
    memory_seek(place->address);
    *known = is_known(place->address, span);
    if (*known && memory_is_away(memory_find(place->address, 1))) {
        *known = 0; /* as memory that only the host knows */
        return 0;
    }
    if (*known)
        return 0;
    if (memory_find(place->address, 1) || is_of_arena(place->address) ||
        virtual_is_reserved(place->address) || !memory_peek(&byte, place->address, 1)) {
        say_outside(place, span);
        return WSIMRT_INVALID_VALUE;
    }
    return 0;
}

/* --- execution --- */

/* Bytes of a device that were written where they are count as written. */
static int count_written(struct wsim_device *device, uint64_t to, uint64_t bytes) {
    struct wsim_diag diag;
    return wsim_device_write(device, to, memory_host(to), bytes, &diag) == WSIM_OK;
}

/* From the memory of the host, which the system checks. */
static int write_row(struct wsim_device *device, uint64_t to, uint64_t from, uint64_t bytes) {
    arena_expect(to, bytes);
    return memory_peek(memory_host(to), from, bytes) && count_written(device, to, bytes);
}

static int host_row(uint64_t to, uint64_t from, uint64_t bytes) {
    unsigned char *const piece = core.piece;
    while (bytes) {
        const uint64_t n = bytes < CORE_PIECE ? bytes : CORE_PIECE;
        if (!memory_peek(piece, from, n) || !memory_poke(to, piece, n))
            return 0;
        to += n, from += n, bytes -= n;
    }
    return 1;
}

/* Overlapping sides, which the library refuses: the bytes count as written. */
static int overlap_row(struct wsim_device *device, uint64_t to, uint64_t from, uint64_t bytes) {
    memmove(memory_host(to), memory_host(from), (size_t)bytes);
    return count_written(device, to, bytes);
}

static int copy_row(struct wsim_device *device, uint64_t to, int to_known, uint64_t from,
                    int from_known, uint64_t bytes) {
    struct wsim_diag diag;
    if (to_known && from_known) {
        arena_expect(to, bytes);
        return wsim_device_copy(device, to, from, bytes, &diag) == WSIM_OK ||
               overlap_row(device, to, from, bytes);
    }
    if (to_known)
        return write_row(device, to, from, bytes);
    if (from_known)
        return memory_poke(to, memory_host(from), bytes);
    return host_row(to, from, bytes);
}

/* The same over the ends of allocations. */
static int copy_pieces(struct wsim_device *device, uint64_t to, int to_known, uint64_t from,
                       int from_known, uint64_t bytes) {
    for (uint64_t n; bytes; to += n, from += n, bytes -= n) {
        n = bytes;
        if (to_known && rest_of(to) < n)
            n = rest_of(to);
        if (from_known && rest_of(from) < n)
            n = rest_of(from);
        if (!copy_row(device, to, to_known, from, from_known, n))
            return 0;
    }
    return 1;
}

/* Rows without gaps are one row. */
static void join_rows(struct wsimrt_copy *copy) {
    if (copy->height == 1 || (copy->to.pitch == copy->width && copy->from.pitch == copy->width)) {
        const uint64_t bytes = copy->width * copy->height;
        if (copy->depth == 1 || (copy->to.slice == bytes && copy->from.slice == bytes)) {
            copy->width = bytes * copy->depth;
            copy->depth = 1;
        } else {
            copy->width = bytes;
        }
        copy->height = 1;
    }
}

/* A variable that is no larger is compared with what it was: programs often copy the same again. */
enum { SMALL = 2048 };

static int run_copy(struct work *work) {
    struct wsimrt_copy copy = work->is.copy;
    unsigned char before[SMALL];
    const struct allocation *variable;
    int to_known = 0, from_known = 0;
    int error = check_side(&copy.to, copy.width, copy.height, copy.depth, &to_known);
    error =
        error ? error : check_side(&copy.from, copy.width, copy.height, copy.depth, &from_known);
    join_rows(&copy);
    if (!error && from_known)
        order_box(work, "a copy", &copy.from, copy.width, copy.height, copy.depth, 0);
    if (!error && to_known)
        order_box(work, "a copy", &copy.to, copy.width, copy.height, copy.depth, 1);
    variable = to_known && !error ? memory_find(copy.to.address, 1) : NULL;
    if (variable && (variable->kind != WSIMRT_VARIABLE || variable->bytes > SMALL))
        variable = NULL;
    if (variable)
        memcpy(before, memory_host(variable->base), (size_t)variable->bytes);
    for (uint64_t z = 0; z < copy.depth && !error; z++)
        for (uint64_t y = 0; y < copy.height && !error; y++)
            if (!copy_pieces(work->context->device,
                             copy.to.address + z * copy.to.slice + y * copy.to.pitch, to_known,
                             copy.from.address + z * copy.from.slice + y * copy.from.pitch,
                             from_known, copy.width))
                error = WSIMRT_INVALID_VALUE;
    if (to_known &&
        !(variable && !memcmp(before, memory_host(variable->base), (size_t)variable->bytes)))
        repeat_wrote(copy.to.address, 1);
    work_fail(work, error);
    return 1;
}

/* Host memory that devices do not know: the bytes of the pattern, row by row. */
static int fill_host(const struct wsimrt_fill *fill) {
    unsigned char piece[2048];
    for (unsigned i = 0; i < sizeof piece; i++)
        piece[i] = (unsigned char)(fill->value >> 8 * (i % fill->size));
    for (uint64_t row = 0; row < fill->height * fill->depth; row++) {
        uint64_t at = fill->to.address + row / fill->height * fill->to.slice +
                      row % fill->height * fill->to.pitch;
        for (uint64_t left = fill->width, n; left; left -= n, at += n) {
            n = left < sizeof piece ? left : sizeof piece;
            if (!memory_poke(at, piece, n))
                return 0;
        }
    }
    return 1;
}

/* A fill of one plane: of one allocation at once, of several row by row and piece by piece. */
static int fill_plane(struct wsim_device *device, const struct wsimrt_fill *fill, uint64_t to) {
    const uint64_t pitch = fill->height > 1 ? fill->to.pitch : fill->width;
    const uint64_t span = pitch * (fill->height - 1) + fill->width;
    struct wsim_diag diag;
    int error = 0;
    if (rest_of(to) >= span && pitch == fill->width) {
        arena_expect(to, span);
        if (!fill->value && arena_clear(to, span))
            return count_written(device, to, span) ? 0 : WSIMRT_INVALID_VALUE;
    }
    if (rest_of(to) >= span)
        return core_error(wsim_device_fill_2d(device, to, pitch, fill->value, fill->size,
                                              fill->width, fill->height, &diag));
    for (uint64_t y = 0; y < fill->height && !error; y++)
        for (uint64_t at = to + y * pitch, left = fill->width, n; left && !error;
             left -= n, at += n) {
            n = rest_of(at) < left ? rest_of(at) : left;
            error = core_error(
                wsim_device_fill_2d(device, at, n, fill->value, fill->size, n, 1, &diag));
        }
    return error;
}

static int run_fill(struct work *work) {
    const struct wsimrt_fill *fill = &work->is.fill;
    int known = 0;
    int error = check_side(&fill->to, fill->width, fill->height, fill->depth, &known);
    if (!error && !known)
        error = fill_host(fill) ? 0 : WSIMRT_INVALID_VALUE;
    if (!error && known)
        order_box(work, "a fill", &fill->to, fill->width, fill->height, fill->depth, 1);
    if (!error && known && repeat_is_filled(fill))
        return 1;
    for (uint64_t z = 0; z < fill->depth && known && !error; z++)
        error = fill_plane(work->context->device, fill, fill->to.address + z * fill->to.slice);
    if (known && !error)
        repeat_filled(fill);
    work_fail(work, error);
    return 1;
}

static int capture_copy(const struct work *work, struct wsimrt_node_params *params) {
    params->kind = WSIMRT_NODE_COPY;
    params->note = 4; /* the direction follows from the addresses */
    params->copy = work->is.copy;
    return 1;
}

static int capture_fill(const struct work *work, struct wsimrt_node_params *params) {
    params->kind = WSIMRT_NODE_FILL;
    params->fill = work->is.fill;
    return 1;
}

const struct work_kind work_copy = {.lasts = 1, .run = run_copy, .capture = capture_copy};
const struct work_kind work_fill = {.lasts = 1, .run = run_fill, .capture = capture_fill};

/* --- the calls --- */

static void count_one(uint64_t *height, uint64_t *depth) {
    *height += !*height;
    *depth += !*depth;
}

/* A copy of bytes of the host that are read now, so that the call need not wait. An H200 does so up
 * to 64 KB. NULL: the bytes are too many or not there. */
static struct work *make_staged(const struct wsimrt_copy *how, struct wsimrt_stream *stream) {
    struct work *work;
    if (how->height > 1 || how->depth > 1 || how->width > CORE_PIECE || stream->capture)
        return NULL;
    work = work_make(stream, &work_copy, (size_t)how->width);
    if (!work)
        return NULL;
    if (!memory_peek(work->params, how->from.address, how->width)) {
        free(work);
        return NULL;
    }
    work->is.copy = *how;
    work->is.copy.from.address = (uint64_t)(uintptr_t)work->params;
    return work;
}

int wsimrt_copy(const struct wsimrt_copy *copy, struct wsimrt_stream *stream, int wait) {
    struct wsimrt_context *context;
    int error = core_enter_stream(stream, &context), to_known = 0, from_known = 0;
    struct wsimrt_copy how;
    if (!error && !copy)
        error = WSIMRT_INVALID_VALUE;
    if (!error && !(stream = stream_of(stream, context)))
        error = stream_missing();
    if (error || !copy->width)
        return core_leave(error);
    how = *copy;
    count_one(&how.height, &how.depth);
    error = check_side(&how.to, how.width, how.height, how.depth, &to_known);
    error = error ? error : check_side(&how.from, how.width, how.height, how.depth, &from_known);
    if (error) {
        api_freed("a copy writes", how.to.address);
        api_freed("a copy reads", how.from.address);
    }
    if (!error) {
        struct work *work = !wait && to_known && !from_known ? make_staged(&how, stream) : NULL;
        if (work)
            return core_leave(work_issue(work, 0));
        if (!(work = work_make(stream, &work_copy, 0)))
            return core_leave(WSIMRT_OUT_OF_MEMORY);
        work->is.copy = how;
        /* Memory that is not pinned may change after the call, so the copy comes first. */
        error = work_issue(work, wait || !to_known || !from_known);
        /* An H200 has read the bytes of the host then, and not written the last ones. */
        if (!error && !wait && to_known && !from_known)
            stream->ended = core_now();
    }
    return core_leave(error);
}

int copy_check(const struct wsimrt_copy *how) {
    int known = 0;
    int error = how->width && how->to.address && how->from.address ? 0 : WSIMRT_INVALID_VALUE;
    error = error ? error : check_side(&how->to, how->width, how->height, how->depth, &known);
    return error ? error : check_side(&how->from, how->width, how->height, how->depth, &known);
}

/* Whether its value fits its places. */
static int check_value(const struct wsimrt_fill *how) {
    return how->width % how->size || how->to.address % how->size ||
                   (how->height > 1 && how->to.pitch % how->size)
               ? WSIMRT_INVALID_VALUE
               : 0;
}

int fill_check(const struct wsimrt_fill *how) {
    int known = 0;
    int error = how->width && how->height ? check_value(how) : WSIMRT_INVALID_VALUE;
    error = error ? error : check_side(&how->to, how->width, how->height, how->depth, &known);
    return error || known ? error : WSIMRT_INVALID_VALUE;
}

/* The planes of a fill that lie in the memory: an H200 fills them before it refuses the others.
 * Planes without a gap between them are one. */
static int fill_first(struct wsimrt_fill *fill) {
    const uint64_t planes = fill->depth;
    int known = 0;
    if (fill->to.slice == fill->to.pitch * fill->height)
        return 0;
    fill->depth = 0;
    while (fill->depth + 1 < planes &&
           !check_side(&fill->to, fill->width, fill->height, fill->depth + 1, &known) && known)
        fill->depth++;
    return fill->depth > 0;
}

/* The device of a stream has no access to the memory of a fill. In a graph it needs none. Source:
 * two H200 (driver 580). */
static int is_far(const struct wsimrt_stream *stream, uint64_t address) {
    const struct allocation *const memory = memory_find(address, 1);
    if (stream->capture || peers_may_access(stream->context, memory))
        return 0;
    core_because("device %d has no access to memory of device %d", stream->context->ordinal,
                 memory->device);
    return 1;
}

int wsimrt_fill(const struct wsimrt_fill *fill, struct wsimrt_stream *stream, int wait) {
    struct wsimrt_context *context;
    int error = core_enter_stream(stream, &context), known = 0;
    struct wsimrt_fill how;
    if (!error && (!fill || (fill->size != 1 && fill->size != 2 && fill->size != 4)))
        error = WSIMRT_INVALID_VALUE;
    if (!error && !(stream = stream_of(stream, context)))
        error = stream_missing();
    if (error || !fill->width)
        return core_leave(error);
    how = *fill;
    count_one(&how.height, &how.depth);
    error = check_value(&how);
    error = error ? error : check_side(&how.to, how.width, how.height, how.depth, &known);
    if (!error && !known && memory_find(how.to.address, 1)) /* devices have no access */
        error = WSIMRT_INVALID_VALUE;
    if (!error && known && is_far(stream, how.to.address))
        return core_leave(WSIMRT_INVALID_VALUE);
    if (error)
        api_freed("a fill writes", how.to.address);
    if (!error || (how.to.slice >= how.to.pitch * how.height && fill_first(&how))) {
        struct work *work = work_make(stream, &work_fill, 0);
        int issued;
        if (!work)
            return core_leave(WSIMRT_OUT_OF_MEMORY);
        work->is.fill = how;
        issued = work_issue(work, wait);
        error = error ? error : issued;
    }
    return core_leave(error);
}
