"""Bodies that calls put in and take out: places, balances, what is refused, what is written, and the same bits however it goes on."""

import json
import math

import numpy
import pytest

import scree
from conftest import SCENES
from test_simulation import on_cpu

DENSITY, R = 2500, 0.005
MASS = DENSITY * 4 / 3 * math.pi * R**3


@pytest.fixture
def stocked(balls):
    """27 balls above a floor, and 40 in stock."""
    balls["insert"] = [{"name": "feed", "shape": "ball", "material": "glass", "on_call": True, "count": 40, "velocity": [0, 0, -1],
                        "region": {"box": [[-0.1, -0.1, 0.1], [0.1, 0.1, 0.2]]}}]  # fmt: skip
    balls["measure"] = [{"kind": "energy", "every": "5 ms"}, {"kind": "streams", "every": "5 ms"}, {"kind": "count", "every": "5 ms"}]
    return balls


def row_of(n, z=0.3, y=0.0):
    return [[0.012 * k - 0.1, y, z] for k in range(n)]


def sums(sim):
    totals = sim.totals
    return totals["mass"], totals["momentum"], sim.energies["total"]


def test_what_comes_is_what_was_asked_for(stocked):
    sim = on_cpu(stocked)
    sim.step(20)
    stock = sim.stocks["feed"]
    assert list(sim.stocks) == ["feed"] and len(stock) == 40 and numpy.allclose(stock.mass, MASS) and set(stock.radius) == {R}
    next_ones = stock.ids[:3]
    mass, momentum, energy = sums(sim)
    places, velocities = row_of(3), [[0, 1, 0], [0, 0, 2], [3, 0, 0]]
    ids = sim.insert("feed", places, velocities=velocities, angular_velocities=[0, 0, 40])
    assert numpy.array_equal(ids, next_ones) and ids.dtype == numpy.uint32 and len(stock) == 37 and len(sim.bodies) == 30
    rows = numpy.searchsorted(sim.bodies.id, ids)
    assert numpy.array_equal(sim.bodies.position[rows], places) and numpy.array_equal(sim.bodies.velocity[rows], velocities)
    assert sim.bodies.angular_velocity[rows].tolist() == [[0, 0, 40]] * 3
    after = sums(sim)
    assert after[0] == pytest.approx(mass + 3 * MASS, rel=1e-14)
    assert numpy.allclose(after[1], momentum + MASS * numpy.sum(velocities, axis=0), rtol=0, atol=1e-15)
    assert after[2] == pytest.approx(energy, abs=1e-12)  # what they bring stands in the account of what came and went
    start = sim.time
    sim.step(150)
    t = sim.time - start
    fallen = numpy.array(places) + t * numpy.array(velocities) - [0, 0, 9.81 / 2 * t * t]
    assert numpy.allclose(sim.bodies.position[rows], fallen, rtol=0, atol=1e-13)


def test_what_goes_is_gone_and_goes_back_to_its_stock(stocked):
    sim = on_cpu(stocked)
    ids = sim.insert("feed", row_of(4), velocities=[[0, 0, v] for v in range(4)])
    sim.run(until=0.03)
    mass, momentum, energy = sums(sim)
    p = {body: m * v for body, m, v in zip(sim.bodies.id.tolist(), sim.bodies.mass, sim.bodies.velocity)}
    gone = [ids[1], ids[3], 5]
    sim.remove(gone)
    assert not set(gone) & set(sim.bodies.id.tolist()) and len(sim.bodies) == 28
    after = sums(sim)
    assert after[0] == pytest.approx(mass - 3 * MASS, rel=1e-14)
    assert numpy.allclose(after[1], momentum - p[ids[1]] - p[ids[3]] - p[5], rtol=0, atol=1e-15)
    assert after[2] == pytest.approx(energy, abs=1e-12)
    # Those that never came are first in turn, then those that went; 5 is of no stock, and comes again by its id.
    assert sim.stocks["feed"].ids.tolist()[-2:] == [ids[1], ids[3]] and len(sim.stocks["feed"]) == 38
    assert sim.insert(ids=[5], positions=[[0.5, 0.5, 0.5]]).tolist() == [5]
    assert sim.insert("feed", [[-0.5, 0.5, 0.5]], ids=[ids[3]]).tolist() == [ids[3]]
    sim.insert("feed", [[0.012 * k - 0.2, -0.5, 0.5] for k in range(37)])
    assert len(sim.stocks["feed"]) == 0 and len(sim.bodies) == 67
    sim.step(50)
    assert numpy.allclose(sim.measures["streams.feed.bodies"], 42) and numpy.allclose(sim.measures["streams.feed.mass"], 42 * MASS)
    assert sim.measures["count.bodies"] == 67 and sim.measures["count.removed"] == 3


