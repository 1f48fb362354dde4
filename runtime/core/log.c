/* The log of errors. The messages of CUDA are not documented, so it stays empty. Callbacks are
 * registered and never called, and a dump has no message. */
#include "state.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

struct wsimrt_log_call {
    void (*function)(void *data, int level, char *message, size_t length);
    void *data;
};

/* Works before the process has begun, and without a context. */
static int leave(int error) {
    pthread_mutex_unlock(&core.lock);
    return error;
}

int wsimrt_log_call(void (*function)(void *data, int level, char *message, size_t length),
                    void *data, struct wsimrt_log_call **call) {
    struct wsimrt_log_call *made = function ? malloc(sizeof *made) : NULL;
    if (!made)
        return function ? WSIMRT_OUT_OF_MEMORY : WSIMRT_INVALID_VALUE;
    *made = (struct wsimrt_log_call){function, data};
    pthread_mutex_lock(&core.lock);
    if (!handle_add(made, HANDLE_LOG_CALL)) {
        free(made);
        return leave(WSIMRT_OUT_OF_MEMORY);
    }
    if (call)
        *call = made;
    return leave(0);
}

int wsimrt_log_uncall(struct wsimrt_log_call *call) {
    pthread_mutex_lock(&core.lock);
    if (!handle_is(call, HANDLE_LOG_CALL))
        return leave(WSIMRT_INVALID_VALUE);
    handle_remove(call);
    free(call);
    return leave(0);
}

int wsimrt_log_end(unsigned *iterator, unsigned flags) {
    (void)flags; /* an H200 ignores them */
    if (!iterator)
        return WSIMRT_INVALID_VALUE;
    *iterator = 0;
    return 0;
}

int wsimrt_log_file(const char *path, unsigned flags) {
    const int mode = 0666;
    const int file = path ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, mode) : -1;
    (void)flags;
    if (file < 0)
        return WSIMRT_INVALID_VALUE;
    close(file);
    return 0;
}

int wsimrt_log_memory(char *buffer, size_t *size, unsigned flags) {
    (void)flags;
    if (!buffer || !size)
        return WSIMRT_INVALID_VALUE;
    if (*size)
        *buffer = 0;
    *size = 0;
    return 0;
}
