/* green.h - resources of green contexts as the driver API declares them. */
#ifndef WSIMRT_GREEN_H
#define WSIMRT_GREEN_H

/* Types of a resource, and flags of a split. Source: CUDA driver API 13.0. */
enum {
    GREEN_SM = 1,
    GREEN_IGNORE_COSCHEDULING = 1,
    GREEN_MAX_CLUSTER = 2,
    GREEN_OTHER_FLAG = 4, /* an H200 takes it */
    GREEN_DEFAULT_STREAM = 1
};

struct green_resource { /* CUdevResource */
    int type;
    unsigned char token[92];
    union {
        struct {
            unsigned n, least, step;
        } sm;
        unsigned char bytes[48];
    } is;
};

#endif
