/* The functions of isa/door.def. */
#include "door.h"

const struct exec_door exec_doors[DOOR_COUNT] = {
#define DOOR(id, does, threads, counted, typed, view, needs, takes, written, prepare, run,         \
             explain, refuse)                                                                      \
    [DOOR_##id] = {needs, takes, prepare, run, explain, refuse},
#include "../isa/door.def"
};

/* A door executes or refuses, and one without `run` says so in its row. */
#define DOOR(id, does, threads, counted, typed, view, needs, takes, written, prepare, run,         \
             explain, refuse)                                                                      \
    _Static_assert(((does) & ~(WSIM_DOES_ORDER | WSIM_DOES_EDIT)) == 0 ||                          \
                       sizeof #run != sizeof "NULL",                                               \
                   "door.def: this door does something and has no function");
#include "../isa/door.def"
