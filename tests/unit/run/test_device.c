/* Memory of devices: copies and fills with the state of each byte, and address spaces that devices
 * share. */
#include "kernel.h"

enum { BYTES = 300 };

static struct wsim_device *device;
static uint64_t a, b;

static uint64_t make_buffer(struct wsim_device *on, const char *name, uint64_t bytes) {
    uint64_t address;
    ck_assert_int_eq(wsim_device_alloc(on, name, bytes, 0, &address, NULL), WSIM_OK);
    return address;
}

static struct wsim_device *make_device(void) {
    struct wsim_device *made;
    ck_assert_int_eq(wsim_device_make(wsim_arch_find("sm_90a"), &made, NULL), WSIM_OK);
    return made;
}

static void open_device(void) {
    device = make_device();
    a = make_buffer(device, "a", BYTES);
    b = make_buffer(device, "b", BYTES);
}

static int is_written(uint64_t address) {
    return wsim_device_written(device, address, 1) == 1;
}

/* --- addresses --- */

/* A pointer to a buffer that was released does not point into the next one. */
START_TEST(released_addresses_rest) {
    struct wsim_device *made = make_device();
    uint64_t first = make_buffer(made, "first", BYTES);
    for (unsigned i = 0; i < 50; i++) {
        uint64_t next;
        ck_assert_int_eq(wsim_device_release(made, first, NULL), WSIM_OK);
        next = make_buffer(made, "next", BYTES);
        ck_assert_uint_ne(next, first);
        first = next;
    }
    /* Large ones, and many: the oldest are freed. */
    for (unsigned i = 0; i < 200; i++) {
        const uint64_t large = make_buffer(made, "large", UINT64_C(1) << 20);
        ck_assert_int_eq(wsim_device_release(made, large, NULL), WSIM_OK);
    }
    wsim_device_free(made);
}
END_TEST

/* --- copies --- */

/* Every alignment of both sides: bytes and their states arrive, and nothing else changes. */
START_TEST(copy_state) {
    uint8_t bytes[BYTES], got[BYTES];
    for (unsigned from = 0; from < 66; from += 1 + from / 5)
        for (unsigned to = 0; to < 66; to += 1 + to / 7) {
            const unsigned n = 200;
            open_device();
            for (unsigned i = 0; i < BYTES; i++) {
                bytes[i] = (uint8_t)(i * 7 + from);
                if (i * i % 5 < 2) /* some are written */
                    wsim_device_write(device, a + i, &bytes[i], 1, NULL);
                if (i % 3 == 0)
                    wsim_device_write(device, b + i, "x", 1, NULL);
            }
            ck_assert_int_eq(wsim_device_copy(device, b + to, a + from, n, NULL), WSIM_OK);
            wsim_device_read(device, b, got, BYTES, NULL);
            for (unsigned i = 0; i < BYTES; i++) {
                const unsigned was = i - to + from; /* of a copied byte */
                const int copied = i >= to && i < to + n;
                const int written = copied ? was * was % 5 < 2 : i % 3 == 0;
                ck_assert_int_eq(is_written(b + i), written);
                if (written)
                    ck_assert_uint_eq(got[i], copied ? bytes[was] : 'x');
            }
            wsim_device_free(device);
        }
}
END_TEST

