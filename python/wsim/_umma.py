"""Products of Blackwell's tensor core: `tcgen05.mma` with its instruction descriptor."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple

import numpy as np

from . import _gemm
from ._arch import ArchLike, row_of
from ._core import Array, c_text, check, new_diag, text_of
from ._formats import array_of, elements_of, name_of, named
from ._wsim import ffi, lib

# Where `Umma.run` puts its operands: addresses of shared memory, columns of tensor memory.
A_AT, B_AT, SHARED_END = 0, 65536, 2 * 65536
COLUMNS = {"d": 0, "sfa": 256, "sfb": 264}


def checked(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a function of the library that takes a diagnosis last."""
    diag = new_diag()
    check(function(*arguments, diag), diag)


def container_of(row: Any) -> int:
    """The bits of an element of A, B, C or a scale factor; elements of 4 and 6 bits are packed."""
    return int(row.bits) if row.bits in (4, 6, 8, 16, 32) else 8 if row.bits < 8 else 32


class UmmaPlace(NamedTuple):
    """The place of an element in tensor memory, from the address of its operand on.

    >>> import wsim
    >>> wsim.umma("tcgen05.mma.cta_group::2.kind::f16", m=256, n=16).place("d", 200, 3).block
    1
    """

    block: int
    lane: int
    column: int
    bit: int
    bits: int


