/* The answer of wsim exec: registers in hex, matrices as numbers, memory after a store; or a list
 * of elements. */
#include "exec.h"
#include "../common/memory.h"
#include "../common/number_json.h"
#include "../common/text.h"
#include "../layout/layout.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- the head --- */

void exec_add_head(struct doc *doc, const struct exec_run *run) {
    doc_pack(doc, "{s:s, s:s, s:s?, s:s?}", "spelling", run->spelling, "arch",
             wsim_arch_name(run->arch), "evidence", run->evidence.word, "source",
             run->evidence.source);
    doc_line(doc, "%s on %s", run->spelling, wsim_arch_name(run->arch));
    if (run->evidence.word)
        doc_line(doc, "evidence: %s (%s)", run->evidence.word, run->evidence.source);
    if (run->is_outside)
        doc_fact(doc, "outside", json_string(run->outside.text), "outside of the ISA: %s",
                 run->outside.text);
    if (run->evidence.caveat)
        doc_fact(doc, "caveat", json_string(run->evidence.caveat), "caveat: %s",
                 run->evidence.caveat);
}

/* Immediates are shown where they differ from the default. */
static void add_group(struct doc *doc, const struct exec_run *run) {
    const struct exec_group *group = &run->group;
    const struct wsim_atom *use = &run->in.atom;
    for (int i = WSIM_A; i <= WSIM_B; i++)
        if (group->in_memory[i])
            doc_line(doc, "  desc-%s = %016" PRIx64 "%s", wsim_operand_name((enum wsim_operand)i),
                     group->desc[i], group->tile[i].mn_major ? " transposed" : "");
    if (!group->scale_d)
        doc_line(doc, "  scale-d = 0: without c");
    if (use->negate_a || use->negate_b)
        doc_line(doc, "  negated:%s%s", use->negate_a ? " a" : "", use->negate_b ? " b" : "");
}

void exec_add_sources(struct doc *doc, const struct exec_run *run) {
    for (int i = 0; i < WSIM_OPERANDS; i++)
        if (run->source[i])
            doc_line(doc, "  %s = %s", wsim_operand_name((enum wsim_operand)i),
                     text_cut(run->source[i]).text);
    if (run->tensor) {
        exec_tensor_sources(doc, run);
        return;
    }
    if (run->has[WSIM_E])
        doc_line(doc, "  selector = %u", (unsigned)run->selector);
    if (run->has[WSIM_SFA])
        doc_line(doc, "  bid-a = %u  tid-a = %u  bid-b = %u  tid-b = %u", (unsigned)run->bid_a,
                 (unsigned)run->tid_a, (unsigned)run->bid_b, (unsigned)run->tid_b);
    if (run->is_group)
        add_group(doc, run);
    if (run->smem_source)
        doc_line(doc, "  smem = %s (%lu bytes)", text_cut(run->smem_source).text,
                 (unsigned long)run->smem.size);
    if (run->addr_source)
        doc_line(doc, "  addr = %s", text_cut(run->addr_source).text);
    if (run->stride)
        doc_line(doc, "  stride = %u", (unsigned)run->stride);
}

/* --- elements --- */

struct element {
    struct layout_entry at;
    uint64_t raw;
};

/* The elements that --lane, --row and --col select of an operand: of A and B the factors of those
 * of the result. */
static struct wsim_fragment_query query_of(const struct exec_run *run, enum wsim_operand operand) {
    struct wsim_fragment_query query = {run->lane, -1, run->row, run->col, -1};
    if (operand == WSIM_B || operand == WSIM_SFB)
        query.row = -1;
    if (operand == WSIM_A || operand == WSIM_SFA || operand == WSIM_E)
        query.col = -1;
    return query;
}

static int next_element(const struct exec_run *run, enum wsim_operand operand, unsigned *cursor,
                        struct element *element) {
    const struct wsim_layout *layout = &run->layout[operand];
    const struct wsim_fragment_query query = query_of(run, operand);
    if (!layout_next(layout, &query, cursor, &element->at))
        return 0;
    element->raw = wsim_words_get(layout, run->regs[operand].words, element->at.place);
    return 1;
}

