/* Bytes of device memory from and to the host, copied and filled; which of them are written. */
#include "device.h"
#include "known.h"

#include <string.h>

/* Rows of a buffer or variable. */
struct rows {
    uint64_t at, pitch;
    const struct run_buffer *buffer; /* NULL: a constant variable, or memory of the process */
};

/* Whether the bytes lie in the constant variables of a device. */
static int is_constant(const struct wsim_device *device, uint64_t address, uint64_t size) {
    for (size_t i = 0; i < RUN_BUCKETS; i++)
        for (const struct run_attached *at = device->attached[i]; at; at = at->next) {
            uint64_t offset = address - (uint64_t)(uintptr_t)at->constant.bytes;
            if (at->constant.bytes && offset <= at->constant.size &&
                size <= at->constant.size - offset)
                return 1;
        }
    return 0;
}

/* Where bytes of the host are: in a buffer, or in constant memory. */
static enum wsim_status find_bytes(const struct wsim_device *device, uint64_t address,
                                   uint64_t size, const struct run_buffer **buffer,
                                   struct wsim_diag *diag) {
    *buffer = run_buffer_of(device, address, size);
    if (*buffer || device->all)
        return WSIM_OK;
    for (const struct wsim_device *at = device->space->devices; at; at = at->next)
        if (is_constant(at, address, size))
            return WSIM_OK;
    return base_refuse(diag, RULE_DEVICE_BYTES_OUTSIDE, 0,
                       "%llu bytes at 0x%llx do not lie in one buffer or variable",
                       (unsigned long long)size, (unsigned long long)address);
}

/* --- the host --- */

enum wsim_status wsim_device_write(struct wsim_device *device, uint64_t address, const void *bytes,
                                   uint64_t size, struct wsim_diag *diag) {
    const struct run_buffer *buffer;
    enum wsim_status status = find_bytes(device, address, size, &buffer, diag);
    if (status || !size)
        return status;
    if (bytes != run_host(buffer, address))
        memcpy(run_host(buffer, address), bytes, (size_t)size);
    if (buffer)
        run_buffer_learn(buffer, address, size);
    atomic_fetch_add(&device->space->changes, 1);
    return WSIM_OK;
}

enum wsim_status wsim_device_read(struct wsim_device *device, uint64_t address, void *bytes,
                                  uint64_t size, struct wsim_diag *diag) {
    const struct run_buffer *buffer;
    enum wsim_status status = find_bytes(device, address, size, &buffer, diag);
    if (!status && size)
        memcpy(bytes, run_host(buffer, address), (size_t)size);
    return status;
}

uint64_t wsim_device_written(const struct wsim_device *device, uint64_t address, uint64_t bytes) {
    const struct run_buffer *buffer;
    uint64_t offset, next, at;
    if (find_bytes(device, address, bytes, &buffer, NULL))
        return 0;
    if (!buffer || !run_buffer_bits(buffer))
        return bytes;
    offset = address - buffer->base;
    for (at = offset; at < offset + bytes; at = next) {
        const uint64_t mask = known_mask(at, offset + bytes, &next);
        uint64_t missing = known_missing(&buffer->known[at / 64], mask) >> at % 64;
        for (; missing; missing >>= 1, at++)
            if (missing & 1)
                return at - offset;
    }
    return bytes;
}

/* --- rows --- */

/* Finds rows of `width` bytes: all of them in one buffer or variable. */
static enum wsim_status find_rows(const struct wsim_device *device, uint64_t width, uint64_t height,
                                  struct rows *rows, struct wsim_diag *diag) {
    if (rows->pitch < width)
        return base_refuse(diag, RULE_DEVICE_PITCH_RANGE, 0,
                           "rows of %llu bytes at a pitch of %llu: the pitch is at least a row",
                           (unsigned long long)width, (unsigned long long)rows->pitch);
    if (height - 1 > (UINT64_MAX - width) / rows->pitch)
        return base_refuse(diag, RULE_DEVICE_BYTES_OUTSIDE, 0,
                           "%llu rows at 0x%llx, %llu bytes apart, do not lie in one buffer or "
                           "variable",
                           (unsigned long long)height, (unsigned long long)rows->at,
                           (unsigned long long)rows->pitch);
    return find_bytes(device, rows->at, (height - 1) * rows->pitch + width, &rows->buffer, diag);
}

/* The first byte that a row of `to` and a row of `from` share; 0: there is none. */
static uint64_t find_overlap(const struct rows *to, const struct rows *from, uint64_t width,
                             uint64_t height) {
    uint64_t a = to->at, b = from->at;
    for (uint64_t i = 0, j = 0; i < height && j < height;) {
        if (a - b < width || b - a < width)
            return a > b ? a : b;
        if (a < b)
            a += to->pitch, i++;
        else
            b += from->pitch, j++;
    }
    return 0;
}

/* `bits` of `known` from bit `at` on, at most 64. */
static uint64_t read_bits(const atomic_ullong *known, uint64_t at, unsigned bits) {
    const unsigned skip = at % 64;
    uint64_t word = atomic_load_explicit(&known[at / 64], memory_order_relaxed) >> skip;
    if (skip + bits > 64)
        word |= atomic_load_explicit(&known[at / 64 + 1], memory_order_relaxed) << (64 - skip);
    return bits < 64 ? word & ((UINT64_C(1) << bits) - 1) : word;
}

