"""Simulations from Python against the program, and what is shown of them against the frames of the same run."""

import json
import os
import signal
import threading
import time
import warnings

import numpy
import pytest

import scree
from conftest import PILE, SCENES


def on_cpu(scene, **how):
    return scree.Simulation(scene, device="cpu", threads=how.pop("threads", 1), **how)


@pytest.mark.parametrize("name", ["pile", "mill", "blocks", "gas", "water"])
def test_same_bits_as_the_program(program, name):
    scene = SCENES / f"{name}.toml"
    summary = program.run(scene, "--until", "0.01")
    sim = on_cpu(scene)
    while sim.steps < summary["steps"]:
        sim.step(min(7, summary["steps"] - sim.steps))
    assert sim.steps == summary["steps"]
    assert f"{sim.state_hash:016x}" == summary["state_hash"]


def test_same_run_directory_as_the_program(program, tmp_path):
    program.run(PILE, "--until", "0.02")
    with on_cpu(PILE, output=tmp_path / "mine") as sim:
        sim.run(until=0.02)
    assert (tmp_path / "mine/series.csv").read_bytes() == (tmp_path / "run/series.csv").read_bytes()
    program_summary, summary = (json.loads((tmp_path / d / "summary.json").read_text()) for d in ("run", "mine"))
    for key in ("state_hash", "steps", "exit_reason", "frames"):
        assert summary[key] == program_summary[key]
    ours, theirs = scree.open_run(tmp_path / "mine"), scree.open_run(tmp_path / "run")
    assert ours.frames.times == theirs.frames.times
    for a, b in zip(ours.frames, theirs.frames):
        assert a.names() == b.names()
        assert all(numpy.array_equal(a[n], b[n]) for n in a.names())


def test_series_in_memory_are_those_of_the_file(tmp_path):
    with on_cpu(PILE, output=tmp_path / "run") as sim:
        sim.run(until=0.01)
        of_file = sim.series
    memory = on_cpu(PILE)
    memory.run(until=0.01)
    in_memory = memory.series
    assert list(in_memory) == list(of_file)
    assert all(numpy.allclose(in_memory[c], of_file[c], rtol=1e-8, equal_nan=True) for c in in_memory)
    assert set(memory.measures) == set(list(in_memory)[2:])


def test_arrays_are_those_of_the_frame(tmp_path):
    with on_cpu(PILE, output=tmp_path / "run") as sim:
        sim.run(until=0.02)
        frame = scree.open_run(tmp_path / "run").frames.at(0.02)
        assert frame.step == sim.steps and len(frame) == len(sim.bodies)
        for name in frame.names():
            assert numpy.array_equal(frame[name], sim.bodies[name]), name
        contacts = sim.contacts
        assert len(contacts) == len(frame.contacts) > 0
        for name in ("a", "b", "wall", "point", "normal", "overlap", "force"):
            assert numpy.array_equal(contacts[name], frame.contacts[name]), name
        assert len(contacts) == sim.totals["contacts"] + sim.totals["wall_contacts"]
        # What a wall bears is what its contacts say.
        box = contacts[contacts["wall"] == list(sim.walls).index("box")]
        assert numpy.allclose(sim.walls["box"].force, -box["force"].sum(axis=0), rtol=1e-9)
        mass, velocity = sim.bodies.mass, sim.bodies.velocity
        assert numpy.isclose(sim.energies["kinetic_translation"], 0.5 * (mass * (velocity**2).sum(axis=1)).sum())
        assert numpy.allclose(sim.totals["momentum"], (mass[:, None] * velocity).sum(axis=0))


def test_arrays_show_one_copy_and_keep_it():
    sim = on_cpu(PILE)
    sim.step(10)
    first, again = sim.bodies.position, sim.bodies.position
    assert first.ctypes.data == again.ctypes.data
    assert not first.flags.writeable and not first.flags.owndata
    with pytest.raises(ValueError):
        first[0] = 0
    kept = first.copy()
    sim.step(10)
    assert numpy.array_equal(first, kept)
    assert not numpy.array_equal(sim.bodies.position, kept)
    assert sim.bodies.unit("velocity") == "m/s"
    del sim
    assert numpy.array_equal(first, kept)
    with pytest.raises(scree.SceneError, match="there are id, position"):
        on_cpu(PILE).bodies["colour"]


