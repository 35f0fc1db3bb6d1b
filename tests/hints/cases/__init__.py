"""Mistakes whose hints are followed: a module for each subject, with CASES, and ELSEWHERE, {hint: the test that follows it}."""
import importlib
import pkgutil

MODULES = [importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]
CASES = [case for module in MODULES for case in module.CASES]
ELSEWHERE = {hint: test for module in MODULES for hint, test in getattr(module, "ELSEWHERE", {}).items()}
