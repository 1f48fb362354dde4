/* What wsim exec prints: registers in hex, matrices as numbers, memory after a store. */
#include "exec_print.h"
#include "exec_group.h"
#include "exec_list.h"
#include "../common/memory.h"
#include "../common/number_json.h"
#include "operand_word.h"
#include "../common/screen.h"
#include "../common/page.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <inttypes.h>
#include <stdlib.h>

struct fragment {
    const char *name;
    const struct wsim_layout *layout;
    const uint32_t *words;
    uint64_t *matrix; /* of all batches */
    unsigned batch;
};

static struct fragment fragment_of(const struct exec_run *run, int operand) {
    const struct wsim_layout *layout = &run->layout[operand];
    struct fragment f = {wsim_operand_name(operand), layout, run->regs[operand].words, NULL, 0};
    f.matrix = memory_make((size_t)layout->batches * layout->rows * layout->cols, sizeof *f.matrix);
    if (run->group.in_memory[operand])
        exec_group_matrix(run, (enum wsim_operand)operand, f.matrix);
    else
        wsim_words_unpack(layout, f.words, f.matrix);
    return f;
}

static uint64_t raw_at(const struct fragment *f, unsigned batch, unsigned row, unsigned col) {
    return f->matrix[((size_t)batch * f->layout->rows + row) * f->layout->cols + col];
}

/* --- text --- */

static void register_cell(const void *about, unsigned lane, unsigned col, char out[TABLE_CELL]) {
    const struct fragment *f = about;
    unsigned lanes = f->layout->lanes, wide = f->layout->elem_bits == 64;
    const uint32_t *word = f->words + (col << wide) * lanes + lane;
    if (wide)
        snprintf(out, TABLE_CELL, "%08lx%08lx", (unsigned long)word[lanes], (unsigned long)*word);
    else
        snprintf(out, TABLE_CELL, "%08lx", (unsigned long)*word);
}

static void matrix_cell(const void *about, unsigned row, unsigned col, char out[TABLE_CELL]) {
    const struct fragment *f = about;
    number_text(f->layout, raw_at(f, f->batch, row, col), out);
}

static void number_head(const void *about, unsigned at, char out[TABLE_CELL]) {
    (void)about;
    snprintf(out, TABLE_CELL, "%u", at);
}

static void register_head(const void *about, unsigned col, char out[TABLE_CELL]) {
    snprintf(out, TABLE_CELL, "%s%u", ((const struct fragment *)about)->name, col);
}

/* Bits need no gaps; what of a row does not fit on the screen goes on below it, in steps of 32. */
static void print_bits(const struct fragment *f) {
    enum { HEAD = 9, STEP = 32 };
    unsigned most = (screen_columns() - HEAD) / STEP * STEP, row, col;
    for (row = 0; row < f->layout->rows; row++) {
        printf("%7u  ", row);
        for (col = 0; col < f->layout->cols; col++) {
            if (col && most && col % most == 0)
                printf("\n%*s", HEAD, "");
            putchar(raw_at(f, f->batch, row, col) ? '1' : '0');
        }
        putchar('\n');
    }
}

static void print_matrix(struct fragment *f) {
    struct table table = {.rows = f->layout->rows,
                          .cols = f->layout->cols,
                          .corner = "row\\col",
                          .about = f,
                          .cell = matrix_cell,
                          .row_head = number_head,
                          .col_head = number_head};
    for (f->batch = 0; f->batch < f->layout->batches; f->batch++) {
        printf("\n%s as %u x %u %s", f->name, f->layout->rows, f->layout->cols,
               f->layout->format->name);
        if (f->layout->batches > 1)
            printf(", #%u", f->batch);
        putchar('\n');
        if (f->layout->elem_bits == 1)
            print_bits(f);
        else
            table_print(&table);
    }
}

static void print_fragment(const struct exec_run *run, int operand) {
    struct fragment f = fragment_of(run, operand);
    unsigned wide = f.layout->elem_bits == 64;
    struct table table = {.rows = f.layout->lanes,
                          .cols = f.layout->regs >> wide,
                          .corner = "lane",
                          .about = &f,
                          .cell = register_cell,
                          .row_head = number_head,
                          .col_head = register_head};
    if (f.layout->regs) {
        printf("\n%s in registers\n", f.name);
        table_print(&table);
    }
    print_matrix(&f);
    free(f.matrix);
}

