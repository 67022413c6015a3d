"""Runs record.py --all under every CPython from 3.11 to 3.15 that can be found, and says which were missing.

Looked for: $HETJIT_PYTHONS (paths, separated by colons), pythonX.Y on the PATH, ~/.pyenv.
"""

import glob
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
VERSIONS = ("3.11", "3.12", "3.13", "3.14", "3.15")


def version_of(path):
    """"3.14", or None when the file is no Python that runs here."""
    try:
        ran = subprocess.run([path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
                             capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return ran.stdout.strip() if ran.returncode == 0 else None


def candidates():
    yield from filter(None, os.environ.get("HETJIT_PYTHONS", "").split(":"))
    yield sys.executable
    for version in VERSIONS:
        found = shutil.which("python" + version)
        if found:
            yield found
        yield from sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/%s.*/bin/python" % version)))


def pythons():
    """Version -> path, the first candidate of each."""
    found = {}
    for path in candidates():
        if not set(VERSIONS) <= set(found):
            found.setdefault(version_of(path), path)
    return {version: found[version] for version in VERSIONS if version in found}


def main():
    found = pythons()
    for version, path in found.items():
        # opcodes.py --check: other numbers would mean other tables in frontend/bytecode.
        for script in (["opcodes.py", "--check"], ["effects.py"], ["record.py", "--all"]):
            subprocess.run([path, str(HERE / script[0]), *script[1:]], check=True)
    missing = [version for version in VERSIONS if version not in found]
    print("recorded under", ", ".join(found), *(["(not found: %s)" % ", ".join(missing)] if missing else []))


if __name__ == "__main__":
    main()
