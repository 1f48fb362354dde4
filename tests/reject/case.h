/* case.h - one refusal, as a line of a table: what is asked, and how it must be refused.
 *
 *     action | spelling | changes | status | words of the sentence
 *
 * action   parse; check ARCH, exec ARCH, banks ARCH, copy ARCH; layout, compress, expand
 * changes  from operands that are valid: -d (and -a -b -c -e -r -sfa -sfb -smem -addr) takes one
 *          away; selector= bid_a= tid_a= bid_b= tid_b= mask= smem= (bytes) operand= (number) set
 *          one; e= sets every lane, e[L]= and addr[L]= one lane; dense=full has no zeros; of a
 *          copy: bytes= (16) warm= page= (source page) src[L]= srcsize[L]=, and addr is where to
 * status   with :COLUMN for text
 * words    parts that the sentence must have in this order, between "..."
 * Lines with # and blank lines say nothing.
 */
#ifndef TESTS_REJECT_CASE_H
#define TESTS_REJECT_CASE_H

#include "../every.h"

#define CASE_LINE 512

struct reject_case {
    char file[64], text[CASE_LINE]; /* the line as it stands, for messages     */
    int line;
    char fields[CASE_LINE]; /* the same, cut into what is below        */
    const char *action, *arch, *spelling, *changes, *status, *words;
    unsigned col;
};

/* Everything an instruction can be given, valid until changed; outputs hold noise. */
struct reject_operands {
    struct wsim_regs d, a, b, c, r;
    uint32_t e[WSIM_LANES], sf[WSIM_LANES], addr[WSIM_LANES], mask;
    uint8_t bytes[4096];
    struct wsim_smem smem;
    struct wsim_operands io;
    int operand, full;
    struct wsim_copy copy;
    uint32_t src[WSIM_LANES], src_size[WSIM_LANES];
};

/* All cases of the *.txt files of the folder; the count, or -1 if a line is none. */
int reject_read(const char *folder, struct reject_case *cases, int max);

/* Valid operands with the changes of the case; fails the test if a change is unknown. */
void reject_change(const struct reject_case *what, struct reject_operands *operands);

#endif
