"""Instructions: found by their spelling, run on matrices, fragments and memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterator, Mapping, NamedTuple, NoReturn

import numpy as np

from . import _banks, _fits, _gemm, _layout, _metadata, _picture, _why
from . import _formats as formats
from ._arch import DEFAULT, ArchLike, row_of
from ._core import (
    Array,
    Refused,
    c_text,
    check,
    chosen,
    completed,
    flag,
    integer,
    keywords_of,
    memory_of,
    new_diag,
    pointer,
    refusal,
    shown,
    text_of,
    window_of,
    words,
    written_out,
)
from ._fits import Fit
from ._layout import OPERANDS, Layout
from ._mbarrier import Mbarrier
from ._metadata import Crowded, Metadata
from ._operands import REGISTERS, WGMMA, More, Operands, set_numbers
from ._picture import Picture
from ._tensor import TensorMap, numbers
from ._why import Arithmetic, Why
from ._wsim import ffi, lib
from .desc import Descriptor, DescriptorLike, as_bits, decode_any

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class Operand:
    """An array that says what it is; `wsim.fragment` and `wsim.matrix` make it."""

    array: Array
    is_fragment: bool


def fragment(array: object) -> Operand:
    """An operand as registers: uint32, a row a lane and a column a register. Needed only where a matrix has the same
    shape.

    >>> import numpy as np, wsim
    >>> wsim.fragment(np.zeros((32, 8), np.uint32)).is_fragment
    True
    """
    return Operand(np.asarray(array), True)


def matrix(array: object) -> Operand:
    """An operand as a matrix. Needed only where a fragment has the same shape.

    >>> import numpy as np, wsim
    >>> wsim.matrix(np.zeros((32, 8), np.uint32)).is_fragment
    False
    """
    return Operand(np.asarray(array), False)


class Copied(NamedTuple):
    """What a bulk copy did: `bytes` moved, those out of bounds too, as a barrier counts them; how many of them were
    `outside`: filled by a load, dropped by a store; `padding` bytes past the end of dimension 0 that a store changed;
    and whether an H200 was seen to do the like (`measured`), else it is as documented."""

    bytes: int
    outside: int
    padding: int
    measured: bool


class Result:
    """What an instruction left in registers.

    >>> import numpy as np, wsim
    >>> mma = wsim.op("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32")
    >>> r = mma.run(a=np.full((8, 16), 2, np.int8), b=np.ones((16, 8), np.int8))
    >>> r.d.dtype.name, r.d.shape, r.fragment.shape, int(r.bits[0, 0])
    ('int32', (8, 8), (32, 2), 32)
    """

    def __init__(
        self, op: Op, arch: str, layout: Layout | None, registers: Array | None, copied: Copied | None = None
    ) -> None:
        self.op, self.arch, self._layout, self._registers, self._copied = op, arch, layout, registers, copied

    @property
    def layout(self) -> Layout:
        """Of D.

        >>> import numpy as np, wsim
        >>> mma = wsim.op("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32")
        >>> r = mma.run(a=np.zeros((8, 16), int), b=np.zeros((16, 8), int))
        >>> r.layout.operand
        'd'
        """
        if self._layout is None:
            raise AttributeError("%s leaves nothing in registers: look at the memory that it was given" % self.op)
        return self._layout

    @property
    def fragment(self) -> Array:
        """The registers: uint32, a row a lane and a column a register, as a CUDA kernel dumps them thread by thread.

        >>> import numpy as np, wsim
        >>> mma = wsim.op("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32")
        >>> r = mma.run(a=np.ones((8, 16), int), b=np.ones((16, 8), int))
        >>> r.fragment[31].tolist()
        [16, 16]
        """
        self.layout
        assert self._registers is not None
        return np.ascontiguousarray(self._registers.T)

    @property
    def bits(self) -> Array:
        """The matrix as raw bits: unsigned integers as wide as an element.

        >>> import numpy as np, wsim
        >>> r = wsim.op("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16").run(a=np.eye(16, 8), b=np.eye(8))
        >>> hex(r.bits[3, 3]), r.bits.dtype.name
        ('0x3c00', 'uint16')
        """
        layout = self.layout
        assert self._registers is not None
        return layout._matrix(self._registers).astype(layout.dtype)

    @property
    def d(self) -> Array:
        """The matrix as numbers, in the type of its format; of what is no number the raw bits.

        >>> import numpy as np, wsim
        >>> r = wsim.op("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16").run(a=np.eye(16, 8), b=np.eye(8))
        >>> float(r.d[3, 3]), r.d.dtype.name
        (1.0, 'float16')
        """
        return self.layout.values(self.bits)

    @property
    def copied(self) -> Copied:
        """Of a bulk copy.

        >>> import numpy as np, wsim
        >>> load = wsim.op("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes")
        >>> shared = np.zeros(1024, np.uint8)
        >>> load.run(shared=shared, global_memory=np.ones(64, np.uint8), shared_at=512, bytes=64).copied.bytes
        64
        >>> int(shared.sum())
        64
        """
        if self._copied is None:
            raise AttributeError("%s is no bulk copy" % self.op)
        return self._copied

    def __getitem__(self, index: Any) -> Any:
        """Elements of `d`.

        >>> import numpy as np, wsim
        >>> r = wsim.op("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16").run(a=np.eye(16, 8), b=np.eye(8))
        >>> float(r[3, 3]), r[0].tolist()
        (1.0, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
        """
        return self.d[index]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self.d, dtype) if copy or dtype is not None else self.d

    def __repr__(self) -> str:
        if self._copied is not None:
            return "Result of %s on %s: %u bytes, %u of them out of bounds" % (self.op, self.arch, *self._copied[:2])
        if self._layout is None:
            return "Result of %s on %s: in memory" % (self.op, self.arch)
        return "Result of %s on %s:\n%r" % (self.op, self.arch, self.d)


@dataclass(frozen=True)
class Tile:
    """What A or B of a wgmma is in shared memory: `rows` (of A; of B its columns) of `k` elements of `bits` bits.

    >>> import wsim
    >>> wsim.op("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16").tile("b")
    Tile(rows=16, k=16, bits=16, mn_major=False, format='f16')
    """

    rows: int
    k: int
    bits: int
    mn_major: bool
    format: str

    @property
    def _raw(self) -> Any:
        raw = ffi.new("struct wsim_tile *")
        raw.rows, raw.k = integer(self.rows, "rows", 1, 256), integer(self.k, "k", 1, 256)
        raw.bits, raw.mn_major = integer(self.bits, "bits", 1, 32), flag(self.mn_major, "mn_major")
        raw.format = formats.named(self.format)
        return raw

    def addresses(self, descriptor: DescriptorLike) -> Array:
        """The address in shared memory of the first byte of each element: uint32 of shape (rows, k).

        >>> import wsim
        >>> tile = wsim.op("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16").tile("b")
        >>> tile.addresses(wsim.desc.Descriptor(start=1024, leading=16, stride=1024, swizzle="128B"))[:3, :9:8].tolist()
        [[1024, 1040], [1168, 1152], [1312, 1328]]
        """
        found = np.empty((self.rows, self.k), np.uint32)
        lib.loop_tile(decode_any(descriptor)._raw, self._raw, pointer("uint32_t *", found))
        return found

    def picture(self, descriptor: DescriptorLike, row: int | None = None, k: int | None = None) -> Picture:
        """Where a descriptor looks for its elements: rows by pieces of 16 bytes, coloured by the bank; an element is
        marked.

        >>> import wsim
        >>> tile = wsim.op("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16").tile("b")
        >>> picture = tile.picture(wsim.desc.Descriptor(1024, 16, 1024, "128B"), row=1, k=8)
        >>> print(picture.write("csv").splitlines()[1])
        1,8,0x00480
        """
        decoded, made = decode_any(descriptor), ffi.new("struct wsim_picture *")
        title = ffi.new("char[]", ascii(decoded).encode())
        marked = {
            name: -1 if value is None else integer(value, name, 0, most - 1)
            for name, value, most in (("row", row, self.rows), ("k", k, self.k))
        }
        drawn = ffi.new(
            "struct wsim_operand_tile *",
            {"title": title, "descriptor": decoded._raw[0], "tile": self._raw[0], **marked},
        )
        lib.wsim_picture_descriptor(drawn, made)
        return Picture(made, drawn, title)

    def _places(self, descriptor: DescriptorLike, shared: Array, base: int) -> tuple[Array, Array]:
        memory = memory_of(shared, "shared", write=False).reshape(-1).view(np.uint8)
        at = self.addresses(descriptor).astype(np.int64) - integer(base, "shared_base", 0, 0xFFFFFFFF)
        if int(at.min()) < 0 or int(at.max()) + max(self.bits // 8, 1) > memory.size:
            raise ValueError(
                "the tile is at bytes %d to %d of shared memory, which has %d"
                % (int(at.min()), int(at.max()) + max(self.bits // 8, 1) - 1, memory.size)
            )
        return memory, at

    def store(self, matrix: object, descriptor: DescriptorLike, shared: Array, shared_base: int = 0) -> None:
        """Puts a matrix of shape (rows, k) where the descriptor reads it.

        >>> import numpy as np, wsim
        >>> tile = wsim.op("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16").tile("b")
        >>> shared = np.zeros(2048, np.uint8)
        >>> where = wsim.desc.Descriptor(start=0, leading=16, stride=1024, swizzle="128B")
        >>> tile.store(np.ones((16, 16), np.float16), where, shared)
        >>> int(tile.load(where, shared).sum() == 256 * 0x3c00)
        1
        """
        given = np.asarray(matrix)
        if given.shape != (self.rows, self.k):
            raise ValueError(
                "the matrix has shape %s; the tile has (rows, k) = %s" % (given.shape, (self.rows, self.k))
            )
        elements = formats.elements_of(given, formats.named(self.format), self.bits, "the matrix")
        memory_of(shared, "shared")
        memory, at = self._places(descriptor, shared, shared_base)
        if self.bits >= 8 and np.unique(at).size < at.size:
            raise ValueError(
                "under %s elements of the tile lie on each other: %u of them at %u addresses"
                % (decode_any(descriptor), at.size, np.unique(at).size)
            )
        if self.bits == 1:
            bit = np.broadcast_to(np.arange(self.k) % 8, at.shape)
            np.bitwise_and.at(memory, at, (~(1 << bit) & 0xFF).astype(np.uint8))
            np.bitwise_or.at(memory, at, (elements.astype(np.int64) << bit).astype(np.uint8))
        for byte in range(self.bits // 8):
            memory[at + byte] = (elements >> np.uint64(8 * byte) & np.uint64(0xFF)).astype(np.uint8)

    def load(self, descriptor: DescriptorLike, shared: Array, shared_base: int = 0) -> Array:
        """The raw bits of the matrix that the descriptor reads, of shape (rows, k).

        >>> import numpy as np, wsim
        >>> tile = wsim.op("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16").tile("b")
        >>> shared = np.arange(128, dtype=np.uint16)
        >>> tile.load(wsim.desc.Descriptor(start=0, leading=128, stride=256), shared)[1, :3].tolist()
        [8, 9, 10]
        """
        memory, at = self._places(descriptor, shared, shared_base)
        if self.bits == 1:
            bits: Array = memory[at] >> (np.arange(self.k) % 8).astype(np.uint8) & np.uint8(1)
            return bits
        found = np.zeros(at.shape, np.uint64)
        for byte in range(self.bits // 8):
            found |= memory[at + byte].astype(np.uint64) << np.uint64(8 * byte)
        return found.astype(formats.raw_type(self.bits))


class _Io:
    """The operands of one call, and what has to live as long."""

    def __init__(self) -> None:
        self.io, self.keep = ffi.new("struct wsim_io *"), []  # type: tuple[Any, list[Any]]
        self.copied = ffi.new("struct wsim_bulk_result *")
        self.io.copied = self.copied

    def registers(self, name: str, array: Array) -> None:
        """An operand of registers: of a warpgroup those of its four warps one behind the other."""
        self.keep.append(array)
        at = pointer("uint32_t *", array)
        rows = ffi.new("uint32_t *[]", [at + 32 * i for i in range(array.size // 32)])
        self.keep.append(rows)
        setattr(self.io, name, rows if name == "d" else ffi.cast("const uint32_t *const *", rows))

    def lanes(self, name: str, array: Array) -> None:
        self.keep.append(array)
        setattr(self.io, name, pointer("const uint32_t *", array))

    def memory(self, space: str, array: Array, base: int) -> None:
        self.keep += [array, window_of(array, space, base)]
        setattr(self.io, space, self.keep[-1])

    def copy(self, given: Mapping[str, Any]) -> None:
        """What belongs to bulk copies alone."""
        tensor, barrier = given["map"], given["barrier"]
        if tensor is not None:
            if not isinstance(tensor, TensorMap):
                raise TypeError("map has to be a wsim.TensorMap, not %s" % type(tensor).__name__)
            self.keep.append(tensor)
            self.io.map = tensor._map
        for name, field, low, high in (("coords", "coord", -(2**31), 2**31 - 1), ("offsets", "offset", 0, 65535)):
            if given[name] is not None:
                room = getattr(self.io, field)
                values = numbers(given[name], name, len(room), low, high, fewer=True)
                room[0 : len(values)] = values
        if barrier is not None:
            self.io.has_barrier = 1
            at = barrier.at if isinstance(barrier, Mbarrier) else barrier
            self.io.barrier_at = integer(at, "barrier", 0, 0xFFFFFFFF)


@dataclass(frozen=True)
class _Call:
    """An instruction with its operands, ready to run; `registers` are those of D."""

    code: Any
    box: _Io
    layout: Layout | None
    registers: Array | None


class Op:
    """One instruction, `str(op)` in its canonical spelling; `wsim.op` makes it.

    >>> import wsim
    >>> op = wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
    >>> op.family, (op.m, op.n, op.k), op.threads, op.operands
    ('mma', (16, 8, 16), 32, ('d', 'a', 'b', 'c'))
    """

    def __init__(self, raw: Any) -> None:
        self._raw, self._codes = raw, {}  # type: tuple[Any, dict[tuple[str, int], Any]]
        info, spelling = lib.wsim_op_describe(raw), ffi.new("char[]", 192)
        lib.wsim_op_spell(raw, spelling)
        self._info, self.spelling = info, text_of(spelling)
        self.family, self.row, self.feature, self.source = map(
            text_of, (info.family_name, info.row, info.feature, info.source)
        )
        self.m, self.n, self.k = int(info.m), int(info.n), int(info.k)
        self.ptx, self.threads, self.sparse = info.ptx / 10, int(info.threads), bool(info.sparse)
        self.operands = tuple(name for i, name in enumerate(OPERANDS) if info.operands >> i & 1)

    def __str__(self) -> str:
        return self.spelling

    def __repr__(self) -> str:
        return "wsim.op(%r)" % self.spelling

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Op) and other.spelling == self.spelling

    def __hash__(self) -> int:
        return hash(self.spelling)

    def __reduce__(self) -> Any:
        return op, (self.spelling,)

    def legal(self, arch: ArchLike) -> bool:
        """Whether an architecture has it.

        >>> import wsim
        >>> fp8 = wsim.op("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32")
        >>> fp8.legal("a100"), fp8.legal("h100")
        (False, True)
        """
        return not lib.wsim_op_check(self._raw, row_of(arch), ffi.NULL)

    def executes(self, arch: ArchLike) -> bool:
        """Whether an architecture has it and the library knows what it does there, or what it costs.

        >>> import wsim
        >>> wsim.op("mma.m16n8k32.f32.e4m3").executes("l40s"), wsim.op("wgmma.fence.sync.aligned").executes("h100")
        (True, False)
        """
        row, code = row_of(arch), ffi.new("struct wsim_code *")
        return not lib.wsim_prepare(self._raw, row, 0, code, ffi.NULL)

    def arithmetic(self, arch: ArchLike = DEFAULT) -> Arithmetic:
        """Products: what decides their bits; architectures where it is equal agree.

        >>> import wsim
        >>> mma = wsim.op("mma.m16n8k16.f32.f16")
        >>> mma.arithmetic("a100").keep, mma.arithmetic("h100").keep, mma.arithmetic("h100") == mma.arithmetic("b200")
        (24, 25, True)
        """
        return _why.arithmetic_of(self._prepare(arch, False))

    def layout(self, operand: str, arch: ArchLike | None = None) -> Layout:
        """Which lane and register holds which element of an operand: "d", "a", "b", "c", "e", "sfa", "sfb" or "r".
        `arch` matters to wmma before Turing alone.

        >>> import wsim
        >>> wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").layout("d").places(0, 0)
        [Place(lane=0, elem=0, reg=0, lsb=0)]
        """
        return _layout.make(self, operand, arch, ffi.NULL if arch is None else row_of(arch), self._raw)

    def picture(self, arch: ArchLike | None = None) -> Picture:
        """Who holds what of all operands.

        >>> import wsim
        >>> wsim.op("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32").picture().write("svg")[:4]
        '<svg'
        """
        return _picture.fragments(self._raw, ffi.NULL if arch is None else row_of(arch), (1 << len(OPERANDS)) - 1, {})

    def row_of(self, lane: int) -> tuple[int, int]:
        """Matrix moves: which matrix, and which row of it, the address of a lane is of.

        >>> import wsim
        >>> wsim.op("ldmatrix.sync.aligned.m8n8.x4.shared.b16").row_of(lane=9)
        (1, 1)
        """
        at, diag = ffi.new("struct wsim_coord *"), new_diag()
        check(lib.wsim_move_row(self._raw, integer(lane, "lane", 0, 31), at, diag), diag)
        return at.batch, at.row

    def fits(self, product: Op, operand: str, by_columns: bool = False, number: int = 0) -> Fit:
        """Matrix moves: whether their registers are those of an operand of a product, and where the rows of memory have
        to begin for it. `by_columns`: neighbours in memory are those of a column. `number`: of several moves that fill
        one fragment.

        >>> import wsim
        >>> load = wsim.op("ldmatrix.sync.aligned.m8n8.x4.shared.b16")
        >>> fit = load.fits(wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"), "a")
        >>> fit.fits, fit.rows[8], fit.rows[16]
        (True, (0, 8, 0), (0, 0, 8))
        """
        return _fits.make(self, product, operand, by_columns, number)

    def encode(self, operand: str, numbers: object, rounding: str = "rn") -> Array:
        """Numbers, rounded to the format of an operand, as raw bits that `run` takes.

        >>> import wsim
        >>> wsim.op("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32").encode("a", [0.3])
        array([42], dtype=uint8)
        """
        if self._info.door == lib.WSIM_DOOR_WGMMA and chosen(operand, "operand", OPERANDS) == "b":
            tile = self.tile("b")
            return formats.encode(tile.format, numbers, rounding, tile.bits)
        layout = self.layout(operand)
        row = layout._raw.format
        return formats.encode(layout.format, numbers, rounding, layout.elem_bits if row.pad else None)

    def tile(self, operand: str, mn_major: bool = False) -> Tile:
        """wgmma: what A or B is in shared memory.

        >>> import wsim
        >>> wsim.op("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16").tile("a").rows
        64
        """
        chosen(operand, "operand", ("a", "b"))
        raw, diag = ffi.new("struct wsim_tile *"), new_diag()
        check(lib.wsim_wgmma_tile(self._raw, OPERANDS.index(operand), flag(mn_major, "mn_major"), raw, diag), diag)
        return Tile(raw.rows, raw.k, raw.bits, bool(raw.mn_major), formats.name_of(raw.format))

    def compress(self, dense: object, selector: int = 0) -> tuple[Array, Array]:
        """Sparse: a dense m x k matrix as the fragment of A and the metadata.

        >>> import numpy as np, wsim
        >>> sp = wsim.op("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
        >>> dense = np.zeros((16, 16), np.float16); dense[:, 1::4] = 1; dense[:, 3::4] = 2
        >>> a, e = sp.compress(dense)
        >>> a.shape, hex(e[0])
        ((32, 2), '0xdddddddd')
        """
        bits = self._dense(dense)
        a = np.zeros((self.layout("a").regs, max(self.threads, 32)), np.uint32)
        e, diag = np.zeros(max(self.threads, 32), np.uint32), new_diag()
        check(
            lib.wsim_words_compress(
                self._raw,
                pointer("const uint64_t *", bits),
                integer(selector, "selector", 0, 0xFFFFFFFF),
                pointer("uint32_t *", a),
                pointer("uint32_t *", e),
                diag,
            ),
            diag,
        )
        return np.ascontiguousarray(a.T), e

    def _dense(self, dense: object) -> Array:
        """The elements of a dense A."""
        if not self.sparse:
            raise ValueError("%s is not sparse" % self)
        given, layout = np.asarray(dense), self.layout("a")
        if given.shape != (self.m, self.k):
            raise ValueError("dense has shape %s; %s needs (m, k) = %s" % (given.shape, self, (self.m, self.k)))
        bits = formats.elements_of(given, layout._raw.format, layout.elem_bits, "dense")
        return np.ascontiguousarray(bits, np.uint64)

    def crowded(self, dense: object) -> list[Crowded]:
        """Sparse: the groups of a dense m x k matrix that have more nonzeros than are kept; `compress` takes a matrix
        without any.

        >>> import numpy as np, wsim
        >>> sp = wsim.op("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
        >>> dense = np.zeros((16, 16)); dense[3, 4:7] = 1
        >>> [(one.row, one.group, one.column) for one in sp.crowded(dense)]
        [(3, 1, 4)]
        """
        return _metadata.crowded(self, self._dense(dense))

    def expand(self, a: object, e: object, selector: int = 0) -> Array:
        """Sparse: the dense m x k matrix, raw bits, of a fragment of A and its metadata.

        >>> import numpy as np, wsim
        >>> sp = wsim.op("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
        >>> dense = np.zeros((16, 16), np.float16); dense[:, 1::4] = 1; dense[:, 3::4] = 2
        >>> bool((sp.expand(*sp.compress(dense)) == dense.view(np.uint16)).all())
        True
        """
        if not self.sparse:
            raise ValueError("%s is not sparse" % self)
        layout, diag = self.layout("a"), new_diag()
        given = layout._words(np.asarray(a), "a")
        lanes = words(np.asarray(e).reshape(-1), "e", (layout.lanes,))
        dense = np.zeros((self.m, self.k), np.uint64)
        check(
            lib.wsim_words_expand(
                self._raw,
                pointer("const uint32_t *", given),
                pointer("const uint32_t *", lanes),
                integer(selector, "selector", 0, 0xFFFFFFFF),
                pointer("uint64_t *", dense),
                diag,
            ),
            diag,
        )
        return dense.astype(layout.dtype)

    def metadata(self, e: object, selector: int = 0) -> Metadata:
        """Sparse: what metadata says, group by group.

        >>> import numpy as np, wsim
        >>> sp = wsim.op("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
        >>> dense = np.zeros((16, 16)); dense[:, 1::4] = 1; dense[:, 3::4] = 2
        >>> meta = sp.metadata(sp.compress(dense)[1])
        >>> meta.pattern, meta.groups[0]
        ('2:4', MetaGroup(row=0, group=0, lane=0, bit=0, nibble=13, defined=True, columns=(1, 3)))
        """
        lanes = words(np.asarray(e).reshape(-1), "e", (max(self.threads, 32),))
        return _metadata.make(self, lanes, integer(selector, "selector", 0, 2**32 - 1))

    @written_out(_banks.Access)
    def cost(self, addresses: _banks.Addresses, **access: Unpack[_banks.Access]) -> _banks.Cost:
        """What an access to shared memory costs: `wsim.banks` says what the arguments are.

        >>> import wsim
        >>> wsim.op("ldmatrix.sync.aligned.m8n8.x4.shared.b16").cost([128 * lane for lane in range(32)]).wavefronts
        32
        """
        return _banks.count(self, addresses, access)

    def __call__(self, *args: object, **keywords: object) -> NoReturn:
        raise TypeError("what shall it do? op.run(a, b, c) executes it, op.gemm(a, b) multiplies whole matrices")

    @written_out(More)
    def run(self, a: object = None, b: object = None, c: object = None, **more: Unpack[More]) -> Result:
        """Executes it, bit for bit. Everything is checked before anything is written.

        Operands of registers are matrices, of values or raw bits, or fragments (uint32, lanes x registers); C that is
        left out is zeros. A sparse `a` may be the dense matrix: it is compressed, if `e` is not given. Scale factors
        are the matrix of factors (a row of A, or a column of B, with its blocks) or a register. `shared` and
        `global_memory` are arrays that are used in place; their first byte is at address `shared_base` and
        `global_base`. `addresses` are those of the lanes, 32 or as many as matter, or a function of the lane; wmma has
        one address, and `stride`. A and B of wgmma may be descriptors into `shared`; a matrix A goes into registers and
        a matrix B where a descriptor of its own says. Bulk copies have `map`, `coords` and `offsets`, or `global_at`
        and `bytes`; `shared_at` and `barrier`. `plain`: the portable path, which is the meaning of the others.

        >>> import numpy as np, wsim
        >>> tile = np.arange(64, dtype=np.uint16).reshape(8, 8)
        >>> load = wsim.op("ldmatrix.sync.aligned.m8n8.x1.shared.b16")
        >>> load.run(shared=tile, addresses=lambda lane: 16 * (lane % 8)).d[1]
        array([ 8,  9, 10, 11, 12, 13, 14, 15], dtype=uint16)
        """
        call, diag = self._call({"a": a, "b": b, "c": c, **more}), new_diag()
        check(lib.wsim_run(call.code, call.box.io, diag), diag)
        told, copied = call.box.copied, None
        if self._info.door == lib.WSIM_DOOR_BULK:
            copied = Copied(told.bytes, told.outside, told.padding, bool(told.measured))
        return Result(self, text_of(lib.wsim_arch_name(call.code.arch)), call.layout, call.registers, copied)

    @written_out(Operands)
    def why(self, row: int, col: int, batch: int = 0, **operands: Unpack[Operands]) -> Why:
        """How one element of D of a product comes about: its products in the order of the sum, who held their factors,
        and the steps in which they are added. Operands are those of `run`.

        >>> import numpy as np, wsim
        >>> mma = wsim.op("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32")
        >>> why = mma.why(0, 0, a=np.full((16, 8), 0.5), b=np.ones((8, 8)), arch="a100")
        >>> why.method, len(why.terms), why.value, why.terms[3].k, why.terms[3].a.place
        ('fused', 8, 4.0, 3, Place(lane=1, elem=1, reg=0, lsb=16))
        """
        call, diag, made = self._call(operands), new_diag(), ffi.new("struct wsim_why *")
        at = ffi.new(
            "struct wsim_coord *",
            {name: integer(value, name, 0, 65535) for name, value in (("batch", batch), ("row", row), ("col", col))},
        )
        check(lib.wsim_why(call.code, call.box.io, at[0], made, diag), diag)
        return _why.make(self, text_of(lib.wsim_arch_name(call.code.arch)), (row, col), made)

    def gemm(
        self,
        a: object,
        b: object,
        c: object = None,
        *,
        promote: int = 0,
        split_k: int = 0,
        jobs: int = 0,
        arch: ArchLike = DEFAULT,
    ) -> Array:
        """The product of whole matrices, A (m x k) times B (k x n) plus C, tile by tile through this instruction, k
        ascending: the bits that a kernel leaves whose accumulators run over all of k. Sizes are any. `promote`: after
        so many of k the accumulators are added to an f32 sum. `split_k`: a product of each of so many slices of k,
        added to C in ascending order. `jobs`: threads, 0: as many as there are processors.

        >>> import numpy as np, wsim
        >>> mma = wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
        >>> float(mma.gemm(np.ones((100, 70), np.float16), np.ones((70, 3), np.float16)).sum())
        21000.0
        """
        return _gemm.multiply(self, a, b, c, promote, split_k, jobs, arch)

    def _call(self, operands: Mapping[str, object]) -> _Call:
        """The operands as the library has them."""
        given, box = completed(Operands, operands, str(self)), _Io()
        code, wgmma = self._prepare(given["arch"], given["plain"]), self._info.door == lib.WSIM_DOOR_WGMMA
        registers = {name: given[name] for name in REGISTERS if given[name] is not None}
        for name in registers:
            if name not in self.operands and not (wgmma and name in "ab"):
                raise ValueError(
                    "%s has no operand %r; it has %s" % (self, name, ", ".join(self.operands) or "none of registers")
                )
        if not wgmma and any(given[name] is not keywords_of(Operands)[name].default for name in WGMMA):
            raise ValueError("%s has no %s: wgmma has" % (self, ", ".join(WGMMA)))
        set_numbers(box.io, given)
        self._lanes(box, given)  # first, as functions of the lane may do whatever they like
        if self.sparse and "a" in registers and "e" not in registers:
            registers["a"], registers["e"] = self._compress_operand(registers["a"], box.io.selector)
        shared = given["shared"]
        if wgmma:
            shared = self._wgmma(box, registers, shared, bool(box.io.trans_b))
            scale_d = given["scale_d"]
            box.io.scale_d = "c" in registers if scale_d is None else integer(scale_d, "scale_d", 0, 1)
        box.copy(given)
        self._memory(box, given, shared)
        layout, result = self._fill(box, registers, given["arch"])
        return _Call(code, box, layout, result)

    def _lanes(self, box: _Io, given: Mapping[str, Any]) -> None:
        """What each lane has of its own."""
        for name, field in (("addresses", "addr"), ("source", "src")):
            if given[name] is not None:
                full = _banks.addresses_of(given[name], self, name, wide=True)
                box.lanes(field, (full & np.uint64(0xFFFFFFFF)).astype(np.uint32))
                box.lanes(field + "_hi", (full >> np.uint64(32)).astype(np.uint32))
        if given["source_size"] is not None:
            box.lanes("src_size", words(given["source_size"], "source_size", (32,)))
        if self._info.door == lib.WSIM_DOOR_ASYNC or given["mask"] is not None:
            box.io.mask = _banks.mask_of(given["mask"])

    def _memory(self, box: _Io, given: Mapping[str, Any], shared: Array | None) -> None:
        """Windows of shared and global memory; what a bulk copy may not write the library says."""
        door, tensor = self._info.door, given["map"]
        stores = door in (lib.WSIM_DOOR_STMATRIX, lib.WSIM_DOOR_FRAGMENT_STORE)
        if shared is not None:
            memory = memory_of(shared, "shared", stores or door == lib.WSIM_DOOR_ASYNC)
            box.memory("shared", memory, integer(given["shared_base"], "shared_base", 0, 0xFFFFFFFF))
        memory, base = given["global_memory"], given["global_base"]
        if memory is not None:
            memory = memory_of(memory, "global_memory", stores)
        elif tensor is not None:
            memory = tensor.array
        if memory is not None:
            if base is None:
                base = 0 if tensor is None else int(tensor._raw.base)
            box.memory("global", memory, integer(base, "global_base", 0, 2**64 - 1))

    def _fill(self, box: _Io, registers: dict[str, object], arch: ArchLike) -> tuple[Layout | None, Array | None]:
        """Registers of operands, and room for those of D."""
        io, leaves = box.io, "d" in self.operands and self._info.door != lib.WSIM_DOOR_NONE
        for name, value in registers.items():
            batch = {"sfa": (io.bid_a, io.tid_a), "sfb": (io.bid_b, io.tid_b)}.get(name)
            box.registers(name, self._registers(self.layout(name, arch), name, value, batch))
        if "c" in self.operands and "c" not in registers and self._info.door != lib.WSIM_DOOR_WGMMA:
            c = self.layout("c", arch)
            box.registers("c", np.zeros((c.regs, c.lanes), np.uint32))
        if not leaves:
            return None, None
        layout = self.layout("d", arch)
        result = np.zeros((layout.regs, layout.lanes), np.uint32)
        box.registers("d", result)
        return layout, result

    def _prepare(self, arch: ArchLike, plain: bool) -> Any:
        row, flags = row_of(arch), lib.WSIM_PLAIN if flag(plain, "plain") else 0
        key = text_of(lib.wsim_arch_name(row)), flags
        code = self._codes.get(key)
        if code is None:
            code, diag = ffi.new("struct wsim_code *"), new_diag()
            check(lib.wsim_prepare(self._raw, row, flags, code, diag), diag)
            self._codes[key] = code
        return code

    def _compress_operand(self, a: object, selector: int) -> tuple[object, object]:
        """A dense A becomes fragment and metadata."""
        if isinstance(a, (int, Descriptor)):
            raise ValueError("%s: A in shared memory needs its metadata e" % self)
        array = a.array if isinstance(a, Operand) else np.asarray(a)
        if array.shape != (self.m, self.k):
            raise ValueError(
                "a has shape %s; %s needs the dense matrix of shape %s, or what is stored of it and its metadata e"
                % (array.shape, self, (self.m, self.k))
            )
        stored, metadata = self.compress(array, selector)
        return fragment(stored), metadata

    def _wgmma(self, box: _Io, given: dict[str, object], shared: Array | None, trans_b: bool) -> Array | None:
        """Takes what is in shared memory out of the operands; a matrix B gets memory of its own."""
        for name in "ab":
            value = given.get(name)
            if isinstance(value, (int, np.integer, Descriptor)):
                setattr(box.io, "desc_" + name, as_bits(value))
                del given[name]
            elif name == "b" and value is not None:
                if shared is not None or trans_b:
                    raise ValueError(
                        "b is a matrix, which goes where its own descriptor says: leave shared and trans_b out, or "
                        "give a descriptor"
                    )
                tile = self.tile("b")
                array = value.array if isinstance(value, Operand) else np.asarray(value)
                if array.shape != (tile.k, tile.rows):
                    raise ValueError("b has shape %s; %s needs (k, n) = %s" % (array.shape, self, (tile.k, tile.rows)))
                shared = np.zeros(tile.rows * tile.k * tile.bits // 8, np.uint8)
                # Pieces of 8 rows of 16 bytes, those along k side by side.
                where = Descriptor(start=0, leading=128, stride=8 * tile.k * tile.bits // 8)
                tile.store(array.T, where, shared)
                box.io.desc_b = int(where)
                del given[name]
        return shared

    def _registers(self, layout: Layout, name: str, value: object, batch: tuple[int, int] | None) -> Array:
        """An operand as registers of the library."""
        given = value.array if isinstance(value, Operand) else np.asarray(value)
        if given.dtype.hasobject:
            raise TypeError("%s is an array of Python objects" % name)
        shape, known = (layout.lanes, layout.regs), value.is_fragment if isinstance(value, Operand) else None
        fits = given.shape == shape or (given.shape == (layout.lanes,) and layout.regs == 1)
        looks = fits and given.dtype.kind in "iu" and given.dtype.itemsize == 4
        plain = (layout.rows, layout.cols) if batch is not None else layout.shape
        if known is None and looks and given.shape == plain:
            raise ValueError(
                "%s of shape %s can be a matrix and a fragment: say wsim.matrix(...) or wsim.fragment(...)"
                % (name, shape)
            )
        if known or (known is None and (looks or name == "e")):
            if name == "e":
                given = words(given.reshape(-1), "e", (layout.lanes,)).reshape(layout.lanes, 1)
            return layout._words(given, name)
        if given.shape != plain:
            raise ValueError(
                "%s has shape %s; %s needs a matrix of shape %s of %s, or a fragment of uint32 of shape %s"
                % (name, given.shape, self, plain, formats.describe(layout._raw.format, layout.elem_bits), shape)
            )
        if batch is not None:
            whole = np.zeros(layout.shape if layout.batches > 1 else (1, *layout.shape), np.uint64)
            whole[self._selected(layout, *batch)] = formats.elements_of(
                given, layout._raw.format, layout.elem_bits, name
            )
            return layout._pack_words(whole)
        return layout._pack_words(formats.elements_of(given, layout._raw.format, layout.elem_bits, name))

    def _selected(self, layout: Layout, byte: int, thread: int) -> int:
        """The number of the matrix of scale factors that byte-id and thread-id select."""
        lane, places = 0, [bit for bit in range(5) if layout._raw.lane[bit] >> 24]
        for i, bit in enumerate(places):
            lane |= (thread >> i & 1) << bit
        if byte >= layout.elems or thread >> len(places):
            return 0  # the library words what is wrong with them
        return int(lib.wsim_layout_coord(layout._raw, lane, byte).batch)


_MOST_NAMED = 12


class Atom(NamedTuple):
    """What an atom of CuTe says: the instruction, how often it is executed, where A is ("shared", "registers" or None:
    it is not said), and further keywords of `Op.run`, such as `trans_b`."""

    op: Op
    times: int
    a_in: str | None
    keywords: dict[str, Any]


def atom(name: str) -> Atom:
    """An atom of CuTe, with the arguments of its template.

    >>> import wsim
    >>> found = wsim.atom("SM90_64x128x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::MN>")
    >>> print(found.op, found.a_in, found.keywords)
    wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 shared {'trans_b': True}
    """
    text, raw = c_text(name, "an atom"), ffi.new("struct wsim_atom *")
    found, diag = _named(text, raw)
    if found is None:
        raise refusal(diag.status, diag)
    keywords: dict[str, Any] = {one: bool(getattr(raw, one)) for one in WGMMA[1:] if getattr(raw, one)}
    keywords.update({one: int(getattr(raw, one)) for one in ("selector", "bytes") if getattr(raw, one)})
    places = {lib.WSIM_ATOM_SHARED: "shared", lib.WSIM_ATOM_REGISTERS: "registers"}
    return Atom(found, int(raw.times), places.get(raw.a_in), keywords)


def _named(text: bytes, raw: Any) -> tuple[Op | None, Any]:
    """The one instruction that a name means; None: the diag says why not."""
    found, count, diag = ffi.new("struct wsim_op[]", _MOST_NAMED), ffi.new("size_t *"), new_diag()
    if lib.wsim_atom_find(text.strip(), raw, found, _MOST_NAMED, count, diag):
        return None, diag
    can = [Op(ffi.new("struct wsim_op *", found[i])) for i in range(min(count[0], _MOST_NAMED))]
    if count[0] > 1:
        names = ", ".join([one.spelling for one in can] + ["..."] * (count[0] > len(can)))
        told = shown(text.decode("utf-8", "replace"))
        raise Refused("%s can be %u instructions: %s" % (told, count[0], names), "syntax")
    return can[0], diag


def op(name: str) -> Op:
    """The instruction of a spelling, qualifiers in any order that the assembler takes, also with its operands as it
    stands in PTX; or of a name that means one alone: some words of a spelling, an atom of CuTe, machine code.

    >>> import wsim
    >>> wsim.op("ldmatrix.sync.aligned.m8n8.x4.shared.b16")
    wsim.op('ldmatrix.sync.aligned.m8n8.x4.shared.b16')
    >>> wsim.op("SM80_16x8x16_F32F16F16F32_TN") == wsim.op("mma.m16n8k16.f32.f16")
    True
    """
    text = c_text(name, "an instruction")
    words = text.replace(b"{", b" {").replace(b";", b" ;").split()
    spelling = (words[1:] if words[:1] and words[0].startswith(b"@") else words or [b""])[0]
    raw, diag = ffi.new("struct wsim_op *"), new_diag()
    status = lib.wsim_op_parse(spelling, raw, diag)
    # A text with .sync is a whole spelling, which is wrong; one that does not begin as an instruction was not meant
    # as one.
    if status and status != lib.WSIM_UNMODELLED and b".sync" not in spelling:
        found, other = _named(text, ffi.new("struct wsim_atom *"))
        if found is not None:
            return found
        diag = other if diag.col == 1 else diag
        status = diag.status
    check(status, diag)
    return Op(raw)


def ops(contains: str = "") -> Iterator[Op]:
    """All instructions of the tables, or those whose spelling has a text in it.

    >>> import wsim
    >>> [str(found) for found in wsim.ops("movmatrix")]
    ['movmatrix.sync.aligned.m8n8.trans.b16']
    """
    cursor, raw, spelling = ffi.new("uint32_t *"), ffi.new("struct wsim_op *"), ffi.new("char[]", 192)
    while lib.wsim_op_next(cursor, raw):
        lib.wsim_op_spell(raw, spelling)
        if contains in text_of(spelling):
            yield Op(ffi.new("struct wsim_op *", raw[0]))
