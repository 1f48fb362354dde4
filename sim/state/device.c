/* Devices, the address spaces that they share, and the buffers in these. */
#include "device.h"
#include "known.h"
#include "pool.h"
#include "textures.h"

#include "../memory/memory.h"

#include <stdlib.h>
#include <wsim/code.h>

#define GUARD 256 /* bytes around each buffer that no buffer owns */

/* Counts the buffers that begin at or below the address. */
static size_t buffers_below(const struct run_space *space, uint64_t address) {
    size_t low = 0, high = space->n_buffers;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (space->buffers[middle]->base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct run_buffer *run_buffer_of(const struct wsim_device *device, uint64_t address,
                                       uint64_t bytes) {
    const struct run_space *space = device->space;
    size_t below = buffers_below(space, address);
    const struct run_buffer *buffer = below ? space->buffers[below - 1] : NULL;
    uint64_t offset = buffer ? address - buffer->base : 0;
    return buffer && offset <= buffer->size && bytes <= buffer->size - offset ? buffer : NULL;
}

const struct run_buffer *run_buffer_open(const struct wsim_device *device, uint64_t address,
                                         uint64_t bytes) {
    const struct run_buffer *buffer = run_buffer_of(device, address, bytes);
    return buffer && run_is_open(device, buffer) ? buffer : NULL;
}

const struct run_buffer *run_buffer_near(const struct wsim_device *device, uint64_t address,
                                         uint64_t *distance, int *behind) {
    const struct run_space *space = device->space;
    size_t below = buffers_below(space, address);
    const struct run_buffer *before = below ? space->buffers[below - 1] : NULL;
    const struct run_buffer *after = below < space->n_buffers ? space->buffers[below] : NULL;
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

atomic_ullong *run_buffer_bits(const struct run_buffer *buffer) {
    if (!buffer->known || atomic_load_explicit(&buffer->blind, memory_order_relaxed))
        return NULL;
    return known_all(buffer->known, buffer->size) ? NULL : buffer->known;
}

void run_buffer_learn(const struct run_buffer *buffer, uint64_t address, uint64_t bytes) {
    atomic_ullong *const bits = run_buffer_bits(buffer);
    const uint64_t from = address - buffer->base;
    if (bits && bytes == buffer->size)
        known_fill(bits, bytes);
    else if (bits)
        known_add(bits, from, from + bytes, 0);
}

void run_space_number(struct run_space *space) {
    if (!space->flights)
        space->numbered = 0;
    for (size_t i = 0; i < space->n_buffers; i++)
        if (!space->flights || space->buffers[i]->number == RUN_UNNUMBERED)
            space->buffers[i]->number = space->numbered++;
}

static enum wsim_status heap_full(struct wsim_diag *diag, const char *what) {
    return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for %s", what);
}

/* A number that no device of a space has. RUN_DEVICES: there is none. */
static uint8_t free_number(const struct run_space *space) {
    uint64_t taken = 0;
    uint8_t number = 0;
    for (const struct wsim_device *at = space->devices; at; at = at->next)
        if (at->number < RUN_DEVICES)
            taken |= UINT64_C(1) << at->number;
    while (number < RUN_DEVICES && taken >> number & 1)
        number++;
    return number;
}

static enum wsim_status make_device(const struct wsim_arch *arch, struct run_space *space,
                                    struct wsim_device **device, struct wsim_diag *diag) {
    struct wsim_device *made;
    *device = NULL;
    if (!arch)
        return base_refuse(diag, RULE_ARCH_MISSING, 0, "no architecture is given");
    made = calloc(1, sizeof *made);
    if (made)
        made->space = space ? space : calloc(1, sizeof *made->space);
    if (!made || !made->space) {
        free(made);
        return heap_full(diag, "a device");
    }
    made->arch = arch;
    made->most_variables = WSIM_VARIABLE_BYTES;
    made->number = free_number(made->space);
    made->next = made->space->devices;
    made->space->devices = made;
    *device = made;
    return WSIM_OK;
}

enum wsim_status wsim_device_make(const struct wsim_arch *arch, struct wsim_device **device,
                                  struct wsim_diag *diag) {
    return make_device(arch, NULL, device, diag);
}

enum wsim_status wsim_device_make_peer(struct wsim_device *peer, const struct wsim_arch *arch,
                                       struct wsim_device **device, struct wsim_diag *diag) {
    return make_device(arch, peer->space, device, diag);
}

static void free_buffer(struct run_buffer *buffer) {
    if (!buffer)
        return;
    free(buffer->owned);
    free((void *)buffer->known);
    free(buffer->name);
    free(buffer);
}

/* Takes the buffers out of a space that the device, or a block without devices, owns. */
static void drop_buffers(struct run_space *space, const struct wsim_device *device) {
    size_t kept = 0;
    for (size_t i = 0; i < space->n_buffers; i++) {
        struct run_buffer *const buffer = space->buffers[i];
        if (buffer->among ? !buffer->among->devices : buffer->owner == device)
            free_buffer(buffer);
        else
            space->buffers[kept++] = buffer;
    }
    space->n_buffers = kept;
}

static void leave_blocks(const struct run_attached *attached) {
    for (int managed = 0; managed < 2; managed++)
        if (attached->blocks[managed])
            attached->blocks[managed]->devices--;
}

static void free_block(struct run_space *space, struct run_variables *block) {
    struct run_variables **at = &space->managed;
    if (!block || block->devices)
        return;
    while (*at && *at != block)
        at = &(*at)->next;
    if (*at)
        *at = block->next;
    free(block->owned);
    free(block);
}

/* No buffer is in its blocks any more, unless other devices have them. */
static void free_attached(struct run_space *space, struct run_attached *attached) {
    for (int managed = 0; managed < 2; managed++)
        free_block(space, attached->blocks[managed]);
    free(attached->symbols);
    free(attached->constant.bytes);
    free(attached);
}

void run_detach(struct wsim_device *device, struct run_attached *attached) {
    leave_blocks(attached);
    drop_buffers(device->space, NULL);
    free_attached(device->space, attached);
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

/* Takes a device, its buffers and variables out of its space. */
static void leave_space(struct wsim_device *device) {
    struct run_space *space = device->space;
    struct wsim_device **at = &space->devices;
    for (size_t i = 0; i < RUN_BUCKETS; i++)
        for (const struct run_attached *a = device->attached[i]; a; a = a->next)
            leave_blocks(a);
    drop_buffers(space, device);
    for (size_t i = 0; i < RUN_BUCKETS; i++)
        for (struct run_attached *next, *a = device->attached[i]; a; a = next) {
            next = a->next;
            free_attached(space, a);
        }
    while (*at != device)
        at = &(*at)->next;
    *at = device->next;
    for (size_t i = 0; i < space->n_buffers && device->number < RUN_DEVICES; i++)
        space->buffers[i]->closed &= ~(UINT64_C(1) << device->number);
    if (space->devices)
        return;
    for (unsigned i = 0; i < RUN_RELEASED; i++)
        free(space->released[i].owned);
    free(space->pages.mapped);
    free(space->buffers);
    free(space);
}

void wsim_device_free(struct wsim_device *device) {
    if (!device)
        return;
    leave_space(device);
    for (size_t i = 0; i < RUN_BUCKETS; i++)
        run_prepared_free(device->prepared[i]);
    free(device->pieces);
    free(device->inside);
    run_textures_free(device->textures);
    for (size_t i = 0; i < sizeof device->chunks / sizeof device->chunks[0]; i++)
        pool_free(device->chunks[i]);
    free(device);
}

/* Puts a buffer in its place. */
static enum wsim_status insert(struct wsim_device *device, struct run_buffer *buffer,
                               struct wsim_diag *diag) {
    struct run_space *space = device->space;
    size_t at = buffers_below(space, buffer->base);
    if (space->n_buffers == space->room) {
        size_t room = space->room ? 2 * space->room : 16;
        struct run_buffer **grown = realloc(space->buffers, room * sizeof(struct run_buffer *));
        if (!grown)
            return heap_full(diag, "a list of buffers");
        space->buffers = grown;
        space->room = room;
    }
    memmove(space->buffers + at + 1, space->buffers + at,
            (space->n_buffers - at) * sizeof(struct run_buffer *));
    space->buffers[at] = buffer;
    space->n_buffers++;
    buffer->owner = buffer->among ? NULL : device;
    buffer->number = RUN_UNNUMBERED;
    atomic_init(&buffer->blind, space->blind != 0);
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
                           "an alignment of %u bytes is not a power of two", align);
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
    /* Uninitialised bytes have a value that is rarely right by accident. */
    memset(buffer->owned, 0xCD, (size_t)bytes + 2 * GUARD + align);
    buffer->base = ((uint64_t)(uintptr_t)buffer->owned + GUARD + align - 1) / align * align;
    status = insert(device, buffer, diag);
    if (status)
        free_buffer(buffer);
    else
        *address = buffer->base;
    return status;
}

void wsim_device_limit_variables(struct wsim_device *device, uint64_t bytes) {
    device->most_variables = bytes;
}

static void drop_released(struct run_space *space, struct run_released *released) {
    space->released_bytes -= released->bytes;
    free(released->owned);
    *released = (struct run_released){NULL, 0};
}

/* Keeps the memory of a buffer, so that a pointer to it does not point into the next one. The
 * oldest ones are freed. */
static void keep_released(struct run_space *space, struct run_buffer *buffer) {
    struct run_released *released = &space->released[space->next_released];
    if (!buffer->owned || buffer->size > RUN_RELEASED_BYTES)
        return;
    drop_released(space, released);
    *released = (struct run_released){buffer->owned, buffer->size};
    buffer->owned = NULL;
    space->released_bytes += buffer->size;
    space->next_released = (space->next_released + 1) % RUN_RELEASED;
    for (unsigned i = 0; space->released_bytes > RUN_RELEASED_BYTES && i < RUN_RELEASED; i++)
        drop_released(space, &space->released[(space->next_released + i) % RUN_RELEASED]);
}

static struct run_buffer *starting_at(const struct run_space *space, uint64_t address) {
    const size_t below = buffers_below(space, address);
    return below && space->buffers[below - 1]->base == address ? space->buffers[below - 1] : NULL;
}

static enum wsim_status no_buffer(struct wsim_diag *diag, uint64_t address) {
    return base_refuse(diag, RULE_DEVICE_BUFFER_MISSING, 0, "no buffer begins at 0x%llx",
                       (unsigned long long)address);
}

enum wsim_status wsim_device_release(struct wsim_device *device, uint64_t address,
                                     struct wsim_diag *diag) {
    struct run_space *space = device->space;
    size_t below = buffers_below(space, address);
    if (!starting_at(space, address))
        return no_buffer(diag, address);
    keep_released(space, space->buffers[below - 1]);
    free_buffer(space->buffers[below - 1]);
    memmove(space->buffers + below - 1, space->buffers + below,
            (space->n_buffers - below) * sizeof(struct run_buffer *));
    space->n_buffers--;
    return WSIM_OK;
}

enum wsim_status wsim_device_close(struct wsim_device *device, uint64_t address, int closed,
                                   struct wsim_diag *diag) {
    const struct run_space *space = device->space;
    struct run_buffer *buffer = starting_at(space, address);
    const uint64_t bit = UINT64_C(1) << device->number % RUN_DEVICES;
    if (!buffer)
        return no_buffer(diag, address);
    if (device->number == RUN_DEVICES)
        return base_refuse(diag, RULE_DEVICE_NUMBER, 0, "%d older devices share these addresses",
                           RUN_DEVICES);
    buffer->closed = closed ? buffer->closed | bit : buffer->closed & ~bit;
    return WSIM_OK;
}

/* A buffer of memory that others own. `fresh`: its bytes are uninitialised. */
static enum wsim_status adopt(struct wsim_device *device, const struct run_variables *among,
                              const char *name, uint64_t base, uint64_t apart, uint64_t size,
                              int fresh, struct wsim_diag *diag) {
    struct run_buffer *buffer = calloc(1, sizeof *buffer);
    enum wsim_status status;
    if (!buffer)
        return heap_full(diag, "a buffer");
    buffer->among = among;
    buffer->base = base;
    buffer->apart = apart;
    device->space->is_apart |= apart != 0;
    buffer->size = size;
    buffer->name = copy_name(name);
    if (fresh)
        buffer->known = calloc(KNOWN_WORDS(size) + 1, sizeof *buffer->known);
    status = (name && !buffer->name) || (fresh && !buffer->known) ? heap_full(diag, "a buffer")
                                                                  : insert(device, buffer, diag);
    if (status)
        free_buffer(buffer);
    return status;
}

enum wsim_status wsim_device_adopt(struct wsim_device *device, const char *name, void *bytes,
                                   uint64_t size, struct wsim_diag *diag) {
    if (size < UINT64_MAX)
        return adopt(device, NULL, name, (uint64_t)(uintptr_t)bytes, 0, size, 0, diag);
    device->all = 1;
    return WSIM_OK;
}

enum wsim_status wsim_device_place(struct wsim_device *device, const char *name, void *bytes,
                                   uint64_t size, struct wsim_diag *diag) {
    return adopt(device, NULL, name, (uint64_t)(uintptr_t)bytes, 0, size, 1, diag);
}

enum wsim_status wsim_device_place_at(struct wsim_device *device, const char *name,
                                      uint64_t address, void *bytes, uint64_t size, int fresh,
                                      struct wsim_diag *diag) {
    return adopt(device, NULL, name, address, (uint64_t)(uintptr_t)bytes - address, size, fresh,
                 diag);
}

enum wsim_status run_buffer_variable(struct wsim_device *device, const struct run_variables *block,
                                     const char *name, uint64_t address, uint64_t bytes,
                                     struct wsim_diag *diag) {
    return adopt(device, block, name, address, 0, bytes, 0, diag);
}

enum wsim_status wsim_device_pages(struct wsim_device *device, uint64_t base, uint64_t bytes,
                                   struct wsim_diag *diag) {
    struct run_pages *pages = &device->space->pages;
    if (pages->mapped)
        return WSIM_OK;
    pages->mapped = calloc((size_t)(bytes / WSIM_PAGE_BYTES) + 1, 1);
    if (!pages->mapped)
        return heap_full(diag, "a list of pages");
    pages->base = base;
    pages->bytes = bytes;
    return WSIM_OK;
}

void wsim_device_map_pages(struct wsim_device *device, uint64_t address, uint64_t bytes,
                           int is_mapped) {
    const struct run_pages *pages = &device->space->pages;
    const uint64_t from = address - pages->base;
    if (!pages->mapped || !bytes || from >= pages->bytes)
        return;
    if (bytes > pages->bytes - from)
        bytes = pages->bytes - from;
    for (uint64_t i = from / WSIM_PAGE_BYTES; i <= (from + bytes - 1) / WSIM_PAGE_BYTES; i++)
        pages->mapped[i] = is_mapped != 0;
}

void wsim_device_pages_at(struct wsim_device *device, void *bytes) {
    struct run_pages *pages = &device->space->pages;
    pages->apart = (uint64_t)(uintptr_t)bytes - pages->base;
}

uint8_t *run_page_host(const struct wsim_device *device, uint64_t address) {
    const struct run_pages *pages = &device->space->pages;
    const int inside = pages->mapped && address - pages->base < pages->bytes;
    return (uint8_t *)(uintptr_t)(address + (inside ? pages->apart : 0));
}

/* Whether all bytes lie among the variables of a module, the first of which begins at its base. */
static int is_among_variables(const struct run_space *space, uint64_t address, uint64_t bytes) {
    const size_t below = buffers_below(space, address);
    const struct run_variables *block = below ? space->buffers[below - 1]->among : NULL;
    return block && bytes <= block->bytes && address - block->base <= block->bytes - bytes;
}

int run_is_mapped(const struct wsim_device *device, uint64_t address, uint64_t bytes) {
    const struct run_pages *pages = &device->space->pages;
    const uint64_t from = address - pages->base;
    if (pages->mapped && is_among_variables(device->space, address, bytes))
        return 1;
    return pages->mapped && from < pages->bytes && bytes <= pages->bytes - from &&
           pages->mapped[from / WSIM_PAGE_BYTES] &&
           pages->mapped[(from + bytes - 1) / WSIM_PAGE_BYTES];
}
