#!/usr/bin/python3
"""Writes the stones of examples/cone_arch.toml: stones.txt, and on standard output the corners of a voussoir for the scene.

    examples/data/arch/make_arch.py > corners.txt

A half circle of equal voussoirs from z = 0 up, its axis along y; each stone is a trapezoid drawn out along the axis, with its centre of
mass as origin in stones.txt and its sides parallel to the world's axes where it is the keystone.
"""
import math
from pathlib import Path

STONES, INNER, OUTER, WIDTH = 15, 0.80, 1.05, 0.4  # number, radii and width [m]


def main():
    half = math.pi / (2 * STONES)
    corners = [(r * math.sin(a), y, r * math.cos(a)) for r in (INNER, OUTER) for a in (-half, half) for y in (-WIDTH / 2, WIDTH / 2)]
    print(",\n".join(f"    [{x:.9g}, {y:g}, {z:.9g}]" for x, y, z in corners))
    # Height of the trapezoid's centroid above its lower side, half widths p below and q above.
    low, p, q = INNER * math.cos(half), INNER * math.sin(half), OUTER * math.sin(half)
    centre = low + (OUTER - INNER) * math.cos(half) * (p + 2 * q) / (3 * (p + q))
    lines = ["x y z qw qx qy qz"]
    for k in range(STONES):
        a = math.pi * ((k + 0.5) / STONES - 0.5)
        lines.append(f"{centre * math.sin(a):.12g} 0 {centre * math.cos(a):.12g} {math.cos(a / 2):.12g} 0 {math.sin(a / 2):.12g} 0")
    Path(__file__).with_name("stones.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
