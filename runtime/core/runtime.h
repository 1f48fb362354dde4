/* runtime.h - a process with simulated GPUs: devices, contexts, modules, memory, streams, events,
 * launches and their report. libcuda.so.1 and libcudart are faces of this core: their functions
 * check nothing that the core checks, and hold no state that both need.
 *
 *     int error = wsimrt_init();
 *     error = error ? error : wsimrt_primary_retain(0, &context);
 *     error = error ? error : wsimrt_context_set(context);
 *     error = error ? error : wsimrt_module_load(&image, 1, NULL, &module);
 *     error = error ? error : wsimrt_module_function(module, "scale", &function);
 *     error = error ? error : wsimrt_memory_alloc(4096, WSIMRT_DEVICE, &address);
 *     error = error ? error : wsimrt_launch(&launch);
 *     error = error ? error : wsimrt_context_sync();
 *
 * Rules for all functions.
 *   - Most functions return an error: 0, or a number of CUresult (enum wsimrt_error). cudaError_t
 *     has the same numbers for the same errors.
 *   - Handles are opaque pointers. Every function checks its handles: NULL, a freed handle, a
 * handle of another kind and a stray pointer give WSIMRT_INVALID_HANDLE (contexts:
 *     WSIMRT_INVALID_CONTEXT).
 *   - Outputs must not be NULL: a NULL output gives WSIMRT_INVALID_VALUE.
 *   - An address is one of the process. Host and device share addresses.
 *   - Functions without a context act on the current context of the calling thread. Without one,
 *     they give WSIMRT_INVALID_CONTEXT.
 *   - After a sticky error (a fatal finding of a kernel) every call with a context gives it.
 *   - All functions may be called from all threads.
 *   - Nothing is printed on stdout but the output of kernels. Lines on stderr begin with "wsim: ".
 *
 * The environment configures the process. It is read once, by wsimrt_init:
 *   WSIM_ARCH=NAME         architecture of the devices (sm_90a; h100, a100 ... are names too)
 *   WSIM_DEVICES=N         number of devices (1)
 *   WSIM_DEVICE_MEMORY=N   bytes of a device, with suffix K, M, G (141G)
 *   WSIM_CHECK=LIST        checks: all, none, or of memory,init,race,sync (kernels), api (calls)
 *                          and leak (memory that is not freed is a mistake, not a note); all is
 *                          without leak; a list has memory always
 *   WSIM_LAUNCHES=REGEX    only kernels whose name matches are checked and reported
 *   WSIM_SEED=N            order of blocks, warps and streams (0: as issued)
 *   WSIM_ASYNC=late        asynchronous copies of kernels complete as late as possible
 *   WSIM_STREAMS=late      work of streams runs when something waits for it (eager)
 *   WSIM_THREADS=N         host threads of a launch (0: all processors)
 *   WSIM_MAX_INSTRUCTIONS=N  a launch stops with a finding after N warp instructions (0: never)
 *   WSIM_REPORT=KIND       report at exit: text, json or none (text: only if there is something
 *                          to report; text+: always)
 *   WSIM_REPORT_FILE=PATH  the report goes there instead of stderr; %p is the process number
 *   WSIM_REPORT_FOLDER=DIR instead, each process writes a record for `run --merge`; a process
 *                          that dies leaves what was found until then
 *   WSIM_LINES=1           records have the cost of each line
 *   WSIM_REPEATS=1         a launch runs even if an equal one on the same bytes left them as they
 *                          were; without it, its report is that of the earlier one
 *   WSIM_SHARD=I/N         only every Nth launch is checked and reported: those of part I. The
 *                          first one follows from the name and arguments of the process
 *   WSIM_PTX=FOLDER        modules of machine code run from the PTX files there
 *
 *   WSIM_ASSEMBLER_SOCKET=PATH  modules are assembled there (`run --assembler`)
 *   WSIM_IGNORE=ENTRIES    findings that do not count: RULE, RULE@PLACE or RULE@PLACE:LINE, with
 *                          commas between them (<wsim/harness/suppress.h>)
 *   WSIM_BASELINE=PATH     nor do those of a baseline (`run --write-baseline`)
 *   WSIM_STATUS=1          a process that would exit with 0 exits with 1 if there are findings,
 *                          with 3 if a launch or a module has no model; with 2 in any case if a
 *                          variable is wrong or the report cannot be written
 */
#ifndef WSIM_RUNTIME_H
#define WSIM_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#define WSIMRT_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* --- errors --- */

enum wsimrt_error {
    WSIMRT_OK = 0,
#define ERROR(id, number, text) WSIMRT_##id = number,
#include "error.def"
};

/* "CUDA_ERROR_INVALID_VALUE", "CUDA_SUCCESS"; NULL for an unknown number. */
WSIMRT_API const char *wsimrt_error_name(int error);

/* "invalid argument", "no error"; NULL for an unknown number. */
WSIMRT_API const char *wsimrt_error_text(int error);

