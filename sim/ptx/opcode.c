/* Opcodes: each spelling of a module is looked up once, in the tables of scalar instructions and of
 * matrix instructions and copies. */
#include "reader.h"

#include <string.h>

/* What only the other tables know is a foreign word to these, so the one that knows more speaks. */
static void look_up(struct reader *r, struct ptx_opcode *o) {
    struct wsim_diag scalar, matrix;
    o->status = wsim_scalar_parse(o->text, &o->scalar, &scalar);
    enum wsim_status other = wsim_op_parse(o->text, &o->op, &matrix);
    if (o->status == WSIM_OK || other == WSIM_OK) {
        o->kind = o->status == WSIM_OK ? PTX_SCALAR : PTX_MATRIX;
        o->status = WSIM_OK;
        return;
    }
    const struct wsim_diag *why = scalar.status == WSIM_SYNTAX ? &matrix : &scalar;
    o->kind = PTX_UNKNOWN;
    o->status = why->status;
    o->rule = why->rule;
    o->why = arena_copy(r->keep, why->text, strlen(why->text));
}

uint32_t ptx_opcode(struct reader *r, uint32_t name) {
    if (NAME_AT(r, name)->opcode)
        return NAME_AT(r, name)->opcode;
    struct ptx_opcode *o = arena_push(&r->work, &r->opcodes, sizeof *o);
    if (!o)
        return 0;
    o->text = ptx_name_keep(r, name);
    look_up(r, o);
    return NAME_AT(r, name)->opcode = r->opcodes.n;
}
