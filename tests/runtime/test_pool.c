/* Pools: their pages, their places, and access to them. A child opens the pool of its parent by a
 * file, and its memory by 64 bytes. Both see the same bytes. Compressed memory says so. */
#include "cu.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FILE_HANDLE = 1, FAILED = 9 };

struct location {
    int type, id;
};
struct pool_properties {
    int type, handles;
    struct location location;
    void *security;
    size_t most;
    unsigned char rest[56];
};

/* The message of the parent to its child. */
struct letter {
    int file;
    unsigned char memory[64];
};

/* Reads the number that the parent wrote, and writes 77 behind it. */
static int child(const int from[2], const int back[2]) {
    struct letter letter;
    char path[64];
    void *pool = NULL;
    uint64_t address = 0, other = 0;
    unsigned value = 0;
    int file;
    if (read(from[0], &letter, sizeof letter) != (ssize_t)sizeof letter)
        return FAILED;
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)getppid(), letter.file);
    file = open(path, O_RDWR);
    cu_begin();
    if (file < 0 ||
        CU(cuMemPoolImportFromShareableHandle)(&pool, (void *)(intptr_t)file, FILE_HANDLE, 0ull) ||
        CU(cuMemPoolImportPointer)(&address, pool, letter.memory))
        return FAILED;
    if (CU(cuMemAllocFromPoolAsync)(&other, (size_t)16, pool, NULL) != WSIMRT_INVALID_VALUE ||
        CU(cuMemcpyDtoH_v2)(&value, address, sizeof value) || value != 41)
        return FAILED;
    if (CU(cuMemsetD32_v2)(address + 4, 77u, (size_t)1) || CU(cuMemFreeAsync)(address, NULL) ||
        CU(cuCtxSynchronize)())
        return FAILED;
    letter.memory[0] ^= 1; /* not a handle */
    if (CU(cuMemPoolImportPointer)(&address, pool, letter.memory) != WSIMRT_INVALID_VALUE)
        return FAILED;
    return write(back[1], "", 1) == 1 ? 0 : FAILED;
}

START_TEST(another_process_opens_a_pool) {
    struct pool_properties properties = {.type = 1, .location = {1, 0}};
    struct letter letter;
    void *pool = NULL, *alone = NULL;
    uint64_t address = 0, apart = 0;
    unsigned words[2] = {0};
    int to[2], back[2], status = 0;
    char done;
    pid_t process;
    ck_assert_int_eq(pipe(to) | pipe(back), 0);
    process = fork(); /* before either has a context */
    if (!process)
        _exit(child(to, back));
    cu_begin();
    memset(&letter, 0, sizeof letter);
    ck_cu(OK, CU(cuMemPoolCreate)(&alone, &properties));
    ck_cu(INVALID_VALUE,
          CU(cuMemPoolExportToShareableHandle)(&letter.file, alone, FILE_HANDLE, 0ull));
    ck_cu(OK, CU(cuMemAllocFromPoolAsync)(&apart, (size_t)64, alone, NULL));
    ck_cu(INVALID_VALUE, CU(cuMemPoolExportPointer)(letter.memory, apart));
    properties.handles = FILE_HANDLE;
    ck_cu(OK, CU(cuMemPoolCreate)(&pool, &properties));
    ck_cu(OK, CU(cuMemAllocFromPoolAsync)(&address, (size_t)1000, pool, NULL));
    ck_cu(OK, CU(cuMemsetD32_v2)(address, 41u, (size_t)1));
    ck_cu(OK, CU(cuMemPoolExportToShareableHandle)(&letter.file, pool, FILE_HANDLE, 0ull));
    ck_cu(OK, CU(cuMemPoolExportPointer)(letter.memory, address));
    ck_assert_int_eq(write(to[1], &letter, sizeof letter), (ssize_t)sizeof letter);
    close(back[1]);
    ck_assert_int_eq(read(back[0], &done, 1), 1);
    ck_assert_int_eq(waitpid(process, &status, 0), process);
    ck_assert_int_eq(status, 0);
    ck_cu(OK, CU(cuMemcpyDtoH_v2)(words, address, sizeof words));
    ck_assert_uint_eq(words[0], 41);
    ck_assert_uint_eq(words[1], 77);
    ck_cu(INVALID_VALUE, CU(cuMemPoolImportFromShareableHandle)(&alone, (void *)(intptr_t)to[0],
                                                                FILE_HANDLE, 0ull));
    ck_cu(OK, CU(cuMemPoolDestroy)(pool));
}
END_TEST

