/* Any bytes as the header of a .npy file: read, and then written again it reads as the same; or
 * refused with a sentence. */
#include "../../tools/wsim/common/npy_header.c"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(int truth) {
    if (!truth)
        abort();
}

static void check(const struct npy_header *header) {
    char written[NPY_WRITTEN], complaint[NPY_COMPLAINT];
    struct npy_header again;
    size_t start, length, all = npy_put(header, written);
    need(all % 64 == 0 && all <= sizeof written);
    need(npy_prefix((const uint8_t *)written, &start, &length) == NULL && start + length == all);
    need(npy_text(written + start, length, &again, complaint));
    need(again.kind == header->kind && again.bytes == header->bytes && !again.big_endian &&
         again.fortran == header->fortran && again.rank == header->rank &&
         memcmp(again.extent, header->extent, sizeof again.extent) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char complaint[NPY_COMPLAINT] = "";
    struct npy_header header;
    size_t start, length;
    const char *why;
    if (size < NPY_PREFIX)
        return 0;
    why = npy_prefix(data, &start, &length);
    need(why ? strlen(why) > 0 : start <= NPY_PREFIX && length <= NPY_TEXT_MAX);
    if (why || start > size || length > size - start)
        return 0;
    if (npy_text((const char *)data + start, length, &header, complaint))
        check(&header);
    else
        need(strlen(complaint) > 0);
    return 0;
}
