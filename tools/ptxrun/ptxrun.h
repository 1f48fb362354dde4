/* ptxrun.h - one C function that runs PTX, as programs expect it that test their GPU code without a
 * GPU. Exported by libwsim-ptxrun.
 *
 * Runs the first kernel of `source` to its end. args[i] is the value of parameter i in 64 bits: a
 * pointer of the host or an integer, truncated to the size of the parameter. All
 * memory of the process is global memory. Parsed text is kept and known again. Errors go to stderr;
 * memory stays unchanged, or as the kernel left it. With WSIM_PTXRUN_ABORT in the environment an
 * error aborts the process. Environment: WSIM_PTXRUN_ARCH, the architecture (else the .target of
 * the text, at least sm_70).
 */
#ifndef WSIM_PTXRUN_H
#define WSIM_PTXRUN_H

#ifdef __cplusplus
extern "C" {
#endif

void ptx_run(const char *source, int n_args, void *args[], int block_x, int block_y, int block_z,
             int grid_x, int grid_y, int grid_z, int shared_bytes);

#ifdef __cplusplus
}
#endif
#endif
