"""Settings of runs whose samples a PyTorch program gives."""

import contextlib
import glob
import math
import os
import pathlib
import shutil

from .errors import Refusal

# Settings of a small wafer, which overrides replace.
_SMALL = {"wafer.rows": 4, "wafer.cols": 4, "wafer.sram_kib": 48}


def has_checkpoint(model_dir):
    return bool(glob.glob(os.path.join(glob.escape(str(model_dir)), "checkpoint_*.safetensors")))


def drop(folder):
    """Removes the folder of kept_in(), and model_dir if nothing else is there."""
    shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):
        os.rmdir(os.path.dirname(folder))


def kept_in(model_dir, program):
    """Writes network and weights of a run to its folder, unless it has a checkpoint, and returns their folder."""
    folder = os.path.abspath(os.path.join(model_dir, "program"))
    if not has_checkpoint(model_dir):
        program.save(folder)
        return folder
    file = pathlib.Path(folder, "network.yaml")
    if not file.exists() or file.read_text(encoding="utf-8") != program.network:
        raise Refusal(str(file), "is not the network of this module", "use another model_dir, or the module of its run")
    return folder


def settings_of(program, rows, folder, overrides):
    """Keys of a run whose samples the program gives, with network and weights in `folder`."""
    return {
        **_SMALL,
        **program.config,
        "model.network": os.path.join(folder, "network.yaml"),
        "runconfig.checkpoint_path": os.path.join(folder, "start.safetensors"),
        "train_input.data_dir": "the program",
        "train_input.shuffle": False,
        "train_input.batch_size": rows,
        "train_input.micro_batch_size": math.gcd(rows, 4),
        **(overrides or {}),
    }


def sections(keys):
    """A dict with the sections of a parameter file."""
    made = {}
    for key, value in keys.items():
        section, _, name = key.partition(".")
        made.setdefault(section, {})[name] = value
    return made
