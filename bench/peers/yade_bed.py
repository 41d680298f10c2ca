"""The bed of spheres in Yade, run by it: yade -n -x -jTHREADS yade_bed.py CSV WIDTH DEPTH GX GZ WARM STEPS TURNS TURN.

Hertz-Mindlin (Law2_ScGeom_MindlinPhys_Mindlin) with damping from the restitution, the state from a table of peer_export. Timed in turns.
"""
import math
import os
import sys
import time

import numpy

path, width, depth, gx, gz, warm, steps, turns, turn = sys.argv[1:]
YOUNG, POISSON, RESTITUTION, MU, DENSITY, SKIN = 1e7, 0.3, 0.4, 0.5, 2500, 0.2e-3

# The law takes its stiffness from Young's modulus and Poisson's ratio, friction as an angle.
grain = O.materials.append(FrictMat(young=YOUNG, poisson=POISSON, frictionAngle=math.atan(MU), density=DENSITY))
table = numpy.loadtxt(path, delimiter=",", skiprows=2)
balls = O.bodies.append([utils.sphere(row[0:3], row[3], material=grain) for row in table])
for number, row in zip(balls, table):
    O.bodies[number].state.vel = row[4:7]
    O.bodies[number].state.angVel = row[7:10]
for axis, place, sense in ((0, 0, 1), (0, float(width), -1), (1, 0, 1), (1, float(depth), -1), (2, 0, 1)):
    O.bodies.append(utils.wall(place, axis=axis, sense=sense, material=grain))

O.engines = [
    ForceResetter(),
    # Boxes are wider by half the skin on each side, and are looked at again when a body has moved that far.
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()], verletDist=0.5 * SKIN),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()],
                    [Ip2_FrictMat_FrictMat_MindlinPhys(en=RESTITUTION)],
                    [Law2_ScGeom_MindlinPhys_Mindlin()]),
    NewtonIntegrator(gravity=(9.81 * float(gx), 0, 9.81 * float(gz)), damping=0),
]
O.dt = 1e-5


def wait():
    if os.system(turn) != 0:
        raise SystemExit("no turn was given")


O.run(int(warm), wait=True)
for piece in range(int(turns)):
    wait()
    begin = time.perf_counter()
    O.run(int(steps), wait=True)
    print(f"Loop time of {time.perf_counter() - begin:.9g} for {steps} steps with {len(balls)} atoms", flush=True)
wait()

last = balls[-1]
contacts = sum(1 for i in O.interactions if i.isReal and i.geom.penetrationDepth > 0 and i.id1 <= last and i.id2 <= last)
translation = sum(0.5 * O.bodies[b].state.mass * O.bodies[b].state.vel.squaredNorm() for b in balls)
rotation = sum(0.5 * O.bodies[b].state.inertia[0] * O.bodies[b].state.angVel.squaredNorm() for b in balls)
print(f"figure contacts {contacts}\nfigure kinetic_translation {translation}\nfigure kinetic_rotation {rotation}", flush=True)
