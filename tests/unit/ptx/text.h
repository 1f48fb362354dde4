/* text.h - a text that is read for a test. */
#ifndef TESTS_UNIT_PTX_TEXT_H
#define TESTS_UNIT_PTX_TEXT_H

#include "../../../sim/ptx/ptx.h"
#include "../../run.h"

#include <string.h>

#define HEADER ".version 8.5\n.target sm_90a\n.address_size 64\n"

/* Reads a text without problems; *module is to be freed. */
void text_read(const char *text, struct ptx_module *module);

/* The same for the body of a kernel k. It has parameters a and b (.u64) and 8 registers each of %p
 * %h %r %f %rd %fd. */
const struct ptx_function *text_body(const char *body, struct ptx_module *module);

/* The operand `number` of instruction `at`; with its elements it stands in f->operands. */
const struct ptx_operand *text_operand(const struct ptx_function *f, uint32_t at, uint32_t number);

const struct ptx_function *text_function(const struct ptx_module *module, const char *name);
const struct ptx_variable *text_variable(const struct ptx_module *module, const char *name);

/* Reads a text that has one problem: its status, and the sentence in `text`. */
enum wsim_status text_problem(const char *text, char sentence[WSIM_DIAG_TEXT]);

#endif
