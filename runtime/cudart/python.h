/* python.h - the module of cuda-python that has the CUDA runtime inside. */
#ifndef WSIM_RUNTIME_PYTHON_H
#define WSIM_RUNTIME_PYTHON_H

#include "compiler.h"

#include <stdint.h>

/* The function of the runtime of major version 12 or 13 with a name; NULL: there is none. */
typedef any_function *python_find(const char *name, int is_12);

/* Takes the module over whose function PyInit_... is at an address. */
void python_take(uint64_t at, int per_thread, python_find *find);

#endif
