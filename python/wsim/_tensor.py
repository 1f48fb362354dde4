"""Tensor maps: the description of a tensor, and of the box that a copy moves."""

from __future__ import annotations

from typing import Any, Sequence, Union

import numpy as np

from ._arch import DEFAULT, ArchLike, row_of
from ._core import (
    Array,
    Refused,
    address_of,
    c_text,
    check,
    flag,
    integer,
    memory_of,
    new_diag,
    numbers,
    owned,
    pointer,
    shown,
    text_of,
)
from ._instruction import Instruction, spelled
from ._io import Copied, Io
from ._mbarrier import Mbarrier
from ._picture import Drawn, Picture
from ._swizzle import mode_of
from ._wsim import ffi, lib

RANK = 5
Coords = Union[Sequence[int], Array]


def _value(listed: str, name: str, what: str) -> int:
    found = int(lib.wsim_tensor_called(getattr(lib, "WSIM_TENSOR_LIST_" + listed), c_text(name, what)))
    if found < 0:
        raise ValueError("%s is %s; it has to be one of %s" % (what, shown(name), ", ".join(_names(listed))))
    return found


def _names(listed: str) -> list[str]:
    names: list[str] = []
    while lib.wsim_tensor_name(getattr(lib, "WSIM_TENSOR_LIST_" + listed), len(names)) != ffi.NULL:
        names.append(text_of(lib.wsim_tensor_name(getattr(lib, "WSIM_TENSOR_LIST_" + listed), len(names))))
    return names


def _type_name(dtype: np.dtype[Any]) -> str:
    """The driver's name for the elements of an array; otherwise unsigned integers of equal width."""
    word = str(dtype.name).upper()
    if word in _names("DTYPE"):
        return word
    if dtype.itemsize in (1, 2, 4, 8) and not dtype.hasobject:
        return "UINT%u" % (8 * dtype.itemsize)
    raise TypeError("a tensor cannot have elements of %s" % dtype)


class Box(Drawn):
    """The result of a load: `shared` is shared memory from address `at`. A barrier counts `bytes`; `outside` of them
    are out of bounds and were filled."""

    def __init__(
        self,
        map: TensorMap,
        shared: Array,
        at: int,
        moved: int,
        outside: int,
        coords: Coords,
        offsets: Coords,
    ) -> None:
        self.map, self.shared, self.at, self.bytes, self.outside = map, shared, at, moved, outside
        self.coords, self.offsets = tuple(coords), tuple(offsets)

    def picture(self) -> Picture:
        """The places of its pieces, like `TensorMap.picture`.

        >>> import numpy as np, wsim
        >>> wsim.tensor_map(np.ones((16, 16), np.float32), box=(16, 8)).load((8, 8)).picture().write("html")[:9]
        '<!DOCTYPE'
        """
        return self.map.picture(self.coords, self.offsets, self.at, boxes=True)

    @property
    def rows(self) -> Array:
        """The bytes of each row in their logical order, the swizzle undone: uint8 of shape (rows, bytes).

        >>> import numpy as np, wsim
        >>> tensor = np.arange(64 * 64, dtype=np.uint16).reshape(64, 64)
        >>> wsim.tensor_map(tensor, box=(64, 8), swizzle="128B").load((0, 8)).rows.view(np.uint16)[1, :4].tolist()
        [576, 577, 578, 579]
        """
        rows: Array = self.shared[self.map._where(self.at)]
        return rows

    def __repr__(self) -> str:
        return "Box of %u bytes at %#x, %u of them out of bounds" % (self.bytes, self.at, self.outside)


