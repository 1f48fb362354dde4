/* input.h - text from files, hex digits from text, addresses from either. */
#ifndef WSIM_INPUT_H
#define WSIM_INPUT_H

#include <stddef.h>
#include <stdint.h>

/* The whole file ("-": standard input) and a 0 after it, to be freed. Fails where it cannot be
 * read, or is larger than INPUT_MAX. */
char *input_file(const char *path);
#define INPUT_MAX (8u << 20)

/* The same of a file that may have bytes of 0; NULL after an error message. */
char *input_bytes(const char *path, size_t *length);

/* The folder of a path, to be freed; "." for a bare name and for standard input. */
char *input_folder(const char *path);

/* The name of a path in messages. */
const char *input_name(const char *path);

/* The hex digits of an argument: `text` itself, the text after "hex:", or the contents of the file
 * after '@'. White space and '_' are left out. `what` names the option. To be freed. */
char *input_hex(const char *what, const char *text);

/* The value of `count` (at most 16) hex digits. */
uint64_t input_digits(const char *digits, size_t count);

/* 32 numbers from the argument of `option`. It is an expression over lane (address.h), or "hex:"
 * and 32 x 8 digits, or names a file with 32 numbers (NAME, @NAME or '-'). */
void input_addresses(const char *option, const char *text, uint32_t addr[32]);

/* The same with names that have values in an expression; NULL: none have. */
struct wsim_address_scope;
void input_addresses_in(const struct wsim_address_scope *scope, const char *option,
                        const char *text, uint32_t addr[32]);

#endif
