/* name.h - names that are no spellings, being read: the words and types that an operation must
 * have. name.c reads words and machine code, atom.c atoms of CuTe; name_match.c compares operations
 * with the words. */
#ifndef WSIM_NAMES_NAME_H
#define WSIM_NAMES_NAME_H

#include "../isa/isa.h"

/* NAME_MOST: the most characters of a name. */
enum { NAME_WORDS = 16, NAME_TYPES = 5, NAME_WORD = 32, NAME_MOST = 512 };

struct name_wanted {
    struct {
        char text[NAME_WORD];
        uint32_t col; /* in the name, from 1; 0: it is not written there */
        int seen;     /* some operation has it                           */
    } word[NAME_WORDS];
    unsigned words;
    uint64_t type[NAME_TYPES]; /* bit per isa_format: any of them */
    unsigned types;
    struct wsim_atom atom; /* its other facts     */
};

static inline int name_is_digit(int c) {
    return c >= '0' && c <= '9';
}

/* Whether the first `n` characters of `text` are `name`, capitals or not. */
int name_same(const char *text, size_t n, const char *name);
int name_begins(const char *text, size_t n, const char *name);

/* Puts the words of `text`, parted by dots, with what * stands for; what is in [ ] only if it
 * stands for something. 0: there is no room for them. */
int name_put_words(struct name_wanted *w, const char *text, const char *star, size_t star_length);

/* The formats of a word, including other names of types; 0: not a type. */
uint64_t name_types(const char *text, size_t n);

/* Adds a type, any of several. Returns 0 without room. */
int name_put_type(struct name_wanted *w, uint64_t types);

/* "16x8x16" as the word m16n8k16; *k is the last number. 0: it is none. */
int name_put_extents(struct name_wanted *w, const char *text, size_t n, uint32_t *k);

/* Reads a name of CuTe, without cute:: in front. Errors: WSIM_SYNTAX (not a name, or arguments that
 * it does not take), WSIM_ILLEGAL and WSIM_UNMODELLED (not the name of an operation). */
enum wsim_status name_read_atom(const char *text, struct name_wanted *w, struct wsim_diag *diag);

/* Whether a row of NAMED has it; then its words are put. `status` tells if there was no room. */
int name_read_row(const char *text, size_t n, struct name_wanted *w);

/* Whether a row of OTHER has the last part of a name, of `n` characters: then it is refused. */
enum wsim_status name_read_other(const char *name, const char *last, size_t n,
                                 struct wsim_diag *diag);

/* Puts the first `max` operations that are meant into `out`, in the order of the tables; how many
 * there are. Marks the words that some operation has as seen. */
size_t name_match(struct name_wanted *w, struct wsim_op *out, size_t max);

/* --- arguments of templates --- */

struct argument {
    const char *text; /* without blanks around it */
    size_t n;
    uint32_t col;
};

enum { ARGUMENTS = 10 };

struct arguments {
    struct argument at[ARGUMENTS];
    unsigned count;
};

/* Splits the arguments between the '<' at `open` and its '>'; braces may follow. */
enum wsim_status name_split(const char *name, const char *open, struct arguments *list,
                            struct wsim_diag *diag);

/* The format of a C++ type (0: not a type of an element); a number from 1 to 1024 (0: none). */
unsigned name_format(struct argument a);
uint32_t name_number(const struct argument *a);

/* The kind of a value such as UMMA::Major::K, and its number; negative: unknown. */
enum { NAME_MAJOR, NAME_SCALE, NAME_SELECT, NAME_SATURATE, NAME_CHOICES };
int name_choice(struct argument a, uint8_t *number);

enum wsim_status name_wrong(const struct argument *a, const char *what, struct wsim_diag *diag);

/* Whether `text` matches `name`, where * matches digits and [ ] is optional. */
int name_is_row(const char *text, size_t n, const char *name, const char **star, size_t *length);

/* Refuses an unknown name. */
enum wsim_status name_refuse_unknown(const char *name, struct wsim_diag *diag);

#endif
