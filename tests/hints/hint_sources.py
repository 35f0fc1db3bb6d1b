"""The hints of the program, found in its sources: the last argument of what makes a Refusal."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["host/board", "host/checkpoint", "host/cli", "host/config", "host/data", "host/formats", "host/generate",
           "host/inspect", "host/memoryx", "host/metrics", "host/planning", "host/ranks", "host/swarmx",
           "host/system", "host/tokenizer", "host/train", "sw/asm", "sw/base", "sw/compiler", "sw/deadlock",
           "sw/network", "verif/trace"]
# Calls that end with a hint, and their minimum number of arguments.
CALLS = {"Refusal": 3, "DamagedFile": 3, "FolderTaken": 3, "file_error": 4, "error": 3, "fail": 3, "refuse": 2}
# Files with tables, and the first column of a row that has hints.
TABLES = {"model_zoo.cpp": 2, "known_format.cpp": 2}
STRING = r'"(?:[^"\\]|\\.)*"'
TOKEN = re.compile(rf'{STRING}|R"\((?:.|\n)*?\)"|//[^\n]*|/\*(?:.|\n)*?\*/|\'(?:[^\'\\]|\\.)\'|\w+|.|\n')


def tokens(text):
    return [t for t in TOKEN.findall(text) if not t.startswith(("//", "/*"))]


def arguments(words, at):
    """The arguments of a call whose ( is words[at], each a list of words; None if it does not end."""
    depth, parts = 0, [[]]
    for place, word in enumerate(words[at:]):
        if word in "([{" and word:
            depth += 1
        if word in ")]}" and word:
            depth -= 1
            if depth == 0:
                return [p for p in parts if any(w.strip() for w in p)]
        if word == "," and depth == 1:
            parts.append([])
        elif place > 0:
            parts[-1].append(word)
    return None


def literal(words):
    """Texts in a row of words, neighbours joined."""
    texts, joined = [], False
    for word in words:
        if not word.strip():
            continue
        if word.startswith('"'):
            text = bytes(word[1:-1], "utf-8").decode("unicode_escape")
            if joined:
                texts[-1] += text
            else:
                texts.append(text)
            joined = True
        else:
            joined = False
    return texts


def constants(words):
    """Names of texts: constexpr auto kName = "...";"""
    found = {}
    for at, word in enumerate(words):
        if word == "=" and re.fullmatch(r"k[A-Z]\w*", "".join(words[at - 2:at]).strip() or "-"):
            name = next(w for w in reversed(words[:at]) if w.strip())
            end = next((n for n in range(at, len(words)) if words[n] == ";"), at)
            texts = literal(words[at + 1:end])
            if len(texts) == 1:
                found[name] = texts[0]
    return found


def rows_of(words, named, column):
    """The texts of {name, text, hint...} from a column on."""
    found = set()
    for at, word in enumerate(words):
        parts = arguments(words, at) if word == "{" else None
        if not parts or len(parts) <= column or any("{" in p[:2] and "".join(p).strip() != "{}" for p in parts):
            continue
        if not all(len(literal(p)) <= 1 for p in parts):
            continue
        for part in parts[column:]:
            found.update(literal(part))
            found.update(named[w] for w in part if w in named)
    return {f for f in found if f[:1].islower() and not f.startswith(("a ", "an ", "in ", "packed "))}


def hints_of(path):
    """The texts of hints in a file, {} in place of a value."""
    words = tokens(path.read_text())
    named = constants(words)
    found = set()
    for at, word in enumerate(words[:-1]):
        if word not in CALLS:
            continue
        begin = at + 1
        if words[begin] == "<":  # file_error<DamagedFile>(
            begin = next((n for n in range(begin, len(words)) if words[n] == ">"), begin) + 1
        if begin >= len(words) or words[begin] != "(":
            continue
        parts = arguments(words, begin)
        if parts is None or len(parts) < CALLS[word]:
            continue
        last = parts[-1]
        found.update(literal(last))
        found.update(named[w] for w in last if w in named)
    for at, word in enumerate(words[:-2]):  # return {subject, problem, hint}; or {problem, hint}
        parts = arguments(words, at + 2) if word == "return" and words[at + 2] == "{" else None
        if parts and len(parts) in (2, 3):
            found.update(f for f in literal(parts[-1]) if f[:1].islower() and len(f.split()) > 2)
            found.update(named[w] for w in parts[-1] if w in named)
    if path.name in TABLES:
        found |= rows_of(words, named, TABLES[path.name])
    return {f for f in found if " " in f.strip() and len(re.findall(r"[A-Za-z]{2,}", re.sub(r"\{[^}]*\}", "", f))) >= 2}


def all_hints():
    """{(folder, text)}"""
    return {(folder, hint) for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*"))
            if path.suffix in (".cpp", ".hpp") for hint in hints_of(path)}


def pattern(hint):
    """Returns a pattern that matches a printed form of `hint`."""
    pieces = [re.escape(p) for p in re.split(r"\{[^}]*\}", hint.rstrip("?."))]
    return re.compile(".*".join(pieces), re.DOTALL)


if __name__ == "__main__":
    for where, text in sorted(all_hints()):
        print(f"{where}: {text!r}")
