/* The CUDA runtime inside other objects: nvcc links it statically by default. Its public functions
 * are in the symbol table of the object. The first bytes of each become a jump to the function of
 * the same name here. That happens before any code of the object runs. Nothing else of the object
 * is read or changed. Functions of NVRTC and nvJitLink that return machine code have jumps too. So
 * have functions that the runtime of the CuTe DSL exports, and cuda-python (python.c).
 *
 * The loader runs this constructor before those of all other objects (-z initfirst). When dlopen
 * has mapped an object, the loader calls r_brk, a function for debuggers (link.h). Constructors of
 * the object run after that. */
#define _GNU_SOURCE
#include "cudart.h"
#include "jump.h"
#include "python.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined __x86_64__ || defined __aarch64__

/* --- the names --- */

#define NAME_NONE(symbol)
#define NAME_PTSZ(symbol) any_function symbol##_ptsz;
#define NAME_PTDS(symbol) any_function symbol##_ptds;
#define RT_FUNCTION(symbol, twin, kind)                                                            \
    any_function symbol;                                                                           \
    NAME_##twin(symbol)
#include "function.def"

static struct name names[] = {
#undef NAME_NONE
#undef NAME_PTSZ
#undef NAME_PTDS
#define NAME_NONE(symbol)
#define NAME_PTSZ(symbol) {#symbol "_ptsz", symbol##_ptsz, NULL},
#define NAME_PTDS(symbol) {#symbol "_ptds", symbol##_ptds, NULL},
#define RT_FUNCTION(symbol, twin, kind) {#symbol, symbol, NULL}, NAME_##twin(symbol)
#include "function.def"
};

enum { NAMES = sizeof names / sizeof names[0] };

static int compare(const void *a, const void *b) {
    return strcmp(((const struct name *)a)->name, ((const struct name *)b)->name);
}

static const struct name *find(const char *text) {
    const struct name key = {text, NULL, NULL};
    if (strncmp(text, "cuda", 4) != 0 && strncmp(text, "__cuda", 6) != 0)
        return NULL;
    return bsearch(&key, names, NAMES, sizeof names[0], compare);
}

/* --- an object and its file --- */

struct object {
    const char *path;
    uint64_t base; /* of its addresses */
    const unsigned char *file;
    size_t bytes;
    const Elf64_Shdr *sections;
    size_t n_sections;
    const char *section_names;
    size_t name_bytes;
};

static int holds(const struct object *object, uint64_t at, uint64_t bytes) {
    return at <= object->bytes && bytes <= object->bytes - at;
}

/* Maps the file and checks what its head says. */
static int open_object(struct object *object) {
    struct stat status;
    const Elf64_Ehdr *head;
    void *file = MAP_FAILED;
    const int fd = open(object->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size > (off_t)sizeof(Elf64_Ehdr))
        file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (file == MAP_FAILED)
        return 0;
    object->file = file;
    object->bytes = (size_t)status.st_size;
    head = file;
    if (memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64 ||
        head->e_shentsize != sizeof(Elf64_Shdr) || head->e_shoff % 8 ||
        !holds(object, head->e_shoff, (uint64_t)head->e_shnum * sizeof(Elf64_Shdr)))
        return 1;
    object->sections = (const Elf64_Shdr *)(object->file + head->e_shoff);
    object->n_sections = head->e_shnum;
    if (head->e_shstrndx < head->e_shnum) {
        const Elf64_Shdr *strings = &object->sections[head->e_shstrndx];
        if (holds(object, strings->sh_offset, strings->sh_size)) {
            object->section_names = (const char *)object->file + strings->sh_offset;
            object->name_bytes = strings->sh_size;
        }
    }
    return 1;
}

/* A section by its type and, unless NULL, its name. */
static const Elf64_Shdr *find_section(const struct object *object, uint32_t type,
                                      const char *name) {
    for (size_t i = 0; i < object->n_sections; i++) {
        const Elf64_Shdr *section = &object->sections[i];
        const size_t length = name ? strlen(name) + 1 : 0;
        if (section->sh_type == type &&
            (!name || (section->sh_name < object->name_bytes &&
                       length <= object->name_bytes - section->sh_name &&
                       memcmp(object->section_names + section->sh_name, name, length) == 0)))
            return section;
    }
    return NULL;
}

/* A table of symbols, and the text of their names. */
struct symbols {
    const Elf64_Sym *list;
    size_t n;
    const char *text;
    size_t bytes;
    const struct name *(*find)(const char *text); /* which of them have jumps, and where to */
};

