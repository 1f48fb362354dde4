/* clang-format off */
/* draw.h - draws of calls.cu and driver_calls.cu. */
#ifndef TESTS_RUNTIME_PROGRAMS_DRAW_H
#define TESTS_RUNTIME_PROGRAMS_DRAW_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t state;
static uint32_t rnd() { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return (uint32_t)(state >> 16); }
static std::string drawn; /* CALLS_DRAWS=1 prints the draws of a step, in order */
static const bool draws = getenv("CALLS_DRAWS") != nullptr;
static uint32_t below(uint32_t n) { const uint32_t v = rnd() % n; if (draws && n > 1) drawn += " " + std::to_string(v); return v; }
static bool one_in(uint32_t n) { return below(n) == 0; }
template <typename T, size_t N> static T any(const T (&list)[N]) { return list[below(N)]; }
template <typename T> static T pick(const std::vector<T> &list) { return list.empty() ? T{} : list[below((uint32_t)list.size())]; }

static int step;
static void give(const char *what, long long value) { printf("  %s %lld\n", what, value); }
static long long sum(const char *p, size_t n) { long long s = 0; for (size_t i = 0; i < n; i++) s = s * 31 + (unsigned char)p[i]; return s & 0xffffffffll; }

/* Each seed begins in the same way. */
static void begin(long seed) {
    setvbuf(stdout, nullptr, _IOLBF, 0);
    state = 0x9E3779B97F4A7C15ull * (uint64_t)(seed + 1) | 1; for (int k = 0; k < 9; k++) rnd();
    alarm(60);
}

#endif
