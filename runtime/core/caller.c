/* The code of the program that calls the runtime. */
#define _GNU_SOURCE
#include "api.h"
#include "elf_file.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdlib.h>
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

/* The place of the call before `address`, from the beginning of its file. Addresses of a program
 * that is not moved are those of its file. */
static uint64_t place_of(const void *address, const Dl_info *info) {
    const Elf64_Ehdr *header = info->dli_fbase;
    const uint64_t base = header->e_type == ET_EXEC ? 0 : (uint64_t)(uintptr_t)info->dli_fbase;
    return (uint64_t)(uintptr_t)address - 1 - base;
}

/* Whether a function returns right after its call. So do wrappers of headers without optimisation.
 * gcc: leave, ret. clang: add $n, %rsp; pop %rbp; ret. arm64: ldp x29, x30, [sp], #n; ret. */
static int returns_at_once(const void *address) {
#if defined(__x86_64__)
    const uint8_t *code = address;
    if (memcmp(code, "\xC9\xC3", 2) == 0)
        return 1;
    if (memcmp(code, "\x48\x83\xC4", 3) == 0)
        code += 4;
    return memcmp(code, "\x5D\xC3", 2) == 0;
#elif defined(__aarch64__)
    uint32_t code[2];
    memcpy(code, address, sizeof code);
    return (code[0] & 0xFFC07FFF) == 0xA8C07BFD && code[1] == 0xD65F03C0;
#else
    return address == NULL;
#endif
}
#endif

/* Whether a function is what nvcc makes of a kernel for the host: its lines are those of the kernel
 * and not of the launch. */
static int is_stub(const char *name) {
    static const char kernel[] = "kernel ";
    const char *reason = core_reason();
    if (strncmp(reason, kernel, sizeof kernel - 1) != 0)
        return 0;
    reason += sizeof kernel - 1;
    return strstr(name, "__device_stub__") != NULL ||
           (strncmp(reason, name, strlen(name)) == 0 && reason[strlen(name)] == ':');
}

/* The number of the first frames of a program that its launch goes through. */
static int skip_stubs(void *const *frames, int n) {
    enum { MOST = 4 };
    int skip = 0;
    Dl_info info;
    for (int i = 0; i + 1 < n && i < MOST; i++) {
        struct caller at = {.object = NULL};
        char *name;
        if (!dladdr(frames[i], &info) || !info.dli_fname)
            break;
        at.object = info.dli_fname;
        at.offset = place_of(frames[i], &info);
        name = elf_function(&at);
        if (name && is_stub(name))
            skip = i + 1;
        free(name);
    }
    return skip;
}

enum further { ALONE, FRAMES, NO_STUBS };

static void find_caller(struct caller *caller, enum further further) {
    *caller = (struct caller){.object = NULL};
#if HAVE_BACKTRACE
    enum { DEEP = 24 };
    void *frames[DEEP];
    Dl_info info;
    const char *call = NULL;
    const int n = core.settings.checks & CHECK_API ? backtrace(frames, DEEP) : 0;
    for (int i = 1; i < n; i++) {
        if (!dladdr(frames[i], &info) || !info.dli_fname)
            continue;
        if (is_ours(info.dli_fname)) {
            call = info.dli_sname;
            continue;
        }
        caller->call = call;
        caller->object = info.dli_fname;
        i += further == NO_STUBS ? skip_stubs(frames + i, n - i) : 0;
        if (dladdr(frames[i], &info))
            caller->offset = place_of(frames[i], &info);
        for (int k = 1; further && k <= 3 && i + k < n && dladdr(frames[i + k], &info) &&
                        info.dli_fname == caller->object;
             k++)
            caller->further[k - 1] = place_of(frames[i + k], &info);
        if (i + 1 < n && returns_at_once(frames[i]) && dladdr(frames[i + 1], &info) &&
            info.dli_fname == caller->object)
            caller->outer = place_of(frames[i + 1], &info);
        return;
    }
#else
    (void)further;
#endif
}

void api_caller(struct caller *caller) {
    find_caller(caller, ALONE);
}

void api_frames(struct caller *caller) {
    find_caller(caller, FRAMES);
}

void api_further(struct caller *caller) {
    find_caller(caller, NO_STUBS);
}
