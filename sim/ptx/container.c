/* Fat binaries: members, their contents unpacked, and the PTX for a target.
 *
 * Layout, all numbers little-endian. A container: magic number, version (2 bytes), size of its
 * header (2), size of all members (8), which is not needed. A member: kind (2), version (2), size
 * of its header (4), size of its contents (8); then at the offsets below. Source: files of
 * nvcc 13.0, with every
 * --compress-mode and --no-compress; LZ4 block format 1.6. */
#include "reader.h"

#include "../base/base.h"

#include <stdlib.h>
#include <string.h>
#include <wsim/fatbin.h>

enum {
    CONTAINER = 16, /* bytes of a container's header that are read */
    AT_CONTAINER_HEAD = 6,
    MEMBER = 64, /* the same of a member's header */
    AT_HEAD = 4,
    AT_SIZE = 8,
    AT_PACKED = 16, /* bytes of the contents that are packed; the rest is padding */
    AT_ARCH = 28,
    AT_NAME = 32,
    AT_NAME_BYTES = 36,
    AT_FLAGS = 40,
    AT_UNPACKED = 56,
    KIND_PTX = 1,
    KIND_CUBIN = 2,
    FLAG_LZ4 = 0x2000,
    FLAG_ZSTANDARD = 0x8000,
    FLAG_A = 0x100000,
    FLAG_F = 0x200000,
    MOST_LZ4 = 255,          /* a byte of LZ4 unpacks to at most as many */
    MOST_TEXT = 1 << 30,     /* bytes of PTX; a small file can unpack to any number */
    MOST_ZSTANDARD = 1 << 15 /* RFC 8878: a block of 4 bytes or more unpacks to 128 KiB */
};

