"""Places in the user's program: the module that computes, and the line of its source."""

import linecache
import os
import re
import sys
from dataclasses import dataclass, replace

import torch

from .errors import Refusal

_OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep
_TORCH = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
_CHECKPOINT = os.path.join(_TORCH, "utils", "checkpoint.py")
_FRAME = re.compile(r'^\s*File "(.+)", line (\d+)', re.MULTILINE)


@dataclass(frozen=True)
class Place:
    module: str = ""  # qualified name; "" is the compiled module
    kind: str = ""  # class of the module
    file: str = ""
    line: int = 0
    has_gradient: bool = True  # False within torch.no_grad()

    @property
    def subject(self):
        return self.module or self.kind

    @property
    def text(self):
        return f"{self.file}:{self.line}" if self.file else ""

    @property
    def code(self):
        return linecache.getline(self.file, self.line).strip()

    def refuse(self, problem, hint):
        return Refusal(self.subject, problem, hint, self.text, self.module)


def is_users(file):
    """Returns true for source outside of PyTorch and of this package."""
    return not (file.startswith((_TORCH, _OWN, "<")) or os.path.basename(file) in ("contextlib.py", "functools.py"))


def place_of_trace(module, kind, trace):
    """`trace`: the text of a stack, innermost frame last."""
    for file, line in reversed(_FRAME.findall(trace or "")):
        if is_users(file):
            return Place(module, kind, file, int(line))
    return Place(module, kind)


def place_of_frames(frames, names):
    """`frames`: (frame, line) from the innermost outwards. `names`: qualified names by id of the module."""
    module = kind = None
    for frame, line in frames:
        owner = frame.f_locals.get("self")
        if module is None and isinstance(owner, torch.nn.Module) and id(owner) in names:
            module, kind = names[id(owner)], type(owner).__name__
        if is_users(frame.f_code.co_filename):
            if module is None:
                continue
            return Place(module, kind, frame.f_code.co_filename, line)
    return Place(module or "", kind or "")


def _callers():
    frame = sys._getframe(2)
    while frame is not None:
        yield frame, frame.f_lineno
        frame = frame.f_back


def current_place(names):
    return replace(place_of_frames(_callers(), names), has_gradient=has_gradient())


def has_gradient():
    """Returns true unless torch.no_grad() stops gradients. torch.utils.checkpoint uses it, and computes them later."""
    return torch.is_grad_enabled() or any(frame.f_code.co_filename == _CHECKPOINT for frame, _ in _callers())


def current_line():
    """File and line of the innermost frame of the user's source."""
    for frame, line in _callers():
        if is_users(frame.f_code.co_filename):
            return frame.f_code.co_filename, line
    return None


def place_of_exception(error, names):
    frames = []
    trace = error.__traceback__
    while trace is not None:
        frames.insert(0, (trace.tb_frame, trace.tb_lineno))
        trace = trace.tb_next
    return place_of_frames(frames, names)
