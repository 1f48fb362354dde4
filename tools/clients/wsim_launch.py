"""Runs kernels of PTX on NumPy arrays through the program wsim: a launch file, its buffers, what they hold then.

    import numpy as np
    from wsim_launch import launch
    y = np.zeros(64, np.float32)
    launch(ptx, [np.float32(2), x, y, np.int32(64)], grid=1, block=64)

An array is a buffer, and holds the results afterwards. A NumPy scalar is a parameter of its type. Bytes are a struct by value,
Pack a struct with pointers, None a null pointer. Several arguments may name one array. The program is $WSIM, or wsim on the path.
A finding (out of bounds, a race, uninitialised bytes ...) raises; so does what is not modelled.
"""
import json
import os
import subprocess
import tempfile

import numpy as np

SCALARS = {"int8": "s8", "int16": "s16", "int32": "s32", "int64": "s64", "uint8": "u8", "uint16": "u16",
           "uint32": "u32", "uint64": "u64", "float16": "f16", "float32": "f32", "float64": "f64"}


class Refused(Exception):
    """Something in the kernel is not modelled: nothing ran."""


class Pack:
    """A struct of `size` bytes by value: its members by their offsets; other bytes are zero."""

    def __init__(self, size, fields):
        self.size, self.fields = size, fields


class Wrong(Exception):
    """The program found something, or could not read its input."""


def _argument(value, arrays):
    """An argument in the words of a launch file; arrays are collected by their addresses."""
    if isinstance(value, np.ndarray):
        if not value.flags.c_contiguous:
            raise ValueError("an array has to be contiguous")
        for name, known in arrays.items():
            if known is value:
                return {"buffer": name}
        name = "a%u" % len(arrays)
        arrays[name] = value
        return {"buffer": name}
    if value is None:
        return {"u64": 0}
    if isinstance(value, Pack):
        fields = [dict(_argument(field, arrays), at=at) for at, field in value.fields]
        return {"size": value.size, "pack": fields}
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    value = np.asarray(value)[()]
    if isinstance(value, np.bool_):
        return {"u8": int(value)}
    kind = SCALARS[value.dtype.name]
    if kind[0] == "f":
        bits = value.view("u%u" % value.itemsize)
        return {kind: "0x%0*x" % (2 * value.itemsize, int(bits))}
    return {kind: int(value)}


def _findings(report):
    """The findings of a report, a line each; any other text unchanged."""
    try:
        found = [one for step in json.loads(report)["launches"] for one in step["findings"]]
    except ValueError:
        return report
    return "\n".join("%s: %s" % (one["rule"], json.dumps(one)) for one in found)


def launch(ptx, args, grid=1, block=1, shared=0, kernel=None, arch=None, options=()):
    """Runs one kernel; returns the report of wsim run (its JSON, as a dictionary)."""
    arrays = {}
    step = {"grid": grid, "block": block, "shared": shared, "args": [_argument(value, arrays) for value in args]}
    for size in ("grid", "block"):
        step[size] = list(step[size]) if isinstance(step[size], (tuple, list)) else [step[size]]
    if kernel:
        step["kernel"] = kernel
    job = {"ptx": "kernel.ptx", "buffers": {}, "launches": [step], "save": {}}
    if arch:
        job["arch"] = arch
    with tempfile.TemporaryDirectory() as folder:
        def at(name):
            return os.path.join(folder, name)
        with open(at("kernel.ptx"), "w") as file:
            file.write(ptx)
        for name, array in arrays.items():
            array.tofile(at(name + ".bin"))
            job["buffers"][name] = {"bytes": max(array.nbytes, 1)}
            if array.nbytes:
                job["buffers"][name]["file"] = name + ".bin"
                job["save"][name] = name + ".out"
        with open(at("launch.json"), "w") as file:
            json.dump(job, file)
        done = subprocess.run([os.environ.get("WSIM", "wsim"), "run", "--launch", at("launch.json"), "--json", *options],
                              capture_output=True, text=True)
        if done.returncode == 3:
            raise Refused(done.stdout + done.stderr)
        if done.returncode:
            raise Wrong(done.stderr + _findings(done.stdout))
        for name, array in arrays.items():
            if array.nbytes:
                array[...] = np.fromfile(at(name + ".out"), array.dtype).reshape(array.shape)
    return json.loads(done.stdout)
