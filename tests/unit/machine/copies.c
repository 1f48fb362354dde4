#include "copies.h"

void consecutive(struct pattern *p, unsigned bytes) {
    unsigned l;
    for (l = 0; l < WSIM_LANES; l++) {
        p->dst[l] = p->src[l] = l * bytes;
        p->size[l] = bytes;
    }
    p->copy = (struct wsim_copy){.bytes = bytes, .mask = ALL, .dst = p->dst, .src = p->src};
}

struct wsim_copy_banks copy_count(const char *spelling, const struct wsim_copy *copy) {
    struct wsim_op op = every_parse(spelling);
    struct wsim_copy_banks got;
    struct wsim_diag diag;
    memset(&got, 0xA5, sizeof got);
    expect(wsim_banks_copy(&op, wsim_arch_find("sm_90a"), copy, &got, &diag) == WSIM_OK, "%s",
           diag.text);
    return got;
}
