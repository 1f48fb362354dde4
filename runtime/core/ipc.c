/* Memory, pools and events that other processes open. A handle names a file in memory of the
 * process that made it, as /proc/PID/fd/N. Processes of one user can open it. */
#define _GNU_SOURCE
#include "state.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE UINT64_C(4096)

struct handle_text { /* of 64 bytes */
    char kind[8];
    int32_t process, file;
    uint64_t offset, bytes;
};

static const char memory_kind[8] = "wsim-mem", event_kind[8] = "wsim-evt",
                  pool_kind[8] = "wsim-pol", pool_memory_kind[8] = "wsim-ptr";

static void put(const struct handle_text *text, unsigned char handle[64]) {
    memset(handle, 0, 64);
    memcpy(handle, text, sizeof *text);
}

/* Opens the file of a handle. -1: the handle is not of this kind, or its process is gone. */
static int open_file(const unsigned char handle[64], const char kind[8], struct handle_text *text) {
    char path[64];
    struct stat status;
    int file;
    memcpy(text, handle, sizeof *text);
    if (memcmp(text->kind, kind, sizeof text->kind) != 0 || text->process <= 0 || text->file < 0)
        return -1;
    snprintf(path, sizeof path, "/proc/%ld/fd/%ld", (long)text->process, (long)text->file);
    file = open(path, O_RDWR | O_CLOEXEC);
    if (file >= 0 &&
        (fstat(file, &status) || !S_ISREG(status.st_mode) || !text->bytes || text->offset >= PAGE ||
         text->bytes > (uint64_t)status.st_size - text->offset)) {
        close(file);
        file = -1;
    }
    return file;
}

/* --- memory --- */

/* Ranges of pages that are files now. */
static struct shared {
    struct shared *next;
    uint64_t from, bytes;
    int file;
} * shared;

/* Puts a file with the same bytes into the place of private pages. */
static int share(uint64_t from, uint64_t apart, uint64_t bytes, struct shared **made) {
    struct shared *range = calloc(1, sizeof *range);
    unsigned char *const at = (unsigned char *)(uintptr_t)(from + apart);
    const int file = memfd_create("wsim", MFD_CLOEXEC);
    uint64_t done = 0;
    while (range && file >= 0 && done < bytes) {
        const ssize_t n = write(file, at + done, bytes - done);
        if (n <= 0)
            break;
        done += (uint64_t)n;
    }
    if (!range || done < bytes ||
        mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) {
        free(range);
        if (file >= 0)
            close(file);
        return WSIMRT_OUT_OF_MEMORY;
    }
    *range = (struct shared){shared, from, bytes, file};
    shared = range;
    *made = range;
    return 0;
}

/* Makes a handle of memory. */
static int put_memory(struct wsimrt_context *context, const struct allocation *allocation,
                      const char kind[8], unsigned char handle[64]) {
    uint64_t from, bytes;
    struct shared *range = shared;
    struct handle_text text;
    int error = work_drain(context, NULL);
    if (error)
        return error;
    core.shared = 1;
    from = allocation->base & ~(PAGE - 1);
    bytes = ((allocation->base + allocation->bytes + PAGE - 1) & ~(PAGE - 1)) - from;
    while (range && (range->from >= from + bytes || from >= range->from + range->bytes))
        range = range->next;
    if (!range)
        error = share(from, allocation->apart, bytes, &range);
    else if (from < range->from || from + bytes > range->from + range->bytes)
        error = WSIMRT_NOT_SUPPORTED; /* half of it lies in pages of another handle */
    if (!error) {
        text = (struct handle_text){.process = (int32_t)getpid(),
                                    .file = range->file,
                                    .offset = allocation->base - range->from,
                                    .bytes = allocation->bytes};
        memcpy(text.kind, kind, sizeof text.kind);
        put(&text, handle);
    }
    return error;
}

