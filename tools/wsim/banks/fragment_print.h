/* fragment_print.h - what wsim banks says in JSON of a fragment of wmma. */
#ifndef WSIM_FRAGMENT_PRINT_H
#define WSIM_FRAGMENT_PRINT_H

#include "access.h"

void fragment_print_json(const struct access_run *run);

#endif
