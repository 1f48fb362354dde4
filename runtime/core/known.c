/* The allocations that the runtime knows, by address, and the last ones that were freed. */
#define _GNU_SOURCE
#include "state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { FREED = 4096 }; /* that are remembered */

size_t memory_below(uint64_t address) {
    const struct memory *memory = &core.memory;
    size_t low = 0, high = memory->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (memory->list[middle]->base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct allocation *memory_find(uint64_t address, uint64_t bytes) {
    const size_t below = memory_below(address);
    struct allocation *found = below ? core.memory.list[below - 1] : NULL;
    const uint64_t offset = found ? address - found->base : 0;
    return found && offset < found->bytes && bytes <= found->bytes - offset ? found : NULL;
}

int memory_is_seen(const struct allocation *memory) {
    return memory && (memory->kind == WSIMRT_HOST || memory->kind == WSIMRT_MANAGED ||
                      (memory->kind == WSIMRT_VARIABLE && memory->managed));
}

struct allocation *memory_insert(const struct allocation *what) {
    struct memory *memory = &core.memory;
    struct allocation *made = malloc(sizeof *made);
    const size_t at = memory_below(what->base);
    if (memory->n == memory->room) {
        const size_t room = memory->room ? 2 * memory->room : 64;
        struct allocation **grown = realloc(memory->list, room * sizeof *grown);
        if (!grown) {
            free(made);
            return NULL;
        }
        memory->list = grown;
        memory->room = room;
    }
    if (!made)
        return NULL;
    *made = *what;
    made->id = ++core.next_id;
    memmove(memory->list + at + 1, memory->list + at, (memory->n - at) * sizeof *memory->list);
    memory->list[at] = made;
    memory->n++;
    return made;
}

void memory_forget(struct allocation *allocation) {
    struct memory *memory = &core.memory;
    const size_t at = memory_below(allocation->base) - 1;
    memmove(memory->list + at, memory->list + at + 1, (memory->n - at - 1) * sizeof *memory->list);
    memory->n--;
    if (!memory->freed)
        memory->freed = calloc(FREED, sizeof *memory->freed);
    if (memory->freed && allocation->kind != WSIMRT_VARIABLE)
        memory->freed[memory->n_freed++ % FREED] = *allocation;
    free(allocation);
}

const struct allocation *memory_freed(uint64_t address) {
    const struct memory *memory = &core.memory;
    const size_t n = memory->n_freed < FREED ? memory->n_freed : FREED;
    for (size_t i = 1; i <= n; i++) {
        const struct allocation *freed = &memory->freed[(memory->n_freed - i) % FREED];
        if (address - freed->base < freed->bytes)
            return freed;
    }
    return NULL;
}

const struct allocation *memory_numbered(uint64_t number) {
    const struct memory *memory = &core.memory;
    const size_t n = memory->n_freed < FREED ? memory->n_freed : FREED;
    for (size_t i = 0; i < memory->n; i++)
        if (memory->list[i]->number == number)
            return memory->list[i];
    for (size_t i = 0; i < n; i++)
        if (memory->freed[i].number == number)
            return &memory->freed[i];
    return NULL;
}

const char *memory_word(const struct allocation *allocation) {
    return allocation->kind == WSIMRT_DEVICE    ? "device"
           : allocation->kind == WSIMRT_MANAGED ? "managed"
                                                : "pinned";
}

int memory_is_away(const struct allocation *allocation) {
    return allocation->kind == WSIMRT_HOST && allocation->pool && !allocation->pool->access;
}

/* --- memory that may not be there --- */

/* Copies through the system, which answers with an error where a load would end the process. 1: all
 * bytes. */
static int move(int write, uint64_t remote, uint64_t local, uint64_t bytes) {
    while (bytes) {
        struct iovec here = {(void *)(uintptr_t)local, (size_t)bytes};
        struct iovec there = {(void *)(uintptr_t)remote, (size_t)bytes};
        const ssize_t n = write ? process_vm_writev(getpid(), &here, 1, &there, 1, 0)
                                : process_vm_readv(getpid(), &here, 1, &there, 1, 0);
        if (n < 0 && (errno == EPERM || errno == ENOSYS)) { /* forbidden in some containers */
            memcpy((void *)(uintptr_t)(write ? remote : local),
                   (const void *)(uintptr_t)(write ? local : remote), (size_t)bytes);
            return 1;
        }
        if (n <= 0)
            return 0;
        remote += (uint64_t)n, local += (uint64_t)n, bytes -= (uint64_t)n;
    }
    return 1;
}

void *memory_host(uint64_t address) {
    const struct allocation *memory = memory_find(address, 1);
    return (void *)(uintptr_t)(address + (memory ? memory->apart : 0));
}

int memory_peek(void *to, uint64_t from, uint64_t bytes) {
    return move(0, (uint64_t)(uintptr_t)memory_host(from), (uint64_t)(uintptr_t)to, bytes);
}

int memory_poke(uint64_t to, const void *from, uint64_t bytes) {
    return move(1, (uint64_t)(uintptr_t)memory_host(to), (uint64_t)(uintptr_t)from, bytes);
}
