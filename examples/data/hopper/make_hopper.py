#!/usr/bin/python3
"""Writes hopper.obj: a square bin over a pyramid with a square outlet, a surface without thickness, open above and below.

    examples/data/hopper/make_hopper.py > examples/data/hopper/hopper.obj

Lengths in millimetres, as most drawing programs write them; the origin is the middle of the outlet, z points up.
"""
OUTLET, BIN = 70, 160  # widths [mm]
NECK, SHOULDER, TOP = 20, 100, 300  # heights where the outlet's shaft ends, the pyramid ends, and the bin ends [mm]

SECTIONS = [(OUTLET, 0), (OUTLET, NECK), (BIN, SHOULDER), (BIN, TOP)]  # width and height of each ring of four corners


def main():
    print("# Pyramidal hopper in millimetres; written by make_hopper.py")
    for width, height in SECTIONS:
        for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            print(f"v {x * width / 2:g} {y * width / 2:g} {height:g}")
    for ring in range(len(SECTIONS) - 1):
        for side in range(4):
            a, b = 4 * ring + side + 1, 4 * ring + (side + 1) % 4 + 1  # corners are counted from 1
            print(f"f {b} {a} {a + 4}\nf {b} {a + 4} {b + 4}")  # normals point into the hopper


if __name__ == "__main__":
    main()
