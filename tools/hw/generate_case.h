/* generate_case.h - kernels that run cases, as many as they get. */
#ifndef HW_GENERATE_CASE_H
#define HW_GENERATE_CASE_H

/* Prints one for every operation that has cases and every selector, and their list. */
void generate_cases(void);

#endif