class TensorMap(Drawn):
    """A tensor map; `wsim.tensor_map` makes it. As an argument of a kernel it is the 128 bytes of a
    `__grid_constant__`.

    >>> import wsim
    >>> len(bytes(wsim.tensor_map(dtype="UINT8", dims=(256,), box=(128,))))
    128
    """

    def __init__(self, raw: Any, arch: ArchLike, array: Array | None) -> None:
        self._raw = owned(raw, "struct wsim_tensor *", "wsim.TensorMap", "wsim.tensor_map(array, box=...)")
        self._arch, self.array = row_of(arch), array
        self._map, diag = ffi.new("struct wsim_tensor_map *"), new_diag()
        check(lib.wsim_tensor_encode(raw, self._arch, self._map, diag), diag)
        self.arch, self.rank, self._mode = text_of(lib.wsim_arch_name(self._arch)), int(raw.rank), int(raw.swizzle)

    def __bytes__(self) -> bytes:
        return bytes(ffi.buffer(self._map))

    @property
    def tile(self) -> dict[str, Any]:
        """The extent of one copy. `extent` has the elements of each dimension. There are `rows` of `inner` bytes each,
        with a distance of `pitch`. The barrier counts `bytes`; shared memory needs `room`. The swizzle has a period of
        `repeat` bytes.

        >>> import wsim
        >>> wsim.tensor_map(dtype="FLOAT16", dims=(64, 64), strides=(128,), box=(64, 8), swizzle="128B").tile["bytes"]
        1024
        """
        raw = lib.wsim_tensor_measure(self._raw)
        tile: dict[str, Any] = {
            name: int(getattr(raw, name))
            for name in ("element_bits", "inner", "pitch", "rows", "bytes", "room", "span", "repeat")
        }
        tile["extent"] = tuple(raw.extent[0 : self.rank])
        return tile

    def load(
        self,
        coords: Coords,
        offsets: Coords = (),
        at: int = 0,
        global_memory: Array | None = None,
        shared: Array | None = None,
        barrier: Mbarrier | int | None = None,
    ) -> Box:
        """Loads the box at `coords` (dimension 0 first, as in the instruction) to shared memory at address `at`. Global
        memory is the array of the map, or an array that begins at the map's base. `shared`, if given, is used in place;
        the bytes complete on a `barrier` in it.

        >>> import numpy as np, wsim
        >>> box = wsim.tensor_map(np.ones((16, 16), np.float32), box=(16, 8)).load((8, 8))
        >>> box.bytes, box.outside
        (512, 256)
        """
        self._needs_memory(global_memory)
        words = self._words(coords, offsets, at)
        at, room = words["shared_at"], int(self.tile["room"])
        if shared is None:
            shared = np.zeros(at + room, np.uint8)
        done = self._copy(self._load, words, shared, 0, global_memory, barrier)
        whole = memory_of(shared, "shared").reshape(-1).view(np.uint8)
        return Box(self, whole[at : at + room], at, done.bytes, done.outside, words["coords"], words["offsets"])

    def lay(self, rows: Array, at: int = 0) -> Array:
        """Lays rows (like those of `Box.rows`, of any type) into shared memory from address `at` as the map requires.
        `store` takes the result.

        >>> import numpy as np, wsim
        >>> tma = wsim.tensor_map(np.zeros((64, 64), np.float16), box=(64, 8), swizzle="128B")
        >>> tma.lay(np.arange(512, dtype=np.float16))[128:].view(np.float16)[:4].tolist()
        [72.0, 73.0, 74.0, 75.0]
        """
        where = self._where(integer(at, "at", 0, 2**20))
        given = memory_of(np.ascontiguousarray(rows), "rows", write=False)
        if given.nbytes != where.size:
            raise ValueError("rows have %u bytes; the box has %u rows of %u" % (given.nbytes, *where.shape))
        laid = np.zeros(max(int(where.max()) + 1, int(self.tile["room"])), np.uint8)
        laid[where] = given.reshape(-1).view(np.uint8).reshape(where.shape)
        return laid

    def store(
        self,
        shared: Array | Box,
        coords: Coords,
        at: int = 0,
        global_memory: Array | None = None,
        op: str | None = None,
    ) -> Copied:
        """Stores a box from shared memory to `coords` of the map's array, in place. `shared` holds the bytes from
        address `at` on: a result of `lay`, or a `Box`. `op`, such as "add" or "max", reduces into the array instead.

        >>> import numpy as np, wsim
        >>> tensor = np.ones((16, 16), np.float32)
        >>> tma = wsim.tensor_map(tensor, box=(16, 8))
        >>> tma.store(tma.lay(np.full((8, 16), 2, np.float32)), (0, 12))
        Copied(bytes=512, outside=256, padding=0, measured=True)
        >>> tensor[11:13, 0].tolist()
        [1.0, 2.0]
        >>> tma.store(tma.load((0, 12)), (0, 8), op="add").bytes
        512
        >>> tensor[8:, 0].tolist()
        [3.0, 3.0, 3.0, 3.0, 2.0, 2.0, 2.0, 2.0]
        """
        self._needs_memory(global_memory)
        if isinstance(shared, Box):
            at, shared = shared.at, shared.shared
        mode = "im2col_no_offs" if self._raw.mode == lib.WSIM_TENSOR_IM2COL else "tile"
        way = "cp.async" if op is None else "cp.reduce.async"
        word = "" if op is None else "." + c_text(op, "op").decode()
        words = self._words(coords, (), at, stores=True)
        copy = spelled("%s.bulk.tensor.%ud.global.shared::cta%s.%s.bulk_group" % (way, self.rank, word, mode))
        return self._copy(copy, words, shared, at, global_memory, None)

    def _copy(
        self,
        copy: Instruction,
        words: Any,
        shared: Array,
        shared_base: int,
        global_memory: Array | None,
        barrier: Mbarrier | int | None,
    ) -> Copied:
        """Executes a bulk copy between an array and shared memory; the library checks write access."""
        code, io = copy._prepare(self.arch, False), Io(copy._info.view)
        io.copy(self, words["coords"], words["offsets"], barrier)
        io.bulk.shared_at = words["shared_at"]
        io.memory("shared", memory_of(shared, "shared", write=False), integer(shared_base, "at", 0, 0xFFFFFFFF))
        tensor = self.array if global_memory is None else memory_of(global_memory, "global_memory", write=False)
        assert tensor is not None  # _needs_memory
        io.memory("global", tensor, int(self._raw.base))
        io.run(code)
        return io.moved()

    def _needs_memory(self, given: Array | None) -> None:
        if given is None and self.array is None:
            raise ValueError("the map has no array: pass global_memory, whose first byte is at the map's base")

    def _where(self, at: int) -> Array:
        """The offset from address `at` of each byte of each row, swizzled."""
        tile = self.tile
        count, pitch = int(tile["rows"]), int(tile["pitch"])
        if at % 128:
            raise ValueError("at is %d; a tile begins at a multiple of 128" % at)
        logical = np.arange(count * pitch, dtype=np.uint32) + np.uint32(at)
        found = np.empty_like(logical)
        lib.loop_swizzle(self._mode, logical.size, pointer("const uint32_t *", logical), pointer("uint32_t *", found))
        where: Array = (found - np.uint32(at)).reshape(count, pitch)[:, : int(tile["inner"])]
        return where

    def picture(
        self, coords: Sequence[int] | None = None, offsets: Sequence[int] = (), at: int = 0, boxes: bool = False
    ) -> Picture:
        """The places of a loaded box in shared memory: lines by banks; cells show row:piece of the tile. `boxes` adds
        the tile in the order of the tensor.

        >>> import wsim
        >>> tma = wsim.tensor_map(dtype="FLOAT16", dims=(64, 64), strides=(128,), box=(64, 8), swizzle="128B")
        >>> print(tma.picture().write("csv").splitlines()[1])
        0x00000,0,0,16,16
        """
        words = self._words((0,) * self.rank if coords is None else coords, offsets, at)
        load, bulk = self._load, ffi.new("struct wsim_bulk *")
        bulk.map, bulk.shared_at, bulk.coord[0 : self.rank] = self._map, words["shared_at"], words["coords"]
        bulk.offset[0 : len(words["offsets"])] = words["offsets"]
        tile, shape = (
            ffi.new("struct wsim_tile_map *"),
            ffi.new("struct wsim_tensor_tile *", lib.wsim_tensor_measure(self._raw)),
        )
        made, diag = ffi.new("struct wsim_picture *"), new_diag()
        lib.wsim_tile_open(load._raw, self._arch, bulk, shape, tile)
        pieces = ffi.new("struct wsim_tile_piece[]", 8 * tile.lines)
        tile.boxes = flag(boxes, "boxes")
        check(lib.wsim_tile_fill(tile, pieces, diag), diag)
        lib.wsim_picture_tile(tile, made)
        return Picture(made, tile, pieces, shape, bulk, load, self)

    def _words(self, coords: Coords, offsets: Coords, at: int, stores: bool = False) -> Any:
        """The operands of a copy except for memory, named as in `Op.run`."""
        if self._raw.mode not in (lib.WSIM_TENSOR_TILED, lib.WSIM_TENSOR_IM2COL):
            raise ValueError("load and store take tiled and im2col maps; Op.run executes the other copies")
        if self.tile["room"] > 2**20:
            raise ValueError("the tile takes %u bytes, more than any shared memory has" % self.tile["room"])
        count = self.rank - 2 if self._raw.mode == lib.WSIM_TENSOR_IM2COL and not stores else 0
        return {
            "coords": numbers(coords, "coords", self.rank, -(2**31), 2**31 - 1),
            "offsets": numbers(offsets if len(offsets) else (0,) * count, "offsets", count, 0, 65535),
            "shared_at": integer(at, "at", 0, 2**20),
        }

    @property
    def _load(self) -> Instruction:
        pixels = self._raw.mode == lib.WSIM_TENSOR_IM2COL
        return spelled(
            "cp.async.bulk.tensor.%ud.shared::cluster.global.%s.mbarrier::complete_tx::bytes"
            % (self.rank, "im2col" if pixels else "tile")
        )

    def __repr__(self) -> str:
        tile = self.tile
        return "TensorMap of %s %s, box %s, swizzle %s: %u bytes, %u of shared memory" % (
            text_of(lib.wsim_tensor_name(lib.WSIM_TENSOR_LIST_DTYPE, self._raw.dtype)),
            " x ".join(str(size) for size in self._raw.dims[0 : self.rank]),
            " x ".join(map(str, tile["extent"])),
            text_of(lib.wsim_swizzle_name(self._mode)),
            tile["bytes"],
            tile["room"],
        )