/* Elements of the size that was stored, 16 bytes a line; those of more than 16 bits in hex. */
static void print_memory(const struct exec_run *run) {
    unsigned bytes = run->layout[WSIM_R].elem_bits / 8u;
    uint32_t at;
    printf("\nsmem after, %u-bit elements\n", 8 * bytes);
    for (at = 0; at + bytes <= run->smem.size; at += bytes) {
        const char *end = at % 16 + bytes == 16 ? "\n" : "";
        unsigned long long value = 0;
        unsigned byte;
        for (byte = 0; byte < bytes; byte++)
            value |= (unsigned long long)run->smem.bytes[at + byte] << 8 * byte;
        if (at % 16 == 0)
            printf("0x%04lx ", (unsigned long)at);
        if (bytes > 2)
            printf(" %0*llx%s", (int)(2 * bytes), value, end);
        else
            printf(" %*llu%s", bytes == 2 ? 5 : 3, value, end);
    }
    if (at % 16)
        putchar('\n');
}

/* Immediates are said where they are not what most have. */
static void print_group(const struct exec_run *run) {
    const struct exec_group *group = &run->group;
    int i;
    for (i = WSIM_A; i <= WSIM_B; i++)
        if (group->in_memory[i])
            printf("  desc-%s = %016" PRIx64 "%s\n", wsim_operand_name((enum wsim_operand)i),
                   group->desc[i], group->tile[i].mn_major ? " transposed" : "");
    if (!group->scale_d)
        puts("  scale-d = 0: without c");
    if (group->negate_a || group->negate_b)
        printf("  negated:%s%s\n", group->negate_a ? " a" : "", group->negate_b ? " b" : "");
}

void exec_print_sources(const struct exec_run *run) {
    int i;
    for (i = 0; i < WSIM_OPERANDS; i++)
        if (run->source[i])
            printf("  %s = %s\n", wsim_operand_name((enum wsim_operand)i),
                   text_cut(run->source[i]).text);
    if (run->has[WSIM_E])
        printf("  selector = %u\n", (unsigned)run->selector);
    if (run->has[WSIM_SFA])
        printf("  bid-a = %u  tid-a = %u  bid-b = %u  tid-b = %u\n", (unsigned)run->bid_a,
               (unsigned)run->tid_a, (unsigned)run->bid_b, (unsigned)run->tid_b);
    if (run->is_group)
        print_group(run);
    if (run->smem_source)
        printf("  smem = %s (%lu bytes)\n", text_cut(run->smem_source).text,
               (unsigned long)run->smem.size);
    if (run->addr_source)
        printf("  addr = %s\n", text_cut(run->addr_source).text);
    if (run->stride)
        printf("  stride = %u\n", (unsigned)run->stride);
}

void exec_print_head(const struct exec_run *run) {
    screen_fold(2, "%s on %s", run->spelling, wsim_arch_name(run->arch));
    if (run->evidence)
        screen_fold(2, "evidence: %s (%s)", run->evidence, run->evidence_source);
    if (run->is_outside)
        screen_fold(2, "outside of the ISA: %s", run->outside.text);
    if (run->caveat)
        screen_fold(2, "caveat: %s", run->caveat);
    exec_print_sources(run);
}

void exec_print_text(const struct exec_run *run) {
    int i;
    exec_print_head(run);
    if (exec_is_list(run)) {
        exec_list_text(run);
        return;
    }
    for (i = WSIM_A; i < WSIM_OPERANDS && run->show_inputs; i++)
        if (run->has[i])
            print_fragment(run, i);
    if (run->has[WSIM_D])
        print_fragment(run, WSIM_D);
    else
        print_memory(run);
}

/* --- pages --- */

/* A fragment by lane and register, and its matrices: a table each, and what it is about. */
struct pages {
    struct page page;
    struct fragment *fragment;
    struct table *table;
    size_t count;
};

