/* launch.h - launch files: JSON that names PTX, buffers, launches and expected results
 * (docs/launch-files.md). Read from memory, run on a device, compared.
 *
 *     struct wsim_launch_files files = wsim_launch_folder("tests/kernels/sgemm");
 *     struct wsim_launch_text text = {json, strlen(json), &files};
 *     struct wsim_launch_options options = {0};
 *     struct wsim_launch_comparison comparison;
 *     struct wsim_launch_file *file;
 *     struct wsim_session *session;
 *     options.checks = WSIM_CHECK_ALL;
 *     wsim_launch_open(&text, 1, &file, NULL, &diag);
 *     wsim_session_make(file, &options, &session, NULL, &diag);
 *     wsim_session_fill(session, &diag);
 *     while (wsim_session_ran(session) < wsim_launch_parts(file)->nlaunches)
 *         wsim_session_run(session, &diag);
 *     wsim_session_compare(session, 0, &comparison, &diag);
 *
 * A launch file is untrusted: everything in it is checked, sizes are limited, and files are read by
 * a function of the caller alone. A diag has the line and column of the text, and its sentence
 * begins with the path: "launches[0].args[2]: ...".
 */
#ifndef WSIM_HARNESS_LAUNCH_H
#define WSIM_HARNESS_LAUNCH_H

#include "../fatbin.h"
#include "npy.h"
#include "../format.h"
#include "../kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Limits of a launch file, in bytes: its text, all buffers together, all PTX, parameters of a
 * kernel. Then the number of launches, and of entries of any other list. */
#define WSIM_LAUNCH_TEXT (1u << 23)
#define WSIM_LAUNCH_BYTES (UINT64_C(1) << 32)
#define WSIM_LAUNCH_PTX (UINT64_C(1) << 28)
#define WSIM_LAUNCH_PARAMS 32764
#define WSIM_LAUNCH_LAUNCHES 65536
#define WSIM_LAUNCH_ENTRIES 4096

/* --- files --- */

/* Reads the files that a launch file names. */
struct wsim_launch_files {
    void *context;
    /* Reads the whole file `name`, decompressed: *bytes and *size. It may stop after most + 1
     * bytes, as more than `most` are refused. The library may change the bytes. Returns WSIM_OK, or
     * an error with a sentence in *diag. */
    enum wsim_status (*open)(void *context, const char *name, uint64_t most, void **bytes,
                             uint64_t *size, struct wsim_diag *diag);
    void (*release)(void *context, void *bytes);
    wsim_unpack *unpack; /* Zstandard in fat binaries; may be NULL                             */
};

/* Plain files below `folder`, through no link (beside.h). The folder has to stay. */
WSIM_API struct wsim_launch_files wsim_launch_folder(const char *folder);

/* --- a launch file --- */

struct wsim_launch_file;

/* A text, and what reads the files that it names. */
struct wsim_launch_text {
    const char *bytes;
    size_t size;
    const struct wsim_launch_files *files; /* copied; its context stays until wsim_launch_close */
};

/* Reads a launch file: its text and all files that it names. Further texts change the first one:
 * "ptx" and "arch" replace, "expect" and "save" add; they have no other fields. The texts are not
 * kept. Errors: WSIM_SYNTAX, those of `open`, WSIM_NO_MEMORY. *wrong (may be NULL) is the number of
 * the text that line and column belong to. */
WSIM_API enum wsim_status wsim_launch_open(const struct wsim_launch_text *texts, size_t n,
                                           struct wsim_launch_file **file, size_t *wrong,
                                           struct wsim_diag *diag);

/* Frees a launch file, which may be NULL. */
WSIM_API void wsim_launch_close(struct wsim_launch_file *file);

/* --- its parts --- */

struct wsim_launch_ptx {
    const char *name;
    const void *bytes; /* text with a NUL after it, or a fat binary                            */
    uint64_t size;
};

struct wsim_launch_buffer {
    const char *name;
    uint64_t bytes;
    uint32_t align;    /* 0: any                                                              */
    int fill;          /* the byte after `given`; -1: uninitialised                           */
    const void *given; /* the bytes of its file                                               */
    uint64_t given_bytes;
};

