/* From addresses to bytes of the host: alignment, bounds, windows. Every access of
 * memory comes through here, and goes on to hear_access. */
#include "../isa/isa.h"
#include "../state/device.h"
#include "../state/launch.h"
#include "hear.h"
#include "reach.h"

/* The window that a generic address is in. */
enum ptx_space run_space_of(uint64_t address) {
    switch (address >> 56) {
    case 1: return PTX_SHARED;
    case 2: return PTX_LOCAL;
    case 3: return PTX_CONST;
    case 4: return PTX_PARAM;
    default: return PTX_GLOBAL;
    }
}

/* Addresses below are null pointers; buffers at most as far are neighbours. */
#define NEAR (UINT64_C(1) << 16)

static const char *space_name(unsigned space) {
    switch (space) {
    case PTX_SHARED: return "shared";
    case PTX_LOCAL: return "local";
    case PTX_CONST: return "constant";
    case PTX_PARAM: return "parameter";
    default: return "global";
    }
}

static const char *verb_of(const struct run_access *access) {
    return access->kind == RUN_READ ? "reads" : "writes";
}

/* "1 byte", "4 bytes". */
static const char *bytes_text(char text[32], uint64_t bytes) {
    struct base_text words = {text, 32, 0};
    base_put(&words, "%llu byte%s", (unsigned long long)bytes, bytes == 1 ? "" : "s");
    return text;
}

/* The distance of an address from a window as part of a message. Empty if the bytes begin in the
 * window or right after it. */
static const char *beyond(char text[48], uint64_t at, uint64_t base, uint64_t size) {
    struct base_text words = {text, 48, 0};
    text[0] = 0;
    if (at < base)
        base_put(&words, ", %llu bytes before it", (unsigned long long)(base - at));
    else if (at - base > size)
        base_put(&words, ", %llu bytes past the end", (unsigned long long)(at - base - size));
    return text;
}

/* The finding names the buffer of a misaligned address, and the place in it. */
static enum run_next misaligned_global(struct run_warp *warp, const struct run_op *op,
                                       unsigned lane, uint64_t at, uint32_t align,
                                       const struct run_buffer *buffer) {
    return run_finding(warp, op, lane, RULE_ACCESS_ALIGN, 1,
                       "global address 0x%llx is not a multiple of %u: it is byte %llu of '%s'%s",
                       (unsigned long long)at, align, (unsigned long long)(at - buffer->base),
                       buffer->name ? buffer->name : "a buffer",
                       buffer->base % align ? ", which begins at none" : "");
}

static enum run_next misaligned_shared(struct run_warp *warp, const struct run_op *op,
                                       unsigned lane, uint64_t at, uint32_t align) {
    const struct run_words words = run_shared_words(warp, at & UINT32_MAX, "");
    return run_finding(warp, op, lane, RULE_ACCESS_ALIGN, 1,
                       "shared address 0x%llx is not a multiple of %u%s%s", (unsigned long long)at,
                       align, words.text[0] == '0' ? "" : ": it is ",
                       words.text[0] == '0' ? "" : words.text);
}

static enum run_next misaligned(struct run_warp *warp, const struct run_op *op,
                                const struct run_access *access, uint32_t align) {
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        const struct run_buffer *buffer =
            access->space == PTX_GLOBAL
                ? run_buffer_of(warp->worker->launch->device, access->at[lane], 1)
                : NULL;
        if (access->at[lane] % align && buffer)
            return misaligned_global(warp, op, lane, access->at[lane], align, buffer);
        if (access->at[lane] % align && access->space == PTX_SHARED)
            return misaligned_shared(warp, op, lane, access->at[lane], align);
        if (access->at[lane] % align)
            return run_finding(
                warp, op, lane, RULE_ACCESS_ALIGN, 1, "%s address 0x%llx is not a multiple of %u",
                space_name(access->space), (unsigned long long)access->at[lane], align);
    }
    return RUN_ON;
}

