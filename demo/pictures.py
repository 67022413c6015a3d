"""Arrays to pictures, and rows to a table."""

import numpy as np
from PIL import Image
import matplotlib


def coloured(values, name):
    return (matplotlib.colormaps[name](values)[..., :3] * 255).astype(np.uint8)


def mandelbrot(counts, limit):
    picture = coloured(np.sqrt(counts / limit), "twilight_shifted")
    picture[counts == limit] = 0
    return picture


def terrain(z, maps):
    height = (z - z.min()) / (np.ptp(z) or 1)
    relief = (coloured(height, "gist_earth") * (0.25 + 0.75 * maps["shade"][..., None])).astype(np.uint8)
    return dict(relief=relief, slope=coloured(maps["slope"] / maps["slope"].max(), "magma"),
                aspect=coloured(maps["aspect"] / 360, "twilight"), hillshade=coloured(maps["shade"], "gray"))


def grey(values):
    return np.repeat(values[..., None], 3, axis=2)


def bodies(positions, size=600):
    where = ((positions[:, :2] / 1.3 + 1) * size / 2).astype(int)
    where = where[((where >= 0) & (where < size)).all(axis=1)]
    density = np.zeros((size, size))
    np.add.at(density, (where[:, 1], where[:, 0]), 1)
    spread = density + sum(np.roll(density, s, axis) for s in (-1, 1) for axis in (0, 1)) / 2
    return coloured(np.clip(np.log1p(spread) / 1.6, 0, 1), "inferno")


def save(drawn, folder):
    """Each picture by itself, and a sheet of them, demo.png."""
    for name, pixels in drawn.items():
        Image.fromarray(pixels).save(folder / f"{name}.png")
    tiles = [tile(Image.fromarray(drawn[name]), 320) for name in ("mandelbrot", "relief", "blur", "edges", "bodies")]
    sheet = Image.new("RGB", (sum(t.width for t in tiles) + 8 * (len(tiles) - 1), 320), "white")
    left = 0
    for picture in tiles:
        sheet.paste(picture, (left, 0))
        left += picture.width + 8
    sheet.save(folder / "demo.png", optimize=True)


def tile(picture, height):
    return picture.resize((round(picture.width * height / picture.height), height), Image.Resampling.LANCZOS)


def table(rows):
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    for number, row in enumerate(rows):
        print("  ".join(cell.ljust(w) if k == 0 else cell.rjust(w) for k, (cell, w) in enumerate(zip(row, widths))))
        if number == 0:
            print("  ".join("-" * w for w in widths))