/* The names and texts of errors that kernels get; NULL: there is no such error. Without this call,
 * they are those above. */
WSIMRT_API void wsimrt_error_names(const char *(*name)(int error), const char *(*text)(int error));

/* Notes a call of a public function that this runtime lacks: stderr names each function once, and
 * the report counts the calls. Returns WSIMRT_NOT_SUPPORTED. */
WSIMRT_API int wsimrt_unsupported(const char *function);

/* Notes a program or a library that wsim cannot run, and says so: its calls go elsewhere. The
 * process has no whole answer, so it exits with 3 instead of 0. */
WSIMRT_API void wsimrt_lack(const char *what, const char *text);

/* A call returned an error, which has this name (a constant); the program asked for errors. Errors
 * that a program never asks for are findings. */
WSIMRT_API void wsimrt_error_returned(int error, const char *name);
WSIMRT_API void wsimrt_error_seen(void);

/* Prints "wsim: " and a line on stderr. */
WSIMRT_API void wsimrt_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* --- the process and its devices --- */

/* Reads the environment and makes the devices; later calls do nothing. Errors: WSIMRT_INVALID_VALUE
 * (a variable of the environment is wrong; stderr says which), WSIMRT_OUT_OF_MEMORY. */
WSIMRT_API int wsimrt_init(void);

/* The version of CUDA whose driver API the core has: 13000 for 13.0. */
#define WSIMRT_CUDA_VERSION 13000

struct wsimrt_device_info {
    char name[64]; /* "NVIDIA H200"                                                         */
    char arch[16]; /* "sm_90a"                                                              */
    uint8_t uuid[16];
    char pci[32];        /* "0000:01:00.0"                                                        */
    uint64_t memory;     /* bytes                                                                 */
    int major, minor;    /* compute capability                                                    */
    int processors;      /* SMs                                                                   */
    unsigned part, step; /* SMs of the least part of a green context; parts are multiples of step */
};

WSIMRT_API int wsimrt_device_count(int *count);
WSIMRT_API int wsimrt_device_info(int device, struct wsimrt_device_info *info);

/* The bytes from row to row of a pitched allocation with rows of `width` bytes. Errors:
 * WSIMRT_INVALID_VALUE (too many). */
WSIMRT_API int wsimrt_pitch(uint64_t width, uint64_t *pitch);

/* An attribute of a device by its number in CUdevice_attribute; cudaDeviceAttr has the same
 * numbers. Errors: WSIMRT_INVALID_VALUE (no such attribute), WSIMRT_INVALID_DEVICE. */
WSIMRT_API int wsimrt_device_attribute(int *value, int attribute, int device);

/* --- contexts --- */

struct wsimrt_context;

/* The sticky error of the process, once a call may give it; 0: there is none. */
WSIMRT_API int wsimrt_sticky_error(void);

/* The primary context of a device is made by the first retain and freed by the last release.
 * wsimrt_primary_reset frees it at once. After a sticky error no new context is made: the call
 * gives that error, as on an H200. */
WSIMRT_API int wsimrt_primary_retain(int device, struct wsimrt_context **context);
WSIMRT_API int wsimrt_primary_release(int device);
WSIMRT_API int wsimrt_primary_reset(int device);
WSIMRT_API int wsimrt_primary_state(int device, unsigned *flags, int *active);
WSIMRT_API int wsimrt_primary_flags(int device, unsigned flags);

/* Makes a context and pushes it on the stack of the calling thread. */
WSIMRT_API int wsimrt_context_make(int device, unsigned flags, struct wsimrt_context **context);
WSIMRT_API int wsimrt_context_destroy(struct wsimrt_context *context);

/* The stack of contexts of the calling thread; its top is current. NULL is allowed where CUDA
 * allows it: wsimrt_context_set(NULL) pops, wsimrt_context_current answers NULL without a context.
 */
WSIMRT_API int wsimrt_context_push(struct wsimrt_context *context);
WSIMRT_API int wsimrt_context_pop(struct wsimrt_context **context);
WSIMRT_API int wsimrt_context_set(struct wsimrt_context *context);
WSIMRT_API int wsimrt_context_current(struct wsimrt_context **context);

struct wsimrt_context_info {
    int device;
    unsigned flags;
    uint64_t id;
    uint8_t primary;
};
/* Answers also after a sticky error. A `context` of NULL is the current one. */
WSIMRT_API int wsimrt_context_info(struct wsimrt_context *context,
                                   struct wsimrt_context_info *info);

/* Waits for all work of the current context, and writes the output of kernels to stdout. */
WSIMRT_API int wsimrt_context_sync(void);

/* Green contexts: some of the processors of a device, which is retained, and streams of their own.
 * Each has a context that may be current; memory, modules and events are then those of the primary
 * one. Streams that are left when it is freed give WSIMRT_CONTEXT_IS_DESTROYED. */