static enum run_next outside_global(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                    const struct run_access *access, int fatal) {
    const char *on = fatal ? "" : "; a GPU goes on, because the page is mapped";
    uint64_t distance, at = access->at[lane];
    char bytes[32], far[32];
    int behind;
    const struct run_buffer *near =
        run_buffer_near(warp->worker->launch->device, at, &distance, &behind);
    if (at >> 56 == RUN_SHARED_WINDOW >> 56 || at >> 56 == RUN_LOCAL_WINDOW >> 56)
        return run_finding(warp, op, lane, RULE_MEMORY_SPACE, 1,
                           "%s %s of global memory at 0x%llx, a generic address of %s memory",
                           verb_of(access), bytes_text(bytes, access->bytes),
                           (unsigned long long)at,
                           at >> 56 == RUN_SHARED_WINDOW >> 56 ? "shared" : "local");
    if (near && !distance && !run_is_open(warp->worker->launch->device, near))
        return run_finding(warp, op, lane, RULE_MEMORY_PEER, 1,
                           "%s %s at byte %llu of '%s', which belongs to another device: this one "
                           "has no access to it",
                           verb_of(access), bytes_text(bytes, access->bytes),
                           (unsigned long long)(at - near->base),
                           near->name ? near->name : "a buffer");
    if (at < NEAR || !near || distance > NEAR)
        return run_finding(warp, op, lane, RULE_MEMORY_BOUNDS, fatal, "%s %s at 0x%llx, %s%s",
                           verb_of(access), bytes_text(bytes, access->bytes),
                           (unsigned long long)at,
                           at < NEAR ? "a null pointer"
                           : near    ? "which is in no buffer"
                                     : "but there is no global memory",
                           on);
    if (!distance && at + access->bytes > near->base + near->size)
        return run_finding(warp, op, lane, RULE_MEMORY_BOUNDS, fatal,
                           "%s %s at byte %llu of '%s', which has %llu%s", verb_of(access),
                           bytes_text(bytes, access->bytes), (unsigned long long)(at - near->base),
                           near->name ? near->name : "a buffer", (unsigned long long)near->size,
                           on);
    return run_finding(warp, op, lane, RULE_MEMORY_BOUNDS, fatal,
                       "%s %s of global memory, %s %s '%s', which has %llu%s", verb_of(access),
                       bytes_text(bytes, access->bytes), bytes_text(far, distance),
                       behind ? "past the end of" : "before", near->name ? near->name : "a buffer",
                       (unsigned long long)near->size, on);
}

/* An access of a lane to no buffer. Each operation has one finding of a mapped page in a warp. */
static enum run_next stray(struct run_warp *warp, const struct run_op *op, unsigned lane,
                           const struct run_access *access, int *told) {
    const struct run_launch *launch = warp->worker->launch;
    const struct run_buffer *buffer;
    if (launch->device->all)
        return RUN_ON;
    buffer = run_buffer_of(launch->device, access->at[lane], 1);
    if ((buffer && !run_is_open(launch->device, buffer)) ||
        !run_is_mapped(launch->device, access->at[lane], access->bytes))
        return outside_global(warp, op, lane, access, 1);
    if (*told || !(launch->how->checks & WSIM_CHECK_MEMORY))
        return RUN_ON;
    *told = 1;
    return outside_global(warp, op, lane, access, 0);
}

static enum run_next reach_global(struct run_warp *warp, const struct run_op *op,
                                  struct run_access *access) {
    const struct wsim_device *device = warp->worker->launch->device;
    const struct run_buffer **near = run_near(warp->worker, op), *recent = *near;
    int told = 0;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        uint64_t at = access->at[lane], offset = recent ? at - recent->base : 0;
        enum run_next next;
        access->host[lane] = run_host(recent, at);
        if (recent && offset < recent->size && access->bytes <= recent->size - offset)
            continue;
        recent = run_buffer_open(device, at, access->bytes);
        access->host[lane] = recent ? run_host(recent, at) : run_page_host(device, at);
        if (recent) {
            *near = recent;
            continue;
        }
        next = stray(warp, op, lane, access, &told);
        if (next)
            return next;
        recent = *near;
    }
    warp->worker->recent = recent;
    return RUN_ON;
}

/* The block of the cluster whose shared memory an address is in; NULL: there is none. */
static struct run_block *block_of(struct run_block *block, uint64_t at) {
    uint64_t rank = at >> RUN_RANK_SHIFT;
    return rank < block->unit->n_blocks ? &block->unit->blocks[rank] : NULL;
}

