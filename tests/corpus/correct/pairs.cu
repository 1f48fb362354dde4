#define MISTAKE false
#include "pairs.cuh"
