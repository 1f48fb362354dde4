/* generate_access.h - kernels of one access each. */
#ifndef HW_GENERATE_ACCESS_H
#define HW_GENERATE_ACCESS_H

/* Prints one for every access that the bank model counts, and their list. */
void generate_accesses(void);

#endif
