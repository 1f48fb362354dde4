/* kernel.h - whole PTX kernels: modules, devices, launches and their reports.
 *
 *     struct wsim_module *module;
 *     struct wsim_device *device;
 *     wsim_module_load(ptx, strlen(ptx), 0, &module, &diag);
 *     wsim_device_make(wsim_arch_find("sm_90a"), &device, &diag);
 *     wsim_device_alloc(device, "in", 4096, 0, &in, &diag);    // `in` is an address of the device
 *     struct wsim_launch launch = {.name = "scale", .grid = {4}, .block = {256},
 *                                  .params = params, .param_bytes = sizeof params};
 *     wsim_launch_run(device, module, &launch, &report, &diag);
 *
 * Objects are opaque and own what they allocate. Threads may share a module; a device, and all
 * devices that share its address space, belong to one thread at a time. The library prints nothing:
 * the output of a kernel is text of the report. Strings live as long as the object that gave them.
 */
#ifndef WSIM_KERNEL_H
#define WSIM_KERNEL_H

#include "isa.h"
#include "memory.h"
#include "tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wsim_module; /* decoded PTX                                                           */
struct wsim_device; /* global memory and the variables of modules                            */
struct wsim_report; /* findings, output and costs of one launch                              */
struct wsim_look;   /* callbacks at instructions (look.h)                                     */

/* --- modules --- */

#define WSIM_MODULE_NO_CONTRACT 1u /* keep mul and add apart, which the assembler fuses     */
#define WSIM_MODULE_LENIENT 2u     /* accept rcp.approx.f64 and the like, which ptxas refuses   */
#define WSIM_MODULE_PLAIN 4u       /* execute lane by lane, in integers: the reference; slow    */
#define WSIM_MODULE_DIAGNOSE 8u    /* make a module of problems alone from a text that is not PTX */
#define WSIM_MODULE_AS_WRITTEN 16u /* count accesses of shared memory as the PTX has them   */
#define WSIM_MODULE_ONE_BY_ONE                                                                     \
    32u /* execute each operation of a loop by itself: slower, and equal */

/* ptxas optimises no module whose .target has `debug` (nvcc -G writes it). Such a module is as with
 * WSIM_MODULE_NO_CONTRACT and WSIM_MODULE_AS_WRITTEN. Without WSIM_MODULE_NO_CONTRACT, div.approx
 * and div.full are fused with a sum too, and a divisor that is a number becomes its reciprocal.
 * Source: machine code of CUDA 13.0. */

/* Reads and decodes PTX: `size` bytes of text, which a NUL may end earlier, or a fat binary
 * (fatbin.h). A text may hold several modules, each with its own .version. The text is not kept,
 * and nothing changes a module later. Errors: WSIM_OPERAND (unknown flags), WSIM_SYNTAX,
 * WSIM_ILLEGAL, WSIM_OPERAND (not PTX; the diag has line and column), WSIM_NO_MEMORY. *module is
 * NULL then, except for a text that is not PTX with WSIM_MODULE_DIAGNOSE. Unmodelled
 * instructions, and those with words that no row has, are no error: wsim_module_problem lists them,
 * and a kernel that holds one cannot be launched. */
WSIM_API enum wsim_status wsim_module_load(const char *text, size_t size, uint32_t flags,
                                           struct wsim_module **module, struct wsim_diag *diag);

/* A ld or st of shared memory in machine code, and the PTX instruction that it comes from. */
struct wsim_machine_access {
    uint32_t kernel;    /* number in wsim_machine.kernels                                      */
    uint32_t line, col; /* of the instruction in the PTX, its guard included, from 1           */
    uint8_t bytes;      /* of a lane                                                           */
};

struct wsim_machine_kernel {
    const char *name;
    uint32_t registers; /* of a thread; 0: unknown                                             */
    uint32_t stack, spill_stores, spill_loads; /* bytes of a thread                            */
};

/* The machine code of a text: its accesses of shared memory, in ascending order of kernel, line and
 * col. wsim/harness/assembler.h reads it from the listing of a disassembler. */
struct wsim_machine {
    const struct wsim_machine_kernel *kernels;
    size_t nkernels;
    const struct wsim_machine_access *accesses;
    size_t naccesses;
};

