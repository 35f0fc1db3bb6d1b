"""The debugger on programs of one's own."""
import os
import signal
import threading

import pytest

import weft
from programs import ARRAYS, ENDLESS, wafer_of


def test_a_run_is_debugged_from_the_arrays_of_the_wafer():
    wafer = wafer_of(ARRAYS, "rtl")
    wafer["a"], wafer["k"] = 3, [1, -2, 3]
    debugger = wafer.debug("main", x=5)
    assert debugger("break main 1,2") == "stop 0: main 1,2\n"
    assert debugger("continue").startswith("stop 0: tile 1,2 main is at halt  main mine.s:6\n")
    assert debugger("print a[1:3]") == "a[1:3] = M[0x1:2] 3 3\n"
    assert debugger("print k") == "k = M[0x20:3] 1 -2 3\n"
    assert debugger("print x").startswith("x, main.r1 = 5 ")
    assert debugger.prompt == "(1,2 main) " and not debugger.failed
    assert "HINT: help lists the commands" in debugger("nonsense") and debugger.failed
    with pytest.raises(weft.Error, match="^kernel mian: no program has a kernel of this name"):
        wafer.debug("mian")
    endless = wafer_of(ENDLESS, "rtl").debug("main")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    errors = []

    def meanwhile():
        try:
            endless("where")
        except weft.Error as error:
            errors.append(str(error))
        os.kill(os.getpid(), signal.SIGINT)

    threading.Timer(0.1, meanwhile).start()
    try:
        with pytest.raises(KeyboardInterrupt):
            endless("continue")
    finally:
        signal.signal(signal.SIGINT, before)
    assert errors == ["weft.Debugger: is in use by another thread. HINT: use it in one at a time."]
    assert "mine.s:" in endless("where")


def test_a_program_is_debugged_from_the_command_line(tmp_path, capsys):
    import weft.debug
    (tmp_path / "mine.py").write_text(f"""
import weft, sys
wafer = weft.Wafer(1, 2, sram_kib=4)
layout = weft.Layout()
layout.program_text({ARRAYS!r}, name="mine.s")
wafer.load(layout)
for x in (3, 4):
    wafer.run("main", x=x)
print("ends", sys.argv[1])
""")
    (tmp_path / "lines").write_text("break main\ncontinue\nprint x\nquit\n")
    words = ["--kernel", "main", "--run", "2", "--script", str(tmp_path / "lines"), str(tmp_path / "mine.py"), "word"]
    assert weft.debug.main(words) == 0
    out = capsys.readouterr().out
    assert "(0,0 main) print x\nx, main.r1 = 4 " in out and out.endswith("(0,0 main) quit\nends word\n")
    assert weft.debug.main(["--kernel", "other", str(tmp_path / "mine.py"), "word"]) == 1
    assert capsys.readouterr().err == "weft.debug: the program has made 0 runs of kernel other\n"
