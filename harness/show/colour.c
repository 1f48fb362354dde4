/* Colours. Neighbouring values differ in lightness, each four of them in hue. Warm and cool hues
 * alternate, so neighbours differ for readers with any colour vision. All are light enough for
 * black text, with a contrast of at least 9. */
#include "show.h"

enum { COLOURS = 32, FOUR = 4 };

static const uint32_t colours[COLOURS] = {
    0xFFEDEB, 0xFFD1CD, 0xFEB3AC, 0xF6938C, 0xE9F3FF, 0xC6E1FE, 0xA0CEFE, 0x75B8FC,
    0xFAF2D4, 0xECDEAA, 0xDCC980, 0xCBB251, 0xF7EEFF, 0xEBD3FE, 0xDCB8F8, 0xCA9DEC,
    0xE0FAE4, 0xBEECC6, 0x9CDBA8, 0x77C88A, 0xFFEEE5, 0xFFD4BC, 0xFCB791, 0xF09B6B,
    0xD4FBFC, 0xA6EDF0, 0x77DCE1, 0x32C9D1, 0xFEECF4, 0xFFCEE4, 0xF9B0D2, 0xEC92BD,
};

/* Digits: kept ones are cool, lost ones warm and darker; fields of a number differ in both. */
enum { DIGITS = 6 };
static const uint32_t digits[DIGITS] = {0xE9F3FF, 0xA0CEFE, 0xF09B6B, 0xFEB3AC, 0xECDEAA, 0xC6E1FE};

uint32_t wsim_hue_colour(enum wsim_hue hue, int32_t value) {
    uint32_t v = (uint32_t)value;
    if (hue == WSIM_HUE_NONE || value < 0)
        return 0xFFFFFF;
    if (hue == WSIM_HUE_TURN) /* the first pass is cool, further ones are warm */
        return value == 0 ? 0xFFFFFF : value == 1 ? 0xC6E1FE : value == 2 ? 0xFFD4BC : 0xF09B6B;
    if (hue == WSIM_HUE_DIGIT)
        return digits[v % DIGITS];
    if (hue == WSIM_HUE_BANK) /* lanes that begin 16 bytes are not the palest */
        v = (v & ~UINT32_C(3)) | ((v + 1) & 3);
    if (hue == WSIM_HUE_REGISTER || hue == WSIM_HUE_GROUP) /* few: hue first, then lightness */
        v = v % (COLOURS / FOUR) * FOUR + (1 + v / (COLOURS / FOUR)) % FOUR;
    return colours[v % COLOURS];
}

const char *show_hue_name(enum wsim_hue hue) {
    static const char *const names[WSIM_HUES] = {"",      "lane", "bank", "register",
                                                 "group", "pass", "digit"};
    return (unsigned)hue < WSIM_HUES ? names[hue] : "";
}

int show_has_legend(enum wsim_hue hue) {
    return hue == WSIM_HUE_LANE || hue == WSIM_HUE_BANK || hue == WSIM_HUE_REGISTER;
}

const char *show_ink(const struct wsim_panel *panel, const struct wsim_cell *cell) {
    return panel->glyphs && cell->flags & WSIM_CELL_EMPTY ? "" : cell->text;
}