/* A text, and the file name that messages give for its lines (may be NULL). `machine` (may be NULL)
 * is its machine code. Accesses of shared memory count as the machine code has them, and not as the
 * rule of lab/merge predicts. The call reads it only for a single text, and not with
 * WSIM_MODULE_AS_WRITTEN. */
struct wsim_text {
    const char *name;
    const char *bytes;
    size_t size;
    const struct wsim_machine *machine;
};

/* Links `n` texts (1 to 65,536), such as those of `nvcc -rdc=true -ptx`, into one program. An
 * .extern name of one text refers to the .visible, .weak or .common definition in another. The
 * modules of a single text or fat binary are linked only if one declares .extern what another one
 * defines. Like the linker of CUDA, the call refuses two strong definitions of a name
 * (WSIM_ILLEGAL). It refuses declarations that differ in state space, size or parameters, or that
 * ask for a larger alignment; types of one size are equal. An undefined name is no error: kernels
 * that use it cannot be launched (wsim_module_problem). Errors: those of wsim_module_load for each
 * text in turn, then for the whole program. *wrong (may be NULL) is the number of the text that
 * line and column refer to. */
WSIM_API enum wsim_status wsim_module_link(const struct wsim_text *texts, size_t n, uint32_t flags,
                                           struct wsim_module **module, size_t *wrong,
                                           struct wsim_diag *diag);

/* Frees a module, which may be NULL. Devices on which it ran keep its variables until they are
 * freed themselves. */
WSIM_API void wsim_module_free(struct wsim_module *module);

struct wsim_module_info {
    uint16_t version;   /* of PTX, times 10                                               */
    const char *target; /* "sm_90a"                                                       */
    size_t kernels, problems, variables;
    size_t lines, instructions;
};
WSIM_API void wsim_module_describe(const struct wsim_module *module, struct wsim_module_info *info);

/* Problem number `index` in file order, an unmodelled instruction or a mistake: 1 and *problem, or
 * 0 past the last. 1,000 different mistakes of a text are listed, and 1,000 unmodelled things; one
 * problem with the rule ptx.more.wrong, or ptx.more.unmodelled, counts the others. */
struct wsim_problem {
    enum wsim_status status;
    const char *rule, *text; /* one sentence                                                 */
    const char *kernel;      /* function that it is in, or NULL                              */
    uint32_t line, col;      /* of the first                                                 */
    uint32_t count;          /* how often                                                    */
    const char *file; /* name of the text; NULL: it has none, or there is only one           */
};
WSIM_API int wsim_module_problem(const struct wsim_module *module, size_t index,
                                 struct wsim_problem *problem);

/* A kernel of a module: a handle, good until the module is freed. */
struct wsim_kernel;

/* Kernel number `index` in file order; NULL past the last. */
WSIM_API const struct wsim_kernel *wsim_module_kernel(const struct wsim_module *module,
                                                      size_t index);

/* The kernel called `name`, or with a `name` of NULL the only one; NULL: there is none. */
WSIM_API const struct wsim_kernel *wsim_module_find(const struct wsim_module *module,
                                                    const char *name);

struct wsim_kernel_info {
    const char *name;
    size_t params;
    uint32_t param_bytes;
    uint32_t instructions, registers;
    uint32_t shared, local, constant; /* static bytes                                        */
    uint8_t dynamic_shared;           /* it has an extern array in shared memory             */
    uint32_t reqntid[3], maxntid[3], cluster[3]; /* zeros: not written                       */
    uint32_t problems;     /* things in it, and in what it calls, that are not modelled    */
    uint32_t contractible; /* pairs of mul and add that the assembler may fuse             */
    uint32_t line;
    const char *file;               /* as of a problem                                        */
    uint32_t maxnreg, minnctapersm; /* .maxnreg, .minnctapersm; 0: not written                */
    uint32_t maxclusterrank;        /* .maxclusterrank; 0: not written                        */
    uint8_t assembled; /* 1: counts of shared memory follow machine code (wsim_text.machine)     */
    uint8_t blocksareclusters; /* 1: the grid of a launch counts clusters                    */
    uint64_t address; /* what a kernel of its module reads as the address of this one           */
    /* of a thread in machine code, an estimate by the values that live at once. For 8 of 9 kernels
     * it and ptxas 13.0 round to multiples of 8 that differ by at most 8. Bounds are not applied.
     */
    uint32_t machine_registers;
};
WSIM_API void wsim_kernel_describe(const struct wsim_kernel *kernel, struct wsim_kernel_info *info);

