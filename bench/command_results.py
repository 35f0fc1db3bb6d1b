#!/usr/bin/env python3
"""Writes bench/results/NAME.jsonl from what weft itself and its tests print: command_results.py BUILD NAME...

    generation     cycles of a token, from `weft run --mode generate` on the RTL (minutes)
    hugging_face   losses and divergence next to `transformers`, from tests/interop/hugging_face_test.py (scripts/setup interop)
    python         processor time of `pip install .` in a new virtual environment, and of the first program of
                   docs/howto/python.md there (minutes)
    attention_estimates, bounds, configs, recompute, row_groups, valves   from `weft run --mode compile_only` and `weft configs`: compiled_results.py
    attention, losses, turn                                    from `weft profile` on the RTL: profile_results.py (minutes)
"""

import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

import compiled_results
import measured
import profile_results

ROOT = measured.RESULTS.parent.parent
PSUM_CYCLES = (4, 2)
PROMPTS = 12


def ids(first, last):
    return ",".join(map(str, range(first, last + 1)))


def many(prompt):
    """Flags of PROMPTS prompts; `prompt` makes one of its number."""
    return [word for n in range(1, PROMPTS + 1) for word in ("--prompt_tokens", prompt(n))]


# {name: (tokens of the window, flags)}: the passes of all tokens, and those that keep keys and values.
PASSES = {
    "one prompt": (64, ["--runconfig.max_new_tokens", 2, "--prompt_tokens", ids(1, 60)]),
    "one prompt, two columns": (64, ["--runconfig.max_new_tokens", 2, "--prompt_tokens", ids(1, 60), "--wafer.sequence_columns", 2]),
    "twelve prompts": (64, ["--runconfig.max_new_tokens", 2, *many(lambda n: ids(n, n + 59))]),
    "one prompt, one beat": (4, ["--runconfig.max_new_tokens", 2, "--prompt_tokens", ids(1, 4)]),
}
KEPT = {
    "one prompt": ["--runconfig.max_new_tokens", 64, "--prompt_tokens", 1],
    "one prompt, without the last token": ["--runconfig.max_new_tokens", 63, "--prompt_tokens", 1],
    "twelve prompts": ["--runconfig.max_new_tokens", 64, *many(str)],
}


def cycles_and_tokens(text):
    """The simulated cycles and the tokens of a run of mode generate."""
    found = re.search(r"^(\d+) tokens?\b.*, (\d+) simulated cycles", text, re.MULTILINE)
    if not found:
        sys.exit(f"command_results.py: no cycles in: {text}")
    return int(found[2]), int(found[1])


def generation_values(cycles):
    """{name: value} of the page; `cycles(window, psum_cycles, flags)` runs weft."""
    values = {}
    for psum in PSUM_CYCLES:
        for name, (window, flags) in PASSES.items():
            total, tokens = cycles(window, psum, flags)
            values[f"a pass of all tokens, {name}, {psum} cycles a partial sum"] = total // tokens
        kept = {name: cycles(64, psum, flags) for name, flags in KEPT.items()}
        for name in ("one prompt", "twelve prompts"):
            values[f"kept, {name}, {psum} cycles a partial sum"] = kept[name][0] // kept[name][1]
        last = kept["one prompt"][0] - kept["one prompt, without the last token"][0]
        values[f"kept, last token, {psum} cycles a partial sum"] = last
    return values


def generation(build):
    with tempfile.TemporaryDirectory() as folder:

        def weft(window, *words):
            command = [build / "weft", "run", "--params", ROOT / "configs/gpt_tiny.yaml", "--model.max_sequence_length", window,
                       "--model_dir", f"{folder}/{window}", *words]
            return subprocess.run([str(word) for word in command], check=True, text=True, capture_output=True).stderr

        for window in (64, 4):
            weft(window, "--backend", "model", "--num_steps", 1)
        return generation_values(lambda window, psum, flags: cycles_and_tokens(
            weft(window, "--mode", "generate", "--backend", "rtl", "--wafer.valves", 4, "--wafer.psum_cycles", psum, *flags)))


def hugging_face_values(text):
    """{name: value} of what the test prints."""
    values = {}
    for line in text.splitlines():
        found = re.fullmatch(r"(.*\S) +weft (\S+)  transformers (\S+)  KL (\S+)", line)
        if found:
            for what, value in zip(("weft", "transformers", "KL"), found.groups()[1:]):
                values[f"{found[1]}, {what}"] = float(value)
    return values


def hugging_face(build):
    program = [build / "interop/bin/python", ROOT / "tests/interop/hugging_face_test.py", build / "weft"]
    done = subprocess.run([str(word) for word in program], check=False, text=True, stdout=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"command_results.py: {program[1]} fails. HINT: its output is above; scripts/setup interop")
    return hugging_face_values(done.stdout)


def python(_):
    """Processor seconds. A compiler cache is off; downloads take hardly any."""
    page = (ROOT / "docs/howto/python.md").read_text(encoding="utf-8")
    program = re.search(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[1]
    values = {}
    with tempfile.TemporaryDirectory() as folder:

        def timed(name, *command):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([str(word) for word in command], cwd=folder, check=True, env=os.environ | {"CCACHE_DISABLE": "1"})
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            values[name] = round(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, 1)

        subprocess.run([sys.executable, "-m", "venv", f"{folder}/venv"], check=True)
        timed("pip install .", f"{folder}/venv/bin/pip", "install", "-q", ROOT)
        timed("ten steps on the RTL", f"{folder}/venv/bin/python", "-c", program)
    return values


def values_of(measure):
    """A function like those of the other modules, for one that returns {name: value}."""
    return lambda build: ({"name": name, "value": value} for name, value in measure(build).items())


def rows_of(measure):
    """The same for a function that runs weft in the source tree."""

    def run(build):
        def weft(*words):
            command = [str(word) for word in (build / "weft", *words)]
            print("+", *command, flush=True)
            return subprocess.run(command, cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout

        try:
            return list(measure(weft))
        except subprocess.CalledProcessError as error:
            sys.exit(f"command_results.py: weft fails: {error.stderr}")

    return run


RESULTS = {"generation": values_of(generation), "hugging_face": values_of(hugging_face), "python": values_of(python)} | {
    measure.__name__: rows_of(measure) for measure in (
        compiled_results.attention_estimates, compiled_results.bounds, compiled_results.configs, compiled_results.recompute,
        compiled_results.row_groups, compiled_results.valves, profile_results.attention, profile_results.losses, profile_results.turn)}


def main(build, *names):
    for name in names:
        if name not in RESULTS:
            sys.exit(f"command_results.py: there are no results {name}. HINT: one of {', '.join(RESULTS)}")
    for name in names:
        measured.write(name, f"make measure-commands RESULTS={name}", RESULTS[name](build.resolve()))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]), *sys.argv[2:])
