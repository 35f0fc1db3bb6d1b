"""`make icarus`: plays recordings of the Verilated wafer in Icarus Verilog, bench by bench (README.md).

usage: play.py BUILD JOBS [--rtl FOLDER] [--seeds N] [--fabrics N] [--quick | NAME...] -- SOURCE... -- INCLUDE...

--rtl: the RTL of another folder than rtl/ in place of it, against recordings of rtl/. The last line is `N the same, N not`.
"""
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import dialect
import recording
from bench import play
from benches import BENCHES
from convert import convert, with_power_up

CYCLES = 2000  # a recording has so many, or up to four times


def parameters(instance, source):
    """Those of a module as Icarus and yosys take them; a packed one has its bits."""
    names = re.findall(r"^\s*parameter\s.*?(\w+)\s*=", source.read_text().split("\n) (")[0], re.M)
    return {n: f"{v.bit_length() or 1}'h{v:x}" if v >> 31 else v for n, v in instance.parameters.items() if n in names}


def record(build, folder, kind, seed):
    file = folder / f"{kind}_{seed}.vcd"
    said = subprocess.run([f"{build}/weft-icarus-record", str(file), kind, str(seed), str(CYCLES)], capture_output=True, text=True)
    if said.returncode:
        raise SystemExit(f"icarus: no recording: {said.stdout}{said.stderr}")
    print(said.stdout.strip(), flush=True)
    return file


def main(build, jobs, seeds, fabrics, rtl, chosen, sources, includes):
    folder = Path(build) / "icarus"
    (folder / "direct").mkdir(parents=True, exist_ok=True)
    sources = [Path(s) if not rtl or not s.startswith("rtl/") else Path(rtl) / s[4:] for s in sources]
    includes = [Path(i) if not rtl or not i.startswith("rtl") else Path(rtl) / i[4:] for i in includes]
    for source in [*sources, *(h for i in includes for h in i.glob("*.svh"))]:
        (folder / "direct" / source.name).write_text(dialect.translate(source.read_text()))
    packages = [str(folder / "direct" / s.name) for s in sources if s.name.endswith("_pkg.sv")]
    of = {s.stem: s for s in sources}
    converted, wrong = {}, 0
    for kind, seed in [("program", s) for s in range(1, seeds + 1)] + [("fabric", s) for s in range(1, fabrics + 1)]:
        instances = recording.read(record(build, folder, kind, seed), [b.scope for b in chosen])
        given = {b.name: parameters(instances[b.scope], of[b.module]) for b in chosen}
        if not converted:
            converted = {b.name: (b.module, given[b.name]) for b in chosen if not b.direct}
            convert(build, converted, folder, list(map(str, sources)), includes)

        def one(bench):
            base = folder / bench.name
            if bench.direct:
                command = ["-DSYNTHESIS", "-Y.sv", f"-I{folder}/direct", f"-y{folder}/direct", *packages,
                           f"{folder}/direct/{bench.module}.sv"]
            else:
                text = Path(f"{base}.yosys.v").read_text()
                Path(f"{base}.v").write_text(with_power_up(text, f"{kind} {seed} {bench.name}"))
                command = [f"{base}.v"]
            return play(bench, instances[bench.scope], base, command, given[bench.name] if bench.direct else {})

        with ThreadPoolExecutor(jobs) as pool:
            for bench, (cycles, bad, said) in zip(chosen, pool.map(one, chosen)):
                state = "not read" if bad is None else f"{bad} wrong" if bad else "the same"
                print(f"{bench.name:16}{cycles:6} cycles, {'RTL  ' if bench.direct else 'yosys'}: {state}", flush=True)
                if bad != 0:
                    print("".join(f"  {line}\n" for line in said.splitlines()[:20]), end="")
                    wrong += 1
    print(f"{len(chosen) * (seeds + fabrics) - wrong} the same, {wrong} not")
    return 1 if wrong else 0


def options(words):
    """The words of the command line as main's arguments."""
    first, sources, includes = " ".join(words).split(" -- ")
    build, jobs, *rest = first.split()
    found = {"--rtl": "", "--seeds": "1", "--fabrics": "0"}
    for name in found:
        if name in rest:
            at = rest.index(name)
            found[name] = rest[at + 1]
            del rest[at:at + 2]
    quick = "--quick" in rest
    names = [n for n in rest if n != "--quick"]
    unknown = [n for n in names if n not in {b.name for b in BENCHES}]
    if unknown:
        sys.exit(f"icarus: no bench {unknown[0]}. HINT: one of {', '.join(b.name for b in BENCHES)}")
    chosen = [b for b in BENCHES if (not names or b.name in names) and (not quick or b.quick)]
    counts = int(found["--seeds"]), int(found["--fabrics"])
    return build, int(jobs), *counts, found["--rtl"], chosen, sources.split(), includes.split()


if __name__ == "__main__":
    if sys.argv.count("--") != 2:
        sys.exit(__doc__)
    sys.exit(main(*options(sys.argv[1:])))
