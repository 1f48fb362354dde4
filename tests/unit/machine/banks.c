#include "banks.h"

struct wsim_banks banks_count(const char *spelling, const uint32_t *addr, uint32_t mask) {
    struct wsim_op op = every_parse(spelling);
    struct wsim_banks got;
    struct wsim_diag diag;
    expect(wsim_banks_count(&op, wsim_arch_find("sm_90a"), addr, mask, &got, &diag) == WSIM_OK,
           "%s: %s", spelling, diag.text);
    return got;
}

void banks_expect(const char *what, const char *spelling, const uint32_t *addr, uint32_t mask,
                  unsigned wavefronts, unsigned conflicts) {
    struct wsim_banks got = banks_count(spelling, addr, mask);
    expect(got.wavefronts == wavefronts && got.conflicts == conflicts, "%s, %s: %u/%u, not %u/%u",
           what, spelling, (unsigned)got.wavefronts, (unsigned)got.conflicts, wavefronts,
           conflicts);
    expect(got.ideal == got.ngroups && got.wavefronts == got.ideal + got.conflicts, "%s, %s", what,
           spelling);
}

const char *banks_load(int bytes) {
    return bytes == 1   ? "ld.shared.u8"
           : bytes == 2 ? "ld.shared.u16"
           : bytes == 4 ? "ld.shared.u32"
           : bytes == 8 ? "ld.shared.b64"
                        : "ld.shared.v4.f32";
}

const char *banks_store(int bytes) {
    return bytes == 1   ? "st.shared.s8"
           : bytes == 2 ? "st.shared.b16"
           : bytes == 4 ? "st.shared.f32"
           : bytes == 8 ? "st.shared.v2.u32"
                        : "st.shared.b128";
}
