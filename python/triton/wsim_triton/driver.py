"""The driver: what Triton asks about the GPU, and its launches."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import Any

import wsim
from triton import knobs
from triton.backends import driver as base
from triton.backends.compiler import GPUTarget

from ._launches import launches
from .compiler import end_with_ptx

CLOCK = 1980000  # kHz, of an H200; kernels do not depend on it


class Utils:
    """Modules, and properties of the GPU."""

    def load_binary(self, name: str, binary: bytes, shared: int, device: int) -> tuple[Any, ...]:
        """Returns module, function, registers, spilled registers and the most threads of a block."""
        if binary[:4] == b"\x7fELF":
            raise RuntimeError("%s is machine code; wsim needs PTX: let the stages end with it" % name)
        text = binary.rstrip(b"\0").decode()
        kernel = wsim.Module(text).kernel(name)
        return kernel.module, Loaded(text, kernel), kernel.registers, 0, limits()["block_threads"]

    def unload_module(self, module: Any) -> None:
        pass

    def get_device_properties(self, device: int) -> dict[str, int]:
        found = limits()
        return {
            "max_shared_mem": found["block_shared_optin"],
            "max_num_regs": found["block_registers"],
            "multiprocessor_count": found["sms"],
            "warpSize": found["warp_lanes"],
            "sm_clock_rate": CLOCK,
            "mem_clock_rate": CLOCK,
            "mem_bus_width": 6144,
        }


def limits() -> dict[str, int]:
    return wsim.arch(launches.arch).limits


@dataclass
class Loaded:
    """The PTX of a kernel, and the kernel."""

    text: str
    kernel: wsim.Kernel


class Launcher:
    """Triton makes one for each kernel that it compiled, and calls it for each launch."""

    def __init__(self, src: Any, metadata: Any) -> None:
        self.signature, self.metadata = src.signature, metadata
        self.kernel: wsim.TritonKernel | None = None

    def _kernel(self, loaded: Loaded) -> wsim.TritonKernel:
        if self.kernel is None:
            self.kernel = wsim.TritonKernel(self.signature, self.metadata, loaded.text, loaded.kernel)
        return self.kernel

    def __call__(
        self,
        x: int,
        y: int,
        z: int,
        stream: Any,
        function: Loaded,
        packed: Any,
        launch_metadata: Any,
        enter_hook: Any,
        exit_hook: Any,
        *args: Any,
    ) -> None:
        if Benchmark.runs:
            launches.skipped += 1
            return
        if enter_hook is not None:
            enter_hook(launch_metadata)
        launches.run(self._kernel(function), (x, y, z), args)
        if exit_hook is not None:
            exit_hook(launch_metadata)


class Event:
    """An event of a benchmark. All times are equal and long, so that a benchmark stops soon."""

    def __init__(self, enable_timing: bool = False) -> None:
        pass

    def record(self, stream: Any = None) -> None:
        pass

    def synchronize(self) -> None:
        pass

    def elapsed_time(self, other: Event) -> float:
        return 1e6  # ms


class Interface:
    """The functions of torch.cuda that benchmarks call."""

    Event = Event

    def synchronize(self, device: Any = None) -> None:
        pass

    def current_device(self) -> int:
        return 0


class Benchmark:
    """The part of a benchmark that measures: its launches do not run. It lives as long as the cache which the
    benchmark clears before each launch."""

    runs: weakref.WeakSet[Benchmark] = weakref.WeakSet()

    def __init__(self) -> None:
        self.runs.add(self)


def no_benchmark(fn: Any, *, quantiles: Any = None, **keywords: Any) -> Any:
    """For tuning: the first configuration that a GPU can run is the best."""
    tuning = Benchmark()
    try:
        fn()
    finally:
        Benchmark.runs.discard(tuning)  # an exception would keep it alive
    return 1.0 if quantiles is None else [1.0] * len(quantiles)


def stages_hook(backend: Any = None, stages: Any = None, *rest: Any, **more: Any) -> Any:
    """Without arguments: what the stages add to the key of Triton's cache."""
    if stages is None:
        return "wsim", "'wsim'"
    end_with_ptx(stages)
    return None


class WsimDriver(base.DriverBase):
    def __init__(self) -> None:
        super().__init__()
        self.utils, self.launcher_cls = Utils(), Launcher
        knobs.runtime.add_stages_inspection_hook = stages_hook

    @staticmethod
    def is_active() -> bool:
        """Without a GPU."""
        import triton.backends

        others = (one.driver for name, one in triton.backends.backends.items() if name != "wsim")
        return not any(one.is_active() for one in others)

    def get_current_target(self) -> GPUTarget:
        return GPUTarget("cuda", capability(), 32)

    def get_active_torch_device(self) -> Any:
        import torch

        return torch.device("cpu")

    def get_device_interface(self) -> Interface:
        return Interface()

    def get_current_device(self) -> int:
        return 0

    def set_current_device(self, device: int) -> None:
        pass

    def get_current_stream(self, device: int) -> int:
        return 0

    def get_device_capability(self, device: int = 0) -> tuple[int, int]:
        return divmod(capability(), 10)

    def map_python_to_cpp_type(self, ty: str) -> str:
        from triton.backends.nvidia import driver as nvidia

        return str(nvidia.ty_to_cpp(ty))

    def get_benchmarker(self) -> Any:
        return no_benchmark

    def get_empty_cache_for_benchmark(self) -> Benchmark:
        return Benchmark()

    def clear_cache(self, cache: Benchmark) -> None:
        pass

    def allocate_default_profile_scratch(self, size: int, alignment: int, stream: Any) -> None:
        return None


def capability() -> int:
    """90 of sm_90a."""
    return int("".join(c for c in wsim.arch(launches.arch).name[3:] if c.isdigit()))