static struct symbols read_symbols(const struct object *object, uint32_t type) {
    const Elf64_Shdr *table = find_section(object, type, NULL), *text;
    struct symbols symbols = {NULL, 0, NULL, 0, find};
    if (!table || table->sh_link >= object->n_sections || table->sh_offset % 8 ||
        !holds(object, table->sh_offset, table->sh_size))
        return symbols;
    text = &object->sections[table->sh_link];
    if (!holds(object, text->sh_offset, text->sh_size) || !text->sh_size ||
        object->file[text->sh_offset + text->sh_size - 1])
        return symbols;
    symbols = (struct symbols){(const Elf64_Sym *)(object->file + table->sh_offset),
                               table->sh_size / sizeof(Elf64_Sym),
                               (const char *)object->file + text->sh_offset, text->sh_size, find};
    return symbols;
}

/* The address of a function: a name that ends in '_' is the beginning of one. 0: there is none. */
static uint64_t address_of(const struct object *object, const struct symbols *symbols,
                           const char *name) {
    const size_t length = strlen(name) + (name[strlen(name) - 1] != '_');
    for (size_t i = 0; i < symbols->n; i++) {
        const Elf64_Sym *symbol = &symbols->list[i];
        if (symbol->st_shndx != SHN_UNDEF && symbol->st_name < symbols->bytes &&
            strncmp(symbols->text + symbol->st_name, name, length) == 0)
            return object->base + symbol->st_value;
    }
    return 0;
}

/* Our function for a function that is defined in the object; NULL: none. */
static const struct name *name_of(const struct symbols *symbols, size_t i) {
    const Elf64_Sym *symbol = &symbols->list[i];
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF ||
        symbol->st_name >= symbols->bytes || symbol->st_size < JUMP_SHORT)
        return NULL;
    return symbols->find(symbols->text + symbol->st_name);
}

/* --- taking over --- */

/* Whether the runtime in the object is that of CUDA 12, whose header names this function. */
static int is_version_12(const struct symbols *symbols) {
    for (size_t i = 0; i < symbols->n; i++)
        if (symbols->list[i].st_shndx != SHN_UNDEF && symbols->list[i].st_name < symbols->bytes &&
            strcmp(symbols->text + symbols->list[i].st_name, "cudaGetDeviceProperties_v2") == 0)
            return 1;
    return 0;
}

struct range {
    uint64_t from, to;
};

/* The addresses of all functions that jumps go into. */
static struct range range_of(const struct object *object, const struct symbols *symbols) {
    struct range range = {UINT64_MAX, 0};
    for (size_t i = 0; i < symbols->n; i++) {
        const uint64_t at = object->base + symbols->list[i].st_value;
        if (!name_of(symbols, i))
            continue;
        range.from = at < range.from ? at : range.from;
        range.to =
            at + symbols->list[i].st_size > range.to ? at + symbols->list[i].st_size : range.to;
    }
    return range;
}

static void write_jumps(const struct object *object, const struct symbols *symbols,
                        unsigned char *page) {
    size_t used = 0;
    for (size_t i = 0; i < symbols->n; i++) {
        const struct name *name = name_of(symbols, i);
        unsigned char *at = (unsigned char *)(uintptr_t)(object->base + symbols->list[i].st_value);
        const uint64_t to = !name            ? 0
                            : name->function ? (uint64_t)(uintptr_t)name->function
                                             : address_of(object, symbols, name->same);
        if (!to)
            continue;
        if (symbols->list[i].st_size >= JUMP_LONG) {
            jump_write(at, to);
        } else if (page && used < JUMP_MOST_SHORT) {
            jump_write(page + 16 * used, to);
            jump_write_short(at, page + 16 * used++);
        }
    }
}

static void take_over(const struct object *object, const struct symbols *symbols) {
    const struct range range = range_of(object, symbols);
    const uint64_t from = range.from & ~UINT64_C(4095);
    const size_t bytes = (size_t)(((range.to + 4095) & ~UINT64_C(4095)) - from);
    unsigned char *page;
    if (range.from >= range.to)
        return;
    if (mprotect((void *)(uintptr_t)from, bytes, PROT_READ | PROT_WRITE | PROT_EXEC)) {
        wsimrt_lack(
            object->path,
            "cannot be changed, because the system forbids it: build it with -cudart shared");
        return;
    }
    page = jump_page(range.from);
    write_jumps(object, symbols, page);
    if (page)
        mprotect(page, 4096, PROT_READ | PROT_EXEC);
    mprotect((void *)(uintptr_t)from, bytes, PROT_READ | PROT_EXEC);
    __builtin___clear_cache((char *)(uintptr_t)from, (char *)(uintptr_t)from + bytes);
}

