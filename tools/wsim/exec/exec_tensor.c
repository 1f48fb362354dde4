/* A tcgen05.mma on operands from the command line. A and B lie in shared memory without a swizzle.
 * C, scale factors and metadata lie in tensor memory, each from a column of its own on. */
#include "exec.h"
#include "../common/memory.h"
#include "../common/number_json.h"
#include "../common/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    LANES = 128,
    COLUMNS = 512,
    WORD = 4,
    SHARED = 1 << 16,
    BLOCKS = 2,
    CORE = 16,
    MASK_WORDS = 4
};

/* Columns from which operands lie on. */
static const uint16_t columns[WSIM_OPERANDS] = {
    [WSIM_D] = 0, [WSIM_SFA] = 256, [WSIM_SFB] = 264, [WSIM_E] = 272, [WSIM_A] = 280};

/* Everything of one product. */
struct exec_tensor {
    uint64_t *matrix[WSIM_OPERANDS];
    uint8_t *bytes[BLOCKS], *tensor_bytes[BLOCKS];
    struct wsim_memory shared[BLOCKS], tensor[BLOCKS];
    uint32_t mask[BLOCKS * MASK_WORDS], masks; /* words that are given                  */
    uint64_t zero_columns;
};

/* --- the operands --- */

/* Without a swizzle and gaps, from `start` on; MN-major tf32 has atoms of 32 bytes. */
static void open_descriptor(struct exec_group *group, enum wsim_operand operand, uint32_t start) {
    const struct wsim_tile *tile = &group->tile[operand];
    struct wsim_descriptor *d = &group->at[operand];
    *d = (struct wsim_descriptor){.start = start, .stride = 8 * CORE};
    d->leading = tile->rows * (uint32_t)CORE;
    if (tile->mn_major && tile->bits == 32) {
        d->mode = WSIM_SWIZZLE_128B_ATOM_32B;
        d->stride = 4 * 128;
        d->leading = tile->k / 4u * d->stride;
    } else if (tile->mn_major) {
        d->leading = (tile->rows * tile->bits / 8u + CORE - 1) / CORE * 8 * CORE;
    }
    wsim_umma_matrix_encode(d, &group->desc[operand], NULL);
}

/* Reads a number in hex that ends at `end`; *text is behind it then. */
static void read_hex(const char *option, const char **text, char end, uint64_t most,
                     uint64_t *number) {
    char *behind;
    *number = strtoull(*text, &behind, 16);
    if (behind == *text || **text == '-' || **text == '+' || *number > most ||
        (*behind && *behind != end))
        tool_fail("--%s '%s': hex expected, at most %" PRIx64, option, text_cut(*text).text, most);
    *text = behind + (*behind != '\0');
}

static void read_masks(struct exec_tensor *t, const struct wsim_umma *form,
                       const struct exec_options *o) {
    const uint32_t words = MASK_WORDS * form->blocks;
    const char *text = o->lane_mask;
    uint64_t number;
    while (text && *text && t->masks < words) {
        read_hex("lane-mask", &text, ',', UINT32_MAX, &number);
        t->mask[t->masks++] = (uint32_t)number;
    }
    if (text && (t->masks != words || *text))
        tool_fail("--lane-mask: %u words are needed, lanes 0 to 31 first", (unsigned)words);
    if (text && (form->stationary || form->factors))
        tool_fail("--lane-mask: tcgen05.mma.ws and block-scaled kinds have none");
    text = o->zero_mask;
    if (text)
        read_hex("zero-mask", &text, '\0', UINT64_MAX, &t->zero_columns);
}

void exec_tensor_open(struct exec_run *run, const struct exec_options *o) {
    struct exec_tensor *t = run->tensor = memory_make(1, sizeof *t);
    const char *given = exec_group_given(&o->group);
    char words[UMMA_TEXT];
    if (given && strcmp(given, "scale-d") != 0)
        tool_fail("--%s: tcgen05 has it in its instruction descriptor: write tA=1 tB=1 "
                  "negA=1 negB=1 after the instruction",
                  given);
    umma_words(&run->in.umma.shape, words);
    snprintf(run->spelling, sizeof run->spelling, "%.90s %.98s", run->in.spelling, words);
    memcpy(run->group.in_memory, run->has, sizeof run->has);
    for (int i = WSIM_A; i <= WSIM_B; i++) {
        const enum wsim_operand operand = (enum wsim_operand)i;
        instruction_tile(&run->in, operand, &run->group.tile[i], NULL);
        open_descriptor(&run->group, operand, operand == WSIM_A ? 0 : SHARED / 2);
    }
    run->group.scale_d = 1;
    read_masks(t, &run->in.umma.form, o);
    tool_number("--scale-d", o->group.scale_d, 1, &run->group.scale_d);
}

