// The constants of index.hpp against the library's own answers: every operand of every operation,
// every lane and element, every coordinate; every swizzle; every bank. In static_assert they are
// looked at by the compiler, below they are called.
#include <wsim/index.hpp>
#include <wsim/wsim.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

// The figure of mma.m16n8k16 in PTX ISA 9.0, copied by hand.
using A = WSIM_FRAGMENT("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", WSIM_A);
using D = WSIM_FRAGMENT("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", WSIM_D);
static_assert(A::row(5, 3) == 9 && A::col(5, 3) == 3 && A::reg(3) == 1 && A::lsb(3) == 16);
static_assert(A::lane(9, 3) == 5 && A::elem(9, 3) == 3 && A::rows == 16 && A::cols == 16);
static_assert(D::regs == 4 && D::bits == 32 && D::row(31, 2) == 15 && D::col(31, 2) == 6);
static_assert(wsim::layout_of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", WSIM_E) == -1);
static_assert(wsim::layout_of("mma.sync.aligned.m16n8k16", WSIM_A) == -1);
static_assert(wsim::layout_of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", WSIM_OPERANDS) ==
              -1);
static_assert(wsim::swizzle<WSIM_SWIZZLE_128B>(0x1a2) == 0x192 && wsim::bank(0x84) == 1);
static_assert(wsim_descriptor_pack(0x400, 16, 1024, 0, 1) == 0x4000004000010040);

static unsigned long compared, failed;

static void compare(unsigned long is, unsigned long wanted, const char *what, int layout,
                    unsigned x, unsigned y) {
    compared++;
    if (is != wanted && failed++ < 20)
        std::printf("layout %d, %s (%u, %u): %lu, the library has %lu\n", layout, what, x, y, is,
                    wanted);
}

// A fragment against a layout of the library.
template <int N> static void compare_layout(const wsim_layout &l) {
    using F = wsim::fragment<N>;
    compare(F::lanes, l.lanes, "lanes", N, 0, 0);
    compare(F::elems, l.elems, "elems", N, 0, 0);
    compare(F::bits, l.elem_bits, "bits", N, 0, 0);
    compare(F::regs, l.regs, "regs", N, 0, 0);
    compare(F::rows, l.rows, "rows", N, 0, 0);
    compare(F::cols, l.cols, "cols", N, 0, 0);
    compare(F::batches, l.batches, "batches", N, 0, 0);
    for (unsigned lane = 0; lane < l.lanes; lane++)
        for (unsigned elem = 0; elem < l.elems; elem++) {
            wsim_coord c = wsim_layout_coord(&l, lane, elem);
            wsim_place p = wsim_layout_place(&l, lane, elem);
            wsim_place first = p;
            compare(F::row(lane, elem), c.row, "row", N, lane, elem);
            compare(F::col(lane, elem), c.col, "col", N, lane, elem);
            compare(F::batch(lane, elem), c.batch, "batch", N, lane, elem);
            compare(F::reg(elem), p.reg, "reg", N, lane, elem);
            compare(F::lsb(elem), p.lsb, "lsb", N, lane, elem);
            // The library looks for all places: only where the first one is not this one.
            if (F::lane(c.row, c.col, c.batch) != lane || F::elem(c.row, c.col, c.batch) != elem)
                wsim_layout_places(&l, c, &first, 1);
            compare(F::lane(c.row, c.col, c.batch), first.lane, "lane", N, c.row, c.col);
            compare(F::elem(c.row, c.col, c.batch), first.elem, "elem", N, c.row, c.col);
        }
}

enum { LAYOUTS = sizeof wsim::tables::layouts / sizeof wsim::tables::layouts[0] };
using comparison = void (*)(const wsim_layout &);

template <int... N>
static void compare_number(int number, const wsim_layout &l, std::integer_sequence<int, N...>) {
    static constexpr comparison all[] = {compare_layout<N>...};
    all[number](l);
}

static void compare_operations() {
    static bool seen[LAYOUTS];
    static wsim_layout first[LAYOUTS];
    wsim_op op{};
    uint32_t cursor = 0;
    while (wsim_op_next(&cursor, &op)) {
        char spelling[WSIM_SPELLING_MAX];
        wsim_op_spell(&op, spelling);
        for (int i = 0; i < WSIM_OPERANDS; i++) {
            const auto operand = static_cast<wsim_operand>(i);
            int number = wsim::layout_of(spelling, operand);
            wsim_layout l{};
            bool has = wsim_op_layout(&op, nullptr, operand, &l, nullptr) == WSIM_OK;
            compare(number >= 0, has, spelling, number, static_cast<unsigned>(i), 0);
            if (number < 0 || !has)
                continue;
            if (!seen[number]) {
                compare_number(number, l, std::make_integer_sequence<int, LAYOUTS>());
                first[number] = l;
                seen[number] = true;
            }
            const wsim_layout &f = first[number];
            bool same = std::memcmp(f.lane, l.lane, sizeof l.lane) == 0 &&
                        std::memcmp(f.elem, l.elem, sizeof l.elem) == 0 && f.lanes == l.lanes &&
                        f.elems == l.elems && f.elem_bits == l.elem_bits && f.regs == l.regs &&
                        f.rows == l.rows && f.cols == l.cols && f.batches == l.batches;
            compare(same, 1, spelling, number, static_cast<unsigned>(i), 0);
        }
    }
    for (int i = 0; i < LAYOUTS; i++)
        compare(seen[i], 1, "used", i, 0, 0);
}

template <int... Mode> static void compare_swizzles(std::integer_sequence<int, Mode...>) {
    static constexpr uint32_t (*all[])(uint32_t) = {
        wsim::swizzle<static_cast<wsim_swizzle>(Mode)>...};
    for (int mode = 0; mode < WSIM_SWIZZLES; mode++) {
        for (uint32_t at = 0; at < 16384; at++)
            compare(all[mode](at), wsim_swizzle_apply(static_cast<wsim_swizzle>(mode), at),
                    "swizzle", mode, at, 0);
        for (uint32_t at = 1; at; at <<= 1)
            compare(all[mode](at), wsim_swizzle_apply(static_cast<wsim_swizzle>(mode), at),
                    "swizzle", mode, at, 0);
    }
}

static void compare_banks() {
    wsim_op op{};
    uint32_t addr[WSIM_LANES] = {0};
    if (wsim_op_parse("ld.shared.u8", &op, nullptr) != WSIM_OK)
        std::abort();
    for (addr[0] = 0; addr[0] < 1024; addr[0]++) {
        wsim_banks banks{};
        wsim_banks_count(&op, wsim_arch_find("sm_90a"), addr, 1, &banks, nullptr);
        compare(wsim::bank(addr[0]), banks.group[0].bank, "bank", 0, addr[0], 0);
    }
}

int main() {
    compare_operations();
    compare_swizzles(std::make_integer_sequence<int, WSIM_SWIZZLES>());
    compare_banks();
    std::printf("%d layouts, %lu answers compared, %lu differ\n", int{LAYOUTS}, compared, failed);
    return failed != 0 || compared < 100000;
}
