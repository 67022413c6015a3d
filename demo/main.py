"""The main job: four programs on real data, run on the host's cores (and on a GPU where there is one), checked against
NumPy, timed, drawn, and compiled for NVIDIA and AMD beside it. Exits 1 when anything disagrees.

    ./dev demo [--quick] [--device emu:sm_90]     a machine in a GPU's place (docs/emulation.md) gets small problems
"""

import argparse
import contextlib
import pathlib
import sys
import threading
import time

import matplotlib.cbook
import numpy as np
from PIL import Image

import hetjit
from hetjit import device

import kernels
import pictures
import references
import targets

REMINDER = 8  # seconds
OUT = pathlib.Path(__file__).resolve().parents[1] / "build" / "demo"


def blocks(height, width, block=(16, 16)):
    """Grid and block that cover a picture, one thread a pixel."""
    return ((width + block[0] - 1) // block[0], (height + block[1] - 1) // block[1]), block


def sample(name):
    return matplotlib.cbook.get_sample_data(name, asfileobj=False)


class Job:
    """One line of the table. `inputs` are copied to the device before `run` and back after it; `pictures` makes named
    pictures of them."""

    def __init__(self, title, inputs, run, reference, errors, tolerance, kernel, arguments, pictures):
        self.title, self.inputs, self.run = title, inputs, run
        self.reference, self.errors, self.tolerance = reference, errors, tolerance
        self.kernel, self.arguments, self.pictures = kernel, arguments, pictures


def mandelbrot_job(size):
    left, top, step, limit = -2.0, -1.25, 2.5 / size, 256
    counts = np.zeros((size, size), np.int32)
    grid, block = blocks(size, size)
    return Job(f"mandelbrot {size}x{size}", dict(counts=counts),
               lambda a: kernels.mandelbrot[grid, block](a["counts"], left, top, step, limit),
               lambda: dict(counts=references.mandelbrot(size, size, left, top, step, limit)),
               lambda got, want: np.abs(got["counts"] - want["counts"]).max(), 0,
               kernels.mandelbrot, (counts, left, top, step, limit), lambda a: dict(mandelbrot=pictures.mandelbrot(a["counts"], limit)))


def terrain_job(every):
    """`every`: the distance of the points that are taken, as in those of photographs."""
    with np.load(sample("jacksboro_fault_dem.npz")) as dem:
        z = np.ascontiguousarray(dem["elevation"][::every, ::every])
        middle = np.radians((dem["ymin"] + dem["ymax"]) / 2)
        dx = float(111320.0 * dem["dx"] * np.cos(middle)) * every  # metres
        dy = float(111200.0 * dem["dy"]) * every
    azimuth, altitude = float(np.radians(45.0)), float(np.radians(45.0))
    maps = {name: np.zeros(z.shape, np.float32) for name in ("slope", "aspect", "shade")}
    grid, block = blocks(*z.shape)
    arguments = lambda a: (a["z"], dx, dy, azimuth, altitude, a["slope"], a["aspect"], a["shade"])

    def errors(got, want):
        turn = np.abs(got["aspect"] - want["aspect"])
        turn = np.minimum(turn, 360 - turn)[want["slope"] > 0.05]  # a flat cell faces nowhere
        return max(np.abs(got["slope"] - want["slope"]).max(), turn.max(), np.abs(got["shade"] - want["shade"]).max())

    inputs = dict(z=z, **maps)
    return Job(f"terrain {size_of(z)}", inputs, lambda a: kernels.terrain[grid, block](*arguments(a)),
               lambda: dict(zip(maps, references.terrain(z, dx, dy, azimuth, altitude))),
               errors, 1e-3, kernels.terrain, arguments(inputs), lambda a: pictures.terrain(z, a))


def photograph(every):
    return np.ascontiguousarray(np.asarray(Image.open(sample("grace_hopper.jpg")))[::every, ::every])


def size_of(picture):
    return "x".join(map(str, picture.shape))


def blur_job(every):
    photo = photograph(every)
    x = np.arange(-6, 7)
    weights = np.exp(-x * x / (2 * 2.5 ** 2)).astype(np.float32)
    weights /= weights.sum()
    out = np.zeros_like(photo)
    middle = np.zeros(photo.shape, np.float32)
    grid, block = blocks(*photo.shape[:2])

    def run(a):
        kernels.blur_rows[grid, block](a["photo"], a["weights"], a["middle"])
        kernels.blur[grid, block](a["middle"], a["weights"], a["out"])

    return Job(f"blur 13x13 {size_of(photo)}", dict(photo=photo, weights=weights, middle=middle, out=out), run,
               lambda: dict(out=references.blur(photo, weights)),
               lambda got, want: np.abs(got["out"].astype(int) - want["out"]).max(), 1,
               kernels.blur, (middle, weights, out), lambda a: dict(blur=a["out"]))


def edges_job(every):
    photo = photograph(every)
    height, width = photo.shape[:2]
    out = np.zeros((height, width), np.uint8)
    grid, block = blocks(height, width)
    return Job(f"edges {size_of(photo)}", dict(photo=photo, out=out),
               lambda a: kernels.edges[grid, block](a["photo"], a["out"]),
               lambda: dict(out=references.edges(photo)),
               lambda got, want: np.abs(got["out"].astype(int) - want["out"]).max(), 1,
               kernels.edges, (photo, out), lambda a: dict(edges=pictures.grey(a["out"])))


def nbody_job(n, steps=10):
    random = np.random.default_rng(7)
    turn = random.uniform(0, 2 * np.pi, n)
    radius = np.sqrt(random.uniform(0.01, 1, n))
    positions = np.stack([radius * np.cos(turn), radius * np.sin(turn), 0.05 * random.standard_normal(n)], 1)
    velocities = np.stack([-np.sin(turn), np.cos(turn), 0 * turn], 1) * np.sqrt(radius)[:, None]
    positions, velocities = positions.astype(np.float32), velocities.astype(np.float32)
    masses = np.full(n, 1 / n, np.float32)
    dt, softening = 0.02, 1e-3
    grid, block = (n + 127) // 128, 128

    def run(a):
        for _ in range(steps):
            kernels.kick[grid, block](a["positions"], a["velocities"], a["masses"], dt, softening)
            kernels.drift[grid, block](a["positions"], a["velocities"], dt)

    return Job(f"n-body {n} x {steps} steps", dict(positions=positions, velocities=velocities, masses=masses), run,
               lambda: dict(positions=references.nbody(positions, velocities, masses, dt, softening, steps)),
               lambda got, want: np.abs(got["positions"] - want["positions"]).max(), 1e-3,
               kernels.kick, (positions, velocities, masses, dt, softening), lambda a: dict(bodies=pictures.bodies(a["positions"])))


def timed(function):
    started = time.perf_counter()
    result = function()
    return result, 1e3 * (time.perf_counter() - started)


def run_on(job, where):
    """Results and milliseconds of a warm run; the first run compiles."""
    def once():
        arrays = {name: device.array(a, device=where) for name, a in job.inputs.items()}

        def launch():
            job.run(arrays)
            device.synchronize(where)

        return arrays, timed(launch)[1]

    once()
    arrays, milliseconds = once()
    return {name: device.to_numpy(a) for name, a in arrays.items()}, milliseconds


@contextlib.contextmanager
def saying(what):
    """Says what is done, and on a slow machine every few seconds that it still is."""
    print(f"{what} …", flush=True)
    done = threading.Event()

    def remind():
        began = time.monotonic()
        while not done.wait(REMINDER):
            print(f"   {what}: {time.monotonic() - began:.0f} s", flush=True)

    reminder = threading.Thread(target=remind, daemon=True)
    reminder.start()
    try:
        yield
    finally:
        done.set()
        reminder.join()


def perform(job, gpu):
    with saying(f"{job.title}: NumPy's reference"):
        want, numpy_ms = timed(job.reference)
    with saying(f"{job.title}: on the CPU"):
        got, cpu_ms = run_on(job, "cpu")
    error = float(job.errors(got, want))
    row = [job.title, f"{error:.3g}", f"{cpu_ms:.1f}", f"{numpy_ms:.0f}"]
    agrees = error <= job.tolerance
    if gpu:
        there, gpu_ms = run_on(job, gpu)
        gpu_error = float(job.errors(there, want))
        agrees = agrees and gpu_error <= job.tolerance
        row += [f"{gpu_ms:.2f}", f"{gpu_error:.3g}"]
    ptx, amd, host = (targets.emit(job.kernel, job.arguments, t) for t in ("cuda:sm_90", "hip:gfx942", "cpu:native"))
    row += [str(ptx.bytes), ptx.verdict or "no ptxas here", str(amd.bytes),
            f"{host.milliseconds:.1f} / {ptx.milliseconds:.1f} / {amd.milliseconds:.1f}"]
    agrees = agrees and ptx.verdict in ("accepted", "") and amd.verdict == "ELF"
    return row + ["yes" if agrees else "NO"], agrees, job.pictures({**job.inputs, **got})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="smaller problems")
    parser.add_argument("--device", help="beside the CPU; else a GPU, where there is one")
    options = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    gpu = options.device or next((d for d in hetjit.device.devices() if d != "cpu"), None)
    size, every, bodies = (64, 8, 128) if (gpu or "").startswith("emu:") else (512, 1, 1024) if options.quick else (2048, 1, 8192)
    jobs = [mandelbrot_job(size), terrain_job(every), blur_job(every), edges_job(every), nbody_job(bodies)]
    heading = ["kernel", "max error", "ms CPU", "ms NumPy"] + ([f"ms {gpu}", f"error {gpu}"] if gpu else [])
    heading += ["PTX bytes", "ptxas sm_90", "gfx942 bytes", "compile ms host/PTX/AMD", "agrees"]
    rows, all_agree, drawn = [], True, {}
    for job in jobs:
        row, agrees, made = perform(job, gpu)
        rows.append(row)
        all_agree &= agrees
        drawn.update(made)
    pictures.save(drawn, OUT)
    print()
    pictures.table([heading] + rows)
    print(f"\npictures: {OUT.relative_to(pathlib.Path.cwd()) if OUT.is_relative_to(pathlib.Path.cwd()) else OUT}/*.png")
    if not all_agree:
        print("a result disagrees with its reference")
    print("""
next: ./dev show demo/kernels.py:edges --phase explain --for "(uint8[:, :, ::1], uint8[:, ::1])"
          says how a kernel runs, line by line
      README.md and docs/language.md say how to write one""")
    return 0 if all_agree else 1


if __name__ == "__main__":
    sys.exit(main())
