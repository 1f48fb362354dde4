/* compare.h - what memory holds, or a kernel printed, beside what was expected. */
#ifndef WSIM_RUN_COMPARE_H
#define WSIM_RUN_COMPARE_H

#include <stddef.h>
#include <stdint.h>
#include <wsim/format.h>

#define COMPARE_WORDS 640

/* How near floats have to be: |got - want| <= abs + rel |want|, or so many steps apart. */
struct launch_limits {
    const struct wsim_format *format; /* NULL: bytes              */
    int given;                        /* any of the following     */
    double abs, rel;
    uint64_t ulp;
};

struct comparison {
    uint64_t compared;  /* bytes, or elements where there are limits                         */
    uint64_t different; /* of them: bytes that differ, elements beyond a limit               */
    uint64_t unequal;   /* elements that are not the same bits, within their limit or not    */
    uint64_t first;     /* index of the first that is different                              */
    uint64_t want, got; /* its bits; of bytes those of the word around it                    */
    unsigned width;     /* bytes of that element or word                                     */
    uint64_t word;      /* its index                                                         */
    uint64_t start;     /* its first byte                                                    */
    double abs, rel;    /* the furthest that finite elements are from each other             */
    uint64_t ulp;
};

/* Both have `size` bytes, little-endian. */
void compare_bytes(const uint8_t *want, const uint8_t *got, uint64_t size,
                   const struct launch_limits *limits, struct comparison *out);

/* Writes the outcome as a sentence without its subject. */
void compare_words(const struct comparison *comparison, const struct launch_limits *limits,
                   char out[COMPARE_WORDS]);

struct output_comparison {
    uint64_t missing, extra; /* lines that only one of them has                          */
    char *first_missing, *first_extra; /* to be freed; NULL: there is none                     */
    uint64_t missing_line, extra_line; /* their numbers, from 1                                */
};

/* The same lines, as often, in any order: that of warps is free. */
void compare_output(const char *want, size_t want_size, const char *got, size_t got_size,
                    struct output_comparison *out);

#endif
