"""An environment for learning, with the calls that Gymnasium has: a bucket on a gantry digs in a bed of grains.

It is to shove grains to the right end of a bin. An action is a velocity of the bucket along x and z, held for 20 ms; an observation is the
bucket's place and the mass of grains in the right third; the reward is what that mass gains. reset() goes on from a checkpoint of the settled bed, so that an episode begins within some milliseconds. Here a
policy that is written down plays; the loop resets a hundred times.

    python3 examples/python/bucket.py [EPISODES [ACTIONS]]
"""

import os
import sys
import tempfile

import numpy

import scree

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def bed():
    """The bucket of examples/cone_bucket.toml, above grains, and a carriage that it hangs on."""
    scene = scree.Scene(folder=DATA)
    scene.title = "A bucket that digs"
    scene.time.end = 10
    scene.domain(min=[-1, -1, -1], max=[1, 1, 1])
    scene.material.add("grain", density=2500, young="5 MPa", poisson=0.25, restitution=0.2, friction=0.4)
    scene.material.add("steel", density=7800, young="5 MPa", poisson=0.25, restitution=0.2, friction=0.3)
    scene.shape.add("grain", kind="sphere", radius="7 mm")
    scene.bodies.add(shape="grain", material="grain", seed=1, place={"lattice": [16, 8, 5], "spacing": "15 mm", "jitter": 0.5, "origin": [-0.1125, -0.0525, 0.01]})
    scene.wall.add(name="bin", kind="box", min=[-0.13, -0.07, 0], max=[0.13, 0.07, 0.6], material="steel")
    scene.wall.add(name="bucket", kind="mesh", file="data/bucket/bucket.obj", scale=0.001, offset=[-0.06, 0, 0.1], material="steel", mass=5, inertia=[0.01, 0.01, 0.01], centre=[0, 0, 0.04])
    scene.body.add(name="carriage", mass=5, inertia=[0.01, 0.01, 0.01], position=[-0.06, 0, 0.4])
    scene.joint.add(name="rail", kind="prismatic", between=["ground", "carriage"], point=[-0.06, 0, 0.4], axis=[1, 0, 0])
    scene.joint.add(name="hoist", kind="prismatic", between=["carriage", "bucket"], point=[-0.06, 0, 0.14], axis=[0, 0, 1], motor={"velocity": 0, "most": 1})
    return scene


class BucketEnv:
    """observation: x and z of the bucket [m], mass in the right third [kg]; action: vx and vz [m/s], each at most 0.5."""

    parts = 4  # of an action's 20 ms, in which the velocity is set anew

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory()
        self._start = os.path.join(self._folder.name, "settled.h5")
        self._scene = bed()
        sim = scree.Simulation(self._scene, device="cpu")
        self._move(sim, [0, 0], 15)
        sim.save(self._start)
        self.sim = sim

    def _move(self, sim, action, times=1):
        named = sim.bodies.named
        vx, vz = numpy.clip(action, -0.5, 0.5)
        for _ in range(times * self.parts):
            sim.bodies.set("velocity", [[vx, 0, vz], [vx, 0, 0]], ids=[named["bucket"], named["carriage"]])
            sim.step(round(0.02 / self.parts / sim.dt))

    def _look(self):
        bodies = self.sim.bodies
        at = bodies.position[bodies.named["bucket"]]
        right = (bodies.position[:, 0] > 0.043) & ~numpy.isin(bodies.id, list(bodies.named.values()))
        return numpy.array([at[0], at[2], bodies.mass[right].sum()])

    def reset(self, *, seed=None, options=None):
        self.sim = scree.Simulation(self._scene, device="cpu", checkpoint=self._start)
        self._seen = self._look()
        return self._seen, {}

    def step(self, action):
        before = self._seen[2]
        self._move(self.sim, action)
        self._seen = self._look()
        return self._seen, self._seen[2] - before, False, bool(self.sim.time > 5), {}


def policy(k):
    """Down into the grains, along, and up."""
    return [0, -0.4] if k < 7 else [0.4, 0] if k < 17 else [0, 0.4]


def main(episodes=100, actions=20):
    env = BucketEnv()
    gained = []
    for episode in range(int(episodes)):
        env.reset()
        gained.append(sum(env.step(policy(k))[1] for k in range(int(actions))))
    print(f"{len(gained)} episodes: {1000 * numpy.mean(gained):.1f} g brought to the right in each")
    return gained


if __name__ == "__main__":
    main(*(float(word) for word in sys.argv[1:]))
