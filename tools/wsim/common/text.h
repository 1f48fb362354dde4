/* text.h - text from outside, made fit to be shown: what a user typed, what a file is called. A
 * terminal obeys some bytes, a reader has no use for ten thousand of them.
 */
#ifndef WSIM_TEXT_H
#define WSIM_TEXT_H

/* Puts '?' for every byte that is no part of a character which only looks like something: control
 * characters of both kinds, what turns the direction of writing, whatever is no UTF-8. */
void text_mask(char *text);

/* The first characters of a text, masked, and "..." for more of them. */
#define TEXT_CUT 60
struct cut_text {
    char text[TEXT_CUT + 4];
};
struct cut_text text_cut(const char *text);

/* The same of the name of a file, which is to be found again. */
#define TEXT_PATH 512
struct path_text {
    char text[TEXT_PATH + 4];
};
struct path_text text_path(const char *path);

#endif
