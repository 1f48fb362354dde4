/* Addresses and memory apart: ranges of addresses are reserved, memory is a file in memory, and a
 * map joins them. */
#define _GNU_SOURCE
#include "state.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct wsimrt_physical {
    uint64_t bytes;
    int file, device; /* device WSIMRT_NODE: memory of the host */
    unsigned uses;    /* of the program, and of maps */
    unsigned flags;   /* enum wsimrt_physical_flag */
};

/* A range of addresses, or a map inside one. */
static struct range {
    struct range *next;
    uint64_t base, bytes;
    struct wsimrt_physical *memory; /* NULL: reserved addresses */
    void *at;                       /* of a map: its bytes, as addresses of devices have none */
    uint64_t access;                /* two bits for each device: 1 reads, 3 writes */
    unsigned host;                  /* the same for the host */
} * ranges;

static int is_aligned(uint64_t number) {
    return number && number % WSIMRT_GRANULARITY == 0;
}

/* The range that begins at an address: a map or reserved addresses. */
static struct range **find(uint64_t base, int mapped) {
    struct range **at = &ranges;
    while (*at && ((*at)->base != base || ((*at)->memory != NULL) != mapped))
        at = &(*at)->next;
    return at;
}

static struct range *add(uint64_t base, uint64_t bytes, struct wsimrt_physical *memory) {
    struct range *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    *made = (struct range){.next = ranges, .base = base, .bytes = bytes, .memory = memory};
    ranges = made;
    return made;
}

/* Takes a range out of the list. */
static void drop(struct range **at) {
    struct range *range = *at;
    *at = range->next;
    free(range);
}

/* --- addresses --- */

int virtual_is_reserved(uint64_t address) {
    for (const struct range *at = ranges; at; at = at->next)
        if (address - at->base < at->bytes)
            return 1;
    return 0;
}

