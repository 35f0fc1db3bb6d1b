"""Faults for copies of the RTL, each of which a named bench must find: a part of `make icarus`, because a bench that finds no fault shows nothing.

usage: mutants.py BUILD JOBS -- SOURCE... -- INCLUDE...       the last line is `N found, N not found`
"""
import shutil
import sys
from pathlib import Path

from benches import BENCHES
from play import main, options

# Fields: name, file of rtl/, text that occurs there once, its replacement, the bench.
FAULTS = (
    ("register_that_races", "numbers/weft_fma_lane.sv", "p3_valid_q <= p2_valid_q", "p3_valid_q = p2_valid_q", "fma_lanes"),
    ("operand_that_races", "numbers/weft_fma_lane.sv", "p2_big_q      <= take_p", "p2_big_q      = take_p", "fma_lanes"),
    # The simulated form does not compute `hold` without a candidate of psum; the built form always does.
    ("hold_for_nobody", "pe/weft_pe_hazard.sv", "(hold & psum_valid_i)", "hold", "pe_issue"),
    ("credit_is_lost", "fabric/weft_link_credits.sv", "carry  = credit_i & ~take_i;", "carry  = '0;", "link_credits"),
)

PROGRAMS = 6  # random tests: some faults show in only every other one


def without(rtl, file, old, new):
    text = (rtl / file).read_text()
    if text.count(old) != 1:
        sys.exit(f"icarus: `{old}` must occur once in rtl/{file}. HINT: change the fault in verif/icarus/mutants.py.")
    (rtl / file).write_text(text.replace(old, new))


if __name__ == "__main__":
    build, jobs, _, _, _, _, sources, includes = options(sys.argv[1:])
    rtl = Path(build) / "icarus/mutants/rtl"
    found = 0
    for name, file, old, new, bench in FAULTS:
        shutil.rmtree(rtl, ignore_errors=True)
        shutil.copytree("rtl", rtl)
        without(rtl, file, old, new)
        print(f"{name}, in {file}:", flush=True)
        differs = main(build, jobs, PROGRAMS, 0, rtl, [b for b in BENCHES if b.name == bench], sources, includes) == 1
        print("found" if differs else "NOT FOUND", flush=True)
        found += differs
    print(f"{found} found, {len(FAULTS) - found} not found")
    sys.exit(0 if found == len(FAULTS) else 1)
