"""What calls change of a running simulation: forces and torques on bodies, motions of walls, values of motors. Against formulas, against
scenes that say the same, and over restarts."""

import copy
import math

import numpy
import pytest

import scree
from conftest import BALLS, SCENES

RADIUS, DENSITY = 0.005, 2500.0
MASS = DENSITY * 4 / 3 * math.pi * RADIUS**3
INERTIA = 0.4 * MASS * RADIUS**2


def on_cpu(scene, **how):
    return scree.Simulation(scene, device="cpu", threads=how.pop("threads", 1), **how)


def one_ball(**changes):
    """A sphere alone in the middle, without weight."""
    scene = {
        "time": {"end": 1, "step": 1e-5},
        "domain": {"min": [-1, -1, -1], "max": [1, 1, 1], "gravity": [0, 0, 0]},
        "output": {"orientation": True},
        "material": {"glass": {"density": DENSITY, "young": "5 MPa", "poisson": 0.25, "restitution": 0.6, "friction": 0.4}},
        "shape": {"ball": {"kind": "sphere", "radius": RADIUS}},
        "bodies": [{"shape": "ball", "material": "glass", "place": {"at": [[0, 0, 0]]}}],
        "measure": [{"kind": "energy"}],
    }
    scene.update(copy.deepcopy(changes))
    return scene


CONE = {"kind": "cone", "solver": "apgd", "tolerance": 1e-6, "iterations": 500}


@pytest.mark.parametrize("method", [None, CONE])
def test_newton_and_euler(method):
    """x = F t^2 / 2 m and w = T t / I, to rounding where force and torque are steady, under the cone method to the first order of its step
    (x = F t (t - dt) / 2 m); the work, which the penalty method tells, is the energy."""
    sim = on_cpu(one_ball(**({"method": method} if method else {})))
    force, torque = numpy.array([3e-3, -2e-3, 1e-3]), numpy.array([0, 4e-7, 1e-7])
    sim.bodies.push(force, torque)
    sim.step(2000)
    t, dt = sim.time, sim.dt
    assert sim.bodies.velocity[0] == pytest.approx(force / MASS * t, rel=1e-10)
    assert sim.bodies.position[0] == pytest.approx(force / MASS * t * (t - (dt if method else 0)) / 2, rel=1e-10)
    assert sim.bodies.angular_velocity[0] == pytest.approx(torque / INERTIA * t, rel=1e-10)
    energies = sim.energies
    assert method or energies["kinetic_translation"] + energies["kinetic_rotation"] == pytest.approx(energies["work_of_fields"], rel=1e-10)
    sim.bodies.push()
    before = sim.bodies.velocity.copy()
    sim.step(100)
    assert numpy.array_equal(sim.bodies.velocity, before)


def test_angle_is_of_second_order():
    """A ball turns by T t^2 / 2 I."""
    sim = on_cpu(one_ball())
    sim.bodies.push(torque=[0, 0, 2e-7])
    sim.step(1500)
    w, x, y, z = sim.bodies.orientation[0]
    assert (x, y) == (0, 0)
    assert 2 * math.atan2(z, w) == pytest.approx(2e-7 / INERTIA * sim.time**2 / 2, rel=1e-9)


def test_weight_is_borne_and_friction_decides():
    """A ball on a plane that is pulled at its centre rolls, at 5 F / 7 m, as long as F < 3.5 mu m g; where a force bears its weight it hangs."""
    scene = one_ball()
    scene["domain"]["gravity"] = [0, 0, -9.81]
    scene["bodies"][0]["place"]["at"] = [[0, 0, RADIUS * 0.9999]]
    scene["wall"] = [{"name": "floor", "kind": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "glass"}]
    sim = on_cpu(scene)
    sim.step(2000)
    force = 0.5 * MASS * 9.81
    sim.bodies.push([force, 0, 0])
    start = sim.bodies.velocity[0, 0], sim.time
    sim.step(10000)
    acceleration = (sim.bodies.velocity[0, 0] - start[0]) / (sim.time - start[1])
    assert acceleration == pytest.approx(5 / 7 * force / MASS, rel=0.01)  # what is left is the swing of its contact
    assert sim.bodies.angular_velocity[0, 1] == pytest.approx(sim.bodies.velocity[0, 0] / RADIUS, rel=0.01)
    sim.bodies.set("position", [0, 0, 0.1])
    sim.bodies.set("velocity", [0, 0, 0])
    sim.bodies.push([0, 0, MASS * 9.81])
    sim.step(1000)
    assert sim.bodies.position[0] == pytest.approx([0, 0, 0.1], abs=1e-6)  # of 0.5 mm that it would fall; the contact that was acts for half a step


