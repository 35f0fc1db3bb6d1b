"""Lowering of a captured graph to operations: the walk over its nodes, and their values."""

import torch
from torch.fx.node import map_arg

from . import checks, in_place, losses, rules
from .capture import VALUES_READ
from .evaluate import is_idle_dropout, is_mask, region
from .graph import Operation
from .identify import identify
from .masks import Masks
from .moves import CHECKS, MOVES, dtype_of, is_conversion, name_of, run
from .places import Place
from .values import Cells, Constant, Pending, Sources


class Lowering:
    """`operations` in the order of the module. `losses`: what they are, that of classes first if there are two."""

    def __init__(self, captured):
        self.captured = captured
        self.values, self.sources, self.operations = {}, Sources(), []
        self.losses, self.smoothing, self.used, self.tied = [], 0.0, {}, False
        self.segments, self.segment = None, 0  # input besides the token ids, or the segment of all tokens
        self.masks, self.untrained = Masks(self), None  # the row of the embedding that padding_idx names
        self._start()
        checks.check_layers(captured)
        changes = in_place.settle(captured)
        self.needed = self._needed(changes)
        for node in captured.nodes:
            if node in self.needed and node.op == "call_function":
                self.values[node] = self._value(node)
        self._finish()

    # Sources ---------------------------------------------------------------------------------------------------------

    def _start(self):
        captured, parameters = self.captured, {}
        trained = {id(one): name for name, one in captured.module.named_parameters()}
        for node, (name, tensor) in captured.tensors.items():
            if id(tensor) not in trained and not isinstance(tensor, torch.nn.Parameter):
                self.values[node] = Constant(tensor.detach().clone())  # the module may change it in place
                continue
            name = trained.get(id(tensor), name)
            if name not in parameters:
                parameters[name] = self.sources.add("parameter", name, tensor=tensor)
            self.values[node] = Cells.whole(parameters[name], tensor.shape)
        self.parameters = parameters
        for node, (name, tensor) in captured.inputs.items():
            self.values[node] = self.sources.cells_of(self.sources.add("input", name, tensor=tensor), tensor.shape)
        self.inputs = [one for one in self.sources.list if one.kind == "input"]
        self.sequences, self.tokens = self.inputs[0].tensor.shape

    @property
    def whole_place(self):
        return Place(kind=type(self.captured.module).__name__)

    def _needed(self, changes):
        """Nodes on which the loss, or else the logits, depend, and the `changes` of constants in place among them. The
        other outputs are not computed."""
        captured = self.captured
        chosen = [one for one in captured.outputs if self.shape(one[1]) == () and self._floats(one[1])][:1]
        if not chosen:
            floats = [one for one in captured.outputs if self._floats(one[1]) and len(self.shape(one[1])) in (2, 3)]
            chosen = [one for one in floats if one[0].split(".")[-1] == "logits"][:1] or floats[:1]
        if not chosen:
            raise self.whole_place.refuse(
                "its output has neither logits nor a loss", "return logits, [sequences][tokens][vocabulary]"
            )
        self.output = chosen[0]
        needed, todo = set(), [self.output[1]]
        while todo:
            node = todo.pop()
            if node not in needed:
                needed.add(node)
                todo.extend(node.all_input_nodes)
                root = in_place.root_of(node)
                todo.extend(one for one in changes if in_place.root_of(one.args[0]) is root)
        captured.ignored += [name for name, node in captured.outputs if node not in needed]
        return needed

    def _floats(self, node):
        return dtype_of(node) is not None and dtype_of(node).is_floating_point

    def shape(self, node):
        value = self.values.get(node)
        if isinstance(value, Cells):
            return value.shape
        if isinstance(value, Constant):
            return tuple(value.tensor.shape)
        meta = node.meta.get("val", node.meta.get("tensor_meta"))
        return tuple(meta.shape) if hasattr(meta, "shape") else None

    def sources_of(self, node):
        """The known values from which a node is computed."""
        return self._leaves(node, 0)

    def parameters_of(self, node):
        return self._leaves(node, 1)

    def _leaves(self, node, which):
        """Since a pending node was made, values between it and its sources may have become known."""
        numbers = set().union(*(self._numbers(leaf)[which] for leaf in region(self.values, node)[1]))
        return [self.sources.list[n] for n in sorted(numbers)]

    def depends(self, node):
        """Returns true if a node depends on values of tokens, not on masks of them alone."""
        return isinstance(node, torch.fx.Node) and bool(self._numbers(node)[0] - self.masks.numbers)

    def _numbers(self, node):
        value = self.values[node]
        if isinstance(value, Pending):
            return value.values, value.parameters
        numbers = set()
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, Cells):
                numbers |= one.numbers()
        parameters = frozenset(n for n in numbers if self.sources.list[n].kind == "parameter")
        return frozenset(numbers - parameters), parameters

    # Nodes -----------------------------------------------------------------------------------------------------------

    def _value(self, node):
        name, place = name_of(node.target), self.captured.place(node)
        if name in CHECKS or is_mask(node):
            return Constant(())
        arguments = node.all_input_nodes
        checks.check_random(node, name, place)
        if all(isinstance(self.values[one], Constant) for one in arguments):
            with torch.no_grad():
                get = lambda one: self.values[one].tensor  # noqa: E731
                if name == "clone":
                    return Constant(get(node.args[0]).clone())  # which a later operation may change in place
                return Constant(run(node, map_arg(node.args, get), map_arg(node.kwargs, get)))
        checks.check_gradient(self, node, name, place)
        if name in ("item", "_local_scalar_dense"):
            raise place.refuse(*VALUES_READ)
        if is_idle_dropout(node):
            if isinstance(self.values[node.args[0]], Cells):
                value = self.values[node.args[0]]
                return (value,) if name == "native_dropout" else value
        moved = self.moved(node, name)
        if moved is not None:
            return moved
        values, parameters = frozenset(), frozenset()
        for one in arguments:
            mine = self._numbers(one)
            values, parameters = values | mine[0], parameters | mine[1]
        mask = self.masks.of_ids(node, name)
        if mask is not None:
            return mask
        losses.check_use(self, node, name, place)
        pending = self.values[node] = Pending(node, values, parameters)
        found = rules.apply(self, node, name)
        if found is not None:
            return found
        for number in values:
            if self.sources.list[number].kind == "input" and not self.masks.takes(self.sources.list[number]):
                raise self.refusal_of_input(self.sources.list[number], name, place)
        return pending

    def moved(self, node, name):
        """The value of a node that only moves known elements, or None."""
        if name == "embedding" and isinstance(self.values[node.args[1]], Constant):
            table = self.values[node.args[0]]
            return Cells(table.ids[self.values[node.args[1]].tensor]) if isinstance(table, Cells) else None
        if is_conversion(node) and isinstance(self.values[node.args[0]], Cells):
            return self.values[node.args[0]]
        if name not in MOVES:
            return None
        if name == "getitem" and isinstance(self.values[node.args[0]], tuple):
            return self.values[node.args[0]][node.args[1]]
        keywords = {k: v for k, v in node.kwargs.items() if not isinstance(v, torch.fx.Node)}
        moved = [one for one in node.all_input_nodes if isinstance(self.values[one], (Cells, tuple))]
        others = [one for one in node.all_input_nodes if one not in moved]
        if not moved or any(not self._may_join(one, name) for one in others):
            return None
        if len(node.all_input_nodes) == 1 and getattr(self.values[moved[0]], "view", None) is not None:
            viewed = self._viewed(node, self.values[moved[0]], keywords)
            if viewed is not None:
                return viewed
        result = run(node, map_arg(node.args, self._ids), keywords)
        return tuple(map(Cells, result)) if isinstance(result, (tuple, list)) else Cells(result)

    def _viewed(self, node, cells, keywords):
        """The result of a move that changes sizes and strides of a parameter alone, or None."""
        result = run(node, map_arg(node.args, lambda _: cells.view), keywords)
        if not isinstance(result, (tuple, list)):
            return cells.moved(result)
        parts = tuple(map(cells.moved, result))
        return None if None in parts else parts

    def _may_join(self, node, name):
        """A constant is an index, or an empty tensor that is joined to others."""
        value = self.values[node]
        if not isinstance(value, Constant) or not isinstance(value.tensor, torch.Tensor):
            return False
        return value.tensor.numel() == 0 if name in ("cat", "stack") else name in ("index", "index_select")

    def _ids(self, node):
        value = self.values[node]
        if isinstance(value, Constant):
            return value.tensor
        return tuple(one.ids for one in value) if isinstance(value, tuple) else value.ids

    # Results ---------------------------------------------------------------------------------------------------------

    def resolve(self, node):
        """The value of a node, which is identified if it is pending."""
        if isinstance(self.values[node], Pending):
            self.values[node] = identify(self, node)
        return self.values[node]

    def cells(self, node):
        value = self.resolve(node)
        if not isinstance(value, Cells):
            raise self.captured.place(node).refuse(
                "a constant takes the place of a value of tokens", "compute it from the token ids"
            )
        return value

    def rows(self, node, place):
        """Source, tokens and features of a node: [...][features]."""
        cells = self.cells(node)
        found = self.sources.rows(cells)
        if found is None:
            read = [self.sources.list[number] for number in sorted(cells.numbers())]
            if read[0].kind == "input":
                raise self.refusal_of_input(read[0], "a product", place)
            if len(read) > 1:
                raise place.refuse(
                    f"its input joins features of {len(read)} values",
                    "give each value a linear layer of its own, and add their outputs to the residual stream",
                )
            raise place.refuse("its input mixes features of several tokens", "give it one value, feature by feature")
        return found

    @staticmethod
    def refusal_of_input(source, name, place):
        return place.refuse(
            f"{name} computes with the values of input {source.name}",
            "use token ids in an embedding, labels in F.cross_entropy or F.mse_loss, and no other inputs",
        )

    def part(self, source, features, place):
        if source.maker.kind == "segments":
            raise place.refuse(
                "reads an embedding of segments alone", "add it to the embedding of the token ids, and read the sum"
            )
        part = source.part(features)
        if part is None:
            raise place.refuse(
                "its input has some features that another operation reads with others, or one twice",
                "split a linear layer's output in the same way for all readers",
            )
        if source.maker.kind != "linear" and len(features) != source.features:
            raise place.refuse(
                f"reads {len(features)} of {source.features} features",
                "read all features, or split a linear layer's output",
            )
        return part

    def emit(self, operation, features=0):
        """Appends an operation; returns the source of its results, if it has any."""
        self.operations.append(operation)
        if features:
            operation.out = self.sources.add("value", "", features=features, maker=operation)
        return operation.out

    def use(self, parameter, place):
        """Registers the one operation that uses a parameter."""
        if parameter.name in self.used:
            other = self.used[parameter.name].subject
            also = "used twice" if other == place.subject else f"also used by {other}"
            raise place.refuse(
                f"the parameter {parameter.name} is {also}",
                "share only the matrix of embedding and head, and call a module with parameters once",
            )
        self.used[parameter.name] = place

    def _finish(self):
        name, node = self.output
        place = self.captured.place(node)
        if not self.losses:
            if self.shape(node) == ():
                raise place.refuse(
                    f"output {name} is a number, but no cross-entropy or squared error of an input",
                    "return the loss of F.cross_entropy or F.mse_loss, or logits alone",
                )
            source, tokens, features = self.rows(node, place)
            which, count = losses.tokens_of(self, tokens), self.sequences * self.tokens
            if not which and tokens.numel() != count:
                raise place.refuse(
                    f"logits of {tokens.numel()} of {count} tokens",
                    "return logits of all tokens, or of the first one of each sequence; nanoGPT does with targets as "
                    "second input",
                )
            if not which or not torch.equal(features, torch.arange(source.features)):
                raise place.refuse(
                    f"output {name} is not in the order of tokens and vocabulary",
                    "return logits as the head makes them",
                )
            losses.emit(self, place, source, features, which, None)
        losses.settle(self, place)
        self.masks.settle()
        if self.operations[0].kind != "embed" or any(one.maker.kind != "linear" for one in self.losses):
            raise place.refuse(
                "logits are not computed from token ids by an embedding and a linear layer as head",
                "begin with nn.Embedding, and end with nn.Linear",
            )
        for name, parameter in self.captured.module.named_parameters():
            if self.parameters.get(name) is None or name not in self.used:
                owner = name.rpartition(".")[0]
                kind = type(self.captured.module.get_submodule(owner)).__name__
                raise Place(owner, kind).refuse(f"the parameter {name} is not used", "remove it, or use it")
