/* cp.async: every lane copies a few bytes and fills the rest with zeros. */
#include "copy.h"

#include <inttypes.h>
#include <string.h>

static int is_active(const struct wsim_io *io, unsigned lane) {
    return (int)(io->copy.mask >> lane & 1);
}

static uint64_t destination(const struct wsim_io *io, unsigned lane) {
    return (uint64_t)(io->copy.addr_hi ? io->copy.addr_hi[lane] : 0) << 32 | io->copy.addr[lane];
}

/* Without source addresses the lanes read consecutive pieces from the start of the window. */
static uint64_t source(const struct wsim_io *io, unsigned lane) {
    if (!io->copy.src)
        return (io->global ? io->global->base : 0) + lane * (uint64_t)io->copy.bytes;
    return (uint64_t)(io->copy.src_hi ? io->copy.src_hi[lane] : 0) << 32 | io->copy.src[lane];
}

static uint32_t source_size(const struct wsim_io *io, unsigned lane) {
    return io->copy.src_size ? io->copy.src_size[lane] : io->copy.bytes;
}

static enum wsim_status check_size(const struct wsim_op *op, uint32_t bytes,
                                   struct wsim_diag *diag) {
    const struct isa_form *form = isa_form(op);
    char list[16] = "";
    struct base_text sizes = {list, sizeof list, 0};
    if (bytes && !(bytes & (bytes - 1)) && form->sizes & bytes)
        return WSIM_OK;
    for (unsigned size = 1; size <= form->sizes; size *= 2)
        if (form->sizes & size)
            base_put(&sizes, "%s%u", sizes.used ? " or " : "", size);
    return base_refuse(diag, RULE_ASYNC_SIZE_UNKNOWN, 0, "size %u: %s copies %s bytes a lane",
                       (unsigned)bytes, isa_op_called(op).text, list);
}

static enum wsim_status check_aligned(const char *what, uint64_t address, unsigned lane,
                                      uint32_t bytes, struct wsim_diag *diag) {
    if ((address & (bytes - 1)) == 0) /* check_size: a power of two */
        return WSIM_OK;
    return base_refuse(diag, RULE_ASYNC_ADDRESS_ALIGN, 0,
                       "%s 0x%" PRIx64 " of lane %u is not a multiple of the %u bytes it copies",
                       what, address, lane, (unsigned)bytes);
}

enum wsim_status copy_async_check(const struct wsim_op *op, const struct wsim_io *io,
                                  struct wsim_diag *diag) {
    enum wsim_status status;
    if (!io->copy.addr)
        return base_refuse(diag, RULE_OPERAND_MISSING, 0, "the destination addresses are missing");
    status = check_size(op, io->copy.bytes, diag);
    for (unsigned l = 0; l < WSIM_LANES && !status; l++)
        if (is_active(io, l) && source_size(io, l) > io->copy.bytes)
            return base_refuse(diag, RULE_ASYNC_SOURCE_RANGE, 0,
                               "source size %u of lane %u is more than the %u bytes it copies",
                               (unsigned)source_size(io, l), l, (unsigned)io->copy.bytes);
    for (unsigned l = 0; l < WSIM_LANES && !status; l++)
        if (is_active(io, l))
            status = check_aligned("destination", destination(io, l), l, io->copy.bytes, diag);
    for (unsigned l = 0; l < WSIM_LANES && !status; l++)
        if (is_active(io, l))
            status = check_aligned("source", source(io, l), l, io->copy.bytes, diag);
    return status;
}

/* Aligned pieces of one size overlap only if they are equal. */
static enum wsim_status check_overlap(const struct wsim_io *io, struct wsim_diag *diag) {
    for (unsigned a = 0; a < WSIM_LANES; a++)
        for (unsigned b = 0; b < a && is_active(io, a); b++)
            if (is_active(io, b) && io->copy.addr[a] == io->copy.addr[b])
                return base_refuse(
                    diag, RULE_ASYNC_DESTINATION_TWICE, 0,
                    "lanes %u and %u both write shared address 0x%x: the result is undefined", b, a,
                    (unsigned)io->copy.addr[a]);
    return WSIM_OK;
}

static enum wsim_status check_windows(const struct wsim_arch *arch, const struct wsim_io *io,
                                      struct wsim_diag *diag) {
    enum wsim_status status = WSIM_OK;
    for (unsigned l = 0; l < WSIM_LANES && !status; l++) {
        if (!is_active(io, l))
            continue;
        status = copy_check_shared(arch, io->shared, destination(io, l), io->copy.bytes, 1, diag);
        if (!status)
            status = memory_check(io->global, source(io, l), source_size(io, l), 0, diag);
    }
    return status ? status : check_overlap(io, diag);
}

static void copy_lane(const struct wsim_io *io, unsigned lane) {
    uint64_t from = source(io, lane), to = destination(io, lane);
    uint32_t n = source_size(io, lane);
    uint8_t *at = memory_at(io->shared, to);
    copy_tell(io, io->global, from, n, WSIM_TOUCH_READ, lane);
    copy_tell(io, io->shared, to, io->copy.bytes, WSIM_TOUCH_WRITE, lane);
    if (n)
        memmove(at, memory_at(io->global, from), n);
    memset(at + n, 0, io->copy.bytes - n);
}

/* --- all lanes at once --- */

/* The active lanes in order. */
struct lanes {
    unsigned count;
    uint64_t to[WSIM_LANES], from[WSIM_LANES];
    uint32_t size[WSIM_LANES];
};

