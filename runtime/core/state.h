/* state.h - the state of the process, which all files of the core share.
 *
 * One lock guards everything. A function of runtime.h takes it first (core_enter) and gives it back
 * last (core_leave); all other functions expect it to be held. */
#ifndef WSIM_RUNTIME_STATE_H
#define WSIM_RUNTIME_STATE_H

#include "runtime.h"

#include <pthread.h>
#include <wsim/kernel.h>

struct wsimrt_node;
struct wsimrt_node_params;
struct wsimrt_exec;
struct children;
struct gate;

/* --- settings: settings.c --- */

enum report_kind { REPORT_NONE, REPORT_TEXT, REPORT_ALWAYS, REPORT_JSON };

struct settings {
    const struct wsim_arch *arch;
    int devices;
    uint64_t memory; /* bytes of a device */
    uint32_t checks; /* WSIM_CHECK_..., CHECK_... */
    char *launches;  /* pattern of kernels; NULL: all */
    uint64_t seed;
    uint8_t async; /* enum wsim_async */
    uint8_t late;  /* streams */
    uint32_t threads;
    enum report_kind report;
    char *report_file, *report_folder; /* NULL: not given */
    char *assembler; /* socket of a process that assembles (assembled.h); NULL: none */
    uint8_t status;
    uint8_t lines;          /* costs of lines are counted */
    uint8_t runs_all;       /* launches that would leave memory as it is run too */
    uint32_t shard, shards; /* launches number `shard` of `shards` are checked; 0: all */
};

/* Checks of calls, beside those of kernels. */
#define CHECK_API 0x10000u
#define CHECK_LEAK 0x20000u /* memory that is not freed is a mistake, not a note */

/* Reads the environment. An error is a variable that is wrong; stderr says which. */
int settings_read(struct settings *settings);

/* Whether kernels of this name are checked and reported. */
int settings_wants(const char *kernel);

/* --- handles: handle.c --- */

enum handle_kind {
    HANDLE_NONE,
    HANDLE_CONTEXT,
    HANDLE_MODULE,
    HANDLE_FUNCTION,
    HANDLE_STREAM,
    HANDLE_EVENT,
    HANDLE_GRAPH,
    HANDLE_NODE,
    HANDLE_EXEC,
    HANDLE_POOL,
    HANDLE_ARRAY,
    HANDLE_PHYSICAL,
    HANDLE_LOG_CALL,
    HANDLE_GREEN,
    HANDLE_PROCESSORS
};

/* 0: no memory. */
int handle_add(const void *object, enum handle_kind kind);
void handle_remove(const void *object);
int handle_is(const void *object, enum handle_kind kind);

/* --- devices and contexts --- */

#define CORE_DEVICES 16
#define CORE_LIMITS 8
#define CORE_UNCHECKED 64
#define CORE_PIECE 65536u /* bytes that a copy from the host moves at once */

struct device {
    struct wsimrt_context *primary;
    unsigned retained, flags;
    uint64_t used;                /* bytes of memory */
    uint64_t graphs, graphs_high; /* that graphs reserved when they were launched */
    uint64_t physical;            /* of them, in memory apart from addresses */
    uint8_t lost;                 /* its context was reset after a sticky error */
};

struct wsimrt_context {
    struct wsimrt_context *next;
    struct wsim_device *device;
    int ordinal;
    unsigned flags;
    uint64_t id;
    uint8_t primary;
    uint64_t waited; /* the time of the last call that waited for work */
    uint8_t unseen;  /* no call has waited since the error: none gives it yet, as on a GPU */
    int error;
    size_t limits[CORE_LIMITS];
    int cache;                     /* CUfunc_cache: kept, without effect */
    uint32_t peers;                /* a bit for each device whose memory is enabled */
    struct wsimrt_stream *legacy;  /* without a handle */
    struct wsimrt_stream *streams; /* all of the context */
    struct wsimrt_module *modules; /* loaded into it */
    struct children *children;     /* what kernels launch; NULL: none did yet */
    struct gate *gates;            /* what all later work waits for */
    char *output;                  /* of kernels, not printed yet */
    size_t output_bytes, output_room;
};