/* --- filling --- */

/* Metadata: the first positions of a chunk, or any that tcgen05 defines. */
static void fill_metadata(const struct exec_run *run, const char *text, uint64_t *matrix) {
    static const uint8_t pairs[] = {0x4, 0x8, 0xC, 0x9, 0xD, 0x6, 0xE}, singles[] = {0x4, 0xE};
    const struct wsim_layout *e = &run->layout[WSIM_E];
    const int single = run->layout[WSIM_B].rows == 2 * e->cols;
    const unsigned count = single ? sizeof singles : sizeof pairs;
    const int random = operand_is_random(text);
    uint32_t seed;
    if (!random && strcmp(text, "keep") != 0) {
        if (operand_is_numbers(text))
            operand_numbers("--e", e, text, &run->reading, matrix);
        else
            tool_fail("--e '%s': must be keep, random:SEED, "
                      "I,J=NUMBER, FILE.csv, FILE.npy",
                      text_cut(text).text);
        return;
    }
    seed = operand_seed("--e", text);
    for (size_t i = 0; i < (size_t)e->rows * e->cols; i++) {
        const unsigned at = random ? (unsigned)(operand_random(seed, i) % count) : 0;
        matrix[i] = single ? singles[at] : pairs[at];
    }
}

/* Each block of a pair has half of the rows of A, and of the columns of B. */
static void place_shared(const struct exec_run *run, enum wsim_operand operand) {
    const struct exec_tensor *t = run->tensor;
    const struct wsim_layout *layout = &run->layout[operand];
    const unsigned each = run->group.tile[operand].rows;
    for (unsigned row = 0; row < layout->rows; row++)
        for (unsigned col = 0; col < layout->cols; col++) {
            const unsigned block = (operand == WSIM_A ? row : col) / each;
            const struct exec_place p = exec_place(run, operand, row, col);
            exec_put_bits(t->bytes[block] + p.at, p.bit, p.bits,
                          t->matrix[operand][(size_t)row * layout->cols + col]);
        }
}

/* Puts an operand into all its places of tensor memory; C lies where D will. */
static void place_tensor(const struct exec_run *run, enum wsim_operand operand) {
    const struct exec_tensor *t = run->tensor;
    const enum wsim_operand as = operand == WSIM_C ? WSIM_D : operand;
    const struct wsim_layout *layout = &run->layout[operand];
    struct wsim_umma_place p;
    for (unsigned row = 0; row < layout->rows; row++)
        for (unsigned col = 0; col < layout->cols; col++)
            for (unsigned copy = 0; wsim_umma_place_at(&run->code, as, row, col, copy, &p); copy++)
                exec_put_bits(t->tensor_bytes[p.block] +
                                  ((size_t)p.lane * COLUMNS + columns[as] + p.column) * WORD,
                              p.bit, p.bits, t->matrix[operand][(size_t)row * layout->cols + col]);
}

void exec_tensor_fill(struct exec_run *run, const struct exec_options *o) {
    struct exec_tensor *t = run->tensor;
    for (int i = 0; i < BLOCKS; i++) {
        t->bytes[i] = memory_make(SHARED, 1);
        t->tensor_bytes[i] = memory_make((size_t)LANES * COLUMNS, WORD);
    }
    for (int i = WSIM_A; i < WSIM_OPERANDS; i++) {
        const enum wsim_operand operand = (enum wsim_operand)i;
        const struct wsim_layout *layout = &run->layout[i];
        if (!run->has[i])
            continue;
        run->source[i] = o->text[i] ? o->text[i] : operand_default(operand);
        t->matrix[i] = memory_make((size_t)layout->rows * layout->cols, sizeof *t->matrix[i]);
        if (operand == WSIM_E)
            fill_metadata(run, run->source[i], t->matrix[i]);
        else
            operand_matrix(operand, layout, run->source[i], &run->reading, "", t->matrix[i]);
        if (operand == WSIM_B || (operand == WSIM_A && !run->in.umma.a_in_tensor))
            place_shared(run, operand);
        else
            place_tensor(run, operand);
    }
}

void exec_tensor_bind(struct exec_run *run) {
    struct exec_tensor *t = run->tensor;
    for (int i = 0; i < BLOCKS; i++) {
        t->shared[i] = wsim_memory_over(WSIM_SHARED, t->bytes[i], SHARED, 0);
        t->tensor[i] = wsim_memory_over(WSIM_TENSOR, t->tensor_bytes[i], LANES * COLUMNS * WORD, 0);
    }
    run->io = (struct wsim_io){.shared = &t->shared[0],
                               .umma = {.tensor = &t->tensor[0],
                                        .odd_shared = &t->shared[1],
                                        .odd_tensor = &t->tensor[1],
                                        .desc_a = run->group.desc[WSIM_A],
                                        .desc_b = run->group.desc[WSIM_B],
                                        .d = columns[WSIM_D],
                                        .a = columns[WSIM_A],
                                        .e = columns[WSIM_E],
                                        .sfa = columns[WSIM_SFA],
                                        .sfb = columns[WSIM_SFB],
                                        .a_in_tensor = (uint8_t)run->in.umma.a_in_tensor,
                                        .mask = t->masks ? t->mask : NULL,
                                        .zero_columns = t->zero_columns,
                                        .adds = (uint8_t)run->group.scale_d}};
}