class Umma:
    """A `tcgen05.mma` with its instruction descriptor: `wsim.umma` makes it.

    `idesc` is the descriptor, a number of 32 bits. `m`, `n` and `k` are the shape; `a`, `b`, `d` and `factor` name
    the types (`factor` is None without block scale).

    >>> import wsim
    >>> wsim.umma("tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.block16", n=8).factor
    'ue4m3'
    """

    def __init__(self, spelling: str, form: Any, shape: Any, arch: ArchLike) -> None:
        self.spelling = spelling
        self._form, self._shape, self._row = form, shape, row_of(arch)
        word = ffi.new("uint32_t *")
        checked(lib.wsim_umma_encode, form, shape, word)
        checked(lib.wsim_umma_decode, form, word[0], shape)
        self._code = ffi.new("struct wsim_code *")
        checked(lib.wsim_umma_prepare, form, word[0], self._row, 0, self._code)
        self.idesc: int = word[0]
        self.m, self.n, self.k = shape.m, shape.n, shape.k
        self.a, self.b, self.d = (name_of(row) for row in (shape.a, shape.b, shape.d))
        self.factor = None if shape.factor == ffi.NULL else name_of(shape.factor)

    def __repr__(self) -> str:
        return "<wsim.umma %s: %ux%ux%u, idesc 0x%08x>" % (self.spelling, self.m, self.n, self.k, self.idesc)

    def evidence(self) -> str:
        """'published' or 'inferred'.

        >>> import wsim
        >>> wsim.umma("tcgen05.mma.cta_group::1.kind::f16", n=8).evidence()
        'published'
        """
        return text_of(lib.wsim_umma_evidence(self._form, self._shape, self._row, ffi.NULL, ffi.NULL))

    def place(self, operand: str, row: int, col: int, copy: int = 0) -> UmmaPlace:
        """The place of an element of "d", "a", "e", "sfa" or "sfb" in tensor memory.

        >>> import wsim
        >>> wsim.umma("tcgen05.mma.cta_group::1.kind::f16", m=64, n=8).place("d", 17, 3)
        UmmaPlace(block=0, lane=33, column=3, bit=0, bits=32)
        """
        of = {"d": lib.WSIM_D, "a": lib.WSIM_A, "e": lib.WSIM_E, "sfa": lib.WSIM_SFA, "sfb": lib.WSIM_SFB}
        if operand not in of:
            raise ValueError("operand %r: give 'd', 'a', 'e', 'sfa' or 'sfb'" % (operand,))
        place = ffi.new("struct wsim_umma_place *")
        if not lib.wsim_umma_place_at(self._code, of[operand], row, col, copy, place):
            raise IndexError("%s has no element (%u, %u), copy %u, in tensor memory" % (operand, row, col, copy))
        return UmmaPlace(place.block, place.lane, place.column, place.bit, place.bits)

    def _put_tile(self, shared: Array, which: int, at: int, elements: Array) -> int:
        """Writes A or B into shared memory, K-major without a swizzle. Returns its matrix descriptor."""
        tile, descriptor = ffi.new("struct wsim_tile *"), ffi.new("struct wsim_descriptor *")
        checked(lib.wsim_umma_tile, self._form, self.idesc, lib.WSIM_B if which else lib.WSIM_A, tile)
        rows, k = elements.shape
        narrow = tile.bits == 8 and tile.format.bits < 8
        bits = tile.format.bits if narrow else tile.bits
        together = 16 if narrow else 8 // bits if bits < 8 else 1
        descriptor.start, descriptor.leading, descriptor.stride = at, 16 * ((rows + 7) // 8 * 8), 128
        for row in range(rows):
            for first in range(0, k, together):
                word = 0
                for i in range(together):
                    word |= int(elements[row, first + i]) << (bits * i)
                size = (bits * together + 7) // 8
                place = lib.wsim_descriptor_address(descriptor, tile, row, first)
                shared[place : place + size] = np.frombuffer(word.to_bytes(size, "little"), np.uint8)
        word = ffi.new("uint64_t *")
        checked(lib.wsim_umma_matrix_encode, descriptor, word)
        return int(word[0])

    def _words(self, tensor: Array, operand: str, row: int, col: int, value: int) -> None:
        """Writes all copies of an element into tensor memory."""
        copy = 0
        while True:
            try:
                place = self.place(operand, row, col, copy)
            except IndexError:
                return
            column = COLUMNS[operand] + place.column
            tensor[place.lane, column] |= np.uint32(value << place.bit)
            copy += 1

    def run(self, *, a: object, b: object, c: object = None, sfa: object = None, sfb: object = None) -> Array:
        """The matrix D of a dense product of one block. `a` is m x k, `b` k x n, `c` m x n, `sfa` m x factors, and `sfb`
        factors x n. Elements are numbers that the types hold exactly, or raw bits in unsigned integers.

        >>> import numpy as np, wsim
        >>> mma = wsim.umma("tcgen05.mma.cta_group::1.kind::f16", n=8)
        >>> float(mma.run(a=np.ones((128, 16)), b=np.eye(16, 8)).sum())
        1024.0
        """
        if self._form.blocks != 1 or self._form.sparse or self._shape.trans[0] or self._shape.trans[1]:
            raise ValueError("run takes dense K-major products of cta_group::1; wsim.Module runs kernels of all")
        shared, tensor = np.zeros(SHARED_END, np.uint8), np.zeros((128, 512), np.uint32)
        factors = self._form.factors

        def bits_of(value: object, row: Any, rows: int, cols: int, what: str) -> Array:
            array = np.asarray(value)
            if array.shape != (rows, cols):
                raise ValueError("%s has the shape %s, must be (%u, %u)" % (what, array.shape, rows, cols))
            return elements_of(array, row, container_of(row), what)

        bits_a = bits_of(a, self._shape.a, self.m, self.k, "a")
        bits_b = bits_of(b, self._shape.b, self.k, self.n, "b")
        io = ffi.new("struct wsim_io *")
        io.umma.desc_a = self._put_tile(shared, 0, A_AT, bits_a)
        io.umma.desc_b = self._put_tile(shared, 1, B_AT, np.ascontiguousarray(bits_b.T))
        if c is not None:
            io.umma.adds = 1
            bits_c = bits_of(c, self._shape.d, self.m, self.n, "c")
            for (row, col), value in np.ndenumerate(bits_c):
                self._words(tensor, "d", row, col, int(value))
        if factors:
            for what, value, rows, cols in (("sfa", sfa, self.m, factors), ("sfb", sfb, factors, self.n)):
                if value is None:
                    raise ValueError("%s is missing: the product has block scale" % what)
                for (row, col), word in np.ndenumerate(bits_of(value, self._shape.factor, rows, cols, what)):
                    self._words(tensor, what, row, col, int(word))
        io.umma.sfa, io.umma.sfb = COLUMNS["sfa"], COLUMNS["sfb"]
        windows = ffi.new("struct wsim_memory[2]")
        windows[0] = lib.wsim_memory_over(lib.WSIM_SHARED, ffi.from_buffer("uint8_t[]", shared), shared.nbytes, 0)
        windows[1] = lib.wsim_memory_over(lib.WSIM_TENSOR, ffi.from_buffer("uint8_t[]", tensor), tensor.nbytes, 0)
        io.shared, io.umma.tensor = windows, windows + 1
        checked(lib.wsim_run, self._code, io)
        width = self._shape.d.bits
        d = np.zeros((self.m, self.n), np.dtype("u%u" % (width // 8)))
        for row in range(self.m):
            for col in range(self.n):
                place = self.place("d", row, col)
                d[row, col] = tensor[place.lane, place.column] & np.uint32((1 << width) - 1)
        return array_of(d, self._shape.d, width)


    def gemm(
        self,
        a: object,
        b: object,
        c: object = None,
        *,
        sfa: object = None,
        sfb: object = None,
        round: bool = False,
        promote: int = 0,
        split_k: int = 0,
        jobs: int = 0,
    ) -> Array:
        """Multiplies whole matrices with this product, tile by tile; `Op.gemm` has the meaning of all arguments.

        >>> import numpy as np, wsim
        >>> mma = wsim.umma("tcgen05.mma.cta_group::2.kind::f16", m=256, n=32)
        >>> float(mma.gemm(np.ones((300, 70), np.float16), np.ones((70, 3), np.float16)).sum())
        63000.0
        >>> nvfp4 = wsim.umma("tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.block16")
        >>> float(nvfp4.gemm(np.full((4, 32), 3.0), np.full((32, 4), 0.1), round=True)[0, 0])
        10.125
        """
        return _gemm.multiply(self._product(), a, b, c, _gemm.How(sfa, sfb, round, promote, split_k, jobs))

    def quantize(self, operand: str, numbers: object) -> tuple[Array, Array]:
        """The elements and scale factors of a matrix "a" or "b" of numbers, as `Op.quantize` makes them.

        >>> import numpy as np, wsim
        >>> mma = wsim.umma("tcgen05.mma.cta_group::1.kind::mxf4.block_scale")
        >>> mma.quantize("a", np.linspace(0, 48, 64).reshape(1, 64))[1]
        array([[129, 130]], dtype=uint8)
        """
        return _gemm.quantize(self._product(), operand, numbers)

    def _product(self) -> _gemm.Product:
        tile = ffi.new("struct wsim_tile *")
        checked(lib.wsim_umma_tile, self._form, self.idesc, lib.WSIM_A, tile)
        return _gemm.Product(repr(self), self._code, int(tile.bits))


DEFAULTS = {"f16": "f16", "tf32": "tf32", "f8f6f4": "e4m3", "i8": "s8", "mxf8f6f4": "e4m3"}


def umma(
    spelling: str,
    *,
    m: int = 128,
    n: int = 64,
    a: str | None = None,
    b: str | None = None,
    d: str | None = None,
    factor: str | None = None,
    negate: tuple[bool, bool] = (False, False),
    transpose: tuple[bool, bool] = (False, False),
    saturate: bool = False,
    arch: ArchLike = "b200",
) -> Umma:
    """A `tcgen05.mma` of the given shape and types.

    >>> import wsim
    >>> hex(wsim.umma("tcgen05.mma.cta_group::1.kind::f16", n=256, a="bf16", b="bf16").idesc)
    '0x8400490'
    """
    instruction, form = ffi.new("struct wsim_instruction *"), ffi.new("struct wsim_umma *")
    checked(lib.wsim_instruction_parse, c_text(spelling, "spelling"), instruction)
    checked(lib.wsim_umma_of, ffi.addressof(instruction, "scalar"), form)
    kind = text_of(lib.wsim_umma_kind_name(form.kind))
    shape = ffi.new("struct wsim_umma_shape *")
    shape.m, shape.n = m, n
    shape.a = named(a or DEFAULTS.get(kind, "e2m1"))
    shape.b = named(b or a or DEFAULTS.get(kind, "e2m1"))
    shape.d = named(d or ("s32" if kind == "i8" else "f32"))
    if form.factors:
        shape.factor = named(factor or ("ue4m3" if form.factors == 4 else "ue8m0"))
    shape.saturate = saturate
    for i in range(2):
        shape.negate[i], shape.trans[i] = negate[i], transpose[i]
    return Umma(spelling, form, shape, arch)
