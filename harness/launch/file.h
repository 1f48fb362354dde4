/* file.h - a launch file inside, and the readers of its parts. */
#ifndef WSIM_LAUNCH_FILE_H
#define WSIM_LAUNCH_FILE_H

#include "json.h"

#include <wsim/harness/launch.h>

/* A text: its tree, and what reads the files that it names. */
struct lf_source {
    struct lf_node root;
    struct wsim_launch_files files;
};

/* Bytes that are given back to `files` when the launch file is closed. */
struct lf_opened {
    struct lf_opened *next;
    struct wsim_launch_files files;
    void *bytes;
};

/* The nodes of the parts give refusals during a run their place. */
struct wsim_launch_file {
    struct lf_memory memory;
    struct lf_source *sources;
    size_t nsources;
    struct lf_opened *opened;
    struct wsim_launch_parts parts;
    struct wsim_launch_ptx *ptx;
    struct wsim_launch_buffer *buffers;
    struct wsim_launch_symbol *symbols;
    struct wsim_launch_one *launches;
    struct wsim_launch_expect *expects;
    struct wsim_launch_save *saves;
    const struct lf_node **buffer_at, **symbol_at, **launch_at, **expect_at;
    struct wsim_diag *diag;
};

/* --- fields --- */

/* Whether `at` is an object whose members are all among `names`, which ends with NULL. */
enum wsim_status lf_fields(const struct lf_node *at, const char *const *names,
                           struct wsim_diag *diag);

/* "; did you mean 'launches'?", or "" if no name is near. */
struct lf_hint {
    char text[96];
};
struct lf_hint lf_near(const char *word, const char *const *names, size_t n);

/* A string that is not empty. */
enum wsim_status lf_text(const struct lf_node *at, const char **out, struct wsim_diag *diag);

/* An array of 1 to `most` entries, or an object of at most `most`. */
enum wsim_status lf_entries(const struct lf_node *at, size_t most, struct wsim_diag *diag);

/* --- numbers: of JSON, or strings in decimal or 0x hex --- */

/* A whole number of 0 to `most`. */
enum wsim_status lf_whole(const struct lf_node *at, uint64_t most, uint64_t *out,
                          struct wsim_diag *diag);

/* The `bits` low bits of an integer: 's' signed, 'u' unsigned, 'b' either. */
enum wsim_status lf_integer(const struct lf_node *at, char kind, unsigned bits, uint64_t *out,
                            struct wsim_diag *diag);

/* The bits of a float: a number, rounded once, or a string with "0x" and the bits, "inf", "nan". */
enum wsim_status lf_float(const struct lf_node *at, const struct wsim_format *format, uint64_t *out,
                          struct wsim_diag *diag);

/* A number that is not negative. */
enum wsim_status lf_limit(const struct lf_node *at, double *out, struct wsim_diag *diag);

/* --- named files --- */

struct lf_bytes {
    void *bytes;
    uint64_t size;
};

/* Reads the file that the string `at` names. More than `most` bytes are refused; `what` is the
 * subject of the sentence. */
enum wsim_status lf_open(struct wsim_launch_file *file, size_t source, const struct lf_node *at,
                         uint64_t most, const char *what, struct lf_bytes *out);

/* The same for data. NAME.npy gives its elements, little-endian, in the order of memory. *array,
 * which may be NULL, gets their type and shape (bytes 0: another file). */
enum wsim_status lf_open_data(struct wsim_launch_file *file, size_t source,
                              const struct lf_node *at, uint64_t most, const char *what,
                              struct lf_bytes *out, struct wsim_npy *array);
int lf_is_array(const char *name);

/* --- parts --- */

/* The number of a buffer; parts.nbuffers: there is none. */
size_t lf_buffer(const struct wsim_launch_file *file, const char *name);

enum wsim_status lf_buffers(struct wsim_launch_file *file, const struct lf_node *at);
enum wsim_status lf_symbols(struct wsim_launch_file *file, const struct lf_node *at);
enum wsim_status lf_arg(struct wsim_launch_file *file, const struct lf_node *at,
                        struct wsim_launch_arg *out);
enum wsim_status lf_expect(struct wsim_launch_file *file, size_t source, const struct lf_node *at,
                           struct wsim_launch_expect *out);
enum wsim_status lf_save(struct wsim_launch_file *file, size_t source, const struct lf_node *at,
                         struct wsim_launch_save *out);

/* The parameters of a tensor map; members of `others` (which ends with NULL) are not its own. */
enum wsim_status lf_tensor(const struct lf_node *at, const char *const *others,
                           struct wsim_tensor *out, int *packed, struct wsim_diag *diag);

/* Finds a kernel by its name or, with `partial`, by words of its name; a `name` of NULL is the only
 * kernel. */
enum wsim_status lf_kernel(const struct wsim_module *module, const char *name, int partial,
                           const struct lf_node *at, const struct wsim_kernel **kernel,
                           struct wsim_diag *diag);

#endif
