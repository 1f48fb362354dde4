#define MISTAKE true
#include "pairs.cuh"