/* --- the stack of contexts of a thread: thread.c --- */

int thread_is_full(void);
/* The green context that is current; NULL: none is. */
struct wsimrt_green *thread_green(void);
void thread_push(struct wsimrt_context *context);
/* Takes the context away if it is the current one. */
void thread_leave(const struct wsimrt_context *context);

/* --- what work leaves in its context: output.c --- */

/* Keeps the output of a kernel until the context is synchronised. */
void context_print(struct wsimrt_context *context, const char *text, size_t size);

/* Prints the output of kernels. */
void context_flush(struct wsimrt_context *context);

/* Notes a sticky error; the first one stays. Calls give it after one that waited. */
void context_fail(struct wsimrt_context *context, int error);

/* The sticky error that calls give, and that of a call that looked at work. */
int context_error(const struct wsimrt_context *context);
int context_looked(struct wsimrt_context *context);

/* Whether a GPU still runs work that ended here at a time: until a call waits, or for a while.
 * Queries say so. */
int context_lags(const struct wsimrt_context *context, uint64_t ended);

/* --- memory: memory.c --- */

/* The code that called the runtime: its file, and an offset that addr2line knows. */
struct caller {
    const char *object; /* good while the object is loaded; NULL: unknown */
    uint64_t offset;
    uint64_t outer; /* of the call of its function, which returns at once; 0: it does more */
};

struct allocation {
    uint64_t base, bytes, room; /* room: what the arena gave */
    uint64_t id;
    struct wsimrt_context *context; /* NULL: it is gone */
    int device;
    unsigned flags;
    struct wsimrt_pool *pool; /* NULL: none */
    uint8_t kind;             /* enum wsimrt_memory */
    uint8_t graph;            /* of a node of a graph */
    uint8_t live;             /* a launch of the graph gave it, and it is not freed yet */
    uint8_t array;            /* of an array: wsimrt_array_free frees it */
    uint8_t imported;         /* of another process ... */
    uint8_t by_pool;          /* ... which has it from a pool: frees may free it */
    uint16_t lead;            /* bytes of its first page before the address that this process has */
    uint8_t mapped;           /* by virtual.c */
    uint8_t managed;          /* a variable that counts as managed */
    uint8_t dying;            /* its free is queued */
    unsigned opens;           /* of an imported one: how often its handle was opened ... */
    struct {
        int process, file;
        uint64_t offset; /* ... which is this place of a file of a process */
    } handle;
    uint64_t version;        /* of its bytes: the number of the last write */
    struct wsimrt_fill fill; /* the last one ... */
    uint64_t filled;         /* ... and the version that it made */
    struct caller caller;
};

struct wsimrt_pool {
    struct wsimrt_pool *next;
    struct wsimrt_pool_kind kind;
    int device;          /* of its memory; -1: none */
    uint8_t standard;    /* its place begins with it, and it cannot be destroyed */
    uint8_t chosen;      /* its place uses it */
    uint32_t access;     /* to memory of the host and managed memory: a bit for each device */
    uint8_t host_access; /* of the host to managed memory */
    int process;         /* of the pool that it imported; 0: a pool of its own */
    uint8_t shareable;   /* other processes can open it */
    uint8_t destroyed;   /* the last free of its memory ends it */
    int reuse[3];        /* what may be reused: attributes 1 to 3 */
    uint64_t most, threshold, reserved, reserved_high, used, used_high;
    uint64_t lost;   /* what frees without a stream took: it counts as used on an H200 */
    uint64_t freed;  /* where the last freed memory was; 0: it is used again */
    uint64_t search; /* where the next one begins */
};

/* The system gives pools pieces of this size. Source: an H200 (driver 580). */
#define CORE_POOL_PIECE (UINT64_C(32) << 20)

