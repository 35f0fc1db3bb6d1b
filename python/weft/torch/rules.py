"""Nodes that are an operation, or a part of one, as soon as they are met."""

import torch

from .attention import PRODUCTS, attention_of
from .checks import check_rate
from .evaluate import dropped, region
from .graph import Operation
from .losses import cross_entropy, is_loss, squared_error
from .moves import MOVES, is_conversion, name_of
from .values import Cells, Constant, Pending


def sole(lowering, node):
    """Returns true if one node alone reads a value, or the values of which it is a view."""
    while True:
        if sum(user in lowering.needed for user in node.users) != 1:
            return False
        if node.op != "call_function" or not (name_of(node.target) in MOVES or is_conversion(node)):
            return True
        node = node.all_input_nodes[0]


def apply(lowering, node, name):
    """The value of such a node, or None."""
    if dropped(node):
        return _dropout(lowering, node, name, *dropped(node))
    if name == "embedding":
        return _embedding(lowering, node)
    if name in ("linear", "addmm", "mm"):
        bias = {"linear": 2, "addmm": 0}.get(name)
        x, matrix = node.args[1:3] if name == "addmm" else node.args[:2]
        given = node.args[bias] if bias is not None and len(node.args) > bias else node.kwargs.get("bias")
        return _linear(lowering, node, x, matrix, name == "linear", given)
    if name in PRODUCTS or name == "scaled_dot_product_attention":
        if name in ("matmul", "bmm") and not lowering.depends(node.args[1]) and lowering.depends(node.args[0]):
            return _linear(lowering, node, node.args[0], node.args[1], False, None)
        attention = attention_of(lowering, node)
        return None if attention is None else attention.lower()
    if name in ("add", "add_"):
        return _add(lowering, node)
    if name in ("mul", "mul_"):
        a, b = node.args[:2]
        if lowering.depends(a) and lowering.depends(b) and _separate(lowering, a, b):
            return product(lowering, node, a, b)
    if name in ("cross_entropy_loss", "nll_loss_forward", "nll_loss_nd", "nll_loss"):
        return cross_entropy(lowering, node, name)
    if name == "mse_loss":
        return squared_error(lowering, node)
    if name in ("constant_pad_nd", "pad"):
        return _pad(lowering, node, name)
    return None


def _pad(lowering, node, name):
    """An input with a constant around it, as labels that are shifted by one; None for other values."""
    cells, *further = (lowering.values[node.args[0]], *node.args[1:], *node.kwargs.values())
    source = lowering.sources.only(cells) if isinstance(cells, Cells) else None
    constant = further[-1] if len(further) > 1 and not isinstance(further[-1], str) else 0
    if source not in lowering.inputs[1:] or (name == "pad" and len(further) > 1 and further[1] != "constant"):
        return None
    made = lowering.sources.add("constant", str(constant), tensor=torch.tensor([constant]))
    return Cells(torch.nn.functional.pad(cells.ids, further[0], value=made.base))


def _separate(lowering, a, b):
    """Two nodes that depend on different values, and have equal shapes."""
    return lowering.sources_of(a) != lowering.sources_of(b) and lowering.shape(a) == lowering.shape(b)


def of_rows(source, tokens, count):
    """Cells of a source for these tokens: [...][count]."""
    return Cells(source.base + tokens[..., None] * source.features + torch.arange(count))


def _embedding(lowering, node):
    table, ids, place = lowering.values[node.args[0]], lowering.values[node.args[1]], lowering.captured.place(node)
    source = lowering.sources.only(ids) if isinstance(ids, Cells) else None
    parameter = lowering.sources.only(table) if isinstance(table, Cells) else None
    if source in lowering.inputs[1:] and source.tensor.shape == lowering.inputs[0].tensor.shape:
        return _segments(lowering, node, source, ids, table, place)
    if source is not lowering.inputs[0]:
        name = source.name if source is not None else "a computed value"
        raise place.refuse(
            f"its rows are chosen by {name}, not by the token ids", "embed the first input and positions alone"
        )
    if len(node.args) > 2 and isinstance(node.args[2], int) and node.args[2] >= 0:
        lowering.untrained = node.args[2]
    if any(one.kind == "embed" for one in lowering.operations):
        raise place.refuse("is a second embedding of the token ids", "use one embedding of tokens and one of positions")
    if parameter is None or parameter.kind != "parameter":
        raise place.refuse("its table is no parameter", "use nn.Embedding")
    lowering.use(parameter, place)
    operation = Operation("embed", place, tensors={"tokens": (parameter, table)})
    return of_rows(lowering.emit(operation, table.shape[1]), ids.offsets(), table.shape[1])


