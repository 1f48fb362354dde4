/* PTX from images. Layout of the wrapper of nvcc (magic number, version, address of the fat binary,
 * one more address): objects of nvcc 13.0. */
#include "image.h"
#include "beside.h"
#include "machine.h"
#include "state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wsim/fatbin.h>

#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#define WRAPPER_MAGIC 0x466243B1u
#define FATBIN_MAGIC 0xBA55ED50u
#define ELF_MAGIC 0x464C457Fu
enum { ELF_64 = 2 }; /* the byte behind it */

struct wrapper {
    uint32_t magic, version;
    const void *fatbin;
    const void *more;
};

struct container {
    uint32_t magic;
    uint16_t version, head;
    uint64_t bytes; /* of all members */
};

#ifdef HAVE_ZSTD
static int unpack(void *context, const void *from, size_t stored, void *to, size_t size) {
    (void)context;
    return ZSTD_decompress(to, size, from, stored) == size;
}
#define UNPACK unpack
#else
#define UNPACK NULL
#endif

/* How many bytes from `at` on can be read. Without /proc: all. */
static size_t readable_from(const void *at) {
    const uintptr_t begin = (uintptr_t)at;
    uintptr_t end = begin, from, to;
    char access;
    FILE *maps = fopen("/proc/self/maps", "re");
    if (!maps)
        return SIZE_MAX - begin;
    while (fscanf(maps, "%" SCNxPTR "-%" SCNxPTR " %c%*[^\n]", &from, &to, &access) == 3)
        if (from <= end && end < to && access == 'r')
            end = to;
    fclose(maps);
    return end - begin;
}

/* An image, or what can be read from its address on if the caller gives no size (`open`). */
struct bounded {
    const void *bytes;
    size_t size;
    int open;
};

static struct bounded bound(const struct wsimrt_image *image) {
    const int open = !image->size;
    return (struct bounded){image->bytes, open ? readable_from(image->bytes) : image->size, open};
}

static uint32_t magic_of(const struct bounded *image) {
    uint32_t magic = 0;
    if (image->size >= sizeof magic) {
        /* Text may be shorter than a number. */
        const unsigned char *at = image->bytes;
        for (unsigned i = 0; i < sizeof magic && at[i]; i++)
            magic |= (uint32_t)at[i] << 8 * i;
    }
    return magic;
}

static int is_machine_code(const struct bounded *image) {
    return magic_of(image) == ELF_MAGIC && image->size > 4 &&
           ((const unsigned char *)image->bytes)[4] == ELF_64;
}

/* Says how to build a program whose fat binary has only machine code. */
static void say_only_machine_code(const struct bounded *image, const struct wsim_arch *arch,
                                  struct wsim_diag *reason) {
    struct wsim_fatbin_member member;
    uint64_t cursor = 0;
    unsigned newest = 0;
    char variant[2] = "", of_newest[2] = "";
    const unsigned number = wsim_target_number(wsim_arch_name(arch));
    while (wsim_fatbin_next(image->bytes, image->size, &cursor, &member)) {
        if (member.kind == WSIM_MEMBER_PTX && member.arch > newest) {
            newest = member.arch;
            of_newest[0] = member.variant;
        }
        if (member.kind == WSIM_MEMBER_CUBIN && member.arch == number)
            variant[0] = member.variant;
    }
    if (newest)
        snprintf(reason->text, sizeof reason->text,
                 "the fat binary has PTX for compute_%u%s, which %s does not run: add "
                 "-gencode arch=compute_%u,code=compute_%u, or choose the architecture with "
                 "--arch sm_%u%s of wsim run (WSIM_ARCH)",
                 newest, of_newest, wsim_arch_name(arch), number, number, newest, of_newest);
    else
        snprintf(reason->text, sizeof reason->text,
                 "the fat binary has machine code and no PTX: add "
                 "-gencode arch=compute_%u%s,code=compute_%u%s (NVCC_APPEND_FLAGS does it for an "
                 "unchanged build)",
                 number, variant, number, variant);
}

/* The kernels of the machine code of a fat binary for one architecture; 0: for the first one. */
static void read_members(const struct bounded *image, unsigned number, struct machine **list) {
    enum { MOST = 1 << 30 }; /* bytes of machine code; a small file can unpack to any number */
    struct wsim_fatbin_member member;
    struct wsim_diag diag;
    uint64_t cursor = 0;
    while (wsim_fatbin_next(image->bytes, image->size, &cursor, &member)) {
        unsigned char *bytes = NULL;
        if (member.kind == WSIM_MEMBER_CUBIN && (!number || member.arch == number) && member.size &&
            member.size <= MOST) {
            number = member.arch;
            bytes = malloc(member.size);
        }
        if (bytes && !wsim_fatbin_unpack(&member, UNPACK, NULL, bytes, &diag))
            machine_read(bytes, member.size, list);
        free(bytes);
    }
}

