/* generate_scalar.h - kernels of scalar instructions, as files of PTX. */
#ifndef HW_GENERATE_SCALAR_H
#define HW_GENERATE_SCALAR_H

/* Writes PREFIX0.ptx and so on, with HW_FORM_PART forms each. They are one in `every` of the legal
 * forms on `target`, or with `all` of all computing rows. A
 * kernel is one line, so that a refused line can be left out. Returns 0, or 2 after a message
 * on stderr.
 */
int generate_scalars(const char *prefix, const char *target, int all, unsigned every);

#endif
