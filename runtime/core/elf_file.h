/* elf_file.h - files of code in memory: their sections, and the function at a place. */
#ifndef WSIM_RUNTIME_ELF_FILE_H
#define WSIM_RUNTIME_ELF_FILE_H

#include "allocation.h"

#include <elf.h>
#include <stddef.h>

struct elf_file {
    const unsigned char *bytes;
    size_t size;
    const Elf64_Shdr *sections;
    size_t n;
};

/* 0: the bytes are no file of 64 bits. */
int elf_open(struct elf_file *file, const void *bytes, size_t size);

/* Whether the file has these bytes. */
int elf_holds(const struct elf_file *file, uint64_t at, uint64_t bytes);

/* The name of the function that made a call, as the file has it, to be freed; NULL: unknown. */
char *elf_function(const struct caller *caller);

#endif