static void collect(const struct wsim_io *io, struct lanes *lanes) {
    unsigned n = 0;
    for (unsigned l = 0; l < WSIM_LANES; l++) {
        lanes->to[n] = destination(io, l);
        lanes->from[n] = source(io, l);
        lanes->size[n] = source_size(io, l);
        n += (unsigned)is_active(io, l);
    }
    lanes->count = n;
}

/* True if all lanes are legal and inside; a lane of size 0 may have any source. Unsigned
 * differences make addresses below a window exceed its size. */
static int are_inside(const struct wsim_arch *arch, const struct wsim_io *io,
                      const struct lanes *lanes) {
    const struct wsim_memory *shared = io->shared, *global = io->global;
    uint64_t end = isa_shared_end(arch), any = 0;
    int bad = shared->read_only || shared->size < io->copy.bytes;
    for (unsigned n = 0; n < lanes->count; n++) {
        uint64_t to = lanes->to[n], size = lanes->size[n], room = global->size - size;
        any |= to | lanes->from[n];
        bad |= to - shared->base > shared->size - io->copy.bytes || to + io->copy.bytes > end ||
               size > io->copy.bytes;
        bad |= size && (size > global->size || lanes->from[n] - global->base > room);
    }
    return !bad && any % io->copy.bytes == 0;
}

/* True if no two lanes write the same bytes: each of 32 addresses is compared with the next 16,
 * cyclically. Inactive lanes get addresses that cannot occur. */
static int are_different(const struct lanes *lanes) {
    uint32_t number[2 * WSIM_LANES], same[WSIM_LANES] = {0}, any = 0;
    for (unsigned n = 0; n < WSIM_LANES; n++)
        number[n] = n < lanes->count ? (uint32_t)lanes->to[n] : UINT32_MAX - n;
    memcpy(number + WSIM_LANES, number, sizeof number / 2);
    for (unsigned ahead = 1; ahead <= WSIM_LANES / 2; ahead++)
        for (unsigned n = 0; n < WSIM_LANES; n++)
            same[n] += number[n] == number[n + ahead];
    for (unsigned n = 0; n < WSIM_LANES; n++)
        any |= same[n];
    return !any;
}

/* Constant sizes compile to single moves. */
static void copy_some(uint8_t *to, const uint8_t *from, uint32_t size) {
    switch (size) {
    case 4: memmove(to, from, 4); break;
    case 8: memmove(to, from, 8); break;
    case COPY_PIECE: memmove(to, from, COPY_PIECE); break;
    default: memmove(to, from, size); break;
    }
}

/* Copies of the windows stay in registers; bytes of memory may alias the originals. */
static void copy_lanes(const struct wsim_io *io, const struct lanes *lanes) {
    const struct wsim_memory shared = *io->shared, global = *io->global;
    const uint32_t bytes = io->copy.bytes;
    for (unsigned n = 0, count = lanes->count; n < count; n++) {
        uint8_t *to = memory_at(&shared, lanes->to[n]);
        uint32_t size = lanes->size[n];
        if (size)
            copy_some(to, memory_at(&global, lanes->from[n]), size);
        if (size < bytes)
            memset(to + size, 0, bytes - size);
    }
}

/* Copies all lanes at once if nothing is wrong and there is no watcher; returns 0 otherwise. */
static int copy_at_once(const struct wsim_op *op, const struct wsim_arch *arch,
                        const struct wsim_io *io) {
    struct lanes lanes;
    if (!io->copy.addr || io->shared->watch || io->global->watch ||
        check_size(op, io->copy.bytes, NULL))
        return 0;
    collect(io, &lanes);
    if (!are_inside(arch, io, &lanes) || !are_different(&lanes))
        return 0;
    copy_lanes(io, &lanes);
    return 1;
}

enum wsim_status copy_async(const struct wsim_op *op, const struct wsim_arch *arch, uint32_t flags,
                            const struct wsim_io *io, struct wsim_diag *diag) {
    enum wsim_status status = memory_need(io->global, WSIM_GLOBAL, diag);
    if (!status)
        status = memory_need(io->shared, WSIM_SHARED, diag);
    if (!status && !(flags & WSIM_PLAIN) && copy_at_once(op, arch, io))
        return WSIM_OK;
    if (!status)
        status = copy_async_check(op, io, diag);
    if (!status)
        status = check_windows(arch, io, diag);
    for (unsigned l = 0; l < WSIM_LANES && !status; l++)
        if (is_active(io, l))
            copy_lane(io, l);
    return status;
}

enum wsim_status wsim_copy_async(const struct wsim_op *op, const struct wsim_arch *arch,
                                 const struct wsim_copy *copy, const struct wsim_memory *global,
                                 const struct wsim_memory *shared, struct wsim_diag *diag) {
    uint32_t src[WSIM_LANES], src_hi[WSIM_LANES];
    struct wsim_io io = {.shared = shared,
                         .global = global,
                         .copy = {.addr = copy->dst,
                                  .src_size = copy->src_size,
                                  .mask = copy->mask,
                                  .bytes = copy->bytes}};
    enum wsim_status status = wsim_op_check(op, arch, diag);
    if (status)
        return status;
    if (isa_form(op)->family != WSIM_CP_ASYNC)
        return base_refuse(diag, RULE_OP_DOOR_WRONG, 0, "%s is not cp.async",
                           isa_op_called(op).text);
    if (copy->src && global) { /* offsets become addresses */
        for (unsigned l = 0; l < WSIM_LANES; l++) {
            src[l] = (uint32_t)(global->base + copy->src[l]);
            src_hi[l] = (uint32_t)((global->base + copy->src[l]) >> 32);
        }
        io.copy.src = src;
        io.copy.src_hi = src_hi;
    }
    return copy_async(op, arch, 0, &io, diag);
}
