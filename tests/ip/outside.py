"""A project outside of the tree, next to a copy of the files that Bender.yml and weft.core need."""
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPIED = ["Bender.yml", "weft.core", "rtl", "sw/isa", "sw/tables", "scripts/generate_rtl", "scripts/fusesoc_generator"]


def skip(reason, setup="ip"):
    """Exits as skipped."""
    print(f"{reason}. HINT: BUILD=build scripts/setup {setup}")
    sys.exit(int(os.environ.get("WEFT_SKIP", 77)))


@contextlib.contextmanager
def project():
    """The folder of the project; the copy of this tree is ../weft."""
    base = pathlib.Path(tempfile.mkdtemp(prefix="weft-"))
    try:
        for name in COPIED:
            source, copy = ROOT / name, base / "weft" / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, copy)
            else:
                shutil.copy(source, copy)
        shutil.copytree(ROOT / "tests" / "ip" / "project", base / "project")
        yield base / "project"
    finally:
        shutil.rmtree(base)


def run(*words, cwd, **environment):
    """Standard output of a command that must succeed. Tools read no settings and keep no files of this user."""
    home = {name: str(cwd / "home") for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")}
    done = subprocess.run([str(word) for word in words], cwd=cwd, env={**os.environ, **home, **environment}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\n{words[0]}: exit code {done.returncode}")
    return done.stdout


def generate(folder):
    """Writes the generated files of the copy next to the project."""
    run("../weft/scripts/generate_rtl", cwd=folder)


def works(output):
    """Exits with 1 unless the simulation has printed that it works."""
    if "wafer works" not in output:
        sys.exit(f"{output}\nthe simulation did not print `wafer works`")
    print("wafer works")


def simulate(folder, arguments):
    """Builds the project's testbench from the arguments of Verilator and runs it."""
    run("verilator", "--binary", "--timing", "--assert", "-Wno-fatal", "-O1", "-MAKEFLAGS", "OPT_FAST=-O0", "--Mdir", "made",
        "--top-module", "wafer_tb", *arguments, cwd=folder)
    works(run("made/Vwafer_tb", cwd=folder))


def files_of(name):
    """The .sv files that Bender.yml or weft.core lists, in order."""
    return re.findall(r"^ +- (\S+\.sv)$", (ROOT / name).read_text(), re.MULTILINE)
