"""Prompts of generation."""
from deeds import TRAINED, setting, words, writing
from follow import Case


def generate(name, hint, asked, how=None, **more):
    """Generation by a model that was trained for a step."""
    before = TRAINED + "; " + more.pop("before", "true")
    return Case(name, hint, words=["--mode", "generate", "--runconfig.max_new_tokens", "2", *asked], before=before, how=how, **more)


CASES = [
    generate("an empty prompt", "give it a character at least", ["--prompt", "a", "--prompt", ""],
             words("--mode", "generate", "--prompt", "a", "--prompt", "b")),
    generate("two kinds of prompts", "leave one of them out", ["--prompt", "a", "--prompt_tokens", "1"]),
    generate("prompts of nothing", "write a prompt on each line", ["--prompts_file", "p.txt"], writing("p.txt", "a\nb\n"),
             files={"p.txt": "\n\n"}),
    generate("prompts that do not exist", "name a file, or a pipe", ["--prompts_file", "none.txt"],
             setting("prompts_file", "p.txt"), files={"p.txt": "a\n"}),
    generate("too many prompts", "give fewer prompts", ["--prompts_file", "p.txt"], writing("p.txt", "a\n"),
             before="truncate -s 65M p.txt"),
]
