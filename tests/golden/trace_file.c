/* The traces of the golden test are read as the program reads them. */
#include "../../tools/lib/trace_file.c"
