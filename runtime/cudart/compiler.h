/* compiler.h - what takeover.c redirects in NVRTC and nvJitLink. */
#ifndef WSIM_RUNTIME_COMPILER_H
#define WSIM_RUNTIME_COMPILER_H

#include <stddef.h>

typedef void any_function(void);

/* A public function of another object. Its first bytes become a jump to `function`, or to the
 * function `same` of that object. */
struct name {
    const char *name;
    any_function *function;
    const char *same;
};

/* The row of a function of a compiler; NULL: it stays as it is. */
const struct name *compiler_find(const char *text);

/* Functions of the genuine nvJitLink that are called, each by the beginning of its name. */
enum { COMPILER_GENUINE = 9 };
const char *compiler_genuine_name(size_t i);
void compiler_set_genuine(size_t i, any_function *function);

#endif
