/* Operands from words on the command line, as matrices that the library packs; see operand.h. */
#include "operand.h"
#include "../common/input.h"
#include "../common/memory.h"
#include "../../lib/number.h"
#include "../common/text.h"
#include "../common/tool.h"

#include <stdlib.h>
#include <string.h>

/* Any bits where each pattern is a finite number; else magnitudes from 1/8 to 16. */
static uint64_t random_element(const struct wsim_layout *layout, uint64_t word) {
    const struct wsim_format *format = layout->format;
    uint64_t one = UINT64_C(1) << format->frac_bits;
    if (format->kind != WSIM_BINARY || format->specials == WSIM_SPECIALS_NONE)
        return number_container(layout, word);
    return number_bits(layout, format->is_signed && word >> 63, one | (word & (one - 1)),
                       (int)(word >> 56 & 0x7F) % 7 - 3 - format->frac_bits);
}

struct words {
    enum { ZERO, ONE, EYE, IOTA, RANDOM } kind;
    unsigned count; /* iota */
    uint64_t seed;  /* random */
};

static uint64_t element(const struct wsim_layout *layout, const struct words *words, size_t index) {
    size_t col = index % layout->cols, row = index / layout->cols % layout->rows;
    switch (words->kind) {
    case ZERO: break;
    case ONE: return number_bits(layout, 0, 1, 0);
    case EYE: return number_bits(layout, 0, row == col, 0);
    case IOTA: return number_bits(layout, 0, index % words->count, 0);
    case RANDOM: return random_element(layout, operand_random(words->seed, index));
    }
    return 0;
}

static size_t elements(const struct wsim_layout *layout) {
    return (size_t)layout->batches * layout->rows * layout->cols;
}

/* Metadata of a dense matrix: each chunk has 1 or 2 random nonzero elements, by the pattern; for
 * keep none. */
static void fill_metadata(const struct wsim_op *op, const struct wsim_layout *e, int random,
                          uint64_t seed, unsigned selector, uint32_t *words) {
    struct wsim_op_info info = wsim_op_describe(op);
    struct wsim_layout a;
    struct wsim_diag diag;
    unsigned chunk = info.k / e->cols, kept, i;
    uint64_t *dense = memory_make((size_t)info.m * info.k, sizeof *dense);
    uint32_t *ignored;
    wsim_op_layout(op, NULL, WSIM_A, &a, &diag);
    ignored = memory_make((size_t)a.regs * a.lanes, sizeof *ignored);
    kept = a.cols / e->cols;
    for (i = 0; random && i < (unsigned)info.m * e->cols; i++) {
        uint64_t word = operand_random(seed, i);
        unsigned first = (unsigned)(word % chunk);
        unsigned second = (first + 1 + (unsigned)((word >> 32) % (chunk - 1))) % chunk;
        dense[i * chunk + first] = number_bits(&a, 0, 1, 0);
        if (kept > 1)
            dense[i * chunk + second] = number_bits(&a, 0, 1, 0);
    }
    if (wsim_words_compress(op, dense, selector, ignored, words, &diag))
        tool_refuse(NULL, &diag);
    free(ignored);
    free(dense);
}

static void fill_hex(const char *what, const struct wsim_layout *layout, const char *text,
                     uint32_t *words) {
    unsigned wide = layout->elem_bits == 64, width = wide ? 16 : 8, reg, lane;
    size_t needed = (size_t)layout->regs * layout->lanes * 8;
    char *digits = input_hex(what, text);
    const char *at = digits;
    if (strlen(digits) != needed)
        tool_fail("%s: %lu hex digit%s; %u registers x %u lanes x %u are %lu%s", what,
                  (unsigned long)strlen(digits), strlen(digits) == 1 ? "" : "s",
                  layout->regs / (wide + 1u), layout->lanes, width, (unsigned long)needed,
                  strlen(digits) < 8 ? "; for one number everywhere write '*,*=NUMBER'" : "");
    for (reg = 0; reg < layout->regs; reg += wide + 1)
        for (lane = 0; lane < layout->lanes; lane++, at += width) {
            uint64_t bits = input_digits(at, width);
            words[reg * layout->lanes + lane] = (uint32_t)bits;
            if (wide)
                words[(reg + 1) * layout->lanes + lane] = (uint32_t)(bits >> 32);
        }
    free(digits);
}