struct wsimrt_green;
struct wsimrt_processors;
struct wsimrt_stream;
struct wsimrt_event;
/* Processors for green contexts. They are never freed, as in CUDA. */
WSIMRT_API int wsimrt_processors_make(int device, unsigned n,
                                      struct wsimrt_processors **processors);
WSIMRT_API int wsimrt_green_make(const struct wsimrt_processors *processors, int device,
                                 struct wsimrt_green **green);
WSIMRT_API int wsimrt_green_free(struct wsimrt_green *green);
WSIMRT_API int wsimrt_green_context(struct wsimrt_green *green, struct wsimrt_context **context);
WSIMRT_API int wsimrt_green_stream(struct wsimrt_green *green, unsigned flags, int priority,
                                   struct wsimrt_stream **stream);
struct wsimrt_green_info {
    uint64_t id;
    int device;
    unsigned processors;
};
/* A `green` of NULL is the current one. */
WSIMRT_API int wsimrt_green_info(struct wsimrt_green *green, struct wsimrt_green_info *info);
/* The green context of a context or of a stream; NULL: it has none. */
WSIMRT_API int wsimrt_green_of(struct wsimrt_context *context, struct wsimrt_green **green);
WSIMRT_API int wsimrt_green_of_stream(struct wsimrt_stream *stream, struct wsimrt_green **green);
/* A number that no other call gives. */
WSIMRT_API int wsimrt_number(uint64_t *number);

/* Records an event after the work that all streams of a context have now, or lets all their later
 * work wait for one. A primary context has the streams of its green ones too. Errors:
 * WSIMRT_INVALID_HANDLE, WSIMRT_STREAM_CAPTURE_UNSUPPORTED (a stream captures). */
WSIMRT_API int wsimrt_context_record(struct wsimrt_context *context, struct wsimrt_event *event);
WSIMRT_API int wsimrt_context_wait(struct wsimrt_context *context, struct wsimrt_event *event);

/* Limits by their numbers in CUlimit: stack size, FIFO of printf, heap of malloc ... */
WSIMRT_API int wsimrt_limit_get(int limit, size_t *value);
WSIMRT_API int wsimrt_limit_set(int limit, size_t value);

/* The flags of the current context; bits that change no result. Host memory stays mapped. */
/* Whether the current context is a primary one that is not active, and of which device. */
WSIMRT_API int wsimrt_context_past(int *device);
WSIMRT_API int wsimrt_context_set_flags(unsigned flags);

/* The preference for caches (CUfunc_cache), which the current context only keeps. NULL and -1: not
 * asked for. Errors: WSIMRT_INVALID_VALUE. */
WSIMRT_API int wsimrt_context_cache(int set, int *get);

/* Whether kernels of `device` may access memory of `peer`, and the list of enabled peers. */
WSIMRT_API int wsimrt_peer_possible(int device, int peer, int *possible);
WSIMRT_API int wsimrt_peer_enable(struct wsimrt_context *peer);
WSIMRT_API int wsimrt_peer_disable(struct wsimrt_context *peer);

/* --- modules --- */

struct wsimrt_module;
struct wsimrt_function;

/* PTX text that ends with NUL, a fat binary (0xBA55ED50), or a wrapper of nvcc (0x466243B1) that
 * points to one. A `size` of 0: the image says how long it is. Machine code alone (a cubin) gives
 * WSIMRT_NO_BINARY_FOR_GPU, and stderr says how to build it. */
struct wsimrt_image {
    const void *bytes;
    size_t size;
};

/* How to load. All fields may be 0. */
struct wsimrt_load {
    char *log, *info; /* of errors, and of notes: NUL-terminated text                           */
    size_t log_bytes, info_bytes;
    uint8_t is_library; /* 1: of no context: each context that uses it has variables of its own  */
    uint8_t is_lazy;    /* 1: a wrong image gives its error where a kernel is asked for          */
    uint8_t is_part;    /* 1: functions may be missing                                           */
    unsigned registers; /* most of a thread, for kernels without bounds of their own; 0: any     */
    const void *linked; /* the fat binary of machine code that the images were linked to         */
};

/* The last line of a text may name `registers`, in decimal digits: so a linker keeps its option. */
#define WSIMRT_REGISTERS_LINE "\n// registers of a thread: "

/* Loads images and links them if there are several. `load` may be NULL. The images may be freed
 * after the call. Errors: WSIMRT_INVALID_PTX, WSIMRT_INVALID_IMAGE, WSIMRT_NO_BINARY_FOR_GPU. */
WSIMRT_API int wsimrt_module_load(const struct wsimrt_image *images, size_t n,
                                  const struct wsimrt_load *load, struct wsimrt_module **module);
WSIMRT_API int wsimrt_module_unload(struct wsimrt_module *module);
WSIMRT_API int wsimrt_module_is_library(struct wsimrt_module *module);

