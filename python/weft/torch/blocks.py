"""The run of operations that repeats, which becomes the block of a network."""

import re
from dataclasses import dataclass

from .sums import is_stream


@dataclass
class Block:
    first: int  # operation
    length: int  # operations of a layer
    layers: int
    prefix: str = ""  # of the names of the first layer


def find(operations):
    """The block, or None."""
    signatures = _signatures(operations)
    best = None
    for length in range(1, len(operations) // 2 + 1):
        first = 0
        while first + length < len(operations):
            end = first
            while end + length < len(operations) and signatures[end] == signatures[end + length]:
                end += 1
            layers = (end - first) // length + 1
            if layers > 1 and (best is None or layers * length > best.layers * best.length):
                closed = [
                    block
                    for start in range(first, first + (end - first) % length + 1)
                    if _is_closed(operations, block := Block(start, length, layers))
                ]
                if closed:
                    best = next((one for one in closed if _prefix(operations, one)), closed[0])
            first = max(end, first + 1)
    best = best or _single(operations)
    if best is not None:
        best.prefix = _prefix(operations, best)
    return best


def _signatures(operations):
    """For each operation a value that is equal for two that do alike; inputs as distances to their makers."""
    makers = {part: (n, m) for n, one in enumerate(operations) for m, part in enumerate(one.outputs)}
    streams = {part for one in operations if is_stream(one) for part in one.outputs}

    def where(n, part):
        if part in streams:  # norms that continue the stream and sums have different names
            return "normed" if operations[makers[part][0]].kind == "norm" else "stream"
        return n - makers[part][0], makers[part][1]

    return [
        (
            one.kind, one.form, one.by, one.turned, one.heads, one.causal, len(one.outputs),
            one.add is not None and where(n, one.add),
            tuple(where(n, part) for part in one.inputs),
            tuple((role, tensor.shape, tensor.size) for role, tensor in one.tensors.items()),
        )
        for n, one in enumerate(operations)
    ]  # fmt: skip


def _is_closed(operations, block):
    """Returns true if layers share nothing but the stream, and no tensor occurs twice."""
    end, seen = block.first + block.length * block.layers, set()
    makers = {part: n for n, one in enumerate(operations) for part in one.outputs}
    layer = lambda n: (n - block.first) // block.length if block.first <= n < end else -1  # noqa: E731
    for n, one in enumerate(operations):
        for part in one.inputs:
            maker = makers[part]
            if not is_stream(operations[maker]) and layer(maker) != layer(n):
                return False
        for tensor in one.tensors.values():
            if layer(n) >= 0 and tensor.source in seen and not one.name:
                return False
            seen.add(tensor.source)
    return True


def _prefix(operations, block):
    return prefix_of(_names(operations[block.first : block.first + block.length]))


def _names(operations):
    return [tensor.source.name for one in operations for tensor in one.tensors.values()]


def prefix_of(names):
    """The words that all names begin with: "transformer.h.0."."""
    words = [name.split(".")[:-1] for name in names]
    if not words:
        return ""
    count = 0
    while all(len(one) > count and one[count] == words[0][count] for one in words):
        count += 1
    return ".".join([*words[0][:count], ""]) if count else ""


def _single(operations):
    """A block of one layer: operations of the only module in a list of modules."""
    found = {}
    for n, one in enumerate(operations):
        names = _names([one]) or [one.place.module + "."]
        match = re.match(r"(.+?\.)?\d+\.", names[0])
        if match:
            found.setdefault(match[0], []).append(n)
    if len(found) != 1:
        return None
    at = next(iter(found.values()))
    block = Block(at[0], at[-1] - at[0] + 1, 1)
    return block if len(at) == block.length and _is_closed(operations, block) else None
