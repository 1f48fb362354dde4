/* The listing of a disassembler and the messages of an assembler. */
#include "../../sim/base/base.h"
#include "assembler.h"

#include <stdlib.h>
#include <string.h>

/* The kernel called so, made if it is new; NULL: no memory. */
static struct wsim_machine_kernel *assembler_kernel(struct wsim_assembly *assembly,
                                                    const char *name, size_t length) {
    void *kernels = assembly->kernels;
    struct wsim_machine_kernel *kernel;
    char *copy;
    for (size_t i = 0; i < assembly->n_kernels; i++)
        if (strncmp(assembly->kernels[i].name, name, length) == 0 &&
            !assembly->kernels[i].name[length])
            return &assembly->kernels[i];
    if (!assembler_grow(&kernels, sizeof *kernel, assembly->n_kernels, &assembly->room_kernels))
        return NULL;
    assembly->kernels = kernels;
    copy = malloc(length + 1);
    if (!copy)
        return NULL;
    memcpy(copy, name, length);
    copy[length] = '\0';
    kernel = &assembly->kernels[assembly->n_kernels++];
    *kernel = (struct wsim_machine_kernel){.name = copy};
    return kernel;
}

/* A line of a text; `length` is without the newline. */
struct line {
    const char *at;
    size_t length;
};

static int next_line(const char **text, struct line *line) {
    if (!**text)
        return 0;
    line->at = *text;
    line->length = strcspn(*text, "\n");
    *text += line->length + (line->at[line->length] == '\n');
    return 1;
}

/* The end of `word` in the line; NULL: it is not there. */
static const char *after(const struct line *line, const char *word) {
    const size_t length = strlen(word);
    for (size_t i = 0; i + length <= line->length; i++)
        if (memcmp(line->at + i, word, length) == 0)
            return line->at + i + length;
    return NULL;
}

static const char *number_at(const char *at, uint64_t *number) {
    *number = 0;
    if (*at < '0' || *at > '9')
        return NULL;
    for (; *at >= '0' && *at <= '9'; at++)
        *number = *number < UINT32_MAX ? *number * 10 + (uint64_t)(*at - '0') : *number;
    return at;
}

/* --- the listing --- */

struct reading {
    struct wsim_assembly *assembly;
    uint32_t kernel; /* number + 1; 0: outside of code  */
    uint64_t place;  /* of the .loc; 0: none            */
    int marked;      /* the line before named a place   */
};

/* ".text.NAME:" begins the code of a kernel. */
static int read_section(struct reading *r, const struct line *line) {
    const struct wsim_machine_kernel *kernel;
    const char *name = line->at + strlen(".text.");
    if (line->length < 8 || strncmp(line->at, ".text.", 6) != 0 ||
        line->at[line->length - 1] != ':')
        return 1;
    kernel = assembler_kernel(r->assembly, name, (size_t)(line->at + line->length - 1 - name));
    r->kernel = kernel ? (uint32_t)(kernel - r->assembly->kernels) + 1 : 0;
    r->place = 0;
    return kernel != NULL;
}

/* Bytes of an access: LDS, LDS.64, STS.U8 ... */
static unsigned bytes_of(const char *opcode, const char *end) {
    unsigned bytes = 4;
    while (opcode < end && *opcode == '.') {
        const char *word = ++opcode;
        size_t length;
        while (opcode < end && *opcode != '.' && *opcode != ' ')
            opcode++;
        length = (size_t)(opcode - word);
        if (length == 3 && memcmp(word, "128", 3) == 0)
            bytes = 16;
        else if (length == 2 && memcmp(word, "64", 2) == 0)
            bytes = 8;
        else if (length >= 2 && memcmp(word + length - 2, "16", 2) == 0)
            bytes = 2;
        else if (length == 2 && word[1] == '8')
            bytes = 1;
    }
    return bytes;
}

/* An address in comment signs, a guard, an opcode, operands, ";". 0: no memory. */
static int read_instruction(struct reading *r, const struct line *line) {
    struct wsim_assembly *to = r->assembly;
    const char *end = line->at + line->length, *opcode = after(line, "*/");
    const struct assembler_place *place;
    void *accesses = to->accesses;
    if (!r->kernel || !r->place || !opcode || !after(line, ";") || after(line, "@!PT "))
        return 1;
    while (opcode < end && *opcode == ' ')
        opcode++;
    if (opcode < end && *opcode == '@') {
        opcode += strcspn(opcode, " \n");
        while (opcode < end && *opcode == ' ')
            opcode++;
    }
    if (end - opcode < 4 || (memcmp(opcode, "LDS", 3) != 0 && memcmp(opcode, "STS", 3) != 0) ||
        (opcode[3] != '.' && opcode[3] != ' '))
        return 1;
    if (!assembler_grow(&accesses, sizeof *to->accesses, to->n_accesses, &to->room_accesses))
        return 0;
    to->accesses = accesses;
    place = &to->places[r->place - 1];
    to->accesses[to->n_accesses++] = (struct wsim_machine_access){
        r->kernel - 1, place->line, place->col, (uint8_t)bytes_of(opcode + 3, end)};
    return 1;
}