START_TEST(compressed_memory_says_so) {
    struct {
        int type, handles;
        struct location location;
        void *security;
        unsigned char compressed, rest[7];
    } wanted = {.type = 1, .location = {1, 0}, .compressed = 1}, got;
    void *memory = NULL;
    int can = 0;
    cu_begin();
    ck_cu(OK, CU(cuDeviceGetAttribute)(&can, 107, 0));
    ck_assert_int_eq(can, 1);
    for (unsigned char compressed = 0; compressed < 2; compressed++) {
        wanted.compressed = compressed;
        ck_cu(OK, CU(cuMemCreate)(&memory, (size_t)2 << 20, &wanted, 0ull));
        memset(&got, 0xff, sizeof got);
        ck_cu(OK, CU(cuMemGetAllocationPropertiesFromHandle)(&got, memory));
        ck_assert_int_eq(got.compressed, compressed);
        ck_assert_int_eq(got.handles, 0);
        ck_cu(OK, CU(cuMemRelease)(memory));
    }
}
END_TEST

enum { THRESHOLD = 4, RESERVED, USED = 7 };

static void *make_pool(uint64_t threshold) {
    const struct pool_properties properties = {.type = 1, .location = {1, 0}};
    void *pool = NULL;
    ck_cu(OK, CU(cuMemPoolCreate)(&pool, &properties));
    ck_cu(OK, CU(cuMemPoolSetAttribute)(pool, THRESHOLD, &threshold));
    return pool;
}

static uint64_t take(void *pool, size_t bytes) {
    uint64_t address = 0;
    ck_cu(OK, CU(cuMemAllocFromPoolAsync)(&address, bytes, pool, NULL));
    return address;
}

/* A kernel stores one word at an address. */
static int store(uint64_t address) {
    void *module = NULL, *function = NULL;
    int v = 1;
    void *params[] = {&address, &v};
    ck_cu(OK, CU(cuModuleLoadData)(&module, cu_text));
    ck_cu(OK, CU(cuModuleGetFunction)(&function, module, "k"));
    ck_cu(OK, cu_launch(function, 1, NULL, params));
    return CU(cuCtxSynchronize)();
}

/* Recorded on an H200. `then`: what follows a free of the 1000 bytes in the order of a stream. */
static const struct {
    uint64_t threshold;
    enum { NOTHING, WAITS, TRIMS, DESTROYED_BEFORE } then;
    int others; /* the pool has other memory, which is not freed */
    int error;
} freed[] = {
    {0, NOTHING, 0, WSIMRT_OK},
    {0, WAITS, 0, WSIMRT_ILLEGAL_ADDRESS},
    {0, WAITS, 1, WSIMRT_OK},
    {UINT64_MAX, WAITS, 0, WSIMRT_OK},
    {UINT64_MAX, TRIMS, 0, WSIMRT_ILLEGAL_ADDRESS},
    {UINT64_MAX, TRIMS, 1, WSIMRT_OK},
    {UINT64_MAX, DESTROYED_BEFORE, 0, WSIMRT_ILLEGAL_ADDRESS},
    {UINT64_MAX, DESTROYED_BEFORE, 1, WSIMRT_OK},
};
enum { FREED = sizeof freed / sizeof freed[0] };