/* NVRTC and nvJitLink: what a compiler exports. Genuine functions keep their versioned names. */
static void take_compiler(const struct object *object, struct symbols exports) {
    if (!address_of(object, &exports, "nvrtcGetCUBIN") &&
        !address_of(object, &exports, "nvJitLinkCreate"))
        return;
    for (size_t i = 0; i < COMPILER_GENUINE; i++) {
        const uint64_t at = address_of(object, &exports, compiler_genuine_name(i));
        if (at)
            compiler_set_genuine(i, (any_function *)(uintptr_t)at);
    }
    exports.find = compiler_find;
    take_over(object, &exports);
}

/* Loads the library beside this one that takes over objects of the other major version. */
static void *load_other(void) {
    static const char names_of[2][16] = {"libcudart.so.12", "libcudart.so.13"};
    const char *const name = names_of[RT_MAJOR == 12];
    char path[3072];
    Dl_info info;
    const char *end;
    void *library;
    static const char here;
    if (!dladdr(&here, &info) || !info.dli_fname || !(end = strrchr(info.dli_fname, '/')) ||
        (size_t)(end - info.dli_fname) + sizeof names_of[0] + 1 > sizeof path)
        return NULL;
    memcpy(path, info.dli_fname, (size_t)(end - info.dli_fname) + 1);
    memcpy(path + (end - info.dli_fname) + 1, name, sizeof names_of[0]);
    if (!(library = dlopen(path, RTLD_NOW | RTLD_LOCAL)))
        wsimrt_say("%s", dlerror());
    return library;
}

static any_function *find_function(const char *name, int is_12) {
    static void *other;
    any_function *function = NULL;
    if (is_12 == (RT_MAJOR == 12)) {
        const struct name *row = find(name);
        return row ? row->function : NULL;
    }
    if (other || (other = load_other())) {
        void *const at = dlsym(other, name);
        memcpy(&function, &at, sizeof function);
    }
    return function;
}

/* The runtime of the CuTe DSL has the CUDA runtime inside, without names. It exports functions with
 * '_' before their names. An export of the CUDA runtime ends in a jump to the function itself,
 * which other code of the object calls too. An export of the driver takes numbers of devices for
 * handles, which are equal here. */
static void take_dsl(const struct object *object, const struct symbols *exports) {
    void *driver = NULL;
    if (!address_of(object, exports, "cuda_dialect_init_library_once"))
        return;
    for (size_t i = 0; i < exports->n; i++) {
        const Elf64_Sym *symbol = &exports->list[i];
        const char *text = symbol->st_name < exports->bytes ? exports->text + symbol->st_name : "";
        const uint64_t at = object->base + symbol->st_value;
        any_function *function = NULL;
        struct patch patch;
        if (strncmp(text, "_cu", 3) != 0 || symbol->st_size < JUMP_SHORT)
            continue;
        if (strcmp(text, "_cudaLaunchKernelEx") == 0)
            text = "_cudaLaunchKernelExC";
        if (strncmp(text, "_cuda", 5) == 0) {
            const uint64_t to = jump_target(at + symbol->st_size - JUMP_SHORT);
            function = find_function(text + 1, RT_MAJOR == 12);
            if (to && function)
                patch_set(&patch, to, function);
        } else if (symbol->st_size >= JUMP_LONG &&
                   (driver || (driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)))) {
            void *const found = dlsym(driver, text + 1);
            memcpy(&function, &found, sizeof function);
            if (function)
                patch_set(&patch, at, function);
        }
    }
}

/* The module of cuda-python with the runtime inside, by a variable that Cython names after it. */
static void take_python(const struct object *object, const struct symbols *exports) {
    static const char variable[] = "__pyx_module_is_main_cuda__bindings___";
    const uint64_t at = address_of(object, exports, "PyInit_");
    for (size_t i = 0; at && i < exports->n; i++) {
        const Elf64_Sym *symbol = &exports->list[i];
        const char *name = symbol->st_name < exports->bytes ? exports->text + symbol->st_name : "";
        if (strncmp(name, variable, sizeof variable - 1) == 0 && strstr(name, "runtime"))
            python_take(at, strstr(name, "ptds") != NULL, find_function);
    }
}

