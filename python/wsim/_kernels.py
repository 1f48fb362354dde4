"""Whole kernels from PTX: NumPy arrays are device memory, findings are exceptions, counters a table."""

from __future__ import annotations

import difflib
import inspect
import os
import threading
from typing import Any, Callable, Mapping, NoReturn, Sequence, Union

import numpy as np

from ._arch import ArchLike, for_target, row_of
from ._arguments import Adopted, Arguments, Parameter
from ._core import Array, c_text, check, flag, integer, memory_of, new_diag, numbers, owned, refusal, text_of
from ._device import Device
from ._interrupt import Interruptible
from ._linked import Linked
from ._look import Looks, Place, View
from ._report import Report, raise_first
from ._wsim import ffi, lib

Size = Union[int, Sequence[int]]

CHECKS = {
    "memory": "WSIM_CHECK_MEMORY",
    "init": "WSIM_CHECK_INIT",
    "race": "WSIM_CHECK_RACE",
    "sync": "WSIM_CHECK_SYNC",
}


# Names that CUDA, Triton, Numba and CuPy have for keywords of a launch. None: there is no such thing here.
OTHER_NAMES = {
    "smem": "shared",
    "shared_mem": "shared",
    "sharedmem": "shared",
    "shared_memory": "shared",
    "shared_bytes": "shared",
    "dynamic_shared_memory": "shared",
    "cluster_dims": "cluster",
    "target": "arch",
    "gpu": "arch",
    "check": "checks",
    "late_copies": "late",
    "stream": None,
}


def _known(unknown: Mapping[str, object]) -> None:
    """Refuses keywords that a launch does not have."""
    for name in unknown:
        own = [one for one in inspect.signature(Launcher.__call__).parameters if one not in ("self", "args", "unknown")]
        near = OTHER_NAMES.get(name) or next(iter(difflib.get_close_matches(name, own, 1)), None)
        hint = "; did you mean %s=?" % near if near else "; launches run one after another" * (name == "stream")
        raise TypeError("a launch has no keyword '%s'%s (it has %s)" % (name, hint, ", ".join(own)))


class Launcher:
    """A kernel with its grid and block, made by `kernel[grid, block]`; call it with the arguments."""

    def __init__(self, kernel: Kernel, grid: Size, block: Size) -> None:
        self.kernel, self.grid, self.block = kernel, _size(grid, "grid"), _size(block, "block")

    def __call__(
        self,
        *args: object,
        shared: int = 0,
        cluster: Size | None = None,
        checks: bool | str = True,
        count: bool = True,
        raise_findings: bool = True,
        buffers: Sequence[Array] | Mapping[str, Array] = (),
        arch: ArchLike | None = None,
        device: Device | None = None,
        cooperative: bool = False,
        late: bool = False,
        seed: int = 0,
        threads: int = 0,
        max_instructions: int = 0,
        look: Mapping[Place, Callable[[View], object]] | None = None,
        **unknown: object,
    ) -> Report:
        """Runs the kernel to its end and changes the arrays in place. `Kernel` describes the arguments."""
        _known(unknown)
        kernel, launch = self.kernel, ffi.new("struct wsim_launch *")
        arguments, diag = kernel._arguments(args), new_diag()
        named = buffers.items() if isinstance(buffers, Mapping) else (("buffers[%u]" % i, a) for i, a in enumerate(buffers))
        for name, array in named:
            arguments.memory(memory_of(array, name), name)
        if device is not None and not isinstance(device, Device):
            raise TypeError("device has to be a wsim.Device, not %s" % type(device).__name__)
        if device is None:
            device = kernel.module._device(arch)
        elif arch is not None and text_of(lib.wsim_arch_name(row_of(arch))) != device.arch:
            raise ValueError("arch is %s, but the device is an %s" % (arch, device.arch))
        params = ffi.from_buffer(arguments.bytes)
        launch.kernel, launch.params, launch.param_bytes = kernel._raw, params, len(arguments.bytes)
        launch.grid, launch.block = self.grid, self.block
        if cluster is not None:
            launch.cluster = _size(cluster, "cluster")
        launch.shared, launch.checks = integer(shared, "shared", 0, 2**32 - 1), checks_of(checks)
        launch.count, launch.cooperative = bool(count), bool(cooperative)
        setattr(launch, "async", lib.WSIM_ASYNC_LATE if late else lib.WSIM_ASYNC_EAGER)
        launch.seed, launch.threads = integer(seed, "seed", 0, 2**64 - 1), integer(threads, "threads", 0, 1024)
        launch.max_instructions = integer(max_instructions, "max_instructions", 0, 2**64 - 1)
        made = ffi.new("struct wsim_report **")
        with device._lock, Adopted(device, arguments), Interruptible(launch), Looks(launch, look):
            device._keep(kernel.module)
            status = lib.wsim_launch_run(device._raw, kernel.module._raw, launch, made, diag)
        if made[0] == ffi.NULL:
            check(status, diag)
            raise RuntimeError("the launch left no report")
        report = Report(ffi.gc(made[0], lib.wsim_report_free), kernel.module, kernel.name)
        if raise_findings:
            raise_first(report)
        if status and not report.findings:
            raise refusal(status, diag)
        return report

    def __repr__(self) -> str:
        return "Launcher of %s: grid %s, block %s" % (self.kernel.name, tuple(self.grid), tuple(self.block))


