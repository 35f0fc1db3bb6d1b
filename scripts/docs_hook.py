"""Hook of MkDocs for `make docs`: all Markdown of the repository as one site, and the files that it links.

Pages keep their paths in the repository, so that their relative links hold in the site. A linked file of another kind is
copied; source code opens as plain text. The sections of docs/README.md are the navigation.
"""

import pathlib
import posixpath
import re
import subprocess

from mkdocs.structure.files import File, Files

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"\]\(([^)\s#]+)[^)]*\)")
SHOWN = {".png", ".svg", ".css"}  # by a browser, as they are
ITEM = re.compile(r"([-*]|\d+\.) ")


def pages():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=ROOT, check=True, text=True,
                            stdout=subprocess.PIPE).stdout.splitlines()
    return [name for name in listed if (ROOT / name).exists()]


def links(page):
    """Files that the page links, as paths in the repository."""
    for target in LINK.findall((ROOT / page).read_text(encoding="utf-8")):
        path = (ROOT / page).parent.joinpath(target).resolve()
        if path.is_file():
            yield path.relative_to(ROOT).as_posix()


def on_config(config):
    sections = re.split(r"^## ", (ROOT / "docs/README.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    nav = [{"Weft": ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]},
           {"Documentation": ["docs/README.md", "docs/architecture.md", "docs/glossary.md"]}]
    for section in sections[1:]:
        title = section.split("\n", 1)[0].split(":")[0]
        names = dict.fromkeys(posixpath.normpath(f"docs/{name}") for name in LINK.findall(section))
        nav.append({title: list(names)})
    listed = {name for section in nav for names in section.values() for name in names}
    nav.append({"Source tree": [{name.removesuffix("/README.md"): name} for name in pages() if name not in listed]})
    config.nav = nav
    return config


def on_files(files, config):
    theme = [file for file in files if file.src_dir != config.docs_dir]
    names = pages()
    others = {name for page in names for name in links(page) if not name.endswith(".md")} | set(config.extra_css)
    site = [File(name, str(ROOT), config.site_dir, config.use_directory_urls) for name in names]
    for name in sorted(others):
        text = {} if pathlib.Path(name).suffix in SHOWN else {"dest_uri": f"{name}.txt"}
        site.append(File(name, str(ROOT), config.site_dir, config.use_directory_urls, **text))
    return Files(theme + site)


def on_page_markdown(markdown, page, config, files):
    """Indents the content of list items by four columns, and separates items with paragraphs by blank lines.

    Python-Markdown needs both, CommonMark does not.
    """
    lines, shift, paragraphs, code = [], 0, False, False
    for line in markdown.split("\n"):
        item = ITEM.match(line)
        code ^= line.startswith("```")
        if code:
            shift = 0
        elif item:
            if shift and paragraphs and lines[-1]:
                lines.append("")
            shift, paragraphs = 4 - len(item[0]), False
        elif shift and line.startswith(" "):
            paragraphs = paragraphs or not lines[-1]
            line = " " * shift + line
        elif line:
            shift = 0
        lines.append(line)
    return "\n".join(lines)