int wsimrt_ipc_memory(uint64_t address, unsigned char handle[64]) {
    struct wsimrt_context *context;
    int error = core_enter(&context);
    const struct allocation *allocation = memory_find(address, 1);
    if (!error && (!handle || !allocation || allocation->kind != WSIMRT_DEVICE ||
                   allocation->imported || allocation->graph))
        error = WSIMRT_INVALID_VALUE;
    return core_leave(error ? error : put_memory(context, allocation, memory_kind, handle));
}

/* The memory of a handle that is open. NULL: it is not. */
static struct allocation *find_open(const struct handle_text *text) {
    for (size_t i = 0; i < core.memory.n; i++) {
        struct allocation *at = core.memory.list[i];
        if (at->opens && at->handle.process == text->process && at->handle.file == text->file &&
            at->handle.offset == text->offset)
            return at;
    }
    return NULL;
}

/* An open handle gives its address again. */
static int open_memory(struct wsimrt_context *context, const struct handle_text *text, int file,
                       uint64_t *address) {
    struct allocation *memory = find_open(text);
    int error = 0;
    if (!memory) {
        error = memory_of_file(context, file, text->offset + text->bytes, address);
        memory = error ? NULL : memory_find(*address, 1);
    }
    if (memory) {
        memory->opens++;
        memory->handle.process = text->process;
        memory->handle.file = text->file;
        memory->handle.offset = text->offset;
        *address = memory->base + text->offset;
    }
    return error;
}

int wsimrt_ipc_open(const unsigned char handle[64], uint64_t *address) {
    struct wsimrt_context *context;
    int error = core_enter(&context);
    struct handle_text text;
    int file = -1;
    if (!error && (!handle || !address))
        error = WSIMRT_INVALID_VALUE;
    if (!error) {
        file = open_file(handle, memory_kind, &text);
        if (file < 0)
            error = WSIMRT_INVALID_VALUE;
        else if (text.process == (int32_t)getpid())
            error = WSIMRT_INVALID_CONTEXT; /* as an H200 does */
    }
    error = error ? error : open_memory(context, &text, file, address);
    if (file >= 0)
        close(file);
    core.shared |= !error;
    return core_leave(error);
}

int wsimrt_ipc_close(uint64_t address) {
    struct wsimrt_context *context;
    int error = core_enter(&context);
    struct allocation *allocation = memory_find(address, 1);
    if (!error && (!allocation || !allocation->opens ||
                   address != allocation->base + allocation->handle.offset))
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : work_drain(context, NULL);
    if (!error && --allocation->opens == 0)
        memory_release(address);
    return core_leave(error);
}

/* --- pools --- */

struct pool_text { /* the file of a pool */
    char kind[8];
    int32_t process, device;
};

int wsimrt_pool_export(struct wsimrt_pool *pool, int *file) {
    int error = core_enter(NULL);
    struct pool_text text = {.process = (int32_t)getpid()};
    if (!error && (!file || !handle_is(pool, HANDLE_POOL) || !pool->shareable))
        error = WSIMRT_INVALID_VALUE;
    if (error)
        return core_leave(error);
    memcpy(text.kind, pool_kind, sizeof text.kind);
    text.device = pool->device;
    *file = memfd_create("wsim", 0);
    if (*file < 0)
        return core_leave(WSIMRT_OPERATING_SYSTEM);
    if (pwrite(*file, &text, sizeof text, 0) != (ssize_t)sizeof text) {
        close(*file);
        error = WSIMRT_OPERATING_SYSTEM;
    }
    return core_leave(error);
}

int wsimrt_pool_import(int file, struct wsimrt_pool **pool) {
    int error = core_enter(NULL);
    struct pool_text text;
    struct wsimrt_pool *made;
    if (!error && (!pool || pread(file, &text, sizeof text, 0) != (ssize_t)sizeof text ||
                   memcmp(text.kind, pool_kind, sizeof text.kind) != 0 || text.process <= 0 ||
                   text.device < 0 || text.device >= core.settings.devices))
        error = WSIMRT_INVALID_VALUE;
    if (!error) {
        const struct wsimrt_pool_kind kind = {WSIMRT_PINNED, {WSIMRT_AT_DEVICE, text.device}};
        error = pool_make(&kind, 0, &made);
    }
    if (!error) {
        made->process = text.process;
        *pool = made;
    }
    return core_leave(error);
}

