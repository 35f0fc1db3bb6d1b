"""Refusals of nodes by what they are, before any rule sees them."""

import torch

from .evaluate import is_idle_dropout

_RANDOM = {"rand", "randn", "randint", "randperm", "normal", "bernoulli", "multinomial", "poisson", "uniform"}
_FREEZE = "leave it out; freeze parameters with requires_grad_(False)"


def check_layers(captured):
    """Refuses recurrent layers by their own name: they compute with many small operations."""
    for node in captured.nodes:
        place = captured.place(node)
        layer = captured.module.get_submodule(place.module) if node.op == "call_function" else None
        if isinstance(layer, (torch.nn.RNNBase, torch.nn.RNNCellBase)):
            raise place.refuse(
                f"{place.kind} is recurrent, and no operation of a network", "use attention, which reads other tokens"
            )


def check_random(node, name, place):
    """Refuses random numbers except those of a dropout of single values."""
    if name in ("feature_dropout", "alpha_dropout") and not is_idle_dropout(node):
        raise place.refuse(f"{name} is not a dropout of single features", "use nn.Dropout, or call module.eval() first")
    if name.rstrip("_").replace("_like", "") in _RANDOM:
        raise place.refuse("draws random numbers", "compute with the inputs and parameters alone")


def check_rate(place, rate):
    """Refuses a dropout that leaves next to nothing."""
    if rate > 0.99:
        raise place.refuse(f"drops values with a rate of {rate:g}", "use a rate of at most 0.99")


def check_gradient(lowering, node, name, place):
    """Refuses a stop of the gradient."""
    if name in ("detach", "detach_"):
        raise place.refuse("detach stops the gradient", _FREEZE)
    if not place.has_gradient and _trains(lowering, node):
        raise place.refuse("torch.no_grad() stops the gradient", _FREEZE)


def _trains(lowering, node):
    """Returns true if a node depends on a parameter that is trained."""
    seen, todo = set(), [node]
    while todo:
        one = todo.pop()
        name = lowering.captured.tensors.get(one, ("",))[0]
        parameter = lowering.parameters.get(name)
        if parameter is not None and lowering.captured.module.get_parameter(name).requires_grad:
            return True
        todo.extend(other for other in one.all_input_nodes if other not in seen)
        seen.update(one.all_input_nodes)
    return False
