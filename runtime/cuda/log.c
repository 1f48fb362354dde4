/* The log of errors. An iterator is the number of a message. */
#include "driver.h"

typedef void (*log_callback)(void *data, int level, char *message, size_t length);
typedef struct wsimrt_log_call *CUlogsCallbackHandle;

CU cuLogsRegisterCallback(log_callback function, void *data, CUlogsCallbackHandle *handle) {
    return wsimrt_log_call(function, data, handle);
}

CU cuLogsUnregisterCallback(CUlogsCallbackHandle handle) {
    return wsimrt_log_uncall(handle);
}

CU cuLogsCurrent(unsigned *iterator, unsigned flags) {
    return wsimrt_log_end(iterator, flags);
}

CU cuLogsDumpToFile(unsigned *iterator, const char *path, unsigned flags) {
    (void)iterator; /* it is at the end */
    return wsimrt_log_file(path, flags);
}

CU cuLogsDumpToMemory(unsigned *iterator, char *buffer, size_t *size, unsigned flags) {
    (void)iterator;
    return wsimrt_log_memory(buffer, size, flags);
}
