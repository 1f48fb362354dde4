/* assembling.h - the machine code of modules that a program loads.
 *
 * A program must not find children that it did not start, so its runtime starts none. It sends each
 * PTX text to this process, through a socket in the folder of the records, and gets the machine
 * code back. runtime/core/assembled.h has the messages. A thread of this process answers.
 */
#ifndef WSIM_PROGRAM_ASSEMBLING_H
#define WSIM_PROGRAM_ASSEMBLING_H

struct assembling;

/* `which` as in ../common/assembler.h, or "auto". TOOL_GO, or TOOL_USAGE after an error message. */
int assembling_open(struct assembling **assembling, const char *which, const char *folder);

/* The path of the socket. */
const char *assembling_path(const struct assembling *assembling);

/* Ends the thread, says how many modules were assembled, and frees all. NULL is allowed. */
void assembling_close(struct assembling *assembling);

#endif
