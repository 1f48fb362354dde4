/* report.h - what the report of a process holds; report.c collects it, record.c writes it. */
#ifndef WSIM_RUNTIME_REPORT_H
#define WSIM_RUNTIME_REPORT_H

#include "state.h"

#include <wsim/harness/suppress.h>

/* The cost of an instruction over all launches of its kernel. */
struct line_cost {
    char *file, *opcode; /* file: NULL without .loc */
    uint32_t id, line, ptx_line;
    uint64_t executed, wavefronts, wavefronts_ideal, sectors, sectors_ideal;
};

struct kernel_counts {
    struct kernel_counts *next;
    char *name;
    uint64_t launches, blocks, instructions, mistakes;
    uint64_t predicted,
        assembled;           /* launches whose wavefronts a rule predicts, machine code counts */
    struct line_cost *lines; /* in the order of the PTX */
    size_t n_lines, room;
};

/* A place where code was inlined; the next one is further out. */
struct inlined {
    struct inlined *next;
    char *file, *function;
    uint32_t line;
};

/* Equal findings of several launches are one. */
struct finding {
    struct finding *next;
    const char *meaning; /* of a rule of calls; NULL: a rule of kernels */
    char *rule, *text, *kernel, *file, *other_file;
    char *object, *other_object;          /* of calls: files of their code; NULL: a kernel */
    uint64_t offset, outer, other_offset; /* outer, further: struct caller */
    uint64_t further[3], other_further[3];
    uint32_t line, ptx_line, other_line, other_ptx_line, block[3], thread[3];
    struct inlined *inlined, *other_inlined;
    uint32_t addresses, blocks;
    uint32_t number, cause; /* from 1 on; cause: of the finding that explains this one; 0: none */
    uint64_t count, launches;
    uint8_t fatal, note;
    char *function;        /* of a call: the name of its code; NULL: unknown */
    struct buffer *buffer; /* that the text names; NULL: none */
    uint64_t fingerprint;
    uint8_t suppressed; /* enum wsim_suppress_kind */
    uint8_t later;      /* of a call: the reader of the record knows its line, and judges */
    char *reason;       /* of that */
};

/* A buffer of the program, as findings describe it. */
struct buffer {
    uint64_t number, bytes;
    const char *kind;
    char *object, *function; /* of the call that allocated it; NULL: unknown */
    uint64_t offset, outer;  /* struct caller */
    char *param;             /* the parameter of the kernel that points to it; NULL: none does */
    uint64_t at;             /* its byte that the parameter points to */
};

/* A rule of calls; wsim_lint_rule_next has what they mean. */
enum api_rule { API_FREED, API_HOST, API_LEAK, API_STREAMS, API_UNCHECKED, API_RULES };

/* Notes one; equal ones of a caller are counted. */
void report_call(enum api_rule rule, const struct caller *caller, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same of two calls. */
void report_pair(enum api_rule rule, const struct caller *caller, const struct caller *other,
                 const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Why the call of this thread fails: core_reason. */
void core_because(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes the report of the process where the settings say: at the end (`whole`), or the findings so
 * far. */
void record_write(int whole);

/* Judges a finding that is new: settings and comments can leave it out (suppress.c). `cause`: as of
 * the finding; NULL: none. */
void suppress_judge(struct finding *finding, const struct finding *cause);

/* Makes it empty, in a process that fork made. */
void report_forget(void);

#endif