def test_a_spring_of_the_caller():
    """F = -k x, told at every step: a period of 2 pi sqrt(m / k)."""
    sim = on_cpu(one_ball())
    stiffness = MASS * (2 * math.pi / 0.02) ** 2
    sim.bodies.set("position", [1e-3, 0, 0])
    crossings = []
    before = 1e-3
    while len(crossings) < 3:
        x = sim.bodies.position[0, 0]
        if before > 0 >= x:
            crossings.append(sim.time - sim.dt * -x / (before - x))
        before = x
        sim.bodies.push([-stiffness * x, 0, 0])
        sim.step(1)
    periods = numpy.diff(crossings)
    assert periods == pytest.approx([0.02, 0.02], rel=1e-4)  # the force holds for a step: an error of the order (w dt)^2 / 24 and less


def test_bodies_with_shapes_turn():
    """A torque about a principal axis of a block, and one on a clump whose axes are skew: angular momentum grows by T t."""
    block = one_ball(shape={"block": {"kind": "box", "edges": [0.02, 0.03, 0.04]}})
    block["bodies"][0]["shape"] = "block"
    sim = on_cpu(block)
    mass = DENSITY * 0.02 * 0.03 * 0.04
    inertia = mass * (0.02**2 + 0.03**2) / 12
    sim.bodies.push(torque=[0, 0, 1e-4])
    sim.step(1000)
    assert sim.bodies.angular_velocity[0] == pytest.approx([0, 0, 1e-4 / inertia * sim.time], rel=1e-9)
    clump = one_ball(shape={"clump": {"kind": "clump", "spheres": [[0, 0, 0, RADIUS], [0.006, 0.002, 0.001, 0.8 * RADIUS]]}})
    clump["bodies"][0]["shape"] = "clump"
    sim = on_cpu(clump)
    assert len(sim.bodies) == 3
    force, torque = numpy.array([1e-3, 0, 2e-3]), numpy.array([2e-6, 1e-6, -3e-6])
    sim.bodies.push(force, torque)
    sim.step(1000)
    totals = sim.totals
    assert totals["momentum"] == pytest.approx(force * sim.time, rel=1e-9)
    spin = totals["angular_momentum"] - numpy.cross(sim.bodies.position[0], totals["momentum"])
    # The force goes through the centre of mass; the account of a clump's spin is that of a leap-frog, of second order.
    assert spin == pytest.approx(torque * sim.time, rel=1e-4)
    with pytest.raises(scree.SceneError, match="is a member of a compound: push the compound, body 0"):
        sim.bodies.push([0, 0, 1], ids=[1])


def test_steps_threads_and_restarts_change_nothing(balls, tmp_path):
    """The same bits in one batch or many, on one thread or two, and from a checkpoint between two pushes."""

    def pushed(sim, parts):
        ids = numpy.arange(0, 27, 2)
        sim.bodies.push(numpy.outer(numpy.sin(ids + 1), [1e-3, 2e-3, 3e-3]), [0, 1e-6, 0], ids=ids)
        for part in parts:
            sim.step(part)

    balls["measure"] = [{"kind": "energy"}]
    first, second = on_cpu(balls), on_cpu(balls, threads=2)
    pushed(first, [400])
    pushed(second, [1, 9, 190, 200])
    assert first.state_hash == second.state_hash
    first.save(tmp_path / "half.h5")
    first.step(300)
    again = on_cpu(balls, checkpoint=tmp_path / "half.h5")
    again.step(300)
    assert again.state_hash == first.state_hash
    assert again.energies == first.energies and again.energies["work_of_fields"] != 0
    free = on_cpu(balls)
    free.step(700)
    assert free.state_hash != first.state_hash


def test_what_pushes_refuse(balls):
    sim = on_cpu(balls)
    with pytest.raises(scree.SceneError, match="there is no body 27 now"):
        sim.bodies.push([0, 0, 1], ids=[27])
    with pytest.raises(scree.SceneError, match="force on body 3 is not finite"):
        sim.bodies.push([0, 0, math.inf], ids=[3])
    with pytest.raises(ValueError, match="force: give 3 numbers for all, or a row of 3 for each of 2 bodies"):
        sim.bodies.push(numpy.zeros((5, 3)), ids=[1, 2])
    sim.close()
    with pytest.raises(scree.RunError, match="closed"):
        sim.bodies.push([0, 0, 1])


