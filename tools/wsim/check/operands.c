/* Numbers that are part of an instruction; see operands.h. */
#include "operands.h"

#include "../common/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Operand `index`, from 0, with its length; NULL: there is none. Commas in brackets separate no
 * operands. */
static const char *operand(const char *text, unsigned index, size_t *length) {
    const char *start = text;
    int depth = 0;
    for (const char *at = text;; at++) {
        if (*at == '\0' || (*at == ',' && depth == 0)) {
            *length = (size_t)(at - start);
            if (index-- == 0)
                return *length ? start : NULL;
            if (*at == '\0')
                return NULL;
            start = at + 1;
        }
        depth += *at && strchr("([{", *at) ? 1 : *at && strchr(")]}", *at) ? -1 : 0;
    }
}

static void put_sizes(char text[32], unsigned sizes) {
    size_t n = 0;
    for (unsigned size = 1; size <= sizes; size *= 2)
        if (sizes & size)
            n += (size_t)snprintf(text + n, 32 - n, n ? " %u" : "%u", size);
}

static int size_allowed(const char *operands, unsigned sizes, char why[], size_t room) {
    size_t length;
    const char *text = operand(operands, 2, &length);
    char names[32] = "", number[24] = "", *end;
    unsigned long size;
    put_sizes(names, sizes);
    if (!text) {
        snprintf(why, room, "the bytes to copy are missing: add a third operand; allowed: %s",
                 names);
        return 0;
    }
    memcpy(number, text, length < sizeof number ? length : sizeof number - 1);
    size = strtoul(number, &end, 0);
    if (!isdigit((unsigned char)*number) || *end || (size && !(size & (size - 1)) && sizes & size))
        return 1;
    snprintf(why, room, "'%s' bytes to copy are not allowed here; allowed: %s",
             text_cut(number).text, names);
    return 0;
}

int operands_allowed(const struct wsim_statement *statement, const struct wsim_op *op, char why[],
                     size_t room) {
    struct wsim_op_info info = wsim_op_describe(op);
    if (info.sizes && *statement->operands)
        return size_allowed(statement->operands, info.sizes, why, room);
    if (info.family == WSIM_WGMMA_WAIT && statement->ended && !*statement->operands) {
        snprintf(why, room, "the number of pending groups is missing");
        return 0;
    }
    return 1;
}
