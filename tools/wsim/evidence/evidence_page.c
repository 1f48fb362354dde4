/* The page docs/generated/evidence.md: what every form rests on everywhere, then what stands behind
 * it. Its middle, the recordings, is evidence_recordings.c. */
#include "evidence_page.h"
#include "evidence_recordings.h"
#include "../common/tool.h"

#include <stdlib.h>
#include <string.h>

static const char letters[EVIDENCE_LEVELS] = {'H', 'P', 'D', 'I', '?'};

static const char head[] =
    "# Evidence\n"
    "\n"
    "What the model rests on, for every architecture and every form. This page is printed by\n"
    "`wsim ops --evidence --format markdown` out of the tables in `sim/isa/`; a test compares, "
    "nobody\n"
    "edits it. What recordings hold is in `traces/held.tsv`, a line an operation, which is written "
    "out of\n"
    "`traces/` by `tests/golden/record.sh` and compared with them by another test. The same for "
    "each operation:\n"
    "`wsim ops --evidence`, with `--arch`, `--family`, `--type`, `--format csv` and `json`.\n"
    "\n"
    "| | |\n"
    "| --- | --- |\n"
    "| H | hardware-verified: recordings of a GPU hold the operation, and the model gives the "
    "same; "
    "`tests/golden` replays them |\n"
    "| P | published vectors: others compared the rule with hardware of that generation, bit for "
    "bit "
    "|\n"
    "| D | documented: the ISA leaves one answer |\n"
    "| I | inferred: from machine code, or from a rule recorded on neighbours or elsewhere |\n"
    "| ? | no model: refused |\n"
    "| | not legal there |\n"
    "\n"
    "More than one letter: operations of the form differ. Recordings and publications speak for "
    "the\n"
    "arithmetic generation of their chip (`arch.def`), which has more chips than one; the "
    "recordings\n"
    "below say which. A form is a row of `mma.def`, `move.def` or `access.def`. Architectures that "
    "agree\n"
    "in everything share a column; their `sm_` is left out.\n";

/* "70 72": the architectures of a group. */
static void print_group(const struct evidence_table *table, unsigned group) {
    unsigned a;
    for (a = 0; a < table->narch; a++)
        if (table->group[a] == group)
            printf(" %s", wsim_arch_name(table->arch[a]) + strlen("sm_"));
}

/* --- forms by architectures --- */

static int has_claim(const struct evidence_table *table, const struct evidence_form *form,
                     unsigned claim) {
    unsigned a;
    for (a = 0; a < table->narch; a++)
        if (form->cell[claim][a].ops)
            return 1;
    return 0;
}

static void print_matrix(const struct evidence_table *table, unsigned claim) {
    unsigned f, a, level;
    printf("\n| form |");
    for (a = 0; a < table->narch; a++)
        if (table->group[a] == a) {
            print_group(table, a);
            printf(" |");
        }
    printf("\n| --- |");
    for (a = 0; a < table->narch; a++)
        printf("%s", table->group[a] == a ? " --- |" : "");
    putchar('\n');
    for (f = 0; f < table->nform; f++) {
        if (!has_claim(table, &table->form[f], claim))
            continue;
        printf("| %s |", table->form[f].row);
        for (a = 0; a < table->narch; a++) {
            if (table->group[a] != a)
                continue;
            putchar(' ');
            for (level = 0; level < EVIDENCE_LEVELS; level++)
                if (table->form[f].cell[claim][a].source[level])
                    putchar(letters[level]);
            printf(" |");
        }
        putchar('\n');
    }
}

/* --- sources --- */

/* One row of the sources: what rests on it in which architectures. */
struct ground {
    unsigned claim, level;
    const char *source;
    uint64_t where; /* bit a: in architecture a of the table */
};

static uint64_t where(const struct evidence_table *table, unsigned form, const struct ground *g) {
    uint64_t mask = 0;
    unsigned a;
    for (a = 0; a < table->narch; a++) {
        const char *source = table->form[form].cell[g->claim][a].source[g->level];
        mask |= (uint64_t)(source && strcmp(source, g->source) == 0) << a;
    }
    return mask;
}

