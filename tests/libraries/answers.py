"""Pages of mistakes, and what is said of each. The mistakes are written by hand, the answers by `HETJIT_UPDATE=1 pytest` (`./dev update`), and the
diff is the review.

    === what is wrong
    the mistake
    ---
    the answer
"""

import os
import re


def read(file):
    """(title, mistake, answer) of each."""
    parts = re.split(r"^=== (.*)\n", file.read_text(), flags=re.M)[1:]
    for title, body in zip(parts[::2], parts[1::2]):
        mistake, _, answer = body.partition("---\n")  # a mistake in one line may be its own title
        yield title, mistake.rstrip("\n"), answer.rstrip("\n")


def check(file, answers):
    """That the answers are the page's; with HETJIT_UPDATE=1 they become it."""
    found = list(read(file))
    titles = [title for title, _, _ in found]
    assert len(set(titles)) == len(titles), "two mistakes have one title"
    if os.environ.get("HETJIT_UPDATE"):
        head = file.read_text().partition("=== ")[0]
        parts = ["\n".join([f"=== {title}", *[mistake][:len(mistake)], "---", answers[title]]) for title, mistake, _ in found]
        file.write_text(head + "\n\n".join(parts) + "\n")
    wrong = {title: answers[title] for title, _, answer in read(file) if answers[title] != answer}
    assert not wrong, "\n\n".join(f"=== {title}\n{answer}" for title, answer in wrong.items())
