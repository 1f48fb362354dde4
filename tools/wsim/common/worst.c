/* Lines by their cost; see worst.h. */
#include "worst.h"

static int falling(uint64_t a, uint64_t b) {
    return (a < b) - (a > b);
}

static uint64_t excess(const struct wsim_line *line) {
    return line->shared.wavefronts - line->shared.ideal +
           (line->sectors > line->sectors_ideal ? line->sectors - line->sectors_ideal : 0);
}

int worst_first(const struct wsim_line *a, const struct wsim_line *b) {
    int order = falling(excess(a), excess(b));
    order = order ? order
                  : falling(a->shared.wavefronts + a->sectors, b->shared.wavefronts + b->sectors);
    order = order ? order : falling(a->executed, b->executed);
    return order ? order : falling(b->ptx_line, a->ptx_line);
}
