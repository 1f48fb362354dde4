/* help.h - the part of a --help that is written by hand, in lines of the screen's width. */
#ifndef WSIM_HELP_H
#define WSIM_HELP_H

/* Lines of `text` are joined to paragraphs, and an empty line ends one. A line that begins with two
 * blanks is a word and, from column HELP_TAB on, what it means; more blanks go on with that. */
#define HELP_TAB 15
void help_about(const char *text);

/* The same for somebody else: `visit` gets each paragraph as one line, whether it is a word and its
 * meaning, and an empty text for an empty line. */
typedef void help_visit(void *context, const char *paragraph, int is_meaning);
void help_paragraphs(const char *text, help_visit *visit, void *context);

/* Command lines, one a line; what is too long goes on behind a '\'. */
void help_examples(const char *text);

#endif
