"""The debugger for runs of programs of one's own: docs/howto/debugging.md."""


class Debugger:
    """A run of a kernel, instruction by instruction, forwards and backwards: Wafer.debug() makes one.

    The debugger has a wafer of its own, with what the arrays held when it was made. Used by one thread at a time; the
    GIL is released while the wafer runs, and Ctrl-C ends a command.
    """

    def __init__(self, debugger):
        self._debugger = debugger

    def __call__(self, line):
        """Executes a command line, as "break mine.s:12" or "print u[0:8]", and returns what it prints, as text.

        A wrong line returns a message with a hint. "help" lists the commands.
        """
        return self._debugger.command(line)

    @property
    def prompt(self):
        """The tile and the thread of the next command: "(0,0 main) "."""
        return self._debugger.prompt()

    @property
    def failed(self):
        """True if a line was wrong, or the wafer hung."""
        return self._debugger.failed()

    def interact(self, lines=None):
        """Reads command lines from the terminal, or takes those of `lines`, and prints the output, until quit."""
        given = None if lines is None else iter(lines)
        while not self._debugger.over():
            try:
                line = input(self.prompt) if given is None else next(given).rstrip("\n")
                if given is not None:
                    print(self.prompt + line)
                print(self(line), end="", flush=True)
            except (EOFError, StopIteration):
                break
            except KeyboardInterrupt:
                print("\n" + self("where"), end="")

    def __repr__(self):
        return f"<weft.Debugger {self.prompt}>"
