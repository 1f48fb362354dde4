/* complete.h - completion of the word at the cursor of a shell. */
#ifndef WSIM_COMPLETE_H
#define WSIM_COMPLETE_H

#include "../commands.h"

/* `words` follow the name of the program; the last one ends at the cursor. Prints its completions,
 * one a line, with a tab and a meaning; one that ends with '.', ',' or '=' goes on. ":files" stands
 * for names of files, ":folders" for names of folders; after a tab comes the part of the word
 * before the name. An exit status. */
int complete_words(const struct commands *commands, int count, const char **words);

#endif