class Kernel:
    """A kernel of a module: `kernel[grid, block](*args, ...)` runs it and returns a `Report`.

    Grid and block are one to three numbers. For a pointer pass a NumPy array, which is used in place. The pointer is
    its address, and accesses outside of it are out of bounds. None is a null pointer. Numbers are converted to the type
    of the parameter: floats are rounded, whole numbers must fit. A `TensorMap`, bytes or a structured scalar are
    structures by value.

    Memory: `shared` is the number of bytes of dynamic shared memory. `buffers` are arrays that the kernel reaches
    through pointers in memory; a dictionary names them. Blocks: `cluster` is the cluster size; with `cooperative`, blocks may wait for each
    other (`grid.sync()`). Checks: `checks` is True (all) or some of "memory,init,race,sync".
    False turns off all optional checks. An access that is out of bounds or misaligned is still raised,
    because a GPU stops there. With `raise_findings` False, findings are only in the report. `count` counts per line.
    Machine: `arch` (default: the target of the PTX) or `device`. With `late`, asynchronous copies complete only when a
    wait needs them. `seed` changes the order of warps and blocks. `threads` is the number of host threads (0: one per
    processor). `max_instructions` stops with a finding after about this number of instructions. `look` is a dict of
    places ("saxpy.cu:5", or a line of the PTX) and functions that get a `wsim.View` before each instruction there.

    >>> import numpy as np, wsim
    >>> x, y = wsim.aligned(np.arange(64, dtype=np.float32)), wsim.aligned(np.ones(64, np.float32))
    >>> wsim.Module(SAXPY).kernel("saxpy")[2, 32](np.float32(2), x, y, 64)
    Report of saxpy: 2 blocks, 2 warps, 40 instructions; shared 0 wavefronts (ideal 0), global 24 sectors; 0 findings
    >>> y[:4]
    array([1., 3., 5., 7.], dtype=float32)
    """

    def __init__(self, module: Module, handle: Any) -> None:
        owned(handle, "struct wsim_kernel const *", "wsim.Kernel", "wsim.Module(ptx).kernel(name)")
        raw = ffi.new("struct wsim_kernel_info *")
        lib.wsim_kernel_describe(handle, raw)
        self._raw, self.module, self.name = handle, module, text_of(raw.name)
        self.instructions, self.registers, self.problems = int(raw.instructions), int(raw.registers), int(raw.problems)
        self.shared, self.local, self.constant = int(raw.shared), int(raw.local), int(raw.constant)
        self.dynamic_shared, self.line = bool(raw.dynamic_shared), int(raw.line)
        self.reqntid, self.maxntid, self.cluster = (
            tuple(getattr(raw, name)) for name in ("reqntid", "maxntid", "cluster")
        )
        self.param_bytes = int(raw.param_bytes)
        found, self.parameters = ffi.new("struct wsim_kernel_param *"), []  # type: tuple[Any, list[Parameter]]
        while lib.wsim_kernel_param_at(handle, len(self.parameters), found):
            self.parameters.append(
                Parameter(text_of(found.name), text_of(found.type), found.bytes, found.offset, bool(found.pointer))
            )

    def __getitem__(self, sizes: tuple[Size, Size]) -> Launcher:
        if not isinstance(sizes, tuple) or len(sizes) != 2:
            raise TypeError(
                "kernel[...] takes a grid and a block: kernel[grid, block](...)%s"
                % ("; dynamic shared memory is kernel[grid, block](..., shared=BYTES)" * (isinstance(sizes, tuple)))
            )
        return Launcher(self, *sizes)

    def __call__(self, *args: object, **keywords: object) -> NoReturn:
        raise TypeError(
            "a launch needs grid and block: call kernel[grid, block](...), such as %s[1, 32](...)" % self.name
        )

    def _arguments(self, args: Sequence[object]) -> Arguments:
        if len(args) != len(self.parameters):
            raise TypeError(
                "%s takes %u argument%s (%s), not %u"
                % (
                    self.name,
                    len(self.parameters),
                    "s" * (len(self.parameters) != 1),
                    ", ".join("%s .%s" % (one.name, one.type) for one in self.parameters),
                    len(args),
                )
            )
        arguments = Arguments(self.param_bytes)
        for i, (parameter, value) in enumerate(zip(self.parameters, args)):
            arguments.add(parameter, value, i)
        return arguments

    def __repr__(self) -> str:
        return "Kernel %s(%s): %u instructions, %u registers, %u bytes of shared memory%s" % (
            self.name,
            ", ".join("%s .%s" % (one.name, one.type) for one in self.parameters),
            self.instructions,
            self.registers,
            self.shared,
            "; not all modelled" if self.problems else "",
        )


