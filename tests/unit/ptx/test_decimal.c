/* Decimal numbers as f64, against strtod of the C library. */
#include "text.h"

#include "../../../sim/ptx/reader.h"

static void same(const char *text) {
    double value = strtod(text, NULL);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    ck_assert_msg(ptx_decimal(text, strlen(text)) == bits, "%s: %016llx, not %016llx", text,
                  (unsigned long long)ptx_decimal(text, strlen(text)), (unsigned long long)bits);
}

START_TEST(known) {
    static const char *const texts[] = {
        "0",
        "0.0",
        "1",
        "1.",
        ".5",
        "1e0",
        "1E+2",
        "3.14159265358979323846",
        "0.1",
        "0.3",
        "1e22",
        "1e23",
        "9007199254740993",
        "9007199254740992.99999999999999999999",
        "9007199254740993.0000000000000000000000000000000000000000000000001",
        "4.9e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "5e-324",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1e309",
        "1e310",
        "1e-345",
        "1e-346",
        "1e-400",
        "1e400",
        "1e999999999999999999999",
        "1e-999999999999999999999",
        "0e999999999",
        "0.000000000e-999",
        "123456789012345678901234567890",
        "1000000000000000000000000000000e-30",
        "0.00000000000000000000000000000000000001e38",
        "8.5",
        "6929495644600919.5",
        "7205759403792793.0e1",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        same(texts[i]);
}
END_TEST

/* More digits than decide anything: the digits after them only say that they are not zero. */
START_TEST(long_numbers) {
    static char text[3000];
    for (int zeros = 700; zeros < 1600; zeros += 37) {
        int n = sprintf(text, "9007199254740993.");
        memset(text + n, '0', (size_t)zeros);
        strcpy(text + n + zeros, "1");
        same(text);
        text[n + zeros] = '0';
        same(text);
        n = sprintf(text, "0.");
        memset(text + n, '0', 307);
        memset(text + n + 307, '7', (size_t)zeros);
        text[n + 307 + zeros] = '\0';
        same(text);
        memset(text, '7', (size_t)zeros);
        sprintf(text + zeros, "e-%d", zeros + 310);
        same(text);
    }
}
END_TEST

START_TEST(drawn) {
    uint64_t random = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 30000; i++) {
        char text[64];
        double value;
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        memcpy(&value, &random, sizeof value);
        if ((random >> 52 & 0x7FF) == 0x7FF)
            continue;
        snprintf(text, sizeof text, "%.*e", 1 + i % 25, value < 0 ? -value : value);
        same(text);
        snprintf(text, sizeof text, "%u.%ue%d", (unsigned)(random >> 40), (unsigned)random,
                 (int)(random >> 20 & 1023) - 512);
        same(text);
    }
}
END_TEST

int main(void) {
    const TTest *const tests[] = {known, long_numbers, drawn};
    return run_tests("unit/ptx/decimal", tests, sizeof tests / sizeof tests[0]);
}