START_TEST(kernels_reach_freed_memory_until_its_pool_gives_it_back) {
    void *context = cu_begin(), *pool = make_pool(freed[_i].threshold);
    const uint64_t address = take(pool, 1000);
    if (freed[_i].others)
        take(pool, 1000);
    if (freed[_i].then == DESTROYED_BEFORE)
        ck_cu(OK, CU(cuMemPoolDestroy)(pool));
    ck_cu(OK, CU(cuMemFreeAsync)(address, NULL));
    if (freed[_i].then == TRIMS)
        ck_cu(OK, CU(cuMemPoolTrimTo)(pool, (size_t)0));
    if (freed[_i].then == WAITS || freed[_i].then == DESTROYED_BEFORE)
        ck_cu(OK, CU(cuCtxSynchronize)());
    ck_assert_int_eq(store(address), freed[_i].error);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* A pool takes pieces that others gave back. Memory of pools is apart from other memory. */
START_TEST(pools_take_addresses_that_others_gave_back) {
    enum { POOLS = 40, LARGE = 40 << 20, SMALL = 70000 };
    void *context = cu_begin();
    void *pools[POOLS];
    uint64_t large[POOLS], small[POOLS];
    unsigned words[2];
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < POOLS; i++) {
            pools[i] = make_pool(0);
            large[i] = take(pools[i], LARGE);
            small[i] = take(pools[i], SMALL);
            ck_cu(OK, CU(cuMemcpyDtoH_v2)(words, small[i], sizeof words));
            ck_assert(!words[0] && !words[1]); /* new memory is zero */
            ck_cu(OK, CU(cuMemsetD32_v2)(large[i] + LARGE - 4, i + 1, (size_t)1));
            ck_cu(OK, CU(cuMemsetD32_v2)(small[i], i + 1, (size_t)SMALL / 4));
        }
        for (unsigned i = 0; i < POOLS; i++) {
            ck_cu(OK, CU(cuMemcpyDtoH_v2)(words, large[i] + LARGE - 4, (size_t)4));
            ck_cu(OK, CU(cuMemcpyDtoH_v2)(words + 1, small[i] + SMALL - 4, (size_t)4));
            ck_assert(words[0] == i + 1 && words[1] == i + 1);
            ck_cu(OK, CU(cuMemFreeAsync)(i % 2 ? small[i] : large[i], NULL));
            ck_cu(OK, CU(cuMemPoolDestroy)(pools[i]));
            ck_cu(OK, CU(cuMemFreeAsync)(i % 2 ? large[i] : small[i], NULL));
        }
    }
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* Recorded on an H200, driver 580. Kernels reach a freed allocation in a piece that it shares with
 * one that lives. */
enum { M = 1 << 20 };
static const struct {
    size_t before, freed, after, offset;
    int error;
} shared[] = {
    {1000, 64 * M, 0, 0, WSIMRT_OK},
    {1000, 64 * M, 0, 20 * M, WSIMRT_OK},
    {1000, 64 * M, 0, 40 * M, WSIMRT_ILLEGAL_ADDRESS},
    {64 * M, 64 * M, 0, 40 * M, WSIMRT_ILLEGAL_ADDRESS},
    {20 * M, 20 * M, 20 * M, 0, WSIMRT_OK},
    {20 * M, 20 * M, 20 * M, 13 * M, WSIMRT_OK},
    {20 * M, 20 * M, 20 * M, 20 * M - 4, WSIMRT_OK},
};
enum { SHARED = sizeof shared / sizeof shared[0] };

