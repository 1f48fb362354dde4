"""Shared by the programs of this folder: operands, comparison, the command line, and the final report."""
import argparse
import os

import numpy as np
from wsim_launch import Refused, Wrong

RANDOM = np.random.default_rng(11)


def floats(shape, kind=np.float32, low=-2.0, high=2.0):
    return RANDOM.uniform(low, high, shape).astype(kind)


def to_bf16(array):
    """The bits of bfloat16, nearest even."""
    bits = np.ascontiguousarray(array, np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7fff + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def of_bf16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def near(got, want, error):
    """Equal, or within a relative and absolute error."""
    if got.dtype.names or not error:
        return np.array_equal(got, np.asarray(want).astype(got.dtype))
    wide = np.complex128 if np.iscomplexobj(got) else np.float64
    return np.allclose(got.astype(wide), np.asarray(want, wide), rtol=error, atol=error, equal_nan=True)


def command_line(arch, **more):
    """--arch, of the type of its default, --ptx FOLDER, the names of cases, and other options with their defaults."""
    options = argparse.ArgumentParser()
    options.add_argument("--arch", type=type(arch), default=arch)
    options.add_argument("--ptx")
    for name, default in more.items():
        options.add_argument("--" + name, default=default)
    options.add_argument("names", nargs="*")
    return options.parse_args()


def save_ptx(folder, name, ptx):
    """Writes the PTX, if requested."""
    if folder:
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, name + ".ptx"), "w") as file:
            file.write(ptx)


class Tally:
    """Prints a line for each kernel, and how many agree."""

    def __init__(self):
        self.count = self.bad = 0

    def judge(self, name, run):
        """run() launches, and returns the report and whether each array is right."""
        try:
            report, right = run()
            said = "agrees" if all(right) else "DIFFERS %s" % right
            said += ", %d instructions" % report["launches"][0]["instructions"]
        except (Refused, Wrong) as error:
            right, said = [False], "%s: %s" % (type(error).__name__, str(error)[:600])
        self.add(name, said, all(right))

    def add(self, name, said, right):
        self.count += 1
        self.bad += not right
        print("%-24s %s" % (name, said), flush=True)

    def end(self, of=""):
        """The exit status."""
        print("%d of %d kernels agree%s" % (self.count - self.bad, self.count, of))
        return 1 if self.bad else 0
