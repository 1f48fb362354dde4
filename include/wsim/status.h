/* status.h - how a call answers, and how a refusal is told.
 *
 * Every wsim function that can refuse returns an enum wsim_status and, when the caller passes a
 * struct wsim_diag, fills it with one sentence that names the rule, the value that broke it and,
 * where there is one, the nearest legal choice. The library prints nothing, exits never, and has
 * no globals: objects that are not shared may be used from different threads at once.
 *
 * For every function of these headers: a struct wsim_diag may be NULL; other pointers may be NULL
 * only where the function says so; outputs may not overlap inputs unless it says so.
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
    WSIM_SYNTAX,     /* the text is not a spelling, a trace line, ...; the diag has a column   */
    WSIM_ILLEGAL,    /* no such instruction, or not on this architecture                       */
    WSIM_OPERAND,    /* an operand is missing, or holds what the ISA leaves undefined          */
    WSIM_ALIGN,      /* an address is not a multiple of what the access needs                  */
    WSIM_BOUNDS,     /* an address lies outside of its window                                 */
    WSIM_UNMODELLED, /* legal on hardware, but wsim has no model of it and does not guess     */
    WSIM_NO_MEMORY   /* the heap is full: nothing is wrong with what was asked                */
};

#define WSIM_DIAG_TEXT 320

/* What went wrong. Plain data, owned by the caller; valid after a call that did not return
 * WSIM_OK. A call that returns WSIM_OK leaves it as it was. */
struct wsim_diag {
    enum wsim_status status;
    uint32_t line;    /* 1-based; 0 when the input was not a file                        */
    uint32_t col;     /* 1-based position in the text; 0 when there is none              */
    const char *rule; /* name of the rule that was broken, "mma.metadata.undefined": a
                         static string, one of wsim_rule_next                          */
    char text[WSIM_DIAG_TEXT];
};

/* A rule that wsim holds its callers to. */
struct wsim_rule {
    const char *name;        /* "mma.metadata.undefined"                                      */
    enum wsim_status status; /* what a call returns that breaks it                            */
    const char *meaning;     /* one sentence                                                  */
    const char *source;      /* ISA section, driver API, trace, or "wsim" for its own         */
};

/* Steps through all rules: start with *cursor = 0; returns 1 and fills *rule, or 0 when there are
 * no more. */
WSIM_API int wsim_rule_next(uint32_t *cursor, struct wsim_rule *rule);

/* The rule of that name: 1 and *rule, or 0. */
WSIM_API int wsim_rule_find(const char *name, struct wsim_rule *rule);

/* The word for a status: "ok", "syntax", "illegal", "operand", "align", "bounds", "unmodelled",
 * "memory". Never NULL; "unknown" for a value outside the enum. */
WSIM_API const char *wsim_status_name(enum wsim_status status);

/* Version of these headers, and as one number that grows: 0.2.0 is 200. */
#define WSIM_VERSION_MAJOR 0
#define WSIM_VERSION_MINOR 2
#define WSIM_VERSION_PATCH 0
#define WSIM_VERSION_NUMBER                                                                        \
    (WSIM_VERSION_MAJOR * 10000 + WSIM_VERSION_MINOR * 100 + WSIM_VERSION_PATCH)

/* Version of the library that runs, "0.2.0", and its number. Another minor version is another ABI
 * (NEWS.md): a program that may meet a library built apart from it compares, before any other call,
 *     wsim_version_number() / 100 == WSIM_VERSION_NUMBER / 100
 */
WSIM_API const char *wsim_version(void);
WSIM_API uint32_t wsim_version_number(void);

#ifdef __cplusplus
}
#endif
#endif
