#!/usr/bin/python3
"""Writes cubes.txt: the cubes of examples/drum_symmetric.toml, in mirror pairs about the plane x = 0.

    examples/data/drum_symmetric/make_cubes.py > examples/data/drum_symmetric/cubes.txt

Rows 2k and 2k + 1 (counted from 0) are mirror images of each other, to the last bit: the same digits with x negated.
"""
SPACING = 0.0052  # [m]: edges of 5 mm, gaps of 0.2 mm
ACROSS, ALONG, HIGH = 4, 16, 8  # cubes on one side of the plane, along the drum, above each other
OFFSET = 0.0003  # layers stand this far forth and back along the drum, in turn [m]: see examples/drum_symmetric.toml
LOWEST = -0.0075  # height of the lowest centres [m]: 1 cm from the blade's top, at -0.02 m, to their lower faces


def main():
    print("# Cubes in mirror pairs about the plane x = 0; written by make_cubes.py")
    print("x y z")
    for k in range(HIGH):
        for j in range(ALONG):
            for i in range(ACROSS):
                x, y, z = (i + 0.5) * SPACING, (j - (ALONG - 1) / 2) * SPACING + (-1) ** k * OFFSET, LOWEST + k * SPACING
                for side in (-1, 1):
                    print(f"{side * x:.4f} {y:.4f} {z:.4f}")


if __name__ == "__main__":
    main()
