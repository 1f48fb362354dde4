/* Writes a block as the line of a case. fields.def has its fields and their names. */
#include "trace.h"

#include <string.h>

const uint8_t trace_operands[WSIM_INPUTS] = {
    WSIM_A, WSIM_B,        WSIM_C,        WSIM_E,        WSIM_SFA,      WSIM_SFB,     WSIM_OPERANDS,
    WSIM_R, WSIM_OPERANDS, WSIM_OPERANDS, WSIM_OPERANDS, WSIM_OPERANDS, WSIM_OPERANDS};

const uint8_t trace_picks[4] = {TRACE_BID_A, TRACE_TID_A, TRACE_BID_B, TRACE_TID_B};

/* Counts text, and writes the part that fits. */
struct line {
    char *at;
    size_t size, used;
};

static void put_char(struct line *line, char c) {
    if (line->used + 1 < line->size)
        line->at[line->used] = c;
    line->used++;
}

static void put_text(struct line *line, const char *text) {
    while (*text)
        put_char(line, *text++);
}

static void put_hex(struct line *line, uint32_t word, unsigned digits) {
    while (digits--)
        put_char(line, "0123456789abcdef"[word >> 4 * digits & 15]);
}

static void put_number(struct line *line, unsigned number) {
    if (number >= 10)
        put_number(line, number / 10);
    put_char(line, (char)('0' + number % 10));
}

/* Registers in order, each lane by lane; the two words of a 64-bit register are adjacent. */
static void put_regs(struct line *line, const uint32_t *words, unsigned rows, int doubles) {
    for (unsigned row = 0; row < rows; row += doubles ? 2 : 1)
        for (unsigned lane = 0; lane < WSIM_LANES; lane++) {
            if (doubles)
                put_hex(line, words[(row + 1) * WSIM_LANES + lane], 8);
            put_hex(line, words[row * WSIM_LANES + lane], 8);
        }
}

static unsigned byte_of(const uint32_t *words, unsigned i) {
    return words[i / 4] >> 8 * (i % 4) & 0xff;
}

/* The window of a block, abbreviated if it repeats one byte. */
static void put_window(struct line *line, const uint32_t *words, unsigned bytes) {
    unsigned i = 1;
    while (i < bytes && byte_of(words, i) == byte_of(words, 0))
        i++;
    if (i == bytes) {
        put_text(line, "@fill:");
        put_hex(line, byte_of(words, 0), 2);
        put_char(line, ':');
        put_number(line, bytes);
        return;
    }
    for (i = 0; i < bytes; i++)
        put_hex(line, byte_of(words, i), 2);
}

/* The input of this operand; WSIM_INPUTS if there is none. */
static int input_of(uint8_t operand) {
    int i = 0;
    while (i < WSIM_INPUTS && (operand == WSIM_OPERANDS || trace_operands[i] != operand))
        i++;
    return i;
}

static const uint32_t *how_of(const struct wsim_plan *plan, const uint32_t *in) {
    return in + plan->input[WSIM_IN_HOW].first * WSIM_LANES;
}

/* The enum wsim_wgmma_choice of a wgmma. */
static unsigned choice_of(const struct wsim_plan *plan, const uint32_t *in) {
    return how_of(plan, in)[WSIM_CHOICE_WORD];
}

/* The words of a field in the block; NULL if the case lacks the field. */
static const uint32_t *words_of(const struct wsim_plan *plan, enum trace_field_id field,
                                const uint32_t *in, const uint32_t *out, unsigned *rows) {
    int which = field == TRACE_SMEM   ? WSIM_IN_SMEM
                : field == TRACE_ADDR ? WSIM_IN_ADDR
                                      : input_of(trace_fields[field].operand);
    *rows = plan->out_rows;
    if (field == TRACE_D || field == TRACE_SMEM_AFTER)
        return plan->store == (field == TRACE_SMEM_AFTER) ? out : NULL;
    if (which == WSIM_INPUTS || trace_fields[field].role != ROLE_INPUT)
        return NULL;
    if (plan->variants && field == TRACE_SMEM) { /* its parts are consecutive */
        *rows = plan->input[WSIM_IN_MATRIX_A].rows + plan->input[WSIM_IN_MATRIX_B].rows;
        return in + plan->input[WSIM_IN_MATRIX_A].first * WSIM_LANES;
    }
    if (plan->variants && field == TRACE_A && !(choice_of(plan, in) & WSIM_CHOICE_REGISTERS))
        return NULL;
    *rows = plan->input[which].rows;
    return *rows ? in + plan->input[which].first * WSIM_LANES : NULL;
}

