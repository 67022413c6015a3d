"""The documents as a site: every page is reached, every link inside leads somewhere, and Sphinx builds it without a warning."""

import html.parser
import pathlib
import re
import subprocess
import sys
import urllib.parse

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


def test_every_page_is_reached():
    """Readers come from README.md to all pages."""
    found, waiting = set(), [DOCS / "README.md"]
    while waiting:
        page = waiting.pop()
        if page not in found and page.is_relative_to(DOCS):
            found.add(page)
            waiting += [(page.parent / target).resolve() for target in re.findall(r"\]\(([\w./-]+\.md)(?:#[^)]*)?\)", page.read_text())]
    assert {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")} == {str(page.relative_to(DOCS)) for page in found}


class Page(html.parser.HTMLParser):
    """The places of a page that links may lead to, and where its own lead."""

    def __init__(self, path):
        super().__init__()
        self.places, self.links = set(), set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.places.add(attributes.get("id"))
        for name in ("href", "src"):
            if attributes.get(name):
                self.links.add(attributes[name])


def broken(folder):
    """Links of a built site that lead to no file of it, or to no place in that file."""
    pages = {path: Page(path) for path in folder.rglob("*.html")}
    for path, page in pages.items():
        for link in sorted(page.links):
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            place = urllib.parse.unquote(parts.fragment)
            if not target.exists() or place and target in pages and place not in pages[target].places:
                yield f"{path.relative_to(folder)}: {link}"


def test_the_site(tmp_path):
    pytest.importorskip("sphinx", reason="Sphinx is not installed for this Python")
    done = subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-d", tmp_path / "cache", DOCS,
                           tmp_path / "site"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert list(broken(tmp_path / "site")) == []
    assert (tmp_path / "site" / "searchindex.js").stat().st_size > 10_000


def test_broken_links_are_found(tmp_path):
    (tmp_path / "a.html").write_text('<a href="b.html#there"></a><a href="b.html#nowhere"></a><a href="c.html"></a><a href="#x"></a>')
    (tmp_path / "b.html").write_text('<p id="there"></p>')
    assert list(broken(tmp_path)) == ["a.html: #x", "a.html: b.html#nowhere", "a.html: c.html"]
