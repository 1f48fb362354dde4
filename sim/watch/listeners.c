/* Rows of listeners.def as a table. */
#include "listeners.h"

#include "../state/device.h"
#include "../state/launch.h"

_Static_assert(LISTENERS <= RUN_LISTENERS, "every listener has a slot for its data");

#define LISTENER(name, asked, spaces, orders, values, threads, hears)                              \
    static int asks_##name(const struct run_launch *launch) {                                      \
        const struct wsim_launch *const how = launch->how;                                         \
        (void)how;                                                                                 \
        return (asked) != 0;                                                                       \
    }
#include "listeners.def"

#define SPACE(name) (1u << PTX_##name)
#define ORDER(name) (1u << RUN_ORDER_##name)
#define LISTENER(name, asked, spaces, orders, values, threads, hears)                              \
    static const struct run_listener row_##name = {#name,  LISTENER_##name, values,  spaces,       \
                                                   orders, asks_##name,     threads, &hears};
#include "listeners.def"

const struct run_listener *const watch_listeners[] = {
#define LISTENER(name, asked, spaces, orders, values, threads, hears) &row_##name,
#include "listeners.def"
    NULL};
