"""Examples with the sizes of their pages, which take too long for the short tests."""
import pathlib
import runpy
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_bicgstab_solves_50176_points_with_the_same_bits_on_model_and_rtl(monkeypatch, capsys):
    """The example compares x and r with NumPy after 6 iterations, and refines the solution to a residual of 1e-6."""
    results = []
    for backend in ("model", "rtl"):
        monkeypatch.setattr(sys, "argv", ["bicgstab.py", backend])
        names = runpy.run_path(str(ROOT / "examples/bicgstab.py"))
        assert names["x"].shape == (56, 56, 16)
        results.append(names["wafer"]["x"].view(np.uint32))
    np.testing.assert_array_equal(*results)
    assert names["residual"] < 1e-6
    assert names["work"]["cycles"] < 77616  # a third of the lanes' peak: 6 iterations * 784 points * 44 operations / (8 / 3)
    assert "after three solutions" in capsys.readouterr().out
