/* program.h - random PTX programs. Each is a function of its seed alone, defined by the ISA in
 * every bit of its output, and free of races. */
#ifndef TESTS_RANDOM_PROGRAM_H
#define TESTS_RANDOM_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

enum {
    PROGRAM_INPUT = 65536, /* bytes of the first buffer                                     */
    PROGRAM_SUMS = 64,     /* bytes at the start of the second, which all threads change    */
    PROGRAM_THREAD = 256,  /* bytes of each thread after them                               */
    PROGRAM_TEXT = 1 << 18 /* bytes of the longest text, its NUL included                   */
};

/* A program: kernel k(.param .u64 in, .param .u64 out) and its launch. */
struct program {
    uint32_t grid, block; /* blocks, threads of each */
    char text[PROGRAM_TEXT];
};

/* Writes the program of a seed. */
void program_draw(uint64_t seed, struct program *program);

/* The same of one whose blocks take the same way, most often: many of them are played. */
void program_draw_alike(uint64_t seed, struct program *program);

/* The bytes of its second buffer. */
size_t program_output(const struct program *program);

/* Fills the first buffer: floats of all sizes, small numbers, any bits. Equal for all programs. */
void program_input(uint32_t words[PROGRAM_INPUT / 4]);

#endif
