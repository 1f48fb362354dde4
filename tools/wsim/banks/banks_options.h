/* banks_options.h - what wsim banks was given, for an access and for a copy to read. */
#ifndef WSIM_BANKS_OPTIONS_H
#define WSIM_BANKS_OPTIONS_H

/* The options as they were given, NULL where they were not. */
struct banks_options {
    char *addr, *mask, *arch, *format;
    char *size, *src, *src_size, *lines; /* of a copy */
    char *stride;                        /* of a fragment */
    int fail;
};

#endif
