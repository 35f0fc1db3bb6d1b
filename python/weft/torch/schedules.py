"""Learning-rate schedulers of PyTorch as phases of a run."""

import copy
import warnings

from .errors import Refusal

_MOST = 100_000


def rates(scheduler, steps):
    """Learning rates of the next `steps` steps: a copy of the scheduler computes them."""
    name = type(scheduler).__name__
    if name == "ReduceLROnPlateau":
        raise Refusal(name, "its rates depend on losses", "use a scheduler whose rates depend on the step alone")
    if steps > _MOST:
        raise Refusal(name, f"has rates for {steps:,} steps", f"set max_steps to at most {_MOST:,}")
    optimizer = scheduler.optimizer
    kept = {id(one): one for group in optimizer.param_groups for one in group["params"]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its optimizer does no steps
        shadow = copy.deepcopy(scheduler, {**kept, id(optimizer.state): {}})
        found, others = [], _others(shadow.optimizer)
        for _ in range(steps):
            found.append(_rate(name, shadow.optimizer))
            if _others(shadow.optimizer) != others:
                raise Refusal(name, "changes other settings than the learning rate", "leave them constant")
            shadow.step()
    return found


def _rate(name, optimizer):
    found = {float(group["lr"]) for group in optimizer.param_groups}
    if len(found) > 1:
        raise Refusal(name, "gives parameter groups different rates", "use one rate for all groups")
    return found.pop()


def _others(optimizer):
    return [
        {key: value for key, value in group.items() if key in ("momentum", "betas", "weight_decay")}
        for group in optimizer.param_groups
    ]


def phases(found):
    """The value of optimizer.learning_rate for these rates, one a step."""
    changes = [n for n in range(1, len(found)) if found[n] != found[n - 1]]
    if not changes:
        return found[0]
    return [
        {
            "scheduler": "PiecewiseConstant",
            "milestones": changes,
            "learning_rates": [found[0], *(found[n] for n in changes)],
        }
    ]


def advance(scheduler):
    """A step of the user's scheduler, whose optimizer has done none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scheduler.step()
