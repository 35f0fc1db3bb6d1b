"""The module cerebras.framework.torch of the papers, over weft.torch."""

import enum
import inspect
import logging

import torch

from weft.torch import batches, compile
from weft.torch.errors import Refusal
from weft.torch.trainer import example_of

__all__ = ["Session", "dataloader", "initialize", "module", "modes", "optimizer"]


class modes(enum.Enum):
    """Work of a session."""

    TRAIN = "train"
    EVAL = "eval"


class _State:
    """Settings of initialize(), modules, and the session that is open."""

    def __init__(self):
        self.overrides, self.flags, self.modules, self.mode = {}, {}, [], None


_state = _State()


def note_address(cs_ip):
    if cs_ip is not None:
        logging.getLogger("weft").info("cs_ip %s is not contacted: this process simulates the wafers", cs_ip)


def initialize(cs_ip=None, overrides=None, **flags):
    """Resets the state, and applies these settings to all modules: keys and flags of weft.Trainer. `cs_ip` has no effect."""
    note_address(cs_ip)
    _state.__init__()
    _state.overrides, _state.flags = overrides or {}, flags


def module(model):
    """The module, which wafers run within a session."""
    if not isinstance(model, torch.nn.Module):
        raise Refusal("cbtorch.module", f"got a {type(model).__name__}", "give an nn.Module")
    if not isinstance(model.forward, _OnWafers):
        model.forward = _OnWafers(model)
    model.forward.program = None  # settings may be others
    _state.modules.append(model)
    return model


def dataloader(data):
    """The data as it is. A session takes batches in the forms of weft.torch.Trainer."""
    if not hasattr(data, "__iter__"):
        raise Refusal("cbtorch.dataloader", f"got a {type(data).__name__}", "give a DataLoader or another iterable")
    return data


def optimizer(one):
    """The optimizer as it is: it steps on the module's parameters, with gradients from the wafers."""
    if not isinstance(one, torch.optim.Optimizer):
        raise Refusal("cbtorch.optimizer", f"got a {type(one).__name__}", "give an optimizer of torch.optim")
    return one


class Session:
    """Within `with Session(dataloader, mode):` modules run on wafers: in the mode TRAIN with gradients."""

    def __init__(self, data, mode):
        if not isinstance(mode, modes):
            raise Refusal("cbtorch.Session", f"{mode} is no mode", "use modes.TRAIN or modes.EVAL")
        self.data, self.mode = dataloader(data), mode

    def __iter__(self):
        return iter(self.data)

    def __enter__(self):
        if _state.mode is not None:
            raise Refusal("cbtorch.Session", "another session is open", "end it first")
        _state.mode = self.mode
        self._before = [(one, one.training) for one in _state.modules]
        for one in _state.modules:
            one.train(self.mode is modes.TRAIN)
        self._gradients = torch.is_grad_enabled()
        torch.set_grad_enabled(self.mode is modes.TRAIN)
        return self

    def __exit__(self, *exception):
        torch.set_grad_enabled(self._gradients)
        for one, training in self._before:
            one.train(training)
        _state.mode = None


class _OnWafers:
    """Takes the place of a module's `forward`: within a session wafers compute its loss."""

    def __init__(self, model):
        self.model, self.forward, self.program = model, model.forward, None
        self.__signature__ = inspect.signature(model.forward)

    def __call__(self, *arguments, **keywords):
        if _state.mode is None:
            return self.forward(*arguments, **keywords)
        batch = keywords or (arguments if len(arguments) > 1 else arguments[0])
        if self.program is None:
            self.program = self._compiled(batch)
        return self.program.in_output(self.program(*batches.split(batch)))

    def _compiled(self, batch):
        del self.model.forward  # the class's own is to be lowered
        try:
            example = example_of(self.model, batch)
            return compile(self.model, example, overrides=_state.overrides, **_state.flags)
        finally:
            self.model.forward = self