int wsimrt_virtual_reserve(uint64_t bytes, uint64_t align, uint64_t wanted, uint64_t *address) {
    int error = core_enter(NULL);
    const uint64_t step = align > WSIMRT_GRANULARITY ? align : WSIMRT_GRANULARITY;
    uint64_t base;
    void *at;
    (void)wanted; /* only a hint */
    if (!error && (!address || !is_aligned(bytes) || align & (align - 1) ||
                   bytes > UINT64_MAX / 4 || step > UINT64_MAX / 4))
        error = WSIMRT_INVALID_VALUE;
    if (error)
        return core_leave(error);
    at = mmap(NULL, bytes + step, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        return core_leave(WSIMRT_OUT_OF_MEMORY);
    base = ((uint64_t)(uintptr_t)at + step - 1) / step * step;
    if (base > (uint64_t)(uintptr_t)at)
        munmap(at, base - (uint64_t)(uintptr_t)at);
    munmap((void *)(uintptr_t)(base + bytes), (uint64_t)(uintptr_t)at + step - base);
    if (!add(base, bytes, NULL)) {
        munmap((void *)(uintptr_t)base, bytes);
        return core_leave(WSIMRT_OUT_OF_MEMORY);
    }
    *address = base;
    return core_leave(0);
}

int wsimrt_virtual_free(uint64_t address, uint64_t bytes) {
    int error = core_enter(NULL);
    struct range **at = find(address, 0);
    if (!error && (!*at || (*at)->bytes != bytes))
        error = WSIMRT_INVALID_VALUE;
    for (const struct range *map = ranges; map && !error; map = map->next)
        if (map->memory && map->base - address < bytes)
            error = WSIMRT_INVALID_VALUE;
    if (!error) {
        munmap((void *)(uintptr_t)address, bytes);
        drop(at);
    }
    return core_leave(error);
}

/* --- memory --- */

static int make(uint64_t bytes, int device, int file, struct wsimrt_physical **memory) {
    struct wsimrt_physical *made = file >= 0 ? calloc(1, sizeof *made) : NULL;
    if (!made || !handle_add(made, HANDLE_PHYSICAL)) {
        free(made);
        if (file >= 0)
            close(file);
        return WSIMRT_OUT_OF_MEMORY;
    }
    *made = (struct wsimrt_physical){.bytes = bytes, .file = file, .device = device, .uses = 1};
    if (device != WSIMRT_NODE) {
        core.devices[device].used += bytes;
        core.devices[device].physical += bytes;
    }
    *memory = made;
    return 0;
}

int physical_make(uint64_t bytes, int device, unsigned flags, struct wsimrt_physical **memory) {
    int error, file = memfd_create("wsim", MFD_CLOEXEC);
    if (file >= 0 && ftruncate(file, (off_t)bytes)) {
        close(file);
        file = -1;
    }
    if (file >= 0) /* the mode says which to a process that opens it */
        fchmod(file, device == WSIMRT_NODE ? S_IRWXU | S_IXOTH : S_IRWXU);
    error = make(bytes, device, file, memory);
    if (!error)
        (*memory)->flags = flags;
    return error;
}

static void release(struct wsimrt_physical *memory) {
    if (--memory->uses)
        return;
    if (memory->device != WSIMRT_NODE) {
        core.devices[memory->device].used -= memory->bytes;
        core.devices[memory->device].physical -= memory->bytes;
    }
    close(memory->file);
    handle_remove(memory);
    free(memory);
}

static int enter(const struct wsimrt_physical *memory) {
    const int error = core_enter(NULL);
    return error || handle_is(memory, HANDLE_PHYSICAL) ? error : WSIMRT_INVALID_VALUE;
}

int wsimrt_physical_release(struct wsimrt_physical *memory) {
    const int error = enter(memory);
    if (!error)
        release(memory);
    return core_leave(error);
}

int wsimrt_physical_of(uint64_t address, struct wsimrt_physical **memory) {
    int error = core_enter(NULL);
    const struct range *at = ranges;
    while (at && !(at->memory && address - at->base < at->bytes))
        at = at->next;
    if (!error && (!memory || !at))
        error = WSIMRT_INVALID_VALUE;
    if (!error) {
        *memory = at->memory;
        at->memory->uses++;
    }
    return core_leave(error);
}

int wsimrt_physical_info(struct wsimrt_physical *memory, int *device, unsigned *flags) {
    int error = enter(memory);
    if (!error && (!device || !flags))
        error = WSIMRT_INVALID_VALUE;
    if (!error) {
        *device = memory->device;
        *flags = memory->flags;
    }
    return core_leave(error);
}

int wsimrt_physical_export(struct wsimrt_physical *memory, int *file) {
    int error = enter(memory);
    if (!error && (!file || !(memory->flags & WSIMRT_PHYSICAL_FILE)))
        error = WSIMRT_INVALID_VALUE;
    if (!error && (*file = dup(memory->file)) < 0)
        error = WSIMRT_OPERATING_SYSTEM;
    return core_leave(error);
}

/* Memory that comes from a file has no handle for others, as on an H200. */
int wsimrt_physical_import(int file, struct wsimrt_physical **memory) {
    int error = core_enter(NULL);
    struct stat status;
    if (!error && memory && fstat(file, &status))
        error = WSIMRT_UNKNOWN;
    if (!error && (!memory || !S_ISREG(status.st_mode) || !is_aligned((uint64_t)status.st_size)))
        error = WSIMRT_INVALID_VALUE;
    error = error ? error
                  : make((uint64_t)status.st_size, status.st_mode & S_IXOTH ? WSIMRT_NODE : 0,
                         dup(file), memory);
    return core_leave(error);
}

/* --- maps --- */

/* Whether the addresses are reserved and nothing is mapped there. */
static int is_vacant(uint64_t base, uint64_t bytes) {
    int inside = 0;
    for (const struct range *at = ranges; at; at = at->next) {
        if (at->memory && at->base < base + bytes && base < at->base + at->bytes)
            return 0;
        inside |= !at->memory && base >= at->base && base + bytes <= at->base + at->bytes;
    }
    return inside;
}

int wsimrt_virtual_map(uint64_t address, uint64_t bytes, uint64_t offset,
                       struct wsimrt_physical *memory) {
    int error = enter(memory);
    struct range *map;
    void *at;
    if (!error && (!bytes || (!offset && address % WSIMRT_GRANULARITY)))
        error = WSIMRT_INVALID_VALUE;
    if (!error && (offset || bytes < memory->bytes)) /* an H200 maps the whole */
        error = WSIMRT_NOT_SUPPORTED;
    if (!error &&
        (!is_aligned(bytes) || address % WSIMRT_GRANULARITY || offset % WSIMRT_GRANULARITY ||
         offset > memory->bytes || bytes > memory->bytes - offset || !is_vacant(address, bytes)))
        error = WSIMRT_INVALID_VALUE;
    if (error)
        return core_leave(error);
    at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory->file, (off_t)offset);
    map = at == MAP_FAILED ? NULL : add(address, bytes, memory);
    if (!map)
        return core_leave(WSIMRT_OUT_OF_MEMORY);
    map->at = at;
    core.shared = 1; /* the same bytes may be mapped twice */
    memory->uses++;
    return core_leave(0);
}

/* The host reaches the bytes at the addresses of a map: 0 not, 1 to read, 3 to write too. */
static int open_to_host(struct range *map, unsigned access) {
    void *const at = (void *)(uintptr_t)map->base;
    const int rights = access ? access & 2 ? PROT_READ | PROT_WRITE : PROT_READ : PROT_NONE;
    void *got = at;
    if (access)
        got = mmap(at, map->bytes, rights, MAP_SHARED | MAP_FIXED, map->memory->file, 0);
    else if (map->host)
        got = mmap(at, map->bytes, rights, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
                   -1, 0);
    if (got != at)
        return WSIMRT_OUT_OF_MEMORY;
    map->host = access;
    return 0;
}

