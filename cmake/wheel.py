"""Makes of a wheel as it was built one that can be published: checked against the oldest C library that it shall run with, under the
tag that says so, and packed as small as it goes.

    python cmake/wheel.py BUILT.whl dist
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

import deflate

PLATFORM = "manylinux_2_34_x86_64"
MOST = 24 * 2**20  # bytes


class Smallest:
    """What zipfile asks of a compressor, with the whole of a file at once."""

    def __init__(self):
        self.parts = []

    def compress(self, data):
        self.parts.append(bytes(data))
        return b""

    def flush(self):
        return deflate.deflate_compress(b"".join(self.parts), 12)


def tagged(built, folder):
    """The wheel under the platform's tag; ends the program where the extension needs more than that has."""
    done = subprocess.run([sys.executable, "-m", "auditwheel", "repair", "--plat", PLATFORM, "--only-plat", "-w", folder, built],
                          text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"error: no wheel for {PLATFORM}: {done.stderr.strip().splitlines()[-1]}")
    (made,) = pathlib.Path(folder).glob("*.whl")
    return made


def packed(wheel, target):
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            data = old.read(info)  # before `info` is of the new file
            with new.open(info, "w") as part:
                part._compressor = Smallest()
                part.write(data)


def main(built, folder):
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as between:
        wheel = tagged(built, between)
        target = pathlib.Path(folder) / wheel.name
        packed(wheel, target)
    size = target.stat().st_size
    shown = subprocess.run([sys.executable, "-m", "auditwheel", "show", str(target)], text=True, capture_output=True).stdout
    tag = re.search(r'platform tag:\s+"(\w+)"', shown)
    print(f"{target}: {size / 2**20:.1f} MiB, {tag[1] if tag else 'no tag'}")
    if size > MOST:
        sys.exit(f"error: a wheel has at most {MOST / 2**20:.0f} MiB")


if __name__ == "__main__":
    main(*sys.argv[1:])
