"""The programs of docs/howto/python.md, one after the other, on the functional model."""
import pathlib
import re

import pytest

import weft

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/howto/python.md"


@pytest.mark.skipif(not PAGE.exists(), reason="without the tree")
def test_the_page_s_programs_run_in_order(params, tiny, capsys):
    page = PAGE.read_text()
    pathlib.Path("mine.txt").write_text(pathlib.Path("corpus.txt").read_text())
    programs = re.findall(r"```python\n(.*?)```", page, re.S)
    assert len(programs) == 5
    names = {}
    for program in programs:
        short = program.replace('backend="rtl", num_csx=3', 'backend="model"').replace("train(10)", "train(1)")
        short = short.replace("checkpoint_10", "checkpoint_1").replace("max_new_tokens=40", "max_new_tokens=2")
        short = short.replace('"gpt_tiny.yaml"', repr(tiny))
        exec(compile(short, str(PAGE), "exec"), names)
    out = capsys.readouterr().out
    expected = re.search(r"```text\n(.*?)```", page, re.S)[1]
    assert expected in out
    assert "346465df9128f34a" in out
    assert "perplexity" in out
    assert names["checkpoint"].step == 1
