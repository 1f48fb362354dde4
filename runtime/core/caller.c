/* The code of the program that calls the runtime. */
#define _GNU_SOURCE
#include "api.h"

#include <dlfcn.h>
#include <elf.h>
#include <string.h>
#if __has_include(<execinfo.h>)
#include <execinfo.h>
#define HAVE_BACKTRACE 1
#endif

#if HAVE_BACKTRACE
/* Whether the file of an object is one of the runtime. */
static int is_ours(const char *file) {
    static const char *const names[] = {"libwsim-", "libcuda.so", "libcudart.so", "libc.so"};
    const char *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return 1;
    return 0;
}

/* Addresses of a program that is not moved are those of its file. */
static uint64_t base_of(const Dl_info *info) {
    const Elf64_Ehdr *header = info->dli_fbase;
    return header->e_type == ET_EXEC ? 0 : (uint64_t)(uintptr_t)info->dli_fbase;
}
#endif

void api_caller(struct caller *caller) {
    *caller = (struct caller){NULL, 0};
#if HAVE_BACKTRACE
    enum { DEEP = 24 };
    void *frames[DEEP];
    Dl_info info;
    const int n = core.settings.checks & CHECK_API ? backtrace(frames, DEEP) : 0;
    for (int i = 1; i < n; i++) {
        if (!dladdr(frames[i], &info) || !info.dli_fname || is_ours(info.dli_fname))
            continue;
        caller->object = info.dli_fname;
        caller->offset = (uint64_t)(uintptr_t)frames[i] - 1 - base_of(&info);
        return;
    }
#endif
}