static uint64_t number_at(const uint8_t *at, unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = bytes; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

static int has_magic(const uint8_t *at, uint64_t size) {
    return size >= CONTAINER && memcmp(at, "\x50\xED\x55\xBA", 4) == 0;
}

/* --- members --- */

static uint8_t kind_of(const uint8_t *head) {
    switch (number_at(head, 2)) {
    case KIND_PTX: return WSIM_MEMBER_PTX;
    case KIND_CUBIN: return WSIM_MEMBER_CUBIN;
    default: return WSIM_MEMBER_OTHER;
    }
}

static void read_name(const uint8_t *head, uint64_t head_bytes, struct wsim_fatbin_member *out) {
    const uint64_t at = number_at(head + AT_NAME, 4), bytes = number_at(head + AT_NAME_BYTES, 4);
    if (at < MEMBER || !bytes || at > head_bytes || bytes > head_bytes - at)
        return;
    out->name = (const char *)head + at;
    out->name_bytes = (size_t)bytes;
}

/* Reads the member at `head`, of which `left` bytes are there. Returns the bytes that it takes; 0:
 * it is damaged. */
static uint64_t read_member(const uint8_t *head, uint64_t left, struct wsim_fatbin_member *out) {
    const uint64_t head_bytes = left < MEMBER ? 0 : number_at(head + AT_HEAD, 4);
    const uint64_t contents = left < MEMBER ? 0 : number_at(head + AT_SIZE, 8);
    *out = (struct wsim_fatbin_member){.kind = WSIM_MEMBER_DAMAGED, .bytes = head};
    if (head_bytes < MEMBER || head_bytes > left || contents > left - head_bytes)
        return 0;
    const uint64_t flags = number_at(head + AT_FLAGS, 8);
    out->bytes = head + head_bytes;
    out->stored = out->size = contents;
    out->arch = (uint32_t)number_at(head + AT_ARCH, 4);
    out->variant = flags & FLAG_A ? 'a' : flags & FLAG_F ? 'f' : 0;
    read_name(head, head_bytes, out);
    if (flags & (FLAG_LZ4 | FLAG_ZSTANDARD)) {
        out->packing = flags & FLAG_LZ4 ? WSIM_PACKED_LZ4 : WSIM_PACKED_ZSTANDARD;
        out->stored = number_at(head + AT_PACKED, 4);
        out->size = number_at(head + AT_UNPACKED, 8);
    }
    const uint64_t most = out->packing == WSIM_PACKED_LZ4 ? MOST_LZ4 : MOST_ZSTANDARD;
    if (out->stored > contents || (out->packing && out->size / most > out->stored))
        return 0;
    out->kind = kind_of(head);
    return head_bytes + contents;
}

/* Skips headers of containers and the zeros between two containers. */
static uint64_t skip_to_member(const uint8_t *file, uint64_t size, uint64_t at) {
    while (at < size) {
        uint64_t head = 1;
        if (has_magic(file + at, size - at)) {
            head = number_at(file + at + AT_CONTAINER_HEAD, 2);
            head = head < CONTAINER ? CONTAINER : head;
        } else if (file[at]) {
            return at;
        }
        at = head < size - at ? at + head : size;
    }
    return size;
}

int wsim_fatbin_next(const void *file, size_t size, uint64_t *cursor,
                     struct wsim_fatbin_member *member) {
    uint64_t at = *cursor < size ? *cursor : size, taken;
    if (!has_magic(file, size))
        return 0;
    at = skip_to_member(file, size, at);
    *cursor = size;
    if (at == size)
        return 0;
    taken = read_member((const uint8_t *)file + at, size - at, member);
    if (taken)
        *cursor = at + taken;
    return 1;
}

/* --- contents --- */

/* A length with four bits in the token. Returns 0 at the end of bytes, or out of range. */
static int extend_length(const uint8_t **in, const uint8_t *end, uint64_t *length) {
    uint8_t more = 255;
    while (*length >= 15 && more == 255) {
        if (*in == end || *length > UINT32_MAX)
            return 0;
        more = *(*in)++;
        *length += more;
    }
    return 1;
}

/* Literals and copies of earlier output, in turn. 1: exactly `size` bytes came out. */
static int unpack_lz4(const uint8_t *in, uint64_t packed, uint8_t *out, uint64_t size) {
    const uint8_t *const end = in + packed;
    uint64_t done = 0;
    while (in < end) {
        const uint8_t token = *in++;
        uint64_t literals = token >> 4, copied = token & 15, back;
        if (!extend_length(&in, end, &literals) || literals > (uint64_t)(end - in) ||
            literals > size - done)
            return 0;
        memcpy(out + done, in, (size_t)literals);
        in += literals, done += literals;
        if (in == end)
            break;
        if (end - in < 2)
            return 0;
        back = number_at(in, 2);
        in += 2;
        if (!extend_length(&in, end, &copied) || !back || back > done || copied + 4 > size - done)
            return 0;
        for (copied += 4; copied; copied--, done++)
            out[done] = out[done - back];
    }
    return done == size;
}

static enum wsim_status refuse_damaged(struct wsim_diag *diag) {
    return base_refuse(diag, RULE_FATBIN_MEMBER_DAMAGED, 0,
                       "the fat binary is damaged: a member extends beyond the file, or does not "
                       "unpack to its stated size");
}

enum wsim_status wsim_fatbin_unpack(const struct wsim_fatbin_member *member, wsim_unpack *zstandard,
                                    void *context, void *out, struct wsim_diag *diag) {
    int good = member->kind != WSIM_MEMBER_DAMAGED;
    if (good && member->packing == WSIM_PACKED_ZSTANDARD && !zstandard)
        return base_refuse(diag, RULE_FATBIN_ZSTANDARD_MISSING, 0,
                           "a member of the fat binary is packed with Zstandard, and the caller "
                           "gave no function to unpack it");
    if (good && member->packing == WSIM_PACKED_LZ4)
        good = unpack_lz4(member->bytes, member->stored, out, member->size);
    else if (good && member->packing == WSIM_PACKED_ZSTANDARD)
        good = member->size <= SIZE_MAX &&
               zstandard(context, member->bytes, (size_t)member->stored, out, (size_t)member->size);
    else if (good && member->size)
        memcpy(out, member->bytes, (size_t)member->size);
    return good ? WSIM_OK : refuse_damaged(diag);
}

/* --- the PTX for a target --- */

/* Targets in order: sm_90 < sm_90f < sm_90a < sm_100. */
static uint64_t rank_of(uint32_t arch, char variant) {
    return 4 * (uint64_t)arch + (variant == 'a' ? 2 : variant == 'f');
}

/* Whether PTX for compute_NUMBER runs on sm_NUMBER: that of 'a' on this one alone, that of 'f' on
 * those of its family. */
static int runs_on(const struct wsim_fatbin_member *member, uint32_t arch, char variant) {
    switch (member->variant) {
    case 'a': return member->arch == arch && variant == 'a';
    case 'f': return member->arch / 10 == arch / 10 && member->arch <= arch && variant;
    default: return member->arch <= arch;
    }
}

/* Which members of a file make the text. */
struct wanted {
    uint32_t arch;
    char variant;
    int any, zstandard;
};

/* The rank of a member; 0: it holds no PTX, or none that is wanted. */
static uint64_t rank_member(const struct wsim_fatbin_member *member, const struct wanted *wanted) {
    if (member->kind != WSIM_MEMBER_PTX ||
        (!wanted->any && !runs_on(member, wanted->arch, wanted->variant)))
        return 0;
    return rank_of(member->arch, member->variant) + 1;
}

static int is_readable(const struct wsim_fatbin_member *member, const struct wanted *wanted) {
    return member->packing != WSIM_PACKED_ZSTANDARD || wanted->zstandard;
}

/* The rank of the newest readable member that is wanted. */
static enum wsim_status find_newest(const void *file, size_t size, const struct wanted *wanted,
                                    uint64_t *newest, struct wsim_diag *diag) {
    struct wsim_fatbin_member member;
    int packed = 0;
    *newest = 0;
    if (!has_magic(file, size))
        return base_refuse(diag, RULE_FATBIN_MAGIC_MISSING, 0,
                           "not a fat binary: it does not begin with 0x50 0xed 0x55 0xba");
    for (uint64_t cursor = 0; wsim_fatbin_next(file, size, &cursor, &member);) {
        const uint64_t rank = rank_member(&member, wanted);
        if (member.kind == WSIM_MEMBER_DAMAGED)
            return refuse_damaged(diag);
        packed |= rank && !is_readable(&member, wanted);
        if (is_readable(&member, wanted) && rank > *newest)
            *newest = rank;
    }
    if (*newest)
        return WSIM_OK;
    if (packed)
        return base_refuse(diag, RULE_FATBIN_ZSTANDARD_MISSING, 0,
                           "the PTX of this fat binary is packed with Zstandard: nvcc "
                           "--compress-mode=speed packs it with LZ4, nvcc --no-compress not at "
                           "all, and wsim_fatbin_text takes a function that unpacks it");
    if (wanted->any)
        return base_refuse(diag, RULE_FATBIN_TEXT_MISSING, 0, "this fat binary has no PTX");
    return base_refuse(diag, RULE_FATBIN_TEXT_MISSING, 0,
                       "this fat binary has no PTX that runs on sm_%u%s", (unsigned)wanted->arch,
                       wanted->variant ? (char[2]){wanted->variant} : "");
}

/* Adds one text, up to its first NUL. *bytes: how much of `out` is used. */
static enum wsim_status add_text(const struct wsim_fatbin_member *member, wsim_unpack *zstandard,
                                 void *context, char *out, size_t *bytes, struct wsim_diag *diag) {
    enum wsim_status status;
    const char *zero;
    if (*bytes)
        out[(*bytes)++] = '\n';
    status = wsim_fatbin_unpack(member, zstandard, context, out + *bytes, diag);
    if (status)
        return status;
    zero = member->size ? memchr(out + *bytes, '\0', (size_t)member->size) : NULL;
    *bytes += zero ? (size_t)(zero - (out + *bytes)) : (size_t)member->size;
    return WSIM_OK;
}

enum wsim_status wsim_fatbin_text(const void *file, size_t size, const struct wsim_arch *arch,
                                  wsim_unpack *zstandard, void *context, char *out, size_t *bytes,
                                  struct wsim_diag *diag) {
    struct wanted wanted = {.any = !arch, .zstandard = zstandard != NULL};
    struct wsim_fatbin_member member;
    uint64_t newest;
    enum wsim_status status;
    if (arch) { /* "sm_90a" */
        char *end;
        wanted.arch = (uint32_t)strtoul(wsim_arch_name(arch) + 3, &end, 10);
        wanted.variant = *end;
    }
    status = find_newest(file, size, &wanted, &newest, diag);
    if (status)
        return status;
    *bytes = 0;
    for (uint64_t cursor = 0; !status && wsim_fatbin_next(file, size, &cursor, &member);) {
        if (rank_member(&member, &wanted) != newest || !is_readable(&member, &wanted))
            continue;
        if (out)
            status = add_text(&member, zstandard, context, out, bytes, diag);
        else if (member.size >= MOST_TEXT - *bytes)
            status = base_refuse(diag, RULE_FATBIN_MEMBER_DAMAGED, 0,
                                 "the PTX of this fat binary has more than 1 GiB");
        else
            *bytes += (size_t)member.size + 1;
    }
    return status;
}

enum wsim_status ptx_contained(const char *file, size_t size, char *out, size_t *bytes,
                               struct wsim_diag *diag) {
    *bytes = 0;
    if (size >= 4 && memcmp(file,
                            "\x7F"
                            "ELF",
                            4) == 0)
        return base_refuse(diag, RULE_PTX_TEXT_BINARY, 0,
                           "this is machine code (ELF): PTX comes from nvcc -ptx or cuobjdump "
                           "-xptx");
    if (!has_magic((const uint8_t *)file, size))
        return WSIM_OK;
    return wsim_fatbin_text(file, size, NULL, NULL, NULL, out, bytes, diag);
}