/* The inputs, if they are shown, and the result after them. */
static int is_shown(const struct exec_run *run, int operand) {
    return run->has[operand] && (operand == WSIM_D || run->show_inputs);
}

static enum wsim_operand in_order(int i) {
    return i + 1 < WSIM_OPERANDS ? (enum wsim_operand)(i + 1) : WSIM_D;
}

static int digits_of(const struct wsim_layout *layout) {
    return (layout->elem_bits + 3) / 4;
}

static void word_selection(struct doc *doc, const struct exec_run *run, enum wsim_operand operand) {
    const struct wsim_fragment_query query = query_of(run, operand);
    char lane[32] = "", row[24] = "", column[24] = "";
    if (query.lane >= 0)
        snprintf(lane, sizeof lane, " of %s %d", layout_holder(&run->layout[operand]), query.lane);
    if (query.row >= 0)
        snprintf(row, sizeof row, ", row %d", query.row);
    if (query.col >= 0)
        snprintf(column, sizeof column, ", column %d", query.col);
    doc_gap(doc);
    doc_line(doc, "%s%s%s%s", wsim_operand_name(operand), lane, row, column);
}

static void word_element(struct doc *doc, const struct exec_run *run,
                         const struct wsim_layout *layout, const struct element *e) {
    const struct wsim_place *place = &e->at.place;
    char number[NUMBER_TEXT], lane[32] = "", bits[32] = "", batch[16] = "";
    number_text(layout, e->raw, number);
    if (run->lane < 0)
        snprintf(lane, sizeof lane, "  %s %3u", layout_holder(layout), place->lane);
    if (layout->elem_bits == 64)
        snprintf(bits, sizeof bits, "-%-2u", place->reg + 1u);
    else if (layout->elem_bits < 32)
        snprintf(bits, sizeof bits, "  bits %2u..%-2u", place->lsb,
                 place->lsb + layout->elem_bits - 1u);
    if (layout->batches > 1)
        snprintf(batch, sizeof batch, "  #%u", e->at.coord.batch);
    doc_line(doc, "%s  reg %2u%s%s  row %2u  col %3u  %0*" PRIx64 "  %s", lane, place->reg, bits,
             batch, e->at.coord.row, e->at.coord.col, digits_of(layout), e->raw, number);
}

/* The selected elements of an operand in registers: an object and, if `is_worded`, a line each. */
static void add_elements(struct doc *doc, const struct exec_run *run, enum wsim_operand operand,
                         int is_worded) {
    const struct wsim_layout *layout = &run->layout[operand];
    struct element e;
    unsigned cursor = 0;
    if (is_worded)
        word_selection(doc, run, operand);
    doc_list(doc, "elements");
    while (next_element(run, operand, &cursor, &e)) {
        doc_object(doc, NULL, "{s:i, s:i, s:i, s:i, s:i, s:i, s:o, s:o}", "lane", e.at.place.lane,
                   "reg", e.at.place.reg, "bit", e.at.place.lsb, "batch", e.at.coord.batch, "row",
                   e.at.coord.row, "col", e.at.coord.col, "hex",
                   json_sprintf("%0*" PRIx64, digits_of(layout), e.raw), "value",
                   number_json(layout, e.raw));
        if (is_worded)
            word_element(doc, run, layout, &e);
    }
    doc_leave(doc);
}

/* --- CSV, and lists on pages --- */

/* A row of an element; `place` NULL: it is in shared memory. */
static void add_list_row(struct doc *doc, const struct exec_run *run, enum wsim_operand operand,
                         const struct wsim_place *place, struct wsim_coord at, uint64_t raw) {
    const struct wsim_layout *layout = &run->layout[operand];
    const char *name = wsim_operand_name(operand);
    char number[NUMBER_TEXT];
    number_text(layout, raw, number);
    if (place)
        doc_row_of(doc, "suuuuuuu", name, place->lane, place->reg, place->lsb, layout->elem_bits,
                   at.batch, at.row, at.col);
    else
        doc_row_of(doc, "s---uuuu", name, layout->elem_bits, at.batch, at.row, at.col);
    doc_cell(doc, NULL, "%0*" PRIx64, digits_of(layout), raw);
    doc_cell(doc, NULL, "%s", number);
}