def tensor_map(
    array: Array | None = None,
    *,
    box: Sequence[int] = (),
    dtype: str | None = None,
    dims: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
    base: int | None = None,
    estrides: Sequence[int] | None = None,
    swizzle: str = "NONE",
    interleave: str = "NONE",
    oob: str = "ZERO",
    l2: int = 0,
    mode: str = "tiled",
    lower: Sequence[int] = (),
    upper: Sequence[int] = (),
    channels: int = 0,
    pixels: int = 0,
    arch: ArchLike = DEFAULT,
) -> TensorMap:
    """Makes a tensor map with the checks of the driver; a refusal names the rule. Parameters are those of
    cuTensorMapEncodeTiled and Im2col. Dimension 0 is the innermost and comes first, also in `box`: (columns, rows). An
    array supplies type, dims, strides and base: its last axis is dimension 0. Without `strides` the tensor has no gaps.
    Words are those of the driver, or common others: "f16", "Swizzle<3,4,3>".

    >>> import numpy as np, wsim
    >>> wsim.tensor_map(np.zeros((64, 128), np.float16), box=(64, 32), swizzle="128B")
    TensorMap of FLOAT16 128 x 64, box 64 x 32, swizzle 128B: 4096 bytes, 4096 of shared memory
    >>> try:
    ...     wsim.tensor_map(np.zeros((64, 128), np.float16), box=(128, 32), swizzle="128B")
    ... except wsim.Refused as why:
    ...     print(why.rule)
    tensor.row.swizzle
    """
    raw = ffi.new("struct wsim_tensor *")
    raw.mode, raw.swizzle = _value("MODE", mode, "mode"), mode_of(swizzle)
    raw.interleave, raw.oob = _value("INTERLEAVE", interleave, "interleave"), _value("OOB", oob, "oob")
    raw.l2, raw.channels, raw.pixels = (
        integer(value, name, 0, 2**32 - 1) for name, value in (("l2", l2), ("channels", channels), ("pixels", pixels))
    )
    if array is not None:
        array = _tensor_array(array)
        dtype = _type_name(array.dtype) if dtype is None else dtype
        dims = array.shape[::-1] if dims is None else dims
        strides = array.strides[-2::-1] if strides is None else strides
        base = address_of(array) if base is None else base
    if dtype is None or dims is None:
        raise TypeError("a tensor map needs an array, or dtype and dims")
    raw.dtype = _value("DTYPE", dtype, "dtype")
    dims = list(dims)
    if not 1 <= len(dims) <= RANK:
        raise ValueError("dims has %u numbers; a tensor has 1 to %u dimensions" % (len(dims), RANK))
    rank = raw.rank = len(dims)
    tiled, spatial = raw.mode == lib.WSIM_TENSOR_TILED, max(rank - 2, 0)
    raw.base = integer(0 if base is None else base, "base", 0, 2**64 - 1)
    raw.dims[0:rank] = numbers(dims, "dims", rank, 0, 2**64 - 1)
    if strides is None:
        diag = new_diag()
        check(lib.wsim_tensor_pack(raw, diag), diag)
    else:
        raw.strides[0 : rank - 1] = numbers(strides, "strides", rank - 1, 0, 2**64 - 1)
    raw.estrides[0:rank] = numbers((1,) * rank if estrides is None else estrides, "estrides", rank, 0, 2**32 - 1)
    if tiled:
        raw.box[0:rank] = numbers(box, "box", rank, 0, 2**32 - 1)
    else:
        raw.lower[0:spatial] = numbers(lower, "lower", spatial, -(2**31), 2**31 - 1)
        raw.upper[0:spatial] = numbers(upper, "upper", spatial, -(2**31), 2**31 - 1)
    return TensorMap(raw, arch, array)


def _tensor_array(array: object) -> Array:
    """Checks an array as a tensor: the innermost stride is one element, all others are positive."""
    if not isinstance(array, np.ndarray) or isinstance(array, np.ma.MaskedArray):
        raise TypeError("the tensor has to be a NumPy array, not %s" % type(array).__name__)
    if not 1 <= array.ndim <= RANK:
        raise ValueError("the array has %u axes; a tensor has 1 to %u dimensions" % (array.ndim, RANK))
    if array.dtype.hasobject or not array.dtype.isnative:
        raise TypeError("a tensor cannot have elements of %s" % array.dtype)
    if array.strides[-1] != array.dtype.itemsize or any(stride <= 0 for stride in array.strides):
        raise ValueError(
            "the array has strides %s; elements of its last axis have to be neighbours, and other strides positive"
            % (array.strides,)
        )
    return array


__all__ = ["Box", "Refused", "TensorMap", "tensor_map"]
