/* server.h - a debugger of kernels: its launches, its breakpoints, and the warp at which it stands.
 */
#ifndef WSIM_DEBUG_SERVER_H
#define WSIM_DEBUG_SERVER_H

#include "../common/members.h"
#include "../look/value.h"
#include "../run/command.h"
#include "wire.h"

enum { WHY = 512 };

/* An instruction of the kernels, in their order. */
struct code {
    char *file; /* NULL: none */
    uint32_t line, ptx_line;
};

struct breakpoint {
    json_int_t id;
    char *file; /* as the client gives it */
    uint32_t line;
    uint8_t is_ptx, verified, told; /* told: its condition names nothing */
    struct term condition;          /* name "": none */
    char compare[3];
    double number;
    uint64_t hits, after; /* stops when hits reaches `after`; 0: always */
};

/* How the kernel goes on. */
enum going { GO_ON, GO_STEP, GO_IN, GO_OUT, GO_PAUSE, GO_ENTRY };

/* A frame that the client knows, until the kernel goes on. */
struct frame {
    struct wsim_seen view;
};

/* The variables that a reference of the client names. */
enum scope {
    SCOPE_USED,
    SCOPE_HELD,
    SCOPE_PREDICATES,
    SCOPE_SPECIAL,
    SCOPE_MEMORY,
    SCOPE_PARAMS,
    SCOPES,
    SCOPE_LANES,
    SCOPE_ROWS
};
struct reference {
    size_t frame;
    enum scope scope;
    uint32_t reg;   /* of SCOPE_LANES: a register, or a special one by its name */
    char name[256]; /* of SCOPE_ROWS, SCOPE_LANES                              */
};

struct server {
    struct wire wire;
    struct command command;
    struct opened opened;
    struct wsim_session *session;
    struct wsim_look look;
    json_t *keep;    /* arguments of the launch: strings of `command` */
    char **lists[4]; /* of `command`                                  */
    char *folder;    /* of the sources                                */

    struct code *codes;
    size_t n_codes;
    struct breakpoint *breakpoints;
    size_t n_breakpoints;
    json_int_t last_id;

    uint8_t is_open, is_configured, stops_at_entry, stops_at_findings, ended, quits;
    uint8_t lines_from_0, columns_from_0;

    /* while it runs */
    size_t launch;
    enum going going;
    uint8_t by_instruction; /* of a step */
    uint32_t block[3], warp, depth, inlined;
    uint32_t from_line;
    char from_file[512];
    char last_file[512]; /* the instruction before, as the places are asked for */
    uint32_t last_line;
    uint8_t *begins; /* of each instruction of the launch: it is the first one of its line */
    size_t n_begins;

    /* while it stands */
    const struct wsim_seen *at; /* NULL: it runs */
    unsigned lane;
    struct frame *frames;
    size_t n_frames;
    struct reference *references;
    size_t n_references;
    char rule[64], text[1024];
};

/* --- server.c --- */

/* Handles one request. 1: the kernel goes on, or the session ends. */
int server_request(struct server *server, json_t *request);

/* --- launched.c --- */

/* Opens the program of a launch request. 0: why. */
int launched_open(struct server *server, const json_t *arguments, char why[WHY]);
void launched_close(struct server *server);

/* Runs all launches, with stops. */
void launched_run(struct server *server);

/* Finds the line with code for a breakpoint. */
void breakpoint_verify(const struct server *server, struct breakpoint *breakpoint);
json_t *breakpoint_json(const struct server *server, const struct breakpoint *breakpoint);

/* The number of a thread for the client. */
json_int_t thread_of(const struct server *server, const struct wsim_seen *view);

/* --- seen.c: answers about the warp at which it stands --- */

/* Each fills *body, or `why` and returns 0. */
int seen_threads(struct server *server, const json_t *arguments, json_t **body, char why[WHY]);
int seen_stack(struct server *server, const json_t *arguments, json_t **body, char why[WHY]);
int seen_scopes(struct server *server, const json_t *arguments, json_t **body, char why[WHY]);
int seen_variables(struct server *server, const json_t *arguments, json_t **body, char why[WHY]);
int seen_evaluate(struct server *server, const json_t *arguments, json_t **body, char why[WHY]);
int seen_memory(struct server *server, const json_t *arguments, json_t **body, char why[WHY]);

#endif
