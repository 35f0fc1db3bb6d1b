"""The error of a module that cannot become a network."""

from weft.errors import Error


class Refusal(Error):
    """`place: subject: problem. HINT: hint.`

    `place` is "file:line" of the user's source, or "" if there is none. `module` is the qualified name of the module
    that computes there; "" is the compiled module itself."""

    def __init__(self, subject, problem, hint, place="", module=""):
        text = (f"{place}: " if place else "") + f"{subject}: {problem}. HINT: {hint}."
        super().__init__(text, place, subject, problem, hint, exit_code=2)
        self.module = module

    def __reduce__(self):
        return Refusal, (self.subject, self.problem, self.hint, self.place, self.module)
