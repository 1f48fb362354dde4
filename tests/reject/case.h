/* case.h - one refusal as a line of a table: the request, and its expected refusal.
 *
 *     action | spelling | changes | status rule | words of the sentence
 *
 * action   parse; check ARCH, exec ARCH, banks ARCH, copy ARCH; layout, compress, expand; and for
 *          traces, see below: text; line ARCH, replay ARCH, block ARCH
 * changes  to valid operands: -d (and -a -b -c -e -r -sfa -sfb -smem -addr) removes one;
 *          selector= bid_a= tid_a= bid_b= tid_b= mask= smem= (bytes) operand= (number) set one;
 *          e= sets every lane, e[L]= and addr[L]= one lane; dense=full has no zeros; for a copy:
 *          bytes= (16) warm= page= (source page) src[L]= srcsize[L]=, with addr the destination
 * status   with :COLUMN for text
 *          or :LINE:COLUMN
 *
 * rule     the name of the broken rule (wsim rules); with several problems that of the first
 *
 * words    parts that the sentence must have in this order, between "..."
 *
 * Comments (#) and blank lines are skipped.
 *
 * Traces: `spelling` is the spelling of a case, and the changes are its fields. A later field
 * replaces an earlier one of its name, and -name removes it. name=*WORD is the word in all lanes.
 * $name is a list of fields that a line `let name = fields` above, in any file, defines. `line`
 * reads the case, `replay` replays it, `block` makes it a block; a given column is compared. The
 * spelling of `text` is a whole file, whose last line is refused. Escapes: \n ends a line, \t is a
 * tab, \r a carriage return, \0 a zero and \h a whole header.
 *
 * PTX: the spelling of `ptx` is a whole text with these escapes (\h ends in line 3). \p is a bar,
 * and \E the first byte of ELF. The spelling of `body` is line 6 of a kernel with registers %p
 * %h %r %f %rd %fd, 8 of each, and a parameter a. The expected answer is the reader's first
 * problem.
 *
 * Launches: the spelling of `launch ARCH` is a line of the kernel of `body`. The kernel runs with
 * one thread, and a is the address of 64 initialised bytes, called "data". Changes: grid= block=
 * cluster= (up to three numbers, x between them) shared= params= (bytes) checks= max= kernel=. The
 * spelling of `module ARCH` is a whole text, whose only kernel k runs like this; flags= are the
 * flags of loading. The expected answer is the first problem of the module, if it has any.
 */
#ifndef TESTS_REJECT_CASE_H
#define TESTS_REJECT_CASE_H

#include "../every.h"

#define CASE_LINE 1536

struct reject_case {
    char file[64], text[CASE_LINE]; /* the unchanged line, for messages     */
    int line;
    char fields[CASE_LINE]; /* the same, cut into the fields below        */
    const char *action, *arch, *spelling, *changes, *status, *rule, *words;
    unsigned at_line, col;
};

/* Everything an instruction can be given, valid until changed; outputs hold noise. */
struct reject_operands {
    struct wsim_regs d, a, b, c, r;
    uint32_t e[WSIM_LANES], sf[WSIM_LANES], addr[WSIM_LANES], mask;
    uint8_t bytes[4096];
    struct wsim_memory smem;
    struct wsim_operands io;
    int operand, full;
    struct wsim_copy copy;
    uint32_t src[WSIM_LANES], src_size[WSIM_LANES];
};

/* All cases of the *.txt files of the folder; the count, or -1 if a line is none. */
int reject_read(const char *folder, struct reject_case *cases, int max);

/* Whether the action is one of PTX, and its first problem. */
int reject_is_ptx(const struct reject_case *what);
enum wsim_status reject_ptx(const struct reject_case *what, struct wsim_diag *diag);

/* A text with its escapes written out, and a whole kernel around a body; their length. */
size_t reject_write(const char *from, char *to);
size_t reject_kernel(const char *body, char *text);

/* Whether the action is one of launches, and what it answers. */
int reject_is_launch(const struct reject_case *what);
enum wsim_status reject_launch(const struct reject_case *what, struct wsim_diag *diag);

/* The fields that a line `let name = fields` put down; NULL: none did. */
const char *reject_let(const char *name);

/* Whether the action is one of traces, and what it answers; a test fails if it cannot be asked. */
int reject_is_trace(const struct reject_case *what);
enum wsim_status reject_trace(const struct reject_case *what, const struct wsim_arch *arch,
                              struct wsim_diag *diag);

/* A refusal that no line of text can ask for: `provoke` returns what the library answered. */
struct reject_direct {
    const char *rule;
    enum wsim_status (*provoke)(struct wsim_diag *diag);
};
/* A tensor without mistakes, and its map. */
struct wsim_tensor reject_tiled(void);
struct wsim_tensor_map reject_map(const struct wsim_tensor *tensor);

extern const struct reject_direct reject_alone[], reject_copies[], reject_descriptors[],
    reject_devices[], reject_fatbins[], reject_gemms[], reject_launches[], reject_machines[],
    reject_maps[], reject_pictures[], reject_textures[], reject_ummas[];
extern const int reject_alone_count, reject_copies_count, reject_descriptors_count,
    reject_devices_count, reject_fatbins_count, reject_gemms_count, reject_launches_count,
    reject_machines_count, reject_maps_count, reject_pictures_count, reject_textures_count,
    reject_ummas_count;

/* Whether a test can make the heap end: not under a sanitizer, which would end the program. */
#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&       \
    !__has_feature(address_sanitizer) && !__has_feature(memory_sanitizer) &&                       \
    !__has_feature(thread_sanitizer)
#define REJECT_HEAP_ENDS 1
#else
#define REJECT_HEAP_ENDS 0
#endif

/* Valid operands with the changes of the case; fails the test if a change is unknown. */
void reject_change(const struct reject_case *what, struct reject_operands *operands);

#endif