# Walls ----------------------------------------------------------------------------------------------------------------------------------


def with_lid(**wall):
    scene = copy.deepcopy(BALLS)
    scene["time"]["step"] = 1e-5
    scene["bodies"][0]["velocity"] = [0.1, 0.05, 0]
    scene["wall"].append({"name": "lid", "kind": "quad", "material": "glass", "corners": [[-0.1, -0.1, 0.05], [0.1, -0.1, 0.05], [0.1, 0.1, 0.05], [-0.1, 0.1, 0.05]], **wall})
    return scene


MOTIONS = [
    {"velocity": [0, 0, -0.8]},
    {"rate": 2.0, "axis": [1, 0, 0], "point": [0, -0.1, 0.05]},
    {"oscillation": {"amplitude": [0, 0, 0.01], "frequency": 40}, "velocity": [0, 0, -0.5]},
]


@pytest.mark.parametrize("motion", MOTIONS)
def test_a_motion_by_a_call_is_that_of_the_scene(motion):
    """A lid at rest that a call sets in motion does what one does whose scene says so, to the last bit."""
    told = on_cpu(with_lid(motion={**motion, "from": 1000 * 1e-5}))
    called = on_cpu(with_lid())
    for sim in (told, called):
        sim.step(1000)
    called.walls["lid"].motion = motion
    for sim in (told, called):
        sim.step(3000)
    assert numpy.abs(told.bodies.velocity[:, 2]).max() > 0.3  # the lid has met some of them
    assert numpy.array_equal(called.walls["lid"].shift, told.walls["lid"].shift)
    assert called.state_hash == told.state_hash


def test_one_motion_after_the_other(tmp_path):
    """Down, turned about an axis through its own middle, along, and halted: where it is at the end follows from each part. From a
    checkpoint amid them a run goes on with the same bits, and its frames show the wall where it is."""
    sim = on_cpu(with_lid(), output=tmp_path / "run")
    lid = sim.walls["lid"]
    lid.motion = {"velocity": [0, 0, 0.5]}
    begin = sim.time
    sim.step(200)
    rise = 0.5 * (sim.time - begin)
    assert lid.shift == pytest.approx([0, 0, rise], rel=1e-12)
    assert lid.motion["velocity"] == pytest.approx([0, 0, 0.5])
    lid.move(rate=3.0, axis=[0, 1, 0], point=[0, 0, 0.05 + rise])
    begin = sim.time
    sim.step(150)
    angle = 3.0 * (sim.time - begin)
    assert lid.turn == pytest.approx([math.cos(angle / 2), 0, math.sin(angle / 2), 0], rel=1e-12)
    sim.save(tmp_path / "amid.h5")
    states = []
    for other in (sim, on_cpu(with_lid(), checkpoint=tmp_path / "amid.h5", output=tmp_path / "again")):
        wall = other.walls["lid"]
        begin = other.time
        other.step(50)
        wall.motion = {"velocity": [0.2, 0, 0]}
        other.step(100)
        wall.motion = None
        held = wall.shift
        other.step(50)
        assert numpy.array_equal(wall.shift, held)
        middle = scree_point(wall, [0, 0, 0.05])
        assert middle == pytest.approx([0.2 * 100 * other.dt, 0, 0.05 + rise], abs=1e-12)
        states.append((other.state_hash, tuple(wall.turn), tuple(wall.shift)))
        other.close()
    assert states[0] == states[1]
    turn = 3.0 * 200 * sim.dt
    assert states[0][1] == pytest.approx((math.cos(turn / 2), 0, math.sin(turn / 2), 0), rel=1e-12)
    import h5py

    with h5py.File(tmp_path / "run/state.h5") as file:
        last = file["frames"][sorted(file["frames"])[-1]]
        number = [w.name for w in sim.walls.values()].index("lid")
        assert last["wall_shift"][number] == pytest.approx(states[0][2], rel=1e-12)
        assert last["wall_turn"][number] == pytest.approx(states[0][1], rel=1e-12)


