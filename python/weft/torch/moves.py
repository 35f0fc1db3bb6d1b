"""Operations that only move elements, which are applied to the elements' numbers."""

import torch

MOVES = {
    "view", "reshape", "_unsafe_view", "_reshape_alias", "view_copy", "transpose", "t", "permute", "swapaxes",
    "movedim", "unsqueeze", "squeeze", "flatten", "unflatten", "expand", "expand_as", "slice", "select",
    "narrow", "split", "stack", "split_with_sizes", "chunk", "unbind", "tensor_split", "cat", "contiguous",
    "clone", "alias", "repeat", "repeat_interleave", "flip", "roll", "numpy_T", "T", "mT", "index_select",
    "index", "getitem", "lift", "lift_fresh", "lift_fresh_copy", "unsafe_split", "unsafe_chunk",
}  # fmt: skip
# Moves whose result is a value of its own.
_COPIES = {
    "stack", "cat", "clone", "repeat", "repeat_interleave", "flip", "roll", "index_select", "index", "view_copy",
    "lift_fresh_copy", "_to_copy",
}  # fmt: skip
CONVERSIONS = {"to", "long", "int", "_to_copy", "type_as", "float", "double", "type"}
CHECKS = {"_assert_tensor_metadata", "_assert_async", "_assert_scalar", "sym_constrain_range", "_assert"}


def name_of(target):
    """ "add" of aten.add.Tensor."""
    words = str(target).split(".")
    return words[1] if words[0] == "aten" else getattr(target, "__name__", str(target)).split(".")[0]


def dtype_of(node):
    meta = node.meta.get("val", node.meta.get("tensor_meta"))
    return getattr(meta, "dtype", None)


def is_conversion(node):
    """Returns true for a conversion that changes no value but by rounding to fewer bits."""
    if name_of(node.target) not in CONVERSIONS or dtype_of(node) in (None, torch.bool):
        return False
    first = dtype_of(node.args[0])
    return first not in (None, torch.bool) and first.is_floating_point == dtype_of(node).is_floating_point


def is_in_place(node):
    name = name_of(node.target)
    return name.endswith("_") and not name.endswith("__")


def is_view(node):
    """Returns true for a node whose result may share its memory with the input."""
    name = name_of(node.target)
    return node.op == "call_function" and name in (MOVES | CONVERSIONS | {"detach"}) - _COPIES


def run(node, arguments, keywords):
    """The result of a node for these arguments."""
    name = name_of(node.target)
    if name == "_reshape_alias":  # its strides are those of the original
        return arguments[0].reshape(arguments[1])
    if name in ("view", "_unsafe_view", "view_copy") and isinstance(arguments[1], (list, tuple)):
        return arguments[0].reshape(arguments[1])
    if name == "cat":
        parts = [one for one in arguments[0] if one.numel() or one.dim() > 1]  # an empty vector counts as nothing
        return torch.cat(parts, *arguments[1:], **keywords)
    if name in ("contiguous", "clone", "lift_fresh_copy"):
        return arguments[0]
    return node.target(*arguments, **keywords)
