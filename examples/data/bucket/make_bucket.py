#!/usr/bin/python3
"""Writes bucket.obj: a rectangular bucket, open above, of a floor and four sides that are closed boxes.

    examples/data/bucket/make_bucket.py > examples/data/bucket/bucket.obj

Lengths in millimetres; the origin is the middle of the underside.
"""
LENGTH, WIDTH, HEIGHT, THICK = 100, 80, 70, 4  # outer measures, and thickness of all parts [mm]

PARTS = [  # lower and upper corner
    ((-LENGTH / 2, -WIDTH / 2, 0), (LENGTH / 2, WIDTH / 2, THICK)),
    ((-LENGTH / 2, -WIDTH / 2, THICK), (-LENGTH / 2 + THICK, WIDTH / 2, HEIGHT)),
    ((LENGTH / 2 - THICK, -WIDTH / 2, THICK), (LENGTH / 2, WIDTH / 2, HEIGHT)),
    ((-LENGTH / 2 + THICK, -WIDTH / 2, THICK), (LENGTH / 2 - THICK, -WIDTH / 2 + THICK, HEIGHT)),
    ((-LENGTH / 2 + THICK, WIDTH / 2 - THICK, THICK), (LENGTH / 2 - THICK, WIDTH / 2, HEIGHT)),
]


def main():
    print("# Bucket in millimetres; written by make_bucket.py")
    for low, high in PARTS:
        for z in (low[2], high[2]):
            for x, y in ((low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])):
                print(f"v {x:g} {y:g} {z:g}")
    for part in range(len(PARTS)):
        first = 8 * part + 1  # corners are counted from 1
        for a, b, c, d in ((3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)):
            print(f"f {first + a} {first + b} {first + c}\nf {first + a} {first + c} {first + d}")  # normals point out


if __name__ == "__main__":
    main()
