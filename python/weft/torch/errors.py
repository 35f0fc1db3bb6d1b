"""The error of a module that cannot become a network."""


class Refusal(Exception):
    """`place: subject: problem. HINT: hint.`

    `place` is "file:line" of the user's source, or "" if there is none. `module` is the qualified name of the module
    that computes there; "" is the compiled module itself."""

    def __init__(self, subject, problem, hint, place="", module=""):
        self.subject, self.problem, self.hint = subject, problem, hint
        self.place, self.module = place, module
        super().__init__((f"{place}: " if place else "") + f"{subject}: {problem}. HINT: {hint}.")
