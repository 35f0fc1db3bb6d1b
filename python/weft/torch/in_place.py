"""Changes in place: the result of each becomes a value of its own, which later operations read."""

import torch

from .moves import is_in_place, is_view

_HINT = "make a new value, as torch.where and torch.cat do"


def settle(captured):
    """Lets the readers of a value after a change in place read its result, and returns the changes of constants, which
    lowering computes in place as the module does. Refuses other changes of a part of a value, and of parameters."""
    index = {node: n for n, node in enumerate(captured.nodes)}
    depends = _dependent(captured)
    constants = []
    for node in captured.nodes:
        if node.op != "call_function" or not is_in_place(node):
            continue
        root = root_of(node.args[0])
        if root not in depends:
            constants.append(node)
            continue
        place, name = captured.place(node), str(node.target).split(".")[1]
        if root in captured.tensors:
            raise place.refuse(f"{name} changes the parameter {captured.tensors[root][0]} in place", _HINT)
        changed, at = node.args[0], index[node]
        others = [one for one in captured.nodes[:at] if one is not changed and root_of(one) is root]
        if any(index[user] > at for one in others for user in one.users):
            raise place.refuse(f"{name} changes a part of a value in place, whose other parts are read later", _HINT)
        changed.replace_all_uses_with(node, delete_user_cb=lambda user, at=at: index[user] > at)
        captured.outputs = [(name, node if one is changed else one) for name, one in captured.outputs]
    return constants


def root_of(node):
    """The value of which a node is a view."""
    while is_view(node):
        node = node.all_input_nodes[0]
    return node


def _dependent(captured):
    """Nodes that depend on an input or a parameter."""
    found = set(captured.inputs)
    found |= {node for node, (_, one) in captured.tensors.items() if isinstance(one, torch.nn.Parameter)}
    for node in captured.nodes:
        if any(one in found for one in node.all_input_nodes):
            found.add(node)
    return found
