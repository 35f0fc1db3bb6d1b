"""Identification of a part of a graph that depends on known values: by its results, or else by its last operation."""

import torch

from . import rules
from .evaluate import is_idle_dropout, region
from .functions import FUNCTIONS, function_of, nearest_to, table_of
from .graph import Operation
from .moves import CONVERSIONS, MOVES, is_conversion, name_of
from .norms import norm_of
from .values import Cells, Pending

_EMPTY = {"zeros_like", "ones_like", "full_like", "empty_like", "new_zeros", "new_full"}  # whose values are constants
# Operations that are a part of something known. Any other is named in a refusal.
_KNOWN = {
    "add", "sub", "rsub", "mul", "div", "neg", "pow", "sqrt", "rsqrt", "exp", "tanh", "erf", "sigmoid", "mean",
    "sum", "var", "std", "gelu", "silu", "relu", "layer_norm", "native_layer_norm", "rms_norm", "softmax",
    "_softmax", "matmul", "bmm", "log_softmax", "_log_softmax", "getitem", "reciprocal", "square",
    "masked_fill", "where", "dropout", "native_dropout",
}  # fmt: skip
_REDUCTIONS = {"mean", "sum", "max", "min", "amax", "amin", "logsumexp", "var", "std", "prod"}
_FUNCTIONS = {"gelu", "silu", "relu", "tanh", "layer_norm", "native_layer_norm", "rms_norm"}


def identify(lowering, node):
    """The cells of a pending node."""
    name = name_of(node.target)
    _refuse_inputs(lowering, node)
    if (name in MOVES or is_conversion(node) or is_idle_dropout(node)) and not _is_tuple(lowering, node):
        for one in node.all_input_nodes:
            lowering.resolve(one)
        dropout = name.endswith("dropout")
        moved = lowering.values[node.args[0]] if dropout else lowering.moved(node, name)
        if moved is not None:
            return moved
    found = _as_a_whole(lowering, node) or _by_last(lowering, node, name)
    if found is None and _resolve_input(lowering, node):
        found = _as_a_whole(lowering, node)
    if found is None:
        _refuse(lowering, node)
    return found


def _as_a_whole(lowering, node):
    sources, parameters = lowering.sources_of(node), lowering.parameters_of(node)
    if len(sources) != 1:
        return None
    return _function(lowering, node, sources[0], parameters) or _norm(lowering, node, sources[0], parameters)


def _resolve_input(lowering, node):
    """Identifies the input of a function of PyTorch, such as layer_norm of a norm. Returns true if it was unknown."""
    node = node.args[0] if _is_tuple(lowering, node) else node
    if name_of(node.target).rstrip("_") not in _FUNCTIONS or not isinstance(lowering.values[node.args[0]], Pending):
        return False
    lowering.resolve(node.args[0])
    return True


def _is_tuple(lowering, node):
    """Returns true for the item of an operation with several results, which is identified as a whole."""
    return name_of(node.target) == "getitem" and name_of(node.args[0].target) not in MOVES


def _function(lowering, node, source, parameters):
    """An element-wise function of one value."""
    if parameters:
        return None
    tokens = lowering.sequences * lowering.tokens
    table = table_of(lowering.values, node, source, tokens * source.features)
    known = function_of(*table) if table is not None else None
    if known is None:
        return None
    place, name = lowering.captured.place(node), known[0]
    leaf = next(one for one in region(lowering.values, node)[1] if isinstance(lowering.values[one], Cells))
    if name == "scale" and abs(known[1] - 1) < 1e-7:
        return Cells(lowering.values[leaf].ids.reshape(lowering.shape(node)))
    source, tokens, features = lowering.rows(leaf, place)
    part = lowering.part(source, features, place)
    order = rules.positions(part, features)
    out = lowering.emit(Operation(name, place, inputs=[part], by=known[1]), len(order))
    return Cells((out.base + tokens[..., None] * out.features + order).reshape(lowering.shape(node)))


def _norm(lowering, node, source, parameters):
    tokens, place = lowering.sequences * lowering.tokens, lowering.captured.place(node)
    inner, leaves = region(lowering.values, node)
    found = norm_of(lowering.values, inner, leaves, node, source, parameters, tokens)
    if found is None:
        return None
    form, weight, bias, epsilon = found
    if weight is None:
        raise place.refuse("the norm has no weight", "give it one, as elementwise_affine=True does")
    part = lowering.part(source, torch.arange(source.features), place)
    operation = Operation("norm", place, inputs=[part], form=form, epsilon=epsilon)
    for role, parameter in (("weight", weight), ("bias", bias)):
        if parameter is not None:
            lowering.use(parameter, place)
            operation.tensors[role] = (parameter, torch.arange(parameter.tensor.numel()))
    out = lowering.emit(operation, source.features)
    return lowering.sources.cells_of(out, lowering.shape(node))