/* A plain ld.shared or st.shared that is another access in machine code: joined with neighbours, or
 * left out because nothing needs it. */
struct wsim_merged {
    uint32_t line;        /* of the PTX                                                        */
    uint32_t head;        /* line of an access that it is part of; 0: of none, it is left out  */
    uint32_t n;           /* accesses that machine code has here                               */
    uint32_t bytes[4];    /* of each of them, a lane                                           */
    int32_t from[4];      /* their first byte, from the address of the instruction             */
    const char *function; /* that it is in                                                     */
};

/* Access number `index` of a kernel and what it calls that machine code changes: 1 and *merged, or
 * 0 past the last. None with WSIM_MODULE_AS_WRITTEN. Source: machine code of ptxas 13.0 and 13.5
 * (lab/merge). */
WSIM_API int wsim_kernel_merged(const struct wsim_kernel *kernel, size_t index,
                                struct wsim_merged *merged);

struct wsim_kernel_param {
    const char *name, *type; /* "u64", "b8" of an array                                      */
    uint32_t bytes, align, offset;
    uint8_t pointer; /* .ptr was written                                             */
};

/* Parameter number `index` of a kernel: 1 and *param, or 0 past the last one or if `kernel` is
 * NULL. */
WSIM_API int wsim_kernel_param_at(const struct wsim_kernel *kernel, size_t index,
                                  struct wsim_kernel_param *param);

/* --- devices --- */

/* Errors: WSIM_ILLEGAL (no architecture), WSIM_NO_MEMORY; *device is NULL then. */
WSIM_API enum wsim_status wsim_device_make(const struct wsim_arch *arch,
                                           struct wsim_device **device, struct wsim_diag *diag);

/* Makes a device that shares the address space of `peer` and of every device that shares it
 * already. Kernels of each device access the buffers of all, and the functions below take addresses
 * of all. Without that, an address of another device is out of bounds (rule memory.bounds). Devices
 * that share an address space count as one object: one thread of the host at a time. Errors: as
 * wsim_device_make. */
WSIM_API enum wsim_status wsim_device_make_peer(struct wsim_device *peer,
                                                const struct wsim_arch *arch,
                                                struct wsim_device **device,
                                                struct wsim_diag *diag);

/* Frees a device, its buffers and variables; devices that share its address space keep theirs. May
 * be NULL. */
WSIM_API void wsim_device_free(struct wsim_device *device);

/* Makes an uninitialised buffer of `bytes`, aligned to `align` (0: 256; a power of two), with guard
 * space around it. Findings call it `name`, which is copied and may be NULL. *address is that of
 * the host. Errors: WSIM_OPERAND (the alignment), WSIM_NO_MEMORY. */
WSIM_API enum wsim_status wsim_device_alloc(struct wsim_device *device, const char *name,
                                            uint64_t bytes, uint32_t align, uint64_t *address,
                                            struct wsim_diag *diag);

/* Closes the buffer that begins at `address` to kernels of `device` (1), or opens it again (0). At
 * first each buffer is open to all devices that share its addresses. An access of a kernel to a
 * closed buffer is a finding (memory.peer) and ends the launch. The other functions here, which
 * stand for the host, access it as before. Errors: WSIM_OPERAND (no buffer begins there),
 * WSIM_UNMODELLED (64 devices that share the addresses are older than `device`). */
WSIM_API enum wsim_status wsim_device_close(struct wsim_device *device, uint64_t address,
                                            int closed, struct wsim_diag *diag);

/* Frees the buffer that begins at `address`. Errors: WSIM_OPERAND (no buffer does). */
WSIM_API enum wsim_status wsim_device_release(struct wsim_device *device, uint64_t address,
                                              struct wsim_diag *diag);

