/* launch.h - a launch file (docs/kernels.md): kernels, their arguments, what memory holds before
 * and after. Here it is read and held against itself; machine.h holds it against the PTX.
 */
#ifndef WSIM_RUN_LAUNCH_H
#define WSIM_RUN_LAUNCH_H

#include "compare.h"
#include "file.h"

#include <jansson.h>
#include <wsim/tensor.h>

/* Limits of an untrusted file: bytes of a buffer and of all buffers together, launches, entries of
 * any other list, bytes of parameters and of text. */
#define LAUNCH_BYTES (UINT64_C(1) << 32)
#define LAUNCH_LAUNCHES 65536
#define LAUNCH_ENTRIES 4096
#define LAUNCH_PARAMS 32764
#define LAUNCH_PTX (UINT64_C(1) << 28)

/* Texts belong to the JSON. */
struct launch_buffer {
    const char *name;
    uint64_t bytes;
    uint32_t align; /* 0: as it comes                              */
    int fill;       /* of what the file does not fill; -1: nothing */
    struct file_bytes file;
};

struct launch_symbol {
    const char *name;
    uint64_t bytes; /* 0: as many as the file has                  */
    int fill;
    struct file_bytes file;
};

/* Something in the bytes of an argument that is known once there is memory. */
struct launch_patch {
    uint32_t at;
    size_t buffer;
    uint64_t offset;
    int is_map;
    struct wsim_tensor tensor; /* of a map: all but its base */
};

struct launch_arg {
    uint32_t bytes;
    uint8_t *value;
    struct launch_patch *patches;
    size_t npatches;
};

enum launch_counter {
    LAUNCH_LD_WAVEFRONTS,
    LAUNCH_LD_CONFLICTS,
    LAUNCH_ST_WAVEFRONTS,
    LAUNCH_ST_CONFLICTS,
    LAUNCH_ATOM_WAVEFRONTS,
    LAUNCH_ATOM_CONFLICTS,
    LAUNCH_COUNTERS
};
extern const char *const launch_counters[LAUNCH_COUNTERS];

struct launch_one {
    const char *kernel; /* NULL: the only one */
    uint32_t grid[3], block[3], cluster[3];
    uint32_t shared;
    int cooperative;
    struct launch_arg *args;
    size_t nargs;
    uint8_t counted[LAUNCH_COUNTERS]; /* which counters are given */
    uint64_t counter[LAUNCH_COUNTERS];
};

struct launch_expect {
    const char *name; /* "out", "symbol:coefficients"             */
    const char *symbol;
    size_t buffer; /* without a symbol                            */
    struct file_bytes file;
    struct launch_limits limits;
};

struct launch_save {
    size_t buffer;
    const char *path;
    const char *folder; /* that it has to stay in; NULL: a user named it */
    char kind;          /* of .npy: as npy_header.h has it          */
    uint8_t bytes;
    uint8_t rank;
    uint64_t extent[8];
};

/* A file of PTX: several make one program. */
struct launch_ptx {
    const char *name;
    struct file_bytes file;
};

struct launch {
    struct place_source source;
    char *text; /* the file; NULL: a command line */
    json_t *json;
    char *folder; /* NULL: any file may be named                        */
    struct launch_ptx *ptx;
    size_t nptx;
    const struct wsim_arch *arch; /* NULL: as the PTX says              */
    struct launch_buffer *buffers;
    size_t nbuffers;
    struct launch_symbol *symbols;
    size_t nsymbols;
    struct launch_one *launches;
    size_t nlaunches;
    struct launch_expect *expects;
    size_t nexpects;
    struct launch_save *saves;
    size_t nsaves;
    const char *stdout_name; /* NULL: not compared                      */
    struct file_bytes output;
};

/* Reads the file `path`. TOOL_GO, or TOOL_USAGE after saying what is wrong. launch_close is needed
 * in any case. `ptx` (NULL: as the file says; else it ends with NULL) is read in place of the
 * file's. */
int launch_open(struct launch *launch, const char *path, const char *const *ptx);

/* The same of JSON that was made of a command line and now belongs to *launch. */
int launch_take(struct launch *launch, json_t *json);
void launch_close(struct launch *launch);

/* --- its parts --- */

/* The number of a buffer; launch->nbuffers: there is none. */
size_t launch_buffer(const struct launch *launch, const char *name);

/* Refuses a list that is too long. */
int launch_entries(const struct place *at, size_t n, size_t most);

/* A member, or NULL; *member is its place. */
json_t *launch_get(const struct place *at, const json_t *object, const char *key,
                   struct place *member);

/* The contents of memory before the first launch: "buffers" and "symbols". */
int launch_read_buffers(struct launch *launch, const struct place *at, json_t *object);
int launch_read_symbols(struct launch *launch, const struct place *at, json_t *object);

/* Reads an argument, or what stands in a pack. */
int launch_read_arg(struct launch *launch, const struct place *at, json_t *value,
                    struct launch_arg *arg);

int launch_read_expect(struct launch *launch, const struct place *at, const char *name,
                       json_t *value, const char *folder);
int launch_read_save(struct launch *launch, const struct place *at, const char *name, json_t *value,
                     const char *folder);

/* Whether `value` is an object whose members are all among `names`, which ends with NULL. */
int launch_fields(const struct place *at, const json_t *value, const char *const *names);

/* A text. */
int launch_text(const struct place *at, const json_t *value, const char **out);

/* One more entry of a list of `*n`. */
void *launch_more(void *list, size_t *n, size_t size);

#endif
