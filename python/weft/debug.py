"""The debugger for runs of programs of one's own: docs/howto/debugging.md.

    python3 -m weft.debug --kernel main mine.py ARGUMENTS

runs mine.py, and opens the debugger at each run of this kernel; after quit the program goes on.
"""
import argparse
import runpy
import sys


def main(words):
    """Runs a program of Python, with the debugger before runs of its wafers. Returns the exit code."""
    from weft.wafer import Wafer

    parser = argparse.ArgumentParser("python3 -m weft.debug", description="opens the debugger before runs of a kernel")
    parser.add_argument("--kernel", help="only runs of this kernel; default: of any")
    parser.add_argument("--run", type=int, help="only run N of those, from 1")
    parser.add_argument("--script", help="file of commands, one per line, instead of typed input")
    parser.add_argument("program", help="a file of Python")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    given = parser.parse_args(words)
    script = None
    if given.script:
        try:
            with open(given.script, encoding="utf-8") as file:
                script = file.read().splitlines()
        except OSError as error:
            parser.error(f"--script: {given.script}: {error.strerror}")
    seen = {"runs": 0, "failed": False}

    def before(wafer, kernel, arguments):
        if given.kernel not in (None, kernel):
            return
        seen["runs"] += 1
        if given.run not in (None, seen["runs"]):
            return
        debugger = wafer.debug(kernel, **arguments)
        if script is None:
            print(f"before run {seen['runs']}, kernel {kernel}, on {wafer.backend}; help lists the commands")
            try:
                import readline  # noqa: F401: line editing, where Python has it
            except ImportError:
                pass
        debugger.interact(script)
        seen["failed"] |= script is not None and debugger.failed

    Wafer._before_run = staticmethod(before)
    sys.argv = [given.program, *given.arguments]
    sys.path.insert(0, given.program.rpartition("/")[0] or ".")
    try:
        runpy.run_path(given.program, run_name="__main__")
    finally:
        Wafer._before_run = None
    if seen["runs"] < (given.run or 1):
        of = f" of kernel {given.kernel}" if given.kernel else ""
        print(f"weft.debug: the program has made {seen['runs']} runs{of}", file=sys.stderr)
        return 1
    return int(seen["failed"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
