/* Special registers: the rows of special.def. */
#include "ptx.h"

static const struct row {
    const char *name, *type;
} rows[] = {
#define SPECIAL(id, name, type, ptx) {name, type},
#include "special.def"
};

const char *ptx_special_name(uint32_t index) {
    return index < PTX_SPECIALS ? rows[index].name : NULL;
}

const char *ptx_special_type(uint32_t index) {
    return index < PTX_SPECIALS ? rows[index].type : NULL;
}
