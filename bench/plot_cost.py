"""A table and a picture of what `cargo bench` measured.

    cargo bench -p dycausal --bench published
    python bench/plot_cost.py "published step" docs/pictures/published-cost.svg

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
WIDTH, HEIGHT, LEFT, TOP, BOTTOM, GAP = 340, 260, 64, 56, 48, 84


def measured(folder, group):
    """{axis: {line: [(size, seconds)]}} of one group of benchmarks, sizes rising."""
    axes = collections.defaultdict(lambda: collections.defaultdict(list))
    for path in folder.glob("*/*/*/new/benchmark.json"):
        what = json.loads(path.read_text())
        if what["group_id"] != group:
            continue
        estimates = json.loads(path.with_name("estimates.json").read_text())
        line, _, axis = (what["function_id"] or "").rpartition("by ")
        size = int(what["value_str"])
        seconds = estimates["median"]["point_estimate"] * 1e-9
        axes[axis][line.strip(" ,") or group].append((size, seconds))
    return {axis: {name: sorted(points) for name, points in sorted(lines.items())} for axis, lines in axes.items()}


def table(axes):
    """The figures as markdown."""
    rows = ["| | size | ms | exponent |", "|---|---:|---:|---:|"]
    for axis, lines in sorted(axes.items()):
        for name, points in lines.items():
            before = None
            for size, seconds in points:
                exponent = ""
                if before:
                    exponent = f"{math.log(seconds / before[1]) / math.log(size / before[0]):.2f}"
                rows.append(f"| {name}, by {axis} | {size} | {seconds * 1e3:.3g} | {exponent} |")
                before = (size, seconds)
    return "\n".join(rows)


def panel(axis, lines, left):
    """One pair of logarithmic axes with its lines, as SVG; cubes of the size are dashed."""
    sizes = sorted({size for points in lines.values() for size, _ in points})
    times = [seconds for points in lines.values() for _, seconds in points]
    low, high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
    first, last = math.log(sizes[0]), math.log(sizes[-1])
    across = lambda size: left + (math.log(size) - first) / (last - first) * (WIDTH - 20)
    down = lambda seconds: TOP + HEIGHT * (1 - (math.log10(seconds) - low) / (high - low))
    parts = [f'<text x="{left}" y="{TOP - 18}" font-weight="600">by {axis}</text>']
    for power in range(low, high + 1):
        y = down(10.0**power)
        parts.append(f'<line x1="{left}" x2="{left + WIDTH - 20}" y1="{y:.1f}" y2="{y:.1f}" stroke="#dddddd"/>')
        parts.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{10.0 ** (power + 3):g} ms</text>')
    for size in sizes:
        parts.append(f'<text x="{across(size):.1f}" y="{TOP + HEIGHT + 20}" text-anchor="middle">{size}</text>')
    if axis == "variables":
        size, seconds = max((points[-1] for points in lines.values()), key=lambda point: point[1])
        cube = [(s, seconds * (s / size) ** 3) for s in sizes]
        path = [(s, t) for s, t in cube if t >= 10.0**low]
        marks = " ".join(f"{across(s):.1f},{down(t):.1f}" for s, t in path)
        parts.append(f'<polyline points="{marks}" fill="none" stroke="#888888" stroke-dasharray="4 4"/>')
        parts.append(f'<text x="{across(path[0][0]) + 10:.1f}" y="{down(path[0][1]) + 4:.1f}" fill="#666666">as the cube</text>')
    for colour, (name, points) in zip(COLOURS, lines.items()):
        marks = " ".join(f"{across(s):.1f},{down(t):.1f}" for s, t in points)
        parts.append(f'<polyline points="{marks}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for s, t in points:
            parts.append(f'<circle cx="{across(s):.1f}" cy="{down(t):.1f}" r="3" fill="{colour}"><title>{name}, {s}: {t * 1e3:.3g} ms</title></circle>')
    return parts


def picture(group, axes):
    """All axes side by side, and a legend."""
    width = LEFT + len(axes) * (WIDTH + GAP) - GAP + 10
    height = TOP + HEIGHT + BOTTOM + 24
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="system-ui, sans-serif" font-size="12" fill="#222222">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="20" font-size="14" font-weight="600">Time of one {group}</text>',
    ]
    for place, (axis, lines) in enumerate(sorted(axes.items(), reverse=True)):
        parts += panel(axis, lines, LEFT + place * (WIDTH + GAP))
    names = list(dict.fromkeys(name for lines in axes.values() for name in lines))
    for place, (colour, name) in enumerate(zip(COLOURS, names)):
        x, y = LEFT + place * 140, height - 16
        parts.append(f'<line x1="{x}" x2="{x + 22}" y1="{y - 4}" y2="{y - 4}" stroke="{colour}" stroke-width="2"/><text x="{x + 28}" y="{y}">{name}</text>')
    return "\n".join(parts + ["</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("group", help="the benchmark group, such as 'published step'")
    parser.add_argument("picture", type=pathlib.Path, help="the SVG to write")
    parser.add_argument("--criterion", type=pathlib.Path, default=pathlib.Path("target/criterion"))
    options = parser.parse_args()
    axes = measured(options.criterion, options.group)
    if not axes:
        sys.exit(f"{options.criterion}: no results of the group '{options.group}'; run cargo bench first")
    print(table(axes))
    options.picture.write_text(picture(options.group, axes))


if __name__ == "__main__":
    main()
