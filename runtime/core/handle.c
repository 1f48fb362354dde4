/* The set of live handles, by open addressing. Every handle of a caller is looked up here before
 * anything reads it. */
#include "state.h"

#include <stdlib.h>

enum { FIRST_ROOM = 64 };

static size_t slot_of(const struct handles *handles, const void *object) {
    size_t at = (size_t)((uint64_t)(uintptr_t)object * 0x9E3779B97F4A7C15u >> 20);
    for (at &= handles->room - 1; handles->slots[at].object; at = (at + 1) & (handles->room - 1))
        if (handles->slots[at].object == object)
            break;
    return at;
}

static int grow(struct handles *handles) {
    struct handles old = *handles;
    handles->room = old.room ? 2 * old.room : FIRST_ROOM;
    handles->slots = calloc(handles->room, sizeof *handles->slots);
    if (!handles->slots) {
        *handles = old;
        return 0;
    }
    for (size_t i = 0; i < old.room; i++)
        if (old.slots[i].object)
            handles->slots[slot_of(handles, old.slots[i].object)] = old.slots[i];
    free(old.slots);
    return 1;
}

int handle_add(const void *object, enum handle_kind kind) {
    struct handles *handles = &core.handles;
    size_t at;
    if (2 * (handles->n + 1) > handles->room && !grow(handles))
        return 0;
    at = slot_of(handles, object);
    handles->n += !handles->slots[at].object;
    handles->slots[at] = (struct handle){object, kind};
    return 1;
}

/* The slots after the removed one move up, so that a search still finds them. */
void handle_remove(const void *object) {
    struct handles *handles = &core.handles;
    size_t hole;
    if (!handles->room || !handles->slots[hole = slot_of(handles, object)].object)
        return;
    handles->slots[hole].object = NULL;
    handles->n--;
    for (size_t at = (hole + 1) & (handles->room - 1); handles->slots[at].object;
         at = (at + 1) & (handles->room - 1)) {
        const struct handle moved = handles->slots[at];
        handles->slots[at].object = NULL;
        handles->slots[slot_of(handles, moved.object)] = moved;
    }
}

int handle_is(const void *object, enum handle_kind kind) {
    const struct handles *handles = &core.handles;
    const struct handle *slot;
    if (!object || !handles->room)
        return 0;
    slot = &handles->slots[slot_of(handles, object)];
    return slot->object && slot->kind == kind;
}
