"""`make formal-guards`: removes a guard from a copy of the RTL, one at a time; the named proof must fail, after a reset.

usage: take_out.py BUILD JOBS [NAME...]   all guards, or those named
       take_out.py --check                each guard is in the RTL, once, and its proof in proofs.py; nothing is proved
"""
import re
import shutil
import sys

from guards import GUARDS
from proofs import PROOFS
from prove import ROOT, Prover

STEPS = 14


def without(guard, rtl):
    """The text of the guard's file without it; None if it does not occur, or occurs twice."""
    text = (rtl / guard.file).read_text()
    return text.replace(guard.old, guard.new) if text.count(guard.old) == 1 else None


def check():
    names = {p.name for p in PROOFS}
    gone = [g for g in GUARDS if without(g, ROOT / "rtl") is None]
    for guard in gone:
        print(f"formal: {guard.name}: `{guard.old}` must occur once in rtl/{guard.file}. HINT: change the guard in verif/formal/guards.py.")
    lost = [g for g in GUARDS if g.proof not in names]
    for guard in lost:
        print(f"formal: {guard.name}: no proof {guard.proof}")
    print(f"{len(GUARDS)} guards")
    return not gone and not lost


def main(build, jobs, names):
    unknown = [n for n in names if n not in {g.name for g in GUARDS}]
    if unknown:
        sys.exit(f"formal: no guard {unknown[0]}. HINT: one of {', '.join(g.name for g in GUARDS)}")
    if not check():
        return 1
    prover = Prover(build, int(jobs))
    by_name = {p.name: p for p in PROOFS}

    def one(guard):
        rtl = prover.build / "formal/guards" / guard.name / "rtl"
        shutil.rmtree(rtl, ignore_errors=True)
        shutil.copytree(ROOT / "rtl", rtl)
        (rtl / guard.file).write_text(without(guard, rtl))
        run, ok = prover.run(f"guards/{guard.name}", by_name[guard.proof], "bmc", STEPS, rtl, guard.parameters)
        if run is None or prover.stopped:
            return False
        missed = not ok and any(re.search(guard.property, name) for name in run.broken())
        print(f"{'missed' if missed else 'NOT MISSED'} {guard.name}{run.seconds:6.1f} s  {guard.proof}: "
              f"{' '.join(run.failed())}", flush=True)
        return missed

    results = prover.all(one, [g for g in GUARDS if not names or g.name in names])
    print(f"{sum(results)} missed, {len(results) - sum(results)} not missed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if check() else 1)
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
