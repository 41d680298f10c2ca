#!/usr/bin/python3
"""Writes deck.obj: an inclined screen of bars along the slope with slots between them, a solid plate at its upper end, and side boards.

    examples/data/segregation/make_deck.py > examples/data/segregation/deck.obj

Lengths in millimetres. x points down the slope, z up; the upper edge of the screen's top passes through x = 0, z = 0. Every part is a
closed box, so that grains touch it from all sides.
"""
import math

SLOPE = math.radians(4)
PLATE, LENGTH, WIDTH = 80, 400, 85  # length of the plate, of the whole deck, and its width [mm]
BAR, SLOT = 5, 10  # widths of a bar and of a slot between two bars [mm]
THICK, BOARD = 6, 60  # thickness of all parts, height of the boards [mm]


def box(first, low, high):
    """One closed box, in the deck's own axes, then turned down by the slope about y; normals point out."""
    c, s = math.cos(SLOPE), math.sin(SLOPE)
    for z in (low[2], high[2]):
        for x, y in ((low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])):
            print(f"v {c * x + s * z:.6g} {y:g} {c * z - s * x:.6g}")
    for a, b, d, e in ((3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)):
        print(f"f {first + a} {first + b} {first + d}\nf {first + a} {first + d} {first + e}")
    return first + 8


def main():
    print("# Screen in millimetres; written by make_deck.py")
    half, next_vertex = WIDTH / 2, 1
    next_vertex = box(next_vertex, (0, -half, -THICK), (PLATE, half, 0))
    bars = round((WIDTH - SLOT) / (BAR + SLOT))  # slots along both boards too
    for k in range(bars):
        y = (k - (bars - 1) / 2) * (BAR + SLOT)
        next_vertex = box(next_vertex, (PLATE, y - BAR / 2, -THICK), (LENGTH, y + BAR / 2, 0))
    next_vertex = box(next_vertex, (-THICK, -half - THICK, -THICK), (0, half + THICK, BOARD))  # board at the upper end
    for side in (-1, 1):
        ends = sorted((side * half, side * (half + THICK)))
        next_vertex = box(next_vertex, (0, ends[0], -THICK), (LENGTH, ends[1], BOARD))


if __name__ == "__main__":
    main()
