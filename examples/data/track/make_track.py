#!/usr/bin/python3
"""Writes cone_track.toml: a vehicle on two tracks of 16 shoes, each about two octagonal wheels, on a bed of gravel.

    examples/data/track/make_track.py > examples/cone_track.toml

A track's pins lie on octagons about the wheels' axles and on the two straight runs between; the distance of the axles is a multiple of
the pitch, so the loop closes wherever the wheels stand. The wheels' sides lie against the shoes and take them along.
"""
import math

PITCH, SPAN = 30, 4  # distance of two pins [mm], shoes in a straight run
THICK, PLATE, WIDTH, GROUSER = 6, 26, 50, 6  # of a shoe: thickness, length of its plate, width, height of its grouser [mm]
SIDES, CLEAR = 8, 0.2  # of a wheel, and between its sides and the shoes [mm]
PIN = PITCH / (2 * math.sin(math.pi / SIDES))  # from the axle to the pins [mm]
SIDE = PIN * math.cos(math.pi / SIDES)  # from the axle to the middle of a shoe [mm]
WHEEL = (SIDE - THICK / 2 - CLEAR) / math.cos(math.pi / SIDES)  # radius of the wheel's corners [mm]
LENGTH = SPAN * PITCH  # between the axles [mm]
HALF_TRACK = 70  # from the middle of the vehicle to that of a track [mm]
BED = 26  # height of the bed [mm]
AXLE = BED + PIN + THICK / 2 + GROUSER + 1  # height of the axles [mm]

HEAD = open(__file__.replace("make_track.py", "head.toml"), encoding="utf-8")


def metres(*values):
    return "[" + ", ".join(f"{value / 1000:.6g}" for value in values) + "]"


def loop():
    """(pins, shoes) of a track seen from its side: pins (x, z) in the order of the loop, shoes (x, z, turn about y in degrees)."""
    step = 360 / SIDES
    pins = [(k * PITCH, PIN) for k in range(SPAN)]
    shoes = [((k + 0.5) * PITCH, PIN, 0.0) for k in range(SPAN)]
    for centre, first in ((LENGTH, 0.0), (0, 180.0)):
        if first:
            pins += [(LENGTH - k * PITCH, -PIN) for k in range(SPAN)]
            shoes += [(LENGTH - (k + 0.5) * PITCH, -PIN, 180.0) for k in range(SPAN)]
        for k in range(SIDES // 2):
            at, middle = math.radians(first + k * step), first + (k + 0.5) * step
            pins.append((centre + PIN * math.sin(at), PIN * math.cos(at)))
            shoes.append((centre + SIDE * math.sin(math.radians(middle)), SIDE * math.cos(math.radians(middle)), middle))
    return pins, shoes


def body(name, shape, x, y, z, turn=None, extra=""):
    print(f'\n[[body]]\nname = "{name}"\nshape = "{shape}"\nmaterial = "steel"\nposition = {metres(x, y, z)}{extra}')
    if turn:
        print(f'rotation = {{ axis = [0, 1, 0], angle = "{turn:g} deg" }}')


def hinge(name, a, b, x, y, z, extra=""):
    print(f'\n[[joint]]\nname = "{name}"\nkind = "revolute"\nbetween = ["{a}", "{b}"]\npoint = {metres(x, y, z)}\naxis = [0, 1, 0]{extra}')


def shapes():
    print(f"""
[shape.wheel]
kind = "compound"                    # a prism's axis is z; the wheels turn about y
parts = [{{ shape = "octagon", rotation = {{ axis = [1, 0, 0], angle = "90 deg" }} }}]

[shape.octagon]
kind = "prism"
sides = {SIDES}
base_radius = "{WHEEL:.4g} mm"
height = "30 mm"

[shape.plate]
kind = "box"
edges = ["{PLATE} mm", "{WIDTH} mm", "{THICK} mm"]

[shape.grouser]
kind = "box"
edges = ["4 mm", "{WIDTH} mm", "{GROUSER} mm"]

[shape.shoe]
kind = "compound"
parts = [{{ shape = "plate" }}, {{ shape = "grouser", at = {metres(0, 0, (THICK + GROUSER) / 2)} }}]

[shape.chassis]
kind = "box"
edges = ["16 cm", "8 cm", "3 cm"]""")


def main():
    print(HEAD.read().rstrip())
    shapes()
    body("chassis", "chassis", LENGTH / 2, 0, AXLE, extra="\nmass = 2")
    pins, shoes = loop()
    for side, y in (("left", HALF_TRACK), ("right", -HALF_TRACK)):
        for end, x in (("rear", 0), ("front", LENGTH)):
            body(f"{side}_{end}", "wheel", x, y, AXLE)
        for k, (x, z, turn) in enumerate(shoes):
            body(f"{side}{k}", "shoe", x, y, AXLE + z, turn)
    for side, y in (("left", HALF_TRACK), ("right", -HALF_TRACK)):
        hinge(f"{side}_drive", "chassis", f"{side}_rear", 0, y, AXLE, '\nmotor = { speed = { table = "data/track/speed.txt" } }')
        hinge(f"{side}_idler", "chassis", f"{side}_front", LENGTH, y, AXLE)
        for k, (x, z) in enumerate(pins):
            hinge(f"{side}_pin{k}", f"{side}{k - 1 if k else len(shoes) - 1}", f"{side}{k}", x, y, AXLE + z)


if __name__ == "__main__":
    main()
