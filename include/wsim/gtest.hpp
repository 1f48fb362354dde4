/* gtest.hpp - matchers for tests with GoogleTest. They say which lane, register and element differs
 * first, and draw the banks of an access that costs more than it should. Needs gmock and
 * libwsim-harness.
 *
 *     EXPECT_THAT(actual, wsim::FragmentEq(op.layout(WSIM_D), expected));
 *     wsim::op load("ldmatrix.sync.aligned.m8n8.x4.shared.b16");
 *     EXPECT_THAT(addresses, wsim::ConflictFree(load, "h100"));
 *     EXPECT_THAT(launch.run(gpu, kernels, x), wsim::HasNoFindings());
 */
#ifndef WSIM_GTEST_HPP
#define WSIM_GTEST_HPP

#include "differ.h"
#include "wsim.hpp"

#include <gmock/gmock.h>
#include <ostream>

namespace wsim {

namespace detail {

/* Words of registers, wherever they are. */
inline span<const uint32_t> words_of(const wsim_regs &regs) noexcept {
    return {regs.r[0], sizeof regs.r / sizeof regs.r[0][0]};
}
template <class C> auto words_of(const C &words) noexcept -> decltype(span<const uint32_t>(words)) {
    return span<const uint32_t>(words);
}

/* Takes wsim_regs, or any type with data() and size() of uint32_t: registers in rows of lanes. */
class fragment_matcher {
  public:
    using is_gtest_matcher = void;
    template <class Registers>
    fragment_matcher(const wsim_layout &layout, const Registers &expected) : layout_(layout) {
        auto words = words_of(expected);
        expected_.assign(words.begin(), words.end());
    }
    template <class Registers>
    bool MatchAndExplain(const Registers &actual, std::ostream *listener) const {
        auto words = words_of(actual);
        std::size_t needed = std::size_t{layout_.regs} * layout_.lanes;
        if (words.size() < needed || expected_.size() < needed) {
            if (listener)
                *listener << "of " << layout_.regs + 0 << " registers of " << layout_.lanes + 0
                          << " lanes there are " << words.size() << " words, expected "
                          << expected_.size();
            return false;
        }
        wsim_difference difference = wsim_words_differ(&layout_, words.data(), expected_.data());
        if (difference.count && listener) {
            char text[WSIM_DIFFER_TEXT];
            wsim_difference_text(&layout_, &difference, text);
            *listener << text;
        }
        return difference.count == 0;
    }
    void DescribeTo(std::ostream *out) const {
        *out << "is the expected fragment, bit for bit";
    }
    void DescribeNegationTo(std::ostream *out) const {
        *out << "is another fragment";
    }

  private:
    wsim_layout layout_;
    std::vector<uint32_t> expected_;
};

class wavefronts_matcher {
  public:
    using is_gtest_matcher = void;
    /* `most` of 0: as few as possible. */
    wavefronts_matcher(const op &is, const arch &on, uint32_t most)
        : op_(is), arch_(on), most_(most) {}
    template <class Addresses>
    bool MatchAndExplain(const Addresses &addresses, std::ostream *listener) const {
        auto list = words_of(addresses);
        struct wsim_cost cost {};
        wsim_diag diag{};
        auto picture = std::make_unique<wsim_access_text>();
        if (list.size() != WSIM_LANES)
            diag = size_of("the list of addresses", list.size(), WSIM_LANES);
        else if (wsim_access_count(&op_.get(), arch_.get(), list.data(), UINT32_MAX, &cost,
                                   picture.get(), &diag) == WSIM_OK) {
            if (listener)
                *listener << cost.wavefronts << " wavefronts, " << cost.ideal
                          << " without conflicts\n"
                          << picture->text;
            return cost.wavefronts <= (most_ ? most_ : cost.ideal);
        }
        if (listener)
            *listener << diag.text;
        return false;
    }
    void DescribeTo(std::ostream *out) const {
        describe(out, "costs ", "costs no conflict");
    }
    void DescribeNegationTo(std::ostream *out) const {
        describe(out, "costs more than ", "costs conflicts");
    }

  private:
    void describe(std::ostream *out, const char *number, const char *none) const {
        *out << op_.spelling() << " on " << arch_.name() << " ";
        if (most_)
            *out << number << most_ << " wavefronts or less";
        else
            *out << none;
    }
    op op_;
    arch arch_;
    uint32_t most_;
};

class findings_matcher {
  public:
    using is_gtest_matcher = void;
    bool MatchAndExplain(const report &found, std::ostream *listener) const {
        bool none = true;
        for (const wsim_finding &one : found.findings()) {
            none = none && one.advice;
            if (listener)
                *listener << "\n  " << one.kernel << ", line " << one.ptx_line << ": " << one.text
                          << " [" << one.rule << "]";
        }
        return none;
    }
    void DescribeTo(std::ostream *out) const {
        *out << "has no findings";
    }
    void DescribeNegationTo(std::ostream *out) const {
        *out << "has findings";
    }
};

} /* namespace detail */

/* Registers are those expected, bit for bit: wsim_regs, or words in rows of the layout's lanes. */
template <class Registers>
detail::fragment_matcher FragmentEq(const wsim_layout &layout, const Registers &expected) {
    return detail::fragment_matcher(layout, expected);
}

/* 32 byte addresses, a lane each, in what has data() and size(), cost no conflict; or at most so
 * many wavefronts. */
inline detail::wavefronts_matcher ConflictFree(const op &is, const arch &on) {
    return detail::wavefronts_matcher(is, on, 0);
}
inline detail::wavefronts_matcher WavefrontsLe(const op &is, const arch &on, uint32_t most) {
    return detail::wavefronts_matcher(is, on, most);
}

/* A launch found nothing. */
inline detail::findings_matcher HasNoFindings() {
    return {};
}

} /* namespace wsim */

#endif
