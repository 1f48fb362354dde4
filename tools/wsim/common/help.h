/* help.h - paragraphs and examples of --help, folded to the width of the screen. */
#ifndef WSIM_HELP_H
#define WSIM_HELP_H

/* Joins the lines of `text` to paragraphs; an empty line ends one. A line that begins with two
 * blanks is a word and, from column HELP_TAB on, its meaning; lines with more blanks continue the
 * meaning. */
#define HELP_TAB 15
void help_about(const char *text);

/* Passes each paragraph to `visit` as one line; `is_meaning`: it is a word and its meaning. An
 * empty text stands for an empty line. */
typedef void help_visit(void *context, const char *paragraph, int is_meaning);
void help_paragraphs(const char *text, help_visit *visit, void *context);

/* Command lines, one a line; a '\\' continues one that is too long. */
void help_examples(const char *text);

#endif