/* 1: the symbols define the function that every program with kernels calls first. */
static int defines_runtime(const struct symbols *symbols) {
    for (size_t i = 0; i < symbols->n; i++) {
        const struct name *name = name_of(symbols, i);
        if (name && strcmp(name->name, "__cudaRegisterFatBinary") == 0)
            return 1;
    }
    return 0;
}

static struct {
    struct r_debug *loader;
    const struct link_map *last; /* that was visited */
    int other;                   /* an object has the runtime of the other major version */
} state;

/* The file of the program: by name, as messages need it. */
static const char *program_path(void) {
    static char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    return path;
}

static void visit(const struct link_map *map) {
    struct object object = {.path = map->l_name, .base = map->l_addr};
    struct symbols symbols, exports;
    if (!*object.path)
        object.path = program_path();
    if (!open_object(&object))
        return;
    symbols = read_symbols(&object, SHT_SYMTAB);
    exports = read_symbols(&object, SHT_DYNSYM);
    take_compiler(&object, exports);
    if (RT_MAJOR == 13) {
        take_dsl(&object, &exports);
        take_python(&object, &exports);
    }
    if (defines_runtime(&exports)) /* a libcudart of its own, such as this one */
        ;
    else if (defines_runtime(&symbols) && is_version_12(&symbols) == (RT_MAJOR == 12))
        take_over(&object, &symbols);
    else if (defines_runtime(&symbols))
        state.other = 1;
    munmap((void *)(uintptr_t)object.file, object.bytes);
}

/* --- which objects --- */

static void visit_new(void) {
    const struct link_map *map = state.last ? state.last->l_next : state.loader->r_map;
    for (; map; map = map->l_next) {
        state.last = map;
        visit(map);
    }
}

static void visit_none(void) {
    const struct link_map *map = state.loader->r_map;
    while (map && map->l_next)
        map = map->l_next;
    state.last = map;
}

/* The loader calls this in the place of its own empty function. */
static void changed(void) {
    static int deleting;
    const int kept = errno;
    if (state.loader->r_state == RT_DELETE)
        deleting = 1;
    if (state.loader->r_state != RT_CONSISTENT)
        return;
    if (deleting)
        visit_none(); /* the last one may be gone */
    else
        visit_new();
    deleting = 0;
    errno = kept;
}

/* Whether there is room for a jump: a return, and padding up to the next 16 bytes. */
static int has_room(const unsigned char *at) {
#ifdef __x86_64__
    static const unsigned char landing[4] = {0xF3, 0x0F, 0x1E, 0xFA};
    size_t i = memcmp(at, landing, sizeof landing) == 0 ? sizeof landing : 0;
    if ((uintptr_t)at % 16 || at[i++] != 0xC3)
        return 0;
    while (i < JUMP_LONG) { /* the paddings of assemblers: 90, 66 ... 2E 0F 1F ... */
        const size_t start = i;
        while (i < 16 && (at[i] == 0x66 || at[i] == 0x2E))
            i++;
        if (i < 15 && at[i] == 0x0F && at[i + 1] == 0x1F)
            i += 2 + 1 + (at[i + 2] >> 6 == 1 ? 1u : 4u * (at[i + 2] >> 6 == 2)) +
                 ((at[i + 2] & 7) == 4);
        else if (i < 16 && (at[i] == 0x90 || at[i] == 0xCC))
            i++;
        if (i == start)
            return 0;
    }
    return 1;
#else
    (void)at;
    return 0;
#endif
}

static void watch_loader(void) {
    unsigned char *at = (unsigned char *)(uintptr_t)state.loader->r_brk;
    void *const page = (void *)((uintptr_t)at & ~(uintptr_t)4095);
    if (!at || !has_room(at) || mprotect(page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC))
        return;
    jump_write(at, (uint64_t)(uintptr_t)changed);
    mprotect(page, 4096, PROT_READ | PROT_EXEC);
}

/* The list of objects, as the dynamic section of the program tells debuggers. */
static int find_loader(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size, (void)unused;
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) {
            const ElfW(Dyn) *at =
                (const ElfW(Dyn) *)(uintptr_t)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
            for (; at->d_tag != DT_NULL; at++)
                if (at->d_tag == DT_DEBUG)
                    state.loader = (struct r_debug *)(uintptr_t)at->d_un.d_ptr;
        }
    return 1; /* the program is the first one */
}

__attribute__((constructor)) static void begin(void) {
    dl_iterate_phdr(find_loader, NULL);
    if (!state.loader)
        return;
    qsort(names, NAMES, sizeof names[0], compare);
    visit_new();
    if (state.other)
        load_other();
    watch_loader();
}

#endif
