"""A controller in the loop: grains leave a hopper until a pan holds the mass asked for.

The controller sees what a scale would tell it, the filtered force on the pan, every 2 ms. It takes the gate away, and sends a shutter under the
mouth when the scale shows the dose less a lead: what falls and passes until the shutter is closed. It learns that lead, as dosing machines
do, from what it got wrong the last time; each dose begins from one checkpoint.

    python3 examples/python/dosing.py [GRAMS [SECONDS [DOSES]]]
"""

import os
import sys
import tempfile

import scree

GRAVITY = 9.81


def hopper():
    """500 grains above a gate, and a pan below."""
    scene = scree.Scene()
    scene.title = "Dosing"
    scene.time.end = 2
    scene.domain(min=[-0.2, -0.2, -0.4], max=[0.2, 0.2, 0.6], leave="remove")
    scene.material.add("grain", density=2500, young="2 MPa", poisson=0.25, restitution=0.4, friction=0.4)
    scene.shape.add("grain", kind="sphere", radius="4 mm")
    scene.bodies.add(shape="grain", material="grain", place={"lattice": [7, 7, 10], "spacing": "9.5 mm", "jitter": 0.5, "origin": [-0.0285, -0.0285, 0.05]})
    side, mouth, top = 0.04, 0.021, 0.04
    for k in range(4):  # four inclined faces, and upright ones above them
        turn = lambda x, y, z: [[x, y, z], [-y, x, z], [-x, -y, z], [y, -x, z]][k]
        scene.wall.add(name=f"funnel_{k}", kind="quad", material="grain", corners=[turn(side, -side, top), turn(side, side, top), turn(mouth, mouth, 0), turn(mouth, -mouth, 0)])
        scene.wall.add(name=f"side_{k}", kind="quad", material="grain", corners=[turn(side, -side, top), turn(side, side, top), turn(side, side, 0.25), turn(side, -side, 0.25)])
    scene.wall.add(name="gate", kind="quad", material="grain", corners=[[-side, -side, 0], [side, -side, 0], [side, side, 0], [-side, side, 0]])
    shut = {"velocity": [1, 0, 0], "from": 1000}  # the controller's to start, and to halt
    scene.wall.add(name="shutter", kind="quad", material="grain", corners=[[-0.13, -0.045, -0.01], [-0.035, -0.045, -0.01], [-0.035, 0.045, -0.01], [-0.13, 0.045, -0.01]], motion=shut)
    scene.wall.add(name="pan", kind="quad", material="grain", corners=[[-0.1, -0.1, -0.12], [0.1, -0.1, -0.12], [0.1, 0.1, -0.12], [-0.1, 0.1, -0.12]])
    scene.wall.add(name="rim", kind="cylinder", side="inside", material="grain", point=[0, 0, -0.12], axis=[0, 0, 1], radius=0.06, length=0.1)
    return scene


class Controller:
    """Opens the gate, and closes the shutter when the scale shows the dose less the lead."""

    lag = 0.06  # of the scale, which would show every impact without it [s]
    closing = 0.075 / 1  # time that the shutter takes [s]

    def __init__(self, dose, lead):
        self.dose, self.lead = dose, lead
        self.reading = 0.0  # of the scale [kg]
        self.closed_at = None

    def __call__(self, sim):
        self.reading += 0.002 / self.lag * (-sim.walls["pan"].force[2] / GRAVITY - self.reading)
        shutter = sim.walls["shutter"]
        sim.walls["gate"].active = False
        if self.closed_at is None:
            if self.reading >= self.dose - self.lead:
                shutter.start()
                self.closed_at = sim.time + self.closing
        elif shutter.moves and sim.time > self.closed_at:
            shutter.halt()


def main(grams=150.0, seconds=0.7, doses=4):
    lead, results = 0.0, []
    with tempfile.TemporaryDirectory() as folder:
        settled = os.path.join(folder, "settled.h5")
        scene = hopper()
        sim = scree.Simulation(scene, device="cpu")
        sim.run(until=0.3)
        sim.save(settled)
        for _ in range(int(doses)):
            sim = scree.Simulation(scene, device="cpu", checkpoint=settled)
            sim.run(until=0.3 + seconds, every=0.002, callback=Controller(grams / 1000, lead))
            in_pan = 1000 * sim.bodies.mass[sim.bodies.position[:, 2] < -0.02].sum()
            print(f"asked for {grams:.1f} g, with a lead of {1000 * lead:.1f} g: {in_pan:.1f} g in the pan", flush=True)
            lead += 0.7 * (in_pan - grams) / 1000
            results.append(in_pan)
    return results


if __name__ == "__main__":
    main(*(float(word) for word in sys.argv[1:]))