def test_balance_of_momentum_while_bodies_come_and_go(balls):
    """Balls that collide in free fall: what they have together is what came and went, and the weight of those that were there, to rounding."""
    balls.update(wall=[], insert=[{"name": "feed", "shape": "ball", "material": "glass", "on_call": True, "count": 60}], domain={"min": [-9, -9, -9], "max": [9, 9, 9]})
    sim = on_cpu(balls)
    rng = numpy.random.default_rng(3)
    sim.bodies.set("velocity", rng.normal(scale=0.5, size=(27, 3)) - 60 * sim.bodies.position)
    expected, mass, touched = sim.totals["momentum"], sim.totals["mass"], 0
    for round in range(40):
        before = sim.time
        touched += len(sim.contacts)
        sim.step(25)
        expected = expected + mass * (sim.time - before) * numpy.array([0, 0, -9.81])
        alone = sorted(set(sim.bodies.id.tolist()) - set(sim.contacts["a"].tolist()) - set(sim.contacts["b"].tolist()))
        if round % 3 == 0 and alone:
            row = sim.bodies.id.tolist().index(alone[0])
            expected = expected - sim.bodies.mass[row] * sim.bodies.velocity[row]
            mass -= sim.bodies.mass[row]
            sim.remove(alone[:1])
        v = rng.normal(scale=0.2, size=3)
        sim.insert("feed", [[0.1 + 0.03 * round, 0.3, 0.3]], velocities=v)
        expected, mass = expected + MASS * v, mass + MASS
        assert sim.totals["mass"] == pytest.approx(mass, rel=1e-14)
        assert numpy.allclose(sim.totals["momentum"], expected, rtol=0, atol=1e-12 * mass * 10)
    assert touched > 5


def test_places_of_the_region_are_free_and_repeatable(stocked):
    def feed():
        sim = on_cpu(stocked)
        for _ in range(3):
            sim.step(100)
            sim.insert("feed", count=10)
        return sim

    sim = feed()
    come = numpy.isin(sim.bodies.id, numpy.arange(27, 67))
    assert come.sum() == 30 and sim.bodies.velocity[come][-1].tolist() == [0, 0, -1]
    x = sim.bodies.position
    apart = numpy.linalg.norm(x[:, None] - x[None], axis=2)[numpy.triu_indices(len(x), 1)]
    assert apart.min() > 2 * R * 0.98
    assert feed().state_hash == sim.state_hash
    stocked["insert"][0].update(count=4000, region={"box": [[-0.03, -0.03, 0.1], [0.03, 0.03, 0.13]]})
    sim = on_cpu(stocked)
    with pytest.raises(scree.SceneError, match=r"none is put in: \d+ of 4000 find room"):
        sim.insert("feed", count=4000)
    assert len(sim.bodies) == 27 and sim.state_hash == on_cpu(stocked).state_hash


