"""Random programs, drawn and shrunk by Hypothesis, run four ways (compare.py); kernels whose threads work together (compare_blocks.py);
kernels that are all indices (compare_indices.py); kernels as most are, launched on arrays in every layout (compare_launches.py); and stencils,
and kernels that are all ways, or all turns (compare_stencils.py).

    ./dev fuzz [--programs 20000 | --kernels 1000 | --indices 1000 | --launches 1000 | --stencils 1000 | --ways 1000 |
                 --turns 1000] [--seed 1]
                [--device emu:sm_90 [--weak]] [--python /path/to/python3.14] [--jobs 1]

Prints how many programs agreed and how many were refused; a difference is shrunk and printed as a file for tests/golden, with the seed
that finds it again. Work is done in processes of some programs each: one that dies leaves its program in build/fuzz.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent))
os.environ["HETJIT_CACHE"] = "off"  # of no use to programs that nobody runs twice

BATCH = {"programs": 250, "kernels": 50, "indices": 100, "launches": 100, "stencils": 100, "ways": 100, "turns": 100}
CORES = ("1", "2", "5")  # of the host device, for kernels


def drawn(kind, below, where=""):
    """A program whose decisions `below` takes, for the device `where`."""
    import blocks
    import compare_blocks
    import indices
    import launches
    import programs
    import stencils
    import turns
    import ways
    makers = {"programs": lambda: programs.Maker(below).program(), "kernels": lambda: blocks.Maker(below, compare_blocks.warp_size(where)).kernel(),
              "indices": lambda: indices.Maker(below).kernel(), "launches": lambda: launches.Maker(below).kernel(),
              "stencils": lambda: stencils.Maker(below).kernel(), "ways": lambda: ways.Maker(below).kernel(),
              "turns": lambda: turns.Maker(below).kernel()}
    return makers[kind]()


def compared(kind, program, values, where=""):
    """(Outcome, what reports it)."""
    import compare
    import compare_blocks
    import compare_indices
    import compare_launches
    import compare_stencils
    of = {"kernels": compare_blocks, "indices": compare_indices, "launches": compare_launches, "stencils": compare_stencils, "ways": compare_stencils,
          "turns": compare_stencils, "programs": compare}[kind]
    try:
        if kind == "programs":
            return compare.compare(program, values, contract=values % 8 == 0, where=where), of.report
        return of.compare_kernel(program, values, where), of.report
    except Exception as error:  # no program may end this way
        return compare.Outcome("different", f"{type(error).__name__}: {error}"), of.report


def hunt(count, seed, current=None, kind="programs", where=""):
    """Runs `count` programs. Returns (Counter of verdicts, {refusal: count}, report of a shrunk difference or "")."""
    from hypothesis import HealthCheck, Phase, given, seed as seeded, settings
    from hypothesis.strategies import SearchStrategy

    class Drawn(SearchStrategy):
        """A program whose decisions Hypothesis draws, one number each."""

        def do_draw(self, data):
            made = drawn(kind, lambda options: data.draw_integer(0, options - 1) if options > 1 else 0, where)
            return made, data.draw_integer(0, 2 ** 20)

    verdicts, refusals, last = collections.Counter(), collections.Counter(), [""]

    @seeded(seed)
    @settings(max_examples=count, database=None, deadline=None, suppress_health_check=list(HealthCheck),
              phases=(Phase.generate, Phase.shrink), print_blob=False)
    @given(Drawn())
    def test(made):
        program, values = made
        if current:
            current.write_text(program.source)
        outcome, report = compared(kind, program, values, where)
        if not last[0]:
            verdicts[outcome.verdict] += 1
        if outcome.verdict == "refused":
            refusals[outcome.text.split("\n")[0]] += 1
        if outcome.verdict == "different":
            last[0] = f"# seed: {seed}\n" + report(program, values, outcome)
            raise AssertionError(outcome.text.split("\n")[0])

    try:
        test()
    except AssertionError:
        pass
    except BaseException as error:
        if not last[0]:
            raise
        last[0] += f"# ended with {type(error).__name__}: {error}\n"
    return verdicts, refusals, last[0]


def weaken(where, seed):
    """From now on threads of that machine go at random, and its memory is as weak as its vendor's document allows (docs/emulation.md)."""
    from hetjit.emulation.devices import machine
    if where.startswith("emu:gfx"):
        from hetjit.emulation.amd import Weak
    else:
        from hetjit.emulation.ptx import Weak
    machine(where).schedule = Weak(seed)


