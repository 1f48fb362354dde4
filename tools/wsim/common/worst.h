/* worst.h - the order in which reports name lines of source and PTX. */
#ifndef WSIM_WORST_H
#define WSIM_WORST_H

#include <wsim/kernel.h>

/* Orders as a comparison of qsort: by the cost beyond the ideal, then by the cost, then by the
 * executions. */
int worst_first(const struct wsim_line *a, const struct wsim_line *b);

#endif