def _segments(lowering, node, source, ids, table, place):
    """Rows of a table by a second input, as kinds of segments, which are added to the embedding of the token ids."""
    parameter = lowering.sources.only(table) if isinstance(table, Cells) else None
    if lowering.segments not in (None, source) or parameter is None or parameter.kind != "parameter":
        raise place.refuse(
            f"its rows are chosen by {source.name}, as a further input or with a table that is no parameter",
            "embed token ids, and one kind of segments",
        )
    if parameter.name in lowering.used:
        raise place.refuse(
            f"{source.name} is a second stream of tokens, with the embedding of {lowering.inputs[0].name}",
            "use one stream of token ids, and kinds of segments whose own embedding is added to theirs",
        )
    if not torch.equal(ids.offsets().reshape(-1), torch.arange(source.tensor.numel())):
        raise place.refuse(f"{source.name} is not in the order of tokens", "give a segment for each token")
    if table.shape[0] > 256:
        raise place.refuse(
            f"{source.name} chooses one of {table.shape[0]} rows, and a further input has at most 256 values",
            "give the ids with more values as first input; embed torch.arange(tokens) as positions",
        )
    lowering.segments = source
    operation = Operation("segments", place, tensors={"segments": (parameter, table)})
    operation.out = lowering.sources.add("value", "", features=table.shape[1], maker=operation)
    return of_rows(operation.out, ids.offsets(), table.shape[1])


def _add_segments(lowering, node, a, b):
    """The embedding, to which the embedding of segments is added."""
    makers = []
    for one in (a, b):
        rows = lowering.sources.rows(lowering.values[one]) if isinstance(lowering.values[one], Cells) else None
        makers.append(rows[0].maker if rows else None)
    kinds = [one.kind if one else "" for one in makers]
    if "segments" not in kinds:
        return None
    place = lowering.captured.place(node)
    if "embed" not in kinds or not (sole(lowering, a) and sole(lowering, b)):
        raise place.refuse(
            "an embedding of segments is not added to that of the token ids alone",
            "add token embedding and segment embedding first, then positions",
        )
    embed, segments = makers if kinds[0] == "embed" else makers[::-1]
    lowering.use(segments.tensors["segments"][0], segments.place)
    embed.tensors["segments"] = segments.tensors["segments"]
    return lowering.values[a if kinds[0] == "embed" else b]


def _linear(lowering, node, x, matrix, out_first, bias):
    place, cells = lowering.captured.place(node), lowering.values[matrix]
    if not lowering.depends(x):
        return None
    source, tokens, features = lowering.rows(x, place)
    if isinstance(cells, Cells) and len(cells.shape) == 3 and (cells.ids == cells.ids[:1]).all():
        cells = Cells(cells.ids[0])  # one matrix for all sequences
    parameter = lowering.sources.only(cells) if isinstance(cells, Cells) else None
    if parameter is None or parameter.kind != "parameter" or len(cells.shape) != 2:
        what = "a constant" if isinstance(cells, Constant) else "no matrix of parameters"
        raise place.refuse(f"the matrix of the product is {what}", "use a parameter, as nn.Linear does")
    cells = cells.T if out_first else cells
    if not cells.is_whole and not _all_once(cells, parameter):
        raise place.refuse(f"the matrix is a part of the parameter {parameter.name}", "use whole parameters")
    embed = lowering.operations[0] if lowering.operations else None
    if embed is None or embed.tensors["tokens"][0] is not parameter or lowering.tied:
        lowering.use(parameter, place)
    else:
        lowering.tied = True
    part = lowering.part(source, features, place)
    operation = Operation("linear", place, inputs=[part], tensors={"weight": (parameter, cells, features)})
    out = lowering.emit(operation, cells.shape[1])
    if bias is not None:
        _add_bias(lowering, operation, bias, place)
    return of_rows(out, tokens, cells.shape[1])


def _all_once(cells, parameter):
    """Returns true if cells have each element of a parameter once."""
    ids = cells.offsets().reshape(-1)
    seen = torch.zeros(parameter.tensor.numel(), dtype=torch.bool)
    seen[ids] = True
    return len(ids) == len(seen) and bool(seen.all())


def _add_bias(lowering, operation, node, place):
    cells = lowering.values[node]
    parameter = lowering.sources.only(cells) if isinstance(cells, Cells) else None
    if parameter is None or parameter.kind != "parameter" or parameter.tensor.numel() != operation.out.features:
        raise place.refuse("its bias is no vector of parameters", "use a parameter, as nn.Linear does")
    lowering.use(parameter, place)
    operation.tensors["bias"] = (parameter, cells.offsets().reshape(-1))


def _add(lowering, node):
    a, b = node.args[:2]
    if node.kwargs.get("alpha", 1) != 1 or not isinstance(b, torch.fx.Node) or not isinstance(a, torch.fx.Node):
        return None
    if not lowering.depends(a):
        a, b = b, a
    if not lowering.depends(a):
        return None
    if not lowering.depends(b):
        return _add_vector(lowering, node, a, b)
    if is_loss(lowering, a) and is_loss(lowering, b):
        return lowering.sources.cells_of(lowering.sources.add("loss", "loss"), ())
    segments = _add_segments(lowering, node, a, b)
    if segments is not None:
        return segments
    return sum_of(lowering, node, a, b) if _separate(lowering, a, b) else None


