"""Kernels of Triton: what a launch does with the arguments. Triton itself is not needed."""

from types import SimpleNamespace as Space

import numpy as np
import pytest

import wsim

SIZES = {1: "b8", 2: "b16", 4: "b32", 8: "b64"}


def copier(sizes, extra=2):
    """PTX in the manner of Triton's, with scratch pointers at the end. Parameter 0 points to the output. The kernel
    writes the bytes of all others there, each at a multiple of 8."""
    count = len(sizes) + 1 + extra
    params = [".param .u64 .ptr .global .align 1 k_param_0"]
    params += [".param .%s k_param_%u" % (SIZES.get(n, ".align 64 .b8"), i) for i, n in enumerate(sizes, 1)]
    params = [one.replace(".%s " % ".align", ".align ") for one in params]
    params += [".param .u64 .ptr .global .align 1 k_param_%u" % i for i in range(len(sizes) + 1, count)]
    body = ""
    for i, n in enumerate(list(sizes) + [8] * extra, 1):
        body += "ld.param.%s %%v%u, [k_param_%u];\nst.global.%s [%%out+%u], %%v%u;\n" % (
            SIZES[n], n, i, SIZES[n], 8 * i, n,
        )
    return (
        ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(%s)\n.reqntid 32\n{\n"
        ".reg .b64 %%out, %%v8;\n.reg .b32 %%v4;\n.reg .b16 %%v2, %%v1;\n"
        "ld.param.b64 %%out, [k_param_0];\n%sret;\n}\n" % (", ".join(params), body)
    )


def run(kinds, values, sizes, extra=2, **metadata):
    signature = {"out": "*i8", **{"a%u" % i: kind for i, kind in enumerate(kinds)}}
    kernel = wsim.TritonKernel(
        signature, Space(**{"name": "k", "shared": 0, "num_warps": 1, **metadata}), copier(sizes, extra)
    )
    out = np.zeros(8 * (len(sizes) + 1 + extra), np.uint8)
    kernel[(1,)](out, *values, checks="memory,init")
    return [bytes(out[8 * i : 8 * i + n]) for i, n in enumerate(list(sizes) + [8] * extra, 1)]


def little(value, size):
    return (value % (1 << 8 * size)).to_bytes(size, "little")


def test_numbers():
    found = run(
        ["i1", "i8", "u16", "i32", "i64", "fp16", "bf16", "fp32", "fp64"],
        [True, -3, 65535, -5, 1 << 40, 0.1, -1.99999, 0.1, 0.1],
        [1, 1, 2, 4, 8, 2, 2, 4, 8],
    )
    assert found == [
        b"\1", b"\xfd", b"\xff\xff", little(-5, 4), little(1 << 40, 8), np.float16(0.1).tobytes(), b"\xff\xbf",
        np.float32(0.1).tobytes(), np.float64(0.1).tobytes(), bytes(8), bytes(8),
    ]  # fmt: skip


def test_constants_and_tuples():
    found = run(["constexpr", ("i32", "constexpr", ("fp32",)), "i32"], [7, (1, None, (2.0,)), 3], [4, 4, 4])
    assert found[:3] == [little(1, 4), np.float32(2).tobytes(), little(3, 4)]


def test_pointers():
    array = np.zeros(3, np.int16)
    found = run(["*i16", "*fp32", "*i8"], [array, None, 0x1234], [8, 8, 8])
    assert found[:3] == [little(array.ctypes.data, 8), bytes(8), little(0x1234, 8)]
    with pytest.raises(TypeError, match="a0 is a pointer; str is no tensor"):
        run(["*i16"], ["x"], [8])
    with pytest.raises(TypeError, match="takes 2 arguments"):
        run(["*i16"], [], [8])


def test_tensors():
    """Tensors of torch give their whole storage, also those that Triton wraps."""
    memory = np.zeros(64, np.uint8)
    base = int(memory.ctypes.data)
    storage = Space(data_ptr=lambda: base, nbytes=lambda: 64)
    tensor = Space(data_ptr=lambda: base + 16, untyped_storage=lambda: storage, device=Space(type="cpu"))
    wrapped = Space(data_ptr=lambda: base + 16, base=tensor)
    assert run(["*i8", "*fp8e5"], [tensor, wrapped], [8, 8])[:2] == [little(base + 16, 8)] * 2
    tensor.device = Space(type="cuda")
    with pytest.raises(ValueError, match="a0 is on .*; wsim takes tensors on the CPU"):
        run(["*i8"], [tensor], [8])


def test_scratch():
    """Scratch memory is aligned and may be written; without any the pointers are null."""
    found = run([], [], [], global_scratch_size=256, profile_scratch_size=0)
    assert int.from_bytes(found[0], "little") % 128 == 0 and found[0] != bytes(8) == found[1]
    assert run(["i32"], [1], [4], extra=0) == [little(1, 4)]


def test_descriptors_of_old_targets():
    """Without tensor maps: base, shape, strides, padding, rounding, shape, strides."""
    array = np.zeros((4, 8), np.float32)
    given = Space(base=array, shape=[4, 8], strides=[8, 1], padding="nan", round_f32_to_tf32=False)
    found = run(["tensordesc<fp32[4,8]>"], [given], [8, 8, 8, 8, 8, 1, 1, 4, 4, 8, 8])
    wide, narrow = [little(n, 8) for n in (4, 8, 8, 1)], [little(n, 4) for n in (4, 8)]
    assert found[:-2] == [little(array.ctypes.data, 8), *wide, b"\1", b"\0", *narrow, *wide[2:]]


def test_descriptors():
    """With tensor maps: the map by value, shape, strides."""
    array = wsim.aligned(np.zeros((64, 128), np.float16))
    given = Space(base=array, shape=[64, 128], strides=[128, 1], padding="zero", round_f32_to_tf32=False)
    meta = {"swizzle": 3, "elem_size": 2, "elem_type": 6, "block_size": [32, 64], "fp4_padded": False}
    memory = wsim._triton.Memory()
    found = list(wsim._triton._flat("d", "tensordesc<fp16[32,64]>", given, memory, iter([meta]), None))
    expected = wsim.tensor_map(array, box=(64, 32), swizzle="128B", l2=2)
    assert found[0] == bytes(expected)
    assert found[1:] == [little(64, 4), little(128, 4), little(128, 8), little(1, 8)]
    assert list(memory.buffers) == ["d"]


@pytest.mark.parametrize("estrides", [None, [1, 2, 1, 1]])
def test_descriptors_of_pixels(estrides):
    """A block of the mode im2col is pixels x channels. Corners begin with the outermost dimension."""
    array = wsim.aligned(np.zeros((2, 9, 7, 64), np.float16))
    given = Space(base=array, shape=[2, 9, 7, 64], strides=[9 * 7 * 64, 7 * 64, 64, 1], padding="nan")
    given.pixel_box_lower_corner, given.pixel_box_upper_corner = [-1, -2], [-3, 1]
    given.element_strides = estrides
    meta = {"swizzle": 2, "elem_size": 2, "elem_type": 6, "block_size": [24, 32], "fp4_padded": False}
    meta["is_im2col"] = True
    memory = wsim._triton.Memory()
    found = list(wsim._triton._flat("d", "tensordesc<fp16[24,32]>", given, memory, iter([meta]), None))
    expected = wsim.tensor_map(
        array,
        mode="im2col",
        pixels=24,
        channels=32,
        lower=(-2, -1),
        upper=(1, -3),
        estrides=None if estrides is None else (1, 1, 2, 1),
        swizzle="64B",
        oob="NAN",
        l2=2,
    )
    assert found[0] == bytes(expected)
    assert found[1:5] == [little(n, 4) for n in (2, 9, 7, 64)]


def test_findings_name_arguments():
    kernel = wsim.TritonKernel({"out": "*i8"}, Space(name="k", shared=0, num_warps=1), copier([], 1))
    with pytest.raises(wsim.Finding, match="writes 8 bytes at byte 8 of 'out', which has 8"):
        kernel[(1,)](np.zeros(8, np.uint8))


def test_fusion():
    """Triton's switch of fusion is that of the assembler."""
    ptx = (
        ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .b64 %p;\n.reg .f32 %x<4>;\n"
        "ld.param.u64 %p, [p];\nld.global.f32 %x1, [%p];\nmul.f32 %x2, %x1, %x1;\nadd.f32 %x3, %x2, 0fBF800000;\n"
        "st.global.f32 [%p], %x3;\nret;\n}\n"
    )
    found = []
    for fuses in (True, False):
        x = np.full(1, 1 + 2.0**-20, np.float32)
        metadata = Space(name="k", shared=0, num_warps=1, enable_fp_fusion=fuses)
        wsim.TritonKernel({"p": "*fp32"}, metadata, ptx)[(1,)](x, checks=False)
        found.append(float(x[0]))
    assert found == [2.0**-19 + 2.0**-40, 2.0**-19]


def test_what_triton_compiled():
    with pytest.raises(TypeError, match="takes a kernel that Triton compiled, not str"):
        wsim.triton("x")
    with pytest.raises(ValueError, match="no PTX"):
        wsim.triton(Space(asm={}, metadata=None, src=None))
