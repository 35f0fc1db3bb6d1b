"""Training on simulated weight-streaming wafers: docs/reference/python.md; programs of your own: programs.md there.

    import weft

    with weft.Trainer("gpt_tiny.yaml", num_csx=3, model_dir="out/tiny") as trainer:
        for metrics in trainer.train():
            print(metrics["step"], metrics["loss"])
"""
from weft import _weft
from weft.checkpoints import Checkpoint, load, save
from weft.config import Config
from weft.debugger import Debugger
from weft.errors import Error
from weft.modes import compile_only, evaluate, generate
from weft.trainer import Trainer
from weft.wafer import Layout, Wafer

__all__ = ["Checkpoint", "Config", "Debugger", "Error", "Layout", "Trainer", "Wafer", "compile_only", "evaluate",
           "generate", "load", "save"]
__version__ = _weft.version().removeprefix("weft ")
