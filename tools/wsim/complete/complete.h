/* complete.h - what can stand where the cursor of a shell is. */
#ifndef WSIM_COMPLETE_H
#define WSIM_COMPLETE_H

#include "../commands.h"

/* `words` are those behind the name of the program, the last of them up to the cursor. Prints what
 * the last one can be, one a line, with a tab and what that means; what ends with '.', ',' or '='
 * goes on. ":files" stands for names of files, ":folders" for those of folders, each with what of
 * the last word comes before the name behind a tab. An exit status. */
int complete_words(const struct commands *commands, int count, const char **words);

#endif
