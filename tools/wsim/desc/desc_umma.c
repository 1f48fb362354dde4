/* wsim desc of tcgen05: the 32 bits of an instruction descriptor, and matrix descriptors of version
 * 1. */
#include "desc.h"
#include "../common/instruction.h"

#include <inttypes.h>
#include <string.h>

enum { VERSION_AT = 46, VERSION_BITS = 7 };

int desc_is_umma(uint64_t bits) {
    return (bits >> VERSION_AT & VERSION_BITS) == 1;
}

static void state_fields(struct doc *doc, const struct umma *u) {
    static const struct doc_column columns[] = {{"name", "field", DOC_LEFT},
                                                {"first", NULL, 0},
                                                {"bits", "bits", 0},
                                                {"value", "value", 0},
                                                {NULL, NULL, 0}};
    struct wsim_umma_field field;
    uint32_t cursor = 0;
    doc_table(doc, "fields", columns);
    while (wsim_umma_field_next(&u->form, &cursor, &field)) {
        const unsigned last = field.first + field.bits - 1u;
        doc_row(doc);
        doc_word(doc, field.name);
        doc_number(doc, field.first);
        doc_cell(doc, json_integer(field.bits), last > field.first ? "%u-%u" : "%u", field.first,
                 last);
        doc_number(doc, u->idesc >> field.first & ((UINT32_C(1) << field.bits) - 1));
    }
    doc_leave(doc);
}

static void state(struct doc *doc, const char *action, const struct instruction *in) {
    const struct umma *u = &in->umma;
    char words[UMMA_TEXT];
    umma_words(&u->shape, words);
    doc_pack(doc, "{s:s, s:s}", "action", action, "spelling", in->spelling);
    doc_fact(doc, "idesc", json_sprintf("%08" PRIx32, u->idesc), "%08" PRIx32, u->idesc);
    doc_fact(doc, "shape", json_string(words), "%s: %s", in->spelling, words);
    state_fields(doc, u);
}

void desc_instruction(struct doc *doc, const char *action, const char **args) {
    struct instruction in;
    instruction_read(args, &in);
    if (strcmp(action, "decode") == 0 && !args[1])
        tool_fail("give the 32 bits of the instruction descriptor after the spelling");
    state(doc, action, &in);
}