static void add_list_memory(struct doc *doc, const struct exec_run *run,
                            enum wsim_operand operand) {
    const struct wsim_layout *layout = &run->layout[operand];
    const size_t count = (size_t)layout->rows * layout->cols;
    uint64_t *matrix = memory_make(count, sizeof *matrix);
    exec_matrix(run, operand, matrix);
    for (size_t i = 0; i < count; i++)
        add_list_row(
            doc, run, operand, NULL,
            (struct wsim_coord){0, (uint16_t)(i / layout->cols), (uint16_t)(i % layout->cols)},
            matrix[i]);
    free(matrix);
}

static void add_list(struct doc *doc, const struct exec_run *run) {
    static const char *const keys[] = {"operand", "lane", "reg", "bit", "bits",
                                       "batch",   "row",  "col", "hex", "value"};
    doc_table(doc, NULL, NULL);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        doc_column(doc, 0, keys[i], "%s", keys[i]);
    for (int i = 0; i < WSIM_OPERANDS; i++) {
        const enum wsim_operand operand = in_order(i);
        struct element e;
        unsigned cursor = 0;
        if (is_shown(run, operand) && run->group.in_memory[operand])
            add_list_memory(doc, run, operand);
        else if (is_shown(run, operand))
            while (next_element(run, operand, &cursor, &e))
                add_list_row(doc, run, operand, &e.at.place, e.at.coord, e.raw);
    }
    doc_leave(doc);
}

/* --- fragments --- */

struct fragment {
    enum wsim_operand operand;
    const struct wsim_layout *layout;
    const uint32_t *words;
    uint64_t *matrix; /* of all batches */
};

static struct fragment open_fragment(const struct exec_run *run, enum wsim_operand operand) {
    const struct wsim_layout *layout = &run->layout[operand];
    struct fragment f = {operand, layout, run->regs[operand].words, NULL};
    f.matrix = memory_make((size_t)layout->batches * layout->rows * layout->cols, sizeof *f.matrix);
    exec_matrix(run, operand, f.matrix);
    return f;
}

void exec_matrix(const struct exec_run *run, enum wsim_operand operand, uint64_t *matrix) {
    if (run->tensor)
        exec_tensor_matrix(run, operand, matrix);
    else if (run->group.in_memory[operand])
        exec_group_matrix(run, operand, matrix);
    else
        wsim_words_unpack(&run->layout[operand], run->regs[operand].words, matrix);
}

static uint64_t raw_at(const struct fragment *f, unsigned batch, unsigned row, unsigned col) {
    return f->matrix[((size_t)batch * f->layout->rows + row) * f->layout->cols + col];
}

static void add_registers(struct doc *doc, const struct fragment *f) {
    const unsigned lanes = f->layout->lanes;
    const unsigned wide = f->layout->elem_bits == 64, count = f->layout->regs / (1 + wide);
    doc_table(doc, NULL, NULL);
    doc_column(doc, 0, NULL, "lane");
    for (unsigned i = 0; i < count; i++)
        doc_column(doc, 0, NULL, "%s%u", wsim_operand_name(f->operand), i);
    doc_heading(doc, "%s in registers", wsim_operand_name(f->operand));
    for (unsigned lane = 0; lane < lanes; lane++) {
        doc_row(doc);
        doc_cell(doc, NULL, "%u", lane);
        for (unsigned i = 0; i < count; i++) {
            const uint32_t *word = f->words + (i << wide) * lanes + lane;
            if (wide)
                doc_cell(doc, NULL, "%08lx%08lx", (unsigned long)word[lanes], (unsigned long)*word);
            else
                doc_cell(doc, NULL, "%08lx", (unsigned long)*word);
        }
    }
    doc_leave(doc);
}

/* A row of bits, without gaps. */
static void add_bits(struct doc *doc, const struct fragment *f, unsigned batch, unsigned row) {
    enum { CHUNK = 64 };
    char bits[CHUNK + 1];
    for (unsigned col = 0; col < f->layout->cols; col += CHUNK) {
        unsigned n = 0;
        for (; n < CHUNK && col + n < f->layout->cols; n++)
            bits[n] = raw_at(f, batch, row, col + n) ? '1' : '0';
        bits[n] = '\0';
        if (col)
            doc_line(doc, "         %s", bits);
        else
            doc_line(doc, "%7u  %s", row, bits);
    }
}

