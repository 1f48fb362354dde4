/* The end of modules, which launches and nodes of graphs keep. */
#include "machine.h"
#include "repeat.h"

#include <stdlib.h>

void module_release(struct wsimrt_module *module) {
    if (--module->uses)
        return;
    for (struct wsimrt_function *next, *at = module->functions; at; at = next) {
        next = at->next;
        repeat_free(at->repeat);
        free(at);
    }
    free(module->lack);
    free(module->limits);
    machine_free(module->machine);
    wsim_module_free(module->module);
    free(module);
}
