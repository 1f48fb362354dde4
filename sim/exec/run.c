/* wsim_run: the one place from which instructions are executed. */
#include "door.h"

enum wsim_status wsim_run(const struct wsim_code *code, const struct wsim_io *io,
                          struct wsim_diag *diag) {
    const struct exec_door *door = &exec_doors[work_of(code)->door];
    return door->run ? door->run(code, io, diag) : door->refuse(&code->op, diag);
}
