"""Names of the package `cerebras`, as the papers print them: docs/reference/torch.md.

    import weft.compat.cerebras
    import cerebras.framework.torch as cbtorch
"""

import importlib.util
import sys
import types

from weft.compat import cbtorch, estimator
from weft.errors import Error

_MODULES = {
    "cerebras": {},
    "cerebras.framework": {},
    "cerebras.framework.torch": {name: getattr(cbtorch, name) for name in cbtorch.__all__},
    "cerebras.tf": {},
    "cerebras.tf.cs_estimator": {"CerebrasEstimator": estimator.CerebrasEstimator},
    "cerebras.tf.run_config": {"CSRunConfig": estimator.CSRunConfig},
}


def _register():
    if "cerebras" not in sys.modules and importlib.util.find_spec("cerebras") is not None:
        problem, hint = "a package of this name is installed", "remove it from this environment"
        raise Error(f"cerebras: {problem}. HINT: {hint}.", subject="cerebras", problem=problem, hint=hint, exit_code=2)
    for path, names in _MODULES.items():
        module = types.ModuleType(path, "Weft's, from weft.compat.cerebras.")
        module.__path__ = []  # a package, so that its modules can be imported
        module.__dict__.update(names)
        sys.modules[path] = module
        parent, _, name = path.rpartition(".")
        if parent:
            setattr(sys.modules[parent], name, module)


if "cerebras" not in sys.modules or not hasattr(sys.modules["cerebras"], "framework"):
    _register()