int pool_make(const struct wsimrt_pool_kind *kind, uint64_t most, struct wsimrt_pool **pool);

struct memory {
    struct allocation **list; /* sorted by base */
    size_t n, room;
    uint64_t arena, arena_bytes; /* addresses of device and managed memory */
    struct part {                /* of the arena */
        uint64_t from, to;
        uint64_t next, fresh; /* where the next search begins; above `fresh` all bytes are zero */
    } small, large;
    struct piece { /* of CORE_POOL_PIECE bytes, behind the small ones */
        struct wsimrt_pool *pool;
        uint8_t is_mapped; /* kernels reach it */
    } * pieces;
    size_t n_pieces, next_piece, top_piece; /* next: where a search begins; above top: unused */
    struct allocation *freed;               /* the last ones, in a ring */
    size_t n_freed;
};

/* The number of allocations that begin at or below an address: known.c. */
size_t memory_below(uint64_t address);

/* Puts a copy of an allocation into the list; NULL: no memory. */
struct allocation *memory_insert(const struct allocation *what);

/* Takes one out of the list, remembers it as freed, and frees it. */
void memory_forget(struct allocation *allocation);

/* The allocation that holds `bytes` bytes at `address`; NULL: none. */
struct allocation *memory_find(uint64_t address, uint64_t bytes);

/* --- addresses of devices: arena.c --- */

/* Allocations begin at multiples, as on an H200. */
#define ARENA_UNIT UINT64_C(512)
/* Allocations of more bytes have pages of their own, which an H200 takes back when they are freed.
 * Smaller ones share a piece that stays. Source: an H200, lab/kernels/pages. */
#define ARENA_SMALL (UINT64_C(2) << 20)
/* Freed bytes that are given back to the system at once. */
#define ARENA_LARGE (UINT64_C(1) << 16)

/* Finds addresses whose bytes are zero, for any memory and for that of a pool. 0: there are none.
 */
uint64_t arena_take(uint64_t bytes, uint64_t *room);
uint64_t arena_take_of(struct wsimrt_pool *pool, uint64_t bytes, uint64_t *room);
int arena_is_pooled(uint64_t address);

/* Tells the devices which pages hold an allocation, or no longer do. */
void arena_map(const struct allocation *allocation, int is_mapped);

/* Whether an address is reserved for maps: virtual.c. */
int virtual_is_reserved(uint64_t address);

/* The last freed memory that held an address; NULL: none. */
const struct allocation *memory_freed(uint64_t address);

/* Whether no device has access to an allocation, which is memory of the host. */
int memory_is_away(const struct allocation *allocation);

/* Makes a variable known. */
int memory_variable(struct wsimrt_context *context, uint64_t address, uint64_t bytes);

/* Allocates for a pool. */
int memory_of_pool(struct wsimrt_context *context, uint64_t bytes, struct wsimrt_pool *pool,
                   uint64_t *address);
/* Devices have access to the memory of a pool now (1), or no longer (0). */
int memory_lend(struct wsimrt_pool *pool, int lends);
/* The bytes that a pool has when its allocations have `bytes`. */
uint64_t memory_reserved(uint64_t bytes);
/* A pool gives back the bytes beyond `keep`; a call that waited for work makes all do so. */
void memory_shrink(struct wsimrt_pool *pool, uint64_t keep);
void memory_rest(void);
/* Frees a pool without memory, which has no handle any more. */
void memory_end(struct wsimrt_pool *pool);

/* Memory of a node of a graph, which only memory_release frees. */
int memory_of_graph(struct wsimrt_context *context, uint64_t bytes, uint64_t *address);
int memory_of_array(struct wsimrt_context *context, uint64_t bytes, uint64_t *address);
void memory_release(uint64_t address);

/* Addresses that another file mapped are device memory now. */
int memory_of_map(struct wsimrt_context *context, int device, uint64_t base, uint64_t bytes);

/* Device memory that is the first `bytes` bytes of a file. */
int memory_of_file(struct wsimrt_context *context, int file, uint64_t bytes, uint64_t *address);