int wsimrt_pool_export_memory(uint64_t address, unsigned char handle[64]) {
    struct wsimrt_context *context;
    int error = core_enter(&context);
    const struct allocation *allocation = memory_find(address, 1);
    if (!error && (!handle || !allocation || !allocation->pool || !allocation->pool->shareable))
        error = WSIMRT_INVALID_VALUE;
    return core_leave(error ? error : put_memory(context, allocation, pool_memory_kind, handle));
}

int wsimrt_pool_import_memory(struct wsimrt_pool *pool, const unsigned char handle[64],
                              uint64_t *address) {
    struct wsimrt_context *context;
    int error = core_enter(&context), file = -1;
    struct handle_text text;
    if (!error &&
        (!handle || !address || !handle_is(pool, HANDLE_POOL) || !pool->process ||
         (file = open_file(handle, pool_memory_kind, &text)) < 0 || text.process != pool->process))
        error = WSIMRT_INVALID_VALUE;
    error = error ? error : memory_of_file(context, file, text.offset + text.bytes, address);
    if (file >= 0)
        close(file);
    core.shared |= !error;
    if (!error) {
        struct allocation *allocation = memory_find(*address, 1);
        allocation->by_pool = 1;
        allocation->lead = (uint16_t)text.offset;
        *address += text.offset;
    }
    return core_leave(error);
}

/* --- events --- */

int wsimrt_ipc_event(struct wsimrt_event *event, unsigned char handle[64]) {
    int error = core_enter(NULL);
    struct handle_text text;
    if (!error && !handle_is(event, HANDLE_EVENT))
        error = WSIMRT_INVALID_HANDLE;
    if (!error && !(event->flags & WSIMRT_EVENT_SHARED))
        error = WSIMRT_INVALID_HANDLE;
    if (!error && !handle)
        error = WSIMRT_INVALID_VALUE;
    if (!error && !event->shared) {
        const int file = memfd_create("wsim", MFD_CLOEXEC);
        void *at = MAP_FAILED;
        if (file >= 0 && ftruncate(file, (off_t)PAGE) == 0)
            at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (at == MAP_FAILED) {
            error = WSIMRT_OUT_OF_MEMORY;
            if (file >= 0)
                close(file);
        } else {
            event->shared = at;
            event->file = file;
            if (event->mark && !event->mark->done)
                error = WSIMRT_NOT_READY;
        }
    }
    if (!error) {
        text = (struct handle_text){
            .process = (int32_t)getpid(), .file = event->file, .bytes = sizeof *event->shared};
        memcpy(text.kind, event_kind, sizeof text.kind);
        put(&text, handle);
    }
    return core_leave(error);
}

int wsimrt_ipc_open_event(const unsigned char handle[64], struct wsimrt_event **event) {
    struct wsimrt_context *context;
    int error = core_enter(&context), file = -1;
    struct handle_text text;
    struct wsimrt_event *made = NULL;
    void *at = MAP_FAILED;
    if (!error && (!handle || !event || (file = open_file(handle, event_kind, &text)) < 0))
        error = WSIMRT_INVALID_VALUE;
    if (!error && text.process == (int32_t)getpid())
        error = WSIMRT_INVALID_CONTEXT; /* as an H200 does */
    if (!error) {
        at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        made = calloc(1, sizeof *made);
        error =
            at != MAP_FAILED && made && handle_add(made, HANDLE_EVENT) ? 0 : WSIMRT_OUT_OF_MEMORY;
    }
    if (error) {
        if (at != MAP_FAILED)
            munmap(at, PAGE);
        free(made);
        if (file >= 0)
            close(file);
        return core_leave(error);
    }
    made->flags = WSIMRT_EVENT_SHARED | WSIMRT_EVENT_NO_TIMING;
    made->context = context;
    made->of = context->id;
    made->shared = at;
    made->file = file;
    *event = made;
    return core_leave(0);
}
