/* Numbers that the assembler writes beside machine code: registers and stack of each kernel. They
 * are in section .nv.info of an ELF file, as a list of attributes. The code itself is not read. */
#include "machine.h"
#include "elf_file.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* Attributes of a symbol: its number and a value, 4 bytes each. */
enum { FORMAT_SIZED = 4, REGISTERS = 0x2F, FRAME = 0x11 };

/* The symbols of a file, and the kernel that each has in the list. */
struct symbols {
    const Elf64_Sym *all;
    struct machine **kernels;
    size_t n;
    const char *names; /* end with a 0 */
    uint64_t bytes;
};

/* 0: the file has none. */
static int find_symbols(const struct elf_file *file, struct symbols *out) {
    const Elf64_Shdr *table = file->sections, *text;
    while (table < file->sections + file->n && table->sh_type != SHT_SYMTAB)
        table++;
    if (table == file->sections + file->n || table->sh_link >= file->n || table->sh_offset % 8 ||
        !elf_holds(file, table->sh_offset, table->sh_size))
        return 0;
    text = &file->sections[table->sh_link];
    if (!elf_holds(file, text->sh_offset, text->sh_size) || !text->sh_size ||
        file->bytes[text->sh_offset + text->sh_size - 1])
        return 0;
    out->all = (const Elf64_Sym *)(file->bytes + table->sh_offset);
    out->n = table->sh_size / sizeof *out->all;
    out->names = (const char *)file->bytes + text->sh_offset;
    out->bytes = text->sh_size;
    out->kernels = calloc(out->n + 1, sizeof *out->kernels);
    return out->kernels != NULL;
}

/* The kernel of a symbol; NULL: it has no name. */
static struct machine *find(const struct symbols *symbols, uint32_t number, struct machine **list) {
    const char *name;
    struct machine *made;
    if (number >= symbols->n || symbols->all[number].st_name >= symbols->bytes)
        return NULL;
    if (symbols->kernels[number])
        return symbols->kernels[number];
    name = symbols->names + symbols->all[number].st_name;
    made = calloc(1, sizeof *made + strlen(name) + 1);
    if (!made)
        return NULL;
    strcpy(made->name, name);
    made->next = *list;
    return symbols->kernels[number] = *list = made;
}

static void read_attributes(const struct elf_file *file, const Elf64_Shdr *section,
                            const struct symbols *symbols, struct machine **list) {
    const unsigned char *at = file->bytes + section->sh_offset;
    size_t left = section->sh_size;
    while (left >= 4) {
        uint16_t size = 0;
        uint32_t value[2];
        struct machine *machine;
        memcpy(&size, at + 2, 2);
        if (at[0] != FORMAT_SIZED)
            size = 0;
        if (size > left - 4)
            return;
        if (size == sizeof value && (at[1] == REGISTERS || at[1] == FRAME)) {
            memcpy(value, at + 4, sizeof value);
            machine = find(symbols, value[0], list);
            if (machine && at[1] == REGISTERS)
                machine->registers = value[1];
            else if (machine)
                machine->frame = value[1];
        }
        at += 4 + size;
        left -= 4 + size;
    }
}

/* Sections .nv.info do not overlap in files of the assembler; all together are no longer than the
 * file. */
void machine_read(const void *bytes, size_t size, struct machine **list) {
    struct elf_file file;
    struct symbols symbols;
    const Elf64_Shdr *names;
    uint64_t left = size;
    if (!elf_open(&file, bytes, size) || ((const Elf64_Ehdr *)bytes)->e_shstrndx >= file.n ||
        !find_symbols(&file, &symbols))
        return;
    names = &file.sections[((const Elf64_Ehdr *)bytes)->e_shstrndx];
    for (size_t i = 0; i < file.n; i++) {
        static const char wanted[] = ".nv.info";
        const Elf64_Shdr *section = &file.sections[i];
        if (section->sh_name < names->sh_size &&
            sizeof wanted <= names->sh_size - section->sh_name &&
            elf_holds(&file, names->sh_offset + section->sh_name, sizeof wanted) &&
            memcmp(file.bytes + names->sh_offset + section->sh_name, wanted, sizeof wanted) == 0 &&
            elf_holds(&file, section->sh_offset, section->sh_size) && section->sh_size <= left) {
            left -= section->sh_size;
            read_attributes(&file, section, &symbols, list);
        }
    }
    free(symbols.kernels);
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
