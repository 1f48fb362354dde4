/* The runtime of the device: the build turns children.ptx into children_text.def, and grid.ptx into
 * grid_text.def (cmake/bytes.cmake). */
#include "children.h"

#define TEXT(name, ...) const char children_text[] = {__VA_ARGS__};
#include "children_text.def"

#undef TEXT
#define TEXT(name, ...) const char grid_text[] = {__VA_ARGS__};
#include "grid_text.def"

const size_t children_bytes = sizeof children_text, grid_bytes = sizeof grid_text;
