/* Patterns of loads: see struct run_pattern. */
#include "hear.h"

/* The distance of the lanes of each half. */
static uint8_t half_step(const int32_t apart[RUN_LANES], uint32_t bytes) {
    enum { HALF = RUN_LANES / 2 };
    const int32_t step = apart[1];
    if (step && (uint32_t)step != bytes)
        return 1;
    for (int32_t i = 0; i < HALF; i++)
        if (apart[i] != i * step || apart[HALF + i] != apart[HALF] + i * step)
            return 1;
    return (uint8_t)step;
}

int hear_pattern(struct run_pattern *pattern, uint32_t number, const uint64_t at[RUN_LANES],
                 uint32_t bytes, const struct hear_part *parts, unsigned n) {
    int32_t low = 0, high = 0;
    pattern->bytes = 0; /* it is none */
    for (unsigned i = 0; i < RUN_LANES; i++) {
        const uint64_t apart = at[i] - at[0];
        if ((apart + (1u << 30)) >> 31 || apart % bytes)
            return 0;
        pattern->apart[i] = (int32_t)apart;
        low = pattern->apart[i] < low ? pattern->apart[i] : low;
        high = pattern->apart[i] > high ? pattern->apart[i] : high;
    }
    for (unsigned i = 0; i < n; i++) {
        pattern->parts[i].from = (int32_t)(parts[i].from - at[0]);
        pattern->parts[i].size = parts[i].size;
        pattern->parts[i].lane = parts[i].lane;
    }
    pattern->number = number;
    pattern->low = low;
    pattern->span = (uint32_t)(high - low) + bytes;
    pattern->bytes = (uint8_t)bytes;
    pattern->step = half_step(pattern->apart, bytes);
    pattern->n = (uint8_t)n;
    return 1;
}
