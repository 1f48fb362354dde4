/* Names of kernels; see kernel_name.h. The C++ library of the machine undoes the mangling. */
#include "kernel_name.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__) || defined(__APPLE__)
#include <dlfcn.h>
#define HAVE_LIBRARY 1
#else
#define HAVE_LIBRARY 0
#endif

/* The name with its parameters, to be freed; NULL: it stays as it is. */
static char *demangle(const char *name) {
#if HAVE_LIBRARY
    typedef char *demangler(const char *, char *, size_t *, int *);
    static const char *const libraries[] = {"libstdc++.so.6", "libc++abi.so.1", "libc++abi.dylib"};
    static union {
        void *symbol;
        demangler *call;
    } found;
    static int looked;
    int status;
    if (strncmp(name, "_Z", 2) != 0)
        return NULL;
    for (size_t i = 0; !looked && !found.symbol && i < sizeof libraries / sizeof *libraries; i++) {
        void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_LOCAL);
        found.symbol = library ? dlsym(library, "__cxa_demangle") : NULL;
    }
    looked = 1;
    return found.symbol ? found.call(name, NULL, NULL, &status) : NULL;
#else
    (void)name;
    return NULL;
#endif
}

/* nvcc puts static functions into a namespace "_INTERNAL_" with a hash of their file. */
static void drop_internal(char *name) {
    char *at, *end;
    while ((at = strstr(name, "_INTERNAL_")) != NULL && (end = strstr(at, "::")) != NULL)
        memmove(at, end + 2, strlen(end + 2) + 1);
}

/* Cuts the parameters at the end, and the type of the result of a template at the beginning. */
static const char *simplify(char *name) {
    char *end;
    int depth = 0;
    drop_internal(name);
    end = name + strlen(name);
    while (end > name) {
        end--;
        depth += (*end == ')') - (*end == '(');
        if (depth == 0)
            break;
    }
    if (*end == '(' && end > name)
        *end = '\0';
    return strncmp(name, "void ", 5) == 0 ? name + 5 : name;
}

struct kernel_name kernel_name(const char *mangled) {
    struct kernel_name out;
    char *whole = demangle(mangled);
    const char *name = whole ? simplify(whole) : mangled;
    const int fits = strlen(name) <= KERNEL_NAME;
    snprintf(out.text, sizeof out.text, "%.*s%s", fits ? KERNEL_NAME : KERNEL_NAME - 3, name,
             fits ? "" : "...");
    text_mask(out.text);
    free(whole);
    return out;
}
