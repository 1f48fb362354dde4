/* screen.h - how wide lines are, and what is emphasised. */
#ifndef WSIM_SCREEN_H
#define WSIM_SCREEN_H

/* Columns that a line may have: those of $COLUMNS, of the terminal, or 80; any after screen_widen.
 */
unsigned screen_columns(void);
void screen_widen(void);

/* Prints a text in lines that are no longer, broken at blanks; the second begins after `indent`
 * blanks. A word that is longer stays whole: names and spellings are there to be copied. */
void screen_fold(unsigned indent, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* What --color asks for: TOOL_GO, or TOOL_USAGE after saying what it can be. */
int screen_colour(const char *text);

/* Whether there are colours: unless --color says so or not, on a terminal that is no TERM=dumb,
 * unless NO_COLOR is set. */
int screen_has_colour(void);

#endif