/* Work that frees device or managed memory at work.is.address, in the order of its stream. */
extern const struct work_kind memory_free;

/* Frees all memory of a context. */
void memory_leave(struct wsimrt_context *context);

/* Copies bytes of the process that may not be there. 0: a byte is missing. */
int memory_peek(void *to, uint64_t from, uint64_t bytes);
int memory_poke(uint64_t to, const void *from, uint64_t bytes);

/* --- arrays: array.c --- */

struct wsim_array;
struct wsimrt_array;

/* The shape of an array, with its address. Errors: WSIMRT_INVALID_HANDLE. */
int array_shape(const struct wsimrt_array *array, struct wsim_array *shape);

/* --- modules: module.c --- */

struct wsimrt_module {
    struct wsimrt_module *next;
    struct wsim_module *module;
    struct wsimrt_context *context;    /* NULL: a library */
    struct wsimrt_function *functions; /* with a handle */
    unsigned uses;                     /* launches that are queued, and the handle */
    struct machine *machine;           /* numbers of its machine code; NULL: unknown */
    uint8_t children;                  /* its kernels may launch others */
    int error;                         /* of a lazy library, whose module is NULL; 0: none */
};

struct repeat; /* launches that need not run: repeat.c */

struct wsimrt_function {
    struct wsimrt_function *next;
    struct wsimrt_module *module;
    const struct wsim_kernel *kernel;
    struct wsim_kernel_info info;
    int ptx_version;
    uint32_t registers; /* of the machine code; 0: unknown */
    int dynamic_shared; /* most that a launch may ask for */
    int carveout, non_portable, policy;
    uint8_t wanted;        /* settings_wants */
    uint8_t warned;        /* stderr has named its problem */
    struct repeat *repeat; /* NULL: none */
};

/* The function of a kernel of a module, and the most threads of its blocks. */
int module_kernel(struct wsimrt_module *module, const struct wsim_kernel *kernel,
                  struct wsimrt_function **function);
uint32_t module_threads(const struct wsimrt_function *function);

/* Blocks that an SM holds at once, of `threads` threads with dynamic shared memory. */
int module_blocks(const struct wsimrt_function *function, uint32_t threads, size_t shared);

/* Registers of a thread. */
uint32_t module_registers(const struct wsimrt_function *function);

void module_leave(struct wsimrt_context *context);
void module_release(struct wsimrt_module *module);

/* --- the order of work: order.c --- */

enum { CORE_CLOCKS = 64, CORE_REGIONS = 256 };

/* For each stream, the number of its last work that is over. */
struct clock {
    uint32_t at[CORE_CLOCKS];
};

/* A piece of work and the bytes that it accesses. */
struct stamp {
    struct stamp *next;
    struct clock clock; /* with the work itself */
    uint8_t slot;       /* of its stream, in clocks */
    uint8_t many;       /* more ranges than are kept */
    uint8_t signals;    /* a kernel with strong accesses to memory that the host sees */
    uint8_t told;       /* of an access of the host beside it */
    unsigned number;    /* of its stream; 0: the one without a handle */
    struct caller caller;
    char what[56];
    struct wsim_touched *ranges;
    size_t n;
};

/* --- work: queue.c, work.c --- */

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
    /* Says what a node of a graph would do. 0: none can; NULL: the same */
    int (*capture)(const struct work *work, struct wsimrt_node_params *params);
};

