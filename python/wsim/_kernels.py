"""Whole kernels from their PTX: NumPy arrays are device memory, findings are exceptions, counters a table."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from typing import Any, Iterator, NoReturn, Sequence, Union

import numpy as np

from . import _formats as formats
from ._arch import ArchLike, for_target, row_of
from ._core import (
    Array,
    address_of,
    c_text,
    check,
    flag,
    integer,
    masked,
    memory_of,
    new_diag,
    reach_of,
    refusal,
    text_of,
)
from ._picture import Drawn, Picture
from ._tensor import TensorMap, numbers
from ._wsim import ffi, lib

Size = Union[int, Sequence[int]]

CHECKS = {
    "memory": "WSIM_CHECK_MEMORY",
    "init": "WSIM_CHECK_INIT",
    "race": "WSIM_CHECK_RACE",
    "sync": "WSIM_CHECK_SYNC",
}


class Finding(Exception):
    """Something that is wrong with what a kernel did: out of bounds, a race, bytes that nobody wrote, a deadlock ...
    The first of its kind and place: `rule`, `text`, `kernel`, `block`, `thread`, `ptx_line` (of `ptx_file`, where
    several were linked), `file` and `line` of the source (None, 0: there is no .loc), the other side of a race
    (`other_ptx_line`, `other_file`, `other_line`), how often (`count`), whether a GPU would have stopped (`fatal`), and
    whether it is no mistake but to be known (`advice`), which raises nothing.
    The exception of a launch has all findings in `findings`, itself the first, and the `report`.

    >>> import numpy as np, wsim
    >>> x, y = np.zeros(16, np.float32), np.zeros(64, np.float32)
    >>> try:
    ...     wsim.Module(SAXPY).kernel()[1, 64](2.0, x, y, 64)
    ... except wsim.Finding as found:
    ...     print(found.rule, found.thread, found.text)
    memory.bounds (16, 0, 0) 4 bytes at byte 64 of 'args[1]' are read, which has 64
    """

    def __init__(self, raw: Any) -> None:
        self.rule, self.text, self.kernel = text_of(raw.rule), text_of(raw.text), text_of(raw.kernel)
        self.block, self.thread = tuple(raw.block), tuple(raw.thread)
        self.ptx_line, self.line, self.file = int(raw.ptx_line), int(raw.line), text_of(raw.file) or None
        self.other_ptx_line, self.other_line = int(raw.other_ptx_line), int(raw.other_line)
        self.other_file = text_of(raw.other_file) or None
        self.ptx_file = text_of(raw.ptx_file) or None
        self.count, self.fatal, self.advice = int(raw.count), bool(raw.fatal), bool(raw.advice)
        self.findings: list[Finding] = [self]
        self.report: Report | None = None
        super().__init__(self.text)

    def __reduce__(self) -> Any:
        """For other processes, as those of pytest-xdist: all but the report, which is of this one."""
        kept = {**self.__dict__, "report": None}
        kept["findings"] = [one for one in self.findings if one is not self]
        return _found, (self.args, kept)

    def __str__(self) -> str:
        place = "%s:%u" % (self.file, self.line) if self.file else "PTX line %u" % self.ptx_line
        said = "%s: %s: %s\n  kernel %s, block %s, thread %s, PTX line %u" % (
            place,
            self.rule,
            self.text,
            self.kernel,
            self.block,
            self.thread,
            self.ptx_line,
        )
        if self.other_ptx_line:
            said += "; the other: %s" % (
                "%s:%u" % (self.other_file, self.other_line) if self.other_file else "PTX line %u" % self.other_ptx_line
            )
        said += "; %u times" % self.count if self.count > 1 else ""
        said += "; a GPU stops here" if self.fatal else ""
        if len(self.findings) > 1:
            said += "\n  and %u more of other kinds or places: .findings" % (len(self.findings) - 1)
        return masked(said)


def _found(args: tuple[str, ...], kept: dict[str, Any]) -> Finding:
    """A finding of another process."""
    found = Finding.__new__(Finding, *args)
    found.args = args
    found.__dict__.update(kept, findings=[found, *kept["findings"]])
    return found


@dataclass(frozen=True)
class Parameter:
    """Of a kernel: its type ("u64", "b8" of an array) and place among the bytes of all."""

    name: str
    type: str
    bytes: int
    offset: int
    pointer: bool


@dataclass(frozen=True)
class Problem:
    """Something in a module that is not modelled."""

    rule: str
    text: str
    kernel: str
    line: int
    col: int
    count: int
    file: str | None


class Report(Drawn):
    """What a launch found, printed and cost.

    >>> import numpy as np, wsim
    >>> x = wsim.aligned(np.arange(64, dtype=np.float32))
    >>> report = wsim.Module(SAXPY).kernel()[1, 64](2.0, x, wsim.aligned(x), 64)
    >>> report.totals["instructions"], len(report.findings), report.output
    (40, 0, '')
    """

    def __init__(self, raw: Any, module: Module, kernel: str) -> None:
        self._raw, self._module, self.kernel = raw, module, kernel
        found, self.findings = ffi.new("struct wsim_finding *"), []  # type: tuple[Any, list[Finding]]
        while lib.wsim_report_finding(raw, len(self.findings), found):
            self.findings.append(Finding(found))
        size = ffi.new("size_t *")
        output = lib.wsim_report_output(raw, size)
        self.output: str = bytes(ffi.buffer(output, size[0])).decode("utf-8", "replace")

    @property
    def totals(self) -> dict[str, Any]:
        """Sums over the launch: `ld`, `st`, `atom` and `copy` are dictionaries of accesses, wavefronts, ideal and
        conflicts.

        >>> import numpy as np, wsim
        >>> x = wsim.aligned(np.arange(64, dtype=np.float32))
        >>> wsim.Module(SAXPY).kernel()[1, 64](2.0, x, wsim.aligned(x), 64).totals["global_sectors"]
        24
        """
        raw = ffi.new("struct wsim_totals *")
        lib.wsim_report_totals(self._raw, raw)
        totals: dict[str, Any] = {}
        for name, field in ffi.typeof("struct wsim_totals").fields:
            value = getattr(raw, name)
            totals[name] = _counts(value) if field.type.kind == "struct" else int(value)
        for name in ("approximate", "contracted", "clock", "order"):
            totals[name] = bool(totals[name])
        return totals

    @property
    def lines(self) -> list[dict[str, Any]]:
        """What each instruction did that ran, in the order of the PTX.

        >>> import numpy as np, wsim
        >>> x = wsim.aligned(np.arange(64, dtype=np.float32))
        >>> report = wsim.Module(SAXPY).kernel()[1, 64](2.0, x, wsim.aligned(x), 64)
        >>> [(one["line"], one["opcode"], one["sectors"]) for one in report.lines if one["sectors"]]
        [(5, 'ld.global.f32', 8), (5, 'ld.global.f32', 8), (5, 'st.global.f32', 8)]
        """
        found: list[dict[str, Any]] = []
        raw = ffi.new("struct wsim_line *")
        while lib.wsim_report_line(self._raw, len(found), raw):
            one = {
                "kernel": text_of(raw.kernel),
                "opcode": text_of(raw.opcode),
                "ptx_line": int(raw.ptx_line),
                "ptx_file": text_of(raw.ptx_file) or None,
                "file": text_of(raw.file) or None,
                "line": int(raw.line),
                "executed": int(raw.executed),
                "threads": int(raw.threads),
                **_counts(raw.shared),
                "uncounted": int(raw.uncounted),
                "requests": int(raw.requests),
                "sectors": int(raw.sectors),
                "sectors_ideal": int(raw.sectors_ideal),
                "cache_lines": int(raw.lines),
                "inlined": list(self._inlined(raw)),
            }
            found.append(one)
        return found

    def picture(self, source: str | os.PathLike[str] | None = None) -> Picture:
        """Each line of the source, or of PTX without .loc: how often it was executed, its wavefronts and sectors and
        what they would be ideally. `source`: the folder that has the files; else that of the PTX, if it came from a
        file.

        >>> import numpy as np, wsim
        >>> x = wsim.aligned(np.arange(64, dtype=np.float32))
        >>> report = wsim.Module(SAXPY).kernel()[1, 64](2.0, x, wsim.aligned(x), 64)
        >>> print(report.picture().write("csv").splitlines()[-2])
        0,saxpy.cu:5,ld.global.f32 ...,14,-,-,24,24
        """
        rows, keep = self._sums(), []  # type: tuple[list[dict[str, Any]], list[Any]]
        raw = ffi.new("struct wsim_cost_line[]", max(len(rows), 1))
        folder = self._module._folder if source is None else os.fspath(source)
        texts: dict[str, list[str]] = {}
        for one, row in zip(raw, rows):
            file = row["file"] or row["ptx_file"] or "PTX"
            number = row["line"] if row["file"] else row["ptx_line"]
            text = _line_of(folder, file, number, texts) or row["opcode"] + (" ..." if row["several"] else "")
            keep += [ffi.new("char[]", ("%s:%u" % (file, number)).encode("utf-8", "replace")[:400])]
            keep += [
                ffi.new("char[]", text.encode("utf-8", "replace")[:400]),
                ffi.new("char[]", row["opcode"].encode()),
            ]
            one.place, one.text, one.counts.opcode = keep[-3:]
            one.counts.ptx_line = row["ptx_line"]
            for name in ("executed", "threads", "uncounted", "requests", "sectors", "sectors_ideal"):
                setattr(one.counts, name, row[name])
            one.counts.lines = row["cache_lines"]
            for name in ("accesses", "wavefronts", "ideal", "conflicts"):
                setattr(one.counts.shared, name, row[name])
        words = "%s: %u warps, %u instructions" % (self.kernel, self.totals["warps"], self.totals["instructions"])
        title, said = ffi.new("char[]", self.kernel.encode()), ffi.new("char[]", words[:400].encode())
        launch = ffi.new("char *[]", [said])
        fields = {"title": title, "line": raw, "count": len(rows), "launch": launch, "launches": 1}
        lines, made = ffi.new("struct wsim_cost_lines *", fields), ffi.new("struct wsim_picture *")
        lib.wsim_picture_lines(lines, made)
        return Picture(made, lines, raw, keep, title, said, launch)

    def _sums(self) -> list[dict[str, Any]]:
        """Instructions of one line of the source together, in the order of lines."""
        sums: dict[tuple[Any, ...], dict[str, Any]] = {}
        for line in self.lines:
            key = (line["file"] or "", line["line"] if line["file"] else line["ptx_line"], line["ptx_file"] or "")
            if key not in sums:
                sums[key] = {**line, "several": False}
                continue
            known = sums[key]
            for name, value in line.items():
                if isinstance(value, int) and name not in ("line", "ptx_line"):
                    known[name] += value
            known["several"] = True
            if line["requests"] + line["accesses"] and not known["opcode"].startswith(("ld.", "st.")):
                known["opcode"] = line["opcode"]
        return [sums[key] for key in sorted(sums)]

    def _inlined(self, line: Any) -> Iterator[tuple[str, int, str]]:
        file, number, function = ffi.new("char const **"), ffi.new("uint32_t *"), ffi.new("char const **")
        for i in range(line.inlined):
            if lib.wsim_report_inlined(self._raw, line.id, i, file, number, function):
                yield text_of(file[0]), int(number[0]), text_of(function[0])

    @property
    def counters(self) -> Array:
        """The same as a structured array: a row for each instruction, without where it was inlined.

        >>> import numpy as np, wsim
        >>> x = wsim.aligned(np.arange(64, dtype=np.float32))
        >>> counters = wsim.Module(SAXPY).kernel()[1, 64](2.0, x, wsim.aligned(x), 64).counters
        >>> int(counters["sectors"].sum()), int(counters["executed"].max())
        (24, 2)
        """
        lines = self.lines
        names = [name for name in lines[0] if name != "inlined"] if lines else []
        columns = [np.array(["" if line[name] is None else line[name] for line in lines]) for name in names]
        table = np.zeros(len(lines), [(name, column.dtype) for name, column in zip(names, columns)])
        for name, column in zip(names, columns):
            table[name] = column
        return table

    def __repr__(self) -> str:
        totals = self.totals
        shared = [totals[name] for name in ("ld", "st", "atom", "copy")]
        return (
            "Report of %s: %u blocks, %u warps, %u instructions; shared %u wavefronts (ideal %u), global %u sectors; "
            "%u finding%s"
            % (
                self.kernel,
                totals["blocks"],
                totals["warps"],
                totals["instructions"],
                sum(one["wavefronts"] for one in shared),
                sum(one["ideal"] for one in shared),
                totals["global_sectors"],
                totals["findings"],
                "s" * (totals["findings"] != 1),
            )
        )


def _line_of(folder: str | None, file: str, number: int, texts: dict[str, list[str]]) -> str:
    """A line of a source, empty if it is not there. The name comes from the PTX: only a file of the folder is read."""
    name = os.path.basename(file)
    if folder is None or not number or name in ("", ".", ".."):
        return ""
    if name not in texts:
        path, texts[name] = os.path.join(folder, name), []
        if os.path.isfile(path) and not os.path.islink(path) and os.path.getsize(path) < 1 << 24:
            with open(path, encoding="utf-8", errors="replace") as opened:
                texts[name] = opened.read().splitlines()
    return texts[name][number - 1].strip() if number <= len(texts[name]) else ""


def _counts(raw: Any) -> dict[str, int]:
    return {name: int(getattr(raw, name)) for name in ("accesses", "wavefronts", "ideal", "conflicts")}


class Device:
    """A GPU: the variables of modules live on it from launch to launch. Without one each `Module` has its own. Launches
    on it follow each other, also those of several threads.

    >>> import wsim
    >>> wsim.Device("a100")
    wsim.Device('sm_80')
    """

    def __init__(self, arch: ArchLike = "h100") -> None:
        self._make(row_of(arch))

    def _make(self, row: Any) -> None:
        made, diag = ffi.new("struct wsim_device **"), new_diag()
        check(lib.wsim_device_make(row, made, diag), diag)
        self._raw = ffi.gc(made[0], lib.wsim_device_free)
        self.arch = text_of(lib.wsim_arch_name(row))
        self._lock = threading.RLock()
        self._modules: list[Module] = []  # their variables are here: they live as long

    @staticmethod
    def _for(row: Any) -> Device:
        device = Device.__new__(Device)
        device._make(row)
        return device

    def _keep(self, module: Module) -> None:
        if not any(known is module for known in self._modules):
            self._modules.append(module)

    def read(self, module: Module, name: str, dtype: Any = np.uint8) -> Array:
        """A copy of a variable of a module, .global or .const, as an array.

        >>> import wsim
        >>> module = wsim.Module(".version 8.0 .target sm_80 .address_size 64 .global .u32 n[2] = {3, 4};")
        >>> wsim.Device("a100").read(module, "n", "u4")
        array([3, 4], dtype=uint32)
        """
        kind = np.dtype(dtype)
        if kind.hasobject or not kind.itemsize:
            raise TypeError("dtype is %s, which has no fixed bytes" % kind)
        with self._lock:
            address, size = self._symbol(module, name)
            if size % kind.itemsize:
                raise ValueError("%s has %u bytes, no multiple of the %u of %s" % (name, size, kind.itemsize, kind))
            array, diag = np.empty(size // kind.itemsize, kind), new_diag()
            check(lib.wsim_device_read(self._raw, address, ffi.cast("void *", address_of(array)), size, diag), diag)
        return array

    def write(self, module: Module, name: str, values: Array) -> None:
        """Replaces the first bytes of a variable of a module by those of an array.

        >>> import numpy as np, wsim
        >>> module = wsim.Module(".version 8.0 .target sm_80 .address_size 64 .global .u32 n[2] = {3, 4};")
        >>> device = wsim.Device("a100")
        >>> device.write(module, "n", np.array([7], np.uint32))
        >>> device.read(module, "n", "u4")
        array([7, 4], dtype=uint32)
        """
        values = memory_of(values, "values", write=False)
        with self._lock:
            address, size = self._symbol(module, name)
            if values.nbytes > size:
                raise ValueError("%s has %u bytes; the values have %u" % (name, size, values.nbytes))
            diag = new_diag()
            check(
                lib.wsim_device_write(self._raw, address, ffi.cast("void *", address_of(values)), values.nbytes, diag),
                diag,
            )

    def _symbol(self, module: Module, name: str) -> tuple[int, int]:
        if not isinstance(module, Module):
            raise TypeError("module has to be a wsim.Module, not %s" % type(module).__name__)
        address, size, diag = ffi.new("uint64_t *"), ffi.new("uint64_t *"), new_diag()
        self._keep(module)
        check(lib.wsim_device_symbol(self._raw, module._raw, c_text(name, "name"), address, size, diag), diag)
        return int(address[0]), int(size[0])

    def __repr__(self) -> str:
        return "wsim.Device(%r)" % self.arch


class _Arguments:
    """The bytes of all parameters, and the arrays behind pointers."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel, self.bytes = kernel, bytearray(kernel.param_bytes)
        self.spans: list[tuple[int, int, str]] = []
        self.keep: list[Any] = []

    def add(self, parameter: Parameter, value: object, number: int) -> None:
        what = "args[%u] (%s, .%s)" % (number, parameter.name, parameter.type)
        found = self._bytes(parameter, value, what, "args[%u]" % number)
        if len(found) != parameter.bytes:
            raise TypeError("%s has %u bytes; the value has %u" % (what, parameter.bytes, len(found)))
        self.bytes[parameter.offset : parameter.offset + parameter.bytes] = found

    def memory(self, array: Array, name: str) -> int:
        """Makes an array memory of the device; answers its address."""
        low = address_of(array)
        size = reach_of(array)
        self.keep.append(array)
        if size:
            self.spans.append((low, low + size, name))
        return low

    def _bytes(self, parameter: Parameter, value: object, what: str, name: str) -> bytes:
        if isinstance(value, TensorMap):
            return self._map(parameter, value, name)
        if isinstance(value, (bytes, bytearray)):
            return bytes(value)
        if isinstance(value, np.void) and value.dtype.fields is not None:
            if value.dtype.hasobject:
                raise TypeError("%s is a structure with Python objects in it" % what)
            return value.tobytes()
        if isinstance(value, np.ndarray) or value is None:
            if parameter.bytes != 8 or parameter.type[0] == "f":
                raise TypeError("%s is no pointer; an array is one" % what)
            return (0 if value is None else self.memory(memory_of(value, what), name)).to_bytes(8, "little")
        return self._number(parameter, value, what)

    def _map(self, parameter: Parameter, value: TensorMap, name: str) -> bytes:
        """A tensor map by value or, for a pointer, in memory of its own."""
        if value.array is not None:
            if not value.array.flags.writeable:
                raise ValueError("the array of the tensor map %s is read-only; make it of a copy" % name)
            self.memory(value.array, "the tensor of " + name)
        self.keep.append(value)
        if parameter.bytes != 8:
            return bytes(value)
        room = np.zeros(192, np.uint8)
        at = -address_of(room) % 64
        room[at : at + 128] = np.frombuffer(bytes(value), np.uint8)
        return self.memory(room[at : at + 128], name).to_bytes(8, "little")

    def _number(self, parameter: Parameter, value: object, what: str) -> bytes:
        kind, size = parameter.type, parameter.bytes
        if isinstance(value, np.generic) and not formats.is_number(value.dtype):
            raise TypeError("%s: a number is needed, not %s" % (what, value.dtype))
        if not isinstance(value, (int, float, np.generic)):
            raise TypeError(
                "%s cannot be %s: an array, a number, a tensor map, bytes, a structured scalar or None"
                % (what, type(value).__name__)
            )
        if size > 8 or kind not in ("f16", "bf16", "f32", "f64") and kind[0] not in "usb":
            raise TypeError("%s is a structure of %u bytes; pass bytes or a structured scalar" % (what, size))
        if kind[0] == "f" or kind == "bf16":
            return int(formats.round_to(formats.named(kind), np.float64(value).reshape(1))[0]).to_bytes(size, "little")
        if isinstance(value, np.generic) and value.dtype.kind in "fV" and value.dtype.itemsize == size:
            return value.tobytes()  # untyped parameters hold floats, too: their bits
        if isinstance(value, float) or (isinstance(value, np.generic) and value.dtype.kind not in "iub"):
            raise TypeError(
                "%s is a whole number of %u bytes; for the bits of a float pass one of that size, np.float%u(...)"
                % (what, size, 8 * size)
            )
        number = integer(value, what, -1 << (8 * size - 1), (1 << 8 * size) - 1)
        return (number & ((1 << 8 * size) - 1)).to_bytes(size, "little")

    def merged(self) -> list[tuple[int, int, str]]:
        """Memory of all arrays; those that overlap are one piece."""
        pieces: list[tuple[int, int, str]] = []
        for low, high, name in sorted(self.spans):
            if pieces and low < pieces[-1][1]:
                first = pieces[-1]
                names = first[2] if name in first[2].split(", ") else first[2] + ", " + name
                pieces[-1] = (first[0], max(first[1], high), names)
            else:
                pieces.append((low, high, name))
        return pieces