void exec_tensor_matrix(const struct exec_run *run, enum wsim_operand operand, uint64_t *matrix) {
    const struct exec_tensor *t = run->tensor;
    const struct wsim_layout *layout = &run->layout[operand];
    struct wsim_umma_place p;
    for (unsigned row = 0; row < layout->rows; row++)
        for (unsigned col = 0; col < layout->cols; col++, matrix++) {
            *matrix = t->matrix[operand] ? t->matrix[operand][(size_t)row * layout->cols + col] : 0;
            if (operand == WSIM_D && wsim_umma_place_at(&run->code, WSIM_D, row, col, 0, &p))
                *matrix = exec_get_bits(
                    t->tensor_bytes[p.block] +
                        ((size_t)p.lane * COLUMNS + columns[WSIM_D] + p.column) * WORD,
                    p.bit, p.bits);
        }
}

void exec_tensor_close(struct exec_run *run) {
    struct exec_tensor *t = run->tensor;
    for (int i = 0; t && i < WSIM_OPERANDS; i++)
        free(t->matrix[i]);
    for (int i = 0; t && i < BLOCKS; i++) {
        free(t->bytes[i]);
        free(t->tensor_bytes[i]);
    }
    free(t);
}

/* --- the answer --- */

void exec_tensor_sources(struct doc *doc, const struct exec_run *run) {
    const struct exec_tensor *t = run->tensor;
    doc_line(doc, "  idesc = 0x%08lx", (unsigned long)run->in.umma.idesc);
    if (!run->in.umma.a_in_tensor)
        doc_line(doc, "  desc-a = %016" PRIx64, run->group.desc[WSIM_A]);
    doc_line(doc, "  desc-b = %016" PRIx64, run->group.desc[WSIM_B]);
    if (!run->group.scale_d)
        doc_line(doc, "  scale-d = 0: without c");
    for (uint32_t i = 0; i < t->masks; i += MASK_WORDS)
        doc_line(doc, "  lane-mask = %08lx,%08lx,%08lx,%08lx", (unsigned long)t->mask[i],
                 (unsigned long)t->mask[i + 1], (unsigned long)t->mask[i + 2],
                 (unsigned long)t->mask[i + 3]);
    if (t->zero_columns)
        doc_line(doc, "  zero-mask = %016" PRIx64, t->zero_columns);
}

/* The chosen elements of D, with their places: the quarter of 32 lanes is that of the warp which
 * may load them. */
void exec_tensor_elements(struct doc *doc, const struct exec_run *run) {
    static const struct doc_column heads[] = {
        {"row", "row", 0},       {"col", "col", 0}, {"block", "block", 0}, {"lane", "lane", 0},
        {"column", "column", 0}, {"hex", "hex", 0}, {"value", "value", 0}, {NULL, NULL, 0}};
    const struct wsim_layout *d = &run->layout[WSIM_D];
    uint64_t *matrix = memory_make((size_t)d->rows * d->cols, sizeof *matrix);
    struct wsim_umma_place p;
    exec_tensor_matrix(run, WSIM_D, matrix);
    doc_table(doc, "elements", heads);
    for (unsigned row = 0; row < d->rows; row++)
        for (unsigned col = 0; col < d->cols; col++) {
            const uint64_t bits = matrix[(size_t)row * d->cols + col];
            char text[NUMBER_TEXT];
            if ((run->row >= 0 && row != (unsigned)run->row) ||
                (run->col >= 0 && col != (unsigned)run->col) ||
                !wsim_umma_place_at(&run->code, WSIM_D, row, col, 0, &p) ||
                (run->lane >= 0 && p.lane != (unsigned)run->lane))
                continue;
            number_text(d, bits, text);
            doc_row_of(doc, "uuuuu", row, col, p.block, p.lane, p.column);
            doc_cell(doc, json_sprintf("%0*" PRIx64, (d->elem_bits + 3) / 4, bits), "%0*" PRIx64,
                     (d->elem_bits + 3) / 4, bits);
            doc_cell(doc, number_json(d, bits), "%s", text);
        }
    doc_leave(doc);
    free(matrix);
}