static void add_numbers(struct doc *doc, const struct fragment *f, unsigned batch) {
    for (unsigned row = 0; row < f->layout->rows; row++) {
        doc_row(doc);
        doc_cell(doc, NULL, "%u", row);
        for (unsigned col = 0; col < f->layout->cols; col++) {
            char text[NUMBER_TEXT];
            number_text(f->layout, raw_at(f, batch, row, col), text);
            doc_cell(doc, NULL, "%s", text);
        }
    }
}

static void add_matrix(struct doc *doc, const struct fragment *f, unsigned batch) {
    const struct wsim_layout *layout = f->layout;
    char words[80], number[16] = "";
    if (layout->batches > 1)
        snprintf(number, sizeof number, ", #%u", batch);
    snprintf(words, sizeof words, "%s as %u x %u %s%s", wsim_operand_name(f->operand), layout->rows,
             layout->cols, layout->format->name, number);
    if (layout->elem_bits == 1 && doc_is(doc, TOOL_TEXT)) {
        doc_gap(doc);
        doc_line(doc, "%s", words);
        for (unsigned row = 0; row < layout->rows; row++)
            add_bits(doc, f, batch, row);
        return;
    }
    doc_table(doc, NULL, NULL);
    doc_column(doc, 0, NULL, "row\\col");
    for (unsigned col = 0; col < layout->cols; col++)
        doc_column(doc, 0, NULL, "%u", col);
    doc_heading(doc, "%s", words);
    add_numbers(doc, f, batch);
    doc_leave(doc);
}

static void list_matrices(struct doc *doc, const struct fragment *f) {
    doc_list(doc, "matrices");
    for (unsigned batch = 0; batch < f->layout->batches; batch++) {
        doc_list(doc, NULL);
        for (unsigned row = 0; row < f->layout->rows; row++) {
            doc_list(doc, NULL);
            for (unsigned col = 0; col < f->layout->cols; col++)
                doc_set(doc, NULL, number_json(f->layout, raw_at(f, batch, row, col)));
            doc_leave(doc);
        }
        doc_leave(doc);
    }
    doc_leave(doc);
}

/* Whether the source of an operand is its "hex" in JSON. */
static int is_digits(const char *source) {
    return *source != '@' && operand_is_hex(source);
}

/* An operand as an object; in a list of elements, or where it is shown, with its contents. */
static void add_operand(struct doc *doc, const struct exec_run *run, enum wsim_operand operand) {
    const int shows = is_shown(run, operand);
    struct fragment f = open_fragment(run, operand);
    char *hex = operand_hex(f.layout, f.words);
    doc_enter(doc, wsim_operand_name(operand));
    doc_set(doc, "format", json_string(f.layout->format->name));
    if (exec_is_list(run) && f.layout->regs)
        add_elements(doc, run, operand, shows);
    else if (run->tensor && exec_is_list(run) && shows)
        exec_tensor_elements(doc, run);
    else if (run->group.in_memory[operand] && !run->tensor)
        doc_set(doc, "descriptor", json_sprintf("%016" PRIx64, run->group.desc[operand]));
    else if (!run->tensor)
        doc_set(doc, "hex", json_string(hex));
    if (run->source[operand] && !is_digits(run->source[operand]))
        doc_set(doc, "from", tool_json_text(run->source[operand]));
    if (shows && !exec_is_list(run)) {
        list_matrices(doc, &f);
        if (doc_is(doc, DOC_SHOWN) && f.layout->regs)
            add_registers(doc, &f);
        for (unsigned batch = 0; doc_is(doc, DOC_SHOWN) && batch < f.layout->batches; batch++)
            add_matrix(doc, &f, batch);
    }
    doc_leave(doc);
    free(hex);
    free(f.matrix);
}

/* --- memory --- */