def test_refusals_change_nothing(stocked):
    stocked["wall"].append({"name": "lift", "kind": "quad", "material": "glass", "corners": [[0.2, 0, 0.5], [0.3, 0, 0.5], [0.3, 0.1, 0.5], [0.2, 0.1, 0.5]],
                            "motion": {"velocity": [0, 0, 1]}})  # fmt: skip
    sim = on_cpu(stocked)
    sim.run(until=0.02)
    sim.remove([26])
    hash_before = sim.state_hash
    at = sim.bodies.position[0]
    for message, call in [
        ('no stock "food"; there are feed', lambda: sim.insert("food", row_of(1))),
        ("has 40 of 40 bodies left, not 41", lambda: sim.insert("feed", row_of(41))),
        ("number 1 of the call, .* would touch body 0", lambda: sim.insert("feed", [[0.5, 0, 0.5], at - [1.9 * R, 0, 0]])),
        ("number 2 of the call, .* would touch number 0 of the call", lambda: sim.insert("feed", [[0.5, 0, 0.5], [0.5, 0.1, 0.5], [0.5, 0.009, 0.5]])),
        (r'number 0 of the call, of radius 0.005 m at \(0.5, 0, -0.006\) m, would be 0.001 m deep in wall "floor"', lambda: sim.insert("feed", [[0.5, 0, -0.006]])),
        ('deep in wall "lift"', lambda: sim.insert("feed", [[0.25, 0.05, 0.523]])),  # where it is now
        ("number 0 .* is out of the domain", lambda: sim.insert("feed", [[0, 0, 1.5]])),
        ("position of number 1 of the call is not finite", lambda: sim.insert("feed", [[0, 0, 0.5], [0, numpy.nan, 0.5]])),
        ("velocity of number 0 of the call is not finite", lambda: sim.insert("feed", row_of(1), velocities=[0, 0, math.inf])),
        ("velocities: give none, one for all, or one for each of 3 bodies, not 2", lambda: sim.insert("feed", row_of(3), velocities=row_of(2))),
        ("positions are rows of 3 numbers", lambda: sim.insert("feed", [[1, 2]])),
        ("keeps no orientations", lambda: sim.insert("feed", row_of(1), orientations=[1, 0, 0, 0])),
        ("3 positions for 2 ids", lambda: sim.insert("feed", row_of(3), ids=[27, 28])),
        ("2 positions or ids, but a count of 3", lambda: sim.insert("feed", row_of(2), count=3)),
        ("body 3 is there already", lambda: sim.insert(ids=[3], positions=row_of(1))),
        ("body 30 is named twice", lambda: sim.insert("feed", row_of(2), ids=[30, 30])),
        ("body 26 is none of stock", lambda: sim.insert("feed", row_of(1), ids=[26])),
        ("there is no body 67: the scene has 67", lambda: sim.insert(ids=[67], positions=row_of(1))),
        ("give positions: body 26", lambda: sim.insert(ids=[26])),
        ("name a stock of the scene, or give ids", lambda: sim.insert(positions=row_of(1))),
        ("give positions, a count or ids", lambda: sim.insert("feed")),
        ("there is no body 26 now", lambda: sim.remove([1, 26])),
        ("of 32 bits", lambda: sim.remove([-1])),
        ("unknown key \"bocks\" in region; known: box", lambda: sim.bodies.within({"bocks": [[0, 0, 0], [1, 1, 1]]})),
        ("region needs one of box, cylinder", lambda: sim.bodies.within({})),
    ]:
        with pytest.raises(ValueError, match=message):
            call()
    assert sim.state_hash == hash_before and len(sim.stocks["feed"]) == 40
    assert sim.insert("feed", []).size == 0 and sim.insert("feed", count=0).size == 0
    sim.remove([])
    assert sim.insert("feed", [[0.25, 0.05, 0.507]]).size == 1  # where the lift was at the start
    assert sim.insert(ids=[26], positions=row_of(1)).tolist() == [26]
    assert sim.step(10) == 10


def test_bodies_within_regions(stocked):
    sim = on_cpu(stocked)
    x = sim.bodies.position
    for region, inside in [
        ({"box": [[-1, -1, "15 mm"], [1, 1, 1]]}, x[:, 2] >= 0.015),
        ({"plane": {"point": [0.012, 0, 0], "normal": [-1, 0, 0]}}, x[:, 0] <= 0.012),
        ({"sphere": {"centre": [0.01, 0.01, 0.01], "radius": "12 mm"}}, numpy.linalg.norm(x - 0.01, axis=1) <= 0.012),
        ({"cylinder": {"base": [0, 0, 0], "axis": [0, 0, 1], "radius": 0.013, "length": 0.02}}, (numpy.hypot(x[:, 0], x[:, 1]) <= 0.013) & (abs(x[:, 2] - 0.01) <= 0.01)),
    ]:
        found = sim.bodies.within(region)
        assert found.tolist() == sim.bodies.id[inside].tolist() and 0 < len(found) < 27
    sim.remove(sim.bodies.within({"box": [[-1, -1, "15 mm"], [1, 1, 1]]}))
    assert len(sim.bodies) == 9 and sim.bodies.position[:, 2].max() < 0.015


