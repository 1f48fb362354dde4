"""The evidence for an answer of the library."""

from __future__ import annotations

from dataclasses import dataclass

from ._arch import DEFAULT, ArchLike, row_of
from ._core import chosen, text_of
from ._ops import Op, op_of
from ._wsim import ffi, lib

CLAIMS = {"results": "WSIM_RESULTS", "counts": "WSIM_COUNTS"}


@dataclass(frozen=True)
class Recording:
    """A file of GPU recordings, and the number of its recordings of the instruction."""

    file: str
    gpu: str
    driver: str
    date: str
    arch: str
    number: int


@dataclass(frozen=True, repr=False)
class Evidence:
    """`word` is "hardware", "published", "documented", "inferred", or None without a model. `source` names the source,
    `caveat` its limits."""

    word: str | None
    source: str
    caveat: str
    recordings: tuple[Recording, ...]

    def __repr__(self) -> str:
        if self.word is None:
            return "Evidence: none, there is no model"
        files = "; %u recordings" % len(self.recordings) if self.recordings else ""
        caveat = "; but %s" % self.caveat if self.caveat else ""
        return "Evidence: %s (%s)%s%s" % (self.word, self.source, files, caveat)


def evidence(op: Op | str, arch: ArchLike = DEFAULT, claim: str = "results") -> Evidence:
    """The evidence for the "results" of an instruction, or for its "counts".

    >>> import wsim
    >>> wsim.evidence("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "h100").word
    'hardware'
    """
    chosen(claim, "claim", CLAIMS)
    raw, row, what = op_of(op)._raw, row_of(arch), getattr(lib, CLAIMS[claim])
    source, cursor, one = ffi.new("char const **"), ffi.new("uint32_t *"), ffi.new("struct wsim_recording *")
    word = lib.wsim_op_evidence(raw, row, what, source)
    recordings = []
    while word != ffi.NULL and lib.wsim_op_recording(raw, row, what, cursor, one):
        recordings.append(
            Recording(
                text_of(one.file),
                text_of(one.gpu),
                text_of(one.driver),
                text_of(one.date),
                text_of(lib.wsim_arch_name(one.arch)),
                one.number,
            )
        )
    return Evidence(
        None if word == ffi.NULL else text_of(word),
        "" if word == ffi.NULL else text_of(source[0]),
        text_of(lib.wsim_op_caveat(raw, row, what)),
        tuple(recordings),
    )
