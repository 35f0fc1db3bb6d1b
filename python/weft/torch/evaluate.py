"""Computes a part of a captured graph in doubles, from given values of its sources."""

import torch
from torch.fx.node import map_arg

from .moves import CONVERSIONS, is_conversion, is_in_place, name_of, run
from .values import Cells, Constant, Pending


def generator():
    return torch.Generator().manual_seed(1)


def normal(*shape):
    return torch.randn(*shape, generator=generator(), dtype=torch.float64)


def doubles(tensor):
    return tensor.double() if isinstance(tensor, torch.Tensor) and tensor.is_floating_point() else tensor


class Evaluation:
    """`given`: the elements of each source, by number. `instead`: results of nodes that are not computed. `idle`: a
    dropout that drops nothing here."""

    def __init__(self, values, given, instead=None, idle=None):
        self.values, self.given, self.idle = values, given, idle
        self.results = dict(instead or {})

    def __call__(self, node):
        if node not in self.results:
            self.results[node] = self._compute(node)
        return self.results[node]

    def _compute(self, node):
        value = self.values[node]
        if isinstance(value, Constant):
            tensor = value.tensor
            return tuple(map(doubles, tensor)) if isinstance(tensor, (tuple, list)) else doubles(tensor)
        if isinstance(value, Cells):
            return self._gather(value)
        if isinstance(value, tuple):
            return tuple(self._gather(one) for one in value)
        name = name_of(node.target)
        if is_conversion(node) or is_idle_dropout(node):
            return self(node.args[0])
        if dropped(node):
            x = self(dropped(node)[0])
            x = x if node is self.idle else x * normal(*x.shape)  # unlike any operation
            return (x, None) if name == "native_dropout" else x
        arguments = map_arg(node.args, self)
        if is_in_place(node):
            arguments = (arguments[0].clone(), *arguments[1:])
        keywords = map_arg(node.kwargs, self)
        if name not in CONVERSIONS and getattr(keywords.get("dtype"), "is_floating_point", False):
            keywords = {**keywords, "dtype": torch.float64}
        if name == "scaled_dot_product_attention":
            arguments = (*arguments[:4], *(0.0 for _ in arguments[4:5]), *arguments[5:])
        if name == "softmax" or name == "log_softmax":
            arguments = arguments[:2]
        if name == "rms_norm" and (len(arguments) < 4 or arguments[3] is None):
            arguments = (*arguments[:3], *[None] * (3 - len(arguments)), torch.finfo(torch.float32).eps)
        with torch.no_grad():
            return run(node, tuple(arguments), keywords)

    def _gather(self, cells):
        numbers = cells.numbers()
        kinds = {self.given[number].dtype for number in numbers}  # a mask has its own
        result = torch.zeros(cells.ids.shape, dtype=kinds.pop() if len(kinds) == 1 else torch.float64)
        for number in numbers:
            here = cells.of(number)
            result[here] = self.given[number].reshape(-1)[cells.offsets()[here]]
        return result


def is_idle_dropout(node):
    name = name_of(node.target)
    if name in ("dropout", "feature_dropout", "alpha_dropout"):
        return node.args[1] == 0 or not node.args[2]
    return name == "native_dropout" and (node.args[1] == 0 or node.args[2] is False)


def dropped(node):
    """The value that a node drops features of, and their part; None if it is no dropout, or drops nothing.

    PyTorch 1.13 multiplies by a mask, which it draws and divides by the part that it keeps."""
    name = name_of(node.target)
    if name in ("dropout", "native_dropout"):
        return None if is_idle_dropout(node) else (node.args[0], node.args[1])
    if name in ("mul", "mul_") and isinstance(node.args[1], torch.fx.Node) and is_mask(node.args[1]):
        return (node.args[0], 1 - node.args[1].args[1]) if name_of(node.args[1].target) == "div_" else None
    return None


def is_mask(node):
    """Returns true for the parts of a mask of PyTorch 1.13: what is drawn, before and after, and its quotient."""
    name = name_of(node.target) if node.op == "call_function" else ""
    if name == "empty_like":
        return len(node.users) == 1 and name_of(next(iter(node.users)).target) == "bernoulli_"
    if name == "bernoulli_":
        return len(node.args) > 1 and isinstance(node.args[1], float) and is_mask(node.args[0])
    return name == "div_" and name_of(node.args[0].target) == "bernoulli_" and node.args[1] == node.args[0].args[1]


def region(values, node):
    """Nodes that are not identified, from which `node` is computed, in order; and the known ones that they read."""
    inner, leaves, seen = [], [], set()

    def visit(one):
        if one in seen:
            return
        seen.add(one)
        if not isinstance(values[one], Pending):
            leaves.append(one)
            return
        for argument in one.all_input_nodes:
            visit(argument)
        inner.append(one)

    visit(node)
    return inner, leaves