/* Elements of the size that was stored, 16 bytes a row; those of more than 16 bits in hex. */
static void add_rows_of_memory(struct doc *doc, const struct exec_run *run) {
    const unsigned bytes = run->layout[WSIM_R].elem_bits / 8u;
    doc_table(doc, NULL, NULL);
    doc_column(doc, 0, NULL, "smem");
    for (unsigned at = 0; at < 16; at += bytes)
        doc_column(doc, 0, NULL, "%u", at);
    doc_heading(doc, "smem after, %u-bit elements", 8 * bytes);
    for (uint32_t at = 0; at + bytes <= run->smem.size; at += bytes) {
        unsigned long long value = 0;
        for (unsigned byte = 0; byte < bytes; byte++)
            value |= (unsigned long long)run->smem.bytes[at + byte] << 8 * byte;
        if (at % 16 == 0) {
            doc_row(doc);
            doc_cell(doc, NULL, "0x%04lx", (unsigned long)at);
        }
        if (bytes > 2)
            doc_cell(doc, NULL, "%0*llx", (int)(2 * bytes), value);
        else
            doc_cell(doc, NULL, "%llu", value);
    }
    doc_leave(doc);
}

static void add_memory(struct doc *doc, const struct exec_run *run) {
    static const struct doc_column columns[] = {
        {"address", "address", 0}, {"byte", "byte", 0}, {NULL, NULL, 0}};
    char *hex = operand_bytes_hex(run->smem.bytes, run->smem.size);
    doc_set(doc, "smem_after", json_string(hex));
    free(hex);
    if (!doc_is(doc, TOOL_CSV)) {
        add_rows_of_memory(doc, run);
        return;
    }
    doc_table(doc, NULL, columns);
    for (uint32_t at = 0; at < run->smem.size; at++) {
        doc_row(doc);
        doc_cell(doc, NULL, "0x%05x", (unsigned)at);
        doc_cell(doc, NULL, "%02x", run->smem.bytes[at]);
    }
    doc_leave(doc);
}

/* --- the answer --- */

static void add_inputs(struct doc *doc, const struct exec_run *run) {
    doc_enter(doc, "inputs");
    for (int i = WSIM_A; i < WSIM_OPERANDS; i++)
        if (run->has[i])
            add_operand(doc, run, (enum wsim_operand)i);
    if (run->tensor) {
        doc_leave(doc);
        return;
    }
    if (run->has[WSIM_E])
        doc_set(doc, "selector", json_integer(run->selector));
    if (run->has[WSIM_SFA])
        doc_pack(doc, "{s:i, s:i, s:i, s:i}", "bid_a", run->bid_a, "tid_a", run->tid_a, "bid_b",
                 run->bid_b, "tid_b", run->tid_b);
    if (run->is_group)
        doc_pack(doc, "{s:i, s:b, s:b, s:b, s:b}", "scale_d", run->group.scale_d, "negate_a",
                 run->in.atom.negate_a, "negate_b", run->in.atom.negate_b, "trans_a",
                 run->in.atom.trans_a, "trans_b", run->in.atom.trans_b);
    if (run->smem_source)
        doc_set(doc, "smem", tool_json_text(run->smem_source));
    if (run->addr_source) {
        doc_list(doc, "addr");
        for (unsigned lane = 0; lane < WSIM_LANES; lane++)
            doc_set(doc, NULL, json_integer(run->addr[lane]));
        doc_leave(doc);
    }
    if (run->stride)
        doc_set(doc, "stride", json_integer(run->stride));
    doc_leave(doc);
}

void exec_answer(struct doc *doc, const struct exec_run *run) {
    exec_add_head(doc, run);
    exec_add_sources(doc, run);
    if (run->lane >= 0)
        doc_set(doc, "lane", json_integer(run->lane));
    if (run->row >= 0)
        doc_set(doc, "row", json_integer(run->row));
    if (run->col >= 0)
        doc_set(doc, "col", json_integer(run->col));
    if (run->has[WSIM_D] && doc_is(doc, exec_is_list(run) ? TOOL_CSV | DOC_PAGES : TOOL_CSV)) {
        add_list(doc, run);
        return;
    }
    add_inputs(doc, run);
    if (run->has[WSIM_D])
        add_operand(doc, run, WSIM_D);
    else
        add_memory(doc, run);
}
