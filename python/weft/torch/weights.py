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
        return {name: self._value(tensor).contiguous().numpy() for name, tensor in self.tensors}

    def _value(self, tensor):
        return tensor.read(self.module.get_parameter(tensor.parameter).detach().float().cpu())

    def flat(self):
        """The values one after the other."""
        sizes = [int(numpy.prod(tensor.size)) for _, tensor in self.tensors]
        whole, at = torch.empty(sum(sizes)), 0
        for (_, tensor), size in zip(self.tensors, sizes):
            whole[at : at + size].view(tensor.size).copy_(self._value(tensor))
            at += size
        return whole.numpy()

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

    def save(self, path):
        """Writes a safetensors file, a tensor at a time."""
        header, at = {"__metadata__": {"format": "pt"}}, 0
        for name, tensor in self.tensors:
            size = 4 * int(numpy.prod(tensor.size))
            header[name] = {"dtype": "F32", "shape": list(tensor.size), "data_offsets": [at, at + size]}
            at += size
        text = json.dumps(header, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 8)
        with open(path, "wb") as file:
            file.write(struct.pack("<Q", len(text)) + text)
            for _, tensor in self.tensors:
                file.write(numpy.ascontiguousarray(self._value(tensor).numpy(), dtype="<f4").tobytes())
