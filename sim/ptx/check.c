/* Operands against what an instruction takes. */
#include "reader.h"

void ptx_check(struct reader *r, const struct ptx_opcode *opcode, struct place at) {
    if (opcode->kind == PTX_UNKNOWN)
        ptx_complain(r, RULE_PTX_OPCODE_UNKNOWN, at, "'%.120s' is not modelled: %s", opcode->text,
                     opcode->why);
}
