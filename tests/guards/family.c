/* family.c - uses the family that family.sh plants: as far as its row alone goes, or, with
 * WITH_DOOR, to its result. */
#include <wsim/wsim.h>

#include <stdio.h>
#include <string.h>

#define NEED(what)                                                                                 \
    if (!(what)) {                                                                                 \
        printf("family.c:%d: %s\n", __LINE__, #what);                                              \
        return 1;                                                                                  \
    }

int main(void) {
    static const char text[] = "turnmatrix.sync.aligned.m8n8.b16";
    const struct wsim_arch *arch = wsim_arch_find("sm_90");
    struct wsim_operands io = {0};
    struct wsim_regs a, d;
    struct wsim_layout layout;
    struct wsim_diag diag;
    struct wsim_code code;
    struct wsim_op op;
    char spelling[WSIM_SPELLING_MAX];
    NEED(wsim_op_parse(text, &op, &diag) == WSIM_OK);
    wsim_op_spell(&op, spelling);
    NEED(strcmp(spelling, text) == 0);
    NEED(wsim_op_check(&op, wsim_arch_find("sm_80"), &diag) == WSIM_ILLEGAL);
    NEED(wsim_op_check(&op, arch, &diag) == WSIM_OK);
    NEED(wsim_op_layout(&op, NULL, WSIM_A, &layout, &diag) == WSIM_OK && layout.rows == 8);
    NEED(wsim_op_layout(&op, NULL, WSIM_B, &layout, &diag) == WSIM_ILLEGAL);
    NEED(wsim_op_describe(&op).operands == (1 << WSIM_D | 1 << WSIM_A));
    for (int lane = 0; lane < WSIM_LANES; lane++)
        a.r[0][lane] = (uint32_t)lane, d.r[0][lane] = 99;
    io.a = &a, io.d = &d;
#ifdef WITH_DOOR
    NEED(wsim_prepare(&op, arch, 0, &code, &diag) == WSIM_OK);
    NEED(wsim_exec(&op, arch, &io, &diag) == WSIM_OK);
    for (unsigned lane = 0; lane < WSIM_LANES; lane++)
        NEED(d.r[0][lane] == (7 - lane / 4) * 4 + lane % 4);
#else
    NEED(wsim_prepare(&op, arch, 0, &code, &diag) == WSIM_UNMODELLED);
    NEED(wsim_exec(&op, arch, &io, &diag) == WSIM_UNMODELLED);
    NEED(strstr(diag.text, "not modelled") && d.r[0][0] == 99);
#endif
    return 0;
}
