"""Wafers with programs of one's own, and the page about them."""
import os
import pathlib
import re
import signal
import threading

import numpy as np
import pytest

import weft
from programs import ARRAYS, ENDLESS, wafer_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/reference/programs.md"
in_tree = pytest.mark.skipif(not PAGE.exists(), reason="without the tree")


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
    with pytest.raises(weft.Error, match="^kernel main: can deadlock: tile .*2 threads wait in a cycle") as caught:
        wafer.load(layout)
    with pytest.raises(weft.Error, match="^wafer: no layout is loaded"):
        wafer.keys()
    wafer.load(layout, check=False)
    with pytest.raises(weft.Error, match="^kernel main: can deadlock"):
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


def test_ctrl_c_ends_a_copy():
    wafer = wafer_of(".array a, bf16, 1500\n.kernel main\n halt\n")
    values = np.arange(9000, dtype=np.float32).reshape(2, 3, 1500) % 256
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        timer = threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            for _ in range(10000):
                wafer["a"] = values
    finally:
        signal.signal(signal.SIGINT, before)


def test_progress_is_shown_and_its_exceptions_end_a_run(capsys):
    seen = []

    def progress(*words):
        seen.append(words)
        if len(seen) == 2:
            raise ZeroDivisionError

    layout = weft.Layout()
    layout.program_text(ENDLESS, name="mine.s")
    wafer = weft.Wafer(2, 3, "rtl", sram_kib=4, progress=progress)
    wafer.load(layout)
    with pytest.raises(ZeroDivisionError):
        wafer.run("main", check=False)
    assert [what for what, _, _ in seen] == ["kernel main"] * 2 and 0 < seen[0][1] < seen[1][1]
    weft.wafer._show("a", 3, 4)
    weft.wafer._show("kernel main", 500, 0)
    assert capsys.readouterr().err.split("\r")[1:] == [f"{'a: 75 %':<78}", f"{'kernel main: 500 cycles':<78}"]


def test_an_array_is_read_into_one_that_exists():
    wafer = wafer_of(ARRAYS)
    a = np.arange(120, dtype=np.float32).reshape(2, 3, 20)
    wafer["a"], wafer["k"] = a, [4, -5, 6]
    out = np.zeros_like(a)
    assert wafer.read("a", out) is out
    np.testing.assert_array_equal(out, a)
    k = np.zeros((2, 3, 3), np.int16)
    np.testing.assert_array_equal(wafer.read("k", k), wafer["k"])
    for wrong in (np.zeros((2, 3, 20)), np.zeros((2, 3, 21), np.float32), a[:, :, ::2], [1.0]):
        with pytest.raises(TypeError, match=r"a needs a writable, contiguous float32 array of shape \(2, 3, 20\)"):
            wafer.read("a", wrong)


def test_runs_are_measured_and_traced(tmp_path):
    wafer = weft.Wafer(2, 3, "rtl", sram_kib=4, inspect=True)
    layout = weft.Layout()
    layout.program_text(ENDLESS.replace("jmp   next", "halt").replace("main", "main count=r3"), name="mine.s")
    wafer.load(layout)
    with pytest.raises(weft.Error, match="^inspect: no kernel has run"):
        wafer.stalls
    wafer.waves(tmp_path / "run.fst", "0,0")
    work = wafer.run("main", count=3)
    stalls = wafer.stalls
    assert stalls["main.issued"].shape == (2, 3) and stalls["main.issued"].sum() == work["beats"] == 6 * 3 * 256
    for thread in ("main", "psum"):
        cycles = sum(counts for name, counts in stalls.items() if name.startswith(thread))
        assert np.all(cycles >= work["cycles"] - 8) and np.all(cycles <= work["cycles"] + 64)
    text = wafer.profile(tmp_path / "run.json")
    assert re.search(r"^main +\d+ +100.0 %", text, re.M) and "largest losses" in text
    assert (tmp_path / "run.json").read_text().startswith('{"displayTimeUnit"')
    assert {path.suffix for path in tmp_path.iterdir()} >= {".fst", ".gtkw", ".json", ".words"}
    with pytest.raises(weft.Error, match="HINT: create it with inspect"):
        wafer_of(ARRAYS).stalls


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


COLLECTIVES = """
.array  u, fp32, 4
.array  v, fp32, 4
.array  b, fp32, 12
.kernel none
        halt
"""