def test_set_what_is_there_already_changes_nothing():
    sim, other = on_cpu(PILE), on_cpu(PILE)
    sim.step(500)
    other.step(500)
    for name in ("velocity", "position", "angular_velocity"):
        sim.bodies.set(name, sim.bodies[name])
    assert sim.state_hash == other.state_hash
    sim.step(500)
    other.step(500)
    assert sim.state_hash == other.state_hash


def test_set_and_go_on(balls):
    balls["wall"] = []
    sim = on_cpu(balls)
    sim.step(10)
    sim.bodies.set("position", [0, 0, 0.5], ids=[3])
    sim.bodies.set("velocity", [1, 0, 2], ids=[3])
    assert sim.bodies.position[3].tolist() == [0, 0, 0.5] and sim.bodies.velocity[3].tolist() == [1, 0, 2]
    start = sim.time
    sim.step(200)
    t = sim.time - start
    assert numpy.allclose(sim.bodies.position[3], [t, 0, 0.5 + 2 * t - 9.81 / 2 * t * t], rtol=0, atol=1e-12)
    assert numpy.allclose(sim.bodies.velocity[3], [1, 0, 2 - 9.81 * t], rtol=0, atol=1e-12)
    sim.bodies.set("velocity", [0, 0, 0])
    assert not sim.bodies.velocity.any()
    for wrong, message in [
        (lambda: sim.bodies.set("mass", 1), "cannot be set"),
        (lambda: sim.bodies.set("velocity", [0, 0, numpy.nan]), "not finite"),
        (lambda: sim.bodies.set("velocity", [0, 0, 0], ids=[99]), "no body 99"),
        (lambda: sim.bodies.set("orientation", [1, 0, 0, 0]), "keeps no"),
        (lambda: sim.bodies.set("velocity", [0, 0, 0], ids=[2**32]), "of 32 bits"),
    ]:
        with pytest.raises(ValueError, match=message):
            wrong()
    with pytest.raises(AttributeError, match=r'bodies.set\("velocity", values\)'):
        sim.bodies.velocity = numpy.zeros((27, 3))
    sim.bodies.set("velocity", [1, 2, 3], ids=[])
    assert not sim.bodies.velocity.any()


def test_orientations_are_made_unit_and_need_a_direction():
    sim = on_cpu(SCENES / "blocks.toml")
    sim.bodies.set("orientation", [0, 0, 2, 0], ids=[0])
    assert sim.bodies.orientation[0].tolist() == [0, 0, 1, 0]
    with pytest.raises(scree.SceneError, match="body 1 has no direction"):
        sim.bodies.set("orientation", [[1, 0, 0, 0], [0, 0, 0, 0]], ids=[0, 1])
    assert sim.bodies.orientation[0].tolist() == [0, 0, 1, 0]


def test_bodies_stay_in_the_plane_of_two_dimensions(balls):
    balls["dimensions"] = 2
    balls["domain"] = {"min": [-1, -1], "max": [1, 1]}
    balls["shape"]["ball"]["kind"] = "disk"
    balls["bodies"][0]["place"] = {"lattice": [3, 3], "spacing": "12 mm"}
    balls["wall"] = []
    sim = on_cpu(balls)
    for name, wrong, right in (("velocity", [0, 0, 1], [1, 2, 0]), ("position", [0.5, 0.5, 0.1], [0.5, 0.5, 0]), ("angular_velocity", [1, 0, 0], [0, 0, 3])):
        before = sim.bodies[name][4].tolist()
        with pytest.raises(scree.SceneError, match="in two dimensions"):
            sim.bodies.set(name, wrong, ids=[4])
        assert sim.bodies[name][4].tolist() == before
        sim.bodies.set(name, right, ids=[4])
        assert sim.bodies[name][4].tolist() == right


def test_checkpoints_go_both_ways(program, tmp_path):
    straight = program.run(PILE, "--until", "0.02", to="straight")["state_hash"]
    sim = on_cpu(PILE)
    sim.run(until=0.01)
    sim.save(tmp_path / "half.h5")
    assert program.run(PILE, "--until", "0.02", "--restart", tmp_path / "half.h5", to="rest")["state_hash"] == straight
    again = on_cpu(PILE, checkpoint=tmp_path / "half.h5")
    assert again.time == sim.time
    again.run(until=0.02)
    assert f"{again.state_hash:016x}" == straight


def test_run_calls_back_at_the_steps_of_frames(tmp_path):
    times = []
    with on_cpu(PILE, output=tmp_path / "run") as sim:
        sim.run(until=0.02, every=0.01, callback=lambda s: times.append(s.time))
    assert times == scree.open_run(tmp_path / "run").frames.times[1:3]
    sim = on_cpu(PILE)
    assert sim.run(until=0.02, every=0.005, callback=lambda s: s.time < 0.009) == sim.steps
    assert 0.009 < sim.time < 0.011
    with pytest.raises(ZeroDivisionError):
        sim.run(every=0.001, callback=lambda s: 1 / 0)
    assert sim.step(5) == 5


