"""A kernel's test on a machine without a GPU: its product, bit for bit, and that its loads have no conflicts.

pytest test_gemm.py
"""

from pathlib import Path

import numpy as np
import pytest

import wsim

PTX = Path(__file__).resolve().parents[1] / "kernels" / "gemm_mma.ptx"


@pytest.fixture(scope="module")
def gemm():
    return wsim.Module(PTX).kernel("gemm_mma")


@pytest.mark.parametrize("m, n, k", [(64, 64, 32), (128, 64, 96)])
def test_product(gemm, m, n, k, wsim_arch):
    rng = np.random.default_rng(m + n + k)
    a, b = rng.integers(-4, 5, (m, k)).astype(np.float16), rng.integers(-4, 5, (n, k)).astype(np.float16)
    c = np.full((m, n), np.nan, np.float32)
    gemm[(n // 64, m // 64), 128](a, b, c, m, n, k, arch=wsim_arch)
    wsim.assert_bits_equal(c, (a.astype(np.float64) @ b.T.astype(np.float64)).astype(np.float32))


def test_shared_memory_is_read_without_conflicts(gemm):
    a, b, c = np.zeros((64, 64), np.float16), np.zeros((64, 64), np.float16), np.zeros((64, 64), np.float32)
    lines = gemm[1, 128](a, b, c, 64, 64, 64).lines
    assert [line["ptx_line"] for line in lines if "ldmatrix" in line["opcode"] and line["conflicts"]] == []


def test_a_matrix_that_is_too_small_is_found(gemm):
    a, b, c = np.zeros((64, 64), np.float16), np.zeros((64, 64), np.float16), np.zeros((64, 63), np.float32)
    with pytest.raises(wsim.Finding) as found:
        gemm[1, 128](a, b, c, 64, 64, 64)
    assert found.value.rule == "memory.bounds" and found.value.file == "gemm_mma.cu"
