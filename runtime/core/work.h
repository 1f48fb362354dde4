/* work.h - work of streams: queues, events, copies, launches: queue.c, work.c, params.c, launch.c.
 */
#ifndef WSIM_RUNTIME_WORK_H
#define WSIM_RUNTIME_WORK_H

#include "clock.h"
#include "module.h"

struct wsimrt_node;
struct wsimrt_node_params;
struct wsimrt_exec;
struct capture;
struct frontier;

/* A record of an event, or the end of other work. */
struct mark {
    unsigned uses;
    uint8_t done;
    uint64_t time;               /* nanoseconds */
    uint64_t ended;              /* of its stream */
    struct shared_event *shared; /* learns it too; NULL: none */
    uint64_t ticket;
    struct clock clock;
};

/* Records of an event, counted, in memory that processes share. */
struct shared_event {
    uint64_t recorded, done;
};

struct work;

/* A kind of work. run: 1 if the work is done, 0 if it cannot go on now, -1 if it went on and is not
 * done. */
struct work_kind {
    int (*run)(struct work *work);
    void (*end)(struct work *work);          /* before it is freed; NULL: nothing        */
    int (*goes_on)(const struct work *work); /* after a sticky error; NULL: it does not  */
    void (*leave)(struct work *work);        /* a sticky error drops it; NULL: nothing   */
    uint8_t outside;                         /* something outside of the queues ends it  */
    uint8_t records, waits;                  /* its mark */
    uint8_t lasts;                           /* a GPU needs a while for it */
    uint8_t frees;                           /* the bytes of order_box     */
    /* Says what a node of a graph would do. 0: none can; NULL: the same */
    int (*capture)(const struct work *work, struct wsimrt_node_params *params);
};

struct work {
    struct work *next;
    struct stamp *stamp;     /* NULL: its order is not looked at          */
    struct stamp_node *node; /* until it joins its stream; NULL: of none  */
    uint64_t number;         /* in the order of calls */
    struct wsimrt_context *context;
    struct wsimrt_stream *stream;
    const struct work_kind *kind;
    uint8_t begun; /* a call under way */
    uint8_t done;
    uint8_t stuck;              /* a launch whose last step waited */
    uint8_t polls;              /* a launch that polls memory */
    int *error;                 /* of the caller that waits for it; NULL: no caller waits */
    struct wsim_touched *bytes; /* [n_bytes]: of a launch that has ended; NULL: not known */
    size_t n_bytes;
    union {
        struct wsimrt_copy copy;
        struct wsimrt_fill fill;
        struct {
            struct wsimrt_function *function;
            struct wsim_launch launch;
            struct wsim_flight *flight;
            uint64_t number;         /* of the launches of the process, from 1 on */
            void *look;              /* of look.h, while it runs; NULL: none */
            struct outcome *outcome; /* that it records; NULL: none */
            uint8_t checked;         /* and reported */
            uint8_t child;           /* a kernel launched it */
            uint8_t called;          /* a call launched it, into its stream */
            uint8_t dependent; /* it may begin before the kernel before it in the stream ends */
            /* Puts the nodes of a graph behind others: of a kernel in a graph that may launch. */
            int (*expand)(struct wsimrt_exec *exec, struct wsimrt_stream *stream,
                          struct work ***at);
        } launch;
        struct {
            void (*function)(void *data);
            void (*callback)(struct wsimrt_stream *stream, int error, void *data);
            struct wsimrt_stream *stream; /* as the program named it */
            void *data;
        } call;
        struct mark *mark;
        struct {
            struct shared_event *event;
            uint64_t ticket;
        } shared;
        struct {
            uint64_t address, value;
            unsigned bytes, how;
        } value;
        uint64_t address;
        struct {
            struct wsimrt_exec *exec;
            const struct wsimrt_node *node;
        } condition;
    } is;
    unsigned char params[]; /* of a launch */
};

/* Preferences of a stream, which change no result: preference.c. */
struct access_window { /* CUaccessPolicyWindow */
    uint64_t base, bytes;
    float ratio;
    int32_t hit, miss;
};
struct preferences {
    struct access_window window;
    int32_t wait; /* CUsynchronizationPolicy; 0: never set */
    int32_t domain;
    uint8_t domains[2];
    uint8_t maps; /* the domains are set */
};

struct wsimrt_stream {
    struct wsimrt_stream *next;
    struct wsimrt_stream *next_active; /* that has work */
    struct wsimrt_context *context;
    unsigned flags;
    int priority;
    uint64_t id;
    struct work *first, *last;
    uint64_t ended;             /* the time when its last lasting work ended; 0: none */
    uint64_t graph;             /* bytes that its last graph needs */
    struct capture *capture;    /* NULL: its work runs */
    struct frontier *frontier;  /* of the capture */
    struct wsimrt_green *green; /* NULL: of none */
    uint8_t active;
    uint8_t destroyed; /* freed when its work is done */
    uint8_t left;      /* of a green context that is destroyed */
    uint8_t slot;      /* in clocks */
    unsigned number;   /* from 1 on; 0: the one without a handle */
    struct clock clock;
    struct wsim_touched *primary; /* ranges of its last work, if a call launched that one */
    size_t n_primary;
    struct preferences preferences;
};