static void put_name(struct line *line, enum trace_field_id field) {
    put_char(line, '\t');
    put_text(line, trace_fields[field].name);
    put_char(line, '=');
}

static void put_words(struct line *line, const struct wsim_op *op, enum trace_field_id field,
                      const uint32_t *words, unsigned rows) {
    const struct trace_field *row = &trace_fields[field];
    struct wsim_layout layout;
    put_name(line, field);
    if (row->kind == KIND_BYTES)
        put_window(line, words, rows * WSIM_LANES * 4);
    else
        put_regs(line, words, rows,
                 row->kind == KIND_REGS &&
                     !wsim_op_layout(op, NULL, (enum wsim_operand)row->operand, &layout, NULL) &&
                     layout.elem_bits == 64);
}

static void put_choice(struct line *line, enum trace_field_id field, unsigned number) {
    put_name(line, field);
    put_number(line, number);
}

/* The numeric choices. */
static void put_choices(struct line *line, const struct wsim_plan *plan, enum trace_field_id field,
                        const uint32_t *in) {
    for (unsigned i = 0; i < 4; i++)
        if ((int)field == trace_picks[i] && plan->bytes_a)
            put_choice(line, field,
                       in[plan->input[WSIM_IN_PICK].first * WSIM_LANES] >> 8 * i & 0xff);
    if (field == TRACE_SEL && plan->sparse)
        put_choice(line, field, plan->selector);
    if (field == TRACE_STRIDE && plan->lines.along)
        put_choice(line, field, how_of(plan, in)[0]);
}

static void put_descriptor(struct line *line, enum trace_field_id field, const uint32_t *words) {
    put_name(line, field);
    put_hex(line, words[1], 8);
    put_hex(line, words[0], 8);
}

/* The options of a wgmma; defaults are omitted. */
static void put_how(struct line *line, const struct wsim_plan *plan, enum trace_field_id field,
                    const uint32_t *in) {
    unsigned choice = choice_of(plan, in);
    if (field == TRACE_DESC_A && !(choice & WSIM_CHOICE_REGISTERS))
        put_descriptor(line, field, how_of(plan, in));
    if (field == TRACE_DESC_B)
        put_descriptor(line, field, how_of(plan, in) + 2);
    if (field == TRACE_SCALE_D)
        put_choice(line, field, (choice & WSIM_CHOICE_SCALE_D) != 0);
    if ((field == TRACE_SCALE_A && choice & WSIM_CHOICE_NEGATE_A) ||
        (field == TRACE_SCALE_B && choice & WSIM_CHOICE_NEGATE_B)) {
        put_name(line, field);
        put_text(line, "-1");
    }
    if ((field == TRACE_TRANSPOSE_A && choice & WSIM_CHOICE_TRANS_A) ||
        (field == TRACE_TRANSPOSE_B && choice & WSIM_CHOICE_TRANS_B))
        put_choice(line, field, 1);
}

size_t wsim_trace_case_text(const struct wsim_op *op, const struct wsim_plan *plan,
                            const uint32_t *in, const uint32_t *out, char *text, size_t size) {
    struct line line = {text, size, 0};
    char spelling[WSIM_SPELLING_MAX];
    wsim_op_spell(op, spelling);
    put_text(&line, spelling);
    for (int f = 0; f < TRACE_FIELDS; f++) {
        enum trace_field_id field = (enum trace_field_id)f;
        unsigned rows;
        const uint32_t *words;
        if (plan->variants)
            put_how(&line, plan, field, in);
        if (trace_fields[f].kind == KIND_COUNT) {
            put_choices(&line, plan, field, in);
            continue;
        }
        words = words_of(plan, field, in, out, &rows);
        if (words)
            put_words(&line, op, field, words, rows);
    }
    if (size)
        text[line.used < size ? line.used : size - 1] = '\0';
    return line.used;
}
