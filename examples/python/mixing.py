"""A measure of one's own: how well a drum mixes what lay left and right in it.

Lacey's index (1954, J. Appl. Chem. 4:257) compares the variance of the share of left grains over cells with that of parted and of perfectly
mixed grains: 0 at the start, 1 when mixed. It is taken every 50 ms while examples/drum_filled.toml's kind of drum turns.

    python3 examples/python/mixing.py [SECONDS]
"""

import sys

import numpy

import scree


def drum():
    scene = scree.Scene()
    scene.title = "Mixing in a drum"
    scene.time.end = 6
    scene.domain(min=[-0.2, -0.2, -0.2], max=[0.2, 0.2, 0.2])
    scene.material.add("grain", density=2500, young="5 MPa", poisson=0.25, restitution=0.4, friction=0.5)
    scene.shape.add("grain", kind="sphere", radius="3 mm")
    scene.bodies.add(shape="grain", material="grain", place={"lattice": [14, 4, 9], "spacing": "6.4 mm", "jitter": 0.2, "origin": [-0.0416, -0.0096, -0.03]})
    turn = {"axis": [0, 1, 0], "rate": "60 rpm", "from": 0.2}
    scene.wall.add(name="drum", kind="cylinder", side="inside", point=[0, -0.016, 0], axis=[0, 1, 0], radius=0.06, length=0.032, material="grain", motion=turn)
    scene.wall.add(name="front", kind="plane", point=[0, -0.016, 0], normal=[0, 1, 0], material="grain")
    scene.wall.add(name="back", kind="plane", point=[0, 0.016, 0], normal=[0, -1, 0], material="grain")
    return scene


def lacey(position, is_left, cell=0.02, least=8):
    """The index, from cells with at least so many grains."""
    number = numpy.floor(position[:, [0, 2]] / cell).astype(int)
    _, of_cell = numpy.unique(number, axis=0, return_inverse=True)
    count = numpy.bincount(of_cell)
    share = numpy.bincount(of_cell, weights=is_left) / count
    full = count >= least
    p = is_left.mean()
    parted, mixed = p * (1 - p), p * (1 - p) / count[full].mean()
    variance = numpy.average((share[full] - p) ** 2, weights=count[full])
    return (parted - variance) / (parted - mixed)


def main(until=6.0):
    sim = scree.Simulation(drum(), device="cpu")
    is_left = sim.bodies.position[:, 0] < numpy.median(sim.bodies.position[:, 0])
    curve = []
    sim.run(until=until, every=0.05, callback=lambda s: curve.append((s.time, lacey(s.bodies.position, is_left))))
    for time, index in curve[:: max(1, len(curve) // 12)]:
        print(f"t = {time:5.2f} s   {index:5.2f}  {'#' * round(40 * max(0, index))}")
    return curve


if __name__ == "__main__":
    main(*(float(word) for word in sys.argv[1:]))