def _by_last(lowering, node, name):
    """A sum, a product or a scaled value, whose inputs are identified by themselves."""
    place = lowering.captured.place(node)
    if name not in ("add", "add_", "mul", "mul_", "div", "neg"):
        return None
    a, b = (*node.args, None)[:2]
    if not lowering.depends(a) and isinstance(b, torch.fx.Node):
        a, b = b, a
    if lowering.depends(b):
        if name.startswith("add") and node.kwargs.get("alpha", 1) == 1:
            return rules.sum_of(lowering, node, a, b)
        return rules.product(lowering, node, a, b) if name.startswith("mul") else None
    if isinstance(b, torch.fx.Node) and lowering.parameters_of(b):
        _refuse_parameter(lowering, node)
    if name == "neg":
        factor = -1.0
    else:
        constant = lowering.values[b].tensor if isinstance(b, torch.fx.Node) else b
        if name.startswith("add") or (isinstance(constant, torch.Tensor) and constant.numel() != 1):
            return None
        factor = float(constant) if name.startswith("mul") else 1 / float(constant)
    source, tokens, features = lowering.rows(a, place)
    part = lowering.part(source, features, place)
    order = rules.positions(part, features)
    out = lowering.emit(Operation("scale", place, inputs=[part], by=factor), len(order))
    return Cells((out.base + tokens[..., None] * out.features + order).reshape(lowering.shape(node)))


def _refuse_parameter(lowering, node):
    """Refuses a part of the graph, at the operation that reads a parameter."""
    for one in region(lowering.values, node)[0]:
        read = [argument for argument in one.all_input_nodes if not lowering.depends(argument)]
        read = [parameter for argument in read for parameter in lowering.parameters_of(argument)]
        if read:
            word = {"add": "is added", "mul": "multiplies a value", "div": "divides a value"}
            name = name_of(one.target).rstrip("_")
            raise lowering.captured.place(one).refuse(
                f"the parameter {read[0].name} {word.get(name, 'is read')}",
                "use parameters in linear layers, norms and embeddings alone"
                + (", and add one to their output before any function" if name == "add" else ""),
            )


def _refuse(lowering, node):
    _refuse_other_tokens(lowering, node)
    for one in region(lowering.values, node)[0]:
        name = name_of(one.target).rstrip("_")
        if name not in _KNOWN | _EMPTY and name not in MOVES | CONVERSIONS:
            break
    else:
        _refuse_parameter(lowering, node)
        one, name = node, name_of(node.target)
    place, hint = lowering.captured.place(one), "use operations of a network: docs/reference/network.md lists them"
    nearest = _nearest(lowering, node) or _nearest(lowering, one)
    if nearest:
        rest = [name for name in FUNCTIONS if name != nearest]
        hint = f"use {nearest}, the nearest of them, or {', '.join(rest[:-1])} or {rest[-1]}"
    raise place.refuse(f"{name} is not an operation of a network", hint)


def _refuse_inputs(lowering, node):
    """Refuses values that depend on masks of tokens or other inputs outside of attention."""
    found = [one for one in lowering.sources_of(node) if one.kind in ("input", "mask")]
    for one in region(lowering.values, node)[0] if found else ():
        for leaf in one.all_input_nodes:
            if isinstance(lowering.values[leaf], Cells) and found[0].number in lowering.values[leaf].numbers():
                raise lowering.refusal_of_input(found[0], name_of(one.target), lowering.captured.place(one))


def _refuse_other_tokens(lowering, node):
    """Refuses a mean or another reduction over the tokens of a sequence."""
    for one in region(lowering.values, node)[0]:
        made = lowering.shape(one)
        reads = lowering.shape(one.all_input_nodes[0]) if one.all_input_nodes else ()
        whole = (lowering.sequences, lowering.tokens)
        if name_of(one.target) in _REDUCTIONS and reads[:2] == whole and made[:2] != whole:
            raise lowering.captured.place(one).refuse(
                f"{name_of(one.target)} joins the tokens of a sequence", "let attention alone read other tokens"
            )


def _nearest(lowering, node):
    """The nearest element-wise function, if the node is one."""
    sources = lowering.sources_of(node)
    if len(sources) != 1 or lowering.parameters_of(node):
        return None
    table = table_of(lowering.values, node, sources[0], lowering.sequences * lowering.tokens * sources[0].features)
    return None if table is None else nearest_to(*table)
