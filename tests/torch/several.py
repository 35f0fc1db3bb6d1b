"""Runs several files of tests in one process, which imports PyTorch once: several.py build/weft NAME..."""

import sys
import unittest

names = [f"{name}_test" for name in sys.argv[2:]]
del sys.argv[2:]  # each file reads the program from the arguments
result = unittest.TextTestRunner(verbosity=2).run(unittest.defaultTestLoader.loadTestsFromNames(names))
sys.exit(not result.wasSuccessful())
