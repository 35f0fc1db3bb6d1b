"""Names of operations, tensors and values, from those of the module."""

import re

from .blocks import prefix_of
from .graph import LOSSES
from .sums import is_stream

_RESERVED = {"block", "delta_scaled", "__metadata__"}


def _stem(tensor):
    """ "mlp.up" of the parameter mlp.up.weight; a parameter with another name has it whole."""
    return re.sub(r"\.weight$", "", tensor.source.name)


class Names:
    """`block`: Block or None. Operations of all layers have the names of the first layer."""

    def __init__(self, operations, block, module):
        self.module, self.taken, self.last = module, set(_RESERVED), operations[-1]
        self.embedded = {tensor.source for tensor in operations[0].tensors.values()}
        first, end, length = (
            (block.first, block.first + block.length * block.layers, block.length) if block else (0, 0, 0)
        )
        outside = [one for n, one in enumerate(operations) if not first <= n < end]
        inside = operations[first : first + length]
        owners = [block.prefix + "x"] if block and block.prefix else []
        for one in outside:
            if one.kind != "linear":
                owners += [tensor.source.name for tensor in one.tensors.values()]
        self.common = prefix_of(owners)
        self.operations = {}
        for one in inside:
            self._name(one, block.prefix)
        for one in outside:
            self._name(one, self.common)
        for layer in range(1, block.layers if block else 1):
            for n, one in enumerate(inside):
                other = operations[first + layer * length + n]
                other.name = one.name
                for role, tensor in one.tensors.items():
                    other.tensors[role].name = tensor.name
        self._name_values(operations, inside, first, length, block.layers if block else 1)

    def _without(self, name, prefix):
        name = name[len(prefix) :] if name.startswith(prefix) else name
        return re.sub(r"[^A-Za-z0-9_.]", "_", name)

    def _unique(self, name):
        found, n = name, 2
        while found in self.taken:
            found, n = f"{name}_{n}", n + 1
        self.taken.add(found)
        return found

    def _name(self, operation, prefix):
        tensors, part = operation.tensors, operation.name
        if operation.kind == "embed":
            operation.name = self._unique("embedding")
            for role, tensor in tensors.items():
                tensor.name = self._unique(self._without(_stem(tensor), prefix)) + ".weight"
        elif operation.kind in ("linear", "norm"):
            name = self._without(self._stem(operation), prefix)
            operation.name = self._unique(f"{name}.{part}" if part else name)
            for role, tensor in tensors.items():
                tensor.name = f"{operation.name}.{role}"
        else:
            operation.name = self._unique(self._of_place(operation, prefix))

    def _stem(self, operation):
        tensor = operation.tensors["weight"]
        if operation.kind == "norm":
            return tensor.source.name.rpartition(".")[0] or tensor.source.name
        if tensor.source not in self.embedded:
            return _stem(tensor)
        module = self.module.get_submodule(operation.place.module)  # a tied head
        return operation.place.module if operation.place.module and hasattr(module, "weight") else "lm_head"

    def _of_place(self, operation, prefix):
        if operation.kind in LOSSES:
            return "loss" if operation is self.last else "classes"
        name = self._without(operation.place.module + ".", prefix).strip(".")
        leaf = not any(True for _ in self.module.get_submodule(operation.place.module).children())
        if name and (operation.kind == "attention" or (leaf and name not in self.taken)):
            return name
        return f"{name}.{operation.kind}" if name else operation.kind

    # Values ----------------------------------------------------------------------------------------------------------

    def _name_values(self, operations, inside, first, length, layers):
        self.taken, readers = set(_RESERVED), {}
        for one in operations:
            for part in one.inputs + ([one.add] if one.add is not None and one.add.source.maker.kind == "norm" else []):
                readers.setdefault(part, []).append(one)
                while part.source.maker.kind == "dropout" and part.source.maker.add is None:  # in its input's array
                    part = part.source.maker.inputs[0]
                    readers.setdefault(part, []).append(one)
        shown = [*operations[: first + length], *operations[first + length * layers :]]
        makers = {part: one for one in operations for part in one.outputs}
        norms = []  # [name, operation that reads it last]
        for at, one in enumerate(shown):
            for n, part in enumerate(one.outputs):
                if one.kind == "dropout" and one.add is None:
                    part.name = one.inputs[0].name
                elif one.kind == "norm" and not is_stream(makers[one.inputs[0]]):
                    part.name = self._unique("normed_out")
                elif one.kind == "norm":
                    last = max((shown.index(reader) for reader in readers.get(part, []) if reader in shown), default=at)
                    part.name = self._norm(norms, at, last)
                elif one.kind == "embed" and self._is_kept(one, readers):
                    part.name = self._unique("embedded")
                elif one.kind == "embed" or one.add is not None:
                    part.name = "residual"
                else:
                    part.name = self._value(one, n, part, readers)
        for layer in range(1, layers):
            for n, one in enumerate(inside):
                for part, named in zip(operations[first + layer * length + n].outputs, one.outputs):
                    part.name = named.name

    @staticmethod
    def _is_kept(embed, readers):
        """Returns true if a branch begins at the embedding itself, and norms continue the stream: backward needs it."""
        found = readers.get(embed.outputs[0], [])
        return any(one.kind != "norm" for one in found) and any(
            reader.kind == "norm" and reader.stream for several in readers.values() for reader in several
        )

    def _norm(self, norms, at, last):
        """Outputs of norms share an array where the operations that read them do not interleave."""
        for found in norms:
            if found[1] < at:
                found[1] = last
                return found[0]
        norms.append([self._unique("normed"), last])
        return norms[-1][0]

    def _value(self, operation, n, part, readers):
        last = operation.name.split(".")[-1]
        name = {"attention": "heads", "linear": last}.get(operation.kind, operation.kind)
        if operation.kind == "linear":
            for reader in readers.get(part, []):
                if reader.kind == "attention" and part in reader.inputs:
                    name = "qkv"[reader.inputs.index(part)]
                elif reader.kind in LOSSES:
                    name = "logits" if reader is self.last else "scores"
            if name == last and len(operation.outputs) > 1:
                name = f"{last}_{n + 1}"
        while "d" + name in self.taken or (name.startswith("d") and name[1:] in self.taken) or name == "residual":
            name += "_out"
        return self._unique(name)