/* Whether `text` is a word for numbers. */
static int is_words(const char *text, enum wsim_operand operand, const struct wsim_layout *layout,
                    uint32_t seed, struct words *words) {
    static const char *const kinds[] = {"zero", "one", "eye", "iota"};
    static const char *const others[] = {"zeros", "ones", "identity", "arange"}; /* NumPy's */
    int i;
    words->count = number_count(layout);
    for (i = ZERO; i <= IOTA; i++)
        if (strcmp(text, kinds[i]) == 0 || strcmp(text, others[i]) == 0) {
            words->kind = i;
            return i == ONE || words->count; /* scale factors may have no zero */
        }
    words->kind = RANDOM;
    words->seed = (uint64_t)seed * WSIM_OPERANDS + operand; /* a and b of one seed shall differ */
    return operand_is_random(text);
}

/* The option of an operand. */
struct what {
    char text[16];
};

static struct what option_of(enum wsim_operand operand) {
    struct what what;
    snprintf(what.text, sizeof what.text, "--%s", wsim_operand_name(operand));
    return what;
}

_Noreturn static void refuse_word(enum wsim_operand operand, const struct wsim_layout *layout,
                                  const char *text, const char *others) {
    tool_fail("%s '%s': must be %s, random:SEED, I,J=NUMBER, FILE.csv, FILE.npy%s",
              option_of(operand).text, text_cut(text).text,
              operand == WSIM_E      ? "keep"
              : number_count(layout) ? "zero, one, eye, iota"
                                     : "one",
              others);
}

void operand_matrix(enum wsim_operand operand, const struct wsim_layout *layout, const char *text,
                    const struct operand_reading *reading, const char *others, uint64_t *matrix) {
    const struct what what = option_of(operand);
    struct words words = {ZERO, 0, 0};
    if (operand_is_numbers(text)) {
        operand_numbers(what.text, layout, text, reading, matrix);
        return;
    }
    if (operand == WSIM_E ||
        !is_words(text, operand, layout, operand_seed(what.text, text), &words))
        refuse_word(operand, layout, text, others);
    for (size_t i = 0; i < elements(layout); i++)
        matrix[i] = element(layout, &words, i);
}

void operand_fill(const struct wsim_op *op, const struct wsim_arch *arch, enum wsim_operand operand,
                  const char *text, const struct operand_reading *reading, unsigned selector,
                  union operand_regs *regs) {
    const struct what what = option_of(operand);
    const int is_random = operand_is_random(text);
    struct wsim_layout layout;
    struct wsim_diag diag;
    uint64_t *matrix;
    if (wsim_op_layout(op, arch, operand, &layout, &diag))
        tool_refuse(NULL, &diag);
    if (!operand_is_numbers(text) && operand_is_hex(text)) {
        fill_hex(what.text, &layout, text, regs->words);
        return;
    }
    if (operand == WSIM_E && (strcmp(text, "keep") == 0 || is_random)) {
        fill_metadata(op, &layout, is_random, operand_seed(what.text, text), selector, regs->words);
        return;
    }
    matrix = memory_make(elements(&layout), sizeof *matrix);
    operand_matrix(operand, &layout, text, reading, ", hex digits or @FILE", matrix);
    wsim_words_pack(&layout, matrix, regs->words);
    free(matrix);
}

const char *operand_default(enum wsim_operand operand) {
    static const char *const words[WSIM_OPERANDS] = {
        [WSIM_D] = "zero", [WSIM_A] = "iota",  [WSIM_B] = "eye",   [WSIM_C] = "zero",
        [WSIM_E] = "keep", [WSIM_SFA] = "one", [WSIM_SFB] = "one", [WSIM_R] = "iota"};
    return words[operand];
}

char *operand_hex(const struct wsim_layout *layout, const uint32_t *words) {
    char *text = memory_make((size_t)layout->regs * layout->lanes * 8 + 1, 1), *at = text;
    unsigned wide = layout->elem_bits == 64, reg, lane;
    for (reg = 0; reg < layout->regs; reg += wide + 1)
        for (lane = 0; lane < layout->lanes; lane++) {
            const uint32_t *word = words + reg * layout->lanes + lane;
            if (wide)
                at += snprintf(at, 9, "%08lx", (unsigned long)word[layout->lanes]);
            at += snprintf(at, 9, "%08lx", (unsigned long)*word);
        }
    return text;
}