/* Makes a buffer of memory that the caller owns and keeps: all its bytes count as initialised. With
 * a `size` of UINT64_MAX, kernels may access all memory of the process. Accesses outside of buffers
 * are unchecked then, so a kernel can overwrite anything. Errors: WSIM_NO_MEMORY. */
WSIM_API enum wsim_status wsim_device_adopt(struct wsim_device *device, const char *name,
                                            void *bytes, uint64_t size, struct wsim_diag *diag);

/* Makes a buffer of memory that the caller owns and keeps, and that changes only through kernels
 * and these functions. Its bytes count as uninitialised. Errors: WSIM_NO_MEMORY. */
WSIM_API enum wsim_status wsim_device_place(struct wsim_device *device, const char *name,
                                            void *bytes, uint64_t size, struct wsim_diag *diag);

/* Makes a buffer of the caller's memory at an address of the caller's choice, which need not be a
 * pointer of the host. The bytes of `address` are at `bytes`. `fresh`: they count as uninitialised.
 * Errors: WSIM_NO_MEMORY. */
WSIM_API enum wsim_status wsim_device_place_at(struct wsim_device *device, const char *name,
                                               uint64_t address, void *bytes, uint64_t size,
                                               int fresh, struct wsim_diag *diag);

/* Names memory of the caller that a GPU would have in pages of WSIM_PAGE_BYTES. It begins at
 * `base`. One call serves a device and all that share its addresses; later calls change nothing. At
 * first no page is mapped. An access to a mapped page outside of all buffers is a finding
 * (memory.bounds). The kernel goes on with these bytes, as on a GPU. Without WSIM_CHECK_MEMORY
 * there is no finding. An access to other addresses ends the launch. Errors: WSIM_NO_MEMORY.
 * Source: an H200, lab/kernels/pages. */
#define WSIM_PAGE_BYTES (UINT64_C(1) << 21)
WSIM_API enum wsim_status wsim_device_pages(struct wsim_device *device, uint64_t base,
                                            uint64_t bytes, struct wsim_diag *diag);

/* Maps the pages that have a byte of `bytes` at `address`, or unmaps them. Pages begin at `base` of
 * wsim_device_pages and every WSIM_PAGE_BYTES behind it; bytes outside of them are ignored. */
WSIM_API void wsim_device_map_pages(struct wsim_device *device, uint64_t address, uint64_t bytes,
                                    int is_mapped);

/* The bytes of the addresses of wsim_device_pages are at `bytes`, and not at these addresses. */
WSIM_API void wsim_device_pages_at(struct wsim_device *device, void *bytes);

/* Sets the bytes of the heap that malloc of kernels has (WSIM_LIMIT_HEAP without this call). The
 * first launch of a kernel that calls malloc makes the heap. Errors: WSIM_OPERAND (it is made
 * already, or the size is not 16 bytes to 64 GiB). */
WSIM_API enum wsim_status wsim_device_heap(struct wsim_device *device, uint64_t bytes,
                                           struct wsim_diag *diag);

/* Copies bytes from the host to device memory and back. Bytes that are written are initialised. A
 * source that is the place itself, where the host has it, stays as it is and is initialised.
 * Errors: WSIM_BOUNDS (they do not lie in one buffer or variable). */
WSIM_API enum wsim_status wsim_device_write(struct wsim_device *device, uint64_t address,
                                            const void *bytes, uint64_t size,
                                            struct wsim_diag *diag);
WSIM_API enum wsim_status wsim_device_read(struct wsim_device *device, uint64_t address,
                                           void *bytes, uint64_t size, struct wsim_diag *diag);

/* Copies inside device memory. A copy of an uninitialised byte is uninitialised, except in adopted
 * memory and in variables, whose bytes all count as written. No alignment is needed. Errors:
 * WSIM_BOUNDS (either side does not lie in one buffer or variable), WSIM_OPERAND (the two sides
 * share a byte). Nothing is copied then. */
WSIM_API enum wsim_status wsim_device_copy(struct wsim_device *device, uint64_t to, uint64_t from,
                                           uint64_t bytes, struct wsim_diag *diag);

