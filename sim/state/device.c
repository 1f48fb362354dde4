/* Global memory: buffers, sorted by address. */
#include "device.h"
#include "pool.h"
#include "known.h"

#include "../memory/memory.h"

#include <stdlib.h>
#include <wsim/code.h>

#define GUARD 256 /* bytes around a buffer that belong to nobody */

/* How many buffers begin at or below the address. */
static size_t buffers_below(const struct wsim_device *device, uint64_t address) {
    size_t low = 0, high = device->n_buffers;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (device->buffers[middle]->base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct run_buffer *run_buffer_of(const struct wsim_device *device, uint64_t address,
                                       uint64_t bytes) {
    size_t below = buffers_below(device, address);
    const struct run_buffer *buffer = below ? device->buffers[below - 1] : NULL;
    uint64_t offset = buffer ? address - buffer->base : 0;
    return buffer && offset <= buffer->size && bytes <= buffer->size - offset ? buffer : NULL;
}

const struct run_buffer *run_buffer_near(const struct wsim_device *device, uint64_t address,
                                         uint64_t *distance, int *behind) {
    size_t below = buffers_below(device, address);
    const struct run_buffer *before = below ? device->buffers[below - 1] : NULL;
    const struct run_buffer *after = below < device->n_buffers ? device->buffers[below] : NULL;
    uint64_t past = before ? address - before->base : 0;
    *behind = 1;
    if (before && past < before->size)
        return *distance = 0, before;
    if (before && (!after || past - before->size <= after->base - address))
        return *distance = past - before->size, before;
    *behind = 0;
    *distance = after ? after->base - address : 0;
    return after;
}

void run_buffer_learn(const struct run_buffer *buffer, uint64_t address, uint64_t bytes) {
    uint64_t from = address - buffer->base;
    if (buffer->known)
        known_add(buffer->known, from, from + bytes, 0);
}

static enum wsim_status heap_full(struct wsim_diag *diag, const char *what) {
    return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "there is no memory for %s", what);
}

enum wsim_status wsim_device_make(const struct wsim_arch *arch, struct wsim_device **device,
                                  struct wsim_diag *diag) {
    *device = NULL;
    if (!arch)
        return base_refuse(diag, RULE_ARCH_MISSING, 0, "no architecture is given");
    *device = calloc(1, sizeof **device);
    if (!*device)
        return heap_full(diag, "a device");
    (*device)->arch = arch;
    return WSIM_OK;
}

static void free_buffer(struct run_buffer *buffer) {
    if (!buffer)
        return;
    free(buffer->owned);
    free((void *)buffer->known);
    free(buffer->name);
    free(buffer);
}

static void free_attached(struct run_attached *attached) {
    for (struct run_attached *next; attached; attached = next) {
        next = attached->next;
        free(attached->symbols);
        free(attached->constant.bytes);
        free(attached);
    }
}

void run_prepared_free(struct run_prepared *prepared) {
    for (struct run_prepared *next; prepared; prepared = next) {
        next = prepared->next;
        for (uint32_t i = 0; prepared->codes && i < prepared->n_codes; i++)
            free(prepared->codes[i]);
        free(prepared->codes);
        free(prepared);
    }
}

void wsim_device_free(struct wsim_device *device) {
    if (!device)
        return;
    for (size_t i = 0; i < device->n_buffers; i++)
        free_buffer(device->buffers[i]);
    free(device->buffers);
    for (size_t i = 0; i < RUN_BUCKETS; i++) {
        free_attached(device->attached[i]);
        run_prepared_free(device->prepared[i]);
    }
    free(device->pieces);
    if (device->chunks)
        device->chunks_free(device->chunks);
    free(device);
}

/* Puts a buffer in its place. */
static enum wsim_status insert(struct wsim_device *device, struct run_buffer *buffer,
                               struct wsim_diag *diag) {
    size_t at = buffers_below(device, buffer->base);
    if (device->n_buffers == device->room) {
        size_t room = device->room ? 2 * device->room : 16;
        struct run_buffer **grown = realloc(device->buffers, room * sizeof(struct run_buffer *));
        if (!grown)
            return heap_full(diag, "a list of buffers");
        device->buffers = grown;
        device->room = room;
    }
    memmove(device->buffers + at + 1, device->buffers + at,
            (device->n_buffers - at) * sizeof(struct run_buffer *));
    device->buffers[at] = buffer;
    device->n_buffers++;
    return WSIM_OK;
}

static char *copy_name(const char *name) {
    size_t size = name ? strlen(name) + 1 : 0;
    char *copy = size ? malloc(size) : NULL;
    return copy ? memcpy(copy, name, size) : NULL;
}

enum wsim_status wsim_device_alloc(struct wsim_device *device, const char *name, uint64_t bytes,
                                   uint32_t align, uint64_t *address, struct wsim_diag *diag) {
    struct run_buffer *buffer = calloc(1, sizeof *buffer);
    enum wsim_status status;
    if (!align)
        align = 256;
    if (align & (align - 1)) {
        free(buffer);
        return base_refuse(diag, RULE_DEVICE_ALIGN_POWER, 0,
                           "an alignment of %u bytes is no power of two", align);
    }
    if (!buffer || bytes > SIZE_MAX - 2 * GUARD - align) {
        free(buffer);
        return heap_full(diag, "a buffer");
    }
    buffer->owned = malloc((size_t)bytes + 2 * GUARD + align);
    buffer->known = calloc(KNOWN_WORDS(bytes) + 1, sizeof *buffer->known);
    buffer->name = copy_name(name);
    buffer->size = bytes;
    if (!buffer->owned || !buffer->known || (name && !buffer->name)) {
        free_buffer(buffer);
        return heap_full(diag, "a buffer");
    }
    /* Bytes that nobody has written are something that is rarely right by accident. */
    memset(buffer->owned, 0xCD, (size_t)bytes + 2 * GUARD + align);
    buffer->base = ((uint64_t)(uintptr_t)buffer->owned + GUARD + align - 1) / align * align;
    status = insert(device, buffer, diag);
    if (status)
        free_buffer(buffer);
    else
        *address = buffer->base;
    return status;
}

enum wsim_status wsim_device_release(struct wsim_device *device, uint64_t address,
                                     struct wsim_diag *diag) {
    size_t below = buffers_below(device, address);
    if (!below || device->buffers[below - 1]->base != address)
        return base_refuse(diag, RULE_DEVICE_BUFFER_MISSING, 0, "no buffer begins at 0x%llx",
                           (unsigned long long)address);
    free_buffer(device->buffers[below - 1]);
    memmove(device->buffers + below - 1, device->buffers + below,
            (device->n_buffers - below) * sizeof(struct run_buffer *));
    device->n_buffers--;
    return WSIM_OK;
}

enum wsim_status wsim_device_adopt(struct wsim_device *device, const char *name, void *bytes,
                                   uint64_t size, struct wsim_diag *diag) {
    struct run_buffer *buffer;
    enum wsim_status status;
    if (size == UINT64_MAX) {
        device->all = 1;
        return WSIM_OK;
    }
    buffer = calloc(1, sizeof *buffer);
    if (!buffer)
        return heap_full(diag, "a buffer");
    buffer->base = (uint64_t)(uintptr_t)bytes;
    buffer->size = size;
    buffer->name = copy_name(name);
    status = name && !buffer->name ? heap_full(diag, "a buffer") : insert(device, buffer, diag);
    if (status)
        free_buffer(buffer);
    return status;
}

/* Where bytes of the host are: in a buffer, or in constant memory. */
static enum wsim_status find_bytes(const struct wsim_device *device, uint64_t address,
                                   uint64_t size, const struct run_buffer **buffer,
                                   struct wsim_diag *diag) {
    *buffer = run_buffer_of(device, address, size);
    if (*buffer)
        return WSIM_OK;
    for (size_t i = 0; i < RUN_BUCKETS; i++)
        for (const struct run_attached *at = device->attached[i]; at; at = at->next) {
            uint64_t offset = address - (uint64_t)(uintptr_t)at->constant.bytes;
            if (at->constant.bytes && offset <= at->constant.size &&
                size <= at->constant.size - offset)
                return WSIM_OK;
        }
    return device->all ? WSIM_OK
                       : base_refuse(diag, RULE_DEVICE_BYTES_OUTSIDE, 0,
                                     "%llu bytes at 0x%llx do not lie in one buffer",
                                     (unsigned long long)size, (unsigned long long)address);
}

enum wsim_status wsim_device_write(struct wsim_device *device, uint64_t address, const void *bytes,
                                   uint64_t size, struct wsim_diag *diag) {
    const struct run_buffer *buffer;
    enum wsim_status status = find_bytes(device, address, size, &buffer, diag);
    if (status || !size)
        return status;
    memcpy((void *)(uintptr_t)address, bytes, (size_t)size);
    if (buffer)
        run_buffer_learn(buffer, address, size);
    return WSIM_OK;
}

enum wsim_status wsim_device_read(struct wsim_device *device, uint64_t address, void *bytes,
                                  uint64_t size, struct wsim_diag *diag) {
    const struct run_buffer *buffer;
    enum wsim_status status = find_bytes(device, address, size, &buffer, diag);
    if (!status && size)
        memcpy(bytes, (const void *)(uintptr_t)address, (size_t)size);
    return status;
}
