/* kernels.c - prints one PTX kernel for each form: load registers and the window, one wgmma, store
 * D. kernels PART PARTS [odd] >kernels.ptx; `odd` selects only odd descriptors. The parameter of a
 * kernel is the address of an array of 64-bit words. They are the window, a, c, d, e, descriptors A
 * and B, scale-d, and the bytes of the window. Registers are stored as r[register][thread];
 * descriptors count from the window. */
#include "forms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void list(const char *prefix, unsigned n) {
    putchar('{');
    for (unsigned i = 0; i < n; i++)
        printf("%s%s%u", i ? ", " : "", prefix, i);
    putchar('}');
}

static void load(const char *prefix, const char *from, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        printf("ld.global.b32 %s%u, [%s+%u];\n", prefix, i, from, i * WSIM_GROUP_THREADS * 4);
}

static void instruction(const struct form *form, const char *d) {
    printf("%s ", form->spelling);
    list(d, form->d.regs);
    printf(", ");
    if (form->in_registers)
        list("a", 4);
    else
        printf("desca");
    printf(", descb");
    if (form->info.sparse)
        printf(", e0, %u", form->selector);
    printf(", p");
    if (form->signs)
        printf(", %d, %d", form->negate[0] ? -1 : 1, form->negate[1] ? -1 : 1);
    if (form->majors && !form->in_registers)
        printf(", %u", form->trans[0]);
    if (form->majors)
        printf(", %u", form->trans[1]);
    puts(";");
}

static void kernel(const struct form *form) {
    const char *d = form->d.elem_bits == 32 && form->signs ? "f" : "d";
    printf(".visible .entry k%u(.param .u64 at) .maxntid 128 {\n"
           ".reg .b64 io, w, pa, pc, pd, pe, desca, descb, scale, size, t, base, x, y;\n"
           ".reg .b32 a<4>, e<1>, tid, sm, i, v<4>, lo; .reg .%s %s<128>; .reg .pred p, q;\n"
           "ld.param.u64 io, [at];\ncvta.to.global.u64 io, io;\n"
           "ld.global.b64 w, [io]; ld.global.b64 pa, [io+8]; ld.global.b64 pc, [io+16];\n"
           "ld.global.b64 pd, [io+24]; ld.global.b64 pe, [io+32]; ld.global.b64 desca, [io+40];\n"
           "ld.global.b64 descb, [io+48]; ld.global.b64 scale, [io+56];\n"
           "ld.global.b64 size, [io+64];\n"
           "mov.u32 tid, %%tid.x;\nmov.u32 sm, window;\nmul.wide.u32 t, tid, 4;\n"
           "add.u64 pa, pa, t; add.u64 pc, pc, t; add.u64 pd, pd, t; add.u64 pe, pe, t;\n"
           "shr.u32 lo, sm, 4; cvt.u64.u32 base, lo;\n"
           "add.u64 desca, desca, base; add.u64 descb, descb, base;\n"
           "mul.lo.u32 i, tid, 16;\n"
           "L%u:\ncvt.u64.u32 x, i; add.u64 x, w, x; add.u32 lo, sm, i;\n"
           "ld.global.v4.b32 {v0, v1, v2, v3}, [x];\nst.shared.v4.b32 [lo], {v0, v1, v2, v3};\n"
           "add.u32 i, i, 2048; cvt.u64.u32 x, i; setp.lt.u64 q, x, size; @q bra L%u;\n"
           "fence.proxy.async; bar.sync 0;\nsetp.ne.u64 p, scale, 0;\n",
           form->number, form->d.elem_bits == 32 && form->signs ? "f32" : "b32", d, form->number,
           form->number);
    load(d, "pc", form->d.regs);
    if (form->in_registers)
        load("a", "pa", 4);
    if (form->info.sparse)
        load("e", "pe", 1);
    puts("wgmma.fence.sync.aligned;");
    instruction(form, d);
    puts("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;");
    for (unsigned i = 0; i < form->d.regs; i++)
        printf("st.global.b32 [pd+%u], %s%u;\n", i * WSIM_GROUP_THREADS * 4, d, i);
    puts("ret;\n}");
}

int main(int argc, char **argv) {
    unsigned part = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
    unsigned parts = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    int odd = argc > 3 && strcmp(argv[3], "odd") == 0;
    struct form form = {0};
    uint32_t cursor = 0;
    puts(".version 8.4\n.target sm_90a\n.address_size 64\n.extern .shared .align 1024 .b8 "
         "window[];");
    while (form_next(&cursor, &form))
        if (form.number % parts == part && (!odd || form_is_odd(&form)))
            kernel(&form);
    return 0;
}