/* Copies `height` rows of `width` bytes, which begin `to_pitch` and `from_pitch` bytes apart. Bytes
 * between rows are neither read nor written, so the two sides may be interleaved. Errors, in this
 * order. WSIM_OPERAND: a pitch is smaller than `width`. WSIM_BOUNDS: the rows of a side do not lie
 * in one buffer or variable. WSIM_OPERAND: the two sides share a byte. An error copies nothing. A
 * call without rows or bytes checks nothing. */
WSIM_API enum wsim_status wsim_device_copy_2d(struct wsim_device *device, uint64_t to,
                                              uint64_t to_pitch, uint64_t from, uint64_t from_pitch,
                                              uint64_t width, uint64_t height,
                                              struct wsim_diag *diag);

/* Fills device memory with the low `size` bytes (1, 2, 4 or 8) of `pattern`, little-endian; the
 * bytes are initialised. `bytes` and `width` are multiples of `size`. Errors, in this order:
 * WSIM_OPERAND (`size`, `bytes` or `width`); WSIM_ALIGN (the address or the pitch is no multiple of
 * `size`); those of wsim_device_copy_2d. An error writes nothing. */
WSIM_API enum wsim_status wsim_device_fill(struct wsim_device *device, uint64_t to,
                                           uint64_t pattern, unsigned size, uint64_t bytes,
                                           struct wsim_diag *diag);
WSIM_API enum wsim_status wsim_device_fill_2d(struct wsim_device *device, uint64_t to,
                                              uint64_t pitch, uint64_t pattern, unsigned size,
                                              uint64_t width, uint64_t height,
                                              struct wsim_diag *diag);

/* The number of initialised bytes from `address` on, up to the first uninitialised one and at most
 * `bytes`. A launch without WSIM_CHECK_INIT makes all bytes of all buffers count as initialised. 0:
 * the bytes do not lie in one buffer or variable. */
WSIM_API uint64_t wsim_device_written(const struct wsim_device *device, uint64_t address,
                                      uint64_t bytes);

/* Limits the bytes that the .global variables of one module may have on this device. The default is
 * 4 GiB. Call it before the variables are made. A larger module fails with WSIM_OPERAND. */
#define WSIM_VARIABLE_BYTES (UINT64_C(1) << 32)
WSIM_API void wsim_device_limit_variables(struct wsim_device *device, uint64_t bytes);

/* The address and size of a .global or .const variable of a module; the address is one of the host
 * and serves wsim_device_write too. The first launch of a module on a device, or this call, gives
 * its variables memory and their initial values. Errors: WSIM_OPERAND (no such variable),
 * WSIM_NO_MEMORY. */
WSIM_API enum wsim_status wsim_device_symbol(struct wsim_device *device, struct wsim_module *module,
                                             const char *name, uint64_t *address, uint64_t *bytes,
                                             struct wsim_diag *diag);

/* The .global variable of a module on this device, but for managed ones, that has the byte at
 * `address`: where it begins, and its bytes. 0: there is none. */
WSIM_API int wsim_device_variable(const struct wsim_device *device, uint64_t address,
                                  uint64_t *base, uint64_t *bytes);

/* Whether a variable of a module has `.attribute(.managed)` (PTX ISA 9.0, section 5.4.8). All
 * devices that share an address space share the memory of such a variable, which lives as long as
 * one of them that uses it. 0: it does not, or there is no such variable. */
WSIM_API int wsim_module_is_managed(const struct wsim_module *module, const char *name);

/* --- launches --- */

/* Asynchronous work completes at once, or only when it is waited for. */
enum wsim_async { WSIM_ASYNC_EAGER, WSIM_ASYNC_LATE };

#define WSIM_CHECK_MEMORY 1u /* out of bounds, misaligned                                    */
#define WSIM_CHECK_INIT 2u   /* reads of uninitialised bytes                                 */
#define WSIM_CHECK_RACE 4u   /* shared and global races, missing fences                      */
#define WSIM_CHECK_SYNC 8u   /* barriers, mbarriers, uncommitted groups, .aligned            */
#define WSIM_CHECK_ALL 15u

struct wsim_touched;

/* The grid of a kernel with .blocksareclusters counts clusters. A block of one thread stands for
 * the block of .reqntid. Source: an H200 (driver 580), lab/calls. */
