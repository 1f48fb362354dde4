/* state.h - the state of the process, which all files of the core share.
 *
 * One lock guards everything. A function of runtime.h takes it first (core_enter) and gives it back
 * last (core_leave); all other functions expect it to be held. */
#ifndef WSIM_RUNTIME_STATE_H
#define WSIM_RUNTIME_STATE_H

#include "capture.h"
#include "context.h"
#include "handle.h"
#include "settings.h"

#include <pthread.h>

/* --- the report: report.c --- */

struct finding;
struct kernel_counts;

enum { CORE_PATH = 2048 };

struct report {
    struct kernel_counts *kernels;
    struct finding *findings, **last_finding;
    uint64_t launches, mistakes, notes, suppressed, found;
    uint64_t written;     /* time of the last record */
    uint8_t changed;      /* since then */
    const char *running;  /* a kernel that takes long; NULL: none */
    uint8_t failed;       /* the record cannot be written */
    char path[CORE_PATH]; /* of the record; "": none yet */
    struct missing {
        struct missing *next;
        const char *function;
        uint64_t calls;
    } * missing;
    struct lack {
        struct lack *next;
        char *what, *text;
        uint64_t count;
    } * lacks;
};

/* Counts a launch or a module that wsim has no model for: the process has no whole answer. */
void report_lack(const char *what, const char *text);

/* A kernel goes on after its first turn (1), or ends (0): the record of a process that is killed
 * names it. */
void report_running(const char *kernel, int goes_on);

/* Takes what a launch left. `checked`: it is reported. */
void report_take(const struct wsimrt_function *function, const struct wsim_launch *launch,
                 const struct wsim_report *report, int checked);

/* --- the process: process.c --- */

enum { CORE_REGIONS = 256 };

struct process {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* a call of the program ended, or another thread made progress */
    int started, error;
    int exits, status; /* the process exits with this status */
    int destroyed;     /* destructors ran */
    struct settings settings;
    struct wsim_device *root; /* that all devices share the address space of */
    struct device devices[CORE_DEVICES];
    struct fault { /* a fatal finding of a kernel; error 0: none */
        int error, ordinal;
        uint8_t unseen; /* no call has waited for the device since: none gives it, as on a GPU */
    } fault;
    struct wsimrt_context *contexts;
    struct wsimrt_green *greens;
    struct handles {
        struct handle {
            const void *object;
            enum handle_kind kind;
        } * slots;
        size_t n, room; /* room: a power of two */
    } handles;
    struct memory memory;
    struct wsimrt_stream *active; /* streams that have work */
    struct capture *captures;     /* under way */
    struct graph_memory *graph_memory;
    struct wsimrt_pool *pools;
    struct described *described; /* texture and surface objects: texture.c */
    struct advised *advised;     /* advice.c */
    uint64_t next_number, next_id, random;
    uint64_t launches;           /* begun */
    uint64_t versions;           /* writes of memory that devices know */
    uint64_t unknown, variables; /* the last write of any memory, and of a variable by the host */
    uint64_t flights, flying;    /* launches that began to run, and those in flight */
    struct outcome *oldest, *newest; /* outcome.c: in the order of their last use ... */
    uint64_t outcomes;               /* ... and all their bytes */
    uint8_t shared;                  /* memory has several addresses, or several processes */
    struct calls {
        pthread_t thread;
        uint8_t started;
        struct work *work; /* under way; NULL: none */
        unsigned waits;    /* threads that wait for work */
    } calls;
    uint8_t polled; /* the thread of poll.c was started */
    struct late_call {
        struct late_call *next;
        void (*callback)(struct wsimrt_stream *stream, int error, void *data);
        struct wsimrt_stream *stream;
        void *data;
        int error;
    } * late_calls; /* that come when the process exits */
    struct report report;
    struct source {
        char *path, *text;
    } source; /* that suppress.c read last */
    struct order {
        uint8_t on, off; /* off: more streams than clocks have places */
        uint8_t depends; /* a launch may begin before the kernel before it ends */
        uint64_t used;   /* slots of streams, a bit each */
        uint32_t counts[CORE_CLOCKS];
        unsigned streams;   /* that were made */
        uint64_t graphs;    /* that were launched, and have nodes that no edge orders */
        struct clock known; /* to the host */
        struct stamp *past;
        size_t n_past, n_seen; /* pieces of work, and those whose memory the host sees */
    } order;
    struct watch {
        struct region {
            uint64_t from, to;
        } regions[CORE_REGIONS], ever[CORE_REGIONS]; /* protected now, and once */
        size_t n, n_ever;
        unsigned inside; /* threads in calls */
        uint8_t asked;   /* whether the program has a handler of its own */
    } watch;
    struct unchecked {
        const char *name; /* of an error that a call returned */
        char reason[CORE_REASON];
        struct caller caller;
    } unchecked[CORE_UNCHECKED];
    unsigned n_unchecked;
    const char *(*error_name)(int error), *(*error_text)(int error); /* NULL: as in error.def */
    uint64_t inherited;              /* allocations up to this id are those of the parent process */
    unsigned char piece[CORE_PIECE]; /* of a copy under way */
};

extern struct process core;

/* Takes the lock. `context` gets the current context, checked; NULL: none is needed. */
int core_enter(struct wsimrt_context **context);

/* After core_enter(NULL): the current context, or where there is none, that of an object. */
int core_enter_with(struct wsimrt_context *own, struct wsimrt_context **context);

/* Enters with the current context, or where there is none, that of a stream. */
int core_enter_stream(const struct wsimrt_stream *stream, struct wsimrt_context **context);

/* Whether this thread runs a function of the program for a stream, which may not use a context. */
void thread_calls(int calls);
/* Why the call of this thread fails, for findings; empty: no more than its error says. Set by
 * core_because of report.h. */
const char *core_reason(void);
/* Gives the lock back and returns `error`. */
int core_leave(int error);

/* The current context of the thread, checked, even after a sticky error. */
int core_current(struct wsimrt_context **context);

/* An error if a number is not that of a device. */
int core_device(int device);

uint64_t core_random(void);
uint64_t core_now(void); /* nanoseconds */

/* Control characters become '?', for a terminal; line breaks stay. The length. */
size_t core_mask(char *text);

/* An attribute of a device. 1: it is there. */
int device_attribute(int *value, int attribute, int ordinal);
int device_capability(void); /* 90 of sm_90a */

/* The name and text of an error as the runtime API has them; NULL: there is no such error. -1: any
 * other error. */
void errors_text(int error, const char **name, const char **text);

/* The error of a status of the library. */
int core_error(enum wsim_status status);

#endif
