"""Values of a network's tensors, from a module's parameters and back, and as a file."""

import json
import struct

import numpy
import torch


class Weights:
    """`tensors`: (name, Tensor) in the order of the flat parameter vector."""

    def __init__(self, module, tensors):
        self.module, self.tensors = module, tensors

    def values(self):
        """Arrays by name, in order, from the parameters' present values."""
        found = {}
        for name, tensor in self.tensors:
            parameter = self.module.get_parameter(tensor.parameter).detach().float().cpu()
            found[name] = tensor.read(parameter).contiguous().numpy()
        return found

    def load(self, arrays):
        """Writes arrays into the parameters. All tensors must be there; other names are ignored."""
        for name, tensor in self.tensors:
            if name not in arrays:
                raise KeyError(f"{name} is missing")
            if tuple(arrays[name].shape) != tensor.size:
                raise ValueError(f"{name} has the shape {tuple(arrays[name].shape)}, not {tensor.size}")
        with torch.no_grad():
            for name, tensor in self.tensors:
                parameter = self.module.get_parameter(tensor.parameter)
                values = parameter.detach().float().cpu().contiguous().clone()
                tensor.write(torch.from_numpy(numpy.array(arrays[name], dtype=numpy.float32)), values)
                parameter.copy_(values)


def write_safetensors(path, arrays):
    header, at = {"__metadata__": {"format": "pt"}}, 0
    for name, array in arrays.items():
        header[name] = {"dtype": "F32", "shape": list(array.shape), "data_offsets": [at, at + array.nbytes]}
        at += array.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for array in arrays.values():
            file.write(numpy.ascontiguousarray(array, dtype="<f4").tobytes())
