/* assembled.h - the machine code of a module, from the process that started the program.
 *
 * With WSIM_ASSEMBLER_SOCKET each module that is one PTX text goes there, and its accesses of
 * shared memory count as machine code has them. wire/assembler.h has the messages. */
#ifndef WSIM_RUNTIME_ASSEMBLED_H
#define WSIM_RUNTIME_ASSEMBLED_H

#include <wsim/kernel.h>

struct assembled; /* machine code, to be freed */

/* NULL: there is no socket, or no machine code. */
struct assembled *assembled_ask(const char *text, size_t size, const struct wsim_arch *arch);
const struct wsim_machine *assembled_machine(const struct assembled *assembled);
void assembled_free(struct assembled *assembled);

#endif
