/* Fat binaries are read by the library (fatbin.h); this unpacks Zstandard for it. */
#include "launch_packed.h"
#include "../common/memory.h"

#include <stdlib.h>
#include <wsim/fatbin.h>

#ifdef HAVE_ZSTD
#include <zstd.h>

static int unpack_zstandard(void *context, const void *from, size_t stored, void *to, size_t size) {
    (void)context;
    return ZSTD_decompress(to, size, from, stored) == size;
}
#define UNPACK_ZSTANDARD unpack_zstandard
#else
#define UNPACK_ZSTANDARD NULL
#endif

void launch_unpack(struct file_bytes *file, uint64_t most) {
    size_t room;
    char *text;
    if (wsim_fatbin_text(file->bytes, file->size, NULL, UNPACK_ZSTANDARD, NULL, NULL, &room,
                         NULL) ||
        room > most)
        return;
    text = memory_make(room + 1, 1);
    if (wsim_fatbin_text(file->bytes, file->size, NULL, UNPACK_ZSTANDARD, NULL, text, &room,
                         NULL)) {
        free(text);
        return;
    }
    free(file->bytes);
    file->bytes = (unsigned char *)text;
    file->size = room;
}
