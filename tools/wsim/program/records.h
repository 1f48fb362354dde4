/* records.h - what the processes of a program left in a folder, added up. */
#ifndef WSIM_PROGRAM_RECORDS_H
#define WSIM_PROGRAM_RECORDS_H

#include "../common/suppress.h"
#include "../common/tool.h"

struct records {
    json_t *kernels, *findings, *missing, *lacks; /* lists of objects; equal ones are added */
    json_t *programs;                             /* their paths */
    json_t *visits, *printed;                     /* of --print: ../look/visits.h */
    json_t *running;                              /* kernels at the end of processes that died */
    uint64_t launches, mistakes, notes;
    unsigned processes, died; /* died: without a whole record */
    unsigned unwritten;       /* of these: there was no space for it */
    unsigned wrong;           /* processes with a wrong variable WSIM_... */
    unsigned parts, of;       /* parts of --shard that are there, and all; of: 0 without */
    unsigned status, worst;   /* greatest exit status of the parts, and its part; 128 and more: a
                                 signal */
    int fine;                 /* the process `main` ended with 0, before its findings counted */
    struct suppress *suppress;
    char lost[64]; /* numbers of parts that are missing: "3 7"; "": none */
};

/* Reads the records in a folder, and in its folders I-of-N. Records of processes that died
 * count as they are. `suppress`, which has records_text, outlives the records. `main`: the number
 * of a process; 0: none. TOOL_GO, or TOOL_USAGE after an error message. records_close in any case.
 */
int records_read(struct records *records, const char *folder, struct suppress *suppress, long main);

/* The text of a source, for comments; `user` is a struct records_source, whose members are to be
 * freed. */
struct records_source {
    char *name, *text; /* that was read last */
};
const char *records_text(void *user, const char *file);
void records_close(struct records *records);

/* TOOL_USAGE after an error message if a process could not write its record or read its variables,
 * else TOOL_GO. */
int records_missing(const struct records *records);

/* Finishes the folder of a part whose program ended (a status of waitpid): it takes the name
 * `whole`. If another run was first, that one stays. `command` says what ran. TOOL_GO, or
 * TOOL_USAGE after an error message. */
int records_end(const char *folder, int ended, const char *command, const char *whole);

/* Whether a part is there under its name; *ended is how its program ended. */
int records_status(const char *whole, int *ended);

/* Whether the command of a part that is there is this one. */
int records_are_of(const char *whole, const char *command);

/* The lines of costs in a report whose reader does not say how many; 0: the format has none. */
uint32_t records_lines(enum tool_format format);

/* Prints a JUnit file: a test case for each kernel, and one for the calls of the runtime. Findings
 * are failures. */
void records_junit(const struct records *records);

/* Prints the report with the `lines` worst lines of all kernels. TOOL_GO, or TOOL_USAGE after an
 * error message. */
int records_print(const struct records *records, enum tool_format format, uint32_t lines);

#endif