/* Functions and variables by name. Errors: WSIMRT_NOT_FOUND. A function of a library serves all
 * contexts. `address` and `bytes` may be NULL. */
WSIMRT_API int wsimrt_module_function(struct wsimrt_module *module, const char *name,
                                      struct wsimrt_function **function);
WSIMRT_API int wsimrt_module_symbol(struct wsimrt_module *module, const char *name,
                                    uint64_t *address, uint64_t *bytes);

/* Whether a module would run here if it were compiled for a target of CUjit_target. Errors are
 * those of an H200. WSIMRT_INVALID_IMAGE: the target is too old. WSIMRT_INVALID_VALUE: there is no
 * such target. WSIMRT_INVALID_PTX: the text is for later ones. WSIMRT_INVALID_SOURCE: the code is
 * for another GPU. */
WSIMRT_API int wsimrt_module_for(struct wsimrt_module *module, unsigned target);

/* The number of kernels, and kernel number `index`. */
WSIMRT_API int wsimrt_module_count(struct wsimrt_module *module, size_t *count);
WSIMRT_API int wsimrt_module_function_at(struct wsimrt_module *module, size_t index,
                                         struct wsimrt_function **function);

struct wsimrt_function_info {
    const char *name; /* good until the module is unloaded                                       */
    struct wsimrt_module *module;
    struct wsimrt_context *context; /* of the module; NULL: of a library, in all contexts       */
    uint32_t params, param_bytes;
    uint32_t threads;                 /* a block may have at most                              */
    uint32_t shared, constant, local; /* static bytes                                           */
    uint32_t registers;               /* of a thread, estimated                                 */
    uint32_t dynamic_shared;          /* most bytes that a launch may ask for                   */
    uint32_t cluster[3];              /* declared; zeros: not                                   */
    int ptx_version, binary_version;  /* 90: compute_90                                         */
};
/* Prefers L1 or shared memory, by CUfunc_cache: it changes the occupancy. */
WSIMRT_API int wsimrt_function_cache(struct wsimrt_function *function, int config);
WSIMRT_API int wsimrt_function_info(struct wsimrt_function *function,
                                    struct wsimrt_function_info *info);
WSIMRT_API int wsimrt_function_param(struct wsimrt_function *function, size_t index, size_t *offset,
                                     size_t *bytes);

/* Attributes by their numbers in CUfunction_attribute; cudaFuncAttribute has those that may be set
 * with the same numbers (8: dynamic shared memory, 9: carveout ...). */
WSIMRT_API int wsimrt_function_get(struct wsimrt_function *function, int attribute, int *value);
WSIMRT_API int wsimrt_function_set(struct wsimrt_function *function, int attribute, int value);

/* Blocks of `threads` threads and `shared` dynamic bytes that one SM holds at once. */
WSIMRT_API int wsimrt_function_occupancy(struct wsimrt_function *function, uint32_t threads,
                                         size_t shared, int *blocks);

/* Whether a kernel has clusters of a shape in a grid, or WSIMRT_INVALID_CLUSTER_SIZE. */
WSIMRT_API int wsimrt_cluster_check(struct wsimrt_function *function, const uint32_t grid[3],
                                    const uint32_t shape[3]);

/* Clusters of `size` blocks that the GPU holds at once, if an SM holds `blocks` blocks. */
WSIMRT_API int wsimrt_clusters(int blocks, uint32_t size);

/* The dynamic shared memory with which a number of blocks fit on an SM. */
WSIMRT_API int wsimrt_function_shared(struct wsimrt_function *function, uint32_t threads,
                                      int blocks, size_t *bytes);

/* --- memory --- */

enum wsimrt_memory {
    WSIMRT_DEVICE = 1, /* cudaMalloc                                                            */
    WSIMRT_MANAGED,    /* cudaMallocManaged                                                     */
    WSIMRT_HOST,       /* cudaMallocHost: pinned and mapped                                     */
    WSIMRT_REGISTERED, /* cudaHostRegister                                                      */
    WSIMRT_VARIABLE    /* a .global or .const variable                                          */
};

/* Allocates memory of the current context. The bytes of device memory begin as zeros and count as
 * uninitialised. `kind`: WSIMRT_DEVICE, WSIMRT_MANAGED or WSIMRT_HOST. `flags` is kept for
 * wsimrt_memory_of. Errors: WSIMRT_INVALID_VALUE (0 bytes), WSIMRT_OUT_OF_MEMORY. */
WSIMRT_API int wsimrt_memory_alloc(uint64_t bytes, enum wsimrt_memory kind, unsigned flags,
                                   uint64_t *address);

/* Frees what wsimrt_memory_alloc gave, after all work of the context. `host`: 1 frees memory of
 * kind WSIMRT_HOST, 0 the other kinds. Errors: WSIMRT_INVALID_VALUE (no memory begins there). */
WSIMRT_API int wsimrt_memory_free(uint64_t address, int host);

