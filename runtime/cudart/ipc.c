/* Memory and events of other processes. */
#include "cudart.h"

#include <string.h>

struct ipc_handle { /* cudaIpcMemHandle_t, cudaIpcEventHandle_t */
    unsigned char bytes[64];
};

RT cudaIpcGetMemHandle(struct ipc_handle *handle, const void *pointer) {
    RT_CALL(handle ? wsimrt_ipc_memory((uint64_t)(uintptr_t)pointer, handle->bytes)
                   : WSIMRT_INVALID_VALUE);
}

RT cudaIpcOpenMemHandle(void **pointer, struct ipc_handle handle, unsigned flags) {
    uint64_t address = 0;
    int error = pointer && flags == 1 ? rt_need() : WSIMRT_INVALID_VALUE;
    error = error ? error : wsimrt_ipc_open(handle.bytes, &address);
    if (!error)
        *pointer = (void *)(uintptr_t)address;
    return rt_note(error);
}

RT cudaIpcCloseMemHandle(const void *pointer) {
    RT_CALL(wsimrt_ipc_close((uint64_t)(uintptr_t)pointer));
}

RT cudaIpcGetEventHandle(struct ipc_handle *handle, cudaEvent_t event) {
    RT_CALL(handle ? wsimrt_ipc_event(event, handle->bytes) : WSIMRT_INVALID_VALUE);
}

RT cudaIpcOpenEventHandle(cudaEvent_t *event, struct ipc_handle handle) {
    RT_CALL(wsimrt_ipc_open_event(handle.bytes, event));
}
