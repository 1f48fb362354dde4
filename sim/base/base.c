/* How a refusal is worded and how bounded text grows. Refuses to know what is refused. */
#include "base.h"

#include <stdarg.h>
#include <stdio.h>

enum wsim_status base_refuse(struct wsim_diag *diag, enum wsim_status status, uint32_t col,
                             const char *format, ...) {
    if (diag) {
        va_list args;
        diag->status = status;
        diag->line = 0;
        diag->col = col;
        va_start(args, format);
        vsnprintf(diag->text, sizeof diag->text, format, args);
        va_end(args);
    }
    return status;
}

void base_put(struct base_text *text, const char *format, ...) {
    va_list args;
    int n;
    if (text->used >= text->size)
        return;
    va_start(args, format);
    n = vsnprintf(text->at + text->used, text->size - text->used, format, args);
    va_end(args);
    if (n > 0)
        text->used += (size_t)n;
    if (text->used >= text->size)
        text->used = text->size ? text->size - 1 : 0;
}

const char *wsim_status_name(enum wsim_status status) {
    switch (status) {
    case WSIM_OK: return "ok";
    case WSIM_SYNTAX: return "syntax";
    case WSIM_ILLEGAL: return "illegal";
    case WSIM_OPERAND: return "operand";
    case WSIM_ALIGN: return "align";
    case WSIM_BOUNDS: return "bounds";
    case WSIM_UNMODELLED: return "unmodelled";
    }
    return "unknown";
}

const char *wsim_version(void) {
    return "0.1.0";
}