class _Adopted:
    """Arrays on a device for the time of a launch."""

    def __init__(self, device: Device, arguments: _Arguments) -> None:
        self.device, self.arguments, self.there = device, arguments, []  # type: tuple[Device, _Arguments, list[int]]

    def __enter__(self) -> None:
        diag = new_diag()
        try:
            for low, high, name in self.arguments.merged():
                check(
                    lib.wsim_device_adopt(self.device._raw, name.encode(), ffi.cast("void *", low), high - low, diag),
                    diag,
                )
                self.there.append(low)
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_: object) -> None:
        for low in self.there:
            lib.wsim_device_release(self.device._raw, low, ffi.NULL)
        self.there.clear()


class Launcher:
    """A kernel with its grid and block; `kernel[grid, block]` makes it, and it is called with the arguments."""

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
        buffers: Sequence[Array] = (),
        arch: ArchLike | None = None,
        device: Device | None = None,
        cooperative: bool = False,
        late: bool = False,
        seed: int = 0,
        threads: int = 0,
        max_instructions: int = 0,
    ) -> Report:
        """Runs the kernel to its end; arrays hold afterwards what it left in them. `Kernel` says what arguments are."""
        kernel, launch = self.kernel, ffi.new("struct wsim_launch *")
        arguments, diag = kernel._arguments(args), new_diag()
        for i, array in enumerate(buffers):
            arguments.memory(memory_of(array, "buffers[%u]" % i), "buffers[%u]" % i)
        if device is not None and not isinstance(device, Device):
            raise TypeError("device has to be a wsim.Device, not %s" % type(device).__name__)
        if device is None:
            device = kernel.module._device(arch)
        elif arch is not None and text_of(lib.wsim_arch_name(row_of(arch))) != device.arch:
            raise ValueError("arch is %s, and the device is an %s" % (arch, device.arch))
        name, params = ffi.new("char[]", kernel.name.encode()), ffi.from_buffer(arguments.bytes)
        launch.kernel, launch.params, launch.param_bytes = name, params, len(arguments.bytes)
        launch.grid, launch.block = self.grid, self.block
        if cluster is not None:
            launch.cluster = _size(cluster, "cluster")
        launch.shared, launch.checks = integer(shared, "shared", 0, 2**32 - 1), _checks(checks)
        launch.count, launch.cooperative = bool(count), bool(cooperative)
        setattr(launch, "async", lib.WSIM_ASYNC_LATE if late else lib.WSIM_ASYNC_EAGER)
        launch.seed, launch.threads = integer(seed, "seed", 0, 2**64 - 1), integer(threads, "threads", 0, 1024)
        launch.max_instructions = integer(max_instructions, "max_instructions", 0, 2**64 - 1)
        made = ffi.new("struct wsim_report **")
        with device._lock, _Adopted(device, arguments):
            device._keep(kernel.module)
            status = lib.wsim_launch_run(device._raw, kernel.module._raw, launch, made, diag)
        if made[0] == ffi.NULL:
            check(status, diag)
            raise RuntimeError("the launch left no report")
        report = Report(ffi.gc(made[0], lib.wsim_report_free), kernel.module, kernel.name)
        mistakes = [one for one in report.findings if not one.advice]
        if mistakes and raise_findings:
            first = next((one for one in mistakes if one.fatal), mistakes[0])
            first.findings = [first] + [one for one in report.findings if one is not first]
            first.report = report
            raise first
        if status and not report.findings:
            raise refusal(status, diag)
        return report

    def __repr__(self) -> str:
        return "Launcher of %s: grid %s, block %s" % (self.kernel.name, tuple(self.grid), tuple(self.block))