struct wsimrt_event {
    unsigned flags;
    struct mark *mark; /* of the last record; NULL: none */
    struct wsimrt_context *context;
    uint64_t of;      /* id of the context, which may be gone */
    uint64_t capture; /* id of the capture in which it was recorded last; 0: in none */
    struct frontier *frontier;
    struct shared_event *shared; /* NULL: no other process has it */
    int file;
};

/* Work for `stream`, with `extra` bytes of parameters; NULL: no memory. */
struct work *work_make(struct wsimrt_stream *stream, const struct work_kind *kind, size_t extra);

/* The stream without a handle that blocking streams wait for, and it for them. */
struct wsimrt_stream *stream_legacy(const struct wsimrt_stream *stream);
/* Whether both are of one context, or of one green context. */
int stream_shares(const struct wsimrt_stream *a, const struct wsimrt_stream *b);
/* Whether a stream without a handle, or a blocking stream that shares with it, has work. */
int stream_is_busy(const struct wsimrt_stream *legacy);

void work_free(struct work *work);

/* Puts work into its stream and runs what may run. `wait`: returns when it is done. The work must
 * not be used afterwards. The error is the sticky error of the context if it waits. */
int work_issue(struct work *work, int wait);

/* Puts a list of work of one stream into it. */
int work_issue_list(struct work *list);

/* Runs work until `stream` (NULL: all streams of `context`) is empty. */
int work_drain(struct wsimrt_context *context, struct wsimrt_stream *stream);

/* Runs streams of other contexts until no kernel of `context` is left in them: graphs put them
 * there. */
void work_drain_guests(struct wsimrt_context *context);

/* Runs work until the mark is done. */
int work_reach(struct wsimrt_context *context, struct mark *mark);

/* Gives the lock away until something changes, at most that long. */
void core_pause(uint64_t nanoseconds);

/* Runs what may run without waiting. */
void work_advance(void);

/* A launch polls memory: a thread gives it turns, because the program may wait for it without a
 * call. */
void poll_begin(void);

/* Drops all work of a context: launches in flight end. */
void work_drop(struct wsimrt_context *context);

void mark_release(struct mark *mark);

/* The stream of a handle, also of NULL and the special ones; NULL: no such stream. */
struct wsimrt_stream *stream_of(struct wsimrt_stream *handle, struct wsimrt_context *context);

/* The error of a handle for which stream_of gave NULL. */
int stream_missing(void);

/* A stream of a context, or of a green one. */
int stream_make(struct wsimrt_context *context, struct wsimrt_green *green, unsigned flags,
                int priority, struct wsimrt_stream **stream);
/* A new stream waits for what all work of its context waits for: gate.c. */
int gates_pass(struct wsimrt_stream *stream);
/* Green contexts of a context end with it. */
void green_leave(const struct wsimrt_context *context);
/* Records an event in a stream. */
int event_record(struct wsimrt_event *event, struct wsimrt_stream *stream);

/* The priority that a stream gets. */
int stream_priority(int wanted);

struct wsimrt_stream *stream_new(struct wsimrt_context *context, unsigned flags, int priority);
void stream_free(struct wsimrt_stream *stream);

/* Notes the error of work: for its caller, or as the error of the context. */
void work_fail(struct work *work, int error);

/* Puts work at the end of its stream. */
void queue_append(struct work *work);
/* Puts a list of work behind the first work of its stream, as its part. */
void queue_insert(struct work *work, struct work *list);
/* Takes the first work of a stream away. */
void queue_shift(struct wsimrt_stream *stream);

extern const struct work_kind work_record, work_wait; /* a mark */
extern const struct work_kind work_call;              /* a function of the program: calls.c */

/* The process exits: callbacks that a sticky error held back come now. */
void calls_end(void);

extern const struct work_kind work_copy, work_fill; /* copy.c */

/* --- launches: params.c, launch.c --- */

/* Whether a node of a graph may copy or fill so. */
int copy_check(const struct wsimrt_copy *how);
int fill_check(const struct wsimrt_fill *how);

int launch_check_sizes(const struct wsimrt_launch *launch);
/* Puts the parameters in their places. */
int launch_pack(const struct wsimrt_launch *launch, unsigned char *params);
/* The work of a launch, checked. */
int launch_make(const struct wsimrt_launch *launch, struct wsimrt_stream *stream,
                struct work **made);

#endif
