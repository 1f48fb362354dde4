/* The process: its only global state, its lock, and its words on stderr. */
#include "state.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include <wsim/harness/picture.h>

struct process core = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

size_t core_mask(char *text) {
    size_t at = 0;
    while (text[at]) {
        const size_t shown = text[at] == '\n' ? 1 : wsim_text_shown(text + at);
        if (!shown)
            text[at] = '?';
        at += shown ? shown : 1;
    }
    return at;
}

void wsimrt_say(const char *format, ...) {
    char line[1024] = "wsim: ";
    va_list values;
    size_t used;
    va_start(values, format);
    vsnprintf(line + 6, sizeof line - 7, format, values);
    va_end(values);
    used = core_mask(line);
    line[used] = '\n';
    if (write(STDERR_FILENO, line, used + 1) < 0) /* a closed stderr is the program's choice */
        return;
}

uint64_t core_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t core_random(void) {
    uint64_t z = core.random += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

int core_error(enum wsim_status status) {
    switch (status) {
    case WSIM_OK: return WSIMRT_OK;
    case WSIM_NO_MEMORY: return WSIMRT_OUT_OF_MEMORY;
    case WSIM_UNMODELLED: return WSIMRT_NOT_SUPPORTED;
    default: return WSIMRT_INVALID_VALUE;
    }
}