class Kernel:
    """A kernel of a module: `kernel[grid, block](*args, ...)` runs it and answers a `Report`.

    Grid and block are a number or up to three. For a pointer pass a NumPy array, which is used in place: its address is
    the pointer, and what is outside of it is out of bounds. None is a null pointer. Numbers become what the parameter
    is: floats are rounded to its type, whole numbers have to fit. A `TensorMap`, bytes or a structured scalar are
    structures by value.

    Keywords: `shared` bytes of dynamic shared memory, `cluster`; `checks` (True: all, False: accesses outside of memory
    alone, or some of "memory,init,race,sync"), `raise_findings` (False: they are in the report alone), `count` (per
    line); `buffers`: arrays that are reached through pointers in memory; `arch` (default: the target of the PTX) or
    `device`; `cooperative`: blocks may wait for each other (`grid.sync()`); `late`: asynchronous copies complete only
    when they are waited for; `seed`: another order of warps and blocks; `threads` of the host (0: as many as there
    are); `max_instructions`: stop with a finding after about so many.

    >>> import numpy as np, wsim
    >>> x, y = wsim.aligned(np.arange(64, dtype=np.float32)), wsim.aligned(np.ones(64, np.float32))
    >>> wsim.Module(SAXPY).kernel("saxpy")[2, 32](np.float32(2), x, y, 64)
    Report of saxpy: 2 blocks, 2 warps, 40 instructions; shared 0 wavefronts (ideal 0), global 24 sectors; 0 findings
    >>> y[:4]
    array([1., 3., 5., 7.], dtype=float32)
    """

    def __init__(self, module: Module, raw: Any) -> None:
        self.module, self.name = module, text_of(raw.name)
        self.instructions, self.registers, self.problems = int(raw.instructions), int(raw.registers), int(raw.problems)
        self.shared, self.local, self.constant = int(raw.shared), int(raw.local), int(raw.constant)
        self.dynamic_shared, self.line = bool(raw.dynamic_shared), int(raw.line)
        self.reqntid, self.maxntid, self.cluster = (
            tuple(getattr(raw, name)) for name in ("reqntid", "maxntid", "cluster")
        )
        self.param_bytes = int(raw.param_bytes)
        found, self.parameters = ffi.new("struct wsim_kernel_param *"), []  # type: tuple[Any, list[Parameter]]
        while lib.wsim_module_param(module._raw, self.name.encode(), len(self.parameters), found):
            self.parameters.append(
                Parameter(text_of(found.name), text_of(found.type), found.bytes, found.offset, bool(found.pointer))
            )

    def __getitem__(self, sizes: tuple[Size, Size]) -> Launcher:
        if not isinstance(sizes, tuple) or len(sizes) != 2:
            raise TypeError("a launch is kernel[grid, block](...)")
        return Launcher(self, *sizes)

    def __call__(self, *args: object, **keywords: object) -> NoReturn:
        raise TypeError("how many threads? kernel[grid, block](...), such as %s[1, 32](...)" % self.name)

    def _arguments(self, args: Sequence[object]) -> _Arguments:
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
        arguments = _Arguments(self)
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