/* Columns 2 to 4 of a 5 by 11 matrix, into rows of 3; and columns exchanged inside one matrix. */
START_TEST(copy_rows) {
    uint8_t got[33];
    open_device();
    for (unsigned i = 0; i < 55; i++)
        if (i != 12)
            wsim_device_write(device, a + i, &(uint8_t){(uint8_t)i}, 1, NULL);
    ck_assert_int_eq(wsim_device_copy_2d(device, b, 3, a + 2, 11, 3, 5, NULL), WSIM_OK);
    wsim_device_read(device, b, got, 15, NULL);
    for (unsigned i = 0; i < 15; i++)
        ck_assert_uint_eq(got[i], i / 3 * 11 + i % 3 + 2);
    ck_assert_int_eq(wsim_device_copy_2d(device, b, 8, a, 11, 2, 5, NULL), WSIM_OK);
    ck_assert(!is_written(b + 8 + 1)); /* a + 12 */
    ck_assert(is_written(b + 8));
    ck_assert(is_written(b + 8 + 2)); /* between rows */
    ck_assert(!is_written(b + 8 * 4 + 2));
    ck_assert_int_eq(wsim_device_copy_2d(device, a + 6, 11, a, 11, 5, 5, NULL), WSIM_OK);
    wsim_device_read(device, a, got, 33, NULL);
    for (unsigned i = 0; i < 33; i++)
        if (i != 12 && i != 18)
            ck_assert_uint_eq(got[i], i % 11 > 5 ? i - 6 : i);
    ck_assert(!is_written(a + 18));
    ck_assert_int_eq(wsim_device_copy_2d(device, 1, 0, 2, 0, 0, 9, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_copy_2d(device, 1, 9, 2, 9, 9, 0, NULL), WSIM_OK);
    wsim_device_free(device);
}
END_TEST

/* A launch finds that all bytes of a buffer are written, which later launches trust. A copy of an
 * uninitialised byte ends that. */
START_TEST(copy_after_looking) {
    static const char text[] =
        KERNEL("mad.wide.u32 %rd1, %r0, 4, %rd0;\nld.global.u32 %r1, [%rd1];\n"
               "ld.global.u32 %r1, [%rd1+128];\nst.global.u32 [%rd1], %r1;\n");
    struct wsim_launch how = {
        .grid = {1}, .block = {32}, .params = &a, .param_bytes = 8, .checks = WSIM_CHECK_INIT};
    struct wsim_module *module;
    open_device();
    ck_assert_int_eq(wsim_module_load(text, strlen(text), 0, &module, NULL), WSIM_OK);
    wsim_device_fill(device, a, 1, 1, BYTES, NULL);
    for (unsigned round = 0; round < 3; round++) {
        struct wsim_report *report;
        struct wsim_totals totals;
        if (round == 2)
            wsim_device_copy(device, a + 131, b, 1, NULL);
        ck_assert_int_eq(wsim_launch_run(device, module, &how, &report, NULL), WSIM_OK);
        wsim_report_totals(report, &totals);
        ck_assert_uint_eq(totals.findings != 0, round == 2);
        wsim_report_free(report);
    }
    wsim_module_free(module);
    wsim_device_free(device);
}
END_TEST

static const struct {
    uint32_t to, to_pitch, from, from_pitch, width, height; /* of buffer a */
    const char *rule;                                       /* NULL: it is done */
} copies[] = {
    {0, 10, 150, 10, 10, 15, NULL},
    {0, 10, 149, 10, 10, 15, "device.copy.overlap"},
    {149, 10, 0, 10, 10, 15, "device.copy.overlap"},
    {5, 1, 5, 1, 1, 1, "device.copy.overlap"},
    {0, 20, 10, 20, 10, 15, NULL}, /* interleaved */
    {0, 20, 9, 20, 10, 15, "device.copy.overlap"},
    {0, 20, 11, 20, 10, 14, "device.copy.overlap"},
    {0, 10, 5, 20, 5, 15, NULL}, /* every second gap */
    {0, 10, 4, 20, 5, 15, "device.copy.overlap"},
    {0, 40, 20, 20, 10, 8, "device.copy.overlap"},
    {0, 40, 20, 40, 10, 7, NULL},
    {0, 9, 100, 10, 10, 2, "device.pitch.range"},
    {0, 10, 100, 9, 10, 2, "device.pitch.range"},
    {0, 9, 100, 10, 10, 1, "device.pitch.range"},
    {0, 10, 201, 10, 10, 10, "device.bytes.outside"},
    {0, 10, 201, 10, 9, 10, NULL},
    {280, 11, 0, 10, 10, 2, "device.bytes.outside"},
    {280, 10, 0, 10, 10, 2, NULL},
};

START_TEST(copy_refused) {
    struct wsim_diag diag = {0};
    enum wsim_status status;
    open_device();
    wsim_device_fill(device, a, 1, 1, BYTES, NULL);
    status =
        wsim_device_copy_2d(device, a + copies[_i].to, copies[_i].to_pitch, a + copies[_i].from,
                            copies[_i].from_pitch, copies[_i].width, copies[_i].height, &diag);
    ck_assert_int_eq(status != WSIM_OK, copies[_i].rule != NULL);
    if (copies[_i].rule)
        ck_assert_str_eq(diag.rule, copies[_i].rule);
    ck_assert_int_eq(wsim_device_copy_2d(device, b, UINT64_MAX / 2, a, 9, 9, 4, &diag),
                     WSIM_BOUNDS);
    ck_assert_int_eq(wsim_device_copy(device, b, a, UINT64_MAX, &diag), WSIM_BOUNDS);
    wsim_device_free(device);
}
END_TEST

/* Memory that an unchecked launch may have written counts as initialised, in copies too. */
START_TEST(copy_blind) {
    struct kernel kernel = {.text = KERNEL("")};
    struct wsim_module *module;
    struct wsim_report *report;
    open_device();
    ck_assert_int_eq(wsim_module_load(kernel.text, strlen(kernel.text), 0, &module, NULL), WSIM_OK);
    kernel.launch = (struct wsim_launch){.params = &a, .param_bytes = 8};
    ck_assert_int_eq(wsim_launch_run(device, module, &kernel.launch, &report, NULL), WSIM_OK);
    wsim_report_free(report);
    const uint64_t fresh = make_buffer(device, "fresh", BYTES);
    ck_assert_int_eq(wsim_device_copy(device, fresh, a, 10, NULL), WSIM_OK);
    ck_assert(is_written(fresh + 9));
    ck_assert(!is_written(fresh + 10));
    wsim_module_free(module);
    wsim_device_free(device);
}
END_TEST

/* All bytes are written at once, and a copy takes some of that away. */
START_TEST(copy_after_all) {
    static const uint8_t bytes[BYTES];
    for (int fills = 0; fills < 2; fills++) {
        open_device();
        ck_assert_int_eq(fills ? wsim_device_fill(device, b, 7, 1, BYTES, NULL)
                               : wsim_device_write(device, b, bytes, BYTES, NULL),
                         WSIM_OK);
        ck_assert_uint_eq(wsim_device_written(device, b, BYTES), BYTES);
        ck_assert_int_eq(wsim_device_copy(device, b + 100, a, 3, NULL), WSIM_OK);
        for (unsigned i = 0; i < BYTES; i++)
            ck_assert_int_eq(is_written(b + i), i - 100 >= 3);
        ck_assert_int_eq(wsim_device_copy(device, a, b, BYTES, NULL), WSIM_OK);
        ck_assert_uint_eq(wsim_device_written(device, a, BYTES), 100);
        wsim_device_fill(device, b, 7, 1, BYTES, NULL);
        ck_assert_int_eq(wsim_device_copy(device, a, b, BYTES, NULL), WSIM_OK);
        ck_assert_uint_eq(wsim_device_written(device, a, BYTES), BYTES);
        wsim_device_free(device);
    }
}
END_TEST

/* Bytes that are in their place already count as written. */
START_TEST(write_in_place) {
    static uint8_t bytes[BYTES];
    struct wsim_device *made = make_device();
    const uint64_t at = (uint64_t)(uintptr_t)bytes;
    ck_assert_int_eq(wsim_device_place(made, "bytes", bytes, BYTES, NULL), WSIM_OK);
    bytes[5] = 9;
    ck_assert_int_eq(wsim_device_write(made, at + 4, bytes + 4, 8, NULL), WSIM_OK);
    ck_assert_uint_eq(wsim_device_written(made, at, BYTES), 0);
    ck_assert_uint_eq(wsim_device_written(made, at + 4, BYTES - 4), 8);
    ck_assert_int_eq(bytes[5], 9);
    wsim_device_free(made);
}
END_TEST

/* A kernel reads the copy of a byte that nothing has written: init.global. */
START_TEST(copy_found) {
    static const char text[] = KERNEL("ld.global.u32 %r1, [%rd0];\nst.global.u32 [%rd0+4], %r1;\n");
    struct wsim_launch launch = {.checks = WSIM_CHECK_ALL, .params = &b, .param_bytes = 8};
    struct wsim_module *module;
    struct wsim_report *report;
    struct wsim_finding finding;
    open_device();
    ck_assert_int_eq(wsim_module_load(text, strlen(text), 0, &module, NULL), WSIM_OK);
    wsim_device_fill(device, b, 0, 4, BYTES, NULL);
    for (int round = 0; round < 2; round++) {
        ck_assert_int_eq(wsim_device_copy(device, b, a, 4, NULL), WSIM_OK);
        ck_assert_int_eq(wsim_launch_run(device, module, &launch, &report, NULL), WSIM_OK);
        ck_assert_int_eq(wsim_report_finding(report, 0, &finding), round == 0);
        if (!round)
            ck_assert_str_eq(finding.rule, "init.global");
        wsim_report_free(report);
        wsim_device_fill(device, a, 0, 1, 4, NULL);
    }
    wsim_module_free(module);
    wsim_device_free(device);
}
END_TEST

/* --- fills --- */

START_TEST(fill) {
    static const uint64_t pattern = UINT64_C(0x8877665544332211);
    uint8_t got[BYTES];
    for (unsigned size = 1; size <= 8; size *= 2) {
        open_device();
        ck_assert_int_eq(wsim_device_fill_2d(device, a + 8, 24, pattern, size, 16, 5, NULL),
                         WSIM_OK);
        wsim_device_read(device, a, got, BYTES, NULL);
        for (unsigned i = 0; i < BYTES; i++) {
            const int filled = i >= 8 && i < 8 + 5 * 24 && (i - 8) % 24 < 16;
            ck_assert_int_eq(is_written(a + i), filled);
            if (filled)
                ck_assert_uint_eq(got[i], 0x11 * ((i - 8) % 24 % size + 1));
        }
        ck_assert_int_eq(wsim_device_fill(device, b, pattern, size, 16, NULL), WSIM_OK);
        ck_assert_uint_eq(wsim_device_written(device, b, BYTES), 16);
        wsim_device_free(device);
    }
}
END_TEST

static const struct {
    uint32_t to, pitch, size, width, height;
    const char *rule;
} fills[] = {
    {0, 16, 3, 12, 1, "device.fill.size"},
    {0, 16, 0, 12, 1, "device.fill.size"},
    {0, 16, 16, 16, 1, "device.fill.size"},
    {0, 16, 4, 10, 1, "device.fill.size"},
    {2, 16, 4, 8, 1, "device.fill.align"},
    {0, 18, 4, 8, 2, "device.fill.align"},
    {0, 18, 4, 8, 1, NULL},
    {0, 8, 2, 10, 3, "device.pitch.range"},
    {296, 8, 8, 8, 1, "device.bytes.outside"},
    {0, 30, 2, 30, 11, "device.bytes.outside"},
    {0, 30, 2, 30, 10, NULL},
};

START_TEST(fill_refused) {
    struct wsim_diag diag = {0};
    enum wsim_status status;
    open_device();
    status = wsim_device_fill_2d(device, a + fills[_i].to, fills[_i].pitch, 0, fills[_i].size,
                                 fills[_i].width, fills[_i].height, &diag);
    ck_assert_int_eq(status != WSIM_OK, fills[_i].rule != NULL);
    if (fills[_i].rule) {
        ck_assert_str_eq(diag.rule, fills[_i].rule);
        ck_assert_uint_eq(wsim_device_written(device, a, BYTES), 0);
    }
    wsim_device_free(device);
}
END_TEST

/* --- variables --- */

START_TEST(variables) {
    static const char text[] = KERNEL_HEAD ".global .u32 g = 7;\n.const .u32 c = 8;\n"
                                           ".entry k() { ret; }\n";
    struct wsim_module *module;
    uint64_t g, c, bytes;
    uint32_t got;
    open_device();
    ck_assert_int_eq(wsim_module_load(text, strlen(text), 0, &module, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_symbol(device, module, "g", &g, &bytes, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_symbol(device, module, "c", &c, &bytes, NULL), WSIM_OK);
    ck_assert_uint_eq(g % 256, 0); /* counts of sectors do not depend on the heap */
    ck_assert_uint_eq(wsim_device_written(device, g, 4), 4);
    ck_assert_uint_eq(wsim_device_written(device, c, 4), 4);
    ck_assert_uint_eq(wsim_device_written(device, 16, 4), 0);
    ck_assert_int_eq(wsim_device_copy(device, c, g, 4, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_copy(device, a, c, 4, NULL), WSIM_OK);
    ck_assert_uint_eq(wsim_device_written(device, a, 5), 4);
    wsim_device_read(device, a, &got, 4, NULL);
    ck_assert_uint_eq(got, 7);
    wsim_module_free(module);
    wsim_device_free(device);
}
END_TEST

/* Where an H200 places variables: in their order, at multiples of 256, with zeros between. A kernel
 * that runs over the end of one goes on where the device has pages. */
START_TEST(neighbours) {
    static const char text[] = KERNEL_HEAD
        ".global .align 1 .b8 one[1] = {9};\n.global .align 4 .b8 far[300];\n"
        ".global .u32 next = 77;\n.global .align 1024 .u32 even;\n.global .u32 last = 5;\n"
        ".visible .entry k(.param .u64 data) {\n.reg .b32 %r<3>;\n.reg .b64 %rd<2>;\n"
        "ld.param.u64 %rd0, [data];\nld.global.u32 %r0, [far+512];\n"
        "ld.global.u32 %r1, [far+508];\nadd.u32 %r0, %r0, %r1;\nst.global.u32 [%rd0], %r0;\n"
        "ret;\n}\n";
    static const char *const names[] = {"one", "far", "next", "even", "last"};
    static const uint64_t places[] = {0, 256, 768, 1024, 1280};
    static uint8_t page[64];
    struct wsim_launch launch = {.checks = WSIM_CHECK_ALL, .param_bytes = 8};
    struct wsim_module *module;
    struct wsim_report *report;
    struct wsim_finding finding;
    uint64_t first = 0, at, bytes;
    uint32_t word = 0;
    open_device();
    ck_assert_int_eq(wsim_module_load(text, strlen(text), 0, &module, NULL), WSIM_OK);
    for (unsigned i = 0; i < COUNT(names); i++) {
        ck_assert_int_eq(wsim_device_symbol(device, module, names[i], &at, &bytes, NULL), WSIM_OK);
        first = i ? first : at;
        ck_assert_uint_eq(at - first, places[i]);
    }
    ck_assert_uint_eq(at % 256, 0);
    launch.params = &a;
    ck_assert_int_eq(wsim_launch_run(device, module, &launch, &report, NULL), WSIM_BOUNDS);
    wsim_report_free(report);
    ck_assert_int_eq(wsim_device_pages(device, (uint64_t)(uintptr_t)page, sizeof page, NULL),
                     WSIM_OK);
    ck_assert_int_eq(wsim_launch_run(device, module, &launch, &report, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_report_finding(report, 0, &finding), 1);
    ck_assert_str_eq(finding.rule, "memory.bounds");
    wsim_report_free(report);
    wsim_device_read(device, a, &word, 4, NULL);
    ck_assert_uint_eq(word, 77);
    wsim_module_free(module);
    wsim_device_free(device);
}
END_TEST

/* Addresses that are no pointers: reads, writes, fills and copies find the bytes elsewhere. */
START_TEST(apart) {
    static uint8_t bytes[64], other[64];
    const uint64_t at = UINT64_C(0x20) << 32;
    uint64_t word = 0x1122334455667788;
    open_device();
    ck_assert_int_eq(wsim_device_place_at(device, "a", at, bytes, 64, 1, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_place_at(device, "b", at + 4096, other, 64, 0, NULL), WSIM_OK);
    ck_assert_uint_eq(wsim_device_written(device, at, 64), 0);
    ck_assert_uint_eq(wsim_device_written(device, at + 4096, 64), 64);
    ck_assert_int_eq(wsim_device_write(device, at + 8, &word, 8, NULL), WSIM_OK);
    ck_assert_int_eq(memcmp(bytes + 8, &word, 8), 0);
    ck_assert_int_eq(wsim_device_copy(device, at + 4096, at + 8, 8, NULL), WSIM_OK);
    ck_assert_int_eq(memcmp(other, &word, 8), 0);
    ck_assert_int_eq(wsim_device_fill(device, at + 8, 7, 1, 8, NULL), WSIM_OK);
    ck_assert_uint_eq(bytes[15], 7);
    ck_assert_int_eq(wsim_device_read(device, at + 4096, &word, 8, NULL), WSIM_OK);
    ck_assert_uint_eq(word, 0x1122334455667788);
    wsim_device_free(device);
}
END_TEST

/* All memory of the process was adopted, and one buffer lies apart from its bytes: one loop loads
 * from both. */
START_TEST(apart_beside_all) {
    static uint32_t bytes[64], other[64], sums[2];
    static const char text[] = KERNEL_HEAD
        ".visible .entry k(.param .u64 apart, .param .u64 host, .param .u64 "
        "sums)\n{\n" KERNEL_REGISTERS
        "ld.param.u64 %rd1, [apart];\nld.param.u64 %rd2, [host];\nld.param.u64 %rd0, [sums];\n"
        "mov.u32 %r1, 0;\nmov.u32 %r2, 0;\nmov.u32 %r3, 0;\n"
        "$more: ld.global.u32 %r4, [%rd1];\nadd.u32 %r1, %r1, %r4;\n"
        "ld.global.u32 %r4, [%rd2];\nadd.u32 %r2, %r2, %r4;\n"
        "add.u64 %rd1, %rd1, 4;\nadd.u64 %rd2, %rd2, 4;\nadd.u32 %r3, %r3, 1;\n"
        "setp.lt.u32 %p1, %r3, 64;\n@%p1 bra $more;\n"
        "st.global.v2.u32 [%rd0], {%r1, %r2};\nret;\n}\n";
    const uint64_t at = UINT64_C(0x20) << 32;
    uint64_t params[3] = {at, (uint64_t)(uintptr_t)other, (uint64_t)(uintptr_t)sums};
    struct wsim_launch launch = {
        .checks = _i & 2 ? WSIM_CHECK_ALL : 0, .params = params, .param_bytes = sizeof params};
    struct wsim_module *module;
    struct wsim_report *report;
    struct wsim_diag diag;
    for (uint32_t i = 0; i < 64; i++) {
        bytes[i] = i;
        other[i] = 1000 * i;
    }
    open_device();
    ck_assert_int_eq(
        wsim_module_load(text, sizeof text - 1, _i & 1 ? WSIM_MODULE_PLAIN : 0, &module, &diag),
        WSIM_OK);
    ck_assert_int_eq(wsim_device_adopt(device, "all", NULL, UINT64_MAX, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_place_at(device, "a", at, bytes, sizeof bytes, 0, NULL), WSIM_OK);
    ck_assert_msg(!wsim_launch_run(device, module, &launch, &report, &diag), "%s", diag.text);
    ck_assert_uint_eq(sums[0], 64 * 63 / 2);
    ck_assert_uint_eq(sums[1], 1000 * 64 * 63 / 2);
    wsim_report_free(report);
    wsim_module_free(module);
    wsim_device_free(device);
}
END_TEST

/* --- peers --- */

/* A kernel of one device adds 1 to a word of another's: only if the two share an address space. */
START_TEST(peers) {
    static const char text[] =
        KERNEL("ld.global.u32 %r1, [%rd0];\nadd.u32 %r1, %r1, 1;\nst.global.u32 [%rd0], %r1;\n");
    const int shared = _i & 1;
    struct wsim_device *first = make_device(), *second;
    struct wsim_launch launch = {.checks = WSIM_CHECK_ALL, .param_bytes = 8};
    struct wsim_module *module;
    struct wsim_report *report;
    struct wsim_diag diag;
    uint32_t word = 41;
    ck_assert_int_eq(shared ? wsim_device_make_peer(first, wsim_arch_find("sm_80"), &second, NULL)
                            : wsim_device_make(wsim_arch_find("sm_80"), &second, NULL),
                     WSIM_OK);
    uint64_t address = make_buffer(first, "on the first", 4), own = make_buffer(second, "own", 4);
    ck_assert_int_eq(wsim_module_load(text, strlen(text), 0, &module, NULL), WSIM_OK);
    wsim_device_write(first, address, &word, 4, NULL);
    launch.params = &address;
    enum wsim_status status =
        wsim_launch_run(_i & 2 ? first : second, module, &launch, &report, &diag);
    if (_i & 2 || shared) {
        ck_assert_msg(!status, "%s", diag.text);
        ck_assert_int_eq(wsim_device_read(first, address, &word, 4, NULL), WSIM_OK);
        ck_assert_uint_eq(word, 42);
    } else {
        ck_assert_int_eq(status, WSIM_BOUNDS);
        ck_assert_str_eq(diag.rule, "memory.bounds");
    }
    wsim_report_free(report);
    ck_assert_int_eq(wsim_device_copy(second, own, address, 4, NULL),
                     shared ? WSIM_OK : WSIM_BOUNDS);
    wsim_device_free(first);
    ck_assert_int_eq(wsim_device_read(second, address, &word, 4, NULL), WSIM_BOUNDS);
    ck_assert_int_eq(wsim_device_read(second, own, &word, 4, NULL), WSIM_OK);
    wsim_device_free(second);
    wsim_module_free(module);
}
END_TEST

/* Kernels of a device may not access a buffer that is closed to it, by any path. The host, kernels
 * of other devices and later devices may. */
START_TEST(closed) {
    static const char text[] =
        KERNEL("ld.global.u32 %r1, [%rd0];\nadd.u32 %r1, %r1, 1;\nst.global.u32 [%rd0], %r1;\n"
               "ld.global.u64 %rd1, [%rd0+8];\nst.global.u32 [%rd1], %r1;\n");
    struct wsim_device *first = make_device(), *second, *third;
    struct wsim_launch launch = {.checks = _i & 1 ? WSIM_CHECK_ALL : 0, .param_bytes = 8};
    struct wsim_module *module;
    struct wsim_report *report;
    struct wsim_diag diag;
    uint32_t word = 41;
    ck_assert_int_eq(wsim_device_make_peer(first, wsim_arch_find("sm_80"), &second, NULL), WSIM_OK);
    const uint64_t at[2] = {make_buffer(second, "own", 16), make_buffer(first, "first's", 16)};
    uint64_t params = at[0];
    launch.params = &params;
    ck_assert_int_eq(
        wsim_module_load(text, strlen(text), _i & 2 ? WSIM_MODULE_PLAIN : 0, &module, NULL),
        WSIM_OK);
    wsim_device_write(second, at[0], &word, 4, NULL);
    wsim_device_write(second, at[0] + 8, &at[1], 8, NULL);
    ck_assert_int_eq(wsim_device_close(second, at[1] + 1, 1, &diag), WSIM_OPERAND);
    ck_assert_int_eq(wsim_device_close(second, at[1], 1, &diag), WSIM_OK);
    ck_assert_int_eq(wsim_launch_run(second, module, &launch, &report, &diag), WSIM_BOUNDS);
    ck_assert_str_eq(diag.rule, "memory.peer");
    ck_assert_ptr_nonnull(strstr(diag.text, "writes 4 bytes at byte 0 of 'first's'"));
    wsim_report_free(report);
    ck_assert_int_eq(wsim_device_write(second, at[1], &word, 4, &diag), WSIM_OK);
    ck_assert_int_eq(wsim_launch_run(first, module, &launch, &report, &diag), WSIM_OK);
    wsim_report_free(report);
    ck_assert_int_eq(wsim_device_close(second, at[1], 0, &diag), WSIM_OK);
    ck_assert_int_eq(wsim_launch_run(second, module, &launch, &report, &diag), WSIM_OK);
    wsim_report_free(report);
    wsim_device_read(first, at[1], &word, 4, NULL);
    ck_assert_uint_eq(word, 44);
    /* A device that comes later has the number of one that went, and not what was closed to it. */
    ck_assert_int_eq(wsim_device_close(second, at[1], 1, &diag), WSIM_OK);
    wsim_device_free(second);
    ck_assert_int_eq(wsim_device_make_peer(first, wsim_arch_find("sm_80"), &third, NULL), WSIM_OK);
    wsim_device_write(first, at[1] + 8, &at[1], 8, NULL);
    params = at[1];
    ck_assert_int_eq(wsim_launch_run(third, module, &launch, &report, &diag), WSIM_OK);
    wsim_report_free(report);
    wsim_device_free(third);
    wsim_device_free(first);
    wsim_module_free(module);
}
END_TEST

/* A managed variable is one for the devices that share addresses, and other variables are apart. It
 * keeps its value as long as one of them has it. A device apart has its own. */
START_TEST(managed) {
    static const char text[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                               ".global .attribute(.managed) .align 4 .u32 m = 9;\n"
                               ".global .align 4 .u32 g = 2;\n"
                               ".visible .entry k() {\n.reg .u32 %r<2>;\n"
                               "ld.global.u32 %r0, [m];\nld.global.u32 %r1, [g];\n"
                               "add.u32 %r0, %r0, %r1;\nst.global.u32 [m], %r0;\nret;\n}\n";
    struct wsim_device *device[3] = {make_device(), NULL, make_device()};
    struct wsim_launch launch = {.checks = WSIM_CHECK_ALL};
    struct wsim_module *module;
    struct wsim_report *report;
    struct wsim_diag diag;
    uint64_t m[3], g[3], bytes;
    uint32_t word;
    ck_assert_int_eq(wsim_device_make_peer(device[0], wsim_arch_find("sm_80"), &device[1], NULL),
                     WSIM_OK);
    ck_assert_int_eq(wsim_module_load(text, strlen(text), 0, &module, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_module_is_managed(module, "m"), 1);
    ck_assert_int_eq(wsim_module_is_managed(module, "g"), 0);
    ck_assert_int_eq(wsim_module_is_managed(module, "none"), 0);
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_int_eq(wsim_device_symbol(device[i], module, "m", &m[i], &bytes, NULL), WSIM_OK);
        ck_assert_int_eq(wsim_device_symbol(device[i], module, "g", &g[i], &bytes, NULL), WSIM_OK);
        word = 10 * (i + 1);
        ck_assert_int_eq(wsim_device_write(device[i], g[i], &word, 4, NULL), WSIM_OK);
    }
    ck_assert(m[0] == m[1] && m[0] != m[2] && g[0] != g[1]);
    for (unsigned i = 0; i < 3; i++) {
        ck_assert_int_eq(wsim_launch_run(device[i], module, &launch, &report, &diag), WSIM_OK);
        wsim_report_free(report);
    }
    wsim_device_free(device[0]);
    ck_assert_int_eq(wsim_device_read(device[1], m[0], &word, 4, NULL), WSIM_OK);
    ck_assert_uint_eq(word, 9 + 10 + 20);
    ck_assert_int_eq(wsim_device_read(device[1], g[0], &word, 4, NULL), WSIM_BOUNDS);
    ck_assert_int_eq(wsim_device_read(device[2], m[2], &word, 4, NULL), WSIM_OK);
    ck_assert_uint_eq(word, 9 + 30);
    ck_assert_int_eq(wsim_device_make_peer(device[2], wsim_arch_find("sm_80"), &device[0], NULL),
                     WSIM_OK);
    wsim_device_free(device[2]); /* the last that has it; a new device begins anew */
    ck_assert_int_eq(wsim_device_read(device[0], m[2], &word, 4, NULL), WSIM_BOUNDS);
    ck_assert_int_eq(wsim_device_symbol(device[0], module, "m", &m[0], &bytes, NULL), WSIM_OK);
    ck_assert_int_eq(wsim_device_read(device[0], m[0], &word, 4, NULL), WSIM_OK);
    ck_assert_uint_eq(word, 9);
    wsim_device_free(device[0]);
    wsim_device_free(device[1]);
    wsim_module_free(module);
}
END_TEST

/* The first 64 devices of an address space can be shut out. */
START_TEST(closed_to_many) {
    struct wsim_device *devices[66] = {make_device()};
    const uint64_t at = make_buffer(devices[0], "a", 4);
    struct wsim_diag diag;
    for (int i = 1; i < 66; i++)
        ck_assert_int_eq(
            wsim_device_make_peer(devices[0], wsim_arch_find("sm_80"), &devices[i], NULL), WSIM_OK);
    for (int i = 0; i < 66; i++)
        ck_assert_int_eq(wsim_device_close(devices[i], at, 1, &diag),
                         i < 64 ? WSIM_OK : WSIM_UNMODELLED);
    ck_assert_str_eq(diag.rule, "device.number");
    for (int i = 0; i < 66; i++)
        wsim_device_free(devices[i]);
}
END_TEST

int main(void) {
    const struct every_test tests[] = {{released_addresses_rest, 0, 1},
                                       {copy_state, 0, 1},
                                       {copy_rows, 0, 1},
                                       {copy_refused, 0, COUNT(copies)},
                                       {copy_blind, 0, 1},
                                       {copy_after_looking, 0, 1},
                                       {copy_after_all, 0, 1},
                                       {write_in_place, 0, 1},
                                       {copy_found, 0, 1},
                                       {fill, 0, 1},
                                       {fill_refused, 0, COUNT(fills)},
                                       {variables, 0, 1},
                                       {neighbours, 0, 1},
                                       {apart, 0, 1},
                                       {apart_beside_all, 0, 4},
                                       {managed, 0, 1},
                                       {peers, 0, 4},
                                       {closed, 0, 4},
                                       {closed_to_many, 0, 1}};
    return every_run("unit/run/device", tests, COUNT(tests));
}