def scree_point(wall, point):
    """Where a point of the wall is now."""
    w, v = wall.turn[0], wall.turn[1:]
    x = numpy.array(point, dtype=float)
    t = 2 * numpy.cross(v, x)
    return x + w * t + numpy.cross(v, t) + wall.shift


@pytest.mark.parametrize("action", ["move", "halt"])
def test_an_event_leaves_a_wall_where_calls_have_brought_it(action, tmp_path):
    """A call has set a wall moving before its event does, or halted it before: the event changes nothing, nor does a restart after it."""
    scene = one_ball(measure=[{"kind": "energy", "every": "1 ms"}])
    scene["domain"]["gravity"] = [0, 0, -9.81]
    scene["wall"] = [{"name": "floor", "kind": "plane", "point": [0, 0, -0.5], "normal": [0, 0, 1], "material": "glass", "motion": {"velocity": [0, 0, 0.1]}}]
    scene["event"] = [{"measure": "energy.kinetic_translation", "above": 0.5 * MASS * 0.2**2, action: "floor"}]  # at 20 ms
    sim = on_cpu(scene)
    wall = sim.walls["floor"]
    sim.step(1000)
    if action == "move":
        assert wall.shift == pytest.approx([0, 0, 0], abs=0)
        wall.motion = {"velocity": [0, 0, 0.3]}
        speed, begin, end = 0.3, sim.time, math.inf
    else:
        wall.halt()
        speed, begin, end = 0.1, 0, sim.time
    sim.step(2000)  # past the event
    assert sim.totals["max_speed"] > 0.25
    assert wall.shift == pytest.approx([0, 0, speed * (min(sim.time, end) - begin)], rel=1e-9)
    sim.save(tmp_path / "after.h5")
    again = on_cpu(scene, checkpoint=tmp_path / "after.h5")
    assert numpy.array_equal(again.walls["floor"].shift, wall.shift)


def test_an_event_brings_a_wall_back_that_a_call_took_away():
    scene = one_ball(measure=[{"kind": "energy", "every": "1 ms"}])
    scene["domain"]["gravity"] = [0, 0, -9.81]
    scene["wall"] = [{"name": "floor", "kind": "plane", "point": [0, 0, -0.5], "normal": [0, 0, 1], "material": "glass"}]
    scene["event"] = [{"measure": "energy.kinetic_translation", "above": 0.5 * MASS * 0.2**2, "add": "floor"}]  # at 20 ms
    sim = on_cpu(scene)
    sim.step(1000)
    assert not sim.walls["floor"].active
    sim.walls["floor"].active = True
    sim.walls["floor"].active = False
    sim.step(2000)
    assert sim.walls["floor"].active


def test_where_a_servo_has_brought_a_wall():
    """Its place is told, its motion is not; a motion by a call goes on from there."""
    scene = with_lid(motion={"servo": {"force": 1.0, "direction": [0, 0, -1], "max_speed": 0.5}})
    sim = on_cpu(scene)
    lid = sim.walls["lid"]
    sim.step(500)
    down = lid.shift[2]
    assert down < -1e-4
    with pytest.raises(AttributeError, match="moves as a servo or its body does"):
        lid.motion
    lid.motion = {"velocity": [0, 0, 0.1]}
    begin = sim.time
    sim.step(100)
    assert lid.shift == pytest.approx([0, 0, down + 0.1 * (sim.time - begin)], rel=1e-12)


def test_a_plane_that_presses_bears_what_is_on_it():
    """A piston by calls: bodies between two planes are pressed until the plane bears a given force, by a controller in Python."""
    scene = copy.deepcopy(BALLS)
    scene["domain"]["gravity"] = [0, 0, 0]
    scene["wall"].append({"name": "piston", "kind": "plane", "point": [0, 0, 0.05], "normal": [0, 0, -1], "material": "glass"})
    scene["wall"].append({"name": "tube", "kind": "cylinder", "side": "inside", "point": [0.012, 0.012, 0], "axis": [0, 0, 1], "radius": 0.033, "material": "glass"})
    sim = on_cpu(scene)
    piston = sim.walls["piston"]
    for _ in range(1500):
        speed = numpy.clip(0.15 * (2.0 - piston.force[2]), -0.3, 0.3)
        piston.motion = {"velocity": [0, 0, -speed]}
        sim.step(10)
    assert piston.force[2] == pytest.approx(2.0, rel=0.05)
    assert sim.walls["floor"].force[2] == pytest.approx(-2.0, rel=0.1)


