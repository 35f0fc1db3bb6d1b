"""The error of all functions of this package."""


class Error(Exception):
    """A message as `weft` prints it, "subject: problem. HINT: action", and its parts."""

    def __init__(self, text, place="", subject="", problem="", hint="", exit_code=1):
        super().__init__(text)
        self.place = place  # a file and line, or "arguments"
        self.subject = subject
        self.problem = problem
        self.hint = hint
        self.exit_code = exit_code  # of `weft`: 2 for errors that the user can fix

    def __reduce__(self):
        return Error, (str(self), self.place, self.subject, self.problem, self.hint, self.exit_code)
