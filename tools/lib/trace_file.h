/* trace_file.h - the lines of a text file, plain or compressed, one at a time, or its bytes.
 *
 * The first bytes of the file select the
 * codec, not its name, so standard input works too. Memory: two buffers and the longest line.
 */
#ifndef TOOLS_TRACE_FILE_H
#define TOOLS_TRACE_FILE_H

#include <stddef.h>
#include <stdio.h>

struct trace_file;

/* Opens `path`, "-" for standard input. NULL, with the reason in errno, if that fails. */
struct trace_file *trace_file_open(const char *path);

/* The same of a file that is open, and that trace_file_close closes. NULL without memory. */
struct trace_file *trace_file_of(FILE *stream);

/* Closes it; NULL is allowed. */
void trace_file_close(struct trace_file *file);

/* The next line without its newline; valid until the next call. 1: there is one; 0: end of the
 * file; -1: it cannot be read on, trace_file_problem says why. */
int trace_file_next(struct trace_file *file, const char **line, size_t *length);

/* As many of the next `most` bytes as there are, and in *failed whether it cannot be read on. */
size_t trace_file_read(struct trace_file *file, void *bytes, size_t most, int *failed);

/* One sentence. */
const char *trace_file_problem(const struct trace_file *file);

#endif
