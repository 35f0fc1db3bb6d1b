"""The text of a network file."""


def _initial(tensor, operation):
    if len(tensor.shape) == 1:
        return "value: 1" if operation.kind == "norm" and tensor.name.endswith(".weight") else "value: 0"
    return "normal: 0.02" + (", residual: true" if operation.add is not None else "")


def _tensors(operations, tied, indent):
    lines = []
    for one in operations:
        for tensor in one.tensors.values():
            alias = f", tied: {tied.name}" if tied and tensor.source is tied.source and tensor is not tied else ""
            lines.append(
                f"{indent}{tensor.name}: {{shape: [{', '.join(tensor.shape)}], {_initial(tensor, one)}{alias}}}"
            )
    return lines


def _list(parts):
    names = [part.name for part in parts]
    return names[0] if len(names) == 1 else f"[{', '.join(names)}]"


def operation_text(one):
    words = [f"{one.kind}: {one.name}"]
    if one.kind == "embed":
        words += [f"{role}: {tensor.name}" for role, tensor in one.tensors.items()]
    if one.kind == "norm" and one.form != "layer":
        words.append(f"form: {one.form}")
    if one.inputs:
        words.append(f"in: {_list(one.inputs)}")
    if not one.causal:
        words.append("causal: false")
    if one.kind == "scale":
        words.append(f"by: {one.by:.9g}")
    if one.kind == "dropout" or (one.kind == "attention" and one.by):
        words.append(f"p: {one.by:.9g}")
    if one.add is not None:
        words.append(f"add: {one.add.name}")
    outputs = one.inputs if one.kind == "rotary" else one.outputs
    if outputs:
        words.append(f"out: {_list(outputs)}")
    return "{" + ", ".join(words) + "}"


def kept(operations):
    """Values that backward finds where forward left them; it computes norms and functions again."""
    names = []
    added = {part for one in operations if one.kind == "dropout" and one.add is not None for part in one.inputs}
    for one in operations:
        for part in one.outputs:
            if (
                one.add is None
                and part not in added
                and one.kind in ("linear", "attention")
                and part.role not in ("vocab", "class")
                and part.name not in names
            ):
                names.append(part.name)
    return names


def network_text(name, title, operations, block, tied):
    """Returns the text, and for each line of an operation the operation."""
    first, end = (block.first, block.first + block.length * block.layers) if block else (0, 0)
    inside = operations[first : first + block.length] if block else []
    before, after = operations[:first], operations[end:]
    lines = [f"# {title}, lowered by weft.torch (docs/reference/torch.md).", f"network: {name}", "", "tensors:"]
    lines += _tensors(before, tied, "  ")
    if block:
        lines += ["  block:", *_tensors(inside, tied, "    ")]
    lines += [*_tensors(after, tied, "  "), "", "operations:"]
    places = {}
    for group, indent in ((before, "  "), (inside, "      "), (after, "  ")):
        if group is inside and block:
            lines.append("  - block:")
        for one in group:
            lines.append(f"{indent}- {operation_text(one)}")
            places[len(lines)] = one
    names = kept(operations)
    if names:
        lines += ["", f"keep: [{', '.join(names)}]"]
    return "\n".join(lines) + "\n", places