struct wsim_launch {
    const struct wsim_kernel *kernel; /* NULL: the one called `name`                         */
    const char *name;                 /* NULL: the only kernel of the module                   */
    uint32_t grid[3], block[3]; /* 0 counts as 1                                             */
    uint32_t cluster[3];        /* the same; all 0: as the kernel declares                     */
    uint32_t shared;            /* bytes of dynamic shared memory                              */
    const void *params;         /* their bytes, at the offsets of wsim_kernel_param_at          */
    uint32_t param_bytes;
    uint32_t checks;           /* WSIM_CHECK_...; 0: none                                     */
    uint8_t count;             /* 1: counters per line; 0: none                               */
    uint8_t async;             /* enum wsim_async                                             */
    uint64_t seed;             /* order of warps and blocks; 0: ascending                     */
    uint32_t threads;          /* of the host; 0: as many as it has processors                */
    uint64_t max_instructions; /* stop with a finding after about this many warp instructions;
                                  0: never                                                   */
    uint64_t first, units;     /* a part of the grid: `units` clusters (without clusters: blocks)
                                  from number `first` on; units of 0: the whole grid              */
    /* The calling thread reports progress now and then: units begun, and all. An answer other than
     * 0 ends the launch with the finding launch.stopped. May be NULL. */
    int (*progress)(void *context, uint64_t done, uint64_t all);
    void *context;
    uint8_t cooperative; /* 1: blocks may wait for each other (grid.sync() of cooperative groups);
                            a grid that does not fit on an H200 at once is refused          */
    /* Sees every access of the kernel, as memory.h says. `where` is the line of the instruction and
     * `warp` its number in the block. `lane` is WSIM_NO_LANE where the copy engine or the tensor
     * core accesses. The launch runs on one thread of the host. May be NULL. */
    const struct wsim_watch *watch;
    /* A look at chosen instructions, as look.h says. The launch runs on one thread of the host. May
     * be NULL. */
    const struct wsim_look *look;
    uint8_t touched; /* 1: the report has the bytes of global memory that the launch accesses  */
    /* Bytes that another launch accesses which may still run (programmatic dependent launch), as
     * its report has them. WSIM_CHECK_RACE finds conflicting accesses before griddepcontrol.wait.
     * They are sorted by kind. Kinds + WSIM_TOUCHED_KINDS are those of launches further before,
     * which griddepcontrol.wait does not wait for, as the one between did not (wsim_report_waited).
     * They have to stay until the launch ends. May be NULL. */
    const struct wsim_touched *primary;
    size_t n_primary;
};

/* Answers as wsim_launch_run does before anything runs. `module` may be NULL if launch->kernel is
 * given. */
WSIM_API enum wsim_status wsim_launch_check(struct wsim_device *device, struct wsim_module *module,
                                            const struct wsim_launch *launch,
                                            struct wsim_diag *diag);

/* Runs a launch to its end. A launch that runs anything makes a report, whatever the call returns;
 * the caller frees it. Otherwise *report is NULL. `module` may be NULL if launch->kernel is given.
 * Errors, in this order. WSIM_OPERAND: kernel, sizes, parameters. WSIM_ILLEGAL: the architecture.
 * WSIM_UNMODELLED: the kernel has problems, and nothing runs. WSIM_NO_MEMORY. Then the status of a
 * fatal finding's rule, such as WSIM_BOUNDS, WSIM_ALIGN or WSIM_OPERAND. After a fatal finding,
 * memory is as the launch left it. Findings that do not stop a GPU are no errors. */
WSIM_API enum wsim_status wsim_launch_run(struct wsim_device *device, struct wsim_module *module,
                                          const struct wsim_launch *launch,
                                          struct wsim_report **report, struct wsim_diag *diag);
/* A launch in flight. Several launches of one address space run side by side, so kernels may wait
 * for each other. The launch and its parameters are copied; device, module, contexts and watcher
 * have to stay. While it is in flight, memory may be read, written, allocated and released between
 * steps. Race checks cover neither buffers allocated later nor races between launches. */
struct wsim_flight;