static void add_table(struct pages *p, const struct fragment *f, int batch) {
    struct table *table = &p->table[p->count];
    char caption[128];
    struct fragment *own = &p->fragment[p->count++];
    *own = *f;
    own->batch = batch < 0 ? 0 : (unsigned)batch;
    *table = (struct table){.about = own, .row_head = number_head};
    table->rows = batch < 0 ? f->layout->lanes : f->layout->rows;
    table->cols = batch < 0 ? f->layout->regs >> (f->layout->elem_bits == 64) : f->layout->cols;
    table->corner = batch < 0 ? "lane" : "row\\col";
    table->cell = batch < 0 ? register_cell : matrix_cell;
    table->col_head = batch < 0 ? register_head : number_head;
    if (batch < 0)
        snprintf(caption, sizeof caption, "%s in registers", f->name);
    else if (f->layout->batches > 1)
        snprintf(caption, sizeof caption, "%s as %u x %u %s, #%d", f->name, f->layout->rows,
                 f->layout->cols, f->layout->format->name, batch);
    else
        snprintf(caption, sizeof caption, "%s as %u x %u %s", f->name, f->layout->rows,
                 f->layout->cols, f->layout->format->name);
    page_table(&p->page, caption, table);
}

static void add_fragment(struct pages *p, const struct exec_run *run, int operand) {
    struct fragment f = fragment_of(run, operand);
    if (f.layout->regs)
        add_table(p, &f, -1);
    for (unsigned batch = 0; batch < f.layout->batches; batch++)
        add_table(p, &f, (int)batch);
}

void exec_page_evidence(const struct exec_run *run, struct page *page) {
    if (run->evidence)
        page_line(page, WSIM_LINES_ABOVE, "evidence: %s (%s)", run->evidence, run->evidence_source);
    if (run->is_outside)
        page_line(page, WSIM_LINES_ABOVE, "outside of the ISA: %s", run->outside.text);
    if (run->caveat)
        page_line(page, WSIM_LINES_ABOVE, "caveat: %s", run->caveat);
}

void exec_page_sources(const struct exec_run *run, struct page *page) {
    for (int i = 0; i < WSIM_OPERANDS; i++)
        if (run->source[i])
            page_line(page, WSIM_LINES_ABOVE, "%s = %s", wsim_operand_name((enum wsim_operand)i),
                      text_cut(run->source[i]).text);
}

int exec_print_page(const struct exec_run *run, enum tool_format format) {
    char title[WSIM_SPELLING_MAX + 32];
    struct pages p = {.count = 0};
    size_t tables = 0;
    int status;
    if (exec_is_list(run))
        return tool_error("--lane, --row and --col list elements: as text, json or csv");
    if (!run->has[WSIM_D])
        return tool_error("bytes of memory have no picture: the format can be text, json or csv");
    for (int i = 0; i < WSIM_OPERANDS; i++)
        tables += run->has[i] ? 1u + run->layout[i].batches : 0;
    p.fragment = memory_make(tables, sizeof *p.fragment); /* which do not move any more */
    p.table = memory_make(tables, sizeof *p.table);
    snprintf(title, sizeof title, "%s on %s", run->spelling, wsim_arch_name(run->arch));
    page_open(&p.page, title);
    exec_page_evidence(run, &p.page);
    exec_page_sources(run, &p.page);
    for (int i = WSIM_A; i < WSIM_OPERANDS && run->show_inputs; i++)
        if (run->has[i])
            add_fragment(&p, run, i);
    add_fragment(&p, run, WSIM_D);
    status = page_print(&p.page, format);
    for (size_t i = 0; i < p.count; i++)
        if (i == 0 || p.fragment[i].matrix != p.fragment[i - 1].matrix)
            free(p.fragment[i].matrix);
    free(p.fragment);
    free(p.table);
    return status;
}

/* --- JSON --- */

static json_t *row_json(const struct fragment *f, unsigned batch, unsigned row) {
    json_t *list = json_array();
    unsigned col;
    for (col = 0; col < f->layout->cols; col++)
        json_array_append_new(list, number_json(f->layout, raw_at(f, batch, row, col)));
    return list;
}

static json_t *matrices_json(const struct fragment *f) {
    json_t *matrices = json_array();
    unsigned batch, row;
    for (batch = 0; batch < f->layout->batches; batch++) {
        json_t *rows = json_array();
        for (row = 0; row < f->layout->rows; row++)
            json_array_append_new(rows, row_json(f, batch, row));
        json_array_append_new(matrices, rows);
    }
    return matrices;
}

