/* Operands from words on the command line; see operand.h. Values are laid out as matrices, the
 * library puts them where they belong. */
#include "operand.h"
#include "input.h"
#include "../lib/number.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>

/* A counter-based generator: word `i` of stream `seed`. */
static uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint64_t random_word(uint64_t seed, uint64_t i) {
    return mix(mix(seed * UINT64_C(0x9e3779b97f4a7c15) + 1) + i);
}

static int is_random(const char *text) {
    return strncmp(text, "random:", 7) == 0;
}

/* Reads SEED of "random:SEED"; another text leaves *seed alone. */
static int read_seed(const char *what, const char *text, uint32_t *seed) {
    char option[32];
    snprintf(option, sizeof option, "%s random:", what);
    return tool_number(option, is_random(text) ? text + 7 : NULL, UINT32_MAX, seed);
}

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
    case RANDOM: return random_element(layout, random_word(words->seed, index));
    }
    return 0;
}

static size_t elements(const struct wsim_layout *layout) {
    return (size_t)layout->batches * layout->rows * layout->cols;
}

static int fill_matrix(const struct wsim_layout *layout, const struct words *words,
                       struct wsim_regs *regs) {
    uint64_t *matrix = calloc(elements(layout), sizeof *matrix);
    size_t i;
    if (!matrix)
        return tool_error("out of memory");
    for (i = 0; i < elements(layout); i++)
        matrix[i] = element(layout, words, i);
    wsim_fragment_pack(layout, matrix, regs);
    free(matrix);
    return TOOL_GO;
}

/* Positions that compression chooses for a dense matrix: where two random elements of each chunk
 * (one, if it keeps no more) are not zero, or, for keep, of a matrix without any. */
static int fill_metadata(const struct wsim_op *op, const struct wsim_layout *e, int random,
                         uint64_t seed, unsigned selector, struct wsim_regs *regs) {
    struct wsim_op_info info = wsim_op_info(op);
    struct wsim_layout a;
    struct wsim_regs ignored;
    struct wsim_diag diag;
    enum wsim_status status;
    unsigned chunk = info.k / e->cols, kept, i;
    uint64_t *dense = calloc((size_t)info.m * info.k, sizeof *dense);
    if (!dense)
        return tool_error("out of memory");
    wsim_op_layout(op, WSIM_A, &a, &diag);
    kept = a.cols / e->cols;
    for (i = 0; random && i < (unsigned)info.m * e->cols; i++) {
        uint64_t word = random_word(seed, i);
        unsigned first = (unsigned)(word % chunk);
        unsigned second = (first + 1 + (unsigned)((word >> 32) % (chunk - 1))) % chunk;
        dense[i * chunk + first] = number_bits(&a, 0, 1, 0);
        if (kept > 1)
            dense[i * chunk + second] = number_bits(&a, 0, 1, 0);
    }
    status = wsim_sparse_compress(op, dense, selector, &ignored, regs->r[0], &diag);
    free(dense);
    return status ? tool_refused(NULL, &diag) : TOOL_GO;
}

static int fill_hex(const char *what, const struct wsim_layout *layout, const char *text,
                    struct wsim_regs *regs) {
    unsigned wide = layout->elem_bits == 64, width = wide ? 16 : 8, reg, lane;
    size_t needed = (size_t)layout->regs * WSIM_LANES * 8;
    char *digits = input_hex(what, text);
    const char *at = digits;
    int status = TOOL_GO;
    if (!digits)
        return TOOL_USAGE;
    if (strlen(digits) != needed)
        status = tool_error("%s: %lu hex digits; %u registers x 32 lanes x %u are %lu", what,
                            (unsigned long)strlen(digits), layout->regs / (wide + 1u), width,
                            (unsigned long)needed);
    for (reg = 0; status == TOOL_GO && reg < layout->regs; reg += wide + 1)
        for (lane = 0; lane < WSIM_LANES; lane++, at += width) {
            uint64_t bits = input_digits(at, width);
            regs->r[reg][lane] = (uint32_t)bits;
            if (wide)
                regs->r[reg + 1][lane] = (uint32_t)(bits >> 32);
        }
    free(digits);
    return status;
}

/* Whether `text` is one of the words that mean numbers. */
static int is_words(const char *text, enum wsim_operand operand, const struct wsim_layout *layout,
                    uint32_t seed, struct words *words) {
    static const char *const kinds[] = {"zero", "one", "eye", "iota"};
    int i;
    words->count = number_count(layout);
    for (i = ZERO; i <= IOTA; i++)
        if (strcmp(text, kinds[i]) == 0) {
            words->kind = i;
            return i == ONE || words->count; /* scale factors may have no zero */
        }
    words->kind = RANDOM;
    words->seed = (uint64_t)seed * WSIM_OPERANDS + operand; /* a and b of one seed shall differ */
    return is_random(text);
}

