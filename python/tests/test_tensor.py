"""Tensor maps against slices of NumPy arrays."""

import numpy as np
import pytest

import wsim

TENSOR = np.arange(1, 64 * 64 + 1, dtype=np.uint16).reshape(64, 64)


@pytest.mark.parametrize("swizzle, columns", [("NONE", 24), ("32B", 16), ("64B", 32), ("128B", 64)])
@pytest.mark.parametrize("at", [0, 1024])
def test_a_box_is_a_slice(swizzle, columns, at):
    box = wsim.tensor_map(TENSOR, box=(columns, 16), swizzle=swizzle).load((0, 8), at=at)
    assert (box.rows.view(np.uint16) == TENSOR[8:24, :columns]).all() and box.outside == 0
    if swizzle == "NONE":
        assert (box.shared.view(np.uint16).reshape(16, columns) == TENSOR[8:24, :columns]).all()
    else:
        assert not (box.shared[: box.bytes].view(np.uint16) == TENSOR[8:24, :columns].reshape(-1)).all()


def test_what_is_outside_is_zero():
    box = wsim.tensor_map(TENSOR, box=(16, 8)).load((56, 60))
    rows = box.rows.view(np.uint16)
    assert (rows[:4, :8] == TENSOR[60:, 56:]).all() and not rows[4:].any() and not rows[:, 8:].any()
    assert box.outside == 2 * (16 * 8 - 4 * 8)
    nan = wsim.tensor_map(TENSOR.astype(np.float32), box=(16, 8), oob="NAN").load((-8, 0))
    assert np.isnan(nan.rows.view(np.float32)[:, :8]).all()


def test_a_view_of_an_array_is_a_tensor_with_strides():
    view = TENSOR[:, 8:40][::2]
    box = wsim.tensor_map(view, box=(32, 4)).load((0, 1))
    assert (box.rows.view(np.uint16) == view[1:5]).all()
    volume = np.arange(4 * 8 * 16, dtype=np.float32).reshape(4, 8, 16)
    box = wsim.tensor_map(volume, box=(8, 4, 2)).load((4, 2, 1))
    assert (box.rows.view(np.float32).reshape(2, 4, 8) == volume[1:3, 2:6, 4:12]).all()


def test_pixels():
    picture = np.arange(1 * 6 * 6 * 8, dtype=np.float32).reshape(1, 6, 6, 8)
    tma = wsim.tensor_map(picture, mode="im2col", lower=(0, 0), upper=(-2, -2), channels=8, pixels=16)
    box = tma.load((0, 0, 0, 0), offsets=(1, 2))
    want = np.stack([picture[0, 2 + i // 4, 1 + i % 4] for i in range(16)])
    assert (box.rows.view(np.float32) == want).all()


def test_without_an_array():
    tma = wsim.tensor_map(dtype="FLOAT16", dims=(64, 64), strides=(128,), box=(64, 8), swizzle="128B")
    with pytest.raises(ValueError, match="global_memory"):
        tma.load((0, 0))
    box = tma.load((0, 3), global_memory=TENSOR)
    assert (box.rows.view(np.uint16) == TENSOR[3:11]).all()
    with pytest.raises(wsim.Refused) as why:
        tma.load((0, 0), global_memory=TENSOR[:4].copy())
    assert why.value.status == "bounds"
    assert tma.tile == {
        "element_bits": 16,
        "inner": 128,
        "pitch": 128,
        "rows": 8,
        "bytes": 1024,
        "room": 1024,
        "span": 128,
        "repeat": 1024,
        "extent": (64, 8),
    }


def test_words_of_others():
    plain = wsim.tensor_map(dtype="FLOAT16", dims=(64, 64), strides=(128,), box=(64, 8), swizzle="128B")
    for dtype, swizzle in (
        ("f16", "Swizzle<3,4,3>"),
        ("CU_TENSOR_MAP_DATA_TYPE_FLOAT16", "CU_TENSOR_MAP_SWIZZLE_128B"),
        ("half", "GMMA::Layout_K_SW128_Atom<half_t>"),
    ):
        # Strides that are left out are those of a tensor without gaps.
        same = wsim.tensor_map(dtype=dtype, dims=(64, 64), box=(64, 8), swizzle=swizzle)
        assert bytes(same) == bytes(plain)
    assert wsim.tensor_map(dtype="f32", dims=(16, 16), box=(8, 8), arch="NVIDIA H100 80GB HBM3").arch == "sm_90a"
    with pytest.raises(wsim.Refused) as why:
        wsim.tensor_map(dtype="f16", dims=(9, 4), box=(8, 4))
    assert why.value.status == "align"


@pytest.mark.parametrize(
    "change",
    [
        {"box": (257, 1)},
        {"box": (0, 1)},
        {"strides": (100,)},
        {"base": 8},
        {"dims": (0, 64)},
        {"estrides": (9, 1)},
        {"swizzle": "32B"},
        {"interleave": "16B"},
        {"oob": "NAN", "dtype": "INT32"},
        {"l2": 4},
        {"arch": "a100"},
    ],
)
def test_what_the_driver_would_not_make_is_refused(change):
    fine = {"dtype": "FLOAT16", "dims": (64, 64), "strides": (128,), "box": (64, 8)}
    wsim.tensor_map(**fine)
    with pytest.raises(wsim.Refused) as why:
        wsim.tensor_map(**{**fine, **change})
    assert why.value.rule.startswith(("tensor.", "arch."))


@pytest.mark.parametrize(
    "change",
    [
        {"box": (64,)},
        {"box": (64, 8, 1)},
        {"dims": ()},
        {"dims": (1,) * 6},
        {"strides": (128, 1)},
        {"dtype": "FLOAT17"},
        {"dtype": None},
        {"swizzle": "129B"},
        {"swizzle": 3},
        {"box": (64, -1)},
        {"box": ("a", 1)},
        {"dims": (2**64, 1)},
        {"base": -1},
        {"mode": "tile"},
        {"box": (1.5, 2)},
    ],
)
def test_words_and_counts(change):
    with pytest.raises((ValueError, TypeError)):
        wsim.tensor_map(**{"dtype": "FLOAT16", "dims": (64, 64), "strides": (128,), "box": (64, 8), **change})


@pytest.mark.parametrize(
    "array",
    [
        np.zeros((4, 4), object),
        np.zeros((4, 4), ">f4"),
        np.zeros((4, 4))[:, ::-1],
        np.zeros((4, 8))[:, ::2],
        np.broadcast_to(np.zeros(4, np.float32), (4, 4)),
        np.float32(1),
        np.zeros((2,) * 6),
        "text",
        np.zeros((2, 2), "V3"),
        np.zeros((4, 4), complex),
    ],
)
def test_arrays_that_are_no_tensor(array):
    with pytest.raises((ValueError, TypeError)):
        wsim.tensor_map(array, box=(4, 4))
