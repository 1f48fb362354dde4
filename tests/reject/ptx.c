/* Texts of PTX: what the reader says first. */
#include "../../sim/ptx/ptx.h"
#include "case.h"

static const char header[] = ".version 9.0\n.target sm_90a\n.address_size 64\n";
static const char head[] =
    ".entry k(.param .u64 a)\n{ .reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 "
    "%r<8>; .reg .f32 %f<8>; .reg .b64 %rd<8>; .reg .f64 %fd<8>;\n";

int reject_is_ptx(const struct reject_case *what) {
    return strcmp(what->action, "ptx") == 0 || strcmp(what->action, "body") == 0;
}

size_t reject_write(const char *from, char *to) {
    char *start = to;
    for (; *from; from++) {
        if (*from != '\\') {
            *to++ = *from;
            continue;
        }
        switch (*++from) {
        case 'n': *to++ = '\n'; break;
        case 't': *to++ = '\t'; break;
        case 'p': *to++ = '|'; break;
        case 'E': *to++ = '\x7f'; break;
        case 'h': to += sprintf(to, "%s", header); break;
        default: *to++ = *from; break;
        }
    }
    return (size_t)(to - start);
}

size_t reject_kernel(const char *body, char *text) {
    size_t n = (size_t)sprintf(text, "%s%s", header, head);
    n += reject_write(body, text + n);
    return n + (size_t)sprintf(text + n, "\n}\n");
}

enum wsim_status reject_ptx(const struct reject_case *what, struct wsim_diag *diag) {
    static char text[8 * CASE_LINE];
    struct ptx_module module;
    enum wsim_status status;
    size_t n = strcmp(what->action, "body") == 0 ? reject_kernel(what->spelling, text)
                                                 : reject_write(what->spelling, text);
    status = ptx_read(text, n, &module, diag);
    const struct ptx_module *m = &module;
    while (m->next && !m->n_problems)
        m = m->next;
    /* An unmodelled construct is not an error of the reader. */
    if (status == WSIM_OK && m->n_problems) {
        const struct ptx_problem *first = &m->problems[0];
        status = first->status;
        if (diag) {
            *diag = (struct wsim_diag){first->status, first->line, first->col, first->rule, ""};
            snprintf(diag->text, sizeof diag->text, "%s", first->text);
        }
    }
    ptx_free(&module);
    return status;
}
