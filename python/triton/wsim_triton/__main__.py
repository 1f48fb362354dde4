"""python -m wsim_triton [--benchmarks] PROGRAM [ARGUMENTS], or -m MODULE: runs a program that asks torch for a GPU.

Tensors of the device "cuda" are on the CPU, and torch.cuda answers for the GPU of wsim. Benchmarks of triton.testing
do not run without --benchmarks, because times of a simulation mean nothing.
"""

from __future__ import annotations

import runpy
import sys
from types import SimpleNamespace
from typing import Any

import torch
import triton
from torch.overrides import TorchFunctionMode

from ._launches import launches
from .driver import Event, WsimDriver, capability, limits

CPU = torch.device("cpu")


def on_cpu(value: Any) -> Any:
    """The CPU in the place of a GPU."""
    if isinstance(value, torch.device) and value.type == "cuda":
        return CPU
    return CPU if isinstance(value, str) and value.split(":")[0] == "cuda" else value


class OnCpu(TorchFunctionMode):
    """Functions of torch get the CPU for a GPU, and tensors say that they are on one."""

    PLAIN = {torch.Tensor.is_cuda.__get__: True}

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func in self.PLAIN:
            return self.PLAIN[func]
        if func is torch.Tensor.cuda:
            return args[0]
        kwargs = {name: on_cpu(value) for name, value in (kwargs or {}).items()}
        return func(*(on_cpu(one) for one in args), **kwargs)


def answer_cuda() -> None:
    """The functions of torch.cuda that programs with kernels call."""
    stream = SimpleNamespace(cuda_stream=0, synchronize=lambda: None, wait_stream=lambda other: None)
    properties = SimpleNamespace(
        name="wsim " + launches.arch,
        major=capability() // 10,
        minor=capability() % 10,
        multi_processor_count=limits()["sms"],
        warp_size=limits()["warp_lanes"],
        shared_memory_per_block_optin=limits()["block_shared_optin"],
        max_threads_per_multi_processor=limits()["sm_threads"],
        regs_per_multiprocessor=limits()["sm_registers"],
        total_memory=150 << 30,
    )
    answers = {
        "get_device_capability": lambda device=None: (properties.major, properties.minor),
        "get_device_properties": lambda device=None: properties,
        "get_device_name": lambda device=None: properties.name,
        "current_device": lambda: 0,
        "device_count": lambda: 1,
        "is_available": lambda: True,
        "set_device": lambda device: None,
        "synchronize": lambda device=None: None,
        "empty_cache": lambda: None,
        "current_stream": lambda device=None: stream,
        "Event": Event,
    }
    for name, answer in answers.items():
        setattr(torch.cuda, name, answer)


class CublasLt:
    """Products of matrices by torch, for programs that compare with cuBLAS through Triton."""

    def __init__(self, workspace: Any) -> None:
        pass

    def matmul(self, a: Any, b: Any, c: Any) -> None:
        c.copy_((a.float() @ b.float().T).to(c.dtype))


def forget_benchmarks() -> None:
    triton.testing.do_bench = lambda fn, *rest, quantiles=None, **more: 1.0 if quantiles is None else [1.0] * len(quantiles)
    triton.testing.Mark.run = lambda self, *rest, **more: print("a benchmark did not run", file=sys.stderr)


def main(arguments: list[str]) -> None:
    benchmarks = arguments[:1] == ["--benchmarks"]
    arguments = arguments[benchmarks:]
    module = arguments[:1] == ["-m"]
    arguments = arguments[module:]
    if not arguments:
        sys.exit(__doc__)
    answer_cuda()
    triton.runtime.driver.set_active(WsimDriver())
    triton._C.libtriton.nvidia.cublas.CublasLt = CublasLt
    if not benchmarks:
        forget_benchmarks()
    sys.argv = arguments
    with OnCpu():
        if module:
            runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