/* Makes memory of the caller known to devices. */
WSIMRT_API int wsimrt_memory_register(void *bytes, uint64_t size, unsigned flags);
WSIMRT_API int wsimrt_memory_unregister(void *bytes);

WSIMRT_API int wsimrt_memory_info(uint64_t *free_bytes, uint64_t *total);

/* Pools: memory in the order of streams. The memory is there at once; a free waits for the earlier
 * work of its stream. */
struct wsimrt_pool;
struct wsimrt_stream;

/* A place of memory: a device, or the host. The numbers are those of CUmemLocationType. */
struct wsimrt_location {
    int type, id;
};
enum { WSIMRT_AT_DEVICE = 1, WSIMRT_AT_HOST, WSIMRT_AT_NODE, WSIMRT_AT_NODE_NOW };

/* The memory of a pool; types are those of CUmemAllocationType. Pinned memory of the host is far
 * from devices until they have access, and managed memory is near everywhere. */
struct wsimrt_pool_kind {
    int type;
    struct wsimrt_location location;
};
enum { WSIMRT_PINNED = 1, WSIMRT_MANAGED_TYPE };

/* `most`: bytes that it may have; 0: all. `shareable`: other processes open it. A file of the
 * system names it, and 64 bytes name its memory. In the process that opened it, the pool makes no
 * memory. Errors: WSIMRT_INVALID_VALUE, WSIMRT_INVALID_DEVICE, WSIMRT_NOT_SUPPORTED. */
WSIMRT_API int wsimrt_pool_make(const struct wsimrt_pool_kind *kind, uint64_t most, int shareable,
                                struct wsimrt_pool **pool);
WSIMRT_API int wsimrt_pool_destroy(struct wsimrt_pool *pool);

/* The pool that a place begins with (of_now: 0), or the one that it uses (1). */
WSIMRT_API int wsimrt_pool_of(const struct wsimrt_pool_kind *kind, int of_now,
                              struct wsimrt_pool **pool);
WSIMRT_API int wsimrt_pool_use(const struct wsimrt_pool_kind *kind, struct wsimrt_pool *pool);

/* A place has this access to memory: 0 none, 1 to read, 3 to write too. */
struct wsimrt_access {
    struct wsimrt_location location;
    int access;
};
WSIMRT_API int wsimrt_pool_access(struct wsimrt_pool *pool, const struct wsimrt_access *list,
                                  size_t n);
WSIMRT_API int wsimrt_pool_access_of(struct wsimrt_pool *pool,
                                     const struct wsimrt_location *location, int *access);

/* Attributes by their numbers in CUmemPool_attribute: 1 to 3 are an int, 4 to 8 a number of bytes.
 */
WSIMRT_API int wsimrt_pool_get(struct wsimrt_pool *pool, int attribute, void *value);
WSIMRT_API int wsimrt_pool_set(struct wsimrt_pool *pool, int attribute, const void *value);
WSIMRT_API int wsimrt_pool_trim(struct wsimrt_pool *pool, uint64_t keep);
WSIMRT_API int wsimrt_pool_export(struct wsimrt_pool *pool, int *file);
WSIMRT_API int wsimrt_pool_import(int file, struct wsimrt_pool **pool);
WSIMRT_API int wsimrt_pool_export_memory(uint64_t address, unsigned char handle[64]);
WSIMRT_API int wsimrt_pool_import_memory(struct wsimrt_pool *pool, const unsigned char handle[64],
                                         uint64_t *address);

/* A `pool` of NULL is the one that the device uses. */
WSIMRT_API int wsimrt_pool_alloc(struct wsimrt_pool *pool, uint64_t bytes,
                                 struct wsimrt_stream *stream, uint64_t *address);
WSIMRT_API int wsimrt_memory_free_later(uint64_t address, struct wsimrt_stream *stream);

/* The memory that an address lies in. */
struct wsimrt_range {
    uint64_t base, bytes;
    enum wsimrt_memory kind;
    unsigned flags;
    int device;
    struct wsimrt_context *context;
    uint64_t id;
    struct wsimrt_pool *pool; /* that it is from; NULL: of none                                   */
    uint8_t freed; /* memory was here and was freed; the rest is what it was                 */
    uint8_t away;  /* no device has access                                                   */
    uint8_t far;   /* the current device has none                                            */
    uint8_t sync;  /* copies and fills of it are synchronous                                 */
    /* Mapped memory has reserved addresses, and the access of the current device and
     * of the host (1 reads, 3 writes). Otherwise 0. */
    uint8_t mapped, access, host;
    uint64_t reserved, reserved_bytes;
};
/* Errors: WSIMRT_INVALID_VALUE (an address of no memory that the runtime knows). */
WSIMRT_API int wsimrt_memory_of(uint64_t address, struct wsimrt_range *range);

