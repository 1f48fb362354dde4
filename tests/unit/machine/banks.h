/* banks.h - wsim_banks_count by spelling, for lists of patterns. */
#ifndef TESTS_UNIT_MACHINE_BANKS_H
#define TESTS_UNIT_MACHINE_BANKS_H

#include "../../every.h"

#define ALL UINT32_MAX

/* Counts on sm_90a (ldmatrix of bytes: sm_100a); fails the test if that is refused. */
struct wsim_banks banks_count(const char *spelling, const uint32_t *addr, uint32_t mask);

/* Fails unless the access takes `wavefronts`, `conflicts` of them more than without conflicts. */
void banks_expect(const char *what, const char *spelling, const uint32_t *addr, uint32_t mask,
                  unsigned wavefronts, unsigned conflicts);

/* A spelling of a load (or store) of that many bytes a lane. */
const char *banks_load(int bytes);
const char *banks_store(int bytes);

#endif
