/* clash.c - a user's program with functions of its own that are named as those inside of wsim are.
 * All are called, and wsim still multiplies: 8 products of 1.0 and 1.0 in one m8n8k4 of f64. */
#include <stdio.h>
#include <wsim/harness/trace.h>
#include <wsim/wsim.h>

int bytes_get(int x);
int num_fma(int x);
int num_fused_chain(int x);
int memory_get(int x);
int base_refuse(int x);
int isa_form(int x);
int trace_copy(int x);

int bytes_get(int x) {
    return x + 1;
}
int num_fma(int x) {
    return x + 2;
}
int num_fused_chain(int x) {
    return x + 4;
}
int memory_get(int x) {
    return x + 8;
}
int base_refuse(int x) {
    return x + 16;
}
int isa_form(int x) {
    return x + 32;
}
int trace_copy(int x) {
    return x + 64;
}
int isa_forms = 128;

int main(void) {
    static struct wsim_regs a, b, c, d;
    const struct wsim_operands io = {.d = &d, .a = &a, .b = &b, .c = &c};
    const char *spelling = "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64";
    struct wsim_diag diag = {0};
    struct wsim_trace *trace = wsim_trace_new(NULL);
    struct wsim_op op;
    int own = trace_copy(isa_form(base_refuse(memory_get(num_fused_chain(num_fma(bytes_get(0)))))));
    for (int lane = 0; lane < WSIM_LANES; lane++)
        a.r[1][lane] = b.r[1][lane] = 0x3ff00000;
    if (!trace || wsim_op_parse(spelling, &op, &diag) ||
        wsim_exec(&op, wsim_arch_find("sm_90a"), &io, &diag)) {
        puts(diag.text);
        return 1;
    }
    wsim_trace_free(trace);
    printf("%d %08x%08x\n", own + isa_forms, (unsigned)d.r[1][0], (unsigned)d.r[0][0]);
    return own + isa_forms == 255 && d.r[1][0] == 0x40100000 && d.r[0][0] == 0 ? 0 : 1;
}
