/* status.h - statuses, diagnostics and the version; the rules that hold for every header.
 *
 * Every wsim function that can refuse returns an enum wsim_status. If the caller passes a struct
 * wsim_diag, the function fills it with one sentence. It names the rule, the wrong value and, if
 * one exists, the nearest legal choice. The library prints nothing, never exits and has no globals,
 * so threads may use different objects at the same time.
 *
 * Pointers. A struct wsim_diag may be NULL. Other pointers may be NULL only where the function says
 * so. Outputs may not overlap inputs unless the function says so.
 *
 * Structs. One rule holds for all structs:
 *   - A minor version (0.3 to 0.4) may add fields, at the end of a struct or of a struct inside it.
 *     It is another ABI and another soname, so a program and its library always agree on sizes. No
 *     function takes the size of a struct, and no struct holds its own.
 *   - A patch version (0.3.0 to 0.3.1) changes no struct.
 *   - Zero in a new field means what the version before did. Initialise every struct that a
 * function reads by name or with {0}; a program then compiles unchanged with the next minor
 * version.
 *   - A struct that only the library looks into is opaque: declared and never defined, or, where
 * the caller owns the memory (struct wsim_code), an array of words with room to spare.
 */
#ifndef WSIM_STATUS_H
#define WSIM_STATUS_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(WSIM_BUILDING)
#define WSIM_API __declspec(dllexport)
#elif defined(__GNUC__)
#define WSIM_API __attribute__((visibility("default")))
#else
#define WSIM_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum wsim_status {
    WSIM_OK = 0,
    WSIM_SYNTAX,     /* not a spelling, not a line of a trace, ...; the diag has a column      */
    WSIM_ILLEGAL,    /* no such instruction, or not on this architecture                       */
    WSIM_OPERAND,    /* an operand is missing, or holds what the ISA leaves undefined          */
    WSIM_ALIGN,      /* an address is not a multiple of what the access needs                  */
    WSIM_BOUNDS,     /* an address lies outside of its window                                 */
    WSIM_UNMODELLED, /* legal on hardware; wsim has no model and does not guess               */
    WSIM_NO_MEMORY   /* the heap is full; the request itself is valid                         */
};

#define WSIM_DIAG_TEXT 320

/* The error of a call. Plain data, owned by the caller; valid after a call that did not return
 * WSIM_OK. A call that returns WSIM_OK leaves it unchanged. */
struct wsim_diag {
    enum wsim_status status;
    uint32_t line;    /* from 1; 0: the input was not a file                             */
    uint32_t col;     /* position in the text, from 1; 0: none                           */
    const char *rule; /* name of the broken rule, "mma.metadata.undefined": a static
                         string, one of wsim_rule_next                                 */
    char text[WSIM_DIAG_TEXT];
};

/* A rule that callers must keep. */
struct wsim_rule {
    const char *name;        /* "mma.metadata.undefined"                                      */
    enum wsim_status status; /* of a call that breaks it                                      */
    const char *meaning;     /* one sentence                                                  */
    const char *source;      /* ISA section, driver API, trace, or "wsim" for its own         */
};

/* Steps through all rules: start with *cursor = 0. Returns 1 and fills *rule, or 0 after the last.
 */
WSIM_API int wsim_rule_next(uint32_t *cursor, struct wsim_rule *rule);

/* Finds a rule by name: 1 and *rule, or 0. */
WSIM_API int wsim_rule_find(const char *name, struct wsim_rule *rule);

/* The word for a status: "ok", "syntax", "illegal", "operand", "align", "bounds", "unmodelled",
 * "memory". Never NULL; "unknown" for a value outside the enum. */
WSIM_API const char *wsim_status_name(enum wsim_status status);

/* Version of these headers; as a number that grows, 0.3.0 is 300. */
#define WSIM_VERSION_MAJOR 0
#define WSIM_VERSION_MINOR 3
#define WSIM_VERSION_PATCH 0
#define WSIM_VERSION_NUMBER                                                                        \
    (WSIM_VERSION_MAJOR * 10000 + WSIM_VERSION_MINOR * 100 + WSIM_VERSION_PATCH)

/* Version of the running library, "0.3.0", and its number. Another minor version is another ABI.
 * The soname keeps them apart; a program that loads the library at run time (dlopen, bindings)
 * compares first
 *     wsim_version_number() / 100 == WSIM_VERSION_NUMBER / 100
 */
WSIM_API const char *wsim_version(void);
WSIM_API uint32_t wsim_version_number(void);

#ifdef __cplusplus
}
#endif
#endif