def work(sim, last=6, save=None):
    """Comes and goes for 0.06 s; saves in the middle."""
    for k in range(last):
        sim.run(until=0.01 * (k + 1))
        if k < 6:
            sim.insert("feed", count=4)
            low = sim.bodies.id[numpy.argsort(sim.bodies.position[:, 2], kind="stable")[:2]]
            sim.remove(low)
            if k == 3:
                sim.insert(ids=low[low < 27], positions=row_of((low < 27).sum(), z=0.6))
        if k == 3 and save:
            sim.save(save)
    sim.run(until=0.08)
    return sim


def test_same_bits_on_any_threads_and_over_a_checkpoint(stocked, tmp_path, program):
    whole = work(on_cpu(stocked), save=tmp_path / "half.h5")
    assert work(on_cpu(stocked, threads=4)).state_hash == whole.state_hash
    half = on_cpu(stocked, checkpoint=tmp_path / "half.h5")
    assert half.time == pytest.approx(0.04, abs=1e-3) and sorted(half.stocks["feed"].ids) != sorted(on_cpu(stocked).stocks["feed"].ids)
    for k in range(4, 6):  # as above
        half.run(until=0.01 * (k + 1))
        half.insert("feed", count=4)
        half.remove(half.bodies.id[numpy.argsort(half.bodies.position[:, 2], kind="stable")[:2]])
    half.run(until=0.08)
    assert half.state_hash == whole.state_hash
    assert numpy.array_equal(half.stocks["feed"].ids, whole.stocks["feed"].ids)
    assert half.measures == pytest.approx(whole.measures, nan_ok=True)


def test_the_program_goes_on_and_never_inserts(stocked, tmp_path, program):
    scene = scree.Scene(stocked)
    (tmp_path / "scene.toml").write_text(scene.text)
    assert '40 of them "feed", which calls of a program put in: `scree run` leaves them out' in program("check", "scene.toml")
    summary = program.run("scene.toml", "--until", "0.02")
    assert summary["bodies"] == 27 and summary["inserts"]["feed"] == {"bodies": 0, "mass": 0, "behind": 0, "to_come": 0}
    sim = on_cpu(scene)
    sim.run(until=0.01)
    sim.insert("feed", count=5)
    sim.remove([0])
    sim.save(tmp_path / "half.h5")
    sim.run(until=0.03)
    summary = program.run("scene.toml", "--until", "0.03", "--restart", "half.h5", to="rest")
    assert summary["state_hash"] == f"{sim.state_hash:016x}"
    assert summary["inserts"]["feed"]["bodies"] == 5 and summary["removes"]["by calls"]["bodies"] == 1


def test_run_directories_show_what_is_there(stocked, tmp_path, program):
    with on_cpu(scree.Scene(stocked, set={"output.every": 0.01}), output=tmp_path / "run") as sim:
        work(sim)
        there = len(sim.bodies)
    run = scree.open_run(tmp_path / "run")
    series = run.series
    assert [len(frame) for frame in run.frames][:4] == [27, 27, 29, 31] and len(run.frames[-1]) == there
    assert list(series["count.bodies"].dropna())[-1] == there
    came, went = run.summary["inserts"], run.summary["removes"]["by calls"]
    assert came["feed"]["bodies"] == 24 and went["bodies"] == 12
    again = came["by calls"]["bodies"]
    assert run.summary["bodies_inserted"] == 24 + again and run.summary["bodies_removed"] == 12 and there == 27 + 24 + again - 12
    assert went["mass"] == pytest.approx(12 * MASS)
    verdict = run.summary["verdicts"]["bodies"]
    assert verdict["verdict"] == "ok", verdict
    total = series["energy.total"].dropna()
    turned = series["energy.kinetic_translation"].max()
    assert abs(total - total.iloc[0]).max() < 0.01 * turned
    program("export", tmp_path / "run", "--to", "csv")
    files = sorted((tmp_path / "run/csv").glob("frame_0*.csv"))
    assert [len(file.read_text().splitlines()) - 1 for file in files] == [len(frame) for frame in run.frames]
    run.picture(tmp_path / "last.png", size=(160, 120))


