/* Compressed members of fat binaries. Layout: as sim/ptx/container.c has it; besides, at 16 of a
 * member's header the bytes of what is compressed and at 56 those of the text. Source: files of
 * nvcc 13.0, with
 * --compress-mode=default and =speed; LZ4 block format 1.6. */
#include "launch_packed.h"
#include "../common/memory.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

enum {
    HEAD = 16,
    MEMBER = 64,
    KIND_PTX = 1,
    AT_HEAD = 4,
    AT_SIZE = 8,
    AT_PACKED = 16,
    AT_ARCH = 28,
    AT_FLAGS = 40,
    AT_TEXT = 56,
    LZ4 = 0x2000,
    ZSTANDARD = 0x8000
};

struct member {
    const uint8_t *bytes;
    uint64_t packed, text, arch;
    unsigned how; /* LZ4 or ZSTANDARD; 0: it is not packed */
    int is_ptx;
};

static uint64_t number(const uint8_t *at, unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = bytes; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

/* The member at *at, which goes behind it; 0: there is none any more. */
static int next_member(const uint8_t *bytes, uint64_t size, uint64_t *at, struct member *out) {
    const uint8_t *head = bytes + *at;
    uint64_t length, contents;
    if (*at > size || size - *at < MEMBER)
        return 0;
    length = number(head + AT_HEAD, 4), contents = number(head + AT_SIZE, 8);
    if (length < MEMBER || length > size - *at || contents > size - *at - length)
        return 0;
    *out = (struct member){head + length,
                           number(head + AT_PACKED, 4),
                           number(head + AT_TEXT, 8),
                           number(head + AT_ARCH, 4),
                           number(head + AT_FLAGS, 8) & (LZ4 | ZSTANDARD),
                           number(head, 2) == KIND_PTX};
    if (out->packed > contents)
        out->how = 0, out->is_ptx = 0;
    *at += length + contents;
    return 1;
}

/* What all packed PTX for the newest architecture, *arch, comes to, with a byte between them; 0 if
 * some PTX is there as it is, or if it is more than `most`. */
static uint64_t measure(const uint8_t *bytes, uint64_t size, uint64_t most, uint64_t *arch) {
    struct member one;
    uint64_t all = 0;
    *arch = 0;
    for (uint64_t at = HEAD; next_member(bytes, size, &at, &one);) {
        if (!one.is_ptx)
            continue;
        if (!one.how)
            return 0;
        if (one.arch > *arch)
            *arch = one.arch, all = 0;
        if (one.arch < *arch)
            continue;
        if (one.text >= most - all)
            return 0;
        all += one.text + (all != 0);
    }
    return all;
}

/* A length of which four bits are in the token; 0: it ends too early or is too long. */
static int extend(const uint8_t **in, const uint8_t *end, uint64_t *length) {
    uint8_t more = 255;
    while (*length >= 15 && more == 255) {
        if (*in == end || *length > UINT32_MAX)
            return 0;
        more = *(*in)++;
        *length += more;
    }
    return 1;
}

/* Literals and copies of what is there already, in turn. 1: exactly `size` bytes came out. */
static int unpack_lz4(const uint8_t *in, uint64_t packed, uint8_t *out, uint64_t size) {
    const uint8_t *const end = in + packed;
    uint64_t done = 0;
    while (in < end) {
        const uint8_t token = *in++;
        uint64_t literals = token >> 4, copied = token & 15, back;
        if (!extend(&in, end, &literals) || literals > (uint64_t)(end - in) ||
            literals > size - done)
            return 0;
        memcpy(out + done, in, (size_t)literals);
        in += literals, done += literals;
        if (in == end)
            break;
        if (end - in < 2)
            return 0;
        back = number(in, 2);
        in += 2;
        if (!extend(&in, end, &copied) || !back || back > done || copied + 4 > size - done)
            return 0;
        for (copied += 4; copied; copied--, done++)
            out[done] = out[done - back];
    }
    return done == size;
}

static int unpack(const struct member *member, uint8_t *out) {
    if (member->how == LZ4)
        return unpack_lz4(member->bytes, member->packed, out, member->text);
#ifdef HAVE_ZSTD
    if (member->how == ZSTANDARD)
        return ZSTD_decompress(out, (size_t)member->text, member->bytes, (size_t)member->packed) ==
               member->text;
#endif
    return 0;
}

/* All of them into `text`, one behind the other. */
static int unpack_all(const struct file_bytes *file, uint64_t arch, uint8_t *text) {
    struct member one;
    uint64_t done = 0;
    for (uint64_t at = HEAD; next_member(file->bytes, file->size, &at, &one);) {
        if (!one.is_ptx || one.arch != arch)
            continue;
        for (uint64_t i = 0; i < done; i++)
            text[i] = text[i] ? text[i] : ' '; /* a 0 would end all of it in front of this one */
        if (done)
            text[done++] = '\n';
        if (!unpack(&one, text + done))
            return 0;
        done += one.text;
    }
    return 1;
}

void launch_unpack(struct file_bytes *file, uint64_t most) {
    uint64_t arch, size;
    uint8_t *text;
    if (file->size < HEAD || memcmp(file->bytes, "\x50\xED\x55\xBA", 4) != 0)
        return;
    size = measure(file->bytes, file->size, most, &arch);
    if (!size)
        return;
    text = memory_make((size_t)size + 1, 1);
    if (!unpack_all(file, arch, text)) {
        free(text);
        return;
    }
    free(file->bytes);
    file->bytes = text;
    file->size = size;
}