/* Gives the bytes of a copied row the states of their sources. */
static void copy_known(const struct run_buffer *to, uint64_t to_at, const struct run_buffer *from,
                       uint64_t from_at, uint64_t bytes) {
    uint64_t at, next, end;
    if (!to || !to->known || to->blind)
        return;
    if (!from || !run_buffer_bits(from)) {
        run_buffer_learn(to, to_at, bytes);
        return;
    }
    at = to_at - to->base, end = at + bytes, from_at -= from->base;
    known_forget(to->known, to->size);
    for (; at < end; from_at += next - at, at = next) {
        const uint64_t mask = known_mask(at, end, &next);
        const uint64_t bits = read_bits(from->known, from_at, (unsigned)(next - at)) << at % 64;
        const uint64_t old = atomic_load_explicit(&to->known[at / 64], memory_order_relaxed);
        atomic_store_explicit(&to->known[at / 64], (old & ~mask) | bits, memory_order_relaxed);
    }
}

enum wsim_status wsim_device_copy_2d(struct wsim_device *device, uint64_t to, uint64_t to_pitch,
                                     uint64_t from, uint64_t from_pitch, uint64_t width,
                                     uint64_t height, struct wsim_diag *diag) {
    struct rows target = {.at = to, .pitch = to_pitch};
    struct rows source = {.at = from, .pitch = from_pitch};
    enum wsim_status status;
    uint64_t shared;
    if (!width || !height)
        return WSIM_OK;
    status = find_rows(device, width, height, &target, diag);
    if (!status)
        status = find_rows(device, width, height, &source, diag);
    if (status)
        return status;
    shared = find_overlap(&target, &source, width, height);
    if (shared)
        return base_refuse(diag, RULE_DEVICE_COPY_OVERLAP, 0,
                           "a copy of %llu x %llu bytes from 0x%llx to 0x%llx: source and "
                           "destination share the byte at 0x%llx",
                           (unsigned long long)height, (unsigned long long)width,
                           (unsigned long long)from, (unsigned long long)to,
                           (unsigned long long)shared);
    for (uint64_t i = 0; i < height; i++, to += to_pitch, from += from_pitch) {
        memcpy(run_host(target.buffer, to), run_host(source.buffer, from), (size_t)width);
        copy_known(target.buffer, to, source.buffer, from, width);
    }
    atomic_fetch_add(&device->space->changes, 1);
    return WSIM_OK;
}

enum wsim_status wsim_device_copy(struct wsim_device *device, uint64_t to, uint64_t from,
                                  uint64_t bytes, struct wsim_diag *diag) {
    return wsim_device_copy_2d(device, to, bytes, from, bytes, bytes, 1, diag);
}

/* Whether a pattern of `size` bytes can be stored at all of these places. */
static enum wsim_status check_pattern(unsigned size, uint64_t to, uint64_t pitch, uint64_t width,
                                      uint64_t height, struct wsim_diag *diag) {
    if (size != 1 && size != 2 && size != 4 && size != 8)
        return base_refuse(diag, RULE_DEVICE_FILL_SIZE, 0,
                           "a pattern of %u bytes: must be 1, 2, 4 or 8", size);
    if (width % size)
        return base_refuse(diag, RULE_DEVICE_FILL_SIZE, 0,
                           "%llu bytes are not a multiple of the %u of the pattern",
                           (unsigned long long)width, size);
    if (to % size || (height > 1 && pitch % size))
        return base_refuse(diag, RULE_DEVICE_FILL_ALIGN, 0,
                           "a pattern of %u bytes at 0x%llx, rows %llu bytes apart: address and "
                           "pitch are multiples of %u",
                           size, (unsigned long long)to, (unsigned long long)pitch, size);
    return WSIM_OK;
}

static void fill_row(uint8_t *to, const uint8_t *pattern, unsigned size, size_t bytes) {
    if (size == 1)
        memset(to, *pattern, bytes);
    else
        for (size_t i = 0; i < bytes; i += size)
            memcpy(to + i, pattern, size);
}

enum wsim_status wsim_device_fill_2d(struct wsim_device *device, uint64_t to, uint64_t pitch,
                                     uint64_t pattern, unsigned size, uint64_t width,
                                     uint64_t height, struct wsim_diag *diag) {
    struct rows target = {.at = to, .pitch = pitch};
    uint8_t bytes[8];
    enum wsim_status status = check_pattern(size, to, pitch, width, height, diag);
    if (status || !width || !height)
        return status;
    status = find_rows(device, width, height, &target, diag);
    if (status)
        return status;
    for (unsigned i = 0; i < size; i++)
        bytes[i] = (uint8_t)(pattern >> 8 * i);
    for (uint64_t row = 0; row < height; row++, to += pitch) {
        fill_row(run_host(target.buffer, to), bytes, size, (size_t)width);
        if (target.buffer)
            run_buffer_learn(target.buffer, to, width);
    }
    atomic_fetch_add(&device->space->changes, 1);
    return WSIM_OK;
}

enum wsim_status wsim_device_fill(struct wsim_device *device, uint64_t to, uint64_t pattern,
                                  unsigned size, uint64_t bytes, struct wsim_diag *diag) {
    return wsim_device_fill_2d(device, to, bytes, pattern, size, bytes, 1, diag);
}
