// The matchers of gtest.hpp, and what they say: the example's tests, and failures that are looked
// at.
#include <wsim/gtest.hpp>

using testing::ExplainMatchResult;
using testing::StringMatchResultListener;

static const char product[] = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";

template <class Matcher, class Value>
static std::string complaint(const Matcher &matcher, const Value &value) {
    StringMatchResultListener listener;
    return ExplainMatchResult(matcher, value, &listener) ? "it matches" : listener.str();
}

TEST(FragmentEq, SaysWhichElementDiffersFirst) {
    wsim_layout d = wsim::op(product).layout(WSIM_D);
    wsim_regs expected{}, actual{};
    EXPECT_THAT(actual, wsim::FragmentEq(d, expected));
    actual.r[1][5] = 0x3f800000;
    actual.r[0][9] = 1;
    EXPECT_EQ(complaint(wsim::FragmentEq(d, expected), actual),
              "2 of 128 elements differ, first lane 5, register 1 (element 1), row 1, column 3: "
              "0x3f800000 (1), expected 0x00000000 (0)");
    EXPECT_THAT(actual, testing::Not(wsim::FragmentEq(d, expected)));
}

TEST(FragmentEq, SaysWhichBitsOfARegister) {
    wsim_layout a = wsim::op(product).layout(WSIM_A);
    std::vector<uint32_t> expected(4 * 32, 0x3c003c00), actual = expected;
    actual[1 * 32 + 5] = 0xfc003c00;
    EXPECT_EQ(complaint(wsim::FragmentEq(a, expected), actual),
              "1 of 256 elements differ, first lane 5, register 1 bits 16..31 (element 3), row 9, "
              "column 3: 0xfc00 (-inf), expected 0x3c00 (1)");
    actual.pop_back();
    EXPECT_EQ(complaint(wsim::FragmentEq(a, expected), actual),
              "of 4 registers of 32 lanes there are 127 words, expected 128");
}

TEST(ConflictFree, SaysWhichBankCosts) {
    std::array<uint32_t, 32> addresses{};
    for (uint32_t lane = 0; lane < 32; lane++)
        addresses[lane] = lane * 4;
    EXPECT_THAT(addresses, wsim::ConflictFree("ld.shared.f32", "h100"));
    for (uint32_t lane = 0; lane < 32; lane++)
        addresses[lane] = lane % 8 * 256;
    // The counts, and a row of the picture: lane 9 goes through bank 0 in the second pass.
    std::string said = complaint(wsim::ConflictFree("ld.shared.f32", "h100"), addresses);
    EXPECT_THAT(said, testing::StartsWith("8 wavefronts, 1 without conflicts\n"));
    EXPECT_THAT(said, testing::HasSubstr("\n   9  0x00000100  2...............................\n"));
    EXPECT_THAT(said, testing::HasSubstr("worst is bank 0 with 8 distinct words"));
    EXPECT_THAT(addresses, wsim::WavefrontsLe("ld.shared.f32", "h100", 8));
    EXPECT_THAT(addresses, testing::Not(wsim::WavefrontsLe("ld.shared.f32", "h100", 7)));
    EXPECT_EQ(complaint(wsim::ConflictFree("ld.shared.f32", "h100"), std::vector<uint32_t>(31)),
              "the list of addresses has 31 elements, not 32");
    // A refused instruction does not match, and the message has the reason.
    EXPECT_NE(
        complaint(wsim::ConflictFree("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", "h100"),
                  addresses)
            .find("shared"),
        std::string::npos);
}

TEST(HasNoFindings, ListsThem) {
    wsim::ptx_module module(".version 8.0\n.target sm_80\n.address_size 64\n"
                            ".visible .entry race(.param .u64 to)\n{\n.reg .b64 %d; .reg .b32 %r;\n"
                            "ld.param.u64 %d, [to];\nmov.u32 %r, %tid.x;\n"
                            "st.global.u32 [%d], %r;\nret;\n}\n");
    wsim::device gpu("a100");
    auto x = gpu.alloc<uint32_t>(1, "x");
    EXPECT_THAT(wsim::launch("race").run(gpu, module, x), wsim::HasNoFindings());
    wsim::report report = wsim::launch("race").block(64).run(gpu, module, x);
    EXPECT_NE(complaint(wsim::HasNoFindings(), report).find("[race."), std::string::npos);
}

int main(int argc, char **argv) {
    testing::InitGoogleMock(&argc, argv);
    return RUN_ALL_TESTS();
}
