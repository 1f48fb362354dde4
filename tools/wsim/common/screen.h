/* screen.h - the width of lines, and colour. */
#ifndef WSIM_SCREEN_H
#define WSIM_SCREEN_H

/* Columns that a line may have: those of $COLUMNS, of the terminal, or 80; any after screen_widen.
 */
unsigned screen_columns(void);
void screen_widen(void);

/* Prints a text in lines of at most screen_columns, broken at blanks; all but the first begin with
 * `indent` blanks. A longer word stays whole, so that names and spellings can be copied. */
void screen_fold(unsigned indent, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Reads the argument of `--color`: TOOL_GO, or TOOL_USAGE after an error message. */
int screen_colour(const char *text);

/* Whether to style the output: follows the option; by default only on a terminal, unless TERM is
 * dumb or NO_COLOR is set. */
int screen_has_colour(void);

/* Shows a line on standard error while the program works, if that is a terminal; at most five times
 * a second. NULL: removes it. */
void screen_progress(const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 1, 2)))
#endif
    ;

#endif
