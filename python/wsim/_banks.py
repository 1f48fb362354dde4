"""The cost of an access to shared memory, by the spelling of its instruction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._core import written_out
from ._cost import Access, Addresses, Cost
from ._ops import Op, op_of

if TYPE_CHECKING:
    from typing_extensions import Unpack


@written_out(Access)
def banks(spelling: str | Op, addresses: Addresses, **access: Unpack[Access]) -> Cost:
    """The cost of an access. `addresses` are the addresses of 32 lanes, of the lanes that a matrix move reads, or a
    function of the lane. `mask` selects the active lanes: a number of 32 bits or 32 truth values. wmma has one address,
    and `stride`. cp.async has `source` offsets, `source_size`, `bytes` per lane, `warm` (the source is in L1) and
    `counters`: "hardware", or the "source" page.

    >>> import wsim
    >>> cost = wsim.banks("ld.shared.v4.u32", lambda lane: 16 * lane)
    >>> cost.wavefronts, cost.ideal, cost.conflicts
    (4, 4, 0)
    >>> rows = lambda lane: 144 * (lane % 16) + lane // 16 * 16
    >>> wsim.banks("ldmatrix.sync.aligned.m8n8.x4.shared.b16", rows).conflicts
    0
    """
    return op_of(spelling).cost(addresses, **access)