/* A text that declares the kernels of machine code, so that a program can ask for their numbers. */
static int declare(const struct machine *kernels, struct image_text *text) {
    static const char head[] = ".version 6.0\n.target sm_70\n.address_size 64\n",
                      entry[] = ".visible .entry %s()\n{\nret;\n}\n";
    size_t bytes = sizeof head, used;
    for (const struct machine *at = kernels; at; at = at->next)
        bytes += sizeof entry + strlen(at->name);
    if (!(text->owned = malloc(bytes)))
        return 0;
    used = (size_t)snprintf(text->owned, bytes, "%s", head);
    for (const struct machine *at = kernels; at; at = at->next)
        if (!machine_is_added(at) && machine_find(kernels, at->name) == at)
            used += (size_t)snprintf(text->owned + used, bytes - used, entry, at->name);
    text->text.bytes = text->owned;
    text->text.size = used;
    text->empty = 1;
    return 1;
}

/* The text of machine code, if the user gives a folder. 0: there is none. */
static int read_beside(struct machine *kernels, struct image_text *text, struct wsim_diag *reason) {
    int found = kernels && beside_find(core.settings.ptx, kernels, text, reason);
    if (kernels && !found)
        found = declare(kernels, text);
    machine_free(kernels);
    return found;
}

static int read_fatbin(const struct bounded *image, const struct wsim_arch *arch,
                       struct image_text *text, struct wsim_diag *reason) {
    struct machine *kernels = NULL;
    size_t bytes = 0;
    enum wsim_status status =
        wsim_fatbin_text(image->bytes, image->size, arch, UNPACK, NULL, NULL, &bytes, reason);
    if (!status && !(text->owned = malloc(bytes + 1)))
        return WSIMRT_OUT_OF_MEMORY;
    if (!status)
        status = wsim_fatbin_text(image->bytes, image->size, arch, UNPACK, NULL, text->owned,
                                  &bytes, reason);
    if (status) {
        free(text->owned);
        text->owned = NULL;
        if (strcmp(reason->rule, "fatbin.text.missing") != 0)
            return status == WSIM_UNMODELLED ? WSIMRT_NOT_SUPPORTED : WSIMRT_INVALID_IMAGE;
        say_only_machine_code(image, arch, reason);
        if (core.settings.ptx)
            read_members(image, 0, &kernels);
        return read_beside(kernels, text, reason) ? 0 : WSIMRT_NO_BINARY_FOR_GPU;
    }
    text->owned[bytes] = '\0';
    text->text.bytes = text->owned;
    text->text.size = bytes;
    return 0;
}

/* The fat binary in an image, with its size. 0: there is none. */
static int find_fatbin(struct bounded *image) {
    struct container container;
    if (magic_of(image) == WRAPPER_MAGIC && image->size >= sizeof(struct wrapper)) {
        struct wrapper wrapper;
        memcpy(&wrapper, image->bytes, sizeof wrapper);
        *image = bound(&(struct wsimrt_image){wrapper.fatbin, 0});
    }
    if (magic_of(image) != FATBIN_MAGIC || image->size < sizeof container)
        return 0;
    memcpy(&container, image->bytes, sizeof container);
    if (image->open && image->size > container.head &&
        image->size - container.head > container.bytes)
        image->size = container.head + container.bytes;
    return 1;
}

int image_has_text(const struct wsimrt_image *given) {
    struct bounded image = bound(given);
    struct wsim_fatbin_member member;
    uint64_t cursor = 0;
    if (!find_fatbin(&image))
        return 0;
    while (wsim_fatbin_next(image.bytes, image.size, &cursor, &member))
        if (member.kind == WSIM_MEMBER_PTX)
            return 1;
    return 0;
}

void image_machine(const struct wsimrt_image *given, const struct wsim_arch *arch,
                   struct machine **list) {
    struct bounded image = bound(given);
    if (is_machine_code(&image))
        machine_read(image.bytes, image.size, list);
    else if (find_fatbin(&image))
        read_members(&image, wsim_target_number(wsim_arch_name(arch)), list);
}

int image_read(const struct wsimrt_image *given, const struct wsim_arch *arch,
               struct image_text *text, struct wsim_diag *reason) {
    struct bounded image;
    *text = (struct image_text){{0}, NULL, 0};
    *reason = (struct wsim_diag){.rule = "", .text = "the image is neither PTX nor a fat binary"};
    if (!given->bytes)
        return WSIMRT_INVALID_VALUE;
    image = bound(given);
    if (find_fatbin(&image))
        return read_fatbin(&image, arch, text, reason);
    if (!image.size || magic_of(&image) == FATBIN_MAGIC)
        return WSIMRT_INVALID_IMAGE;
    if (is_machine_code(&image)) {
        struct machine *kernels = NULL;
        snprintf(reason->text, sizeof reason->text,
                 "the image is machine code (a cubin): load PTX instead, or let the compiler write "
                 "it to a folder and give that (WSIM_PTX, `wsim run --ptx`)");
        if (core.settings.ptx)
            machine_read(image.bytes, image.size, &kernels);
        return read_beside(kernels, text, reason) ? 0 : WSIMRT_NO_BINARY_FOR_GPU;
    }
    text->text.bytes = image.bytes;
    text->text.size = image.open ? strnlen(image.bytes, image.size) : image.size;
    return 0;
}