def test_times_of_walls_last_over_restarts(balls, tmp_path):
    sim = on_cpu(balls)
    sim.step(50)
    sim.walls["floor"].active = False
    sim.save(tmp_path / "open.h5")
    again = on_cpu(balls, checkpoint=tmp_path / "open.h5")
    assert not again.walls["floor"].active
    for one in (sim, again):
        one.step(500)
    assert sim.state_hash == again.state_hash


def test_what_motions_refuse():
    sim = on_cpu(with_lid())
    lid = sim.walls["lid"]
    with pytest.raises(scree.SceneError, match='motion of wall "lid": unknown key "speed"'):
        lid.motion = {"speed": 3}
    with pytest.raises(TypeError, match="a motion is a dict"):
        lid.motion = 3
    with pytest.raises(scree.SceneError, match="what turns needs axis and point"):
        lid.motion = {"rate": 3}
    with pytest.raises(scree.SceneError, match="servo"):
        lid.motion = {"servo": {"force": 3, "direction": [0, 0, -1]}}
    sim.step(10)
    with pytest.raises(scree.SceneError, match="is over"):
        lid.move(velocity=[0, 0, 1], to=1e-9)
    assert numpy.array_equal(lid.shift, [0, 0, 0])
    rounds = with_lid()
    rounds["domain"] = {"min": [-0.15, -0.15, -1], "max": [0.15, 0.15, 1], "periodic": "xy"}
    sim = on_cpu(rounds)
    with pytest.raises(scree.SceneError, match="motion of wall \"lid\": wall \"lid\": it moves along x, along which the space repeats itself"):
        sim.walls["lid"].motion = {"velocity": [0.1, 0, 0]}
    sim.walls["lid"].motion = {"velocity": [0, 0, 0.1]}
    sim.step(1)
    gas = on_cpu(SCENES / "gas.toml")
    with pytest.raises(scree.RunError, match="stay as they are"):
        next(iter(gas.walls.values())).motion = {"velocity": [0, 0, 1]}
    with pytest.raises(scree.RunError, match="no forces from outside"):
        gas.bodies.push([0, 0, 1])



# Motors ---------------------------------------------------------------------------------------------------------------------------------


def arm(kind, value):
    """An arm on a hinge, without weight."""
    scene = one_ball(shape={"arm": {"kind": "box", "edges": [0.1, 0.02, 0.02]}}, time={"end": 1, "step": 2e-5})
    del scene["bodies"]
    scene["body"] = [{"name": "arm", "shape": "arm", "material": "glass", "position": [0.05, 0, 0]}]
    scene["joint"] = [{"name": "hinge", "kind": "revolute", "between": ["ground", "arm"], "point": [0, 0, 0], "axis": [0, 0, 1], "motor": {kind: value}}]
    return scene


def test_motors_follow_calls(tmp_path):
    sim = on_cpu(arm("speed", 2.0))
    hinge = sim.joints["hinge"]
    assert hinge.target == 2.0
    sim.step(500)
    turned = hinge.angle
    assert turned == pytest.approx(2.0 * sim.time, rel=1e-3)
    hinge.target = -3.0
    sim.save(tmp_path / "back.h5")
    begin = sim.time
    sim.step(1000)
    assert hinge.angle - turned == pytest.approx(-3.0 * (sim.time - begin), rel=2e-3)
    again = on_cpu(arm("speed", 2.0), checkpoint=tmp_path / "back.h5")
    assert again.joints["hinge"].target == -3.0
    again.step(1000)
    assert again.state_hash == sim.state_hash
    with pytest.raises(scree.SceneError, match="not finite"):
        hinge.target = math.nan
    with pytest.raises(AttributeError):
        hinge.speed = 3.0


def test_a_torque_by_calls():
    """An arm turns under a torque M by M t^2 / 2 I about its hinge, I = m (a^2 + b^2) / 12 + m (a / 2)^2."""
    sim = on_cpu(arm("torque", 0.0))
    sim.joints["hinge"].target = 1e-3
    sim.step(2000)
    mass = DENSITY * 0.1 * 0.02 * 0.02
    inertia = mass * (0.1**2 + 0.02**2) / 12 + mass * 0.05**2
    assert sim.joints["hinge"].angle == pytest.approx(1e-3 * sim.time**2 / 2 / inertia, rel=1e-3)
