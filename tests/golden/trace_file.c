/* The traces of the golden test are read as the program reads them. */
#include "../../tools/wsim/common/trace_file.c"
