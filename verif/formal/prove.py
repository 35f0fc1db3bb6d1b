"""`make formal`: runs the proofs of proofs.py, JOBS at a time.

usage: prove.py BUILD JOBS [NAME...]    all proofs, or those named

Prints a line for each proof, with its core seconds; at last `N proved, N failed`.
"""
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from proofs import PROOFS
from sby import Run

ROOT = Path(__file__).resolve().parents[2]
STEPS = 12  # within which a broken proof is looked for from a reset


class Prover:
    def __init__(self, build, jobs):
        self.build = Path(build).resolve()
        self.jobs = jobs
        self.lock = threading.Lock()
        self.running = set()
        self.stopped = False

    def run(self, name, proof, mode, depth, rtl=ROOT / "rtl", parameters=None):
        """One run of sby, that stop() can end. None if it was ended."""
        with self.lock:
            if self.stopped:
                return None, False
            run = Run(self.build / "formal" / name / mode, proof, mode, depth, rtl, self.build / "gen", self.build / "venv/bin",
                      parameters)
            self.running.add(run)
        try:
            return run, run.wait()
        finally:
            with self.lock:
                self.running.discard(run)

    def stop(self, *_):
        with self.lock:
            self.stopped = True
            running = list(self.running)
        for run in running:
            run.stop()

    def prove(self, proof):
        """(proved, seconds of a core, what to say of a failure)"""
        run, ok = self.run(proof.name, proof, "prove", 1)
        if ok:
            cover, ok = self.run(proof.name, proof, "cover", proof.cover)
            why = None if ok or not cover else (f"not reached: {' '.join(cover.failed())}", cover)
            return ok, run.seconds + (cover.seconds if cover else 0), why
        if not run:
            return False, 0, None
        why = f"the induction fails: {' '.join(run.failed())} (maybe in a state that no reset leads to)", run
        bounded, fine = self.run(proof.name, proof, "bmc", STEPS)
        if bounded and not fine:
            why = f"fails after a reset: {' '.join(bounded.failed())}", bounded
        return False, run.seconds + (bounded.seconds if bounded else 0), why

    def all(self, work, items):
        """work(item) for all of them, `jobs` at a time; Ctrl-C ends what runs."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.stop)
        with ThreadPoolExecutor(self.jobs) as pool:
            results = list(pool.map(work, items))
        if self.stopped:
            print("formal: stopped")
            sys.exit(130)
        return results


def main(build, jobs, names):
    unknown = [n for n in names if n not in {p.name for p in PROOFS}]
    if unknown:
        sys.exit(f"formal: no proof {unknown[0]}. HINT: one of {', '.join(p.name for p in PROOFS)}")
    prover = Prover(build, int(jobs))
    seconds = {}
    start = time.monotonic()

    def one(proof):
        ok, took, why = prover.prove(proof)
        if prover.stopped:
            return False
        print(f"{'proved' if ok else 'FAILED'} {proof.name:16}{took:6.1f} s", flush=True)
        if why:
            print(f"  {why[0]}\n  log: {why[1].folder}.log", flush=True)
            if why[1].trace():
                print(f"  to look at it: gtkwave {why[1].trace()}", flush=True)
        seconds[proof.name] = took
        return ok

    chosen = [p for p in PROOFS if not names or p.name in names]
    results = prover.all(one, chosen)
    print(f"{sum(seconds.values()):.0f} seconds of a core, {time.monotonic() - start:.0f} by the clock")
    print(f"{sum(results)} proved, {len(results) - sum(results)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
