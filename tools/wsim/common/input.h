/* input.h - text from files and hex from text: what the operands and addresses are read from. */
#ifndef WSIM_INPUT_H
#define WSIM_INPUT_H

#include <stddef.h>
#include <stdint.h>

/* The whole file ("-": standard input) with a 0 behind it, to be freed; NULL after saying why. A
 * file larger than INPUT_MAX is refused. */
char *input_file(const char *path);
#define INPUT_MAX (8u << 20)

/* The same of a file that may have bytes of 0. */
char *input_bytes(const char *path, size_t *length);

/* The folder of a path, to be freed; "." for a bare name and for standard input. */
char *input_folder(const char *path);

/* What a path is called in messages. */
const char *input_name(const char *path);

/* The hex digits that an operand argument means: `text` itself, what follows "hex:", or, after
 * '@', the contents of a file. White space and '_' are left out. To be freed; NULL after saying
 * what is wrong, where `what` names the option. */
char *input_hex(const char *what, const char *text);

/* The value of `count` (at most 16) hex digits. */
uint64_t input_digits(const char *digits, size_t count);

/* 32 numbers from what `option` was given: an expression over lane, "hex:" and 32 x 8 digits, or a
 * file (its name,
 * '@' and its name, or '-') with 32 numbers. TOOL_GO, or the status after saying what is wrong. */
int input_addresses(const char *option, const char *text, uint32_t addr[32]);

/* The same with names that have values in an expression; NULL: none have. */
struct wsim_address_scope;
int input_addresses_in(const struct wsim_address_scope *scope, const char *option, const char *text,
                       uint32_t addr[32]);

#endif
