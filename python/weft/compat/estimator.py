"""The classes CerebrasEstimator and CSRunConfig of the papers, over weft.torch.Trainer."""

import inspect

import torch

import weft.torch
from weft.compat.cbtorch import note_address
from weft.torch import batches
from weft.torch.errors import Refusal
from weft.torch.trainer import example_of

_MODULES = "return an nn.Module of PyTorch, or a pair of it and an optimizer of torch.optim"


class CSRunConfig:
    """Settings of an estimator. `cs_config`: None, or a dict with keys ("wafer.rows") and flags ("num_csx") of a run;
    `settings` are further flags. `cs_ip` has no effect."""

    def __init__(self, cs_ip=None, cs_config=None, model_dir=None, **settings):
        if cs_config is not None and not isinstance(cs_config, dict):
            raise Refusal("CSRunConfig", f"cs_config is a {type(cs_config).__name__}", "give a dict, or None")
        given = {**(cs_config or {}), **settings}
        self.cs_ip, self.model_dir = cs_ip, model_dir
        self.overrides = {key: value for key, value in given.items() if "." in key}
        self.flags = {key: value for key, value in given.items() if "." not in key}


def _is_of_tensorflow(value):
    return any(kind.__module__.split(".")[0] in ("tensorflow", "keras") for kind in type(value).__mro__)


def _call(subject, function, **known):
    """Calls a function with those of the arguments that it has. Refuses one that needs or makes a TensorFlow graph."""
    names = inspect.signature(function).parameters
    all_names = any(one.kind is one.VAR_KEYWORD for one in names.values())
    try:
        made = function(**{name: value for name, value in known.items() if all_names or name in names})
    except ImportError as error:
        if (error.name or "").split(".")[0] != "tensorflow":
            raise
        made = error
    if isinstance(made, ImportError) or any(map(_is_of_tensorflow, made if isinstance(made, tuple) else (made,))):
        raise Refusal("CerebrasEstimator", f"{subject} makes a graph of TensorFlow, which Weft does not read", _MODULES)
    return made


class CerebrasEstimator:
    """Trains and evaluates what `model_fn` returns: an nn.Module, or a pair of it and an optimizer.

    `model_fn` gets those of `features`, `labels`, `mode`, `params` and `config` that it names, the first two as None.
    A module alone is trained by AdamW with params["learning_rate"]. `use_cs`: on wafers; False: by PyTorch.
    """

    def __init__(self, model_fn, model_dir=None, config=None, params=None, use_cs=True):
        self.model_fn, self.params, self.use_cs = model_fn, dict(params or {}), use_cs
        self.config = config or CSRunConfig()
        self.model_dir = model_dir or self.config.model_dir or "model_dir"
        self.model = self.optimizer = None  # of the first call

    def train(self, input_fn, steps=None, max_steps=None, use_cs=None):
        """Trains on the batches of `input_fn`: to their end, for `steps` steps, or until `max_steps` are done since the
        very first one, whatever is first. Returns the estimator."""
        data = self._begin(input_fn, "train")
        if not (self.use_cs if use_cs is None else use_cs):
            return self._train_eagerly(data, [one for one in (steps, max_steps) if one is not None])
        with self._trainer(data) as trainer:
            most = [] if steps is None else [trainer.steps_done + steps]
            most += [] if max_steps is None else [max_steps]
            passes = trainer.train()
            while not most or trainer.steps_done < min(most):
                if next(passes, None) is None:
                    break
            passes.close()
        return self

    def evaluate(self, input_fn, use_cs=None):
        """Loss of the newest checkpoint, or else of the module, over all batches of `input_fn`."""
        data = list(self._begin(input_fn, "eval"))
        if not (self.use_cs if use_cs is None else use_cs):
            with torch.no_grad():
                losses = [self._eager_loss(batch) for batch in data]
            return {"loss": sum(losses).item() / len(losses), "global_step": 0}
        with self._trainer(data) as trainer:
            return {"loss": trainer.evaluate(data)["eval_loss"], "global_step": trainer.steps_done}

    def _begin(self, input_fn, mode):
        note_address(self.config.cs_ip)
        data = _call("input_fn", input_fn, params=self.params, mode=mode)
        if self.model is None:
            known = dict(features=None, labels=None, mode=mode, params=self.params, config=self.config)
            made = _call("model_fn", self.model_fn, **known)
            self.model, self.optimizer = made if isinstance(made, tuple) and len(made) == 2 else (made, None)
        if not isinstance(self.model, torch.nn.Module):
            raise Refusal("CerebrasEstimator", f"model_fn returned a {type(self.model).__name__}", _MODULES)
        if self.optimizer is None:
            if "learning_rate" not in self.params:
                raise Refusal("CerebrasEstimator", "there is no optimizer", f"{_MODULES}, or set params learning_rate")
            rate = self.params["learning_rate"]
            self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=rate, weight_decay=0.0)
        return data

    def _trainer(self, data):
        return weft.torch.Trainer(
            self.model, self.optimizer, data,
            overrides=self.config.overrides, model_dir=self.model_dir, **self.config.flags,
        )  # fmt: skip

    def _train_eagerly(self, data, most):
        for step, batch in enumerate(data):
            if most and step >= min(most):
                break
            self.optimizer.zero_grad()
            self._eager_loss(batch).backward()
            self.optimizer.step()
        return self

    def _eager_loss(self, batch):
        """The module's loss, or the cross-entropy of its logits with the labels."""
        example = example_of(self.model, batch)
        output = self.model(**example) if isinstance(example, dict) else self.model(*example)
        found = output.values() if isinstance(output, dict) else output if isinstance(output, tuple) else (output,)
        floats = [one for one in found if torch.is_tensor(one) and one.is_floating_point()]
        losses = [one for one in floats if one.dim() == 0]
        if losses:
            return losses[0]
        labels = batches.split(batch)[1].clamp(min=-1)
        return torch.nn.functional.cross_entropy(floats[0].flatten(0, 1), labels.flatten(), ignore_index=-1)
