/* A scalar access of shared memory is counted by the operation of access.def that its spelling
 * names. */
#include "../../../sim/isa/scalar.h"
#include "../../run.h"

#include <string.h>

static const struct {
    enum scalar_method method;
    enum scalar_operation operation;
    enum scalar_type type;
    unsigned bytes;
    const char *spelling; /* NULL: nothing counts it */
} accesses[] = {
    {SCALAR_METHOD_LD, SCALAR_NO_OPERATION, SCALAR_TYPE_F32, 1, "ld.shared.b8"},
    {SCALAR_METHOD_LD, SCALAR_NO_OPERATION, SCALAR_TYPE_F32, 4, "ld.shared.b32"},
    {SCALAR_METHOD_LD, SCALAR_NO_OPERATION, SCALAR_TYPE_F32, 16, "ld.shared.b128"},
    {SCALAR_METHOD_LD, SCALAR_NO_OPERATION, SCALAR_TYPE_F32, 32, NULL},
    {SCALAR_METHOD_ST, SCALAR_NO_OPERATION, SCALAR_TYPE_B16, 2, "st.shared.b16"},
    {SCALAR_METHOD_ST, SCALAR_NO_OPERATION, SCALAR_TYPE_B16, 8, "st.shared.b64"},
    {SCALAR_METHOD_ATOM, SCALAR_ADD, SCALAR_TYPE_U32, 0, "atom.shared.add.u32"},
    {SCALAR_METHOD_ATOM, SCALAR_ADD, SCALAR_TYPE_U64, 0, "atom.shared.add.u64"},
    {SCALAR_METHOD_ATOM, SCALAR_ADD, SCALAR_TYPE_F32, 0, "atom.shared.add.f32"},
    {SCALAR_METHOD_ATOM, SCALAR_MAX, SCALAR_TYPE_S32, 0, "atom.shared.max.s32"},
    {SCALAR_METHOD_ATOM, SCALAR_DEC, SCALAR_TYPE_U32, 0, "atom.shared.dec.u32"},
    {SCALAR_METHOD_ATOM, SCALAR_AND, SCALAR_TYPE_B32, 0, "atom.shared.and.b32"},
    {SCALAR_METHOD_ATOM, SCALAR_MIN, SCALAR_TYPE_U32, 0, "atom.shared.min.u32"},
    {SCALAR_METHOD_ATOM, SCALAR_INC, SCALAR_TYPE_U32, 0, "atom.shared.inc.u32"},
    {SCALAR_METHOD_ATOM, SCALAR_XOR, SCALAR_TYPE_B64, 0, "atom.shared.xor.b64"},
    {SCALAR_METHOD_ATOM, SCALAR_EXCH, SCALAR_TYPE_B128, 0, "atom.shared.exch.b128"},
    {SCALAR_METHOD_ATOM, SCALAR_CAS, SCALAR_TYPE_B32, 0, "atom.shared.cas.b32"},
    {SCALAR_METHOD_ATOM, SCALAR_ADD, SCALAR_TYPE_F16X2, 0, NULL},
    {SCALAR_METHOD_RED, SCALAR_ADD, SCALAR_TYPE_S32, 0, "red.shared.add.s32"},
    {SCALAR_METHOD_RED, SCALAR_OR, SCALAR_TYPE_B32, 0, "red.shared.or.b32"},
    {SCALAR_METHOD_RED, SCALAR_EXCH, SCALAR_TYPE_B32, 0, NULL},
    {SCALAR_METHOD_RED_ASYNC, SCALAR_ADD, SCALAR_TYPE_U32, 0, NULL},
};
enum { ACCESSES = sizeof accesses / sizeof accesses[0] };

START_TEST(it_is_what_its_spelling_names) {
    struct wsim_op op, is;
    const int counted = isa_scalar_access(accesses[_i].method, accesses[_i].operation,
                                          accesses[_i].type, accesses[_i].bytes, &op);
    ck_assert_int_eq(counted, accesses[_i].spelling != NULL);
    if (!counted)
        return;
    ck_assert_int_eq(wsim_op_parse(accesses[_i].spelling, &is, NULL), WSIM_OK);
    ck_assert_msg(op.form == is.form && !memcmp(op.q, is.q, sizeof op.q), "%s",
                  accesses[_i].spelling);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{it_is_what_its_spelling_names, 0, ACCESSES}};
    return every_run("scalar_access", tests, (int)(sizeof tests / sizeof tests[0]));
}
