/* host.h - floating point of this machine as a truth for sim/num, in all of its roundings. */
#ifndef TESTS_UNIT_NUM_HOST_H
#define TESTS_UNIT_NUM_HOST_H

#include "helper.h"

/* Sets the rounding of the host to an enum wsim_rounding; not WSIM_RNA. */
void host_set(unsigned rounding);

/* Bits of f64 and f32 as numbers, and back. */
double real64(uint64_t bits);
uint64_t bits64(double real);
float real32(uint64_t bits);
uint64_t bits32(float real);

/* The value of finite bits of any format of at most 53 bits, exactly. */
double real_of(const struct wsim_format *format, uint64_t bits);

int is_nan(const struct wsim_format *format, uint64_t bits);

/* The bits in `format` of an f64 that is finite, rounded by an addition of this machine. */
uint64_t host_narrow(const struct wsim_format *format, unsigned rounding, double real);

/* x * y + z of this machine. */
double host_fma(unsigned rounding, double x, double y, double z);

/* The same toward zero, with the last bit set if something was lost. Rounded to at most 51 bits it
 * equals the rounded exact sum. */
double host_odd_fma(double x, double y, double z);

/* An operand with few, all, or random fraction bits and an exponent field near `near`. */
uint64_t nasty(const struct wsim_format *format, uint64_t *state, unsigned near);

/* Operand i of LANDMARKS, each with both signs. These are zeros, ends of the subnormals, ones and
 * their neighbours, halves of a last place, ends of the range, infinities, NaNs. */
enum { LANDMARKS = 32 };
uint64_t landmark(const struct wsim_format *format, unsigned i);

#endif
