/* generation.c - a row for each generation. The recorded f16 floor of an H200 is -21. For each bit
 * of sum that a generation lacks, its floor is higher by one. */
#include "generation.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* name from to  16 tf32 8  bits / bits8 result8  floor32 floor16  quads by_f16 scale */
static const struct generation generations[] = {
    {"volta", 70, 72, 4, 0, 0, 23, 0, "", -131, -19, 1, 0, 0},
    {"turing", 75, 75, 8, 0, 0, 24, 0, "", -132, -20, 1, 0, 0},
    {"ampere", 80, 88, 8, 4, 0, 24, 0, "", -132, -20, 0, 0, 0},
    {"ada", 89, 89, 8, 4, 16, 24, 13, "e8m13", -132, -20, 0, 0, 0},
    {"hopper", 90, 90, 16, 8, 0, 25, 0, "", -133, -21, 0, 1, 0},
    {"blackwell", 100, 110, 16, 8, 0, 25, 0, "", -133, -21, 0, 1, 0},
    {"small blackwell", 120, 121, 16, 8, 32, 25, 25, "f32", -133, -21, 0, 0, 1},
};

/* A warpgroup adds 8-bit floats itself, as Ada does, but all of them at once. */
static const struct generation warpgroup = {
    "hopper warpgroup", 90, 90, 16, 8, 32, 25, 13, "e8m13", -133, -21, 0, 0, 0};

const struct generation *generation_of_group(const char *arch) {
    return strcmp(arch, "sm_90a") == 0 ? &warpgroup : NULL;
}

const struct generation *generation_of(const char *arch) {
    int number = 0;
    if (sscanf(arch, "sm_%d", &number) != 1)
        return NULL;
    for (size_t i = 0; i < sizeof generations / sizeof *generations; i++)
        if (generations[i].from <= number && number <= generations[i].to)
            return &generations[i];
    return NULL;
}