/* A variable before the first launch. */
struct wsim_launch_symbol {
    const char *name;
    uint64_t bytes;
    int fill;
    const void *given;
    uint64_t given_bytes;
};

/* The place of an address or of a tensor map in an argument. */
struct wsim_launch_patch {
    uint32_t at;
    size_t buffer;
    uint64_t offset;
    uint8_t is_map;
    uint8_t packed;            /* of a map: it has no strides, so those without gaps are taken   */
    struct wsim_tensor tensor; /* of a map: all but its base                                  */
};

struct wsim_launch_arg {
    uint32_t bytes;
    const uint8_t *value;
    const struct wsim_launch_patch *patches;
    size_t npatches;
};

/* Counters of Nsight Compute for shared memory. Instrumented code (smsp__sass_...) counts no waits
 * for other traffic: a launch that expects such a counter is not compared with the others of its
 * kind. But its formula misses some lanes of wide loads that the hardware serves together
 * (lab/sass), so wavefronts of the hardware that are equal count too. ldmatrix is a load, stmatrix
 * a store. */
enum wsim_launch_counter {
    WSIM_LAUNCH_LD_WAVEFRONTS,
    WSIM_LAUNCH_LD_CONFLICTS,
    WSIM_LAUNCH_ST_WAVEFRONTS,
    WSIM_LAUNCH_ST_CONFLICTS,
    WSIM_LAUNCH_ATOM_WAVEFRONTS,
    WSIM_LAUNCH_ATOM_CONFLICTS,
    WSIM_LAUNCH_SASS_LD_WAVEFRONTS,
    WSIM_LAUNCH_SASS_ST_WAVEFRONTS,
    WSIM_LAUNCH_SASS_ATOM_WAVEFRONTS,
    WSIM_LAUNCH_COUNTERS
};

/* The name of a counter: "ld_wavefronts", ... */
WSIM_API const char *wsim_launch_counter_name(enum wsim_launch_counter counter);

/* The value of a counter in the totals of a report. */
WSIM_API uint64_t wsim_launch_counter_of(const struct wsim_totals *totals,
                                         enum wsim_launch_counter counter);

struct wsim_launch_one;
/* Whether the totals of a report differ from an expected counter. */
WSIM_API int wsim_launch_counter_differs(const struct wsim_launch_one *one,
                                         const struct wsim_totals *totals,
                                         enum wsim_launch_counter counter);

struct wsim_launch_one {
    const char *kernel; /* NULL: the only one                                                  */
    uint32_t grid[3], block[3], cluster[3];
    uint32_t shared;
    uint8_t cooperative;
    const struct wsim_launch_arg *args;
    size_t nargs;
    uint8_t counted[WSIM_LAUNCH_COUNTERS]; /* 1: the counter is expected; 2: it is there beside ...
                                            * ... that of instrumented code                    */
    uint64_t counter[WSIM_LAUNCH_COUNTERS];
    uint8_t unsized; /* 1: no block is given. It has the threads of .reqntid, or one thread. */
};

/* How near floats have to be: |got - want| <= abs + rel |want|, or at most `ulp` steps apart. */
struct wsim_launch_limits {
    const struct wsim_format *format; /* NULL: as `array` has them                              */
    uint8_t given;                    /* 1: at least one of the following is given               */
    double abs, rel;
    uint64_t ulp;
    struct wsim_npy array; /* the elements that are expected; `bytes` 0: unknown               */
};

struct wsim_launch_expect {
    const char *name;   /* "out", "symbol:count"                                              */
    const char *symbol; /* the variable; NULL: a buffer                                        */
    size_t buffer;
    const void *bytes;
    uint64_t size;
    struct wsim_launch_limits limits;
};

/* A file to write after the last launch. The caller writes it, and checks whether it may. */
struct wsim_launch_save {
    size_t buffer;
    const char *path;
    uint32_t line, col;
    size_t text;   /* number of the text that names it                                        */
    uint8_t array; /* 1: a .npy file with the following; 0: the bytes                          */
    char kind;     /* as struct wsim_npy has it                                               */
    uint8_t bytes;
    uint8_t rank;
    uint64_t extent[8];
};

