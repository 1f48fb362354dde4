/* What wsim exec prints element by element: where each is held, its bits and what they mean. */
#include "exec_list.h"
#include "exec_group.h"
#include "exec_print.h"
#include "../common/memory.h"
#include "../common/number_json.h"
#include "../layout/layout.h"

#include <inttypes.h>
#include <stdlib.h>

struct element {
    struct layout_entry at;
    uint64_t raw;
};

/* What is asked for of an operand: of the factors the row of A and the column of B that make the
 * elements of the result. */
static struct wsim_fragment_query query_of(const struct exec_run *run, enum wsim_operand operand) {
    struct wsim_fragment_query query = {run->lane, -1, run->row, run->col, -1};
    if (operand == WSIM_B || operand == WSIM_SFB)
        query.row = -1;
    if (operand == WSIM_A || operand == WSIM_SFA || operand == WSIM_E)
        query.col = -1;
    return query;
}

/* The next element of an operand in registers that is asked for. */
static int next(const struct exec_run *run, enum wsim_operand operand, unsigned *cursor,
                struct element *element) {
    const struct wsim_layout *layout = &run->layout[operand];
    const struct wsim_fragment_query query = query_of(run, operand);
    if (!layout_next(layout, &query, cursor, &element->at))
        return 0;
    element->raw = wsim_words_get(layout, run->regs[operand].words, element->at.place);
    return 1;
}

/* Operands that are shown: the result behind the inputs that are asked for. */
static int is_shown(const struct exec_run *run, int operand) {
    return run->has[operand] && (operand == WSIM_D || run->show_inputs);
}

/* The order in which operands are printed. */
static enum wsim_operand in_order(int i) {
    return i + 1 < WSIM_OPERANDS ? (enum wsim_operand)(i + 1) : WSIM_D;
}

static int digits(const struct wsim_layout *layout) {
    return (layout->elem_bits + 3) / 4;
}

/* --- text --- */

static void print_head(const struct exec_run *run, enum wsim_operand operand) {
    const struct wsim_fragment_query query = query_of(run, operand);
    printf("\n%s", wsim_operand_name(operand));
    if (query.lane >= 0)
        printf(" of %s %d", layout_holder(&run->layout[operand]), query.lane);
    if (query.row >= 0)
        printf(", row %d", query.row);
    if (query.col >= 0)
        printf(", column %d", query.col);
    putchar('\n');
}

static void print_line(const struct exec_run *run, const struct wsim_layout *layout,
                       const struct element *e) {
    char number[NUMBER_TEXT];
    number_text(layout, e->raw, number);
    if (run->lane < 0)
        printf("  %s %3u", layout_holder(layout), e->at.place.lane);
    printf("  reg %2u", e->at.place.reg);
    if (layout->elem_bits == 64)
        printf("-%-2u", e->at.place.reg + 1u);
    else if (layout->elem_bits < 32)
        printf("  bits %2u..%-2u", e->at.place.lsb, e->at.place.lsb + layout->elem_bits - 1u);
    if (layout->batches > 1)
        printf("  #%u", e->at.coord.batch);
    printf("  row %2u  col %3u  %0*" PRIx64 "  %s\n", e->at.coord.row, e->at.coord.col,
           digits(layout), e->raw, number);
}

void exec_list_text(const struct exec_run *run) {
    for (int i = 0; i < WSIM_OPERANDS; i++) {
        enum wsim_operand operand = in_order(i);
        struct element e;
        unsigned cursor = 0;
        if (!is_shown(run, operand) || !run->layout[operand].regs)
            continue;
        print_head(run, operand);
        while (next(run, operand, &cursor, &e))
            print_line(run, &run->layout[operand], &e);
    }
}

/* --- CSV --- */

static void print_registers(const struct exec_run *run, enum wsim_operand operand) {
    const struct wsim_layout *layout = &run->layout[operand];
    char number[NUMBER_TEXT];
    struct element e;
    unsigned cursor = 0;
    while (next(run, operand, &cursor, &e)) {
        number_text(layout, e.raw, number);
        printf("%s,%u,%u,%u,%u,%u,%u,%u,%0*" PRIx64 ",%s\n", wsim_operand_name(operand),
               e.at.place.lane, e.at.place.reg, e.at.place.lsb, layout->elem_bits, e.at.coord.batch,
               e.at.coord.row, e.at.coord.col, digits(layout), e.raw, number);
    }
}

/* Lists an operand in shared memory, of which no lane holds anything. */
static void print_in_memory(const struct exec_run *run, enum wsim_operand operand) {
    const struct wsim_layout *layout = &run->layout[operand];
    size_t n = (size_t)layout->rows * layout->cols;
    uint64_t *matrix = memory_make(n, sizeof *matrix);
    char number[NUMBER_TEXT];
    exec_group_matrix(run, operand, matrix);
    for (size_t i = 0; i < n; i++) {
        number_text(layout, matrix[i], number);
        printf("%s,,,,%u,0,%u,%u,%0*" PRIx64 ",%s\n", wsim_operand_name(operand), layout->elem_bits,
               (unsigned)(i / layout->cols), (unsigned)(i % layout->cols), digits(layout),
               matrix[i], number);
    }
    free(matrix);
}

static void print_stored(const struct exec_run *run) {
    puts("address,byte");
    for (uint32_t at = 0; at < run->smem.size; at++)
        printf("0x%05x,%02x\n", (unsigned)at, run->smem.bytes[at]);
}

void exec_print_csv(const struct exec_run *run) {
    if (!run->has[WSIM_D]) {
        print_stored(run);
        return;
    }
    puts("operand,lane,reg,bit,bits,batch,row,col,hex,value");
    for (int i = 0; i < WSIM_OPERANDS; i++) {
        enum wsim_operand operand = in_order(i);
        if (is_shown(run, operand) && run->group.in_memory[operand])
            print_in_memory(run, operand);
        else if (is_shown(run, operand))
            print_registers(run, operand);
    }
}

/* --- JSON --- */

json_t *exec_list_json(const struct exec_run *run, enum wsim_operand operand) {
    const struct wsim_layout *layout = &run->layout[operand];
    json_t *list = json_array();
    struct element e;
    unsigned cursor = 0;
    while (next(run, operand, &cursor, &e)) {
        char hex[24];
        snprintf(hex, sizeof hex, "%0*" PRIx64, digits(layout), e.raw);
        json_array_append_new(list, json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:s, s:o}", "lane",
                                              e.at.place.lane, "reg", e.at.place.reg, "bit",
                                              e.at.place.lsb, "batch", e.at.coord.batch, "row",
                                              e.at.coord.row, "col", e.at.coord.col, "hex", hex,
                                              "value", number_json(layout, e.raw)));
    }
    return list;
}
