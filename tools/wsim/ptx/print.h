/* print.h - what is said of a file of PTX, as text and as JSON. */
#ifndef WSIM_PTX_PRINT_H
#define WSIM_PTX_PRINT_H

#include "../common/tool.h"

#include <wsim/kernel.h>

struct print {
    json_t *json; /* a list, one object a file; NULL: text */
    int quiet;
    uint32_t flags; /* of wsim_module_load */
};

/* Prints it; the exit status. `loaded` is what wsim_module_load said. */
int print_module(const struct print *print, const char *name, const struct wsim_module *module,
                 enum wsim_status loaded);

#endif
