/* Refusals of fat binaries. */
#include "case.h"

#include <wsim/fatbin.h>

/* A fat binary with one member for sm_90; `flags` say how it is packed, `stored` its contents. */
static enum wsim_status read_text(unsigned kind, unsigned flags, unsigned stored, const char *arch,
                                  struct wsim_diag *diag) {
    unsigned char file[16 + 64 + 8] = {0x50, 0xED, 0x55, 0xBA, 1, 0, 16};
    unsigned char *member = file + 16;
    char out[64];
    size_t bytes;
    enum wsim_status status;
    member[0] = (unsigned char)kind;
    member[4] = 64;
    member[8] = (unsigned char)stored;
    member[16] = 8;
    member[28] = 90;
    member[41] = (unsigned char)(flags >> 8);
    member[56] = 40;
    status = wsim_fatbin_text(file, sizeof file, arch ? wsim_arch_find(arch) : NULL, NULL, NULL,
                              NULL, &bytes, diag);
    return status ? status
                  : wsim_fatbin_text(file, sizeof file, NULL, NULL, NULL, out, &bytes, diag);
}

static enum wsim_status no_fatbin(struct wsim_diag *diag) {
    size_t bytes;
    return wsim_fatbin_text("PTX", 3, NULL, NULL, NULL, NULL, &bytes, diag);
}

static enum wsim_status cut_short(struct wsim_diag *diag) {
    return read_text(1, 0, 9, NULL, diag);
}

static enum wsim_status other_size(struct wsim_diag *diag) {
    return read_text(1, 0x2000, 8, NULL, diag);
}

static enum wsim_status machine_code(struct wsim_diag *diag) {
    return read_text(2, 0, 8, NULL, diag);
}

static enum wsim_status too_new(struct wsim_diag *diag) {
    return read_text(1, 0, 8, "sm_80", diag);
}

static enum wsim_status zstandard(struct wsim_diag *diag) {
    return read_text(1, 0x8000, 8, NULL, diag);
}

static enum wsim_status unpack_zstandard(struct wsim_diag *diag) {
    const struct wsim_fatbin_member member = {.packing = WSIM_PACKED_ZSTANDARD};
    return wsim_fatbin_unpack(&member, NULL, NULL, NULL, diag);
}

const struct reject_direct reject_fatbins[] = {
    {"fatbin.magic.missing", no_fatbin},
    {"fatbin.member.damaged", cut_short},
    {"fatbin.member.damaged", other_size},
    {"fatbin.text.missing", machine_code},
    {"fatbin.text.missing", too_new},
    {"fatbin.zstandard.missing", zstandard},
    {"fatbin.zstandard.missing", unpack_zstandard},
};
const int reject_fatbins_count = COUNT(reject_fatbins);