def test_what_an_exception_ends_may_go_on(tmp_path, program):
    program.run(PILE, "--until", "0.02", "--set", "output.every=0.004", to="straight")
    run = tmp_path / "run"
    with pytest.raises(ZeroDivisionError):
        with on_cpu(scree.Scene(PILE, set=["output.every=0.004"]), output=run) as sim:
            sim.run(every=0.0051, callback=lambda s: 1 / 0)
    assert sim.close() == "interrupted"
    assert json.loads((run / "summary.json").read_text())["exit_reason"] == "interrupted"
    ended = program.run(PILE, "--until", "0.02", "--set", "output.every=0.004", "--restart", run / "checkpoint.h5", to=run)
    straight = scree.open_run(program.folder / "straight")
    assert scree.open_run(run).frames.times == straight.frames.times
    assert ended["state_hash"] == straight.summary["state_hash"]


def test_progress_is_told_and_changes_nothing(capsys):
    plain, told = on_cpu(PILE), on_cpu(PILE)
    plain.run(until=0.01)
    told.run(until=0.005, progress=True)
    times = []
    told.run(until=0.01, every=0.002, callback=lambda s: times.append(s.time), progress=True)
    assert len(times) == 3 and told.state_hash == plain.state_hash
    lines = capsys.readouterr().err.split("\n")
    assert len(lines) == 3 and all(line.split("\r")[-1].startswith(f"[{'#' * 30}] 100.0 %") for line in lines[:2])
    assert len(lines[0].split("\r")) > 50
    told.run(until=0.01, progress=True)  # it is there already
    assert capsys.readouterr().err == ""


def test_walls_come_and_go(balls):
    sim = on_cpu(balls)
    while sim.walls["floor"].force[2] == 0 and sim.time < 0.2:
        sim.step(5)
    assert sim.walls["floor"].force[2] < 0
    sim.walls["floor"].active = False
    assert not sim.walls["floor"].active
    sim.run(until=sim.time + 0.02)
    assert sim.walls["floor"].force[2] == 0 and sim.bodies.position[:, 2].min() < -0.01
    sim.bodies.set("position", sim.bodies.position + [0, 0, 0.1])
    sim.walls["floor"].active = True
    sim.run(until=sim.time + 0.4)
    assert sim.walls["floor"].active and sim.bodies.position[:, 2].min() > -0.01
    with pytest.raises(KeyError, match="there are floor"):
        sim.walls["roof"]
    with pytest.raises(scree.SceneError, match="no motion"):
        sim.walls["floor"].halt()


def test_moving_walls_start_and_halt(balls):
    balls["wall"].append({"name": "lid", "kind": "plane", "point": [0, 0, 0.3], "normal": [0, 0, -1], "material": "glass",
                          "motion": {"velocity": [0, 0, -1], "from": 100}})
    sim = on_cpu(balls)
    sim.step(10)
    assert not sim.walls["lid"].moves
    sim.walls["lid"].start()
    sim.step(10)
    assert sim.walls["lid"].moves
    sim.walls["lid"].halt()
    assert not sim.walls["lid"].moves
    with pytest.raises(scree.SceneError, match="begun already"):
        sim.walls["lid"].start()


def test_a_run_that_fails_says_so_each_time(balls):
    balls["wall"] = []
    sim = on_cpu(balls)
    with pytest.raises(scree.RunError, match="domain"):
        sim.run(until=10)
    with pytest.raises(scree.RunError):
        sim.step()
    assert sim.bodies.position[:, 2].min() < -1
    assert "domain" in sim.close()


def test_closed_simulations_are_still_looked_at():
    sim = on_cpu(PILE)
    with sim:
        sim.step(10)
    assert sim.close() == "done" and len(sim.bodies) == 216
    with pytest.raises(scree.RunError, match="closed"):
        sim.step()


def test_wrong_options(tmp_path):
    for how in ({"device": "tpu"}, {"precision": "half"}, {"threads": -1}, {"checkpoint": tmp_path / "none.h5"}):
        with pytest.raises(scree.SceneError):
            scree.Simulation(PILE, **how)
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept/summary.json").write_text("mine")
    with pytest.raises(scree.SceneError, match="overwrite"):
        on_cpu(PILE, output=tmp_path / "kept")
    assert (tmp_path / "kept/summary.json").read_text() == "mine"


