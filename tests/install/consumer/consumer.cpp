// A stranger's C++: constants that the compiler looks at, and objects of the library.
#include <cstdio>
#include <cstring>
#include <wsim/wsim.hpp>

using D = WSIM_FRAGMENT("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", WSIM_D);
static_assert(D::row(5, 2) == 9 && D::col(5, 2) == 2, "of accumulators, two rows are 8 apart");

int main() {
    wsim::op op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
    try {
        op.check("sm_70");
    } catch (const wsim::error &e) {
        std::printf("%s: %s\n", e.rule(), e.what());
        return std::strcmp(e.rule(), "arch.feature.missing") != 0;
    }
    return 1;
}
