"""Runs ninja and says how far it is: in a terminal on one line, elsewhere with a line every ten seconds. Where there is nothing to build
nothing is said. What the compiler says comes through, and ninja's exit status is this program's.

    python3 cmake/progress.py build/release ninja -C build/release -j 2
"""

import os
import queue
import re
import subprocess
import sys
import threading
import time

EVERY = 10  # seconds
MARK = "\x1e"  # before ninja's own lines
QUIET = re.compile(r"Re-checking globbed|Re-running CMake|no work to do|Entering directory")


class Progress:
    def __init__(self, folder, terminal):
        self.folder, self.terminal = folder, terminal
        self.began = self.said = time.monotonic()
        self.done = self.total = 0

    def step(self, done, total):
        if not self.total:
            self.say(f"== building {self.folder}")
        self.done, self.total = done, total
        if self.terminal:
            print(f"\r{self.text()}\x1b[K", end="", file=sys.stderr, flush=True)

    def text(self):
        spent = time.monotonic() - self.began
        left = spent * (self.total - self.done) / max(self.done, 1)
        return f"   {self.done} of {self.total} files, {duration(left)} left"

    def tick(self):
        """Called at least once a second."""
        if self.total and not self.terminal and time.monotonic() - self.said >= EVERY:
            self.say(self.text())

    def say(self, line):
        print(line, file=sys.stderr, flush=True)
        self.said = time.monotonic()

    def message(self, line):
        if self.terminal and self.total:
            print("\r\x1b[K", end="", file=sys.stderr)
        print(line, flush=True)

    def end(self):
        if self.terminal and self.total:
            print(f"\r   {self.done} of {self.total} files in {duration(time.monotonic() - self.began)}\x1b[K", file=sys.stderr)


def duration(seconds):
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def lines_of(stream):
    """Lines as they come; None when a second has passed without one."""
    waiting = queue.Queue()

    def read():
        for line in stream:
            waiting.put(line.rstrip("\n"))
        waiting.put(read)  # the end
    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            line = waiting.get(timeout=1)
        except queue.Empty:
            yield None
            continue
        if line is read:
            return
        yield line


def main(folder, *command):
    progress = Progress(folder, sys.stderr.isatty())
    environment = {**os.environ, "NINJA_STATUS": f"{MARK}%f/%t "}
    ninja = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=environment)
    for line in lines_of(ninja.stdout):
        found = re.match(rf"{MARK}(\d+)/(\d+) ", line) if line else None
        if line and not QUIET.search(line):
            progress.step(int(found[1]), int(found[2])) if found else progress.message(line)
        progress.tick()
    progress.end()
    return ninja.wait()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
