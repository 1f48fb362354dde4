/* libnvJitLink without functions. Python packages (cuda-core, numba-cuda) that miss its functions
 * link PTX with the driver. The genuine library makes machine code, which wsim does not run.
 * For LD_PRELOAD only: programs that call nvJitLink need the genuine one. */

extern const char wsim_nvjitlink[];
__attribute__((visibility("default"))) const char wsim_nvjitlink[] = "no functions";
