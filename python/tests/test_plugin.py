"""The plugin of pytest, in runs of its own, and what assert_bits_equal says."""

import numpy as np
import pytest

import wsim

pytest_plugins = ["pytester"]

TEST = """
import numpy as np, pytest, wsim

@pytest.mark.gpu
def test_on_a_gpu():
    assert True

def test_here(wsim_arch, wsim_device, bits_equal):
    assert wsim.arch(wsim_arch).name == wsim_device.arch
    bits_equal(np.zeros(3), np.zeros(3))
"""


@pytest.fixture
def no_gpu(monkeypatch):
    monkeypatch.setattr("wsim.pytest_plugin.find_gpu", lambda: "")


def test_without_a_gpu_tests_are_skipped_and_counted(pytester, no_gpu):
    pytester.makepyfile(TEST)
    result = pytester.runpytest_inprocess("--strict-markers")
    result.assert_outcomes(passed=2, skipped=1)
    result.stdout.fnmatch_lines(["wsim: 1 test marked gpu did not run"])


def test_where_a_gpu_is_required_they_fail(pytester, no_gpu):
    pytester.makepyfile(TEST)
    pytester.runpytest_inprocess("--wsim-gpu=require").assert_outcomes(passed=2, errors=1)


def test_with_a_gpu_they_run(pytester, monkeypatch):
    monkeypatch.setattr("wsim.pytest_plugin.find_gpu", lambda: "NVIDIA H200")
    pytester.makepyfile(TEST)
    pytester.runpytest_inprocess().assert_outcomes(passed=3)
    pytester.runpytest_inprocess("--wsim-gpu=skip").assert_outcomes(passed=2, skipped=1)


def test_architectures_are_chosen(pytester, no_gpu):
    pytester.makepyfile(TEST)
    pytester.runpytest_inprocess("--wsim-arch=sm_80,sm_89", "--wsim-arch", "b200").assert_outcomes(passed=3, skipped=1)


@pytest.mark.parametrize(
    "got, want, said",
    [
        (
            np.float32([1, 2, 3]),
            np.float32([1, 2.5, 3]),
            r"1 of 3 elements differs, first \[1\]: 2.0 \(0x40000000\), expected 2.5 \(0x40200000\)",
        ),
        (np.float16([np.nan]), np.uint16([0x7E01]).view(np.float16), r"nan \(0x7e00\), expected nan \(0x7e01\)"),
        (
            np.zeros((2, 3), np.int8),
            np.ones((2, 3), np.int8),
            r"6 of 6 elements differ, first \[0, 0\]: 0 \(0x00\), expected 1 \(0x01\)",
        ),
        (np.zeros(2, np.float32), np.zeros(2), "dtype is float32, expected float64"),
        (np.zeros(2), np.zeros((1, 2)), r"shape is \(2,\), expected \(1, 2\)"),
        (np.zeros(2, complex), np.zeros(2, complex) + 1j, r"2 of 2 elements differ, first \[0\]"),
        (np.float64(0.0), np.float64(-0.0), r"1 of 1 element differs, first \[\]"),
    ],
)
def test_the_first_difference(got, want, said):
    wsim.assert_bits_equal(got, got)
    with pytest.raises(AssertionError, match=said):
        wsim.assert_bits_equal(got, want)


def test_where_it_is_in_the_registers():
    layout = wsim.op("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").layout("a")
    a = np.zeros((16, 16), np.float16)
    b = a.copy()
    b[9, 3] = 1
    with pytest.raises(
        AssertionError, match=r"\[9, 3\], lane 5 register 1 bits 16-31: 0.0 \(0x0000\), expected 1.0 \(0x3c00\)"
    ):
        wsim.assert_bits_equal(a, b, layout)
