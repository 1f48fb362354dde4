/* Any bytes as the header of a .npy file: read, and then written again it reads as the same; or
 * refused with a sentence. */
#include <stdlib.h>
#include <string.h>
#include <wsim/harness/npy.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void need(int truth) {
    if (!truth)
        abort();
}

static void check(const struct wsim_npy *array) {
    char written[WSIM_NPY_WRITTEN];
    struct wsim_npy again;
    size_t start, length, all = wsim_npy_write(array, written);
    need(all % 64 == 0 && all <= sizeof written);
    need(!wsim_npy_prefix(written, &start, &length, NULL) && start + length == all);
    need(!wsim_npy_read(written + start, length, &again, NULL));
    need(again.kind == array->kind && again.bytes == array->bytes && !again.big_endian &&
         again.fortran == array->fortran && again.rank == array->rank &&
         memcmp(again.extent, array->extent, sizeof again.extent) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct wsim_diag diag = {.text = ""};
    struct wsim_npy array;
    size_t start, length;
    if (size < WSIM_NPY_PREFIX)
        return 0;
    if (wsim_npy_prefix(data, &start, &length, &diag)) {
        need(strlen(diag.text) > 0);
        return 0;
    }
    need(start <= WSIM_NPY_PREFIX && length <= WSIM_NPY_TEXT);
    if (start > size || length > size - start)
        return 0;
    if (wsim_npy_read((const char *)data + start, length, &array, &diag))
        need(strlen(diag.text) > 0);
    else
        check(&array);
    return 0;
}