static json_t *descriptor_json(uint64_t bits) {
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, bits);
    return json_string(text);
}

/* They stand there as "hex" already. */
static int is_digits(const char *source) {
    return *source != '@' && operand_is_hex(source);
}

static json_t *fragment_json(const struct exec_run *run, int operand, int with_numbers) {
    struct fragment f = fragment_of(run, operand);
    char *hex = operand_hex(f.layout, f.words);
    json_t *root = json_pack("{s:s}", "format", f.layout->format->name);
    if (exec_is_list(run) && f.layout->regs)
        json_object_set_new(root, "elements", exec_list_json(run, (enum wsim_operand)operand));
    else if (run->group.in_memory[operand])
        json_object_set_new(root, "descriptor", descriptor_json(run->group.desc[operand]));
    else
        json_object_set_new(root, "hex", json_string(hex));
    if (run->source[operand] && !is_digits(run->source[operand]))
        json_object_set_new(root, "from", tool_json_text(run->source[operand]));
    if (with_numbers && !exec_is_list(run))
        json_object_set_new(root, "matrices", matrices_json(&f));
    free(hex);
    free(f.matrix);
    return root;
}

static json_t *addresses_json(const uint32_t addr[WSIM_LANES]) {
    json_t *list = json_array();
    unsigned lane;
    for (lane = 0; lane < WSIM_LANES; lane++)
        json_array_append_new(list, json_integer(addr[lane]));
    return list;
}

static json_t *inputs_json(const struct exec_run *run) {
    json_t *inputs = json_object();
    int i;
    for (i = WSIM_A; i < WSIM_OPERANDS; i++)
        if (run->has[i])
            json_object_set_new(inputs, wsim_operand_name((enum wsim_operand)i),
                                fragment_json(run, i, run->show_inputs));
    if (run->has[WSIM_E])
        json_object_set_new(inputs, "selector", json_integer(run->selector));
    if (run->has[WSIM_SFA])
        json_object_update_new(inputs,
                               json_pack("{s:i, s:i, s:i, s:i}", "bid_a", run->bid_a, "tid_a",
                                         run->tid_a, "bid_b", run->bid_b, "tid_b", run->tid_b));
    if (run->is_group)
        json_object_update_new(
            inputs, json_pack("{s:i, s:b, s:b, s:b, s:b}", "scale_d", run->group.scale_d,
                              "negate_a", run->group.negate_a, "negate_b", run->group.negate_b,
                              "trans_a", run->group.trans_a, "trans_b", run->group.trans_b));
    if (run->smem_source)
        json_object_set_new(inputs, "smem", tool_json_text(run->smem_source));
    if (run->addr_source)
        json_object_set_new(inputs, "addr", addresses_json(run->addr));
    if (run->stride)
        json_object_set_new(inputs, "stride", json_integer(run->stride));
    return inputs;
}

void exec_print_json(const struct exec_run *run) {
    json_t *root =
        json_pack("{s:s, s:i, s:s, s:s, s:s?, s:s?, s:o}", "schema", "wsim.exec", "version", 1,
                  "spelling", run->spelling, "arch", wsim_arch_name(run->arch), "evidence",
                  run->evidence, "source", run->evidence_source, "inputs", inputs_json(run));
    if (run->caveat)
        json_object_set_new(root, "caveat", json_string(run->caveat));
    if (run->is_outside)
        json_object_set_new(root, "outside", json_string(run->outside.text));
    if (run->lane >= 0)
        json_object_set_new(root, "lane", json_integer(run->lane));
    if (run->row >= 0)
        json_object_set_new(root, "row", json_integer(run->row));
    if (run->col >= 0)
        json_object_set_new(root, "col", json_integer(run->col));
    if (run->has[WSIM_D]) {
        json_object_set_new(root, "d", fragment_json(run, WSIM_D, 1));
    } else {
        char *hex = operand_bytes_hex(run->smem.bytes, run->smem.size);
        json_object_set_new(root, "smem_after", json_string(hex));
        free(hex);
    }
    tool_print_json(root);
}
