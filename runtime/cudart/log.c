/* The log of errors. An iterator is the number of a message. */
#include "cudart.h"

typedef void (*log_callback)(void *data, int level, char *message, size_t length);
typedef struct wsimrt_log_call *cudaLogsCallbackHandle;

RT cudaLogsRegisterCallback(log_callback function, void *data, cudaLogsCallbackHandle *handle) {
    return rt_note(wsimrt_log_call(function, data, handle));
}

RT cudaLogsUnregisterCallback(cudaLogsCallbackHandle handle) {
    return rt_note(wsimrt_log_uncall(handle));
}

RT cudaLogsCurrent(unsigned *iterator, unsigned flags) {
    return rt_note(wsimrt_log_end(iterator, flags));
}

RT cudaLogsDumpToFile(unsigned *iterator, const char *path, unsigned flags) {
    (void)iterator; /* it is at the end */
    return rt_note(wsimrt_log_file(path, flags));
}

RT cudaLogsDumpToMemory(unsigned *iterator, char *buffer, size_t *size, unsigned flags) {
    (void)iterator;
    return rt_note(wsimrt_log_memory(buffer, size, flags));
}
