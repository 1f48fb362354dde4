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
    WSIM_SYNTAX,    /* the text is not a spelling, a trace line, ...; the diag has a column   */
    WSIM_ILLEGAL,   /* no such instruction, or not on this architecture                       */
    WSIM_OPERAND,   /* an operand is missing, or holds what the ISA leaves undefined          */
    WSIM_ALIGN,     /* an address is not a multiple of what the access needs                  */
    WSIM_BOUNDS,    /* an address lies outside the shared window                              */
    WSIM_UNMODELLED /* legal on hardware, but wsim has no model of it and does not guess      */
};

#define WSIM_DIAG_TEXT 320

/* What went wrong. Plain data, owned by the caller; valid after a call that did not return
 * WSIM_OK. A call that returns WSIM_OK leaves it as it was. */
struct wsim_diag {
    enum wsim_status status;
    uint32_t line; /* 1-based; 0 when the input was not a file                        */
    uint32_t col;  /* 1-based position in the text; 0 when there is none              */
    char text[WSIM_DIAG_TEXT];
};

/* The word for a status: "ok", "syntax", "illegal", "operand", "align", "bounds", "unmodelled".
 * Never NULL; "unknown" for a value outside the enum. */
WSIM_API const char *wsim_status_name(enum wsim_status status);

/* Version of this library, "0.1.0". */
WSIM_API const char *wsim_version(void);

#ifdef __cplusplus
}
#endif
#endif
