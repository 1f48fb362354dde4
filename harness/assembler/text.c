/* PTX with a .loc before each instruction. Its number is that of the instruction. */
#include "../../sim/base/base.h"
#include "assembler.h"

#include <wsim/harness/statement.h>

#include <stdlib.h>
#include <string.h>

/* The lines of the PTX, one at a time with a NUL. */
struct lines {
    const char *at, *end;
    char *line;
    size_t room;
    uint64_t number;
    int failed;
};

static int next_line(void *user, const char **line) {
    struct lines *in = user;
    const char *end;
    size_t length;
    if (in->at >= in->end)
        return 0;
    end = memchr(in->at, '\n', (size_t)(in->end - in->at));
    length = (size_t)((end ? end : in->end) - in->at);
    if (length + 1 > in->room) {
        char *grown = realloc(in->line, 2 * length + 1);
        if (!grown) {
            in->failed = 1;
            return -1;
        }
        in->line = grown;
        in->room = 2 * length + 1;
    }
    memcpy(in->line, in->at, length);
    in->line[length] = '\0';
    in->at = end ? end + 1 : in->end;
    in->number++;
    *line = in->line;
    return 1;
}

int assembler_grow(void **array, size_t each, size_t n, size_t *room) {
    size_t more = *room ? 2 * *room : 64;
    void *grown;
    while (more <= n)
        more *= 2;
    if (n < *room)
        return 1;
    grown = realloc(*array, more * each);
    if (!grown)
        return 0;
    *array = grown;
    *room = more;
    return 1;
}

static int put(struct wsim_assembly *to, const char *text, size_t length) {
    void *at = to->text;
    if (!assembler_grow(&at, 1, to->size + length + 1, &to->room))
        return 0;
    to->text = at;
    memcpy(to->text + to->size, text, length);
    to->size += length;
    to->text[to->size] = '\0';
    return 1;
}

static int put_text(struct wsim_assembly *to, const char *text) {
    return put(to, text, strlen(text));
}

/* Line information of the PTX's own, a directive of one line. */
static int is_debug(const char *line) {
    size_t length;
    line += strspn(line, " \t");
    length = strcspn(line, " \t");
    return (length == 4 && memcmp(line, ".loc", 4) == 0) ||
           (length == 5 && memcmp(line, ".file", 5) == 0);
}

/* The first byte of an instruction whose opcode is at `column`: that of its guard, if it has one.
 */
static size_t guard_of(const char *line, size_t column) {
    size_t at = column;
    while (at && (line[at - 1] == ' ' || line[at - 1] == '\t'))
        at--;
    while (at && (line[at - 1] == '%' || line[at - 1] == '_' || line[at - 1] == '$' ||
                  (line[at - 1] >= '0' && line[at - 1] <= '9') ||
                  (line[at - 1] >= 'A' && line[at - 1] <= 'Z') ||
                  (line[at - 1] >= 'a' && line[at - 1] <= 'z')))
        at--;
    while (at && (line[at - 1] == '!' || line[at - 1] == ' '))
        at--;
    return at && line[at - 1] == '@' ? at - 1 : column;
}

static int is_opcode(const char *spelling) {
    return *spelling >= 'a' && *spelling <= 'z';
}

static int add_place(struct wsim_assembly *assembly, const struct wsim_statement *at) {
    void *places = assembly->places;
    if (!assembler_grow(&places, sizeof *assembly->places, assembly->n_places,
                        &assembly->room_places))
        return 0;
    assembly->places = places;
    assembly->places[assembly->n_places++] =
        (struct assembler_place){(uint32_t)at->line, (uint32_t)at->column + 1};
    return 1;
}

/* All instructions. */
static int find_places(struct wsim_assembly *assembly, const char *ptx, size_t size) {
    struct lines lines = {.at = ptx, .end = ptx + size};
    struct wsim_statements in = wsim_statements_in(next_line, &lines);
    struct wsim_statement *at = malloc(sizeof *at);
    int good = at != NULL;
    while (good && wsim_statements_next(&in, at))
        if (is_opcode(at->spelling))
            good = add_place(assembly, at);
    free(at);
    free(lines.line);
    return good && !lines.failed;
}

static int put_line(struct wsim_assembly *assembly, const char *line, uint64_t number,
                    size_t *place) {
    size_t done = 0;
    if (is_debug(line))
        return put_text(assembly, "\n");
    for (; *place < assembly->n_places && assembly->places[*place].line == number; ++*place) {
        const size_t from = guard_of(line, assembly->places[*place].col - 1);
        char loc[48];
        struct base_text text = {.at = loc, .size = sizeof loc};
        base_put(&text, "\n.loc 1 %llu 0\n", (unsigned long long)*place + 1);
        assembly->places[*place].col = (uint32_t)from + 1;
        if (from < done || !put(assembly, line + done, from - done) || !put_text(assembly, loc))
            return 0;
        done = from;
    }
    return put_text(assembly, line + done) && put_text(assembly, "\n");
}

enum wsim_status assembler_no_memory(struct wsim_diag *diag) {
    return base_refuse(diag, RULE_MEMORY_HEAP_FULL, 0, "out of memory for machine code");
}

enum wsim_status wsim_assembly_make(const char *ptx, size_t size, struct wsim_assembly **assembly,
                                    struct wsim_diag *diag) {
    struct wsim_assembly *made = calloc(1, sizeof *made);
    const char *end = size ? memchr(ptx, '\0', size) : NULL, *line;
    struct lines lines = {.at = ptx, .end = end ? end : ptx + size};
    size_t place = 0;
    int good = made && find_places(made, ptx, (size_t)(lines.end - ptx));
    *assembly = NULL;
    while (good && next_line(&lines, &line) > 0)
        good = put_line(made, line, lines.number, &place);
    good = good && !lines.failed && put_text(made, "\n.file 1 \"k.ptx\"\n");
    free(lines.line);
    if (!good) {
        wsim_assembly_free(made);
        return assembler_no_memory(diag);
    }
    *assembly = made;
    return WSIM_OK;
}

const char *wsim_assembly_text(const struct wsim_assembly *assembly, size_t *size) {
    *size = assembly->size;
    return assembly->text;
}

void wsim_assembly_free(struct wsim_assembly *assembly) {
    if (!assembly)
        return;
    for (size_t i = 0; i < assembly->n_kernels; i++)
        free((char *)assembly->kernels[i].name);
    free(assembly->kernels);
    free(assembly->accesses);
    free(assembly->places);
    free(assembly->text);
    free(assembly);
}
