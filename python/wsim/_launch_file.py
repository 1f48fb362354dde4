"""Launch files, read and run in this process."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import os
from dataclasses import dataclass
from typing import Any, Callable, Sequence

import numpy as np

from ._arch import ArchLike, name_of
from ._core import Array, address_of, c_text, check, integer, new_diag, refusal, text_of
from ._interrupt import Interruptible
from ._kernels import checks_of
from ._linked import Linked
from ._report import Report, raise_first
from ._wsim import ffi, lib

TYPES = {"f16": "f2", "f32": "f4", "f64": "f8", "bf16": "u2"}


@dataclass(frozen=True)
class Expectation:
    """The comparison of a buffer, a variable ("symbol:NAME") or the output ("stdout") with the expected bytes or lines.
    `compared` and `different` count elements, bytes if their type is unknown, or lines. `first` is the index of the first
    difference, `want` and `got` are its bits. `text` is a sentence."""

    name: str
    compared: int
    different: int
    first: int | None
    want: int | None
    got: int | None
    text: str


@dataclass(frozen=True)
class Counter:
    """A counter of shared memory with another value than a launch file expects."""

    launch: int
    name: str
    want: int
    got: int


def _unpacker(name: str) -> Callable[[Any], Any] | None:
    """A stream of the contents of a compressed file."""
    if name.endswith(".xz"):
        return lzma.LZMAFile
    if name.endswith(".gz"):
        return lambda stream: gzip.GzipFile(fileobj=stream)
    if name.endswith(".zst"):
        try:
            from compression import zstd  # type: ignore[import-not-found,unused-ignore]
        except ImportError:
            return None
        return zstd.ZstdFile  # type: ignore[no-any-return,unused-ignore]
    return None


class Files:
    """Reads files below a folder: plain, or compressed with xz, gzip or zstd (Python 3.14)."""

    def __init__(self, folder: str) -> None:
        self._folder = ffi.new("char[]", os.fsencode(folder))
        self._plain = lib.wsim_launch_folder(self._folder)
        self._kept: dict[int, Any] = {}
        self.error: BaseException | None = None
        self.raw = ffi.new("struct wsim_launch_files *")
        self._calls = (
            ffi.callback(
                "enum wsim_status(void *, char const *, uint64_t, void **, uint64_t *, struct wsim_diag *)",
                self._open,
                error=lib.WSIM_SYNTAX,
                onerror=self._failed,
            ),
            ffi.callback("void(void *, void *)", self._release),
        )
        self.raw.open, self.raw.release = self._calls

    def _failed(self, kind: object, error: BaseException, trace: object) -> None:
        self.error = error

    def _below(self, name: bytes, most: int, found: Any, size: Any, diag: Any) -> int:
        return int(self._plain.open(self._plain.context, name, most, found, size, diag))

    def _open(self, context: object, path: Any, most: int, found: Any, size: Any, diag: Any) -> int:
        name = ffi.string(path)
        unpacked = _unpacker(os.fsdecode(name))
        status = self._below(name, 1 << 32 if unpacked else most, found, size, diag)
        if status == lib.WSIM_OK and not unpacked:
            return status
        for end in [b""] if status == lib.WSIM_OK else [b".xz", b".gz", b".zst"]:
            unused = new_diag()
            unpacked = _unpacker(os.fsdecode(name + end))
            if unpacked is None or (end and self._below(name + end, 1 << 32, found, size, unused)):
                continue
            return self._unpack(unpacked, most, found, size, diag)
        return status

    def _unpack(self, unpacked: Callable[[Any], Any], most: int, found: Any, size: Any, diag: Any) -> int:
        """Replaces the bytes of a compressed file by at most `most` + 1 of its contents."""
        stored = bytes(ffi.buffer(found[0], size[0]))
        self._plain.release(self._plain.context, found[0])
        found[0] = ffi.NULL
        try:
            with unpacked(io.BytesIO(stored)) as stream:
                whole = stream.read(most + 1)
        except Exception as why:
            diag.text = b"damaged data: " + str(why).encode("utf-8", "replace")[:200]
            return int(lib.WSIM_SYNTAX)
        held = ffi.new("char[]", len(whole) + 1)
        ffi.memmove(held, whole, len(whole))
        found[0], size[0] = ffi.cast("void *", held), len(whole)
        self._kept[int(ffi.cast("uintptr_t", held))] = held
        return int(lib.WSIM_OK)

    def _release(self, context: object, held: Any) -> None:
        if self._kept.pop(int(ffi.cast("uintptr_t", held)), None) is None:
            self._plain.release(self._plain.context, held)


class Program(Linked):
    """The linked PTX of a launch file, which its session owns."""

    def __init__(self, session: Any, folder: str) -> None:
        self._session, self._raw, self._folder = session, lib.wsim_session_module(session), folder
        info = ffi.new("struct wsim_module_info *")
        lib.wsim_module_describe(self._raw, info)
        self.version, self.target = info.version / 10, text_of(info.target)


class Launched:
    """The results of a launch file: `reports` of the launches that ran, all `expectations`, and the `counters` that
    differ. `stopped` is True if a finding ended the last launch; then there are no expectations.

    >>> import wsim
    >>> wsim.launch_file(LAUNCH).reports[0].kernel
    'saxpy'
    """

    def __init__(self, session: Any, parts: Any, folder: str) -> None:
        self._session, self._parts = session, parts
        self.program = Program(session, folder)
        self.arch = text_of(lib.wsim_arch_name(lib.wsim_session_arch(session)))
        self.reports: list[Report] = []
        self.stopped = False
        self.expectations: list[Expectation] = []
        self.counters: list[Counter] = []

    @property
    def names(self) -> list[str]:
        """The names of all buffers.

        >>> import wsim
        >>> wsim.launch_file(LAUNCH).names
        ['x', 'y']
        """
        return [text_of(self._parts.buffers[i].name) for i in range(self._parts.nbuffers)]

    @property
    def different(self) -> int:
        """Differences of all expectations and counters.

        >>> import wsim
        >>> wsim.launch_file(LAUNCH).different
        0
        """
        return sum(one.different for one in self.expectations) + len(self.counters)

    @property
    def output(self) -> str:
        """The lines that the kernels printed, of all launches.

        >>> import wsim
        >>> wsim.launch_file(LAUNCH).output
        ''
        """
        return "".join(one.output for one in self.reports)

    def array(self, name: str, dtype: Any = None) -> Array:
        """A copy of a buffer after the launches. Without `dtype` it has the type that the file saves or expects, and
        the shape that it saves; else it is bytes. Elements of bf16, which NumPy lacks, are uint16.

        >>> import wsim
        >>> wsim.launch_file(LAUNCH).array("y", "f4")[:2]
        array([6.007843, 6.007843], dtype=float32)
        """
        names = self.names
        if name not in names:
            raise KeyError("no buffer %r; known are %s" % (name, ", ".join(names) or "none"))
        number = names.index(name)
        kind, shape = (np.dtype(dtype), None) if dtype is not None else self._type(number)
        size = int(self._parts.buffers[number].bytes)
        if kind.hasobject or not kind.itemsize or size % kind.itemsize:
            raise ValueError("%s has %u bytes, which is not a whole number of %s" % (name, size, kind))
        array, diag = np.empty(size // kind.itemsize, kind), new_diag()
        if size:
            address = lib.wsim_session_address(self._session, number)
            device = lib.wsim_session_device(self._session)
            check(lib.wsim_device_read(device, address, ffi.cast("void *", address_of(array)), size, diag), diag)
        return array if shape is None else array.reshape(shape)

    def _type(self, number: int) -> tuple[np.dtype[Any], tuple[int, ...] | None]:
        for i in range(self._parts.nsaves):
            save = self._parts.saves[i]
            if save.buffer == number and save.array:
                kind = save.kind.decode()
                return np.dtype("<%s%u" % ("u" if kind == "V" else kind, save.bytes)), tuple(save.extent)[: save.rank]
        for i in range(self._parts.nexpects):
            expect = self._parts.expects[i]
            array = expect.limits.array
            if expect.symbol != ffi.NULL or expect.buffer != number:
                continue
            if expect.limits.format != ffi.NULL:
                return np.dtype("<" + TYPES[text_of(expect.limits.format.name)]), None
            if array.bytes and array.kind != b"V":
                shape = tuple(array.extent)[: array.rank]
                return np.dtype("<%s%u" % (array.kind.decode(), array.bytes)), None if array.fortran else shape
        return np.dtype(np.uint8), None

    def _compare(self) -> None:
        parts, diag = self._parts, new_diag()
        found, words = ffi.new("struct wsim_launch_comparison *"), ffi.new("char[]", 640)
        for i in range(parts.nexpects):
            expect = parts.expects[i]
            check(lib.wsim_session_compare(self._session, i, found, diag), diag)
            lib.wsim_launch_compare_words(found, ffi.addressof(expect.limits), words)
            some = found.different > 0
            self.expectations.append(
                Expectation(
                    text_of(expect.name),
                    int(found.compared),
                    int(found.different),
                    int(found.first) if some else None,
                    int(found.want) if some else None,
                    int(found.got) if some else None,
                    text_of(words),
                )
            )
        if parts.output_name != ffi.NULL:
            self._compare_output()

    def _compare_output(self) -> None:
        parts, diag, lines = self._parts, new_diag(), ffi.new("struct wsim_launch_lines *")
        got, size = b"", ffi.new("size_t *")
        for i in range(len(self.reports)):
            text = lib.wsim_report_output(lib.wsim_session_report(self._session, i), size)
            got += bytes(ffi.buffer(text, size[0]))
        want = ffi.cast("char *", parts.output)
        check(lib.wsim_launch_compare_lines(want, parts.output_bytes, got, len(got), lines, diag), diag)
        missing, extra = int(lines.missing), int(lines.extra)
        text = "%u lines are missing, %u are too many" % (missing, extra) if missing + extra else "the same lines"
        first = int(lines.missing_line) if missing else int(lines.extra_line) if extra else None
        self.expectations.append(Expectation("stdout", got.count(b"\n"), max(missing, extra), first, None, None, text))

    def _count(self) -> None:
        totals = ffi.new("struct wsim_totals *")
        for i in range(len(self.reports)):
            lib.wsim_report_totals(lib.wsim_session_report(self._session, i), totals)
            one = self._parts.launches[i]
            for c in range(lib.WSIM_LAUNCH_COUNTERS):
                if lib.wsim_launch_counter_differs(ffi.addressof(one), totals, c):
                    got = int(lib.wsim_launch_counter_of(totals, c))
                    name = text_of(lib.wsim_launch_counter_name(c))
                    self.counters.append(Counter(i, name, int(one.counter[c]), got))

    def __repr__(self) -> str:
        return "Launched on %s: %u launch%s%s, %u expectation%s, %u different" % (
            self.arch,
            len(self.reports),
            "es" * (len(self.reports) != 1),
            " (stopped)" if self.stopped else "",
            len(self.expectations),
            "s" * (len(self.expectations) != 1),
            self.different,
        )


def _opened(path: str, ptx: Sequence[str | os.PathLike[str]], arch: ArchLike | None) -> tuple[Any, Files]:
    """The launch file and what reads its files, which has to stay."""
    with open(path, "rb") as stream:
        text = stream.read((1 << 23) + 1)
    files, others = Files(os.path.dirname(path) or "."), Files(os.sep)
    further: dict[str, Any] = {}
    if ptx:
        further["ptx"] = [os.path.relpath(os.path.realpath(one), os.sep) for one in ptx]
    if arch is not None:
        further["arch"] = name_of(arch)
    texts, made, diag = ffi.new("struct wsim_launch_text[2]"), ffi.new("struct wsim_launch_file **"), new_diag()
    keep = [ffi.from_buffer(text), ffi.from_buffer(json.dumps(further).encode())]
    for one, bytes_, reader in zip(texts, keep, (files, others)):
        one.bytes, one.size, one.files = ffi.cast("char *", bytes_), len(bytes_), reader.raw
    wrong = ffi.new("size_t *")
    status = lib.wsim_launch_open(texts, 2 if further else 1, made, wrong, diag)
    for reader in (files, others):
        if reader.error is not None:
            raise reader.error
    if status and wrong[0]:
        diag.line = diag.col = 0
    check(status, diag)
    return ffi.gc(made[0], lambda raw, keep=(files, others): lib.wsim_launch_close(raw)), files


def launch_file(
    path: str | os.PathLike[str],
    *,
    ptx: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = (),
    arch: ArchLike | None = None,
    checks: bool | str = True,
    raise_findings: bool = True,
    contract: bool = True,
    as_written: bool = False,
    late: bool = False,
    seed: int = 0,
    threads: int = 0,
    max_instructions: int = 0,
) -> Launched:
    """Runs a launch file (docs/launch-files.md) and compares the results. `ptx` and `arch` replace its own fields; the
    other keywords are those of a kernel. Only files below the folder of the launch file are read, and none is written:
    its field "save" gives `array` a type and a shape. A mistake in the file is a `Refused` with line and column.
    Differences raise nothing; `expectations` has them.

    >>> import wsim
    >>> wsim.launch_file(LAUNCH)
    Launched on sm_80: 1 launch, 0 expectations, 0 different
    >>> wsim.launch_file(LAUNCH, arch="h100").arch
    'sm_90a'
    """
    where = os.fspath(path)
    c_text(where, "path")
    several = [ptx] if isinstance(ptx, (str, os.PathLike)) else list(ptx)
    file, files = _opened(where, several, arch)
    options, diag = ffi.new("struct wsim_launch_options *"), new_diag()
    options.flags = lib.WSIM_MODULE_NO_CONTRACT * (not contract) | lib.WSIM_MODULE_AS_WRITTEN * bool(as_written)
    options.checks = checks_of(checks)
    setattr(options, "async", lib.WSIM_ASYNC_LATE if late else lib.WSIM_ASYNC_EAGER)
    options.seed, options.threads = integer(seed, "seed", 0, 2**64 - 1), integer(threads, "threads", 0, 1024)
    options.max_instructions = integer(max_instructions, "max_instructions", 0, 2**64 - 1)
    with Interruptible(options, "int(void *, size_t, uint64_t, uint64_t)") as going:
        made, name = ffi.new("struct wsim_session **"), ffi.new("char const **")
        status = lib.wsim_session_make(file, options, made, name, diag)
        session = ffi.gc(made[0], lambda raw, keep=(file, files, going): lib.wsim_session_free(raw))
        if status:
            why = refusal(status, diag)
            if name[0] != ffi.NULL and not isinstance(why, MemoryError):
                why = type(why)("%s: %s" % (text_of(name[0]), why.text), why.status, why.rule, why.line, why.col)
            raise why
        check(lib.wsim_session_fill(session, diag), diag)
        check(lib.wsim_session_check(session, diag), diag)
        result = Launched(
            session, lib.wsim_launch_parts(file), os.path.dirname(several[0] if several else where) or "."
        )
        while len(result.reports) < result._parts.nlaunches and not result.stopped and going.error is None:
            check(lib.wsim_session_run(session, diag), diag)
            result.reports.append(_report(result, len(result.reports)))
            result.stopped = bool(lib.wsim_session_stopped(session))
    if len(result.reports) == result._parts.nlaunches and not result.stopped:
        result._compare()
    result._count()
    for report in result.reports if raise_findings else []:
        raise_first(report)
    return result


def _report(result: Launched, number: int) -> Report:
    raw = ffi.cast("struct wsim_report *", lib.wsim_session_report(result._session, number))
    info = ffi.new("struct wsim_kernel_info *")
    lib.wsim_kernel_describe(lib.wsim_session_kernel(result._session, number), info)
    return Report(raw, result.program, text_of(info.name))