static enum run_next outside_shared(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                    const struct run_access *access,
                                    const struct run_block *block) {
    const uint64_t at = access->at[lane];
    const int lacks_dynamic =
        warp->program->dynamic && !warp->block->unit->worker->launch->how->shared;
    char distance[48], bytes[32];
    if (!block)
        return run_finding(warp, op, lane, RULE_MEMORY_BOUNDS, 1,
                           "%s %s at shared address 0x%llx of block %llu, but the cluster has %u",
                           verb_of(access), bytes_text(bytes, access->bytes),
                           (unsigned long long)at, (unsigned long long)(at >> RUN_RANK_SHIFT),
                           warp->block->unit->n_blocks);
    return run_finding(warp, op, lane, RULE_MEMORY_BOUNDS, 1,
                       "%s %s at shared address 0x%llx%s: the block has %llu bytes from 0x%llx%s",
                       verb_of(access), bytes_text(bytes, access->bytes), (unsigned long long)at,
                       beyond(distance, at, block->shared.base, block->shared.size),
                       (unsigned long long)block->shared.size,
                       (unsigned long long)block->shared.base,
                       lacks_dynamic ? "; dynamic shared memory of the launch is 0 bytes" : "");
}

enum run_next run_elsewhere(struct run_warp *warp, const struct run_op *op, unsigned lane,
                            uint64_t at, const char *what) {
    return run_finding(warp, op, lane, RULE_MEMORY_BOUNDS, 1,
                       "%s at shared address 0x%llx of block %llu of the cluster by .shared::cta, "
                       "which is memory of the own block; missing: .shared::cluster",
                       what, (unsigned long long)at, (unsigned long long)(at >> RUN_RANK_SHIFT));
}

static enum run_next far_shared(struct run_warp *warp, const struct run_op *op, unsigned lane,
                                const struct run_access *access, uint32_t bytes) {
    char text[32], what[48];
    struct base_text words = {what, sizeof what, 0};
    base_put(&words, "%s %s", verb_of(access), bytes_text(text, bytes));
    return run_elsewhere(warp, op, lane, (uint32_t)access->at[lane], what);
}

enum run_next run_near_only(struct run_warp *warp, const struct run_op *op, uint32_t lanes,
                            const struct run_access *access, uint32_t bytes) {
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        const unsigned lane = run_lowest(rest);
        const struct run_block *block = block_of(warp->block, (uint32_t)access->at[lane]);
        if (block && block != warp->block)
            return far_shared(warp, op, lane, access, bytes);
    }
    return RUN_ON;
}

static enum run_next reach_shared(struct run_warp *warp, const struct run_op *op,
                                  struct run_access *access) {
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        uint64_t at = access->at[lane] & 0xFFFFFFFFu;
        const struct run_block *block = block_of(warp->block, at);
        const struct wsim_memory *memory = block ? &block->shared : &warp->block->shared;
        uint64_t offset = at - memory->base;
        access->at[lane] = at;
        if (!block || at < memory->base || offset >= memory->size ||
            access->bytes > memory->size - offset)
            return outside_shared(warp, op, lane, access, block);
        if (block != warp->block && access->near)
            return far_shared(warp, op, lane, access, access->bytes);
        access->host[lane] = memory->bytes + offset;
    }
    return RUN_ON;
}

static enum run_next reach_local(struct run_warp *warp, const struct run_op *op,
                                 struct run_access *access) {
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        uint64_t at = access->at[lane] & 0xFFFFFFFFu;
        access->at[lane] = at;
        if (at >= warp->local_used || access->bytes > warp->local_used - at) {
            char distance[48], bytes[32];
            if (at >> 31) /* a negative index */
                return run_finding(warp, op, lane, RULE_MEMORY_BOUNDS, 1,
                                   "%s %s, %llu bytes before the local memory of the thread, "
                                   "which has %u bytes",
                                   verb_of(access), bytes_text(bytes, access->bytes),
                                   (unsigned long long)((UINT64_C(1) << 32) - at),
                                   warp->local_used);
            return run_finding(warp, op, lane, RULE_MEMORY_BOUNDS, 1,
                               "%s %s at local address 0x%llx%s: the thread has %u bytes",
                               verb_of(access), bytes_text(bytes, access->bytes),
                               (unsigned long long)at, beyond(distance, at, 0, warp->local_used),
                               warp->local_used);
        }
        access->host[lane] = warp->local + (size_t)lane * warp->local_stride + (size_t)at;
    }
    return RUN_ON;
}