def test_compounds_come_and_go_whole(balls):
    balls["shape"].update(
        rod={"kind": "clump", "spheres": [[-0.004, 0, 0, 0.005], [0.004, 0, 0, 0.004]]}, cube={"kind": "box", "edges": [0.01, 0.01, 0.01]}
    )
    parts = [{"shape": shape, "material": "glass", "share": 1} for shape in ("rod", "cube", "ball")]
    balls["insert"] = [{"name": "mix", "mixture": parts, "shares_of": "number", "on_call": True, "count": 30, "orientation": "random"}]
    balls["measure"] = [{"kind": "streams", "every": 0.01}, {"kind": "count", "every": 0.01}]
    sim = on_cpu(balls)
    turn = [math.cos(0.4), 0, math.sin(0.4), 0]
    ids = sim.insert("mix", [[0.02 * k - 0.15, 0, 0.1] for k in range(15)], orientations=turn, angular_velocities=[0, 7, 0], velocities=[0, 0, -0.5])
    bodies = sim.bodies
    owner = dict(zip(bodies.id.tolist(), bodies.owner.tolist()))
    rods = [i for i in ids.tolist() if i in owner.values()]
    members = [i for i, of in owner.items() if of in rods]
    assert len(rods) >= 3 and len(members) == 2 * len(rods)
    row = {body: k for k, body in enumerate(bodies.id.tolist())}
    for rod in rods:
        two = [k for k in members if owner[k] == rod]
        assert numpy.linalg.norm(bodies.position[row[two[0]]] - bodies.position[row[two[1]]]) == pytest.approx(0.008, rel=1e-12)
        assert bodies.orientation[row[rod]] == pytest.approx(turn, abs=1e-15)
    assert sim.measures["count.bodies"] == 42
    assert sum(sim.measures[f"streams.mix.{s}/glass.bodies"] for s in ("rod", "cube", "ball")) == 15
    with pytest.raises(scree.SceneError, match=f"body {members[0]} is a member of a compound: take the compound out, body {rods[0]}"):
        sim.remove([members[0]])
    sim.run(until=0.2)
    mass, momentum, _ = sums(sim)
    k = sim.bodies.id.tolist().index(rods[0])
    taken = (sim.bodies.mass[k], sim.bodies.velocity[k].copy(), sim.bodies.orientation[k].copy())
    sim.remove(rods[:1])
    assert set(sim.bodies.id.tolist()).isdisjoint([rods[0], *[m for m in members if owner[m] == rods[0]]])
    after = sums(sim)
    assert after[0] == pytest.approx(mass - taken[0], rel=1e-13)
    assert numpy.allclose(after[1], momentum - taken[0] * taken[1], rtol=0, atol=1e-15)
    sim.insert("mix", [[0, 0, 0.5]], ids=rods[:1])
    assert len(sim.bodies) == 27 + 15 + 2 * len(rods)
    sim.run(until=0.4)
    assert sim.bodies.position[:, 2].min() > -0.011


