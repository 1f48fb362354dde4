"""Runs a Python program that uses PyTorch's CUDA tensors and kernels of its own under wsim.

    wsim run python torch_programs.py PROGRAM.py [ARGUMENTS]

PyTorch's own kernels are machine code alone, so its operations run on the CPU. Their operands are copied from the device,
and their results back. Memory, copies, streams and all other kernels stay on the device.
"""
import ctypes
import runpy
import sys

import torch
from torch import library
from torch.utils._pytree import tree_map

# Operations that need no kernel: memory and shapes.
STAYS = {"empty.memory_format", "empty_strided", "resize_", "set_", "set_.source_Storage", "set_.source_Tensor",
         "set_.source_Storage_storage_offset", "record_stream", "is_pinned", "_pin_memory", "as_strided", "view",
         "_reshape_alias", "unfold", "view_as_real", "view_as_complex", "_local_scalar_dense"}


RUNTIME = ctypes.CDLL(f"libcudart.so.{torch.version.cuda.split('.')[0]}")


def copy_bytes(to, of):
    """Copies bytes between the host and the device."""
    if of.numel():
        error = RUNTIME.cudaMemcpy(ctypes.c_void_p(to.data_ptr()), ctypes.c_void_p(of.data_ptr()),
                                   ctypes.c_size_t(of.numel()), 1 if to.is_cuda else 2)
        if error:
            raise RuntimeError(f"cudaMemcpy returns {error}")


def bytes_of(storage, device):
    return torch.empty(0, dtype=torch.uint8, device=device).set_(storage)


class Call:
    """Copies in host memory of the operands of one operation."""

    def __init__(self):
        self.device = None
        self.storages = {}  # identity -> bytes on the device, bytes in host memory
        self.tensors = []   # on the host, on the device

    def host(self, value):
        if isinstance(value, torch.device) and value.type == "cuda":
            self.device = self.device or value
            return torch.device("cpu")
        if not isinstance(value, torch.Tensor) or not value.is_cuda:
            return value
        self.device = value.device
        storage = value.untyped_storage()
        if storage._cdata not in self.storages:
            flat = bytes_of(storage, value.device)
            host = torch.empty(flat.numel(), dtype=torch.uint8)
            copy_bytes(host, flat)
            self.storages[storage._cdata] = (flat, host)
        host = self.storages[storage._cdata][1]
        made = torch.empty(0, dtype=value.dtype).set_(host.untyped_storage(), value.storage_offset(), value.shape,
                                                      value.stride())
        self.tensors.append((made, value))
        return made

    def write_back(self, value):
        if isinstance(value, (list, tuple)):
            for part in value:
                self.write_back(part)
        elif isinstance(value, torch.Tensor) and value.is_cuda:
            made = next(made for made, given in self.tensors if given is value)
            if made.shape != value.shape:
                value.set_(self.fresh(made))
                return
            flat, host = self.storages[value.untyped_storage()._cdata]
            first = value.storage_offset() * value.element_size()
            last = first + value.numel() * value.element_size() if value.is_contiguous() else flat.numel()
            first = first if value.is_contiguous() else 0
            copy_bytes(flat[first:last], host[first:last])

    def back(self, value):
        if not isinstance(value, torch.Tensor) or value.is_cuda:
            return value
        for made, given in self.tensors:
            if made is value:
                return given
        return self.fresh(value)

    def fresh(self, value):
        """A tensor of the device with the elements of one of the host."""
        made = torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device=self.device)
        if value.numel():
            flat = bytes_of(made.untyped_storage(), made.device)
            host = torch.empty(flat.numel(), dtype=torch.uint8)
            torch.empty(0, dtype=value.dtype).set_(host.untyped_storage(), 0, value.shape, value.stride()).copy_(value)
            copy_bytes(flat, host)
        return made


def on_host(operation):
    def run(*args, **kwargs):
        call = Call()
        torch.cuda.synchronize()
        inner = tree_map(call.host, (args, kwargs))
        result = operation(*inner[0], **inner[1])
        for i, argument in enumerate(operation._schema.arguments):
            if argument.alias_info and argument.alias_info.is_write:
                call.write_back(args[i] if i < len(args) else kwargs.get(argument.name))
        return tree_map(call.back, result) if call.device else result
    return run


def take_operations():
    registry = library.Library("aten", "IMPL")
    for name in [*torch._C._dispatch_get_registrations_for_dispatch_key("CUDA"), "aten::copy_"]:
        space, _, name = name.partition("::")
        if space != "aten" or name in STAYS:
            continue
        name, _, overload = name.partition(".")
        operation = getattr(getattr(torch.ops.aten, name), overload or "default")
        if not operation.is_view:
            registry.impl(operation, on_host(operation), "CUDA", allow_override=True)
    return registry


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.argv = sys.argv[1:]
    torch.cuda.init()
    registry = take_operations()
    runpy.run_path(sys.argv[0], run_name="__main__")
    del registry


if __name__ == "__main__":
    main()
