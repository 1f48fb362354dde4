/* desc_print.c - a descriptor of wgmma, read from hex digits, printed as text and as JSON. */
#include "desc.h"

#include <inttypes.h>

int desc_read(const char *text, uint64_t *bits, struct wsim_descriptor *d, struct wsim_diag *odd) {
    int status =
        text ? tool_descriptor("descriptor", text, bits) : tool_error("no descriptor given");
    odd->text[0] = '\0';
    if (status == TOOL_GO)
        wsim_descriptor_decode(*bits, d, odd);
    return status;
}

static json_t *hex_json(uint64_t bits) {
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, bits);
    return json_string(text);
}

static json_t *fields_json(uint64_t bits, const struct wsim_descriptor *d) {
    return json_pack("{s:o, s:i, s:i, s:i, s:i, s:s}", "bits", hex_json(bits), "start",
                     (int)d->start, "leading", (int)d->leading, "stride", (int)d->stride,
                     "base_offset", d->base_offset, "swizzle", wsim_swizzle_name(d->mode));
}

json_t *desc_json(const char *action, uint64_t bits, const struct wsim_descriptor *d) {
    return json_pack("{s:s, s:i, s:s, s:o}", "schema", "wsim.desc", "version", 1, "action", action,
                     "descriptor", fields_json(bits, d));
}

void desc_csv(uint64_t bits, const struct wsim_descriptor *d) {
    puts("bits,start,leading,stride,base_offset,swizzle");
    printf("%016" PRIx64 ",%u,%u,%u,%u,%s\n", bits, (unsigned)d->start, (unsigned)d->leading,
           (unsigned)d->stride, d->base_offset, wsim_swizzle_name(d->mode));
}

void desc_print(uint64_t bits, const struct wsim_descriptor *d) {
    printf("%016" PRIx64 "\n  start        0x%05x\n  leading      0x%05x (%u)\n"
           "  stride       0x%05x (%u)\n  base offset  %u\n  swizzle      %s\n",
           bits, (unsigned)d->start, (unsigned)d->leading, (unsigned)d->leading,
           (unsigned)d->stride, (unsigned)d->stride, d->base_offset, wsim_swizzle_name(d->mode));
}
