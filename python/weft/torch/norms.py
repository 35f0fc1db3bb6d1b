"""The norms of a network: which of them, with which parameters and epsilon, a part of a graph computes."""

import itertools

import torch

from .evaluate import Evaluation, normal
from .functions import CLOSE
from .values import Cells, Constant


def _layer(x, epsilon):
    x = x - x.mean(-1, keepdim=True)
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + epsilon)


def _rms(x, epsilon):
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + epsilon)


FORMS = {"layer": _layer, "rms": _rms}


def _epsilons(values, inner, leaves):
    """Small numbers in the part, any of which may be epsilon."""
    found = {1e-5, torch.finfo(torch.float32).eps}
    for node in inner:
        numbers = [*node.args, *node.kwargs.values()]
        found.update(float(one) for one in numbers if isinstance(one, (int, float)) and not isinstance(one, bool))
    for node in leaves:
        value = values[node]
        if isinstance(value, Constant) and isinstance(value.tensor, torch.Tensor) and value.tensor.numel() == 1:
            found.add(float(value.tensor))
    return sorted(one for one in found if 0 <= one < 0.1)


def norm_of(values, inner, leaves, node, source, parameters, tokens):
    """(form, weight, bias, epsilon) of the norm of `source` that `node` is; None if it is no norm.

    Weight and bias are None if the norm has none."""
    features = source.features
    if len(parameters) > 2 or any(one.tensor.numel() != features for one in parameters):
        return None
    scale = torch.logspace(-3, 1, tokens, dtype=torch.float64)[:, None]
    x = (normal(tokens, features) + 0.5) * scale
    vectors = {one.number: normal(features) + 2 + n for n, one in enumerate(parameters)}
    y = Evaluation(values, {source.number: x, **vectors})(node)
    if not isinstance(y, torch.Tensor) or y.numel() != x.numel():
        return None
    read = next(
        values[one] for one in leaves if isinstance(values[one], Cells) and source.number in values[one].numbers()
    )
    if not torch.equal(read.offsets().reshape(-1), torch.arange(x.numel())):
        return None
    y = y.reshape(x.shape)
    best = None
    for form, function in FORMS.items():
        for epsilon in _epsilons(values, inner, leaves):
            plain = function(x, epsilon)
            for weight, bias in _roles(parameters):
                wanted = plain * (vectors[weight.number] if weight else 1) + (vectors[bias.number] if bias else 0)
                error = ((y - wanted).abs() / (1 + wanted.abs())).max().item()
                if best is None or error < best[0]:
                    best = error, (form, weight, bias, epsilon)
    return best[1] if best[0] <= CLOSE else None


def _roles(parameters):
    for roles in itertools.product(("weight", "bias"), repeat=len(parameters)):
        if len(set(roles)) == len(roles):
            named = dict(zip(roles, parameters))
            yield named.get("weight"), named.get("bias")