START_TEST(allocations_share_pieces) {
    void *context = cu_begin(), *pool = make_pool(0), *other = make_pool(0);
    uint64_t address;
    take(pool, shared[_i].before);
    address = take(pool, shared[_i].freed);
    if (shared[_i].after)
        take(pool, shared[_i].after);
    take(other, 1000);
    ck_cu(OK, CU(cuMemFreeAsync)(address, NULL));
    ck_cu(OK, CU(cuCtxSynchronize)());
    ck_assert_int_eq(store(address + shared[_i].offset), shared[_i].error);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* As on an H200 the place of the last free is used again, also after the pool gave it back. */
START_TEST(a_pool_uses_its_last_place_again) {
    void *context = cu_begin(), *pool = make_pool(0), *other = make_pool(0);
    const uint64_t first = take(pool, 1000);
    for (int waits = 0; waits < 2; waits++) {
        ck_cu(OK, CU(cuMemFreeAsync)(first, NULL));
        if (waits)
            ck_cu(OK, CU(cuCtxSynchronize)());
        ck_assert(take(pool, 1000) == first);
    }
    ck_assert(take(other, 1000) != first);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

enum { PINNED = 1, MANAGED, NOWHERE = 0, DEVICE, HOST, NODE, NODE_NOW };
enum { ATTRIBUTE_TYPE = 2, ATTRIBUTE_DEVICE, ATTRIBUTE_HOST, ATTRIBUTE_MANAGED = 8 };
enum { ATTRIBUTE_POOL = 17, ATTRIBUTE_MAPPING_SIZE };
enum { PREFERRED = 2, PREFERRED_TYPE = 5 };

static void *make_at(int type, int place) {
    const struct pool_properties properties = {.type = type, .location = {place, 0}};
    void *pool = NULL;
    ck_cu(OK, CU(cuMemPoolCreate)(&pool, &properties));
    return pool;
}

static int give_access(void *pool, int place, int flags) {
    const struct {
        struct location location;
        int flags;
    } access = {{place, 0}, flags};
    return CU(cuMemPoolSetAccess)(pool, &access, (size_t)1);
}

static int access_of(void *pool, int place) {
    const struct location location = {place, 0};
    int flags = -1;
    ck_cu(OK, CU(cuMemPoolGetAccess)(&flags, pool, &location));
    return flags;
}

/* Recorded on an H200: the address of the host, and error 700 until the device has access. */
START_TEST(devices_need_access_to_pools_of_the_host) {
    const int place = _i;
    void *context = cu_begin(), *pool = make_at(PINNED, place);
    uint64_t address = take(pool, 1000), pointer = 0;
    unsigned type = 0, *words = (unsigned *)(uintptr_t)address;
    words[0] = 5;
    ck_cu(OK, CU(cuPointerGetAttribute)(&type, ATTRIBUTE_TYPE, address));
    ck_assert_uint_eq(type, 1);
    ck_cu(INVALID_VALUE, CU(cuPointerGetAttribute)(&pointer, ATTRIBUTE_DEVICE, address));
    ck_cu(OK, CU(cuPointerGetAttribute)(&pointer, ATTRIBUTE_HOST, address));
    ck_assert_uint_eq(pointer, address);
    ck_assert_int_eq(access_of(pool, DEVICE), 0);
    ck_assert_int_eq(access_of(pool, HOST), 3);
    ck_cu(INVALID_VALUE, CU(cuMemsetD32_v2)(address, 6u, (size_t)1));
    ck_cu(OK, CU(cuMemcpyHtoD_v2)(address, &type, sizeof type)); /* by the host */
    ck_assert_uint_eq(words[0], 1);
    words[0] = 5;
    ck_cu(OK, give_access(pool, DEVICE, 3));
    ck_assert_int_eq(access_of(pool, DEVICE), 3);
    ck_cu(OK, CU(cuPointerGetAttribute)(&pointer, ATTRIBUTE_DEVICE, address));
    ck_cu(OK, store(address + 4));
    ck_assert(words[0] == 5 && words[1] == 12);
    ck_cu(OK, CU(cuMemsetD32_v2)(address, 6u, (size_t)1));
    ck_assert_uint_eq(words[0], 6);
    pointer = take(pool, 64); /* later memory has it, too */
    ck_cu(OK, store(pointer));
    ck_cu(INVALID_VALUE, CU(cuMemFreeHost)((void *)(uintptr_t)pointer));
    ck_cu(OK, CU(cuMemFree_v2)(pointer));
    ck_cu(OK, give_access(pool, DEVICE, 0));
    ck_cu(ILLEGAL_ADDRESS, store(address));
    ck_assert_uint_eq(words[0], 6);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(memory_outlives_its_pool) {
    void *context = cu_begin(), *pool = make_at(PINNED, _i);
    const uint64_t address = take(pool, 1000);
    ck_cu(OK, CU(cuMemPoolDestroy)(pool));
    ck_cu(OK, CU(cuMemFreeAsync)(address, NULL));
    ck_cu(INVALID_VALUE, CU(cuMemFreeAsync)(address, NULL));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

START_TEST(host_and_devices_use_managed_pools) {
    void *context = cu_begin(), *pool = make_at(MANAGED, _i);
    const uint64_t address = take(pool, 1000);
    const struct location here = {DEVICE, 0};
    unsigned managed = 0, *words = (unsigned *)(uintptr_t)address;
    int preferred = 77;
    words[0] = 5;
    ck_cu(OK, CU(cuPointerGetAttribute)(&managed, ATTRIBUTE_MANAGED, address));
    ck_assert_uint_eq(managed, 1);
    ck_assert_int_eq(access_of(pool, DEVICE), 0); /* which a kernel has all the same */
    ck_assert_int_eq(access_of(pool, HOST), 0);
    ck_cu(OK, store(address + 4));
    ck_assert(words[0] == 5 && words[1] == 12);
    ck_cu(OK, give_access(pool, DEVICE, 3));
    ck_assert_int_eq(access_of(pool, DEVICE), 3);
    ck_cu(OK, give_access(pool, DEVICE, 0));
    ck_assert_int_eq(access_of(pool, DEVICE), 0);
    ck_cu(NOT_SUPPORTED, CU(cuMemAdvise_v2)(address, (size_t)1000, 1, here));
    ck_cu(OK, CU(cuMemRangeGetAttribute)(&preferred, sizeof preferred, PREFERRED_TYPE, address,
                                         (size_t)1000));
    ck_assert_int_eq(preferred, _i);
    ck_cu(OK, CU(cuMemRangeGetAttribute)(&preferred, sizeof preferred, PREFERRED, address,
                                         (size_t)1000));
    ck_assert_int_eq(preferred, _i == NOWHERE ? -2 : _i == DEVICE ? 0 : -1);
    ck_cu(OK, CU(cuMemFreeAsync)(address, NULL));
    ck_cu(OK, CU(cuMemPoolDestroy)(pool));
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* Recorded on an H200, driver 580. Other processes do not open pools of a node here. */
START_TEST(pools_without_a_place_are_refused) {
    static const struct {
        int type, place, id, handles;
        size_t most;
        int error;
    } wrong[] = {
        {PINNED, NOWHERE, 0, 0, 0, WSIMRT_INVALID_VALUE},
        {PINNED, NODE_NOW, 0, 0, 0, WSIMRT_INVALID_VALUE},
        {PINNED, 5, 0, 0, 0, WSIMRT_INVALID_VALUE},
        {PINNED, DEVICE, 99, 0, 0, WSIMRT_INVALID_VALUE},
        {PINNED, NODE, -1, 0, 0, WSIMRT_INVALID_VALUE},
        {PINNED, NODE, 99999, 0, 0, WSIMRT_INVALID_VALUE},
        {PINNED, HOST, 0, FILE_HANDLE, 0, WSIMRT_INVALID_VALUE},
        {PINNED, NODE, 0, FILE_HANDLE, 0, WSIMRT_NOT_SUPPORTED},
        {MANAGED, DEVICE, 0, FILE_HANDLE, 0, WSIMRT_INVALID_VALUE},
        {MANAGED, DEVICE, 0, 0, 4096, WSIMRT_INVALID_VALUE},
        {MANAGED, DEVICE, 99, 0, 0, WSIMRT_INVALID_VALUE},
        {MANAGED, 5, 0, 0, 0, WSIMRT_NOT_SUPPORTED},
        {MANAGED, -1, 0, 0, 0, WSIMRT_NOT_SUPPORTED},
        {3, DEVICE, 0, 0, 0, WSIMRT_INVALID_VALUE},
    };
    void *context = cu_begin(), *pool = NULL;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const struct pool_properties properties = {.type = wrong[i].type,
                                                   .handles = wrong[i].handles,
                                                   .most = wrong[i].most,
                                                   .location = {wrong[i].place, wrong[i].id}};
        ck_assert_int_eq(CU(cuMemPoolCreate)(&pool, &properties), wrong[i].error);
        ck_assert_ptr_eq(pool, NULL);
    }
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* Recorded on an H200, driver 580: the errors of access 0 to 3 to memory of the host and to managed
 * memory. */
START_TEST(access_to_wide_pools_is_checked) {
    enum { V = WSIMRT_INVALID_VALUE, S = WSIMRT_NOT_SUPPORTED, D = WSIMRT_INVALID_DEVICE };
    static const struct {
        struct location location;
        int pinned[4], managed[4];
    } rows[] = {
        {{NOWHERE, 0}, {V, S, V, V}, {V, S, V, V}}, {{DEVICE, 0}, {0, S, V, 0}, {0, S, V, 0}},
        {{DEVICE, 99}, {D, S, D, D}, {D, S, D, D}}, {{HOST, 0}, {S, S, V, 0}, {0, S, V, 0}},
        {{NODE, 0}, {S, S, V, 0}, {0, S, V, 0}},    {{NODE_NOW, 0}, {V, S, V, V}, {V, S, V, V}},
    };
    void *context = cu_begin(), *pinned = make_at(PINNED, HOST), *managed = make_at(MANAGED, HOST);
    int flags = 77;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int k = 0; k < 4; k++) {
            const struct {
                struct location location;
                int flags;
            } access = {rows[i].location, k};
            ck_assert_int_eq(CU(cuMemPoolSetAccess)(pinned, &access, (size_t)1), rows[i].pinned[k]);
            ck_assert_int_eq(CU(cuMemPoolSetAccess)(managed, &access, (size_t)1),
                             rows[i].managed[k]);
        }
    for (int place = NOWHERE; place <= NODE_NOW; place++) {
        const struct location location = {place, 0};
        const int error = place == NOWHERE || place == NODE_NOW ? V : 0;
        ck_assert_int_eq(CU(cuMemPoolGetAccess)(&flags, pinned, &location), error);
        ck_assert_int_eq(CU(cuMemPoolGetAccess)(&flags, managed, &location), error);
        ck_assert_int_eq(flags, place == NOWHERE ? 77 : 3);
    }
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* Recorded on an H200, driver 580: a free without a stream gives the pages back, but the pool
 * counts its bytes as used. A limit counts whole pieces. */
START_TEST(pools_count_what_they_gave) {
    const struct pool_properties properties = {.type = 1, .location = {1, 0}, .most = 4096};
    void *context = cu_begin(), *pool = make_pool(0), *small = NULL;
    uint64_t value = 7, address = take(pool, 1000);
    const uint64_t first = address;
    ck_cu(OK, CU(cuMemFree_v2)(address));
    ck_cu(OK, CU(cuMemPoolGetAttribute)(pool, RESERVED, &value));
    ck_assert_uint_eq(value, 0);
    ck_cu(OK, CU(cuMemPoolGetAttribute)(pool, USED, &value));
    ck_assert_uint_eq(value, 1000);
    ck_cu(OK, CU(cuMemPoolCreate)(&small, &properties));
    ck_cu(OUT_OF_MEMORY, CU(cuMemAllocFromPoolAsync)(&address, (size_t)64 << 20, small, NULL));
    address = take(small, 5000);
    ck_cu(OK, CU(cuMemPoolDestroy)(small));
    ck_cu(OK, CU(cuPointerGetAttribute)(&small, ATTRIBUTE_POOL, address));
    ck_assert_ptr_ne(small, NULL);
    ck_cu(OK, CU(cuPointerGetAttribute)(&value, ATTRIBUTE_MAPPING_SIZE, address));
    ck_assert_uint_eq(value, 32 << 20);
    ck_assert_int_eq(store(first), WSIMRT_ILLEGAL_ADDRESS);
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

/* Each place begins with a pool of its own and may use another one. Recorded on an H200, driver
 * 580.
 */
START_TEST(places_use_pools_of_their_kind) {
    static const struct {
        int type, place;
    } kinds[] = {{PINNED, DEVICE},  {PINNED, HOST},  {PINNED, NODE}, {MANAGED, NOWHERE},
                 {MANAGED, DEVICE}, {MANAGED, HOST}, {MANAGED, NODE}};
    enum { KINDS = sizeof kinds / sizeof kinds[0] };
    void *context = cu_begin(), *first[KINDS], *own[KINDS], *pool = NULL;
    for (size_t i = 0; i < KINDS; i++) {
        const struct location at = {kinds[i].place, 0};
        ck_cu(OK, CU(cuMemGetDefaultMemPool)(&first[i], &at, kinds[i].type));
        own[i] = make_at(kinds[i].type, kinds[i].place);
        ck_cu(INVALID_VALUE, CU(cuMemPoolDestroy)(first[i]));
        for (size_t k = 0; k < i; k++) {
            ck_assert_ptr_ne(first[i], first[k]);
            ck_cu(INVALID_VALUE, CU(cuMemSetMemPool)(&at, kinds[i].type, own[k]));
        }
        ck_cu(OK, CU(cuMemGetMemPool)(&pool, &at, kinds[i].type));
        ck_assert_ptr_eq(pool, first[i]);
        ck_cu(OK, CU(cuMemSetMemPool)(&at, kinds[i].type, own[i]));
        ck_cu(OK, CU(cuMemGetMemPool)(&pool, &at, kinds[i].type));
        ck_assert_ptr_eq(pool, own[i]);
        ck_cu(OK, CU(cuMemGetDefaultMemPool)(&pool, &at, kinds[i].type));
        ck_assert_ptr_eq(pool, first[i]);
    }
    for (size_t i = 0; i < KINDS; i++) {
        const struct location at = {kinds[i].place, 0}, now = {NODE_NOW, 0};
        ck_cu(OK, CU(cuMemPoolDestroy)(own[i]));
        ck_cu(OK, CU(cuMemGetMemPool)(&pool, &at, kinds[i].type));
        ck_assert_ptr_eq(pool, first[i]);
        ck_cu(NOT_SUPPORTED, CU(cuMemGetMemPool)(&pool, &now, kinds[i].type));
    }
    ck_cu(OK, CU(cuCtxDestroy_v2)(context));
}
END_TEST

int main(void) {
    static const TTest *const *const tests[] = {&another_process_opens_a_pool,
                                                &compressed_memory_says_so,
                                                &pools_take_addresses_that_others_gave_back,
                                                &a_pool_uses_its_last_place_again,
                                                &pools_without_a_place_are_refused,
                                                &access_to_wide_pools_is_checked,
                                                &pools_count_what_they_gave,
                                                &places_use_pools_of_their_kind};
    TCase *tcase = tcase_create("pool");
    tcase_add_loop_test(tcase, devices_need_access_to_pools_of_the_host, HOST, NODE + 1);
    tcase_add_loop_test(tcase, host_and_devices_use_managed_pools, NOWHERE, NODE_NOW + 1);
    tcase_add_loop_test(tcase, memory_outlives_its_pool, HOST, NODE + 1);
    tcase_add_loop_test(tcase, allocations_share_pieces, 0, SHARED);
    tcase_add_loop_test(tcase, kernels_reach_freed_memory_until_its_pool_gives_it_back, 0, FREED);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tcase_add_test(tcase, *tests[i]);
    setenv("WSIM_REPORT", "none", 1);
    return run_case("pool", tcase);
}