struct work {
    struct work *next;
    struct stamp *stamp; /* NULL: its order is not looked at */
    uint64_t number;     /* in the order of calls */
    struct wsimrt_context *context;
    struct wsimrt_stream *stream;
    const struct work_kind *kind;
    uint8_t begun; /* a call under way */
    uint8_t done;
    uint8_t stuck; /* a launch whose last step waited */
    uint8_t polls; /* a launch that polls memory */
    int *error;    /* of the caller that waits for it; NULL: no caller waits */
    union {
        struct wsimrt_copy copy;
        struct wsimrt_fill fill;
        struct {
            struct wsimrt_function *function;
            struct wsim_launch launch;
            struct wsim_flight *flight;
            uint8_t checked; /* and reported */
            uint8_t child;   /* a kernel launched it */
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

/* --- captures: refuse.c, capture.c --- */

/* Errors of calls while streams capture. _check: a use of the stream; _refuse: one that no graph
 * can hold; _unsafe: a call that may wait for other work. */
int capture_check(struct wsimrt_stream *stream);
int capture_refuse(struct wsimrt_stream *stream);
int capture_refuse_all(struct wsimrt_context *context);
void capture_fail(struct wsimrt_stream *stream); /* a launch failed */
int capture_refuse_event(const struct wsimrt_event *event);
int capture_unsafe(void);

/* Makes a node of what a stream that captures gets. */
int capture_work(const struct work *work);
int capture_node(struct wsimrt_stream *stream, struct wsimrt_node_params *params);
int capture_record(struct wsimrt_event *event, struct wsimrt_stream *stream);
int capture_wait(struct wsimrt_stream *stream, struct wsimrt_event *event);
void capture_leave(struct wsimrt_stream *stream);
void event_forget(struct wsimrt_event *event);

/* The work of a node that records an event (record: 1) or waits for one, behind *at. */
int event_expand(struct wsimrt_event *event, int record, struct wsimrt_stream *stream,
                 struct work ***at);

/* --- the report: report.c --- */

struct finding;
struct kernel_counts;

enum { CORE_PATH = 2048 };

struct report {
    struct kernel_counts *kernels;
    struct finding *findings, **last_finding;
    uint64_t launches, mistakes, notes, found;
    uint64_t written;     /* time of the last record */
    uint8_t changed;      /* since then */
    uint8_t failed;       /* the record cannot be written */
    char path[CORE_PATH]; /* of the record; "": none yet */
    struct missing {
        struct missing *next;
        const char *function;
        uint64_t calls;
    } * missing;
};

/* Takes what a launch left. `checked`: it is reported. */
void report_take(const struct wsimrt_function *function, const struct wsim_report *report,
                 int checked);

/* --- the process: process.c --- */

struct process {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* a call of the program ended, or another thread made progress */
    int started, error;
    int exits, status; /* the process exits with this status */
    struct settings settings;
    struct wsim_device *root; /* that all devices share the address space of */
    struct device devices[CORE_DEVICES];
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
    uint64_t unknown, variables; /* the last write of any memory, and of a variable */
    uint8_t shared;              /* memory has several addresses, or several processes */
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
    struct order {
        uint8_t on, off; /* off: more streams than clocks have places */
        uint64_t used;   /* slots of streams, a bit each */
        uint32_t counts[CORE_CLOCKS];
        unsigned streams;   /* that were made */
        struct clock known; /* to the host */
        struct stamp *past;
        size_t n_past;
    } order;
    struct watch {
        struct region {
            uint64_t from, to;
        } regions[CORE_REGIONS], ever[CORE_REGIONS]; /* protected now, and once */
        size_t n, n_ever;
        unsigned inside; /* threads in calls */
    } watch;
    struct unchecked {
        const char *name; /* of an error that a call returned */
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

/* Whether this thread runs a function of the program for a stream, which may not use a context. */
void thread_calls(int calls);
/* Gives the lock back and returns `error`. */
int core_leave(int error);

/* The current context of the thread, checked, even one with a sticky error. */
int core_current(struct wsimrt_context **context);

uint64_t core_random(void);
uint64_t core_now(void); /* nanoseconds */

/* An attribute of a device. 1: it is there. */
int device_attribute(int *value, int attribute, int ordinal);
int device_capability(void); /* 90 of sm_90a */

/* The name and text of an error as the runtime API has them; NULL: there is no such error. -1: any
 * other error. */
void errors_text(int error, const char **name, const char **text);

/* The error of a status of the library. */
int core_error(enum wsim_status status);

#endif
