/* Bit fields that leave their register, in statements; see rules.h. */
#include "rules.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Operand `index`, as a number; 0: it is none. The instructions use its low 8 bits. */
static int number_of(const char *operands, unsigned index, unsigned *value) {
    char *end;
    for (; index && *operands; operands++)
        index -= *operands == ',';
    while (isspace((unsigned char)*operands))
        operands++;
    if (!isdigit((unsigned char)*operands))
        return 0;
    *value = (unsigned)strtoull(operands, &end, 0) & 0xFF;
    end += *end == 'U';
    while (isspace((unsigned char)*end))
        end++;
    return !*end || *end == ',';
}

void lint_check_field(const char *spelling, const char *operands, size_t at,
                      struct lint_findings *findings) {
    const int inserts = strncmp(spelling, "bfi.b", 5) == 0;
    const int is_signed = strncmp(spelling, "bfe.s", 5) == 0;
    if (!inserts && !is_signed && strncmp(spelling, "bfe.u", 5) != 0)
        return;
    const unsigned bits = strcmp(spelling + 5, "64") == 0 ? 64 : 32, first = inserts ? 3 : 2;
    unsigned position, length;
    if (!number_of(operands, first, &position) || !number_of(operands, first + 1, &length) ||
        !length || position + length <= bits)
        return;
    lint_find(findings, LINT_FIELD, at, NULL, "'%s' %s bits %u to %u of a register of %u bits: %s",
              spelling, inserts ? "writes" : "reads", position, position + length - 1, bits,
              inserts     ? "it drops those beyond"
              : is_signed ? "those beyond are copies of the sign"
                          : "those beyond are 0");
}

void lint_check_fields(const struct lint_text *text, const struct lint_instructions *instructions,
                       struct lint_findings *findings) {
    for (size_t i = 0; i < instructions->n; i++) {
        const struct lint_instruction *one = &instructions->all[i];
        if (one->operands.n >= sizeof(struct lint_piece))
            continue;
        if (one->known)
            lint_check_address(lint_piece_of(text->bytes, one->spelling).text,
                               lint_piece_of(text->bytes, one->operands).text,
                               text->from[one->spelling.at], findings);
        if (!strchr("bst", text->bytes[one->spelling.at]))
            continue;
        lint_check_guard(lint_piece_of(text->bytes, one->spelling).text, text->bytes,
                         one->spelling.at, text->from[one->spelling.at], findings);
        lint_check_field(lint_piece_of(text->bytes, one->spelling).text,
                         lint_piece_of(text->bytes, one->operands).text,
                         text->from[one->spelling.at], findings);
    }
}