int wsimrt_virtual_unmap(uint64_t address, uint64_t bytes) {
    int error = core_enter(NULL);
    uint64_t end = address;
    if (!error && !bytes)
        error = WSIMRT_INVALID_VALUE;
    if (!error && is_vacant(address, bytes))
        return core_leave(0); /* reserved addresses without a map: an H200 says nothing */
    for (struct wsimrt_context *at = core.contexts; at && !error; at = at->next)
        work_drain(at, NULL);
    while (!error && end - address < bytes) {
        struct range **at = find(end, 1);
        if (!*at || (*at)->bytes > bytes - (end - address)) {
            error = WSIMRT_INVALID_VALUE;
            break;
        }
        end += (*at)->bytes;
        memory_release((*at)->base);
        open_to_host(*at, 0);
        munmap((*at)->at, (*at)->bytes);
        release((*at)->memory);
        drop(at);
    }
    return core_leave(error);
}

/* Opens the memory of a map to the devices that have access. */
static void open_map(const struct range *map) {
    struct allocation *const memory = memory_find(map->base, 1);
    memory->access = map->access;
    peers_of(memory);
}

/* Memory of a device stays closed to the host. */
static int set_host(struct range *map, unsigned access) {
    if (map->memory->device != WSIMRT_NODE)
        return access ? WSIMRT_NOT_SUPPORTED : 0;
    return open_to_host(map, access);
}

static int set_device(struct wsimrt_context *context, struct range *map, int device,
                      unsigned access) {
    const int on_host = map->memory->device == WSIMRT_NODE;
    int error = 0;
    if (access && !memory_find(map->base, 1))
        error = memory_of_map(context, on_host ? 0 : map->memory->device, map->base, map->at,
                              map->bytes);
    if (error)
        return error;
    map->access &= ~(UINT64_C(3) << 2 * device);
    map->access |= (uint64_t)access << 2 * device;
    if (!map->access)
        memory_release(map->base);
    else
        open_map(map);
    return 0;
}

int wsimrt_virtual_access(uint64_t address, uint64_t bytes, int device, unsigned access) {
    struct wsimrt_context *context;
    int error = core_enter(&context);
    uint64_t end = address;
    if (!error && ((device != WSIMRT_NODE && (device < 0 || device >= core.settings.devices)) ||
                   !bytes || access > 3 || access == 2))
        error = WSIMRT_INVALID_VALUE;
    while (!error && end - address < bytes) {
        struct range *map = *find(end, 1);
        if (!map || map->bytes > bytes - (end - address))
            error = WSIMRT_INVALID_VALUE;
        else
            error = device == WSIMRT_NODE ? set_host(map, access)
                                          : set_device(context, map, device, access);
        end += map ? map->bytes : 0;
    }
    return core_leave(error);
}

static const struct range *map_at(uint64_t address) {
    const struct range *at = ranges;
    while (at && !(at->memory && address - at->base < at->bytes))
        at = at->next;
    return at;
}

static unsigned access_of(const struct range *map, int device) {
    return (unsigned)(map->access >> 2 * device & 3);
}

int wsimrt_virtual_access_of(uint64_t address, int device, unsigned *access) {
    int error = core_enter(NULL);
    const struct range *const map = map_at(address);
    if (!error && device != WSIMRT_NODE && device != WSIMRT_ANY &&
        (device < 0 || device >= core.settings.devices))
        error = WSIMRT_INVALID_DEVICE;
    if (!error && (!access || !map))
        error = WSIMRT_INVALID_VALUE;
    if (error)
        return core_leave(error);
    *access = map->host;
    if (device >= 0)
        *access = access_of(map, device);
    for (int i = 0; i < core.settings.devices && device == WSIMRT_ANY; i++)
        *access |= access_of(map, i);
    return core_leave(0);
}

int virtual_range(uint64_t address, const struct wsimrt_context *context,
                  struct wsimrt_range *range) {
    const struct range *const map = map_at(address);
    const struct range *all = ranges;
    const int on_host = map && map->memory->device == WSIMRT_NODE;
    if (!map)
        return 0;
    while (all && (all->memory || map->base - all->base >= all->bytes))
        all = all->next;
    *range =
        (struct wsimrt_range){.base = map->base,
                              .bytes = map->bytes,
                              .reserved = all ? all->base : map->base,
                              .reserved_bytes = all ? all->bytes : map->bytes,
                              .kind = on_host ? WSIMRT_HOST : WSIMRT_DEVICE,
                              .device = on_host ? 0 : map->memory->device,
                              .id = (uint64_t)(uintptr_t)map->memory,
                              .mapped = 1,
                              .access = (uint8_t)access_of(map, context ? context->ordinal : 0),
                              .host = (uint8_t)map->host};
    range->far = !range->access;
    return 1;
}
