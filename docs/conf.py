"""The site, which `./dev docs` builds into build/site: Sphinx reads the Markdown of this folder by way of MyST, Furo is how it looks.

Pages are plain CommonMark, as a repository's web page shows them too. What is where follows from links: a section is a folder, its
index.md (or the page beside it of the folder's name) links its pages in their order; README.md links the sections and the documents about the inside.
"""

import pathlib
import re

from pygments.lexers.special import TextLexer

ROOT = pathlib.Path(__file__).resolve().parents[1]

project = "hetjit"
author = "the authors of hetjit"
release = re.search(r'__version__ = "(.*)"', (ROOT / "python/hetjit/__init__.py").read_text())[1]
extensions = ["myst_parser", "sphinx_copybutton"]
root_doc = "README"
html_theme = "furo"
html_title = f"hetjit {release}"
html_copy_source = False
html_show_sphinx = html_show_copyright = False
html_static_path = ["static"]
html_css_files = ["site.css"]
myst_heading_anchors = 4
pygments_style = "friendly"
pygments_dark_style = "monokai"
suppress_warnings = ["misc.highlighting_failure"]  # assembly is nearly what a lexer knows


DOCS = ROOT / "docs"


def linked(text):
    """The pages that a page links, in order, each once: of its own folder and of those below."""
    return list(dict.fromkeys(re.findall(r"\]\((\w+(?:/\w+)?)\.md\)", text)))


def is_section(page):
    """Whether it is the first page of a folder: its index, or the page beside it of the same name."""
    return page.endswith("/index") or (DOCS / page).is_dir()


def toctree(pages, caption=""):
    options = [":hidden:", f":caption: {caption}"] if caption else [":hidden:"]
    return "\n".join(["", "```{toctree}", *options, "", *pages, "```", ""])


def add_contents(app, name, source):
    """The tree of pages, at the ends of those that links make its inner nodes."""
    pages = linked(source[0])
    if name == root_doc:
        source[0] += toctree([page for page in pages if is_section(page)])
        source[0] += toctree([page for page in pages if not is_section(page)], "Inside")
    elif is_section(name):
        inside = "" if name.endswith("/index") else name + "/"
        source[0] += toctree([page for page in pages if page.startswith(inside) and page.count("/") == inside.count("/")])


def setup(app):
    app.connect("source-read", add_contents)
    app.add_lexer("output", TextLexer)