/* Makes copies and fills of memory synchronous, or not: it is only kept. */
WSIMRT_API int wsimrt_memory_set_sync(uint64_t address, int sync);

/* Advice about managed memory, by its number in CUmem_advise, and where it was wanted last: they
 * are only kept. wsimrt_memory_advice answers an attribute by its number in CUmem_range_attribute.
 */
WSIMRT_API int wsimrt_memory_advise(uint64_t address, uint64_t bytes, int advice,
                                    struct wsimrt_location location);
WSIMRT_API int wsimrt_memory_prefetch(uint64_t address, uint64_t bytes,
                                      struct wsimrt_location location,
                                      struct wsimrt_stream *stream);
WSIMRT_API int wsimrt_memory_advice(void *out, size_t size, int attribute, uint64_t address,
                                    uint64_t bytes);

/* --- streams --- */

struct wsimrt_stream;

/* Streams without a handle. NULL is WSIMRT_LEGACY. */
#define WSIMRT_LEGACY ((struct wsimrt_stream *)1)
#define WSIMRT_PER_THREAD ((struct wsimrt_stream *)2)

/* With 1, a stream of NULL is WSIMRT_PER_THREAD in the following calls of this thread; 0 undoes it.
 */
WSIMRT_API void wsimrt_null_stream(int per_thread);

/* Bits of flags. */
#define WSIMRT_STREAM_NON_BLOCKING 1u

WSIMRT_API int wsimrt_stream_make(unsigned flags, int priority, struct wsimrt_stream **stream);
/* Queued work still runs. */
WSIMRT_API int wsimrt_stream_destroy(struct wsimrt_stream *stream);
WSIMRT_API int wsimrt_stream_sync(struct wsimrt_stream *stream);
/* WSIMRT_OK: all its work is done; WSIMRT_NOT_READY. */
WSIMRT_API int wsimrt_stream_query(struct wsimrt_stream *stream);
struct wsimrt_stream_info {
    unsigned flags;
    int priority;
    uint64_t id;
    int device;
    struct wsimrt_context *context;
};
WSIMRT_API int wsimrt_stream_info(struct wsimrt_stream *stream, struct wsimrt_stream_info *info);
/* The error of a call that captures forbid now; 0: there is none. */
WSIMRT_API int wsimrt_capture_refuses(void);

/* WSIMRT_NOT_PERMITTED in a function that runs for a stream. */
WSIMRT_API int wsimrt_permitted(void);
/* The error of a call while its stream, or one that this waits for, is captured; 0: there is none.
 * `ends`: 0 if a captured stream may go on, 1 if the call makes its capture invalid. */
WSIMRT_API int wsimrt_stream_asked(struct wsimrt_stream *stream, int ends);

/* An attribute of a stream, by its number in CUlaunchAttributeID. `value` has 64 bytes, of which
 * each attribute has a few: preferences of memory and waiting, and the priority. */
WSIMRT_API int wsimrt_stream_get(struct wsimrt_stream *stream, int attribute, void *value);
WSIMRT_API int wsimrt_stream_set(struct wsimrt_stream *stream, int attribute, const void *value);
WSIMRT_API int wsimrt_stream_copy(struct wsimrt_stream *to, struct wsimrt_stream *from);

/* The least and the greatest priority: 0 and -5. */
#define WSIMRT_PRIORITY_LEAST 0
#define WSIMRT_PRIORITY_GREATEST (-5)

/* Runs `function(data)` on a thread of the runtime after the earlier work of the stream. */
WSIMRT_API int wsimrt_stream_call(struct wsimrt_stream *stream, void (*function)(void *data),
                                  void *data);

/* A function that also learns the stream and the error of the context (cuStreamAddCallback). If the
 * context has a sticky error, it runs when the process exits, as on an H200. */
WSIMRT_API int wsimrt_stream_callback(struct wsimrt_stream *stream,
                                      void (*function)(struct wsimrt_stream *stream, int error,
                                                       void *data),
                                      void *data);

/* CUstreamBatchMemOpParams: waits until a value compares with that at an address, or writes it.
 * Flags of a wait: 0 greater or equal (cyclic), 1 equal, 2 and, 3 nor. */
enum wsimrt_op_kind {
    WSIMRT_OP_WAIT_32 = 1,
    WSIMRT_OP_WRITE_32,
    WSIMRT_OP_FLUSH,
    WSIMRT_OP_WAIT_64,
    WSIMRT_OP_WRITE_64,
    WSIMRT_OP_BARRIER
};
struct wsimrt_op {
    uint32_t what; /* enum wsimrt_op_kind */
    uint64_t address, value;
    uint32_t flags;
    uint64_t alias, unused;
};
WSIMRT_API int wsimrt_stream_ops(struct wsimrt_stream *stream, unsigned n,
                                 const struct wsimrt_op *ops, unsigned flags);

/* --- events --- */

