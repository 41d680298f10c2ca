"""Coupling with a fluid: a gas blows through a bed of grains from below, and lifts it.

The gas is a code of its own, twenty lines long: in slices across the column it is spread evenly and cannot be compressed, so that what rises
through grains and what they displace add up to the flow that is blown in. Each grain bears the drag of Ergun (1952) where it is dense, and of Wen
and Yu (1966) where more than 80 % is void, as Gidaspow (1994) joins them, and the gas bears the same backwards: its pressure falls by that. The
flow grows in steps. Below the speed of fluidisation the fall follows Ergun's law for a packed bed; above it the bed hangs in the gas, which then
bears nearly all of its weight, and the floor what grains that rise and come down again bring.

    python3 examples/python/fluidised_bed.py [GRAINS [SECONDS]]
"""

import sys

import numpy

import scree

GRAVITY = 9.81
DIAMETER, DENSITY = 4e-3, 1000.0  # of grains [m], [kg/m3]
SIDE = 0.04  # of the column [m]
GAS, VISCOSITY = 1.2, 1.8e-5  # air [kg/m3], [Pa s]


def column(grains):
    """A square column in which grains have fallen loosely."""
    across = 8
    scene = scree.Scene()
    scene.title = "Fluidised bed"
    scene.time.end = 10
    scene.domain(min=[-SIDE / 2 - 0.01, -SIDE / 2 - 0.01, -0.01], max=[SIDE / 2 + 0.01, SIDE / 2 + 0.01, 1.0])
    scene.material.add("bead", density=DENSITY, young="1 MPa", poisson=0.25, restitution=0.9, friction=0.2)
    scene.shape.add("bead", kind="sphere", diameter=DIAMETER)
    layers = -(-grains // across**2)
    pitch = SIDE / across
    origin = [-SIDE / 2 + pitch / 2, -SIDE / 2 + pitch / 2, 0.6 * DIAMETER]
    scene.bodies.add(shape="bead", material="bead", place={"lattice": [across, across, layers], "bodies": grains, "spacing": pitch, "jitter": 0.5, "origin": origin})
    scene.wall.add(name="column", kind="box", min=[-SIDE / 2, -SIDE / 2, 0], max=[SIDE / 2, SIDE / 2, 0.9], material="bead")
    return scene


class Gas:
    """Incompressible gas in slices of a column."""

    slice = 3 * DIAMETER  # height [m]

    def __init__(self, area):
        self.area, self.flow = area, 0.0  # superficial velocity [m/s]
        self.fall = 0.0  # of the pressure through the bed [Pa]

    @staticmethod
    def exchange(void, slip):
        """Drag of the grains in a volume of gas and grains over their slip [N s / m4]."""
        solid = 1 - void
        ergun = 150 * solid**2 * VISCOSITY / (void * DIAMETER**2) + 1.75 * solid * GAS * slip / DIAMETER
        reynolds = numpy.maximum(void * GAS * slip * DIAMETER / VISCOSITY, 1e-12)
        one = numpy.where(reynolds < 1000, 24 / reynolds * (1 + 0.15 * reynolds**0.687), 0.44)
        return numpy.where(void < 0.8, ergun, 0.75 * one * void**-1.65 * solid * GAS * slip / DIAMETER)

    def drag(self, height, rise):
        """The force up on each grain, from their heights and velocities upwards; the pressure falls by what they bear together."""
        volume = numpy.pi / 6 * DIAMETER**3
        room = self.area * self.slice
        # Each grain lies in two slices, by its share: no force jumps where one passes from slice to slice.
        place = numpy.maximum(height / self.slice - 0.5, 0)
        low = place.astype(int)
        upper = place - low
        count = int(low.max()) + 2
        share = lambda of: numpy.bincount(low, (1 - upper) * of, count) + numpy.bincount(low + 1, upper * of, count)
        solid = numpy.minimum(share(numpy.full(height.shape, volume)) / room, 0.65)
        void = 1 - solid
        gas = (self.flow - share(volume * rise) / room) / void
        at = lambda field: (1 - upper) * field[low] + upper * field[low + 1]
        slip, here = at(gas) - rise, at(void)
        # With all of the pressure's fall on the grains, buoyancy among it: drag over the void share.
        force = volume / (1 - here) / here * self.exchange(here, numpy.abs(slip)) * slip
        self.fall = force.sum() / self.area
        return force


def ergun_fall(void, flow, height):
    """Pressure that a packed bed takes [Pa] (Ergun 1952)."""
    return height * (150 * VISCOSITY * (1 - void) ** 2 / (void**3 * DIAMETER**2) * flow + 1.75 * GAS * (1 - void) / (void**3 * DIAMETER) * flow**2)


def main(grains=800, seconds=0.2):
    sim = scree.Simulation(column(grains), device="cpu")
    sim.run(until=0.3)
    gas = Gas(SIDE**2)
    weight = grains * DENSITY * numpy.pi / 6 * DIAMETER**3 * GRAVITY
    bed = sim.bodies.position[:, 2].mean() * 2
    packed = 1 - grains * numpy.pi / 6 * DIAMETER**3 / (gas.area * bed)
    print(f"{grains} grains, a bed of {100 * packed:.0f} % void; its weight over the area is {weight / gas.area:.0f} Pa")
    print("flow [m/s]   fall of pressure [Pa]   Ergun, packed [Pa]   borne by gas   and column   mean height [mm]")
    curve = []
    for flow in numpy.arange(0.2, 2.01, 0.2):
        gas.flow = flow
        looks, begin = [], sim.time
        while sim.time < begin + seconds:
            position, velocity = sim.bodies.position, sim.bodies.velocity
            force = numpy.zeros_like(position)
            force[:, 2] = gas.drag(position[:, 2], velocity[:, 2])
            sim.bodies.push(force)
            sim.step(10)
            looks.append((gas.fall, gas.fall * gas.area / weight, -sim.walls["column"].force[2] / weight, position[:, 2].mean()))
        fall, by_gas, by_column, height = numpy.mean(looks[len(looks) // 4 :], axis=0)
        packed_fall = ergun_fall(packed, flow, bed)
        curve.append((flow, fall, packed_fall, by_gas, by_column, height))
        print(f"{flow:10.2f}   {fall:21.1f}   {packed_fall:18.1f}   {by_gas:12.2f}   {by_column:10.2f}   {1e3 * height:16.1f}")
    return curve


if __name__ == "__main__":
    main(*(kind(text) for kind, text in zip((int, float), sys.argv[1:])))
