/* values.h - one element of an operand, by kind of case; cases.c puts them into registers. */
#ifndef ORACLE_VALUES_H
#define ORACLE_VALUES_H

#include "cases.h"
#include "place.h"

/* The array to fill. */
struct filling {
    const struct oracle_op *op;
    enum cases_kind kind;
    enum place_operand operand;
    uint64_t seed;
};

/* The container bits of the element at `at`: a function of the arguments and nothing else. */
uint64_t values_element(const struct filling *f, struct place at);

#endif
