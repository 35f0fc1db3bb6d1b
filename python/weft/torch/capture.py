"""Capture of a module: its aten operations for one example, each with its place."""

import contextlib
import inspect
import io
import sys
from dataclasses import dataclass, field, replace

import torch
import torch.fx.traceback
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_map

from .errors import Refusal
from .moves import name_of
from .places import Place, current_line, current_place, has_gradient, place_of_exception, place_of_trace


VALUES_READ = (
    "its control flow depends on values of tensors (if, item() and one_hot read them)",
    "let the module compute the same operations for all inputs",
)


@dataclass
class Captured:
    module: torch.nn.Module
    nodes: list = field(default_factory=list)  # of a torch.fx.Graph, in order
    tensors: dict = field(default_factory=dict)  # node: (qualified name, tensor)
    inputs: dict = field(default_factory=dict)  # node: (name, tensor)
    outputs: list = field(default_factory=list)  # (name, node)
    ignored: list = field(default_factory=list)  # names of outputs that are no tensors
    places: dict = field(default_factory=dict)  # node: Place

    def place(self, node):
        return self.places.get(node, Place(kind=type(self.module).__name__))


class Record:
    """Names of outputs: tensors, and others. Not in the module itself, whose attributes torch.export restores."""

    found = ignored = ()
    lines = contextlib.nullcontext()


class Flat(torch.nn.Module):
    """Calls a module, and returns the tensors of its output as a tuple."""

    def __init__(self, module):
        super().__init__()
        self.module = module
        self.train(module.training)
        self.record = Record()

    def train(self, mode=True):  # leaves the modes of sub-modules alone
        self.training = mode
        return self

    def forward(self, *arguments, **keywords):
        self.record.found, self.record.ignored = [], []
        tensors = []
        with self.record.lines:
            output = self.module(*arguments, **keywords)
        self._flatten("", output, tensors)
        return tuple(tensors)

    def _flatten(self, name, value, tensors):
        if isinstance(value, torch.Tensor):
            self.record.found.append(name or "output")
            tensors.append(value)
        elif isinstance(value, dict):
            for key, one in value.items():
                self._flatten(f"{name}.{key}" if name else str(key), one, tensors)
        elif isinstance(value, (tuple, list)):
            for n, one in enumerate(value):
                self._flatten(f"{name}.{n}" if name else str(n), one, tensors)
        elif value is not None:
            self.record.ignored.append(name or "output")


def capture(module, example_inputs):
    """Returns what `module` computes for the example: a tuple of arguments, or a dict of keyword arguments."""
    example = tree_map(lambda one: one.clone() if isinstance(one, torch.Tensor) else one, example_inputs)  # no aliases
    keywords = dict(example) if isinstance(example, dict) else {}
    arguments = () if isinstance(example, dict) else tuple(example)
    names = {id(one): name for name, one in module.named_modules()}
    try:
        bound = inspect.signature(module.forward).bind(*arguments, **keywords).arguments
    except TypeError as error:
        raise Refusal(
            type(module).__name__,
            f"forward cannot be called with the example: {error}",
            "give a tuple of arguments, or a dict of keyword arguments",
        ) from None
    keywords = {**{name: keywords[name] for name in bound if name in keywords}, **keywords}  # in the order of inputs
    inputs = [(name, one) for name, one in _tensors(bound)]
    _check(module, inputs)
    flat = Flat(module)
    try:
        with torch.enable_grad(), own_gradients_refused(names):
            captured = _captured(flat, arguments, keywords, inputs, names)
    except Refusal:
        raise
    except Exception as error:
        place = place_of_exception(error, names)
        place = place if place.kind else Place(kind=type(module).__name__)
        problem = str(error).strip().split("\n")[0].rstrip(".") or type(error).__name__
        if any(words in problem for words in ("data-dependent", "value out of a tracing tensor")):
            raise place.refuse(*VALUES_READ) from error
        raise place.refuse(
            f"the module cannot be captured: {problem}",
            f"call the module with the example in PyTorch {torch.__version__} first",
        ) from error
    captured.ignored = flat.record.ignored
    return captured


def _captured(flat, arguments, keywords, inputs, names):
    if hasattr(torch, "export") and "strict" in inspect.signature(torch.export.export).parameters:
        return _export(flat, arguments, keywords, inputs)
    from .capture_fx import trace

    return trace(flat, arguments, keywords, inputs, names)


@contextlib.contextmanager
def own_gradients_refused(names):
    """A context in which a torch.autograd.Function of the user's is refused, whose gradient no graph would have."""
    kind = torch.autograd.Function
    own = kind.__dict__.get("apply")  # which 1.13 inherits

    def apply(function, *arguments, **keywords):
        if function.__module__.partition(".")[0] == "torch":
            return own.__func__(function, *arguments, **keywords) if own else super(kind, function).apply(
                *arguments, **keywords
            )
        raise current_place(names).refuse(
            f"{function.__name__} has a gradient of its own",
            "compute with PyTorch's operations, whose gradients are known",
        )

    kind.apply = classmethod(apply)
    try:
        yield
    finally:
        if own is None:
            del kind.apply
        else:
            kind.apply = own


