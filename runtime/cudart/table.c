/* Functions of the runtime API that are not there yet, which return cudaErrorNotSupported and are
 * named once on stderr; and twins. */
#include "cudart.h"

#include "core/twin.h"

/* Functions that are there matter here only if they have a twin. */
#define HAVE_NONE(symbol)
#define HAVE_PTSZ(symbol) twin_function symbol;
#define HAVE_PTDS(symbol) twin_function symbol;
#define RT_HAVE(symbol, twin) HAVE_##twin(symbol)
#define RT_MISSING(symbol, twin) TWIN_MISSING(symbol, rt_note(wsimrt_unsupported(#symbol)))
#define RT_FUNCTION(symbol, twin, kind) RT_##kind(symbol, twin)
#include "function.def"

#define RT_FUNCTION(symbol, twin, kind) TWIN_##twin(symbol)
#include "function.def"
