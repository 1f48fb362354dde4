/* Numbers that the assembler writes beside machine code: registers and stack of each kernel. They
 * are in section .nv.info of an ELF file, as a list of attributes. The code itself is not read. */
#include "machine.h"
#include "elf_file.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* Attributes of a symbol: its number and a value, 4 bytes each. */
enum { FORMAT_SIZED = 4, REGISTERS = 0x2F, FRAME = 0x11 };

/* The name of a symbol; NULL: there is none. */
static const char *name_of(const struct elf_file *file, uint32_t number) {
    for (size_t i = 0; i < file->n; i++) {
        const Elf64_Shdr *table = &file->sections[i], *text;
        const Elf64_Sym *symbols;
        if (table->sh_type != SHT_SYMTAB)
            continue;
        if (table->sh_link >= file->n || table->sh_offset % 8 ||
            !elf_holds(file, table->sh_offset, table->sh_size) ||
            number >= table->sh_size / sizeof *symbols)
            return NULL;
        symbols = (const Elf64_Sym *)(file->bytes + table->sh_offset);
        text = &file->sections[table->sh_link];
        if (!elf_holds(file, text->sh_offset, text->sh_size) || !text->sh_size ||
            file->bytes[text->sh_offset + text->sh_size - 1] ||
            symbols[number].st_name >= text->sh_size)
            return NULL;
        return (const char *)file->bytes + text->sh_offset + symbols[number].st_name;
    }
    return NULL;
}

static struct machine *find(struct machine **list, const char *name) {
    struct machine *at = *list;
    while (at && strcmp(at->name, name) != 0)
        at = at->next;
    if (!at && (at = calloc(1, sizeof *at + strlen(name) + 1))) {
        strcpy(at->name, name);
        at->next = *list;
        *list = at;
    }
    return at;
}

static void read_attributes(const struct elf_file *file, const Elf64_Shdr *section,
                            struct machine **list) {
    const unsigned char *at = file->bytes + section->sh_offset;
    size_t left = section->sh_size;
    while (left >= 4) {
        uint16_t size = 0;
        uint32_t value[2];
        const char *name;
        struct machine *machine;
        memcpy(&size, at + 2, 2);
        if (at[0] != FORMAT_SIZED)
            size = 0;
        if (size > left - 4)
            return;
        if (size == sizeof value && (at[1] == REGISTERS || at[1] == FRAME)) {
            memcpy(value, at + 4, sizeof value);
            name = name_of(file, value[0]);
            machine = name ? find(list, name) : NULL;
            if (machine && at[1] == REGISTERS)
                machine->registers = value[1];
            else if (machine)
                machine->frame = value[1];
        }
        at += 4 + size;
        left -= 4 + size;
    }
}

void machine_read(const void *bytes, size_t size, struct machine **list) {
    struct elf_file file;
    const Elf64_Shdr *names;
    if (!elf_open(&file, bytes, size) || ((const Elf64_Ehdr *)bytes)->e_shstrndx >= file.n)
        return;
    names = &file.sections[((const Elf64_Ehdr *)bytes)->e_shstrndx];
    for (size_t i = 0; i < file.n; i++) {
        static const char wanted[] = ".nv.info";
        const Elf64_Shdr *section = &file.sections[i];
        if (section->sh_name < names->sh_size &&
            sizeof wanted <= names->sh_size - section->sh_name &&
            elf_holds(&file, names->sh_offset + section->sh_name, sizeof wanted) &&
            memcmp(file.bytes + names->sh_offset + section->sh_name, wanted, sizeof wanted) == 0 &&
            elf_holds(&file, section->sh_offset, section->sh_size))
            read_attributes(&file, section, list);
    }
}

int machine_is_added(const struct machine *machine) {
    static const char prefix[] = "$__internal";
    return strncmp(machine->name, prefix, sizeof prefix - 1) == 0;
}

const struct machine *machine_find(const struct machine *list, const char *name) {
    while (list && strcmp(list->name, name) != 0)
        list = list->next;
    return list;
}

void machine_free(struct machine *list) {
    for (struct machine *next; list; list = next) {
        next = list->next;
        free(list);
    }
}
