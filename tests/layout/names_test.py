#!/usr/bin/env python3
"""Names in documents and comments exist in the tree: names_test.py [FILE...], by default all files of the repository.

Checked are relative links of Markdown and their section anchors; paths in code spans of Markdown; paths in comments;
and, in any file, test programs, pages of docs and the sections named after them ("docs/reference/pe.md, Rest").
"""

import functools
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = "bench|configs|docs|fpga|host|rtl|scripts|sw|tests|verif"
PATH = re.compile(rf"(?<![\w/.$}}-])((?:{FOLDERS})/(?:[\w./*-]|\{{[\w,]+\}})*(?:[\w*]|\{{[\w,]+\}}))")
PAGE = re.compile(r"(?<![\w/.-])(docs/(?:[\w-]+/)*[\w-]+\.(?:md|svg|png))(?:,\s+([A-Z`][^.:;()\n]*))?")
TEST = re.compile(r"(?<![\w/.-])build/(tests/(?:[\w-]+/)*)(\w+_test)\b")
PLACEHOLDER = re.compile(r"(^|[/_])(NAME|SIZE|FILE|mine)([_./]|$)")
LINK = re.compile(r"\]\(([^)\s]+)\)")
COMMENTS = {".cpp": r"//+<?", ".hpp": r"//+<?", ".sv": r"//+<?", ".svh": r"//+<?", ".s": ";", ".py": "#", ".sh": "#",
            ".cmake": "#", ".yaml": "#", ".txt": "#"}
# Data, records, and files that name things of other times.
SKIPPED = ("configs/corpus.txt", "CHANGELOG.md", "bench/results/", "LICENSES/", "tests/layout/names_test.py")
# Names that an example introduces.
EXAMPLES = {"docs/howto/add_a_kernel_and_an_operation.md": (
    "sw/kernels/elementwise/squared_relu.s", "sw/kernels/mine.s", "sw/network/operations/mine.cpp",
    "sw/compiler/operations/mine.cpp", "tests/kernels/mine_test.cpp")}


def lines_of(command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()


@functools.lru_cache(None)
def tree():
    """All files and folders of the repository, also files that are not committed yet."""
    files = {f for f in lines_of(["git", "ls-files", "-co", "--exclude-standard"]) if (ROOT / f).exists()}
    folders = {str(parent) for f in files for parent in pathlib.PurePosixPath(f).parents}
    return files, folders


@functools.lru_cache(None)
def stems():
    return {f.rsplit(".", 1)[0] for f in tree()[0] if "." in f.rsplit("/", 1)[-1]}


def exists(path):
    """True for a file, a folder, a file without its suffix, or a pattern that matches something."""
    files, folders = tree()
    path = path.rstrip("/")
    if path in files or path in folders or path in stems():
        return True
    if "{" in path or "*" in path:
        pattern = re.escape(path).replace(r"\*", "[^/]*").replace(r"\{", "(").replace(r"\}", ")").replace(",", "|")
        return any(re.fullmatch(pattern, name) for name in files | folders | stems())
    return False


@functools.lru_cache(None)
def headings(page):
    found, fenced = [], False
    for line in (ROOT / page).read_text(encoding="utf-8").splitlines():
        fenced ^= line.lstrip().startswith("```")
        if not fenced and (heading := re.match(r"#+ (.*)", line)):
            found.append(heading[1].strip())
    return found


@functools.lru_cache(None)
def leads(page):
    """Bold words that begin a paragraph, which comments name like sections."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [re.sub(r"\s+", " ", lead).rstrip(".") for lead in re.findall(r"^(?:- )?\*\*([^*]+)\*\*", text, re.M)]


def anchor(heading):
    """Anchor of a heading, as GitHub makes it."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def anchors(page):
    found = []
    for heading in headings(page):
        name = anchor(heading)
        count = sum(1 for other in found if other == name or re.fullmatch(re.escape(name) + r"-\d+", other))
        found.append(name if count == 0 else f"{name}-{count}")
    return found


def wrong_links(file, text):
    """Relative links whose target is missing, or whose target has no such section."""
    for match in LINK.finditer(re.sub(r"^```.*?^```", "", re.sub(r"`[^`\n]*`", "", text), flags=re.S | re.M)):
        target, _, section = match[1].partition("#")
        if "://" in target or target.startswith("mailto:"):
            continue
        full = (ROOT / file).parent / target if target else ROOT / file
        full = full.resolve()
        if not full.exists():
            yield f"no {target}"
        elif section and full.suffix == ".md" and section not in anchors(full):
            yield f"{target or file} has no section #{section}"


def comments(file, text):
    """A file's comments, those of consecutive lines joined."""
    mark = COMMENTS.get(pathlib.PurePosixPath(file).suffix)
    if mark is None:
        return ""
    found = re.findall(rf"(?:^|\s){mark}(?:\s(.*))?$", text, re.M)
    return "\n".join(found)


def wrong_paths(file, text):
    """Paths that do not exist."""
    if file.endswith(".md"):
        spans = " \n ".join(re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)))
    else:
        spans = comments(file, text)
    for match in PATH.finditer(spans):
        if not exists(match[1]) and not PLACEHOLDER.search(match[1]) and match[1] not in EXAMPLES.get(file, ()):
            yield f"no {match[1]}"
    for folder, name in TEST.findall(text):
        lists = ROOT / folder / "CMakeLists.txt"
        if not lists.exists() or not re.search(rf"\b{name}\b", lists.read_text(encoding="utf-8")):
            yield f"no test program build/{folder}{name}"


def wrong_pages(file, text):
    """Pages of docs that do not exist, or lack the section that is named after them."""
    mark = COMMENTS.get(pathlib.PurePosixPath(file).suffix)
    if mark:
        text = re.sub(rf",\n\s*{mark} ", ", ", text)
    for match in PAGE.finditer(text):
        page, section = match[1], match[2]
        if page not in tree()[0]:
            yield f"no {page}"
        elif section and page.endswith(".md") and not file.endswith(".md"):
            plain = section.replace("`", "")
            if not any(plain.startswith(h) or h.startswith(plain.strip())
                       for h in (h.replace("`", "") for h in headings(page) + leads(page))):
                yield f"{page} has no section {section.strip()}"


def main(arguments):
    wrong, checked = [], 0
    for file in arguments or sorted(tree()[0]):
        if file.startswith(SKIPPED):
            continue
        path = ROOT / file
        if path.is_symlink() or not path.is_file():
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        checked += 1
        found = [*wrong_paths(file, text), *wrong_pages(file, text)]
        if file.endswith(".md"):
            found += wrong_links(file, text)
        wrong += [f"{file}: {problem}" for problem in dict.fromkeys(found)]
    print(*wrong, sep="\n")
    print(f"{checked} files, {len(wrong)} wrong names")
    return 1 if wrong or checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
