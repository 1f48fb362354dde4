/* table.h - tests/data/legality.tsv: what the assembler answered. */
#ifndef LEGALITY_TABLE_H
#define LEGALITY_TABLE_H

#include <stddef.h>
#include <wsim/wsim.h>

#define TABLE_TARGETS 24

enum table_class { ISA, ORDER, REPEAT, LATER, UNDOCUMENTED, IGNORED, REJECTED, TABLE_CLASSES };

struct table_line {
    char *spelling;
    char accepted[TABLE_TARGETS + 1]; /* '1' or '.', as targets of struct table */
    enum table_class class;
};

struct table {
    const struct wsim_arch *targets[TABLE_TARGETS];
    struct table_line *lines;
    size_t count;
};

/* Reads the whole file; ends the test if it is not what its header says. */
void table_read(struct table *table);
void table_free(struct table *table);

/* The expected answer of wsim. */
int table_legal(const struct table_line *line, size_t target);

/* The line of a spelling; NULL if it has none. */
const struct table_line *table_find(const struct table *table, const char *spelling);

#endif
