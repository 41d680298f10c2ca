#!/usr/bin/python3
"""How long the cubes of drum_symmetric stay their own mirror image about the plane x = 0.

    examples/check_symmetry.py runs/drum_symmetric [--edge 0.005]

Bodies 2k and 2k + 1 are a mirror pair. The asymmetry of a pair is the largest distance between a corner of one cube and the mirror image of
that corner of the other, over the edge. Prints the largest one of each frame, and when it passes 1e-9 and 1e-3 of an edge.
"""
import argparse
import itertools
from pathlib import Path

import h5py
import numpy as np

MIRROR = np.array([-1.0, 1.0, 1.0])


def corners(position, q, edge):
    """World positions of the eight corners of cubes: (bodies, 8, 3)."""
    v = edge / 2 * np.array(list(itertools.product((-1, 1), repeat=3)), dtype=float)
    u, w = q[:, None, 1:], q[:, None, :1]
    t = 2 * np.cross(u, v[None])
    return position[:, None] + v + w * t + np.cross(u, t)


def asymmetry(frame, edge):
    """Largest asymmetry of each mirror pair of a frame, over the edge; needs all bodies, in the order of ids."""
    order = np.argsort(frame["id"][:])
    position, q = frame["position"][:][order], frame["orientation"][:][order]
    if len(position) % 2 or not np.array_equal(np.sort(frame["id"][:]), np.arange(len(position))):
        raise SystemExit("check_symmetry: bodies are missing from a frame")
    # The mirror takes the corner v of one cube to the corner MIRROR v of the other.
    left = corners(position[0::2], q[0::2], edge)
    right = MIRROR * corners(position[1::2], q[1::2], edge)
    right = right.reshape(-1, 2, 4, 3)[:, ::-1].reshape(-1, 8, 3)  # corners are listed by sign of x first
    return np.linalg.norm(left - right, axis=2).max(axis=1) / edge


def main():
    parser = argparse.ArgumentParser(description="How long cubes stay their own mirror image about the plane x = 0.")
    parser.add_argument("run", type=Path, help="run directory")
    parser.add_argument("--edge", type=float, default=0.005, help="of the cubes [m] (default: 0.005)")
    options = parser.parse_args()

    passed = {1e-9: None, 1e-3: None}
    with h5py.File(options.run / "state.h5") as file:
        frames = sorted(file["frames"].values(), key=lambda frame: frame.attrs["step"])
        print("time [s]   largest   median   pairs past 1e-3")
        for frame in frames:
            found, time = asymmetry(frame, options.edge), float(frame.attrs["time"])
            print(f"{time:8.4f}   {found.max():.2e}  {np.median(found):.2e}  {np.count_nonzero(found > 1e-3)} of {len(found)}")
            for limit in passed:
                if passed[limit] is None and found.max() > limit:
                    passed[limit] = time
    for limit, time in passed.items():
        print(f"asymmetry past {limit:g} of an edge: " + (f"at {time:.4f} s" if time is not None else "never"))


if __name__ == "__main__":
    main()