def _text(source: object) -> tuple[bytes, bytes]:
    """A name and PTX: of a text, or of the path of a file."""
    if isinstance(source, str) and "__global__" in source:
        raise ValueError("this is no PTX but CUDA C++: nvcc -ptx makes PTX of it")
    if isinstance(source, os.PathLike) or (isinstance(source, str) and "\n" not in source and ".version" not in source):
        with open(source, "rb") as file:
            return os.fsencode(os.path.basename(source)), file.read()
    if isinstance(source, str):
        return b"", source.encode("utf-8", "surrogatepass")
    raise TypeError("PTX has to be a text or a path, not %s" % type(source).__name__)


class Module:
    """PTX: a text, the path of a file, or a list of these that are linked, as of `nvcc -rdc=true`. `contract` fuses mul
    and add as the assembler does, `lenient` takes what compilers write and no assembler takes, `plain` runs lane by
    lane in integers: the meaning, slow.

    >>> import wsim
    >>> module = wsim.Module(SAXPY)
    >>> module.target, [kernel.name for kernel in module.kernels], module.problems
    ('sm_80', ['saxpy'], [])
    """

    def __init__(
        self,
        source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        *,
        contract: bool = False,
        lenient: bool = False,
        plain: bool = False,
    ) -> None:
        sources = list(source) if isinstance(source, (list, tuple)) else [source]
        if not 1 <= len(sources) <= 65536:
            raise ValueError("there are %u texts; a module is linked of 1 to 65536" % len(sources))
        texts, keep = ffi.new("struct wsim_text[]", len(sources)), []
        for i, one in enumerate(sources):
            name, text = _text(one)
            keep += [ffi.new("char[]", name), ffi.from_buffer("char[]", text)]
            texts[i].name = keep[-2] if name else ffi.NULL
            texts[i].bytes, texts[i].size = keep[-1], len(text)
        made, diag = ffi.new("struct wsim_module **"), new_diag()
        flags = (
            lib.WSIM_MODULE_CONTRACT * bool(contract)
            | lib.WSIM_MODULE_LENIENT * bool(lenient)
            | lib.WSIM_MODULE_PLAIN * bool(plain)
        )
        check(lib.wsim_module_link(texts, len(sources), flags, made, ffi.NULL, diag), diag)
        self._raw = ffi.gc(made[0], lib.wsim_module_free)
        info = ffi.new("struct wsim_module_info *")
        lib.wsim_module_describe(self._raw, info)
        self.version, self.target = info.version / 10, text_of(info.target)
        self._devices: dict[str, Device] = {}
        paths = [str(one) for one, text in zip(sources, texts) if text.name != ffi.NULL]
        self._folder = os.path.dirname(os.path.abspath(paths[0])) if paths else None
        self._lock = threading.Lock()

    @property
    def kernels(self) -> list[Kernel]:
        """All of them, in file order.

        >>> import wsim
        >>> [(kernel.name, kernel.instructions, kernel.registers) for kernel in wsim.Module(SAXPY).kernels]
        [('saxpy', 20, 17)]
        """
        found: list[Kernel] = []
        raw = ffi.new("struct wsim_kernel *")
        while lib.wsim_module_kernel(self._raw, len(found), raw):
            found.append(Kernel(self, raw))
        return found

    @property
    def problems(self) -> list[Problem]:
        """What is not modelled; kernels without it run.

        >>> import wsim
        >>> wsim.Module(SAXPY).problems
        []
        """
        found: list[Problem] = []
        raw = ffi.new("struct wsim_problem *")
        while lib.wsim_module_problem(self._raw, len(found), raw):
            found.append(
                Problem(
                    text_of(raw.rule),
                    text_of(raw.text),
                    text_of(raw.kernel),
                    raw.line,
                    raw.col,
                    raw.count,
                    text_of(raw.file) or None,
                )
            )
        return found

    def kernel(self, name: str | None = None) -> Kernel:
        """The kernel of a name: the whole one, or a part that only one has; without a name the only one.

        >>> import wsim
        >>> wsim.Module(SAXPY).kernel("sax").name
        'saxpy'
        """
        kernels = self.kernels
        found = [one for one in kernels if name is None or one.name == c_text(name, "name").decode()]
        if not found and name is not None:
            found = [one for one in kernels if name in one.name]
        if len(found) == 1:
            return found[0]
        names = ", ".join(one.name for one in kernels) or "none"
        raise KeyError(
            "%s; there are: %s"
            % (
                "which kernel is not said"
                if name is None
                else "%s kernel is called %r" % ("more than one" if found else "no", name),
                names,
            )
        )

    def _device(self, arch: ArchLike | None) -> Device:
        row = for_target(self.target) if arch is None else row_of(arch)
        name = text_of(lib.wsim_arch_name(row))
        with self._lock:
            if name not in self._devices:
                self._devices[name] = Device._for(row)
            return self._devices[name]

    def __repr__(self) -> str:
        return "Module of PTX %.1f for %s: %s" % (
            self.version,
            self.target,
            ", ".join(one.name for one in self.kernels) or "no kernels",
        )


def _size(given: Size, what: str) -> list[int]:
    """Up to three numbers, the rest 1."""
    found = [integer(given, what, 1, 2**32 - 1)] if isinstance(given, (int, np.integer)) else []
    found = found or numbers(given, what, 3, 1, 2**32 - 1, fewer=True)
    if not found:
        raise ValueError("%s has no numbers; it has 1 to 3" % what)
    return found + [1] * (3 - len(found))


def _checks(given: bool | str) -> int:
    if isinstance(given, str):
        unknown = [one for one in given.split(",") if one not in CHECKS]
        if unknown:
            raise ValueError("checks has %r in it; there are %s" % (unknown[0], ", ".join(CHECKS)))
        return sum(int(getattr(lib, CHECKS[one])) for one in set(given.split(",")))
    return int(lib.WSIM_CHECK_ALL) if flag(given, "checks") else 0
