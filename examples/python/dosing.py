"""A controller in the loop: grains leave a hopper until a pan holds the mass asked for.

The controller sees what a scale would tell it, the filtered force on the pan, every 5 ms. It closes the gate, a wall of the scene, once that
mass and what is still in the air between gate and pan make up the dose, and says in the end how near it came.

    python3 examples/python/dosing.py [GRAMS [SECONDS]]
"""

import sys

import numpy

import scree

GRAVITY = 9.81


def hopper():
    """1,500 grains above a gate, and a pan below."""
    scene = scree.Scene()
    scene.title = "Dosing"
    scene.time.end = 2
    scene.domain(min=[-0.2, -0.2, -0.4], max=[0.2, 0.2, 0.6], leave="remove")
    scene.material.add("grain", density=2500, young="5 MPa", poisson=0.25, restitution=0.4, friction=0.4)
    scene.shape.add("grain", kind="sphere", radius="3 mm")
    scene.bodies.add(shape="grain", material="grain", place={"lattice": [10, 10, 15], "spacing": "7 mm", "jitter": 0.5, "origin": [-0.0315, -0.0315, 0.05]})
    side, mouth, top = 0.04, 0.018, 0.05
    for k in range(4):  # four inclined faces, and upright ones above them
        turn = lambda x, y, z: [[x, y, z], [-y, x, z], [-x, -y, z], [y, -x, z]][k]
        scene.wall.add(name=f"funnel_{k}", kind="quad", material="grain", corners=[turn(side, -side, top), turn(side, side, top), turn(mouth, mouth, 0), turn(mouth, -mouth, 0)])
        scene.wall.add(name=f"side_{k}", kind="quad", material="grain", corners=[turn(side, -side, top), turn(side, side, top), turn(side, side, 0.25), turn(side, -side, 0.25)])
    scene.wall.add(name="gate", kind="quad", material="grain", corners=[[-side, -side, 0], [side, -side, 0], [side, side, 0], [-side, side, 0]])
    scene.wall.add(name="pan", kind="box", material="grain", min=[-0.06, -0.06, -0.15], max=[0.06, 0.06, -0.01], open=["z+"])
    return scene


class Controller:
    """Opens the gate when the grains have come to rest, and closes it in time."""

    def __init__(self, dose, settle=0.35):
        self.dose, self.settle = dose, settle
        self.reading = 0.0  # of the scale, filtered [kg]
        self.closed_at = None

    def __call__(self, sim):
        gate = sim.walls["gate"]
        # A scale shows force over g, and takes some 20 ms to do so.
        self.reading += 0.25 * (-sim.walls["pan"].force[2] / GRAVITY - self.reading)
        if sim.time < self.settle or self.closed_at is not None:
            return
        gate.active = False
        position, mass = sim.bodies.position, sim.bodies.mass
        past = position[:, 2] < -0.004  # what has left comes down whatever happens to the gate
        if mass[past].sum() >= self.dose:
            gate.active = True
            self.closed_at = sim.time


def main(grams=60.0, until=2.0):
    sim = scree.Simulation(hopper(), device="cpu")
    controller = Controller(grams / 1000)
    sim.run(until=until, every=0.005, callback=controller)
    below = sim.bodies.position[:, 2] < -0.004
    in_pan = 1000 * sim.bodies.mass[below].sum()
    print(f"asked for {grams:.1f} g: {in_pan:.1f} g in the pan, the scale shows {1000 * controller.reading:.1f} g")
    return in_pan


if __name__ == "__main__":
    main(*(float(word) for word in sys.argv[1:]))