def _check(module, inputs):
    place = Place(kind=type(module).__name__)
    ids = inputs[0][1] if inputs else None
    if ids is None or ids.dim() != 2 or ids.is_floating_point():
        raise place.refuse(
            "its first input is no tensor of token ids",
            "give token ids, [sequences][tokens], as the first example input",
        )
    if ids.shape[1] < 2:
        raise place.refuse("the example has one token", "give an example of at least 2 tokens")


def _tensors(arguments):
    for name, one in arguments.items():
        if isinstance(one, torch.Tensor):
            yield name, one
        elif isinstance(one, dict):
            yield from _tensors(one)
        elif isinstance(one, (tuple, list)):
            yield from _tensors({f"{name}.{n}": part for n, part in enumerate(one)})


def own_name(name):
    """The name in the module of a name in Flat."""
    return "" if name == "module" else name[len("module.") :] if name.startswith("module.") else name


class _Lines(TorchFunctionMode):
    """Annotates nodes with the number of their line: torch.export itself records lines of methods `forward` alone."""

    def __init__(self):
        super().__init__()
        self.found = []

    def __torch_function__(self, function, types, arguments=(), keywords=None):
        self.found.append((current_line(), has_gradient()))
        with torch.fx.traceback.annotate({"weft": len(self.found) - 1}):
            return function(*arguments, **(keywords or {}))


def _inline(module):
    """Puts the operations of torch.no_grad(), which torch.export keeps in graphs of their own, in their place. Returns
    those that have no gradient."""
    stopped = set()
    for node in list(module.graph.nodes):
        if getattr(node.target, "__name__", "") != "wrap_with_set_grad_enabled":
            continue
        has_gradient, inner = node.args[0], getattr(module, node.args[1].target)
        stopped |= _inline(inner)
        made = dict(zip([one for one in inner.graph.nodes if one.op == "placeholder"], node.args[2:]))
        for one in inner.graph.nodes:
            if one.op == "output":
                results = one.args[0]
            elif one.op != "placeholder":
                with module.graph.inserting_before(node):
                    made[one] = module.graph.node_copy(one, made.__getitem__)
                if not has_gradient or one in stopped:
                    stopped.add(made[one])
        for user in list(node.users):
            user.replace_all_uses_with(made[results[user.args[1]]])
            module.graph.erase_node(user)
        module.graph.erase_node(node)
    return stopped


def _unwrap(graph):
    """Removes broadcasts between tensors of one shape, which F.mse_loss makes."""
    for node in list(graph.nodes):
        if name_of(node.target) != "broadcast_tensors":
            continue
        for user in list(node.users):
            source = node.args[0][user.args[1]]
            if source.meta["val"].shape == user.meta["val"].shape:
                user.replace_all_uses_with(source)
                graph.erase_node(user)
        if not node.users:
            graph.erase_node(node)


def _export(flat, arguments, keywords, inputs):
    lines = flat.record.lines = _Lines()
    errors = io.StringIO()  # where torch.export prints its graph if it fails
    with torch.fx.traceback.preserve_node_meta(), contextlib.redirect_stderr(errors):
        program = torch.export.export(flat, arguments, keywords, strict=False)
    sys.stderr.write(errors.getvalue())
    stopped = _inline(program.graph_module)
    _unwrap(program.graph_module.graph)
    captured = Captured(flat.module)
    specs = {spec.arg.name: spec for spec in program.graph_signature.input_specs}
    known = {**dict(program.named_parameters()), **dict(program.named_buffers()), **program.constants}
    users = iter(inputs)
    for node in program.graph.nodes:
        if node.op == "placeholder":
            spec = specs[node.name]
            if spec.kind.name == "USER_INPUT":
                if isinstance(node.meta.get("val"), torch.Tensor):
                    captured.inputs[node] = next(users)
            else:
                captured.tensors[node] = (own_name(spec.target), known[spec.target])
        elif node.op == "output":
            captured.outputs = list(zip(flat.record.found, node.args[0]))
        stack = list((node.meta.get("nn_module_stack") or {}).values())
        path, kind = stack[-1] if stack else ("module", type(flat.module).__name__)
        kind = kind if isinstance(kind, str) else kind.__name__
        place = place_of_trace(own_name(path), kind.split(".")[-1], node.meta.get("stack_trace"))
        number = (node.meta.get("custom") or {}).get("weft")
        if number is not None:
            line, has_gradient = lines.found[number]
            place = replace(place, file=line[0], line=line[1]) if line else place
            place = replace(place, has_gradient=has_gradient)
        if node in stopped:
            place = replace(place, has_gradient=False)
        captured.places[node] = place
        captured.nodes.append(node)
    return captured
