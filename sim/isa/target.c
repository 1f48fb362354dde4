/* Which versions of PTX there are, and which of them has a target: rows of target.def. */
#include "isa.h"

#include <string.h>

static const struct target {
    uint16_t number;
    uint8_t ptx[3]; /* of no suffix, a, f */
} targets[] = {
#define TARGET(number, ptx, a, f) {number, {ptx, a, f}},
#include "target.def"
};

static const uint8_t lasts[] = {
#define LAST(ptx) ptx,
#include "target.def"
};

enum {
#define WHOLE(ptx) PTX_WHOLE = ptx,
#include "target.def"
};

unsigned isa_target_version(const char *name) {
    static const char suffixes[] = "af";
    const char *suffix = name + 3 + strspn(name + 3, "0123456789");
    const char *found = *suffix ? strchr(suffixes, *suffix) : NULL;
    if (name[3] == '0' || (*suffix && (!found || suffix[1])))
        return 0;
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        if (targets[i].number == wsim_target_number(name))
            return targets[i].ptx[found ? found - suffixes + 1 : 0];
    return 0;
}

int isa_target_is_newer(const char *name) {
    return wsim_target_number(name) > targets[sizeof targets / sizeof targets[0] - 1].number;
}

int isa_ptx_exists(unsigned version) {
    for (size_t i = 0; i < sizeof lasts; i++)
        if (lasts[i] / 10 == version / 10)
            return version <= lasts[i];
    return version > lasts[sizeof lasts - 1];
}

int isa_ptx_is_whole(unsigned version) {
    return version <= PTX_WHOLE;
}