@pytest.mark.parametrize("backend", ["model", "rtl"])
def test_collectives_are_one_line_each(backend):
    u = np.arange(36, dtype=np.float32).reshape(3, 3, 4)

    def result(name, array, add):
        wafer = weft.Wafer(3, 3, backend, sram_kib=4)
        layout = weft.Layout()
        layout.program_text(COLLECTIVES)
        add(layout)
        wafer.load(layout)
        wafer["u"] = u
        if array != "b":
            wafer["b"] = np.arange(108).reshape(3, 3, 12)
        wafer.run(name)
        return wafer[array]

    same = np.testing.assert_array_equal
    same(result("x", "u", lambda to: to.broadcast("x", "u", root=(1, 2))), np.broadcast_to(u[1, 2], u.shape))
    same(result("x", "u", lambda to: to.reduce("x", "u", along="rows", root=2))[:, 2], u.sum(axis=1))
    same(result("x", "u", lambda to: to.all_reduce("x", "u", along="columns")), np.broadcast_to(u.sum(axis=0), u.shape))
    same(result("x", "u", lambda to: to.all_reduce("x", "u")), np.broadcast_to(u.sum(axis=(0, 1)), u.shape))
    same(result("x", "b", lambda to: to.gather("x", "u", "b", root=1))[:, 1], u.reshape(3, 12))
    same(result("x", "u", lambda to: to.scatter("x", "u", "b", along="columns"))[:, 0, 0], [0, 4, 8])
    same(result("x", "v", lambda to: to.transpose("x", "u", "v")), u.transpose(1, 0, 2))
    with pytest.raises(TypeError, match="along is one of rows, columns, all"):
        weft.Layout().reduce("x", "u", along="row")
    with pytest.raises(TypeError, match="the root is a tile"):
        weft.Layout().reduce("x", "u", root=1)


@pytest.mark.parametrize("kind, tile", [("broadcast", 15), ("reduce", 17)])
def test_collectives_take_a_word_a_cycle_and_the_page_s_cycles_a_tile(kind, tile):
    def cycles(cols, count):
        wafer = weft.Wafer(1, cols, "rtl", sram_kib=4)
        layout = weft.Layout()
        layout.program_text(f".array u, fp32, {count}\n.kernel none\n halt\n")
        getattr(layout, kind)("x", "u", along="rows")
        wafer.load(layout)
        return wafer.run("x")["cycles"]

    assert cycles(4, 256) - cycles(4, 64) == 192
    assert cycles(10, 64) - cycles(2, 64) == 8 * tile


def test_a_second_backend_is_compared_after_each_run():
    def checked():
        wafer = weft.Wafer(2, 3, "rtl", sram_kib=4, check="model")
        layout = weft.Layout()
        layout.program_text(ARRAYS, name="mine.s")
        wafer.load(layout)
        wafer["a"], wafer["k"], wafer["s"] = np.arange(20), [1, 2, 3], 1.5
        return wafer

    wafer = checked()
    assert wafer.run("main", x=1)["cycles"] > 0
    wafer._second["a"] = 0
    with pytest.raises(weft.Error, match=r"^kernel main: a\[0, 0, 1\] is 0x3f800000 on rtl, 0x00000000 on model. HINT: "):
        wafer.run("main", x=1)
    wafer["a"] = 1  # both
    wafer._second["k"] = [1, 2, 4]
    with pytest.raises(weft.Error, match=r"k\[0, 0, 2\] is 0x0003 on rtl, 0x0004 on model") as caught:
        wafer.run("main", x=1)
    assert caught.value.subject == "kernel main" and caught.value.hint.startswith("RTL and model agree on this run")

    class Faulty:  # a wafer with the lines of tests/programs/first_difference_test.cpp
        def __getattr__(self, name):
            return getattr(wafer._second._mine, name)

        def first_difference(self):
            return "tile    0,0\nplace   M[0x0]\n"

    wafer._second._mine, wafer._second._wafer = wafer._second._wafer, Faulty()
    with pytest.raises(weft.Error, match="have the first instruction that differs.*\ntile    0,0\nplace   M") as caught:
        wafer.run("main", x=1)


PING = """
.kernel main n=r1 times=r2
        mvp   r1, r1
        mvp   r2, r2
        fork  p
        halt
p:      csrr  r3, COL
again:  add   r4, r1, r0
        bne   r3, r0, other
mine:   snd   there, r1
        rcv   r5, back
        dbnz  r4, mine
        dbnz  r2, again
        halt
other:  rcv   r5, there
        snd   back, r5
        dbnz  r4, other
        dbnz  r2, again
        halt
"""


def test_ctrl_c_ends_a_run_on_the_model_and_two_threads_are_told():
    seen, errors = [], []

    def meanwhile():
        try:
            wafer.keys()
        except weft.Error as error:
            errors.append(str(error))
        os.kill(os.getpid(), signal.SIGINT)

    def progress(*words):
        seen.append(words)
        if len(seen) == 1:
            threading.Thread(target=meanwhile).start()

    wafer = weft.Wafer(1, 2, progress=progress)
    layout = weft.Layout()
    layout.program_text(PING, name="mine.s")
    layout.stream("there", path=[(0, 0), (0, 1)])
    layout.stream("back", path=[(0, 1), (0, 0)])
    wafer.load(layout, check=False)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            wafer.run("main", n=65535, times=30, check=False)
    finally:
        signal.signal(signal.SIGINT, before)
    with pytest.raises(weft.Error, match="its last run did not end"):
        wafer.run("main", n=1, times=1)
    assert seen[0] == ("kernel main", 0, 0)
    assert errors == ["weft.Wafer: is in use by another thread. HINT: use it in one at a time."]
    wafer.load(layout, check=False)  # after which the wafer works again
    assert wafer.run("main", n=2, times=2)["messages"] > 0
