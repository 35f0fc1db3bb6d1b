"""Capture by make_fx, for versions of PyTorch without torch.export, such as Debian's 1.13."""

import difflib

import torch
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

from .capture import Captured, own_name
from .places import current_place


class _Places(TorchDispatchMode):
    """Records the place of each operation, in order."""

    def __init__(self, names):
        super().__init__()
        self.names, self.found = names, []

    def __torch_dispatch__(self, function, types, arguments=(), keywords=None):
        self.found.append((function, current_place(self.names)))
        return function(*arguments, **(keywords or {}))


def trace(flat, arguments, keywords, inputs, names):
    leaves, spec = pytree.tree_flatten((arguments, keywords))
    at = [n for n, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]
    places = _Places(names)

    def call(*tensors):
        given = list(leaves)
        for n, tensor in zip(at, tensors):
            given[n] = tensor
        args, kwargs = pytree.tree_unflatten(given, spec)
        with places:
            return flat(*args, **kwargs)

    graph = make_fx(call)(*[leaves[n] for n in at])
    captured = Captured(flat.module)
    owned = {id(one): name for name, one in [*flat.named_buffers(), *flat.named_parameters()]}
    users = iter(inputs)
    for node in graph.graph.nodes:
        if node.op == "placeholder":
            captured.inputs[node] = next(users)
        elif node.op == "get_attr":
            tensor = getattr(graph, node.target)
            captured.tensors[node] = (own_name(owned.get(id(tensor), node.target)), tensor)
        elif node.op == "output":
            found = node.args[0] if isinstance(node.args[0], (tuple, list)) else [node.args[0]]
            captured.outputs = list(zip(flat.record.found, found))
        captured.nodes.append(node)
    _join(captured, places.found)
    return captured


def _join(captured, found):
    """Gives each node the place of its call. Calls of constants are not in the graph, and a few nodes (detach, items of
    a tuple) are not in `found`; all others are in order."""
    nodes = [node for node in captured.nodes if node.op == "call_function"]
    calls, graph = [str(function) for function, _ in found], [str(node.target) for node in nodes]
    same = difflib.SequenceMatcher(None, graph, calls, autojunk=False).get_matching_blocks()
    place_of = {nodes[a + n]: found[b + n][1] for a, b, count in same for n in range(count)}
    last = None
    for node in nodes:
        last = place_of.get(node, last)
        if last is not None:
            captured.places[node] = last
