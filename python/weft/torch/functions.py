"""Element-wise functions of a network, and which of them a part of a graph computes."""

import math

import torch

from .evaluate import Evaluation, region
from .values import Cells

CLOSE = 1e-5  # relative to 1 plus the size of the result


def _gelu(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


FUNCTIONS = {
    "gelu": _gelu,
    "gelu_erf": lambda x: 0.5 * x * (1 + torch.erf(x / math.sqrt(2))),
    "silu": lambda x: x * torch.sigmoid(x),
    "relu": torch.relu,
    "tanh": torch.tanh,
}


def close(found, wanted):
    return bool(torch.isfinite(found).all()) and bool(((found - wanted).abs() <= CLOSE * (1 + wanted.abs())).all())


def samples(count):
    """Numbers of all sizes, in random order."""
    near = torch.linspace(-6, 6, max(count - count // 4, 1), dtype=torch.float64)
    far = torch.logspace(-4, 2.5, max(count - len(near), 1), dtype=torch.float64)
    far[::2] *= -1
    every = torch.cat([near, far])[:count]
    return every[torch.randperm(len(every), generator=torch.Generator().manual_seed(1))]


def table_of(values, node, source, elements):
    """Inputs and outputs of an element-wise function: the node, which depends on one source of so many elements.

    None if the node depends on other elements, too."""
    leaves = [values[one] for one in region(values, node)[1] if isinstance(values[one], Cells)]
    read = leaves[0].offsets().reshape(-1)
    if any(not torch.equal(one.offsets().reshape(-1), read) for one in leaves):
        return None
    x = samples(elements)
    y = Evaluation(values, {source.number: x})(node)
    if not isinstance(y, torch.Tensor) or y.numel() != len(read) or not y.is_floating_point():
        return None
    half = torch.rand(elements, generator=torch.Generator().manual_seed(2)) < 0.5
    for kept in (half, ~half):  # a largest element is in one of them
        changed, same = torch.where(kept, x, x * 0 + 0.5), kept[read]
        if not torch.equal(Evaluation(values, {source.number: changed})(node).reshape(-1)[same], y.reshape(-1)[same]):
            return None
    return x[read], y.reshape(-1)


def function_of(x, y):
    """Name and constant of the function with these pairs: ("scale", 2.0), ("gelu", None); None if there is none."""
    for name, function in FUNCTIONS.items():
        if close(y, function(x)):
            return name, None
    large = x.abs() > 0.5
    if large.any():
        factor = (y[large] / x[large]).mean().item()
        if math.isfinite(factor) and close(y, factor * x):
            return "scale", factor
    return None


def nearest_to(x, y):
    """The function of a network that differs least from these pairs, for normally distributed inputs."""
    weight = torch.exp(-x * x / 2)
    return min(FUNCTIONS, key=lambda name: ((y - FUNCTIONS[name](x)).abs() * weight).nan_to_num().sum().item())