def _add_vector(lowering, node, a, b):
    """A bias or positions, which are added to the result of an operation."""
    value, place = lowering.values[a], lowering.captured.place(node)
    rows = lowering.sources.rows(value) if isinstance(value, Cells) else None
    if rows is None or lowering.shape(node) != lowering.shape(a) or not sole(lowering, a):
        return None
    maker, other = rows[0].maker, lowering.values[b]
    if maker.kind == "segments":
        raise place.refuse(
            "is added to an embedding that further inputs choose", "add that to the embedding of the token ids first"
        )
    if maker.kind == "embed" and isinstance(other, Constant) and other.tensor.dim() > 0:
        raise place.refuse(
            "its positions are constants", "use an nn.Embedding of positions, or rotate queries and keys"
        )
    parameter = lowering.sources.only(other) if isinstance(other, Cells) else None
    if parameter is None or parameter.kind != "parameter":
        return None
    if maker.kind == "embed" and "positions" not in maker.tensors:
        ids = other.offsets().expand(lowering.shape(node)).reshape(lowering.sequences, lowering.tokens, -1)
        count = ids.shape[-1]
        if _add_one_segment(lowering, maker, parameter, ids):
            return value
        wanted = torch.arange(lowering.tokens * count).reshape(lowering.tokens, count)
        if any(not torch.equal(one, wanted) for one in ids) or parameter.tensor.shape[-1] != count:
            raise place.refuse(
                f"rows of {parameter.name} are not added in the order of positions", "add row t at position t"
            )
        lowering.use(parameter, place)
        maker.tensors["positions"] = (parameter, torch.arange(parameter.tensor.numel()).reshape(-1, count))
        return value
    if maker.kind == "linear" and "bias" not in maker.tensors and parameter.tensor.numel() == maker.out.features:
        _add_bias(lowering, maker, b, place)
        return value
    return None


def _add_one_segment(lowering, embed, parameter, ids):
    """Adds one row of a table to all tokens: an embedding of segments whose input is left out. Returns false for other
    rows. `ids`: [sequences][tokens][hidden], elements of the parameter."""
    count = ids.shape[-1]
    row = int(ids[0, 0, 0]) // count
    if parameter.tensor.dim() != 2 or "segments" in embed.tensors or lowering.segments is not None:
        return False
    if lowering.tokens == 1 or not (ids == row * count + torch.arange(count)).all():
        return False
    lowering.use(parameter, embed.place)
    embed.tensors["segments"] = (parameter, torch.arange(parameter.tensor.numel()).reshape(-1, count))
    lowering.segment = row
    return True


def _dropout(lowering, node, name, x, rate):
    place = lowering.captured.place(node)
    check_rate(place, rate)
    if isinstance(lowering.values[x], Pending) and any(
        "softmax" in name_of(one.target) for one in region(lowering.values, x)[0]
    ):
        return None  # weights of attention, which drops them
    _, tokens, features, part = _whole(lowering, x, place)
    out = lowering.emit(Operation("dropout", place, inputs=[part], by=rate), len(features))
    cells = Cells(out.base + tokens[..., None] * out.features + positions(part, features))
    return (cells,) if name == "native_dropout" else cells


def _whole(lowering, node, place):
    source, tokens, features = lowering.rows(node, place)
    return source, tokens, features, lowering.part(source, features, place)


def _both(lowering, node, a, b):
    place = lowering.captured.place(node)
    _, tokens, features, one = _whole(lowering, a, place)
    _, others, other_features, other = _whole(lowering, b, place)
    if tokens.shape == others.shape and not torch.equal(tokens, others):
        raise place.refuse("its two inputs are of different tokens", "let attention alone read other tokens")
    if not torch.equal(tokens, others) or len(features) != len(other_features):
        raise place.refuse(
            "its two inputs have tokens or features in different orders", "bring both into one order first"
        )
    orders = [positions(part, order) for part, order in ((one, features), (other, other_features))]
    if not torch.equal(*orders):
        raise place.refuse("its two inputs have features in different orders", "bring both into one order first")
    return place, tokens, orders[0], [one, other]


def positions(part, features):
    """Position of each feature in the part."""
    inverse = {int(feature): n for n, feature in enumerate(part.features)}
    return torch.tensor([inverse[int(feature)] for feature in features])


def sum_of(lowering, node, a, b):
    place, tokens, order, parts = _both(lowering, node, a, b)
    out = lowering.emit(Operation("sum", place, inputs=parts), len(order))
    return Cells(out.base + tokens[..., None] * out.features + order)


def product(lowering, node, a, b):
    place, tokens, order, parts = _both(lowering, node, a, b)
    out = lowering.emit(Operation("product", place, inputs=parts), len(order))
    return Cells(out.base + tokens[..., None] * out.features + order)
