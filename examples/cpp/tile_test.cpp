/* tile_test.cpp - tests tile.hpp with GoogleTest on any machine: ldmatrix has no bank conflict and
 * loads operand A. */
#include "tile.hpp"

#include <wsim/gtest.hpp>

static const char ldmatrix[] = "ldmatrix.sync.aligned.m8n8.x4.shared.b16";

static std::array<uint32_t, 32> addresses(unsigned k) {
    std::array<uint32_t, 32> list{};
    for (unsigned lane = 0; lane < 32; lane++)
        list[lane] = ldmatrix_address(lane, k);
    return list;
}

TEST(Tile, HasNoBankConflict) {
    for (unsigned k = 0; k < 4; k++)
        EXPECT_THAT(addresses(k), wsim::ConflictFree(ldmatrix, "h100"));
}

TEST(Tile, IsOperandA) {
    wsim_layout a = wsim::op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").layout(WSIM_A);
    std::vector<uint8_t> bytes(16 * 128);
    for (unsigned row = 0; row < 16; row++)
        for (unsigned col = 0; col < 64; col++) {
            bytes[tile_address(row, col)] = static_cast<uint8_t>(col);
            bytes[tile_address(row, col) + 1] = static_cast<uint8_t>(row);
        }
    wsim_memory shared = wsim_memory_over(WSIM_SHARED, bytes.data(), bytes.size(), 0);
    for (unsigned k = 0; k < 4; k++) {
        std::vector<uint64_t> matrix;
        for (unsigned row = 0; row < 16; row++)
            for (unsigned col = 0; col < 16; col++)
                matrix.push_back(row << 8 | (16 * k + col));
        auto list = addresses(k);
        wsim_regs loaded{};
        wsim_operands io{};
        io.d = &loaded;
        io.smem = &shared;
        io.addr = list.data();
        wsim::exec(ldmatrix, "h100", io);
        EXPECT_THAT(loaded, wsim::FragmentEq(a, wsim::pack(a, matrix)));
    }
}