def test_polyhedra_stand_beside_walls_by_their_own_form(balls):
    balls["shape"]["slab"] = {"kind": "box", "edges": [0.04, 0.04, 0.004]}
    del balls["bodies"]
    balls["insert"] = [{"name": "slabs", "shape": "slab", "material": "glass", "on_call": True, "count": 3}]
    sim = on_cpu(balls)
    with pytest.raises(scree.SceneError, match='1e-05 m deep in wall "floor"'):
        sim.insert("slabs", [[0, 0, -0.01 + 0.00199]])
    sim.insert("slabs", [[0, 0, -0.01 + 0.002001]])
    with pytest.raises(scree.SceneError, match="would touch body"):  # by the spheres about them
        sim.insert("slabs", [[0, 0.03, 0]])
    sim.run(until=0.2)
    assert sim.bodies.position[0, 2] == pytest.approx(-0.008, abs=1e-4)
    assert -sim.walls["floor"].force[2] == pytest.approx(9.81 * sim.bodies.mass[0], rel=0.01)


def test_bonds_of_what_goes_break_and_stay_broken(balls):
    balls["bodies"][0]["place"] = {"lattice": [3, 3, 3], "spacing": "10 mm"}
    balls["bond"] = [{"gap": "0.1 mm", "young": "10 MPa"}]
    balls["measure"] = [{"kind": "bonds", "every": 0.01}]
    balls["wall"] = []
    sim = on_cpu(balls)
    sim.step(10)
    assert sim.measures["bonds.holding"] == 54
    at = sim.bodies.position[0].copy()
    sim.remove([0])
    assert sim.measures["bonds.holding"] == 51
    sim.step(5)
    sim.insert(ids=[0], positions=[at - 0.02])
    sim.step(100)
    assert sim.measures["bonds.holding"] == 51 and len(sim.bodies) == 27


def test_periodic_space(balls):
    balls["domain"] = {"min": [0, 0, -1], "max": [0.1, 0.1, 1], "periodic": "xy"}
    balls["insert"] = [{"name": "feed", "shape": "ball", "material": "glass", "on_call": True, "count": 9}]
    sim = on_cpu(balls)
    first = sim.insert("feed", [[0.099, 0.05, 0.3]])[0]
    with pytest.raises(scree.SceneError, match=f"would touch body {first}"):
        sim.insert("feed", [[0.006, 0.05, 0.3]])
    with pytest.raises(scree.SceneError, match="number 1 of the call, .* would touch number 0 of the call"):
        sim.insert("feed", [[0.001, 0.099, 0.4], [0.099, 0.002, 0.4]])
    second = sim.insert("feed", [[0.25, 0.15, 0.5]])[0]  # comes home
    at = sim.bodies.position[sim.bodies.id == second][0]
    assert at == pytest.approx([0.05, 0.05, 0.5])
    assert sim.bodies.within({"box": [[0.04, 0.04, 0.4], [0.06, 0.06, 0.6]]}).tolist() == [second]


def test_methods_that_take_none_and_parts_of_machines(balls):
    gas = on_cpu(SCENES / "gas.toml")
    with pytest.raises(scree.SceneError, match='method.kind = "hard" are there from the start to the end: none can be taken out'):
        gas.remove([0])
    with pytest.raises(scree.SceneError, match="none can be put in"):
        gas.insert("feed", row_of(1))
    water = on_cpu(SCENES / "water.toml")
    with pytest.raises(scree.SceneError, match="none can be taken out"):
        water.remove([0])
    balls["body"] = [{"name": "flap", "shape": "ball", "material": "glass", "position": [0.5, 0, 0.1]}]
    sim = on_cpu(balls)
    with pytest.raises(scree.SceneError, match='body "flap" is part of a machine, and stays'):
        sim.remove([sim.bodies.named["flap"]])
    with pytest.raises(scree.SceneError, match=r"has no \[\[insert\]\] with on_call = true"):
        sim.insert("feed", row_of(1))


