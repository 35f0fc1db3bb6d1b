"""The loss of a program in a PyTorch graph: wafers compute it, and the gradients of the module's parameters."""

import pathlib
import tempfile

import numpy
import torch

from . import batches
from .settings import sections, settings_of


class Wafers:
    """Forward and backward passes for one size of batches."""

    def __init__(self, program, rows, overrides, flags):
        from weft import _weft
        from weft.config import Config

        self.padded = batches.Padded(program.config["model.max_sequence_length"], rows, program.form.padding.token or 0)
        # The optimizer has no state and does no step.
        keys = {"optimizer.optimizer_type": "SGD", **(overrides or {})}
        with tempfile.TemporaryDirectory(prefix="weft_torch_") as folder:
            pathlib.Path(folder, "network.yaml").write_text(program.network, encoding="utf-8")
            params = settings_of(program, rows, folder, keys)
            del params["runconfig.checkpoint_path"]
            self.passes = _weft.Gradients(Config(sections(params), **flags)._config)

    def __call__(self, weights, inputs, labels, backward):
        """(loss, gradient of the flat vector, or an empty one)."""
        from weft.log import _log

        try:
            work = self.passes.compute if backward else self.passes.loss
            loss, _, gradient = work(weights, *self.padded(inputs, labels))
        finally:
            _log(self.passes.take_lines())
        return loss, gradient


class Loss(torch.autograd.Function):
    @staticmethod
    def forward(context, program, wafers, inputs, labels, backward, names, *parameters):
        loss, gradient = wafers(program.flat(), inputs, labels, backward)
        context.gradients = _by_parameter(program, gradient, dict(zip(names, parameters))) if backward else None
        return torch.tensor(loss, dtype=torch.float32, device=parameters[0].device)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(context, factor):
        gradients = [None if one is None else (factor.cpu() * one[0]).to(one[1]) for one in context.gradients]
        return (None, None, None, None, None, None, *gradients)


def _by_parameter(program, flat, parameters):
    """For each parameter its gradient and itself, or None if it needs none."""
    made = {name: numpy.zeros(tuple(one.shape), "float32") for name, one in parameters.items() if one.requires_grad}
    at = 0
    for _, tensor in program.tensors:
        count = int(numpy.prod(tensor.size))
        if tensor.parameter in made:
            values = torch.from_numpy(flat[at : at + count].reshape(tensor.size))
            tensor.write(values, torch.from_numpy(made[tensor.parameter]))
        at += count
    return [(torch.from_numpy(made[name]), one) if name in made else None for name, one in parameters.items()]
