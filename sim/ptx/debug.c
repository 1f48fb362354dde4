/* Where instructions come from: .file, .loc and the strings of .section .debug_str. The reader
 * skips other sections.
 *
 * Equal .loc are one. An inlined instruction names the place of its call. The last .loc of that
 * place represents it, so a chain of .loc leads back to the kernel.
 *
 * atomicAdd and the like are inlined from headers of the CUDA toolkit. Users look for their own
 * line, so a .loc of such a header becomes the place of its call. */
#include "map.h"
#include "reader.h"

#include <string.h>

/* The name of an inlined function: an offset from a label in .debug_str, which often comes last. */
struct inlined {
    uint32_t loc, label, offset;
};

struct string_label {
    uint32_t name, offset;
};

struct debug {
    struct map files;           /* (number, 0)                                          */
    struct map lines, places;   /* (file, line), (number of that, column)               */
    struct map labels, callers; /* (label, offset), (place, caller)                     */
    struct map all;             /* (number of the last, number of the label)            */
    struct arena_vec latest;    /* uint32_t: the last loc of a place                    */
    struct arena_vec inlined;   /* struct inlined                                       */
    struct arena_vec bytes;     /* of .debug_str                                        */
    struct arena_vec string_labels;
};

int ptx_debug_begin(struct reader *r) {
    r->debug = arena_take(&r->work, sizeof *r->debug);
    return r->debug && arena_push(&r->work, &r->locs, sizeof(struct ptx_loc));
}

static uint32_t file_of(struct reader *r, uint32_t number) {
    uint32_t index = map_number(&r->work, &r->debug->files, number, 0);
    if (index < r->files.n || index == UINT32_MAX)
        return index;
    uint32_t *kept = arena_push(&r->work, &r->file_numbers, sizeof *kept);
    if (!kept || !arena_push(&r->work, &r->files, sizeof(const char *)))
        return UINT32_MAX;
    *kept = number;
    return index;
}

static int small(struct reader *r, const char *what, uint32_t *out) {
    uint64_t value;
    if (!ptx_integer(r, what, 0, UINT32_MAX, &value))
        return 0;
    *out = (uint32_t)value;
    return 1;
}

/* A path as nvcc writes it: \\ is a backslash, \303 a byte that is no ASCII. */
static char *copy_path(struct reader *r, const char *text, uint32_t length) {
    char *path = arena_copy(r->keep, text, length), *out = path;
    for (char *at = path; path && *at; at++) {
        unsigned digits = 0, byte = 0;
        for (; *at == '\\' && digits < 3 && at[1 + digits] >= '0' && at[1 + digits] <= '7';
             digits++)
            byte = 8 * byte + (unsigned)(at[1 + digits] - '0');
        if (digits == 3 && byte && byte < 256)
            *at = (char)byte;
        else
            digits = *at == '\\' && at[1] == '\\';
        *out++ = *at;
        at += digits;
    }
    if (out)
        *out = '\0';
    return path;
}

int ptx_file(struct reader *r) {
    const char *text;
    uint32_t number, length, ignored;
    if (!small(r, "the number of a file", &number) || !ptx_string(r, &text, &length))
        return 0;
    while (ptx_accept(r, ','))
        if (!small(r, "the time or size of a file", &ignored))
            return 0;
    uint32_t index = file_of(r, number);
    if (index == UINT32_MAX)
        return 0;
    *VEC_AT(const char *, r->files, index) = copy_path(r, text, length);
    return 1;
}

/* Three numbers: file, line, column. */
static int place(struct reader *r, struct ptx_loc *loc, uint32_t *number) {
    struct debug *d = r->debug;
    uint32_t file;
    if (!small(r, "the number of a file", &file) || !small(r, "a line", &loc->line) ||
        !small(r, "a column", &loc->col))
        return 0;
    loc->file = file_of(r, file);
    uint32_t line = map_number(&r->work, &d->lines, loc->file, loc->line);
    *number = map_number(&r->work, &d->places, line, loc->col);
    if (*number == UINT32_MAX)
        return 0;
    return *number < d->latest.n || arena_push(&r->work, &d->latest, sizeof(uint32_t));
}