struct wsim_launch_parts {
    const struct wsim_launch_ptx *ptx; /* linked to one program */
    size_t nptx;
    const struct wsim_arch *arch; /* NULL: that of the PTX */
    const struct wsim_launch_buffer *buffers;
    size_t nbuffers;
    const struct wsim_launch_symbol *symbols;
    size_t nsymbols;
    const struct wsim_launch_one *launches;
    size_t nlaunches;
    const struct wsim_launch_expect *expects;
    size_t nexpects;
    const struct wsim_launch_save *saves;
    size_t nsaves;
    const char *output_name; /* file of the expected output of the kernels; NULL: none          */
    const void *output;
    uint64_t output_bytes;
};

/* All parts; valid until wsim_launch_close. */
WSIM_API const struct wsim_launch_parts *wsim_launch_parts(const struct wsim_launch_file *file);

/* The parameters of a tensor map as JSON: {"dtype": "FLOAT16", "dims": [64, 64], ...}, with "base"
 * in place of a buffer. *packed is 1 if it has no strides and those without gaps were taken.
 * Errors: WSIM_SYNTAX, those of wsim_tensor_pack, WSIM_NO_MEMORY. */
WSIM_API enum wsim_status wsim_launch_tensor(const char *json, size_t size,
                                             struct wsim_tensor *tensor, int *packed,
                                             struct wsim_diag *diag);

/* --- a run --- */

struct wsim_session;

/* Options of all launches, as struct wsim_launch has them; zeros will do. */
struct wsim_launch_options {
    uint32_t flags;  /* WSIM_MODULE_...                                                       */
    uint32_t checks; /* WSIM_CHECK_...                                                        */
    uint8_t async;   /* enum wsim_async                                                       */
    uint8_t partial; /* 1: a kernel may be named by a part of its name, or as C++ has it       */
    uint64_t seed;
    uint32_t threads;
    uint64_t max_instructions;
    const struct wsim_machine *machine; /* machine code of the only PTX; NULL: none. It stays until
                                           wsim_session_make returns                            */
    uint64_t variables; /* limit of the variables of the module, in bytes; 0: the default       */
    /* Reports progress, as struct wsim_launch does; an answer other than 0 stops the launch. */
    int (*progress)(void *context, size_t launch, uint64_t done, uint64_t all);
    void *context;
    const struct wsim_look *look; /* of all launches, as struct wsim_launch has it; may be NULL */
};

/* Links the PTX, finds the kernels, and compares their parameters with the arguments. The file has
 * to stay until wsim_session_free. Errors: those of wsim_module_link. Then WSIM_OPERAND (a kernel
 * or an argument does not fit), WSIM_ILLEGAL (a launched kernel has an illegal instruction),
 * WSIM_UNMODELLED (it has other problems), WSIM_NO_MEMORY. *ptx (may be NULL) is the file of PTX
 * that line and column belong to; NULL: the launch file. After problems of kernels *session is
 * made all the same, and wsim_session_module has them; after other errors it is NULL. */
WSIM_API enum wsim_status wsim_session_make(const struct wsim_launch_file *file,
                                            const struct wsim_launch_options *options,
                                            struct wsim_session **session, const char **ptx,
                                            struct wsim_diag *diag);

/* Frees a session, which may be NULL. */
WSIM_API void wsim_session_free(struct wsim_session *session);

/* Makes the device, its buffers and variables, and the parameters; again: anew, before the first
 * launch. Errors: WSIM_OPERAND or WSIM_SYNTAX (a variable, an expected file of a variable or a
 * tensor map does not fit), WSIM_NO_MEMORY. A refusal about a further text has no line. */
WSIM_API enum wsim_status wsim_session_fill(struct wsim_session *session, struct wsim_diag *diag);

/* Chooses a part of the grid of a launch, as struct wsim_launch has it; `units` of 0: the whole
 * grid. */
WSIM_API void wsim_session_part(struct wsim_session *session, size_t launch, uint64_t first,
                                uint64_t units);