enum wsim_flight_state {
    WSIM_FLIGHT_RUNS,  /* it may go on: step it again                                          */
    WSIM_FLIGHT_WAITS, /* it polls memory, and another launch in flight, or the host in adopted
                          memory, may still write it                                          */
    WSIM_FLIGHT_STUCK, /* every launch in flight polls: only a write of the host or a new launch
                          helps, and wsim_launch_finish reports a deadlock                     */
    WSIM_FLIGHT_DONE   /* it ended, perhaps by a fatal finding                                 */
};

/* Checks a launch and puts it in flight; nothing runs yet. Errors: those of wsim_launch_run before
 * anything runs; *flight is NULL then. */
WSIM_API enum wsim_status wsim_launch_begin(struct wsim_device *device, struct wsim_module *module,
                                            const struct wsim_launch *launch,
                                            struct wsim_flight **flight, struct wsim_diag *diag);

/* Gives a launch one turn: some million instructions on each of its threads of the host, or less if
 * all its blocks only poll. A kernel that reads a clock is never WSIM_FLIGHT_WAITS, because its
 * polling may end by itself. One that runs beside adopted memory is never WSIM_FLIGHT_STUCK. */
WSIM_API enum wsim_flight_state wsim_launch_step(struct wsim_flight *flight);

/* Runs a launch to its end and frees it, with turns for the other launches in flight whenever it
 * cannot go on alone. A launch that is stuck ends with the finding sync.deadlock. Errors and
 * *report: as wsim_launch_run, which is the same as to begin and to finish. */
WSIM_API enum wsim_status wsim_launch_finish(struct wsim_flight *flight,
                                             struct wsim_report **report, struct wsim_diag *diag);

/* Frees a report, which may be NULL. */
WSIM_API void wsim_report_free(struct wsim_report *report);

/* Shared memory accesses of one kind. */
struct wsim_shared_counts {
    uint64_t accesses, wavefronts, ideal, conflicts;
};
struct wsim_totals {
    uint64_t blocks, warps;
    uint64_t instructions; /* executed warp instructions of PTX                          */
    uint64_t thread_instructions;
    struct wsim_shared_counts ld, st, atom; /* as machine code has them: neighbouring plain
                                               accesses of one address are one            */
    struct wsim_shared_counts ld_written, st_written; /* as the PTX has them                    */
    struct wsim_shared_counts
        copy;           /* of cp.async.ca, as the source page of Nsight Compute has them */
    uint64_t uncounted; /* accesses of shared memory whose wavefronts no known rule counts      */
    uint64_t global_requests, global_sectors, global_ideal, global_lines;
    uint64_t findings;   /* occurrences of mistakes, including those not kept; no notes      */
    uint8_t approximate; /* 1: approximate functions ran on another architecture than measured */
    uint8_t contracted;  /* 1: pairs that the assembler may fuse ran unfused                 */
    uint8_t unrolls;     /* 1: a loop accesses shared memory; if the assembler unrolls it, it may
                            join more accesses than `ld` and `st` do. 2: it may join guarded
                            accesses, which these count as written. 3: both                 */
    uint8_t clock;       /* 1: the kernel read %clock, %globaltimer or %smid                 */
    uint8_t order;       /* 1: atomics returned values, which depend on their order          */
    uint64_t notes;      /* as `findings`, of WSIM_SEVERITY_NOTE                             */

    /* Threads of the host that ran the launch. A check, a clash of units and a short launch leave
     * it to 1. */
    uint32_t host_threads;
};
WSIM_API void wsim_report_totals(const struct wsim_report *report, struct wsim_totals *totals);

/* The counts of one instruction of the PTX over the whole launch. */
struct wsim_line {
    uint32_t ptx_line;
    const char *kernel, *opcode;
    const char *file; /* source, NULL: no .loc                                      */
    uint32_t line;
    uint32_t inlined; /* how many places wsim_report_inlined lists                  */
    uint64_t executed, threads;
    struct wsim_shared_counts shared, written; /* as machine code has them, as the PTX has them  */
    uint32_t merged;    /* PTX line of the access that this one is part of; 0: none             */
    uint64_t uncounted; /* accesses of shared memory that `shared` leaves out                   */
    uint64_t requests, sectors, sectors_ideal, lines;
    uint32_t id;          /* for wsim_report_inlined                                    */
    const char *ptx_file; /* of ptx_line: name of the text, NULL: as of a problem               */
    uint8_t outside; /* 1: its results depend on more than memory, parameters and constants, or it
                        changes more: textures, surfaces, tensor maps, nanosleep, and all calls  */
};