static uint32_t *latest(struct reader *r, uint32_t place) {
    return VEC_AT(uint32_t, r->debug->latest, place);
}

/* The loc of a place, a caller and a label with an offset (0: none); made if it is new. */
static uint32_t find_loc(struct reader *r, const struct ptx_loc *wanted, uint32_t place,
                         uint32_t label, uint32_t offset) {
    struct debug *d = r->debug;
    uint32_t name = label ? map_number(&r->work, &d->labels, label, offset) + 1 : 0;
    uint32_t caller = map_number(&r->work, &d->callers, place, wanted->inlined_at);
    uint32_t number = map_number(&r->work, &d->all, caller, name);
    if (number == UINT32_MAX)
        return 0;
    if (number + 1 >= r->locs.n) {
        struct ptx_loc *loc = arena_push(&r->work, &r->locs, sizeof *loc);
        struct inlined *inlined = label ? arena_push(&r->work, &d->inlined, sizeof *inlined) : NULL;
        if (!loc || (label && !inlined))
            return 0;
        *loc = *wanted;
        if (inlined)
            *inlined = (struct inlined){number + 1, label, offset};
    }
    return *latest(r, place) = number + 1;
}

/* function_name LABEL + 8 */
static int function_name(struct reader *r, uint32_t *label, uint32_t *offset) {
    ptx_skip(r);
    struct place at = ptx_here(r);
    *label = ptx_word(r);
    *offset = 0;
    if (!*label) {
        ptx_complain(r, RULE_PTX_TEXT_MISSING, at, "a label is missing after function_name");
        return 0;
    }
    return !ptx_accept(r, '+') || small(r, "the offset of a label", offset);
}

static int is_word(struct reader *r, const char *word) {
    size_t n = strlen(word);
    ptx_skip(r);
    if (strncmp(r->at, word, n) != 0 || ptx_is_word(r->at[n]))
        return 0;
    r->at += n;
    return 1;
}

int ptx_loc(struct reader *r) {
    char seen[PTX_SEEN];
    struct ptx_loc loc = {0}, caller = {0};
    uint32_t number, called = 0, label = 0, offset = 0;
    if (!place(r, &loc, &number))
        return 0;
    while (ptx_accept(r, ',')) {
        if (is_word(r, "function_name")) {
            if (!function_name(r, &label, &offset))
                return 0;
        } else if (is_word(r, "inlined_at")) {
            if (!place(r, &caller, &called))
                return 0;
            uint32_t last = *latest(r, called);
            loc.inlined_at = last ? last : find_loc(r, &caller, called, 0, 0);
        } else {
            ptx_complain(r, RULE_PTX_TEXT_UNEXPECTED, ptx_here(r),
                         "function_name or inlined_at must follow .loc here, not %s",
                         ptx_seen(r, seen));
            return 0;
        }
    }
    r->loc = find_loc(r, &loc, number, label, offset);
    return r->loc != 0;
}

/* --- sections --- */

static int string_byte(struct reader *r) {
    struct ptx_operand value;
    if (!ptx_constant(r, &value))
        return 0;
    char *byte = arena_push(&r->work, &r->debug->bytes, 1);
    if (byte)
        *byte = (char)value.value;
    return byte != NULL;
}

/* .b8 1, 2, 3 or a label. */
static int string_line(struct reader *r) {
    char word[PTX_WORD], seen[PTX_SEEN];
    if (ptx_skip(r) == '.') {
        struct place at = ptx_here(r);
        ptx_dotted(r, word);
        if (strcmp(word, "b8")) {
            ptx_complain(r, RULE_PTX_TEXT_UNEXPECTED, at, ".debug_str contains .b8, not .%s", word);
            return 0;
        }
        do
            if (!string_byte(r))
                return 0;
        while (ptx_accept(r, ','));
        ptx_accept(r, ';');
        return 1;
    }
    uint32_t name = ptx_word(r);
    if (!name || !ptx_accept(r, ':')) {
        ptx_complain(r, RULE_PTX_TEXT_UNEXPECTED, ptx_here(r), ".debug_str cannot contain %s",
                     ptx_seen(r, seen));
        return 0;
    }
    struct string_label *label = arena_push(&r->work, &r->debug->string_labels, sizeof *label);
    if (!label)
        return 0;
    *label = (struct string_label){name, r->debug->bytes.n};
    NAME_AT(r, name)->string = r->debug->string_labels.n;
    return 1;
}

