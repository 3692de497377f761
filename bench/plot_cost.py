#!/usr/bin/env python3
"""A table and a picture of what `cargo bench` measured.

    cargo bench -p dycausal-published --bench published
    python3 bench/plot_cost.py "published step" docs/pictures/published-cost.svg

Reads the estimates that criterion left in target/criterion, prints them as markdown with the
exponent from each size to the next, and draws them on logarithmic axes. Needs nothing but Python.
"""

import argparse
import collections
import json
import math
import pathlib
import sys

COLOURS = ["#0b6e99", "#c4511a", "#3f7d3a", "#7a4fa3"]
GREY, PALE, INK = "#666666", "#dddddd", "#222222"
WIDTH, HEIGHT, LEFT, TOP, BELOW, GAP = 320, 260, 64, 56, 72, 104


def measured(folder, group):
    """{axis: {line: [(size, seconds)]}} of one group of benchmarks, sizes rising."""
    axes = collections.defaultdict(lambda: collections.defaultdict(list))
    for path in folder.glob("*/*/*/new/benchmark.json"):
        what = json.loads(path.read_text())
        if what["group_id"] != group:
            continue
        estimates = json.loads(path.with_name("estimates.json").read_text())
        line, _, axis = (what["function_id"] or "").rpartition("by ")
        seconds = estimates["median"]["point_estimate"] * 1e-9
        axes[axis][line.strip(" ,") or group].append((int(what["value_str"]), seconds))
    return {axis: {name: sorted(lines[name]) for name in sorted(lines)} for axis, lines in axes.items()}


def table(axes):
    """The figures as markdown."""
    rows = ["| | size | ms | exponent |", "|---|---:|---:|---:|"]
    for axis, lines in sorted(axes.items()):
        for name, points in lines.items():
            for place, (size, seconds) in enumerate(points):
                exponent = ""
                if place > 0:
                    smaller, sooner = points[place - 1]
                    exponent = f"{math.log(seconds / sooner) / math.log(size / smaller):.2f}"
                rows.append(f"| {name}, by {axis} | {size} | {seconds * 1e3:.3g} | {exponent} |")
    return "\n".join(rows)


def text(x, y, words, rest=""):
    """Words at a place."""
    return f'<text x="{x:.1f}" y="{y:.1f}" {rest}>{words}</text>'


def path(points, colour, rest):
    """A line through points."""
    marks = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{marks}" fill="none" stroke="{colour}" {rest}/>'


def frame(axis, lines, left):
    """One pair of logarithmic axes with its lines; cubes of the number of variables are dashed."""
    sizes = sorted({size for points in lines.values() for size, _ in points})
    times = [seconds for points in lines.values() for _, seconds in points]
    low = math.floor(math.log10(min(times)))
    high = max(math.ceil(math.log10(max(times))), low + 1)
    reach = math.log(sizes[-1] / sizes[0]) or 1.0

    def at(size, seconds):
        across = math.log(size / sizes[0]) / reach
        return left + across * WIDTH, TOP + HEIGHT * (high - math.log10(seconds)) / (high - low)

    parts = [text(left, TOP - 18, f"by {axis}", 'font-weight="600"')]
    for power in range(low, high + 1):
        _, y = at(sizes[0], 10.0**power)
        parts.append(path([(left, y), (left + WIDTH, y)], PALE, ""))
        parts.append(text(left - 8, y + 4, f"{10.0 ** (power + 3):g} ms", 'text-anchor="end"'))
    for size in sizes:
        x, _ = at(size, 1.0)
        parts.append(text(x, TOP + HEIGHT + 20, size, 'text-anchor="middle"'))
    if axis == "variables":
        last, most = max((points[-1] for points in lines.values()), key=lambda point: point[1])
        cubes = [(size, most * (size / last) ** 3) for size in sizes]
        cubes = [at(size, seconds) for size, seconds in cubes if seconds >= 10.0**low]
        parts.append(path(cubes, GREY, 'stroke-dasharray="4 4"'))
        parts.append(text(cubes[0][0] + 10, cubes[0][1] + 4, "as the cube", f'fill="{GREY}"'))
    for colour, points in zip(COLOURS, lines.values()):
        places = [at(size, seconds) for size, seconds in points]
        parts.append(path(places, colour, 'stroke-width="2"'))
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
    return parts


def picture(group, axes):
    """All axes side by side, and a legend."""
    width, height = LEFT + len(axes) * (WIDTH + GAP) - GAP + 24, TOP + HEIGHT + BELOW
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    font = f'font-family="system-ui, sans-serif" font-size="12" fill="{INK}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        text(LEFT, 20, f"Time of one {group}", 'font-size="14" font-weight="600"'),
    ]
    for place, (axis, lines) in enumerate(sorted(axes.items(), reverse=True)):
        parts += frame(axis, lines, LEFT + place * (WIDTH + GAP))
    names = dict.fromkeys(name for lines in axes.values() for name in lines)
    for place, (colour, name) in enumerate(zip(COLOURS, names)):
        x, y = LEFT + place * 140, height - 16
        parts += [path([(x, y - 4), (x + 22, y - 4)], colour, 'stroke-width="2"'), text(x + 28, y, name)]
    return "\n".join([*parts, "</svg>", ""])


def main():
    """Reads, prints and draws."""
    parser = argparse.ArgumentParser(description="A table and a picture of what cargo bench measured.")
    parser.add_argument("group", help="the group of benchmarks, such as 'published step'")
    parser.add_argument("picture", type=pathlib.Path, help="the SVG to write")
    parser.add_argument("--criterion", type=pathlib.Path, default=pathlib.Path("target/criterion"))
    options = parser.parse_args()
    axes = measured(options.criterion, options.group)
    if not axes:
        sys.exit(f"{options.criterion}: nothing of the group '{options.group}'; run cargo bench first")
    print(table(axes))
    options.picture.write_text(picture(options.group, axes))


if __name__ == "__main__":
    main()
