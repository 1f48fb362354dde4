/* copies.h - one copy, of which a test changes what it is about. */
#ifndef TESTS_UNIT_MACHINE_COPIES_H
#define TESTS_UNIT_MACHINE_COPIES_H

#include "../../every.h"

#define ALL UINT32_MAX
#define CA "cp.async.ca.shared.global"
#define CG "cp.async.cg.shared.global"

struct pattern {
    uint32_t dst[WSIM_LANES], src[WSIM_LANES], size[WSIM_LANES];
    struct wsim_copy copy; /* its arrays are those above; sizes are not in use */
};

/* Source and destination consecutive from 0, all lanes, cold lines. */
void consecutive(struct pattern *p, unsigned bytes);

/* Counts on sm_90a; fails the test if that is refused. */
struct wsim_copy_banks copy_count(const char *spelling, const struct wsim_copy *copy);

#endif