static int strings(struct reader *r) {
    struct place open = ptx_here(r);
    r->at++;
    while (!ptx_accept(r, '}')) {
        if (!ptx_skip(r)) {
            ptx_complain(r, RULE_PTX_TEXT_MISSING, open, "this section never ends");
            return 0;
        }
        if (!string_line(r))
            return 0;
    }
    return 1;
}

int ptx_section(struct reader *r) {
    char word[PTX_WORD];
    ptx_dotted(r, word);
    if (!word[0])
        ptx_word(r);
    if (ptx_skip(r) != '{')
        return ptx_expect(r, '{', "after .section");
    if (strcmp(word, "debug_str") == 0)
        return strings(r);
    ptx_skip_braces(r);
    return 1;
}

static int is_separator(char c) {
    return c == '/' || c == '\\';
}

/* Whether a path leads through the folders of a pattern, in which * is the rest of a name. */
static int leads_through(const char *path, const char *pattern) {
    for (; *pattern; pattern++)
        if (*pattern == '*') {
            while (*path && !is_separator(*path))
                path++;
        } else if (*pattern == '/' && is_separator(*path)) {
            while (is_separator(*path))
                path++;
        } else if (*pattern != *path++) {
            return 0;
        }
    return 1;
}

/* Where the toolkit keeps its headers: installed by NVIDIA, Linux distributions, conda, pip, and on
 * Windows. */
static int is_toolkit(const char *path) {
    static const char *const folders[] = {"/targets/*/include/",  "/cuda/include/",
                                          "/cuda-1*/include/",    "/usr/include/",
                                          "/nvidia/cu*/include/", "/CUDA/v*/include/"};
    for (; path && *path; path++)
        for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
            if (leads_through(path, folders[i]))
                return 1;
    return 0;
}

/* The place of a call comes before the .loc that are inlined there. */
static void leave_toolkit(struct reader *r) {
    uint8_t *own = arena_take(&r->work, r->files.n + 1u);
    for (uint32_t i = 0; own && i < r->files.n; i++)
        own[i] = !is_toolkit(*VEC_AT(const char *, r->files, i));
    for (uint32_t i = 1; own && i < r->locs.n; i++) {
        struct ptx_loc *loc = VEC_AT(struct ptx_loc, r->locs, i);
        const struct ptx_loc *call = VEC_AT(struct ptx_loc, r->locs, loc->inlined_at);
        if (loc->inlined_at && !own[loc->file] && own[call->file])
            *loc = *call;
    }
}

/* Labels become strings: the module's memory holds each once, one after the other. */
void ptx_debug_end(struct reader *r) {
    struct debug *d = r->debug;
    const char *strings = arena_copy(r->keep, d->bytes.at, d->bytes.n);
    for (uint32_t i = 0; i < d->inlined.n && strings; i++) {
        const struct inlined *in = VEC_AT(struct inlined, d->inlined, i);
        uint32_t string = NAME_AT(r, in->label)->string;
        uint64_t offset = in->offset;
        if (string)
            offset += VEC_AT(struct string_label, d->string_labels, string - 1)->offset;
        if (string && offset < d->bytes.n)
            VEC_AT(struct ptx_loc, r->locs, in->loc)->function = strings + offset;
    }
    for (uint32_t i = 0; i < d->string_labels.n; i++)
        NAME_AT(r, VEC_AT(struct string_label, d->string_labels, i)->name)->string = 0;
    leave_toolkit(r);
}
