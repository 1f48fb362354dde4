/* NVRTC programs that ask for machine code get PTX instead, which modules load as well. The genuine
 * NVRTC compiles. This works for programs that are linked with it, when this object is preloaded.
 */
#define _GNU_SOURCE
#include "cudart.h"

#include <dlfcn.h>

enum { NVRTC_INTERNAL = 11 };

typedef int get_size(void *program, size_t *size);
typedef int get_code(void *program, char *code);

/* The function of NVRTC that does what `name` says; NULL: there is none. */
static void *find(const char *name) {
    return dlsym(RTLD_NEXT, name);
}

WSIMRT_API int nvrtcGetCUBINSize(void *program, size_t *size);
WSIMRT_API int nvrtcGetCUBINSize(void *program, size_t *size) {
    get_size *of = NULL;
    *(void **)&of = find("nvrtcGetPTXSize");
    return of ? of(program, size) : NVRTC_INTERNAL;
}

WSIMRT_API int nvrtcGetCUBIN(void *program, char *code);
WSIMRT_API int nvrtcGetCUBIN(void *program, char *code) {
    get_code *of = NULL;
    *(void **)&of = find("nvrtcGetPTX");
    return of ? of(program, code) : NVRTC_INTERNAL;
}