struct wsimrt_event;
#define WSIMRT_EVENT_NO_TIMING 2u
#define WSIMRT_EVENT_SHARED 4u /* other processes may open it */

WSIMRT_API int wsimrt_event_make(unsigned flags, struct wsimrt_event **event);
/* The flags of an event. */
WSIMRT_API int wsimrt_event_flags(struct wsimrt_event *event, unsigned *flags);
WSIMRT_API int wsimrt_event_destroy(struct wsimrt_event *event);
WSIMRT_API int wsimrt_event_record(struct wsimrt_event *event, struct wsimrt_stream *stream);
WSIMRT_API int wsimrt_event_sync(struct wsimrt_event *event);
WSIMRT_API int wsimrt_event_query(struct wsimrt_event *event);
WSIMRT_API int wsimrt_event_elapsed(float *milliseconds, struct wsimrt_event *from,
                                    struct wsimrt_event *to);
/* Later work of `stream` waits for the work that the last record of `event` captured. */
WSIMRT_API int wsimrt_event_wait(struct wsimrt_stream *stream, struct wsimrt_event *event);

/* A node of a graph that a stream captures, which records an event or waits for it at each launch.
 */
WSIMRT_API int wsimrt_event_external(struct wsimrt_event *event, struct wsimrt_stream *stream,
                                     int record);

/* --- addresses and memory apart --- */

struct wsimrt_physical;
#define WSIMRT_GRANULARITY (UINT64_C(2) << 20)

/* Sizes and addresses are multiples of WSIMRT_GRANULARITY; else the error is WSIMRT_INVALID_VALUE.
 */
WSIMRT_API int wsimrt_virtual_reserve(uint64_t bytes, uint64_t align, uint64_t wanted,
                                      uint64_t *address);
WSIMRT_API int wsimrt_virtual_free(uint64_t address, uint64_t bytes);
/* In the place of a device: the node of the host, or any place. */
enum { WSIMRT_NODE = -1, WSIMRT_ANY = -2 };
enum wsimrt_physical_flag {
    WSIMRT_PHYSICAL_FILE = 1,      /* other processes can open it */
    WSIMRT_PHYSICAL_COMPRESSED = 2 /* asked for; here it changes nothing */
};
WSIMRT_API int wsimrt_physical_make(uint64_t bytes, int device, unsigned flags,
                                    struct wsimrt_physical **memory);
WSIMRT_API int wsimrt_physical_release(struct wsimrt_physical *memory);
/* The memory that is mapped at an address, with one more use. */
WSIMRT_API int wsimrt_physical_of(uint64_t address, struct wsimrt_physical **memory);
WSIMRT_API int wsimrt_physical_info(struct wsimrt_physical *memory, int *device, unsigned *flags);
/* Files of the system that stand for shareable memory. */
WSIMRT_API int wsimrt_physical_export(struct wsimrt_physical *memory, int *file);
WSIMRT_API int wsimrt_physical_import(int file, struct wsimrt_physical **memory);

/* Devices may use mapped memory when they have access: 1 to read, 3 to write too. */
WSIMRT_API int wsimrt_virtual_map(uint64_t address, uint64_t bytes, uint64_t offset,
                                  struct wsimrt_physical *memory);
WSIMRT_API int wsimrt_virtual_unmap(uint64_t address, uint64_t bytes);
WSIMRT_API int wsimrt_virtual_access(uint64_t address, uint64_t bytes, int device, unsigned access);
WSIMRT_API int wsimrt_virtual_access_of(uint64_t address, int device, unsigned *access);

/* --- other processes --- */

/* A handle of 64 bytes for memory of kind WSIMRT_DEVICE. Other processes of the user open it.
 * Errors: WSIMRT_INVALID_VALUE, WSIMRT_OUT_OF_MEMORY. In the process itself, _open gives
 * WSIMRT_INVALID_CONTEXT. */
WSIMRT_API int wsimrt_ipc_memory(uint64_t address, unsigned char handle[64]);
WSIMRT_API int wsimrt_ipc_open(const unsigned char handle[64], uint64_t *address);
WSIMRT_API int wsimrt_ipc_close(uint64_t address);

/* The same for an event with WSIMRT_EVENT_SHARED. */
WSIMRT_API int wsimrt_ipc_event(struct wsimrt_event *event, unsigned char handle[64]);
WSIMRT_API int wsimrt_ipc_open_event(const unsigned char handle[64], struct wsimrt_event **event);

/* --- work in a stream --- */

/* A box of bytes: `width` bytes in `height` rows in `depth` slices. A row begins `pitch` bytes
 * after the last one, a slice `slice` bytes after the last one. A height or depth of 0 counts as 1.
 */
struct wsimrt_place {
    uint64_t address, pitch, slice;
};
struct wsimrt_copy {
    struct wsimrt_place to, from;
    uint64_t width, height, depth;
};
struct wsimrt_fill {
    struct wsimrt_place to;
    uint64_t width, height, depth; /* width in bytes, a multiple of `size`                  */
    uint32_t value;
    uint32_t size; /* bytes of the value: 1, 2 or 4                                         */
};

