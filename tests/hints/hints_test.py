#!/usr/bin/env python3
"""Hints that are followed: each case is a mistake, the program's HINT is done as it stands, and the program then accepts.

hints_test.py WEFT           runs the cases; a hint of the sources that no case follows must be in not_followed.txt
hints_test.py WEFT --some    runs every sixteenth case
hints_test.py WEFT --write   rewrites not_followed.txt
"""
import concurrent.futures
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import cases
import hint_sources
from follow import Run

HERE = pathlib.Path(__file__).resolve().parent
LIST = HERE / "not_followed.txt"
WEFT = pathlib.Path(sys.argv.pop(1)).resolve()
SOME = "--some" in sys.argv
NOT_HERE = 77  # exit code of a case's `wrap` that this machine does not allow
SEEN = set()  # the hints that were followed
NO_MEMORY = "use fewer wafers (runconfig.num_csx)"  # hint of program_main.cpp for any allocation that fails; no Refusal has it
CHOSEN = cases.CASES[::16] if SOME else cases.CASES


def uncovered():
    """Hints of the sources that no case has followed, as lines of the list."""
    lines = []
    for folder, text in sorted(hint_sources.all_hints()):
        is_it = hint_sources.pattern(text)
        if text not in cases.ELSEWHERE and not any(is_it.search(hint) for hint in SEEN if not hint.startswith(NO_MEMORY)):
            lines.append(f"{folder}: {text}".replace("\n", "\\n"))
    return lines


def outcome(case):
    """Returns the failure of a case; None: its hint was followed, and the program accepts."""
    if case.needs and shutil.which(case.needs) is None:
        SEEN.update([case.hint] if isinstance(case.hint, str) else case.hint)
        return None
    with tempfile.TemporaryDirectory(prefix="weft-hint-") as folder:
        try:
            return follow(Run(WEFT, pathlib.Path(folder), case), case)
        except (AssertionError, subprocess.SubprocessError) as e:
            return f"{e} {getattr(e, 'stderr', '')}"


def follow(run, case):
    said = run.start()
    if run.code == NOT_HERE:
        SEEN.add(case.hint)
        return None
    if run.code == 0:
        return f"nothing is refused: {said[-300:]}"
    several = [case.hint] if isinstance(case.hint, str) else case.hint
    if missing := [hint for hint in several if hint not in said]:
        return f"another hint than {missing}: {said}"
    if several[1:]:
        SEEN.update(run.hints(said))
    for _ in range(case.steps):
        hint = run.hint(said)
        SEEN.add(hint)
        run.follow(hint, said)
        before, said = said, run.start()
        if run.code == 0:
            return None
        if said == before:
            return f"the hint changes nothing: {run.words} {said}"
    return f"still refused: {said}"


def follow_all():
    """Names of cases, with what went wrong."""
    with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        ends = list(pool.map(outcome, CHOSEN))
    return {case.name: end for case, end in zip(CHOSEN, ends) if end is not None}


class Hints(unittest.TestCase):
    maxDiff = None

    def test_each_is_followed_or_in_the_list_of_those_that_are_not(self):
        self.assertEqual(follow_all(), {}, "hints that do not help")
        if SOME:
            return
        known = [line.partition("  # ")[0] for line in LIST.read_text().splitlines()]
        now = uncovered()
        self.assertEqual([line for line in now if line not in known], [], "hints that no case follows: add one to "
                         "tests/hints/cases, or the line to not_followed.txt, with a reason after two spaces and #")
        self.assertEqual([line for line in known if line not in now], [], "followed or gone: take the line out")

    def test_hints_that_other_tests_follow_are_in_the_sources(self):
        texts = {text for _, text in hint_sources.all_hints()}
        self.assertEqual([hint for hint in cases.ELSEWHERE if hint not in texts], [], "reworded or gone")

    def test_cases_have_names_of_their_own(self):
        names = [case.name for case in cases.CASES]
        self.assertEqual(len(names), len(set(names)))


if __name__ == "__main__":
    if SOME:
        sys.argv.remove("--some")
    if "--write" in sys.argv:
        wrong = follow_all()
        if wrong:
            sys.exit(f"hints that do not help: {wrong}")
        reasons = {line.partition("  # ")[0]: line for line in LIST.read_text().splitlines()}
        LIST.write_text("".join(reasons.get(line, line) + "\n" for line in uncovered()))
    else:
        unittest.main()
