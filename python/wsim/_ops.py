"""Instructions: looked up by spelling, run on matrices, fragments and memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from . import _cost, _fits, _gemm, _layout, _metadata, _picture, _tile, _why
from ._arch import DEFAULT, ArchLike, row_of
from ._call import call_of, encoded
from ._core import (
    Array,
    Refused,
    c_text,
    check,
    chosen,
    integer,
    new_diag,
    refusal,
    shown,
    text_of,
    written_out,
)
from ._fits import Fit
from ._instruction import OPERANDS, Instruction
from ._layout import Layout
from ._metadata import Crowded, Metadata
from ._operands import WGMMA, More, Operands
from ._picture import Picture
from ._result import Result
from ._tile import Tile
from ._why import Arithmetic, Why
from ._wsim import ffi, lib

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Op(Instruction):
    """One instruction; `str(op)` is its canonical spelling. `wsim.op` makes it.

    >>> import wsim
    >>> op = wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
    >>> op.family, (op.m, op.n, op.k), op.threads, op.operands
    ('mma', (16, 8, 16), 32, ('d', 'a', 'b', 'c'))
    """

    def __reduce__(self) -> Any:
        return op, (self.spelling,)

    def arithmetic(self, arch: ArchLike = DEFAULT) -> Arithmetic:
        """The parameters that determine the bits of a product. Architectures with equal parameters give equal results.

        >>> import wsim
        >>> mma = wsim.op("mma.m16n8k16.f32.f16")
        >>> mma.arithmetic("a100").keep, mma.arithmetic("h100").keep, mma.arithmetic("h100") == mma.arithmetic("b200")
        (24, 25, True)
        """
        return _why.arithmetic_of(self._prepare(arch, False))

    def layout(self, operand: str, arch: ArchLike | None = None) -> Layout:
        """The lane and register of each element of an operand: "d", "a", "b", "c", "e", "sfa", "sfb" or "r". `arch`
        only matters to wmma before Turing.

        >>> import wsim
        >>> wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").layout("d").places(0, 0)
        [Place(lane=0, elem=0, reg=0, lsb=0)]
        """
        return _layout.of(self, operand, arch)

    def picture(self, arch: ArchLike | None = None) -> Picture:
        """The lanes and registers of all operands.

        >>> import wsim
        >>> wsim.op("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32").picture().write("svg")[:4]
        '<svg'
        """
        return _picture.fragments(self._raw, ffi.NULL if arch is None else row_of(arch), (1 << len(OPERANDS)) - 1, {})

    def row_of(self, lane: int) -> tuple[int, int]:
        """For matrix moves: the matrix and the row whose address the lane supplies.

        >>> import wsim
        >>> wsim.op("ldmatrix.sync.aligned.m8n8.x4.shared.b16").row_of(lane=9)
        (1, 1)
        """
        at, diag = ffi.new("struct wsim_coord *"), new_diag()
        check(lib.wsim_move_row(self._raw, integer(lane, "lane", 0, 31), at, diag), diag)
        return at.batch, at.row

    def fits(self, product: Op, operand: str, by_columns: bool = False, number: int = 0) -> Fit:
        """For matrix moves: checks that the registers match an operand of a product, and says where each row of memory
        must begin. `by_columns`: neighbours in memory are elements of a column. `number` selects one of several moves
        that fill one fragment.

        >>> import wsim
        >>> load = wsim.op("ldmatrix.sync.aligned.m8n8.x4.shared.b16")
        >>> fit = load.fits(wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"), "a")
        >>> fit.fits, fit.rows[8], fit.rows[16]
        (True, (0, 8, 0), (0, 0, 8))
        """
        return _fits.make(self, product, operand, by_columns, number)

    def encode(self, operand: str, numbers: object, rounding: str = "rn") -> Array:
        """Rounds numbers to the format of an operand; `run` takes the raw bits.

        >>> import wsim
        >>> wsim.op("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32").encode("a", [0.3])
        array([42], dtype=uint8)
        """
        return encoded(self, chosen(operand, "operand", OPERANDS), numbers, rounding)

    def tile(self, operand: str, mn_major: bool = False) -> Tile:
        """For wgmma: A or B as a tile in shared memory.

        >>> import wsim
        >>> wsim.op("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16").tile("a").rows
        64
        """
        return _tile.of(self, operand, mn_major)

    def compress(self, dense: object, selector: int = 0) -> tuple[Array, Array]:
        """For sparse instructions: compresses a dense m x k matrix to the fragment of A and the metadata.

        >>> import numpy as np, wsim
        >>> sp = wsim.op("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
        >>> dense = np.zeros((16, 16), np.float16); dense[:, 1::4] = 1; dense[:, 3::4] = 2
        >>> a, e = sp.compress(dense)
        >>> a.shape, hex(e[0])
        ((32, 2), '0xdddddddd')
        """
        return _metadata.compress(self, dense, selector)

    def crowded(self, dense: object) -> list[Crowded]:
        """For sparse instructions: the groups of a dense m x k matrix with more nonzeros than the pattern stores.
        `compress` refuses a matrix that has any.

        >>> import numpy as np, wsim
        >>> sp = wsim.op("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
        >>> dense = np.zeros((16, 16)); dense[3, 4:7] = 1
        >>> [(one.row, one.group, one.column) for one in sp.crowded(dense)]
        [(3, 1, 4)]
        """
        return _metadata.crowded(self, dense)

    def expand(self, a: object, e: object, selector: int = 0) -> Array:
        """For sparse instructions: the dense m x k matrix, as raw bits, of a fragment of A and its metadata.

        >>> import numpy as np, wsim
        >>> sp = wsim.op("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
        >>> dense = np.zeros((16, 16), np.float16); dense[:, 1::4] = 1; dense[:, 3::4] = 2
        >>> bool((sp.expand(*sp.compress(dense)) == dense.view(np.uint16)).all())
        True
        """
        return _metadata.expand(self, a, e, selector)

    def metadata(self, e: object, selector: int = 0) -> Metadata:
        """For sparse instructions: decodes metadata group by group.

        >>> import numpy as np, wsim
        >>> sp = wsim.op("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
        >>> dense = np.zeros((16, 16)); dense[:, 1::4] = 1; dense[:, 3::4] = 2
        >>> meta = sp.metadata(sp.compress(dense)[1])
        >>> meta.pattern, meta.groups[0]
        ('2:4', MetaGroup(row=0, group=0, lane=0, bit=0, nibble=13, defined=True, columns=(1, 3)))
        """
        return _metadata.make(self, _metadata.lanes_of(self, e), integer(selector, "selector", 0, 2**32 - 1))

    @written_out(_cost.Access)
    def cost(self, addresses: _cost.Addresses, **access: Unpack[_cost.Access]) -> _cost.Cost:
        """The cost of an access to shared memory; `wsim.banks` describes the arguments.

        >>> import wsim
        >>> wsim.op("ldmatrix.sync.aligned.m8n8.x4.shared.b16").cost([128 * lane for lane in range(32)]).wavefronts
        32
        """
        return _cost.count(self, addresses, access)

    def __call__(self, *args: object, **keywords: object) -> NoReturn:
        raise TypeError("an instruction is not callable: use op.run(a, b, c), or op.gemm(a, b) for whole matrices")

    @written_out(More)
    def run(self, a: object = None, b: object = None, c: object = None, **more: Unpack[More]) -> Result:
        """Executes the instruction bit for bit. Everything is checked before anything is written.

        Register operands are matrices of values or raw bits, or fragments (uint32, lanes x registers). A missing C is
        zero. `round` rounds matrices of numbers to nearest even; without it, a number that the format lacks is an
        error. A sparse `a` without `e` may be the dense matrix, which is compressed. Scale factors are the matrix of
        factors (a row of A, or a column of B, with its blocks) or a register. `shared` and `global_memory` are arrays
        that are used in place; their first byte is at address `shared_base` and `global_base`. `addresses` are those of
        32 lanes, those of the lanes that a matrix move reads, or a function of the lane. wmma has one address and
        `stride`. A and B of wgmma may be descriptors into `shared`. A matrix A goes into registers; a matrix B gets
        shared memory and a descriptor of its own. Bulk copies have `map`, `coords` and `offsets`, or `global_at` and
        `bytes`; also `shared_at` and `barrier`. `plain` selects the portable path, which defines the results of all
        others.

        >>> import numpy as np, wsim
        >>> tile = np.arange(64, dtype=np.uint16).reshape(8, 8)
        >>> load = wsim.op("ldmatrix.sync.aligned.m8n8.x1.shared.b16")
        >>> load.run(shared=tile, addresses=lambda lane: 16 * (lane % 8)).d[1]
        array([ 8,  9, 10, 11, 12, 13, 14, 15], dtype=uint16)
        """
        call = call_of(self, {"a": a, "b": b, "c": c, **more})
        call.box.run(call.code)
        copied = call.box.moved() if self._info.threads == 1 else None
        return Result(self, text_of(lib.wsim_arch_name(call.code.arch)), call.layout, call.registers, copied)

    @written_out(Operands)
    def why(self, row: int, col: int, batch: int = 0, **operands: Unpack[Operands]) -> Why:
        """Explains one element of D: its products in the order of the sum, the places of their factors, and the steps
        of the sum. Operands are those of `run`.

        >>> import numpy as np, wsim
        >>> mma = wsim.op("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32")
        >>> why = mma.why(0, 0, a=np.full((16, 8), 0.5), b=np.ones((8, 8)), arch="a100")
        >>> why.method, len(why.terms), why.value, why.terms[3].k, why.terms[3].a.place
        ('fused', 8, 4.0, 3, Place(lane=1, elem=1, reg=0, lsb=16))
        """
        call, diag, made = call_of(self, operands), new_diag(), ffi.new("struct wsim_why *")
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
        sfa: object = None,
        sfb: object = None,
        round: bool = False,
        promote: int = 0,
        split_k: int = 0,
        jobs: int = 0,
        arch: ArchLike = DEFAULT,
    ) -> Array:
        """Multiplies whole matrices, A (m x k) times B (k x n) plus C, tile by tile with this instruction and ascending
        k. The bits are those of a kernel whose accumulators run over all of k. Matrices have any size. `round` rounds
        numbers to nearest even. A block-scaled instruction takes factors as `sfa` and `sfb`. `sfa` has a row for
        each row of A, `sfb` a column for each column of B. With `round`, `quantize` makes them. `promote`: after
        this many k, the accumulators are added to an f32 sum. `split_k`: one product per slice of this many k, added to
        C in ascending order. `jobs` is the number of threads; 0 takes one per processor.

        >>> import numpy as np, wsim
        >>> mma = wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
        >>> float(mma.gemm(np.ones((100, 70), np.float16), np.ones((70, 3), np.float16)).sum())
        21000.0
        >>> nvfp4 = wsim.op("nvfp4")
        >>> float(nvfp4.gemm(np.full((4, 32), 3.0), np.full((32, 4), 0.1), round=True, arch="sm_120a")[0, 0])
        10.125
        """
        return _gemm.multiply(self._product(arch), a, b, c, _gemm.How(sfa, sfb, round, promote, split_k, jobs))

    def _product(self, arch: ArchLike) -> _gemm.Product:
        return _gemm.Product(str(self), self._prepare(arch, False), _layout.of(self, "a", arch).elem_bits)

    def quantize(self, operand: str, numbers: object, arch: ArchLike = "sm_120a") -> tuple[Array, Array]:
        """For block-scaled instructions: the elements (raw bits) and scale factors of a matrix "a" (m x k) or "b"
        (k x n) of any size. Factors of ue8m0 are those of OCP Microscaling; of ue4m3, the largest magnitude of a block
        divided by the largest element. Numbers are floats of NumPy.

        >>> import numpy as np, wsim
        >>> elements, factors = wsim.op("mxf4").quantize("a", np.linspace(0, 48, 64).reshape(1, 64))
        >>> elements[0, :40:8], factors
        (array([0, 3, 5, 6, 5], dtype=uint8), array([[129, 130]], dtype=uint8))
        """
        return _gemm.quantize(self._product(arch), operand, numbers)


_MOST_NAMED = 12


class Atom(NamedTuple):
    """The meaning of a CuTe atom: the instruction, and how often it is executed. `a_in` is the place of A: "shared",
    "registers", or None if unspecified. `keywords` are further arguments of `Op.run`, such as `trans_b`."""

    op: Op
    times: int
    a_in: str | None
    keywords: dict[str, Any]


def atom(name: str) -> Atom:
    """Reads a CuTe atom with the arguments of its template.

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
    """The single instruction that a name means, or None and a diag with the reason."""
    found, count, diag = ffi.new("struct wsim_op[]", _MOST_NAMED), ffi.new("size_t *"), new_diag()
    if lib.wsim_atom_find(text.strip(), raw, found, _MOST_NAMED, count, diag):
        return None, diag
    can = [Op(ffi.new("struct wsim_op *", found[i])) for i in range(min(count[0], _MOST_NAMED))]
    if count[0] > 1:
        names = ", ".join([one.spelling for one in can] + ["..."] * (count[0] > len(can)))
        named = shown(text.decode("utf-8", "replace"))
        raise Refused("%s can be %u instructions: %s" % (named, count[0], names), "syntax")
    return can[0], diag


def op(name: str) -> Op:
    """Looks up an instruction. The name is a spelling, with qualifiers in any order that the assembler takes and
    optionally with operands as in PTX. It can also be another name of one single instruction: some words of its
    spelling, a CuTe atom, a machine instruction.

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


def op_of(given: Op | str) -> Op:
    """An instruction as it is, or looked up by its name."""
    return given if isinstance(given, Op) else op(given)


def ops(contains: str = "") -> list[Op]:
    """All instructions of the tables, or those whose spelling contains a text.

    >>> import wsim
    >>> [str(found) for found in wsim.ops("movmatrix")]
    ['movmatrix.sync.aligned.m8n8.trans.b16']
    """
    cursor, raw, spelling = ffi.new("uint32_t *"), ffi.new("struct wsim_op *"), ffi.new("char[]", 192)
    found: list[Op] = []
    while lib.wsim_op_next(cursor, raw):
        lib.wsim_op_spell(raw, spelling)
        if contains in text_of(spelling):
            found.append(Op(ffi.new("struct wsim_op *", raw[0])))
    return found
