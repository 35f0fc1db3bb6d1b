#!/usr/bin/env python3
"""The site of `make docs`: site_test.py, in the Python that has MkDocs (scripts/setup mkdocs).

All pages are in it, search finds a word on the page that explains it, and a broken link or anchor ends the build.
"""

import html.parser
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def build(tree, site):
    return subprocess.run([sys.executable, "-B", "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)],
                          cwd=tree, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.targets = set()

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value and "://" not in value:
                self.targets.add(value.split("#")[0])


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="weft-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.site = pathlib.Path(cls.folder.name) / "site"
        done = build(ROOT, cls.site)
        assert done.returncode == 0, done.stdout

    def test_has_each_page(self):
        pages = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, text=True, stdout=subprocess.PIPE, check=True).stdout.split()
        self.assertIn("docs/README.md", pages)
        for page in pages:
            made = page.replace("README.md", "index.md").removesuffix(".md") + ".html"
            self.assertTrue((self.site / made).is_file(), page)

    def test_its_links_lead_to_files_of_the_site(self):
        for page in self.site.rglob("*.html"):
            links = Links()
            links.feed(page.read_text(encoding="utf-8"))
            for target in links.targets - {"", ".", "/"} if page.name != "404.html" else ():
                self.assertTrue((page.parent / target).exists(), f"{page.relative_to(self.site)}: {target}")

    def test_search_finds_a_word_on_its_page(self):
        index = json.loads((self.site / "search/search_index.json").read_text(encoding="utf-8"))
        for word, page in (("deadlock", "docs/explanation/hangs.html"), ("outlet", "docs/glossary.html")):
            found = {entry["location"].split("#")[0] for entry in index["docs"] if word in entry["text"].lower()}
            self.assertIn(page, found)

    def test_lists_keep_their_paragraphs_and_code(self):
        page = (self.site / "docs/howto/add_a_backend.html").read_text(encoding="utf-8")
        for item in page.split("<ol>", 1)[1].split("</ol>", 1)[0].split("<li>")[1:]:
            if "<strong>Compare it." in item:
                self.assertIn("<pre>", item)
                return
        self.fail("the item is missing")


class Broken(unittest.TestCase):
    def test_a_broken_link_or_anchor_ends_the_build(self):
        with tempfile.TemporaryDirectory(prefix="weft-") as name:
            tree = pathlib.Path(name)
            for file in ("mkdocs.yml", "scripts/docs_hook.py", "scripts/docs.css"):
                (tree / file).parent.mkdir(exist_ok=True)
                shutil.copy(ROOT / file, tree / file)
            (tree / "docs").mkdir()
            for page in ("README", "CHANGELOG", "CONTRIBUTING", "SECURITY", "docs/architecture", "docs/glossary", "docs/page"):
                (tree / f"{page}.md").write_text(f"# {page}\n\n## A section\n", encoding="utf-8")
            subprocess.run(["git", "init", "-q", "."], cwd=tree, check=True)
            (tree / "docs/README.md").write_text("# Documentation\n\n## Reference\n\n[page](page.md)\n", encoding="utf-8")
            for link, right in (("page.md", True), ("page.md#a-section", True), ("../mkdocs.yml", True), ("no_page.md", False),
                                ("page.md#no-section", False), ("no_file.txt", False), ("../scripts", False)):
                (tree / "docs/architecture.md").write_text(f"# Architecture\n\n[a link]({link})\n", encoding="utf-8")
                done = build(tree, tree / "site")
                self.assertEqual(done.returncode == 0, right, f"{link}: {done.stdout}")


if __name__ == "__main__":
    unittest.main()
