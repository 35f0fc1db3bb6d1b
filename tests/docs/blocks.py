"""Command blocks of a document: what is set off by four spaces and begins with a program."""

import re
import textwrap
from dataclasses import dataclass

PROGRAM = re.compile(
    r"([A-Z_]+=\S+ )*"
    r"(make|weft|weft-\w+|\(umask|csrun_wse|npm|source|(build|scripts|tests)/\S+|cat|cd|cp|export|for|git|head|mkdir|ping|sed|srun|sudo|python3?|/usr/bin/python3)( |$)"
)


@dataclass
class Block:
    line: int  # line of the document, from 1
    commands: list  # each a line, or several where it goes on


def commands_of(lines):
    """Returns the commands as a shell splits them: here documents, loops and lines that end in a backslash are one."""
    commands, until, depth = [], None, 0
    for line in lines:
        more = until is not None or depth > 0 or (commands and commands[-1].endswith("\\"))
        if more:
            commands[-1] += "\n" + line
        else:
            commands.append(line)
        if until is not None:
            until = None if line == until else until
            continue
        if here := re.search(r"<<'(\w+)'", line):
            until = here[1]
        depth += len(re.findall(r"^\s*for\b", line)) - len(re.findall(r"^\s*done\b", line))
    return commands


def blocks(text):
    found, lines, fenced, at = [], text.split("\n"), False, 0
    while at < len(lines):
        line = lines[at]
        fenced ^= line.startswith("```")
        if fenced or not line.startswith("    ") or (at > 0 and lines[at - 1].strip()):
            at += 1
            continue
        begin = at
        while at < len(lines) and lines[at].startswith("    "):
            at += 1
        body = textwrap.dedent("\n".join(lines[begin:at])).split("\n")
        if PROGRAM.match(body[0]):
            found.append(Block(begin + 1, commands_of(body)))
    return found