static int looks_hex(const char *text) {
    return *text == '@' || strncmp(text, "hex:", 4) == 0 ||
           (*text && strspn(text, "0123456789abcdefABCDEF_ ") == strlen(text));
}

int operand_fill(const struct wsim_op *op, enum wsim_operand operand, const char *text,
                 unsigned selector, struct wsim_regs *regs) {
    struct wsim_layout layout;
    struct wsim_diag diag;
    struct words words = {ZERO, 0, 0};
    char what[16];
    uint32_t seed = 0;
    if (wsim_op_layout(op, operand, &layout, &diag))
        return tool_refused(NULL, &diag);
    snprintf(what, sizeof what, "--%s", wsim_operand_name(operand));
    if (looks_hex(text))
        return fill_hex(what, &layout, text, regs);
    if (read_seed(what, text, &seed) != TOOL_GO)
        return TOOL_USAGE;
    if (operand == WSIM_E && (strcmp(text, "keep") == 0 || is_random(text)))
        return fill_metadata(op, &layout, is_random(text), seed, selector, regs);
    if (operand != WSIM_E && is_words(text, operand, &layout, seed, &words))
        return fill_matrix(&layout, &words, regs);
    return tool_error("%s '%s': it can be %s, random:SEED, hex digits or @FILE", what, text,
                      operand == WSIM_E       ? "keep"
                      : number_count(&layout) ? "zero, one, eye, iota"
                                              : "one");
}

const char *operand_default(enum wsim_operand operand) {
    static const char *const words[WSIM_OPERANDS] = {
        [WSIM_D] = "zero", [WSIM_A] = "iota",  [WSIM_B] = "eye",   [WSIM_C] = "zero",
        [WSIM_E] = "keep", [WSIM_SFA] = "one", [WSIM_SFB] = "one", [WSIM_R] = "iota"};
    return words[operand];
}

/* Memory from hex digits, two a byte. */
static uint8_t *hex_memory(const char *text, uint32_t *size) {
    char *digits = input_hex("--smem", text);
    size_t length = digits ? strlen(digits) : 0, i;
    uint8_t *bytes = NULL;
    if (length % 2)
        tool_error("--smem: %lu hex digits, bytes have two each", (unsigned long)length);
    else if (digits)
        bytes = malloc(length / 2 + 1);
    for (i = 0; bytes && i < length / 2; i++)
        bytes[i] = (uint8_t)input_digits(digits + 2 * i, 2);
    *size = (uint32_t)(length / 2);
    free(digits);
    return bytes;
}

/* Bytes an integer of iota takes, 0 for another word. */
static unsigned iota_bytes(const char *text) {
    return strcmp(text, "iota8") == 0    ? 1
           : strcmp(text, "iota16") == 0 ? 2
           : strcmp(text, "iota32") == 0 ? 4
                                         : 0;
}

uint8_t *operand_memory(const char *text, uint32_t *size) {
    unsigned step = iota_bytes(text);
    int random = is_random(text);
    uint8_t *bytes;
    uint32_t seed = 0, i;
    if (read_seed("--smem", text, &seed) != TOOL_GO)
        return NULL;
    if (!step && !random && strcmp(text, "zero") != 0) {
        if (looks_hex(text))
            return hex_memory(text, size);
        tool_error("--smem '%s': it can be zero, iota8, iota16, iota32, random:SEED, hex digits or "
                   "@FILE",
                   text);
        return NULL;
    }
    bytes = calloc(*size + 1u, 1);
    for (i = 0; bytes && i < *size; i++)
        if (random)
            bytes[i] = (uint8_t)(random_word(seed, i / 8) >> i % 8 * 8);
        else if (step)
            bytes[i] = (uint8_t)(i / step >> i % step * 8);
    return bytes;
}

char *operand_bytes_hex(const uint8_t *bytes, uint32_t size) {
    char *text = malloc(2 * (size_t)size + 1);
    uint32_t i;
    for (i = 0; text && i < size; i++)
        snprintf(text + 2 * (size_t)i, 3, "%02x", bytes[i]);
    if (text && size == 0)
        *text = 0;
    return text;
}

char *operand_hex(const struct wsim_layout *layout, const struct wsim_regs *regs) {
    char *text = malloc((size_t)layout->regs * WSIM_LANES * 8 + 1), *at = text;
    unsigned wide = layout->elem_bits == 64, reg, lane;
    for (reg = 0; text && reg < layout->regs; reg += wide + 1)
        for (lane = 0; lane < WSIM_LANES; lane++) {
            if (wide)
                at += snprintf(at, 9, "%08lx", (unsigned long)regs->r[reg + 1][lane]);
            at += snprintf(at, 9, "%08lx", (unsigned long)regs->r[reg][lane]);
        }
    return text;
}