def batch(python, environment, count, seed, kind, where, weak=False):
    """hunt() in a process of its own."""
    folder = ROOT / "build" / "fuzz"
    folder.mkdir(parents=True, exist_ok=True)
    current = folder / f"current-{seed}.py"
    if kind in ("kernels", "launches", "stencils", "ways", "turns"):
        environment = {"HETJIT_NUM_THREADS": CORES[seed % len(CORES)], **environment}
    done = subprocess.run([str(python), __file__, "--batch", str(count), "--kind", kind, "--seed", str(seed), "--current", str(current),
                           "--device", where, *(["--weak"] if weak else [])],
                          capture_output=True, text=True, cwd=ROOT, env=environment)
    try:
        verdicts, refusals, report = json.loads(done.stdout.strip().split("\n")[-1])
    except (ValueError, IndexError):
        program = current.read_text() if current.exists() else ""
        return {"different": 1}, {}, f"# seed: {seed}: the process ended with {done.returncode}\n{done.stderr[-3000:]}\n{program}"
    current.unlink(missing_ok=True)
    return verdicts, refusals, report


def chosen_python(path):
    """(python, environment variables) for --python."""
    import interpreters
    if not path:
        return sys.executable, os.environ.copy()
    version = interpreters.version_of(path)
    if not version:
        raise SystemExit(f"{path} is no CPython from 3.11 to 3.15")
    prepared = interpreters.prepare(interpreters.Interpreter(path, version), ROOT)
    if isinstance(prepared, str):
        raise SystemExit(prepared)
    return prepared


def main():
    parser = argparse.ArgumentParser(prog="./dev fuzz")
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--kernels", type=int, help="instead: so many kernels whose threads work together")
    parser.add_argument("--indices", type=int, help="instead: so many kernels that are all indices")
    parser.add_argument("--launches", type=int, help="instead: so many kernels whose threads each have places of their own")
    parser.add_argument("--stencils", type=int, help="instead: so many kernels that read round their own place, with all ends mended")
    parser.add_argument("--ways", type=int, help="instead: so many kernels that leave loops by several exits")
    parser.add_argument("--turns", type=int, help="instead: so many kernels that are all loops, with arrays of the thread's own")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--python", help="another interpreter to run them with")
    parser.add_argument("--device", default="", help="a device to compare too: a GPU, or emu:sm_90, emu:gfx942, … (docs/emulation.md)")
    parser.add_argument("--weak", action="store_true", help="that machine's memory is to be as weak as its vendor allows")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--batch", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--kind", default="programs", help=argparse.SUPPRESS)
    parser.add_argument("--current", type=pathlib.Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.batch:
        if options.weak:
            weaken(options.device, options.seed)
        print(json.dumps(hunt(options.batch, options.seed, options.current, options.kind, options.device)))
        return 0
    python, environment = chosen_python(options.python)
    started, verdicts, refusals, reports = time.time(), collections.Counter(), collections.Counter(), []
    kind = next((kind for kind in ("kernels", "indices", "launches", "stencils", "ways", "turns") if getattr(options, kind)), "programs")
    count = getattr(options, kind)
    sizes = [min(BATCH[kind], count - first) for first in range(0, count, BATCH[kind])]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        work = [pool.submit(batch, python, environment, size, options.seed + k, kind, options.device, options.weak) for k, size in enumerate(sizes)]
        for done in concurrent.futures.as_completed(work):
            counted, refused, report = done.result()
            verdicts.update(counted)
            refusals.update(refused)
            if report:
                reports.append(report)
                print(report, flush=True)
    for text, count in refusals.most_common(12):
        print(f"  {count:5} x {text}")
    print(f"{sum(verdicts.values())} programs from seed {options.seed} in {time.time() - started:.0f} s: {verdicts['same']} agree, "
          f"{verdicts['refused']} refused, {verdicts['different']} differ")
    return 1 if reports or verdicts["refused"] * 5 > sum(verdicts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
