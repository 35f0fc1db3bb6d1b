"""The examples on each backend, with the small sizes of their programs (examples_long_test.py has those of the pages)."""
import os
import pathlib
import runpy
import sys

import numpy as np
import pytest

import weft

ROOT = pathlib.Path(__file__).resolve().parents[2]
in_tree = pytest.mark.skipif(not (ROOT / "examples").exists(), reason="without the tree")
BOARD = pathlib.Path(os.environ.get("WEFT", "")).with_name("weft-program-board")


RESULTS = {"axpy": "y", "dot": "dot", "gemv": "y", "gemm": "c", "life": "u", "stencil": "u", "stencil7": "u",
           "bicgstab": "x"}
LINES = {".py": 40, ".s": 100, "bicgstab.py": 175, "bicgstab.s": 310, "bicgstab_sums.s": 150}


def run_example(example, backend, monkeypatch):
    """The bits of its result; it compares them with NumPy itself."""
    monkeypatch.setattr(sys, "argv", ["example", backend, "small"])
    names = runpy.run_path(str(ROOT / f"examples/{example}.py"))
    result = names["wafer"][RESULTS[example]]
    return {"gemv": result[:, 0], "gemm": result[:, 0], "dot": result[result.shape[0] // 2, result.shape[1] // 2]}.get(
        example, result)


@in_tree
@pytest.mark.parametrize("example", RESULTS)
def test_examples_have_the_same_bits_on_model_and_rtl(example, monkeypatch):
    results = [run_example(example, backend, monkeypatch) for backend in ("model", "rtl")]
    np.testing.assert_array_equal(results[0].view(np.uint32), results[1].view(np.uint32))


@in_tree
def test_each_example_has_at_most_40_lines_and_a_kernel_of_a_page():
    for path in (ROOT / "examples").iterdir():
        if path.suffix in (".py", ".s"):
            assert path.stem.removesuffix("_sums") in RESULTS
            assert len(path.read_text().splitlines()) <= LINES.get(path.name, LINES[path.suffix]), path


@in_tree
@pytest.mark.skipif(not BOARD.is_file(), reason="without the emulated board")
@pytest.mark.parametrize("example", RESULTS)
def test_examples_run_on_the_emulated_board(example, monkeypatch):
    run_example(example, "emulated", monkeypatch)


@in_tree
@pytest.mark.parametrize("backend", ["model", "rtl"])
def test_a_stencil_in_natural_order_has_the_bits_of_a_folded_one(backend):
    def run(general, following, unit, points):
        wafer = weft.Wafer(2, 2, backend, sram_kib=4, general=general)
        layout = weft.Layout()
        layout.program(ROOT / "examples/stencil7.s", W=8, NEXT=following)
        for name, shift in {"east": (0, 1), "west": (0, -1), "south": (1, 0), "north": (-1, 0)}.items():
            layout.stream(name, shift=shift)
        wafer.load(layout)
        wafer["unit"], wafer["u"] = unit, np.pad(points, ((0, 0), (0, 0), (4, 4)))
        wafer.run("main", steps=2, center=0.25, side=0.125)
        return wafer["u"][:, :, 4:-4]

    u = np.random.default_rng(2).random((2, 2, 32))
    folded = run(False, 4, np.eye(4).ravel(), u.reshape(2, 2, 4, 8).swapaxes(2, 3).reshape(u.shape))
    with pytest.raises(weft.Error, match="MISALIGNED"):
        run(False, 1, 0, u)
    try:
        natural = run(True, 1, 0, u)
    except weft.Error as error:
        assert backend == "rtl" and "HINT: make build GENERAL=4" in str(error)
        pytest.skip("the RTL of general tiles is not built")
    np.testing.assert_array_equal(folded.reshape(2, 2, 8, 4).swapaxes(2, 3).reshape(u.shape), natural)
