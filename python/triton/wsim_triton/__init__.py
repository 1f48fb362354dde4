"""A backend of Triton that runs kernels on wsim: tensors stay on the CPU, findings are reported at exit.

Triton compiles to PTX with its own backend for NVIDIA GPUs. Environment variables choose the GPU and the checks:
WSIM_ARCH (h100), WSIM_CHECK (all; none; or of memory,init,race,sync), WSIM_SEED, WSIM_THREADS, and WSIM_REPORT
(text; none). `python -m wsim_triton PROGRAM` runs a program that asks torch for a GPU.
"""

from ._launches import Launches, launches

__all__ = ["Launches", "launches"]