/* Constants and parameters, which are read-only. */
static enum run_next reach_fixed(struct run_warp *warp, const struct run_op *op,
                                 struct run_access *access) {
    const struct run_launch *launch = warp->worker->launch;
    const struct wsim_memory constant = launch->attached->constant;
    uint64_t size = access->space == PTX_CONST ? constant.size : launch->how->param_bytes;
    const uint8_t *bytes = access->space == PTX_CONST ? constant.bytes : launch->params;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1) {
        unsigned lane = run_lowest(rest);
        uint64_t at = access->at[lane] & 0xFFFFFFFFu;
        access->at[lane] = at;
        if (access->kind != RUN_READ)
            return run_finding(warp, op, lane, RULE_MEMORY_READ_ONLY, 1, "writes %s address 0x%llx",
                               space_name(access->space), (unsigned long long)at);
        if (at >= size || access->bytes > size - at) {
            char distance[48], bytes[32];
            return run_finding(warp, op, lane, RULE_MEMORY_BOUNDS, 1,
                               "reads %s at %s address 0x%llx%s: the space has %llu bytes",
                               bytes_text(bytes, access->bytes), space_name(access->space),
                               (unsigned long long)at, beyond(distance, at, 0, size),
                               (unsigned long long)size);
        }
        /* Only reads come here. */
        access->host[lane] = (uint8_t *)(uintptr_t)(bytes + at);
    }
    return RUN_ON;
}

enum run_next run_reach(struct run_warp *warp, const struct run_op *op, struct run_access *access,
                        uint32_t align) {
    uint64_t low = 0;
    enum run_next next;
    for (uint32_t rest = access->lanes; rest; rest &= rest - 1)
        low |= access->at[run_lowest(rest)];
    if (low & (align - 1)) {
        next = misaligned(warp, op, access, align);
        if (next)
            return next;
    }
    switch (access->space) {
    case PTX_GLOBAL: next = reach_global(warp, op, access); break;
    case PTX_SHARED: next = reach_shared(warp, op, access); break;
    case PTX_LOCAL: next = reach_local(warp, op, access); break;
    default: next = reach_fixed(warp, op, access); break;
    }
    if (next)
        return next;
    if (access->kind == RUN_WRITE)
        warp->block->unit->events++;
    if (!hear_wants(warp, access->space))
        return RUN_ON;
    hear_access(warp, op, access);
    return hear_refuses(warp) ? RUN_STOP : RUN_ON;
}

enum run_next run_reach_generic(struct run_warp *warp, const struct run_op *op,
                                struct run_access *access, uint32_t align, uint32_t *rest) {
    uint32_t all = access->lanes, same = 0;
    access->space = (uint8_t)run_space_of(access->at[run_lowest(all)]);
    for (uint32_t left = all; left; left &= left - 1) {
        unsigned lane = run_lowest(left);
        if ((uint8_t)run_space_of(access->at[lane]) == access->space)
            same |= 1u << lane;
    }
    *rest = all & ~same;
    access->lanes = same;
    return run_reach(warp, op, access, align);
}

int run_window(struct run_warp *warp, enum ptx_space space, uint64_t at, uint64_t bytes,
               struct wsim_memory *memory) {
    const struct run_launch *launch = warp->worker->launch;
    const struct run_buffer *buffer;
    if (space == PTX_GENERIC) {
        space = run_space_of(at);
        if (space != PTX_GLOBAL)
            at &= 0xFFFFFFFFu;
    }
    switch (space) {
    case PTX_SHARED: {
        const struct run_block *block = block_of(warp->block, at & 0xFFFFFFFFu);
        if (!block)
            return 0;
        *memory = block->shared;
        return 1;
    }
    case PTX_CONST: *memory = launch->attached->constant; return 1;
    case PTX_PARAM:
        *memory = wsim_memory_const(WSIM_PARAM, launch->params, launch->how->param_bytes, 0);
        return 1;
    case PTX_GLOBAL:
        buffer = run_buffer_open(launch->device, at, bytes);
        if (!buffer && !launch->device->all)
            return 0;
        *memory = buffer ? wsim_memory_over(WSIM_GLOBAL, run_host(buffer, buffer->base),
                                            buffer->size, buffer->base)
                         : wsim_memory_over(WSIM_GLOBAL, (void *)(uintptr_t)at, bytes, at);
        return 1;
    default: return 0;
    }
}