/* Copies between any two places of the process. Device memory is where its address lies, so no
 * direction is needed. `wait`: 1 returns after the copy. Errors: WSIMRT_INVALID_VALUE (a byte is in
 * no memory of the process, or not inside one allocation). */
WSIMRT_API int wsimrt_copy(const struct wsimrt_copy *copy, struct wsimrt_stream *stream, int wait);
WSIMRT_API int wsimrt_fill(const struct wsimrt_fill *fill, struct wsimrt_stream *stream, int wait);

/* Many copies of bytes, prefetches or discards. Lists of addresses are arrays of pointers. A number
 * of `first` is that of the first item which the attributes or the location are for. The numbers of
 * the attributes are those of CUmemcpyAttributes. */
struct wsimrt_copy_attributes {
    int order;
    struct wsimrt_location from, to; /* hints, without effect */
    unsigned flags;
};
WSIMRT_API int wsimrt_batch_copy(const void *to, const void *from, const size_t *sizes, size_t n,
                                 const struct wsimrt_copy_attributes *attributes,
                                 const size_t *first, size_t n_attributes,
                                 struct wsimrt_stream *stream);
WSIMRT_API int wsimrt_batch_prefetch(const void *addresses, const size_t *sizes, size_t n,
                                     const struct wsimrt_location *locations, const size_t *first,
                                     size_t n_locations, unsigned long long flags,
                                     struct wsimrt_stream *stream);
WSIMRT_API int wsimrt_batch_discard(const void *addresses, const size_t *sizes, size_t n,
                                    unsigned long long flags, struct wsimrt_stream *stream);
/* Whether a box of a batch may have an order and a stream. */
WSIMRT_API int wsimrt_batch_check(int order, struct wsimrt_stream *stream);

struct wsimrt_launch {
    struct wsimrt_function *function;
    uint32_t grid[3], block[3];
    uint32_t cluster[3];   /* all 0: as the kernel declares                                    */
    uint32_t preferred[3]; /* a larger cluster, where there is room; wsim has none         */
    uint64_t shared;       /* dynamic bytes                                                    */
    struct wsimrt_stream *stream;
    struct wsimrt_context *context; /* of a node of a graph; NULL: that of the stream         */
    void **params;      /* the address of each parameter, or NULL and ...                    */
    const void *packed; /* ... all of them, at their offsets                                 */
    size_t packed_bytes;
    uint8_t cooperative;
    uint8_t dependent; /* it may begin before the kernel before it in the stream ends          */
    int wrong;         /* the error of its attributes, after those of its sizes; 0: none       */
};

/* Whether a launch takes this value of 64 bytes for an attribute, by its number in
 * CUlaunchAttributeID. */
WSIMRT_API int wsimrt_launch_attribute(int number, const void *value);

/* Checks a launch as a GPU does, and puts it into its stream. Errors: WSIMRT_INVALID_VALUE (sizes,
 * parameters), WSIMRT_LAUNCH_OUT_OF_RESOURCES, WSIMRT_COOPERATIVE_LAUNCH_TOO_LARGE,
 * WSIMRT_INVALID_CLUSTER_SIZE, WSIMRT_NOT_SUPPORTED (the kernel has an instruction that wsim does
 * not model; stderr names it). */
WSIMRT_API int wsimrt_launch(const struct wsimrt_launch *launch);

/* --- the log of errors --- */

/* A function that hears messages; the log has none. _end: the number of the next message. A dump
 * writes those from a number on: a file is made, and memory gets an empty text. Errors:
 * WSIMRT_INVALID_VALUE. */
struct wsimrt_log_call;
WSIMRT_API int wsimrt_log_call(void (*function)(void *data, int level, char *message,
                                                size_t length),
                               void *data, struct wsimrt_log_call **call);
WSIMRT_API int wsimrt_log_uncall(struct wsimrt_log_call *call);
WSIMRT_API int wsimrt_log_end(unsigned *iterator, unsigned flags);
WSIMRT_API int wsimrt_log_file(const char *path, unsigned flags);
WSIMRT_API int wsimrt_log_memory(char *buffer, size_t *size, unsigned flags);

/* --- tensor maps --- */

struct wsim_tensor;     /* <wsim/tensor.h> */
struct wsim_tensor_map; /* 128 bytes, as CUtensorMap */

/* Makes a map, and reads one. Errors: WSIMRT_INVALID_VALUE (what the driver refuses too). */
WSIMRT_API int wsimrt_tensor_encode(const struct wsim_tensor *tensor, struct wsim_tensor_map *map);
WSIMRT_API int wsimrt_tensor_decode(const struct wsim_tensor_map *map, struct wsim_tensor *tensor);

#ifdef __cplusplus
}
#endif
#endif