static void print_ground(const struct evidence_table *table, const struct ground *g) {
    const struct wsim_arch *arch[EVIDENCE_ARCHS] = {NULL};
    char text[EVIDENCE_TEXT];
    unsigned f, a, n = 0;
    for (a = 0; a < table->narch; a++)
        if (g->where >> a & 1)
            arch[n++] = table->arch[a];
    evidence_archs(arch, n, text);
    printf("| %c | %s | %s | %s |", letters[g->level], evidence_claims[g->claim], g->source, text);
    for (f = 0; f < table->nform; f++)
        if (where(table, f, g) == g->where)
            printf(" %s", table->form[f].row);
    puts(" |");
}

/* Prints the ground of a form in an architecture, unless an earlier form or architecture had it. */
static void print_if_new(const struct evidence_table *table, unsigned form, unsigned a,
                         struct ground *g) {
    unsigned f;
    g->source = table->form[form].cell[g->claim][a].source[g->level];
    if (!g->source)
        return;
    g->where = where(table, form, g);
    for (f = 0; f < form; f++)
        if (where(table, f, g) == g->where)
            return;
    if ((g->where & ((UINT64_C(1) << a) - 1)) == 0)
        print_ground(table, g);
}

static void print_sources(const struct evidence_table *table) {
    struct ground g;
    unsigned f, a;
    puts("\n## Sources\n\n| | what | source | architectures | forms |\n"
         "| --- | --- | --- | --- | --- |");
    for (g.claim = 0; g.claim < EVIDENCE_CLAIMS; g.claim++)
        for (g.level = 0; g.level < EVIDENCE_NONE; g.level++)
            for (f = 0; f < table->nform; f++)
                for (a = 0; a < table->narch; a++)
                    print_if_new(table, f, a, &g);
}

/* --- what is left open --- */

enum { MAX_CAVEATS = 32 };

struct caveats {
    const char *text[MAX_CAVEATS];
    uint64_t where[MAX_CAVEATS]; /* bit a: in architecture a of the table */
    unsigned operations[MAX_CAVEATS], n;
};

/* The number of a sentence, MAX_CAVEATS if there are too many of them. */
static unsigned find_caveat(struct caveats *caveats, const char *text) {
    unsigned i = 0;
    while (i < caveats->n && strcmp(caveats->text[i], text) != 0)
        i++;
    if (i == caveats->n && i < MAX_CAVEATS)
        caveats->text[caveats->n++] = text;
    return i;
}

static void find_caveats(const struct ops_filter *filter, const struct evidence_table *table,
                         struct caveats *caveats) {
    char spelling[WSIM_SPELLING_MAX];
    struct wsim_op op = {0};
    uint32_t cursor = 0;
    while (ops_next(filter, &cursor, &op, spelling)) {
        uint32_t counted = 0;
        for (unsigned a = 0; a < table->narch; a++) {
            const char *text = wsim_op_caveat(&op, table->arch[a], WSIM_RESULTS);
            unsigned i = text ? find_caveat(caveats, text) : MAX_CAVEATS;
            if (i == MAX_CAVEATS)
                continue;
            caveats->where[i] |= UINT64_C(1) << a;
            caveats->operations[i] += !(counted >> i & 1);
            counted |= UINT32_C(1) << i;
        }
    }
}

static void print_caveats(const struct ops_filter *filter, const struct evidence_table *table) {
    struct caveats caveats = {.n = 0};
    find_caveats(filter, table, &caveats);
    if (!caveats.n)
        return;
    puts("\n## What is left open\n\nWhat the word of an answer does not reach; a recording of the "
         "operation would settle it.\n\n"
         "| open | architectures | operations |\n| --- | --- | --- |");
    for (unsigned i = 0; i < caveats.n; i++) {
        const struct wsim_arch *arch[EVIDENCE_ARCHS] = {NULL};
        char text[EVIDENCE_TEXT];
        unsigned n = 0;
        for (unsigned a = 0; a < table->narch; a++)
            if (caveats.where[i] >> a & 1)
                arch[n++] = table->arch[a];
        evidence_archs(arch, n, text);
        printf("| %s | %s | %u |\n", caveats.text[i], text, caveats.operations[i]);
    }
}

int evidence_page(const struct ops_filter *filter) {
    struct evidence_table *table = evidence_collect(filter);
    if (!table)
        return TOOL_USAGE;
    fputs(head, stdout);
    puts("\n## Results: the bits an instruction leaves");
    print_matrix(table, WSIM_RESULTS);
    puts("\n## Counts: wavefronts and conflicts in shared memory");
    print_matrix(table, WSIM_COUNTS);
    evidence_recordings_print(filter, table);
    print_sources(table);
    print_caveats(filter, table);
    free(table);
    return TOOL_FINE;
}
