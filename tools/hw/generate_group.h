/* generate_group.h - kernels of a warpgroup, as PTX. */
#ifndef HW_GENERATE_GROUP_H
#define HW_GENERATE_GROUP_H

/* Writes PREFIX0.ptx, PREFIX1.ptx ... `count` of them, at most 64, to be assembled side by side;
 * each begins with the target that has what is in it. A kernel has the name that its row in the
 * list of generate_cases says. It writes kernels whose number is a multiple of `every`. 0, or 2
 * after a word on stderr. */
int generate_groups(const char *prefix, unsigned count, unsigned every);

#endif
