/* sets.h - how tables write sets of the values that may stand in a place: BIT(SP) | BIT(SP_ORDERED)
 * of words, T(F16) | T(F32) of types. */
#ifndef WSIM_ISA_SETS_H
#define WSIM_ISA_SETS_H

#define BIT(q) (UINT64_C(1) << Q_##q)
#define T(format) (UINT64_C(1) << FORMAT_##format)

#endif
