"""Checkpoints as NumPy arrays."""
import os

import numpy as np

from weft import _weft


class Checkpoint(dict):
    """Arrays by name, in the order of the file, with the step and the metadata of the run that wrote them."""

    def __init__(self, arrays=(), step=0, metadata=None):
        super().__init__(arrays)
        self.step = step
        self.metadata = dict(metadata or {})

    @property
    def weights(self):
        """The weights alone, without the optimizer's moments and masks."""
        return {name: array for name, array in self.items() if not name.startswith("weft.")}

    def __repr__(self):
        return f"<weft.Checkpoint: step {self.step}, {len(self)} arrays>"


def _checkpoint(state):
    step, metadata, arrays = state
    return Checkpoint(arrays, step, metadata)


def _array(value):
    """An array in C order, of bool or float32."""
    array = np.asarray(value)
    return np.ascontiguousarray(array, dtype=bool if array.dtype == bool else np.float32).reshape(array.shape)


def load(path):
    """Reads a safetensors file of Weft or of another program, and checks its checksum if it has one."""
    return _checkpoint(_weft.load(os.fspath(path)))


def save(path, arrays):
    """Writes a Checkpoint, or a dict of weights, to a file from which a run can start (checkpoint_path)."""
    step, metadata = getattr(arrays, "step", 0), getattr(arrays, "metadata", {})
    _weft.save(os.fspath(path), step, metadata, [(name, _array(value)) for name, value in arrays.items()])
