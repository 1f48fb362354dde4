"""Calls classes of the package with any arguments: they raise or make an object that is safe to use, and never crash.

`python test_constructors.py SEED ROUNDS` makes the calls; the test runs it in other processes, which may die."""

import dataclasses
import inspect
import random
import subprocess
import sys
import types

import numpy as np
import pytest

import wsim

CLASSES = [thing for thing in map(vars(wsim).get, wsim.__all__) if inspect.isclass(thing)] + [wsim.desc.Descriptor]


def good():
    """Valid arguments of classes that only functions make."""
    op = wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
    sparse = wsim.op("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
    a, b, tensor, shared = np.ones((16, 16)), np.ones((16, 8)), np.zeros((16, 16), np.float32), np.zeros(4096, np.uint8)
    layout, done = op.layout("d"), op.run(a=a, b=b)
    tma, picture = wsim.tensor_map(tensor, box=(16, 8)), layout.picture()
    known = {
        wsim.Op: (op._raw,),
        wsim.Layout: (op, "d", None, layout._raw),
        wsim.Picture: (picture._raw, *picture._keep),
        wsim.TensorMap: (tma._raw, "h100", tensor),
        wsim.Box: (tma, shared, 0, 512, 0, (0, 0), ()),
        wsim.Result: (op, "sm_90a", layout, done._registers, None),
        wsim.Mbarrier: (shared, 0, 1),
        wsim.Swizzle: ("128B",),
        wsim.Device: ("h100",),
        wsim.Module: (".version 8.0\n.target sm_80\n.address_size 64\n",),
    }
    made = [
        op.why(0, 0, a=a, b=b),
        op.tile("a") if op.family == "wgmma" else wsim.op("wgmma.m64n16k16.f32.f16.f16").tile("b"),
        wsim.banks("ld.shared.u32", lambda lane: 8 * lane),
        wsim.banks("cp.async.ca.shared.global", lambda lane: 8 * lane, bytes=4),
        sparse.metadata(sparse.compress(np.zeros((16, 16)))[1]),
        wsim.suggest([("ld.shared.u32", lambda lane: 128 * lane)])[1],
        wsim.compare(op, ["a100", "h100"], a=a, b=b),
        wsim.desc.Descriptor(0, 16, 128),
        wsim.arch("h100"),
        wsim.evidence(op),
    ]
    for one in made:
        known[type(one)] = tuple(getattr(one, field.name) for field in dataclasses.fields(one))
    return known


def odd(known):
    """Arguments of wrong types."""
    values = [None, 0, -1, 1, 2**64, 1.5, "text", "d", "", b"", b"\0" * 64, [], (), {}, [[]], [0], (None,), [b""]]
    values += [object(), Ellipsis, types.SimpleNamespace(), range(3), lambda lane: lane, "128B", float("nan")]
    values += [np.zeros(0), np.zeros(1, np.uint32), np.zeros((32, 4), np.uint32), np.zeros((4, 32), np.uint32)]
    values += [np.zeros(3, object), np.float16(1), np.zeros(2, "V7"), np.ones(8)[::-1]]
    return values + [value for given in known.values() for value in given]


def look(thing):
    """Uses everything that an object offers without arguments."""
    calls = [lambda: repr(thing), lambda: str(thing), lambda: hash(thing), lambda: bytes(thing), lambda: list(thing)]
    calls += [lambda: thing == thing, lambda: thing(0), lambda: thing(), lambda: thing._repr_svg_()]
    for name in dir(type(thing)):
        if not name.startswith("_"):
            calls += [lambda name=name: getattr(thing, name), lambda name=name: getattr(thing, name)()]
    for call in calls:
        try:
            call()
        except Exception:
            pass


def attack(seed, rounds):
    draw, known, made = random.Random(seed), good(), 0
    values = odd(known)
    for _ in range(rounds):
        kind = draw.choice(CLASSES)
        if kind in known and draw.random() < 0.7:
            given = list(known[kind])
            for _ in range(draw.choice((0, 1, 1, 1, 2))):
                given[draw.randrange(len(given))] = draw.choice(values)
        else:
            given = [draw.choice(values) for _ in range(draw.choice((0, 1, 1, 2, 3, len(known.get(kind, ())))))]
        print(kind.__name__, [type(one).__name__ for one in given], file=sys.stderr)
        try:
            thing = kind(*given)
        except Exception:
            continue
        made += 1
        look(thing)
    print("%d of %d calls made something" % (made, rounds))


@pytest.mark.parametrize("seed", range(4))
def test_constructors(seed):
    ran = subprocess.run([sys.executable, __file__, str(seed), "1500"], capture_output=True, text=True)
    assert ran.returncode == 0, "exit %d after %s" % (ran.returncode, ran.stderr.splitlines()[-3:])
    assert int(ran.stdout.split()[0]) > 150


@pytest.mark.parametrize("name", ["Picture", "Op", "Layout", "TensorMap", "Finding", "Report", "Suggestion", "Why"])
@pytest.mark.parametrize("given", [[], (), None, [[]], b"", 0, "x"])
def test_a_pointer_is_not_anything(name, given):
    kind = getattr(wsim, name)
    wanted = [one for one in inspect.signature(kind).parameters.values() if one.kind is one.POSITIONAL_OR_KEYWORD]
    with pytest.raises(TypeError, match="cannot be made of"):
        kind(*[given] * len(wanted))


if __name__ == "__main__":
    attack(int(sys.argv[1]), int(sys.argv[2]))


@pytest.mark.parametrize("name, words", [("check", "legal"), ("why", "op"), ("run", "Module"), ("layout", "layout")])
def test_commands_name_their_place(name, words):
    with pytest.raises(AttributeError, match=f"'{name}': wsim.*{words}"):
        getattr(wsim, name)
    assert not hasattr(wsim, "no_such_name")