/* Checks what wsim_session_run would refuse, for all launches. */
WSIM_API enum wsim_status wsim_session_check(const struct wsim_session *session,
                                             struct wsim_diag *diag);

/* Runs the next launch, to its end or to a finding that stops a GPU (wsim_session_stopped). Errors:
 * those of wsim_launch_run without a report. */
WSIM_API enum wsim_status wsim_session_run(struct wsim_session *session, struct wsim_diag *diag);

/* The number of launches that ran. */
WSIM_API size_t wsim_session_ran(const struct wsim_session *session);

/* Whether the last launch stopped before its end. */
WSIM_API int wsim_session_stopped(const struct wsim_session *session);

/* The report of a launch; NULL before it ran. */
WSIM_API const struct wsim_report *wsim_session_report(const struct wsim_session *session,
                                                       size_t launch);

/* The kernel of a launch. */
WSIM_API const struct wsim_kernel *wsim_session_kernel(const struct wsim_session *session,
                                                       size_t launch);

/* A launch with its options and parameters, for callers who run it themselves; after
 * wsim_session_fill. */
WSIM_API void wsim_session_describe(const struct wsim_session *session, size_t launch,
                                    struct wsim_launch *out);

/* The linked PTX. */
WSIM_API struct wsim_module *wsim_session_module(const struct wsim_session *session);

/* The device; NULL before wsim_session_fill. */
WSIM_API struct wsim_device *wsim_session_device(const struct wsim_session *session);

/* The architecture of the device. */
WSIM_API const struct wsim_arch *wsim_session_arch(const struct wsim_session *session);

/* The address of a buffer; after wsim_session_fill. */
WSIM_API uint64_t wsim_session_address(const struct wsim_session *session, size_t buffer);

/* --- results --- */

struct wsim_launch_comparison {
    uint64_t compared;  /* elements, or bytes if their type is unknown                        */
    uint64_t different; /* elements (bytes) that differ, or elements beyond a limit            */
    uint64_t unequal;   /* elements with other bits, within their limit or not                 */
    uint64_t first;     /* index of the first that is different                               */
    uint64_t want, got; /* its bits; of bytes those of the word around it                      */
    uint32_t width;     /* bytes of that element or word                                      */
    uint64_t word;      /* its index                                                          */
    uint64_t start;     /* its first byte                                                     */
    double abs, rel;    /* the largest distance of finite elements                            */
    uint64_t ulp;
    uint8_t elements; /* 1: elements were compared, 0: bytes                                   */
};

/* Compares `size` bytes, little-endian. */
WSIM_API void wsim_launch_compare(const void *want, const void *got, uint64_t size,
                                  const struct wsim_launch_limits *limits,
                                  struct wsim_launch_comparison *out);

/* The outcome as a sentence without a subject. */
#define WSIM_LAUNCH_WORDS 640
WSIM_API void wsim_launch_compare_words(const struct wsim_launch_comparison *comparison,
                                        const struct wsim_launch_limits *limits,
                                        char out[WSIM_LAUNCH_WORDS]);

/* Compares what the launches left with expectation number `index`. Errors: WSIM_OPERAND (no such
 * variable), WSIM_NO_MEMORY. */
WSIM_API enum wsim_status wsim_session_compare(struct wsim_session *session, size_t index,
                                               struct wsim_launch_comparison *out,
                                               struct wsim_diag *diag);

/* Lines that only one of two texts has. Lines are compared as often as they come, in any order:
 * that of warps is free. Pointers point into the texts. */
struct wsim_launch_lines {
    uint64_t missing, extra;
    const char *first_missing, *first_extra; /* NULL: none                                    */
    size_t missing_length, extra_length;
    uint64_t missing_line, extra_line; /* their numbers, from 1                                */
};

/* Compares the lines of two texts. Errors: WSIM_NO_MEMORY. */
WSIM_API enum wsim_status wsim_launch_compare_lines(const char *want, size_t want_size,
                                                    const char *got, size_t got_size,
                                                    struct wsim_launch_lines *out,
                                                    struct wsim_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
