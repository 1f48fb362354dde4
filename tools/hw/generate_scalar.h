/* generate_scalar.h - kernels of scalar instructions, as files of PTX. */
#ifndef HW_GENERATE_SCALAR_H
#define HW_GENERATE_SCALAR_H

/* PREFIX0.ptx and so on: HW_FORM_PART forms each, one in `every` of those that are legal on
 * `target`, or with `all` of everything that has rows and only computes, legal there or not. A
 * kernel is a line, so that a line that the assembler refuses can be left out. 0, or 2 after a word
 * on stderr.
 */
int generate_scalars(const char *prefix, const char *target, int all, unsigned every);

#endif
