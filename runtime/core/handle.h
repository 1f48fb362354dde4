/* handle.h - handles that the program holds, and their kinds: handle.c. */
#ifndef WSIM_RUNTIME_HANDLE_H
#define WSIM_RUNTIME_HANDLE_H

enum handle_kind {
    HANDLE_NONE,
    HANDLE_CONTEXT,
    HANDLE_PAST, /* a primary context that is not active */
    HANDLE_MODULE,
    HANDLE_FUNCTION,
    HANDLE_STREAM,
    HANDLE_EVENT,
    HANDLE_GRAPH,
    HANDLE_NODE,
    HANDLE_EXEC,
    HANDLE_POOL,
    HANDLE_ARRAY,
    HANDLE_PHYSICAL,
    HANDLE_LOG_CALL,
    HANDLE_GREEN,
    HANDLE_PROCESSORS
};

/* 0: no memory. */
int handle_add(const void *object, enum handle_kind kind);
void handle_remove(const void *object);
int handle_is(const void *object, enum handle_kind kind);

#endif