/* Executed instruction number `index` in file order: 1 and *line, or 0 past the last. */
WSIM_API int wsim_report_line(const struct wsim_report *report, size_t index,
                              struct wsim_line *line);

/* Where the instruction with `id` of wsim_line or wsim_finding was inlined, innermost place first:
 * 1, or 0 past the last. */
WSIM_API int wsim_report_inlined(const struct wsim_report *report, uint32_t id, size_t index,
                                 const char **file, uint32_t *line, const char **function);

#define WSIM_FINDING_MOST 1024 /* addresses, blocks ... that a finding counts */

enum wsim_severity {
    WSIM_SEVERITY_MISTAKE, /* PTX forbids it, or leaves the result undefined                  */
    WSIM_SEVERITY_NOTE     /* valid on the GPUs that were measured; PTX does not promise it   */
};

/* A finding: all occurrences of a rule at one source line, or for two accesses at one pair of
 * lines. Without .loc, the lines are those of the PTX. Words, block, thread and PTX lines come from
 * the first occurrence in the lowest block. */
struct wsim_finding {
    const char *rule; /* "memory.bounds", "race.shared" ...: names of wsim_rule_next */
    const char *text; /* one sentence with the values                               */
    const char *kernel;
    uint32_t block[3], thread[3];
    uint32_t ptx_line;
    const char *file;
    uint32_t line;
    uint32_t other_ptx_line; /* the other side of a race; 0: none                          */
    const char *other_file;
    uint32_t other_line;
    uint64_t count;
    uint8_t fatal;  /* the launch ends here                                           */
    uint8_t advice; /* 1: WSIM_SEVERITY_NOTE                                      */
    const char *ptx_file, *other_ptx_file; /* as of a line                              */
    uint8_t severity;                      /* enum wsim_severity                        */
    uint32_t cause; /* 1 + index of the finding that explains this one, or that is the same mistake
                     * at another line; 0: none                                       */
    /* How many differ among the occurrences, at most WSIM_FINDING_MOST. */
    uint32_t addresses, registers, blocks, warps, ptx_lines;
    uint32_t id, other_id; /* for wsim_report_inlined, of the two lines                 */
};

/* Finding number `index`: 1 and *finding, or 0 past the last. A cause comes before the findings
 * that it explains, which follow it; other notes come last. */
WSIM_API int wsim_report_finding(const struct wsim_report *report, size_t index,
                                 struct wsim_finding *finding);

enum wsim_touched_kind {
    WSIM_TOUCHED_READ,    /* by weak loads and copies                                         */
    WSIM_TOUCHED_WRITTEN, /* by weak stores and copies                                        */
    WSIM_TOUCHED_STRONG,  /* volatile, atomic, or with an order other than .weak              */
    WSIM_TOUCHED_UPDATED, /* of those of STRONG, the ones that atomics and stores access      */
    WSIM_TOUCHED_KINDS
};

/* Bytes of global memory that a launch accessed. */
struct wsim_touched {
    uint64_t address, bytes;
    uint8_t kind; /* enum wsim_touched_kind                                               */
};

/* Range number `index` of a launch with `touched`: 1 and *touched, or 0 past the last. Ranges are
 * sorted by kind and address, and are as long as possible. Adopted memory is included. */
WSIM_API int wsim_report_touched(const struct wsim_report *report, size_t index,
                                 struct wsim_touched *touched);

/* Whether a launch with `primary` and WSIM_CHECK_RACE has executed griddepcontrol.wait. */
WSIM_API int wsim_report_waited(const struct wsim_report *report);

/* The output of printf and assert: blocks in ascending order, and the text of a block in the order
 * of execution. NUL-terminated. */
WSIM_API const char *wsim_report_output(const struct wsim_report *report, size_t *size);

#ifdef __cplusplus
}
#endif
#endif