/* A place is followed by those where it is inlined. */
static int read_place(struct reading *r, const struct line *line, struct wsim_diag *diag) {
    const char *at = after(line, "//## File ");
    const struct line rest = {at, at ? line->length - (size_t)(at - line->at) : 0};
    if (!at || r->marked)
        return 1;
    at = after(&rest, ", line ");
    if (!at || !number_at(at, &r->place) || !r->place || r->place > r->assembly->n_places) {
        base_refuse(diag, RULE_MODULE_MACHINE_LISTING, 0,
                    "the listing names line %llu: the text has %llu instructions",
                    (unsigned long long)r->place, (unsigned long long)r->assembly->n_places);
        return 0;
    }
    return 1;
}

static int by_place(const void *a, const void *b) {
    const struct wsim_machine_access *x = a, *y = b;
    if (x->kernel != y->kernel)
        return x->kernel < y->kernel ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->col != y->col)
        return x->col < y->col ? -1 : 1;
    return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

/* --- messages --- */

/* The number before `word`. */
static uint32_t number_before(const struct line *line, const char *word) {
    const char *at = after(line, word);
    uint64_t number = 0;
    if (!at)
        return 0;
    at -= strlen(word);
    while (at > line->at && at[-1] >= '0' && at[-1] <= '9')
        at--;
    number_at(at, &number);
    return (uint32_t)number;
}

/* "Function properties for NAME", stack and spills; "Compiling entry function 'NAME'", registers.
 */
static void read_messages(struct wsim_assembly *assembly, const char *messages) {
    struct wsim_machine_kernel *kernel = NULL;
    struct line line;
    while (next_line(&messages, &line)) {
        const char *name = after(&line, "Function properties for ");
        const char *entry = after(&line, "Compiling entry function '");
        size_t length = name ? (size_t)(line.at + line.length - name) : 0;
        if (entry)
            name = entry, length = strcspn(entry, "'\n");
        if (name)
            kernel = NULL;
        for (size_t i = 0; name && i < assembly->n_kernels; i++)
            if (strlen(assembly->kernels[i].name) == length &&
                memcmp(assembly->kernels[i].name, name, length) == 0)
                kernel = &assembly->kernels[i];
        if (kernel && after(&line, " bytes stack frame")) {
            kernel->stack = number_before(&line, " bytes stack frame");
            kernel->spill_stores = number_before(&line, " bytes spill stores");
            kernel->spill_loads = number_before(&line, " bytes spill loads");
        }
        if (kernel && after(&line, "Used "))
            kernel->registers = number_before(&line, " registers");
    }
}

enum wsim_status wsim_assembly_read(struct wsim_assembly *assembly, const char *listing,
                                    const char *messages, struct wsim_diag *diag) {
    struct reading r = {.assembly = assembly};
    struct line line;
    assembly->n_accesses = 0;
    while (next_line(&listing, &line)) {
        if (!read_place(&r, &line, diag))
            return WSIM_SYNTAX;
        r.marked = after(&line, "//## File ") != NULL;
        if (!read_section(&r, &line) || (!r.marked && !read_instruction(&r, &line)))
            return assembler_no_memory(diag);
    }
    if (!assembly->n_kernels)
        return base_refuse(diag, RULE_MODULE_MACHINE_LISTING, 0,
                           "the listing has no function: expected the output of nvdisasm -c -g");
    if (messages)
        read_messages(assembly, messages);
    if (assembly->n_accesses)
        qsort(assembly->accesses, assembly->n_accesses, sizeof *assembly->accesses, by_place);
    assembly->machine = (struct wsim_machine){assembly->kernels, assembly->n_kernels,
                                              assembly->accesses, assembly->n_accesses};
    return WSIM_OK;
}

const struct wsim_machine *wsim_assembly_machine(const struct wsim_assembly *assembly) {
    return &assembly->machine;
}
