"""Features of an attention's operand: where they come from, and by how much they are rotated."""

import math

import torch

from .evaluate import Evaluation, normal
from .functions import close

BASE = 10000.0


def rotated(x, turned, halves):
    """x [...][tokens][features of a head], of which the first `turned` rotate with the position."""
    tokens, pairs = x.shape[-2], turned // 2
    speed = BASE ** (-2 * torch.arange(pairs, dtype=torch.float64) / turned)
    angle = torch.arange(tokens, dtype=torch.float64)[:, None] * speed
    first, second = pair_features(turned, halves)
    y = x.clone()
    y[..., first] = x[..., first] * angle.cos() - x[..., second] * angle.sin()
    y[..., second] = x[..., second] * angle.cos() + x[..., first] * angle.sin()
    return y


def pair_features(turned, halves):
    pairs = torch.arange(turned // 2)
    return (pairs, pairs + turned // 2) if halves else (2 * pairs, 2 * pairs + 1)


class Operand:
    """`source`; `features` [heads][features of a head]; `factor`; `turned` features of each head, as neighbours.

    `problem` is a text if the operand is something else."""

    def __init__(self, values, node, heads_of, source, sequences, tokens):
        self.source, self.turned, self.factor, self.problem = source, 0, 1.0, ""
        count = source.features

        def compute(x):
            return heads_of(Evaluation(values, {source.number: x.expand(sequences * tokens, count)})(node))

        ones, numbers = compute(torch.ones(1, count, dtype=torch.float64)), torch.arange(1.0, count + 1).double()[None]
        factors = ones[0, :, 0]
        found = compute(numbers)[0, :, 0] / factors - 1
        self.features = found.round().long() if torch.isfinite(found).all() else torch.zeros(1, 1).long()
        self.factor = factors.flatten()[0].item()
        if (
            not torch.isfinite(found).all()
            or not close(found, found.round())
            or not close(factors, factors * 0 + self.factor)
        ):
            self.problem = "is not a rearrangement of one value's features"
            return
        x = normal(sequences * tokens, count)
        plain = x.reshape(sequences, tokens, count)[..., self.features].transpose(1, 2) * self.factor
        y = heads_of(Evaluation(values, {source.number: x})(node))
        if y.shape != plain.shape or not close(y, plain):
            self._find_rotation(y, plain)

    def _find_rotation(self, y, plain):
        size = plain.shape[-1]
        changed = (
            ((y - plain).abs() > 1e-4).reshape(-1, size).any(0) if y.shape == plain.shape else torch.zeros(size).bool()
        )
        least = int(changed.nonzero().max()) + 1 if changed.any() else size + 1
        for turned in range(least + least % 2, size + 1, 2):
            for halves in (False, True):
                if close(y, rotated(plain, turned, halves)):
                    self.turned = turned
                    if halves:
                        order = torch.stack(pair_features(turned, True), 1).flatten()
                        self.features = torch.cat([self.features[:, order], self.features[:, turned:]], 1)
                    return
        self.problem = f"changes with the position, but not as a rotation with base {BASE:g}"


def attention(q, k, v, scale, is_causal, visible=None):
    """Attention of [sequences][heads][tokens][features], in doubles. `visible`: [sequences][keys]; None: all."""
    tokens = q.shape[-2]
    scores = q @ k.transpose(-1, -2) * scale
    if is_causal:
        scores = scores.masked_fill(torch.ones(tokens, tokens).triu(1).bool(), -math.inf)
    if visible is not None:
        scores = scores.masked_fill(~visible[:, None, None, :], -math.inf)
    return scores.softmax(-1) @ v
