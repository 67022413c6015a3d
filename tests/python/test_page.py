"""`show --html`: the page as data, and in a browser."""

import json
import re
import shutil
import subprocess
import sys

import pytest

from hetjit.commands import page, show

pytest.importorskip("numpy", reason="NumPy is not installed for this Python")

PROGRAM = '''from hetjit import device

@device.func
def doubled(value):
    return value * 2.0

@device.kernel
def gathers(wörter, places, row, out):  # columns are counted in bytes: ö has two
    i = device.tid(1)
    if i < out.shape[0]:
        out[i] = doubled(wörter[places[i]]) + row[0, i] + row[i, 0]
'''
SIGNATURE = "(float32[::1], int32[::1], float32[:, ::1], float32[::1])"
ACCESS = "        out[i] = doubled(wörter[places[i]]) + row[0, i] + row[i, 0]"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    (folder / "kernels.py").write_text(PROGRAM, encoding="utf-8")
    assert show.main([f"{folder}/kernels.py:gathers", "--for", SIGNATURE, "--html", f"{folder}/out.html"]) == 0
    return folder / "out.html"


@pytest.fixture(scope="module")
def data(written):
    return json.loads(re.search(r'id="data">(.*?)</script>', written.read_text(encoding="utf-8"), re.S)[1])


def test_the_page_is_self_contained(written):
    text = written.read_text(encoding="utf-8")
    assert not re.search(r"https?:|\bsrc=|<link|@import|url\(", text.partition("<script")[0])
    assert "@@" not in text.partition("<script")[0]
    assert "gathers(wörter: float32[::1], places: int32[::1]" in text


def test_all_stages_are_there(data):
    assert [pane["name"] for pane in data["panes"]] == list(show.PHASES)
    assert all(pane["lines"] for pane in data["panes"])
    for pane in data["panes"]:
        assert any(at for _, at, _ in pane["lines"]) == (pane["name"] not in ("llvm", "sass"))


def test_the_source_is_marked(data):
    marks = next(marks for text, _, marks in data["source"] if text == ACCESS)
    said = [(ACCESS.encode()[from_:to].decode(), kind) for from_, to, kind, _ in marks]
    assert said == [("out[i]", "contiguous"), ("wörter[places[i]]", "gather"), ("places[i]", "contiguous"), ("row[0, i]", "contiguous"),
                    ("row[i, 0]", "strided")]
    assert "return value * 2.0" in "\n".join(text for text, _, _ in data["source"])


def test_dumps_are_marked_where_they_access_memory(data):
    optimized = next(pane for pane in data["panes"] if pane["name"] == "optimized")["lines"]
    kinds = [(kind, re.search(r"load|store|branch", text)[0]) for text, _, kind in optimized if kind]
    assert kinds == [("divergent", "branch"), ("contiguous", "load"), ("gather", "load"), ("contiguous", "load"), ("strided", "load"),
                     ("contiguous", "store")]
    bytecode = next(pane for pane in data["panes"] if pane["name"] == "bytecode")["lines"]
    assert not [text for text, _, kind in bytecode if kind and " load " in text]


def test_positions_of_what_is_called(data):
    """The multiplication of a function that is called has that function's line."""
    typed = next(pane for pane in data["panes"] if pane["name"] == "typed")["lines"]
    place = next(at for text, at, _ in typed if "f32 = mul" in text)
    assert PROGRAM.splitlines()[place[1] - 1] == "    return value * 2.0"


BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
# What a reader's mouse does, and what is to be seen of it, as JSON in the page's title.
MOUSE = """<script>
const seen = {}, move = (row, name) => row.element.dispatchEvent(new MouseEvent(name));
const texts = (pane, how) => [...document.querySelectorAll(`#${pane} .${how}`)].map(one => one.textContent);
const over = (name, row) => {
  move(row, "mouseenter");
  seen[name] = Object.fromEntries(["source", "bytecode", "typed", "optimized"].map(pane => [pane, [texts(pane, "same"), texts(pane, "near")]]));
  move(row, "mouseleave");
};
over("source", rows.find(row => row.source && row.element.textContent.includes("out[i] =")));
over("load", rows.find(row => !row.source && row.element.closest("#optimized") && row.element.classList.contains("gather")));
seen.after = document.querySelectorAll(".same, .near").length;
seen.hidden = [...document.querySelectorAll("section[hidden]")].map(one => one.id);
document.querySelectorAll("nav button").forEach(button => button.click());
seen.turned = [...document.querySelectorAll("section[hidden]")].map(one => one.id);
seen.marks = [...document.querySelectorAll("mark")].map(one => [one.textContent, one.className, getComputedStyle(one).borderBottomColor]);
document.title = "SEEN" + JSON.stringify(seen) + "END";
</script>"""


@pytest.fixture(scope="module")
def seen(written):
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        pytest.skip("no Chromium here (Debian's package: chromium)")
    moved = written.with_name("moved.html")
    moved.write_text(written.read_text(encoding="utf-8").replace("</html>", MOUSE + "</html>"), encoding="utf-8")
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={written.parent}/profile", "--dump-dom",
                           moved.as_uri()], capture_output=True, text=True, encoding="utf-8", timeout=300)
    found = re.search(r"SEEN(\{.*\})END", done.stdout, re.S)
    assert found, done.stderr
    return json.loads(found[1].replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))


def test_hovering_over_the_source(seen):
    lit = seen["source"]
    assert lit["source"][0] == ["11" + ACCESS]
    assert any("store" in line for line in lit["optimized"][0]) and sum("load" in line for line in lit["optimized"][0]) == 4
    assert any("setitem" in line for line in lit["bytecode"][0]) and not any("tid" in line for line in lit["bytecode"][0])


def test_hovering_over_a_load(seen):
    lit = seen["load"]
    assert lit["source"][0] == ["11" + ACCESS]
    assert any("getitem" in line for line in lit["bytecode"][0]) and any("load" in line for line in lit["typed"][0])
    assert any("store" in line for line in lit["optimized"][1]) and not any("store" in line for line in lit["optimized"][0])
    assert seen["after"] == 0


def test_stages_are_shown_and_hidden(seen):
    shown = {"bytecode", "typed", "optimized", "host"}
    assert set(seen["hidden"]) == set(show.PHASES) - shown and set(seen["turned"]) == shown


def test_colours(seen):
    marks = {text: (kind, colour) for text, kind, colour in seen["marks"]}
    assert marks["wörter[places[i]]"][0] == "gather" and marks["row[i, 0]"][0] == "strided"
    assert len({colour for _, colour in marks.values()}) == len({kind for kind, _ in marks.values()}) >= 4
