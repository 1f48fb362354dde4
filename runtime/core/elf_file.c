/* Files of code; see elf_file.h. */
#define _GNU_SOURCE
#include "elf_file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int elf_holds(const struct elf_file *file, uint64_t at, uint64_t bytes) {
    return at <= file->size && bytes <= file->size - at;
}

int elf_open(struct elf_file *file, const void *bytes, size_t size) {
    const Elf64_Ehdr *head = bytes;
    *file = (struct elf_file){bytes, size, NULL, 0};
    if (size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_shentsize != sizeof(Elf64_Shdr) ||
        head->e_shoff % 8 ||
        !elf_holds(file, head->e_shoff, (uint64_t)head->e_shnum * sizeof(Elf64_Shdr)))
        return 0;
    file->sections = (const Elf64_Shdr *)(file->bytes + head->e_shoff);
    file->n = head->e_shnum;
    return 1;
}

/* The function of a table of symbols that has the byte at `offset`; NULL: none has. */
static char *find(const struct elf_file *file, const Elf64_Shdr *table, uint64_t offset) {
    const Elf64_Shdr *text;
    const Elf64_Sym *symbols;
    if (table->sh_link >= file->n || table->sh_offset % 8 ||
        !elf_holds(file, table->sh_offset, table->sh_size))
        return NULL;
    symbols = (const Elf64_Sym *)(file->bytes + table->sh_offset);
    text = &file->sections[table->sh_link];
    if (!elf_holds(file, text->sh_offset, text->sh_size) || !text->sh_size ||
        file->bytes[text->sh_offset + text->sh_size - 1])
        return NULL;
    for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++)
        if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC && symbols[i].st_name < text->sh_size &&
            offset - symbols[i].st_value < symbols[i].st_size)
            return strdup((const char *)file->bytes + text->sh_offset + symbols[i].st_name);
    return NULL;
}

char *elf_function(const struct caller *caller) {
    const int from = caller->object ? open(caller->object, O_RDONLY | O_CLOEXEC) : -1;
    const uint64_t at = caller->outer ? caller->outer : caller->offset;
    struct elf_file file;
    struct stat is;
    char *name = NULL;
    void *bytes = MAP_FAILED;
    if (from >= 0 && fstat(from, &is) == 0 && is.st_size > 0)
        bytes = mmap(NULL, (size_t)is.st_size, PROT_READ, MAP_PRIVATE, from, 0);
    if (from >= 0)
        close(from);
    if (bytes == MAP_FAILED)
        return NULL;
    if (elf_open(&file, bytes, (size_t)is.st_size))
        for (size_t i = 0; i < file.n && !name; i++)
            if (file.sections[i].sh_type == SHT_SYMTAB || file.sections[i].sh_type == SHT_DYNSYM)
                name = find(&file, &file.sections[i], at);
    munmap(bytes, (size_t)is.st_size);
    return name;
}