def test_cone_method_and_two_dimensions(stocked):
    del stocked["measure"]
    stocked["method"] = {"kind": "cone", "iterations": 60}
    stocked["time"]["step"] = "0.5 ms"
    sim = on_cpu(stocked)
    sim.run(until=0.05)
    ids = sim.insert("feed", count=12)
    sim.remove(ids[:5])
    sim.run(until=0.6)
    assert len(sim.bodies) == 34 and sim.totals["max_overlap"] < 0.05
    flat = {**stocked, "dimensions": 2, "domain": {"min": [-1, -1], "max": [1, 1], "gravity": [0, -9.81]}, "wall": [], "method": {}, "time": {"end": 0.1}}
    flat["shape"] = {"ball": {"kind": "disk", "radius": "5 mm"}}
    flat["bodies"] = [{"shape": "ball", "material": "glass", "place": {"lattice": [3, 3], "spacing": "12 mm"}}]
    flat["insert"] = [{"name": "feed", "shape": "ball", "material": "glass", "on_call": True, "count": 40, "region": {"box": [[-0.2, 0.2], [0.2, 0.4]]}}]
    sim = on_cpu(flat)
    with pytest.raises(scree.SceneError, match="number 0 of the call leaves the plane"):
        sim.insert("feed", [[0, 0.1, 0.1]])
    sim.insert("feed", count=8)
    sim.insert("feed", [[0.3, 0.3, 0]], velocities=[0, 1, 0])
    sim.run(until=0.1)
    assert len(sim.bodies) == 18 and not sim.bodies.position[:, 2].any()
    assert sim.bodies.position[-1, 1] == pytest.approx(0.3 + sim.time - 9.81 / 2 * sim.time**2, abs=1e-12)


def hopper(mouth):
    """Disks of 8 mm in a hopper with a mouth at the bottom, in two dimensions."""
    scene = scree.Scene()
    scene.dimensions = 2
    scene.time.end = 0.8
    scene.time.step = "25 us"
    scene.domain(min=[-0.3, -0.4], max=[0.3, 0.8])
    scene.method(overlap_warning=0.2)
    scene.material.add("grain", density=20, young="10 MPa", poisson=0.3, restitution=0.4, friction=0.5)
    scene.shape.add("grain", kind="disk", distribution={"kind": "uniform", "min": "3.6 mm", "max": "4.4 mm"})
    scene.bodies.add(shape="grain", material="grain", place={"lattice": [16, 34], "spacing": "9 mm", "jitter": 0.5, "origin": [-0.0675, 0.065]})
    for side in (-1, 1):
        scene.wall.add(kind="segment", material="grain", **{"from": [side * mouth / 2, 0], "to": [side * 0.08, 0.055]})
        scene.wall.add(kind="segment", material="grain", **{"from": [side * 0.08, 0.055], "to": [side * 0.08, 0.8]})
    return scene


def discharge(mouth):
    """Flow [kg/s] from 0.2 to 0.5 s and from there to 0.8 s, with what has left put in again on top."""
    sim = on_cpu(hopper(mouth))
    mass, out = sim.totals["mass"], []
    top = numpy.linspace(-0.066, 0.066, 14)

    def recycle(sim):
        gone = sim.bodies.within({"plane": {"point": [0, -0.05], "normal": [0, -1]}})[:28]
        if len(gone):
            out.append((sim.time, sim.bodies.mass[numpy.isin(sim.bodies.id, gone)].sum()))
            sim.remove(gone)
            places = [[x, y, 0] for y in (0.5, 0.51) for x in top][: len(gone)]
            sim.insert(ids=gone, positions=places, velocities=[0, -1, 0])
        assert sim.totals["bodies"] == 544 and sim.totals["mass"] == pytest.approx(mass, rel=1e-13)

    sim.run(until=0.8, every=0.02, callback=recycle)
    t, m = numpy.array(out).T
    return [m[(t > a) & (t <= a + 0.3)].sum() / 0.3 for a in (0.2, 0.5)]


def test_hopper_that_never_runs_empty():
    """Steady flow, and its growth with the mouth D: by Beverloo, Leniger and van de Velde (Chem. Eng. Sci. 15 (1961) 260), as it is in two
    dimensions, (D - k d)^1.5 with k between 1 and 2."""
    mouths = (0.048, 0.068)
    narrow, wide = map(discharge, mouths)
    for early, late in (narrow, wide):
        assert late == pytest.approx(early, rel=0.2)
    ratio = sum(wide) / sum(narrow)
    low, high = [((mouths[1] - k * 0.008) / (mouths[0] - k * 0.008)) ** 1.5 for k in (1, 2)]
    assert 0.92 * low < ratio < 1.08 * high, (ratio, low, high)
