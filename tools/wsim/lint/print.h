/* print.h - findings of lint as text and in formats for other programs. */
#ifndef WSIM_LINT_PRINT_H
#define WSIM_LINT_PRINT_H

#include "../common/tool.h"

#include <wsim/harness/lint.h>

enum lint_format { LINT_TEXT, LINT_GITHUB, LINT_JSON, LINT_SARIF };

struct lint_print {
    enum lint_format format;
    json_t *results; /* of JSON and SARIF, else NULL */
};

/* Starts a document in the format called `name` (NULL: text): TOOL_GO, or TOOL_USAGE after a
 * message. */
int lint_print_open(struct lint_print *print, const char *name);

/* Prints the findings in one file. */
void lint_print_file(struct lint_print *print, const char *name, const struct wsim_lint *lint);

/* Prints the end of the document. */
void lint_print_close(struct lint_print *print);

#endif
