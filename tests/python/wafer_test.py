"""Wafers with programs of one's own, and the page and the examples about them."""
import os
import pathlib
import re
import runpy
import signal
import sys
import threading

import numpy as np
import pytest

import weft

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/reference/programs.md"
in_tree = pytest.mark.skipif(not PAGE.exists(), reason="without the tree")
ARRAYS = """
.array  a, bf16, 20
.array  k, int16, 3
.array  s, fp32, 5
.kernel main x=r1
        halt
"""
ENDLESS = """
.kernel main
        li    r1, 256
        csrw  VL, r1
        li    r2, 1
        csrw  REP, r2
next:   vf.fma R[r0], M[r0], S[r0], Z
        dbnz  r3, next
        jmp   next
"""


def wafer_of(text, backend="model", rows=2, cols=3, **parameters):
    wafer = weft.Wafer(rows, cols, backend, sram_kib=4)
    layout = weft.Layout()
    layout.program_text(text, name="mine.s", **parameters)
    wafer.load(layout)
    return wafer


@pytest.mark.parametrize("backend", ["model", "rtl"])
def test_arrays_come_back_with_their_types(backend):
    wafer = wafer_of(ARRAYS, backend)
    random = np.random.default_rng(3)
    assert wafer.keys() == ["a", "k", "s"]
    a, s = random.normal(size=(2, 3, 20)).astype(np.float32), random.normal(size=(2, 3, 5)).astype(np.float32)
    wafer["a"], wafer["s"] = a, s
    wafer["k"] = [1, -2, 32767]
    assert wafer["a"].dtype == np.float32 and np.all(np.abs(wafer["a"] - a) <= 2.0**-8 * np.abs(a))
    np.testing.assert_array_equal(wafer["s"], s)
    assert wafer["k"].dtype == np.int16
    np.testing.assert_array_equal(wafer["k"], np.broadcast_to([1, -2, 32767], (2, 3, 3)))
    assert (wafer.counters["cycles"] > 0) == (backend == "rtl")
    assert wafer.tile_beats.shape == (2, 3) and wafer.tile_beats.sum() == wafer.counters["beats"] > 0


def test_wrong_arrays_are_refused():
    wafer = wafer_of(ARRAYS)
    with pytest.raises(weft.Error, match="^b: no program declares an array of this name. HINT: "):
        wafer["b"] = 1
    with pytest.raises(ValueError, match="broadcast"):
        wafer["a"] = np.zeros(21)
    with pytest.raises(TypeError, match="array of int16"):
        wafer["k"] = [1.5, 2, 3]
    with pytest.raises(ValueError, match="int16 does not hold"):
        wafer["k"] = 40000
    with pytest.raises(weft.Error) as caught:
        wafer.run("mian", x=1)
    assert (caught.value.subject, caught.value.hint) == ("kernel mian", "did you mean 'main'?")
    with pytest.raises(TypeError, match="one of shift"):
        weft.Layout().stream("s")
    with pytest.raises(weft.Error, match="nowhere.s: cannot be read"):
        weft.Layout().program("nowhere.s")


def test_a_program_for_general_tiles_is_refused_on_others():
    layout = weft.Layout()
    layout.program_text(".general\n.kernel main\n halt\n", name="mine.s")
    weft.Wafer(1, 1, general=True).load(layout)
    with pytest.raises(weft.Error, match="^mine.s:1: the program needs general tiles.* HINT: use a wafer with general=True"):
        weft.Wafer(1, 1).load(layout)


def test_deadlock_is_refused_with_its_cycle():
    text = """
.kernel main
        fork  p
        halt
p:      csrr  r1, COL
        bne   r1, r0, other
        rcv   r2, back
        snd   there, r2
        halt
other:  rcv   r2, there
        snd   back, r2
        halt
"""
    wafer = weft.Wafer(1, 2)
    layout = weft.Layout()
    layout.program_text(text, name="mine.s")
    layout.stream("there", path=[(0, 0), (0, 1)])
    layout.stream("back", path=[(0, 1), (0, 0)])
    wafer.load(layout)
    with pytest.raises(weft.Error, match="^kernel main: can deadlock: tile .*2 threads wait in a cycle") as caught:
        wafer.run("main")
    assert "mine.s:7" in str(caught.value) and "mine.s:10" in str(caught.value)


def test_ctrl_c_ends_a_run_on_the_rtl_and_threads_run_meanwhile():
    wafer = wafer_of(ENDLESS, "rtl")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))  # runs only while the GIL is released
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            wafer.run("main", check=False)
    finally:
        signal.signal(signal.SIGINT, before)
    with pytest.raises(weft.Error, match="its last run did not end. HINT: load the layout again"):
        wafer.run("main", check=False)


@in_tree
def test_the_page_s_example_runs_as_printed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    page = PAGE.read_text()
    kernel, program = (re.search(rf"```{kind}\n(.*?)```", page, re.S)[1] for kind in ("asm", "python"))
    assert kernel == (ROOT / "examples/stencil.s").read_text()
    pathlib.Path("stencil.s").write_text(kernel)
    names = {}
    exec(compile(program, str(PAGE), "exec"), names)
    assert re.fullmatch(r"\d+ cycles a step, sum \d+\.\d\d\n", capsys.readouterr().out)
    assert names["u"].sum() * 0.9 < names["wafer"]["u"].sum() < names["u"].sum()


@in_tree
@pytest.mark.parametrize("example", ["axpy", "stencil"])
def test_examples_have_the_same_bits_on_model_and_rtl(example, monkeypatch):
    results = []
    for backend in ("model", "rtl"):
        monkeypatch.setattr(sys, "argv", ["example", backend])
        results.append(runpy.run_path(str(ROOT / f"examples/{example}.py"))["wafer"]["y" if example == "axpy" else "u"])
    np.testing.assert_array_equal(results[0].view(np.uint32), results[1].view(np.uint32))