def test_ctrl_c_leaves_a_usable_object():
    sim, whole = on_cpu(PILE), on_cpu(PILE)
    main = threading.get_ident()
    timer = threading.Timer(0.3, signal.pthread_kill, (main, signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        while True:
            sim.run(until=sim.time + 1)
    timer.join()
    whole.step(sim.steps)
    assert sim.state_hash == whole.state_hash
    assert sim.step(3) == 3


def test_steps_leave_other_threads_of_python_alone():
    sim = on_cpu(PILE)
    counted = []

    def count():
        while not done.is_set():
            counted.append(0)
            time.sleep(0.001)

    done = threading.Event()
    thread = threading.Thread(target=count)
    thread.start()
    sim.step(4000)
    done.set()
    thread.join()
    assert len(counted) > 20


def test_two_simulations_in_two_threads():
    def work(k):
        sim = on_cpu(scenes[k])
        for _ in range(10):
            sim.step(30)
            sim.bodies.position.sum()
            len(sim.contacts)
        hashes[k] = sim.state_hash

    scenes = [PILE, SCENES / "mill.toml"]
    alone = []
    hashes = [None, None]
    for k in range(2):
        work(k)
        alone.append(hashes[k])
    hashes = [None, None]
    threads = [threading.Thread(target=work, args=(k,)) for k in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert hashes == alone


def test_one_simulation_takes_one_thread_at_a_time():
    sim = on_cpu(PILE)
    refused = []

    def other():
        try:
            sim.step()
        except ValueError as error:
            refused.append(str(error))

    def look(_):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()

    sim.run(until=0.002, every=0.001, callback=look)
    assert len(refused) == 2 and "another thread" in refused[0]


def test_pictures_and_tables_for_notebooks(tmp_path):
    with on_cpu(PILE, output=tmp_path / "run") as sim:
        sim.step(10)
        assert "<table>" in sim._repr_html_()
    run = scree.open_run(tmp_path / "run")
    assert run._repr_png_()[:8] == b"\x89PNG\r\n\x1a\n"
    assert "frames" in run._repr_html_() and run.summary["exit_reason"] == "done"
    assert "pile" in run.scene.lower()
    run.picture(tmp_path / "mass.png", 0, size=(160, 120), colour="mass")
    assert (tmp_path / "mass.png").exists()
    with pytest.raises(scree.SceneError):
        run.picture(tmp_path / "no.png", colour="nothing")
    with pytest.raises(scree.SceneError, match="ends in .png"):
        run.picture(tmp_path / "folder")
    assert not (tmp_path / "folder").exists()
    with pytest.raises(IndexError):
        run.frames[len(run.frames)]
    with pytest.raises(scree.SceneError):
        scree.open_run(tmp_path / "none")


def test_damaged_frames_are_warned_of(tmp_path):
    """Of a run that has ended; what cannot be read while one goes on may not be whole yet."""
    h5py = pytest.importorskip("h5py")
    with on_cpu(PILE, output=tmp_path / "run") as sim:
        sim.run(0.03)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        count = len(scree.open_run(tmp_path / "run").frames)
    with h5py.File(tmp_path / "run" / "state.h5", "r+") as file:
        del file["frames/000001"].attrs["time"]
    os.utime(tmp_path / "run" / "summary.json")
    told = rf"run/state\.h5: cannot read /frames/000001@time; .*left out are this frame and those after it, {count - 1} of {count}$"
    with pytest.warns(RuntimeWarning, match=told):
        assert len(scree.open_run(tmp_path / "run").frames) == 1
    (tmp_path / "run" / "summary.json").unlink()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(scree.open_run(tmp_path / "run").frames) == 1


def test_thousand_simulations_leave_nothing(balls):
    """Memory in use grows while the first simulations settle what they share; afterwards it is to stay. A leaked engine would be 0.3 MB
    (its pair lists alone take that), so 20 MB over 900 simulations leave room for the allocator's own holes only."""

    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6  # [MB]

    balls["measure"] = [{"kind": "energy", "every": "1 ms"}]
    scene = scree.Scene(balls)
    for k in range(1000):
        sim = on_cpu(scene)
        sim.step(3)
        sim.bodies.position, sim.contacts, sim.series
        if k == 99:
            before = resident()
    grown = resident() - before
    print(f"grown by {grown:.2f} MB over 900 simulations")
    assert grown < 20
