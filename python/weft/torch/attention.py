"""Attention: from the products of queries and keys, and of scores and values, to an operation."""

import math

import torch

from .checks import check_rate
from .evaluate import Evaluation, dropped, is_idle_dropout, normal, region
from .functions import close
from .graph import Operation
from .heads import Operand, attention
from .moves import MOVES, is_conversion, name_of
from .values import Cells, Pending

PRODUCTS = {"matmul": 0, "bmm": 0, "baddbmm": 1, "einsum": None}  # position of the first factor


def factors(node):
    first = PRODUCTS[name_of(node.target)]
    return tuple(node.args[1]) if first is None else (node.args[first], node.args[first + 1])


def orders(scores, result):
    """Dimensions of queries, keys, values and result, in the order sequences, heads, tokens, features; None: as is."""
    letters = [_letters(node) for node in (scores, result)]
    queries = keys = values = out = None
    if letters[0]:
        q, k, s = letters[0]
        both = [one for one in s if one in q and one in k]
        token, key = ([one for one in s if one in mine and one not in both] for mine in (q, k))
        inner = [one for one in q if one in k and one not in s]
        queries, keys = ([mine.index(one) for one in both + own + inner] for mine, own in ((q, token), (k, key)))
    if letters[1]:
        p, v, o = letters[1]
        both = [one for one in p if one in v and one in o]
        key = [one for one in p if one in v and one not in o]
        token, inner = ([one for one in o if one in mine and one not in both] for mine in (p, v))
        values = [v.index(one) for one in both + key + inner]
        out = [o.index(one) for one in both + token + inner]
    return queries, keys, values, out


def _letters(node):
    """The letters of an einsum's two factors and result, or None."""
    if name_of(node.target) != "einsum":
        return None
    both, _, result = node.args[0].replace(" ", "").partition("->")
    return (*both.split(","), result)


def scores_of(values, node, depends):
    """The product of two values from which `node` is computed, if there is one alone."""
    if not isinstance(values[node], Pending):
        return None
    found = [
        one
        for one in region(values, node)[0]
        if name_of(one.target) in PRODUCTS and len(factors(one)) == 2 and all(map(depends, factors(one)))
    ]
    return found[0] if len(found) == 1 else None


def dropout_of(values, weights):
    """The dropout of attention's weights, if there is one between softmax and the product with the values."""
    node = weights
    while isinstance(values[node], Pending):
        if dropped(node):
            return node
        name = name_of(node.target)
        if name not in MOVES and name != "getitem" and not is_conversion(node) and not is_idle_dropout(node):
            return None
        node = node.all_input_nodes[0]
    return None