class Module(Linked):
    """PTX: a text, the path of a file, or a list of these, which are linked as after `nvcc -rdc=true`. `contract=False`
    keeps mul and add apart, which the assembler fuses. `as_written` counts shared accesses without merging neighbours.
    `lenient` accepts PTX that compilers write and assemblers refuse. `plain` runs lane
    by lane in integers: slow, and the definition of all results.

    >>> import wsim
    >>> module = wsim.Module(SAXPY)
    >>> module.target, [kernel.name for kernel in module.kernels], module.problems
    ('sm_80', ['saxpy'], [])
    """

    def __init__(
        self,
        source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        *,
        contract: bool = True,
        as_written: bool = False,
        lenient: bool = False,
        plain: bool = False,
    ) -> None:
        flags = (
            lib.WSIM_MODULE_NO_CONTRACT * (not contract)
            | lib.WSIM_MODULE_AS_WRITTEN * bool(as_written)
            | lib.WSIM_MODULE_LENIENT * bool(lenient)
            | lib.WSIM_MODULE_PLAIN * bool(plain)
        )
        self._link(source, flags)
        self._devices: dict[Any, Device] = {}
        self._lock = threading.Lock()

    @property
    def kernels(self) -> list[Kernel]:
        """All kernels, in file order.

        >>> import wsim
        >>> [(kernel.name, kernel.instructions, kernel.registers) for kernel in wsim.Module(SAXPY).kernels]
        [('saxpy', 20, 17)]
        """
        found: list[Kernel] = []
        while True:
            handle = lib.wsim_module_kernel(self._raw, len(found))
            if handle == ffi.NULL:
                return found
            found.append(Kernel(self, handle))

    def kernel(self, name: str | None = None) -> Kernel:
        """Looks up a kernel by its name or a unique part; without a name, the only kernel.

        >>> import wsim
        >>> wsim.Module(SAXPY).kernel("sax").name
        'saxpy'
        """
        kernels = self.kernels
        found = [one for one in kernels if name is None or one.name.encode() == c_text(name, "name")]
        if not found and name is not None:
            found = [one for one in kernels if name in one.name]
        if len(found) == 1:
            return found[0]
        names = ", ".join(one.name for one in kernels) or "none"
        raise KeyError(
            "%s; there are: %s"
            % (
                "no kernel was named"
                if name is None
                else "%s kernel is called %r" % ("more than one" if found else "no", name),
                names,
            )
        )

    def _device(self, arch: ArchLike | None) -> Device:
        row = for_target(self.target) if arch is None else row_of(arch)
        with self._lock:
            if row not in self._devices:
                self._devices[row] = Device._for(row)
            return self._devices[row]

    def __repr__(self) -> str:
        return "Module of PTX %.1f for %s: %s" % (
            self.version,
            self.target,
            ", ".join(one.name for one in self.kernels) or "no kernels",
        )


def _size(given: Size, what: str) -> list[int]:
    """One to three numbers, filled up with 1."""
    found = [integer(given, what, 1, 2**32 - 1)] if isinstance(given, (int, np.integer)) else []
    found = found or numbers(given, what, 3, 1, 2**32 - 1, fewer=True)
    if not found:
        raise ValueError("%s has no numbers; it has 1 to 3" % what)
    return found + [1] * (3 - len(found))


def checks_of(given: bool | str) -> int:
    if isinstance(given, str):
        unknown = [one for one in given.split(",") if one not in CHECKS]
        if unknown:
            raise ValueError("checks has %r in it; there are %s" % (unknown[0], ", ".join(CHECKS)))
        return sum(int(getattr(lib, CHECKS[one])) for one in set(given.split(",")))
    return int(lib.WSIM_CHECK_ALL) if flag(given, "checks") else 0
