/* index.hpp - places of fragment elements and of swizzled bytes, as constants. They serve in
 * static_assert, in tests, and in the kernel itself (C++17; nvcc for host and device).
 *
 *     using A = WSIM_FRAGMENT("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", WSIM_A);
 *     static_assert(A::row(5, 3) == 9 && A::col(5, 3) == 3);    // element 3 of lane 5
 *     static_assert(A::lane(9, 3) == 5 && A::elem(9, 3) == 3);  // its holder
 *
 * A kernel that computes its indices with A::row() includes what its test checks. The numbers are
 * those of wsim_op_layout (isa.h); tests/cpp compares them row by row. The header needs no linking.
 * Functions expect arguments in range and check nothing. */
#ifndef WSIM_INDEX_HPP
#define WSIM_INDEX_HPP

#include "both.h"
#include "index_table.hpp"
#include "isa.h"
#include "swizzle.h"

#ifdef __CUDACC__
#define WSIM_INDEX __host__ __device__ constexpr
#else
#define WSIM_INDEX constexpr
#endif

namespace wsim {

/* The number of the layout that `operand` of the instruction has since Turing (wsim_op_layout with
 * an architecture of NULL). The spelling is whole, with its words in the order of `wsim ops`. -1:
 * there is no such spelling, or the instruction has no such operand. For fragment<>, below. */
WSIM_INDEX int layout_of(const char *spelling, enum wsim_operand operand) {
    uint64_t hash = WSIM_FNV_START;
    unsigned low = 0, high = tables::spelling_count;
    for (; *spelling; spelling++)
        hash = wsim_fnv_byte(hash, static_cast<uint8_t>(*spelling));
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        if (tables::spellings[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low < tables::spelling_count && tables::spellings[low].hash == hash &&
                   operand < WSIM_OPERANDS
               ? tables::operands[tables::spellings[low].operands][operand]
               : -1;
}

/* A fragment. `lane` is 0 .. lanes - 1, of a warpgroup 127; `elem` 0 .. elems - 1. Rows, columns
 * and batches are those of struct wsim_coord (layout.h). */
template <int Layout> struct fragment {
    static_assert(Layout >= 0,
                  "no such operand of such an instruction: `wsim ops` lists spellings, "
                  "`wsim layout` operands");

  private:
    static constexpr int at = Layout < 0 ? 0 : Layout;
    template <unsigned I> static constexpr uint32_t lane_word = tables::layouts[at].lane[I];
    template <unsigned I> static constexpr uint32_t elem_word = tables::layouts[at].elem[I];
    template <unsigned I> static constexpr uint32_t row_word = tables::layouts[at].row_at[I];
    template <unsigned I> static constexpr uint32_t col_word = tables::layouts[at].col_at[I];
    template <unsigned I> static constexpr uint32_t batch_word = tables::layouts[at].batch_at[I];

    static WSIM_INDEX uint32_t packed(unsigned lane, unsigned elem) {
        const uint32_t lane_words[WSIM_LAYOUT_LANE_BITS] = {
            lane_word<0>, lane_word<1>, lane_word<2>, lane_word<3>,
            lane_word<4>, lane_word<5>, lane_word<6>};
        const uint32_t elem_words[WSIM_LAYOUT_ELEM_BITS] = {
            elem_word<0>, elem_word<1>, elem_word<2>, elem_word<3>,
            elem_word<4>, elem_word<5>, elem_word<6>, elem_word<7>};
        return wsim_layout_apply(lane_words, elem_words, lane, elem);
    }

    /* The element in the low 8 bits, the lane above. */
    static WSIM_INDEX uint32_t holder(unsigned row, unsigned col, unsigned batch) {
        const uint32_t rows_at[12] = {row_word<0>, row_word<1>, row_word<2>,  row_word<3>,
                                      row_word<4>, row_word<5>, row_word<6>,  row_word<7>,
                                      row_word<8>, row_word<9>, row_word<10>, row_word<11>};
        const uint32_t cols_at[12] = {col_word<0>, col_word<1>, col_word<2>,  col_word<3>,
                                      col_word<4>, col_word<5>, col_word<6>,  col_word<7>,
                                      col_word<8>, col_word<9>, col_word<10>, col_word<11>};
        const uint32_t batches_at[8] = {batch_word<0>, batch_word<1>, batch_word<2>, batch_word<3>,
                                        batch_word<4>, batch_word<5>, batch_word<6>, batch_word<7>};
        uint32_t place = 0;
        for (unsigned i = 0; i < 12; i++)
            place ^= (row >> i & 1 ? rows_at[i] : 0) ^ (col >> i & 1 ? cols_at[i] : 0);
        for (unsigned i = 0; i < 8; i++)
            place ^= batch >> i & 1 ? batches_at[i] : 0;
        return place;
    }

  public:
    static constexpr unsigned lanes = tables::layouts[at].lanes, elems = tables::layouts[at].elems;
    static constexpr unsigned bits = tables::layouts[at].bits; /* of an element                  */
    static constexpr unsigned regs = tables::layouts[at].regs; /* 32-bit registers of a lane     */
    static constexpr unsigned rows = tables::layouts[at].rows, cols = tables::layouts[at].cols;
    static constexpr unsigned batches = tables::layouts[at].batches;

    static WSIM_INDEX unsigned row(unsigned lane, unsigned elem) {
        return packed(lane, elem) & 0xFFF;
    }
    static WSIM_INDEX unsigned col(unsigned lane, unsigned elem) {
        return packed(lane, elem) >> 12 & 0xFFF;
    }
    static WSIM_INDEX unsigned batch(unsigned lane, unsigned elem) {
        return packed(lane, elem) >> 24;
    }

    /* Which register of a lane holds an element, and from which bit on; 64-bit elements are in two
     * registers, of which this is the first. */
    static WSIM_INDEX unsigned reg(unsigned elem) {
        return elem * bits / 32;
    }
    static WSIM_INDEX unsigned lsb(unsigned elem) {
        return elem * bits % 32;
    }

    /* The holder of the element at a place of the matrix. If several lanes hold it, the first lane
     * and its first element answer. */
    static WSIM_INDEX unsigned lane(unsigned row, unsigned col, unsigned batch = 0) {
        return holder(row, col, batch) >> 8;
    }
    static WSIM_INDEX unsigned elem(unsigned row, unsigned col, unsigned batch = 0) {
        return holder(row, col, batch) & 0xFF;
    }
};

/* Where the byte of `address` of shared memory lies, and which byte lies there: wsim_swizzle_apply.
 */
template <enum wsim_swizzle Mode> WSIM_INDEX uint32_t swizzle(uint32_t address) {
    static_assert(Mode < WSIM_SWIZZLES, "no such mode");
    constexpr uint8_t shift0 = tables::swizzles[Mode].shift[0],
                      mask0 = tables::swizzles[Mode].mask[0];
    constexpr uint8_t shift1 = tables::swizzles[Mode].shift[1],
                      mask1 = tables::swizzles[Mode].mask[1];
    const uint8_t shift[2] = {shift0, shift1}, mask[2] = {mask0, mask1};
    return wsim_swizzle_bits(shift, mask, address);
}

/* The bank of shared memory that an address is in. */
WSIM_INDEX unsigned bank(uint32_t address) {
    return address / tables::bank_bytes % tables::bank_count;
}

} /* namespace wsim */

/* The fragment of an operand (WSIM_D, WSIM_A ...: enum wsim_operand) of an instruction. */
#define WSIM_FRAGMENT(spelling, operand) ::wsim::fragment<::wsim::layout_of(spelling, operand)>

#endif