class Attention:
    """Attention whose result is `node`, of three nodes. `scores`: the node of the product of queries and keys, or None
    if PyTorch's function does all. `dropout`: the node that drops its weights, or None."""

    def __init__(self, lowering, node, queries, keys, values, scores, dropout=None):
        self.lowering, self.node, self.dropout = lowering, node, dropout
        self.rate = dropped(dropout)[1] if dropout is not None else 0
        if scores is None and len(node.args) > 4:
            self.rate = node.args[4]
        self.nodes = (queries, keys, values)
        *self.orders, self.order = orders(scores, node) if scores else (None,) * 4
        if scores and self.orders[1] is None:  # the second factor of matmul is [...][features][tokens]
            dims = len(lowering.shape(keys))
            self.orders[1] = [*range(dims - 2), dims - 1, dims - 2]
        self.place = lowering.captured.place(node)
        self.mask, self.given = lowering.masks.of(node, self.place), {}  # values of the mask, by its number

    def heads_of(self, tensor, order=None):
        """[sequences][heads][tokens][features of a head]."""
        if order is not None:
            tensor = tensor.permute(order)
        if tensor.dim() < 2 or tensor.shape[-2] != self.lowering.tokens or tensor.numel() == 0:
            raise self.place.refuse(
                "attention is not over the tokens of a sequence", "attend to all tokens of a sequence"
            )
        return tensor.reshape(self.lowering.sequences, -1, *tensor.shape[-2:])

    def lower(self):
        lowering, place = self.lowering, self.place
        if len(set(self.nodes)) < 3:
            raise place.refuse(
                "queries, keys and values are not three values", "project each of them with a linear layer"
            )
        operands = [self._operand(*one) for one in zip(self.nodes, self.orders, ("queries", "keys", "values"))]
        q, k, v = operands
        self._check_heads(q, k, v)
        scale, is_causal = self._scale()
        scale *= q.factor * k.factor
        size = q.features.shape[1]
        if not math.isclose(scale, size**-0.5, rel_tol=1e-4):
            raise place.refuse(
                f"scores are multiplied by {scale:.6g}", f"multiply them by 1/sqrt({size}), {size**-0.5:.6g}"
            )
        if v.turned or not math.isclose(v.factor, 1, rel_tol=1e-6) or q.turned != k.turned:
            raise place.refuse(
                "queries, keys and values are scaled or rotated differently",
                "rotate queries and keys alike, and leave values",
            )
        parts = [lowering.part(one.source, one.features.flatten(), place) for one in operands]
        if any(not torch.equal(part.features, one.features.flatten()) for part, one in zip(parts, operands)):
            raise place.refuse(
                "another operation reads the features of its heads in another order",
                "use the projections in attention alone",
            )
        for part in parts:
            part.role = "head"
        if q.turned:
            lowering.emit(Operation("rotary", place, inputs=parts[:2], turned=q.turned))
        operation = Operation("attention", place, inputs=parts, heads=q.features.shape[0], causal=is_causal)
        operation.masked = self.mask is not None
        check_rate(place, self.rate)
        operation.by = self.rate or None
        return self._cells(lowering.emit(operation, q.features.numel()))

    def _cells(self, out):
        """Cells of the result, in the shape of its node."""
        heads, shape = out.maker.heads, self.lowering.shape(self.node)
        count = self.lowering.sequences * self.lowering.tokens * out.features
        ids = torch.arange(count).reshape(self.lowering.sequences, self.lowering.tokens, heads, -1).transpose(1, 2)
        if self.order is not None:
            back = [self.order.index(n) for n in range(len(self.order))]
            return Cells(out.base + ids.reshape([shape[n] for n in self.order]).permute(back))
        return Cells(out.base + ids.reshape(shape))

    def _operand(self, node, order, what):
        sources, made = self.lowering.sources_of(node), node
        while name_of(made.target) in MOVES and isinstance(self.lowering.values[made], Pending):
            made = made.all_input_nodes[0]
        place = self.lowering.captured.place(made)
        if len(sources) != 1 or self.lowering.parameters_of(node):
            raise place.refuse(
                (
                    f"{what} depend on {len(sources)} values"
                    if len(sources) != 1
                    else f"{what} are computed with parameters"
                ),
                "make them from the output of one linear layer each",
            )
        operand = Operand(
            self.lowering.values,
            node,
            lambda one: self.heads_of(one, order),
            sources[0],
            self.lowering.sequences,
            self.lowering.tokens,
        )
        if operand.problem:
            raise place.refuse(
                f"{what} of attention: the tensor {operand.problem}",
                "use projections, whole or rotated with base 10000",
            )
        return operand

    def _check_heads(self, q, k, v):
        heads = q.features.shape[0]
        for one, what in ((k, "keys"), (v, "values")):
            fewer = len(set(one.features[:, 0].tolist()))
            if fewer != heads or one.features.shape != q.features.shape:
                raise self.place.refuse(
                    f"{heads} heads of queries share {fewer} of {what}", f"use {heads} heads of {what}, too"
                )

    def _compute(self, *given):
        """The result for [sequences][heads][tokens][features] of queries, keys and values."""
        instead = {}
        for node, order, one in zip(self.nodes, self.orders, given):
            shape = self.lowering.shape(node)
            if order is None:
                instead[node] = one.reshape(shape)
            else:
                back = [order.index(n) for n in range(len(order))]
                instead[node] = one.reshape([shape[n] for n in order]).permute(back)
        return self.heads_of(Evaluation(self.lowering.values, self.given, instead, self.dropout)(self.node), self.order)

    def _scale(self):
        """The factor of scores, and whether attention is causal. Refuses other masks."""
        found = None
        for shown in (1, 0) if self.mask is not None else (None,):
            if self.mask is not None:
                self.given = {self.mask.number: self.lowering.masks.values_of(self.mask, shown)}
            found = self._unmasked_scale()
            if found is not None:
                break
        if found is None:
            self._refuse(*self._operands())
        if self.mask is not None:
            self._check_mask(shown, *found)
        return found

    def _operands(self):
        """Queries, keys and values to compute with."""
        shapes = [self.lowering.shape(node) for node in self.nodes]
        q, k, v = (self.heads_of(normal(*shape), order) for shape, order in zip(shapes, self.orders))
        return q, k.flip(-1).roll(1, 0), v.roll(1, -1)

    def _check_mask(self, shown, scale, is_causal):
        """Checks that the mask hides the ends of sequences, whatever hidden tokens see themselves."""
        q, k, v = self._operands()
        lengths = 1 + (3 * torch.arange(len(q)) + q.shape[-2] // 2) % (q.shape[-2] - 1)
        visible = torch.arange(q.shape[-2]) < lengths[:, None]
        self.given = {self.mask.number: self.lowering.masks.values_of(self.mask, shown, visible)}
        wanted = attention(q, k, v, scale, is_causal, visible)
        rows = visible[:, None, :].expand(wanted.shape[:-1])
        if not close(self._compute(q, k, v)[rows], wanted[rows]):
            raise self.place.refuse(
                f"attention does not hide the tokens that {self.mask.name} marks", "hide these keys from all queries"
            )
        self.lowering.masks.use(self.mask, shown, self.place)

    def _unmasked_scale(self):
        """(scale, is causal) without padding, or None."""
        q, k, v = self._operands()
        weights = []
        for token in range(2):
            one = torch.zeros_like(v)
            one[..., token, :] = 1
            weights.append(self._compute(q / 8, k / 8, one)[..., 1, 0])
        distance = (q[..., 1, :] * (k[..., 0, :] - k[..., 1, :])).sum(-1) / 64
        best = distance.abs().flatten().argmax()
        scale = ((weights[0] / weights[1]).log().flatten()[best] / distance.flatten()[best]).item()
        if math.isfinite(scale):
            found = self._compute(q, k, v)
            for is_causal in (True, False):
                if close(found, attention(q, k, v, scale, is_causal)):
                    return scale, is_causal
        return None

    def _refuse(self, q, k, v):
        if any(dropped(one) and one is not self.dropout for one in region(self.lowering.values, self.node)[0]):
            raise self.place.refuse(
                "attention computes with its weights after a dropout", "drop weights last, behind the softmax"
            )
        tokens = q.shape[-2]
        weights = []
        for token in range(tokens):
            one = torch.zeros_like(v)
            one[..., token, :] = 1
            weights.append(self._compute(q, k, one)[0, 0, :, 0])
        weights = torch.stack(weights, -1)  # [query][key]
        if not close(weights.sum(-1), torch.ones(tokens, dtype=torch.float64)):
            problem = "its weights are not a softmax of scores"
        elif (weights.triu(1) > 1e-9).any():
            problem = "a token attends to some later ones"
        elif (weights.tril() < 1e-12)[torch.ones(tokens, tokens).tril().bool()].any():
            problem = "a token does not attend to all earlier ones"
        else:
            problem = "its scores are not a multiple of the products of queries and keys"
        raise self.place.refuse(
            f"attention is neither causal nor full softmax attention: {problem}",
            "mask later tokens alone, or none, and apply softmax to the scaled products",
        )


def attention_of(lowering, node):
    """The attention that a node computes, or None."""
    name = name_of(node.target)
    if name == "scaled_dot_product_attention":
        return Attention(lowering, node, *node.args[:3], None)
    if len(factors(node)) != 2:
        return None
    scores, values = factors(node)
    product = scores_of(lowering.values, scores, lowering.depends)
    if product is None or not lowering.depends(values):
        return None
    return Attention(lowering, node, *factors(product), values, product, dropout_of(lowering.values, scores))
