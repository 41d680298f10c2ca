"""Looks at a simulation: fields one by one, the engine's own arrays, pictures; and Python's end while a daemon thread steps."""

import ctypes
import gc
import subprocess
import sys
import threading

import numpy
import pytest

import scree
from conftest import PILE, SCENES
from scree._raw import DeviceArray
from test_simulation import on_cpu

BUFFER = "del NAME"


def leaking(balls):
    """Some bodies leave by the floor's edge, and are taken out."""
    balls["domain"] |= {"min": [-1, -1, -0.02], "leave": "remove"}
    balls["wall"] = []
    return balls


@pytest.mark.parametrize("name", ["pile", "mill", "blocks", "gas", "water"])
@pytest.mark.parametrize("precision", ["double", "mixed"])
def test_fields_one_by_one_are_those_of_the_whole_state(name, precision):
    sim = on_cpu(SCENES / f"{name}.toml", precision=precision)
    sim.step(50)
    single = {n: sim.bodies[n] for n in ("velocity", "id", "position", "radius", "mass", "angular_velocity", "material", "force")}
    state = sim._core.state()
    assert set(single) <= set(state.names()) == set(sim.bodies.names())
    single |= {n: sim.bodies[n] for n in state.names()}
    for field, values in single.items():
        assert values.dtype == state.field(field).dtype and numpy.array_equal(values, state.field(field)), field
        assert sim.bodies.unit(field) == state.unit(field)
    assert len(sim.bodies) == len(state) > 0


def test_fields_by_id_when_bodies_have_left(balls):
    balls["bodies"][0]["place"] = {"lattice": [8, 8, 8], "spacing": "12 mm", "jitter": 0.9}
    sim = on_cpu(leaking(balls))
    while len(sim.bodies) > 400:
        sim.step(20)
    ids, position = sim.bodies.id, sim.bodies.position
    state = sim._core.state()
    assert 0 < len(ids) <= 400 and (numpy.diff(ids.astype(int)) > 0).all()
    assert numpy.array_equal(ids, state.field("id")) and numpy.array_equal(position, state.field("position"))
    with sim.raw() as raw:
        order = numpy.argsort(raw["id"])
        assert numpy.array_equal(raw["id"][order], ids) and numpy.array_equal(raw["position"][order], position)


def test_a_field_keeps_what_it_shows_and_is_copied_once():
    sim = on_cpu(PILE)
    before = sim.bodies.position
    assert sim.bodies.position.ctypes.data == before.ctypes.data
    kept = before.copy()
    sim.step(20)
    assert numpy.array_equal(before, kept) and not numpy.array_equal(sim.bodies.position, kept)
    sim.bodies.set("velocity", [0, 0, 1])
    assert (sim.bodies.velocity == [0, 0, 1]).all()
    with pytest.raises(AttributeError, match="there are id, position"):
        sim.bodies.colour


@pytest.mark.parametrize("name", ["pile", "blocks", "water"])
@pytest.mark.parametrize("precision", ["double", "mixed"])
def test_raw_arrays_are_the_engine_s_own(name, precision):
    sim = on_cpu(SCENES / f"{name}.toml", precision=precision)
    sim.step(30)
    with sim.raw() as raw:
        assert {"id", "position", "velocity", "angular_velocity", "radius", "inverse_mass", "material"} <= set(raw)
        order = numpy.argsort(raw["id"])
        for field in ("position", "velocity", "angular_velocity", "radius", "material", "id"):
            values = raw[field]
            assert numpy.array_equal(values[order], sim.bodies[field]), field
            assert not values.flags.writeable and not values.flags.owndata and raw.unit(field) == sim.bodies.unit(field)
            with pytest.raises(ValueError):
                values[0] = 0
            with pytest.raises(ValueError):
                values.setflags(write=True)
        position = raw["position"]
        assert position.strides == (32, 8) and position.ctypes.data == raw["position"].ctypes.data
        assert raw["radius"].ctypes.data == position.ctypes.data + 24  # in the same row
        if "orientation_w" in raw:
            assert numpy.array_equal(raw["orientation_w"][order], sim.bodies.orientation[:, 0])
        with pytest.raises(KeyError, match="there are position"):
            raw["colour"]
        # Arithmetic gives plain arrays.
        assert type(position + 1) is numpy.ndarray and type(position.mean()) is numpy.float64
        del position, values


def test_nothing_changes_while_raw_arrays_are_shown():
    sim, other = on_cpu(PILE), on_cpu(PILE)
    sim.step(10)
    with sim.raw() as raw:
        for change in (sim.step, lambda: sim.run(until=1), lambda: sim.bodies.set("velocity", [0, 0, 0]), lambda: setattr(sim.walls["box"], "active", False)):
            with pytest.raises(BufferError, match=BUFFER):
                change()
        sim.bodies.force, sim.contacts, sim.totals, sim.state_hash  # looks are well
    kept = None
    with sim.raw() as raw:
        kept = raw["position"][::2]
    with pytest.raises(BufferError, match="within the block"):
        raw["position"]
    assert sim.steps == 10
    with pytest.raises(BufferError, match=BUFFER):
        sim.step()
    assert (kept == kept).all()
    del kept
    assert sim.step(5) == 5
    other.step(15)
    assert sim.state_hash == other.state_hash
    seen = []
    sim.run(until=sim.time + 0.002, every=0.001, callback=lambda s: seen.append(height_of(s)))
    assert len(seen) == 2


def height_of(sim):
    with sim.raw() as raw:
        return raw["position"][:, 2].max()


def test_hard_particles_have_no_raw_arrays():
    with pytest.raises(scree.SceneError, match="no arrays"):
        with on_cpu(SCENES / "gas.toml").raw():
            pass


def test_raw_arrays_outlive_their_simulation(balls):
    """Many times over, with views of every kind dropped in any order: nothing may end the process or stay."""
    scene = scree.Scene(balls)
    left = []
    for k in range(300):
        sim = on_cpu(scene)
        sim.step(2)
        with sim.raw() as raw:
            view, shared = raw["position"], numpy.from_dlpack(raw["velocity"])
            part = view[3:, 1]
        expected = sim.bodies.position.sum(), sim.bodies.velocity.sum()
        if k % 3 == 0:
            sim.close()
        del sim, raw
        if k % 2 == 0:
            del view
        gc.collect(0)
        assert numpy.isclose(shared.sum(), expected[1]) and part.shape == (24,) and numpy.isfinite(part).all()
        if k % 2 == 1:
            assert numpy.isclose(view.sum(), expected[0])
        left = left[-5:] + [part]
    del left, view, part, shared


class Managed(ctypes.Structure):
    """DLManagedTensor of DLPack's specification."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]  # fmt: skip


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
                ("flags", ctypes.c_uint64), ("tensor", Managed)]  # fmt: skip


def in_capsule(capsule, name, structure):
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return structure.from_address(get(capsule, name))


def test_dlpack_on_the_host():
    sim = on_cpu(PILE)
    sim.step(10)
    with sim.raw() as raw:
        for name in ("position", "radius", "id", "material"):
            array = raw[name]
            shared = numpy.from_dlpack(array)
            assert shared.ctypes.data == array.ctypes.data and shared.dtype == array.dtype and numpy.array_equal(shared, array)
            assert array.__dlpack_device__() == (1, 0)
            del shared
        part = raw["position"][5:50:3, 1:]
        plain = part.__dlpack__()
        tensor = in_capsule(plain, b"dltensor", Managed)
        assert (tensor.data, tensor.device_type, tensor.ndim, tensor.code, tensor.bits, tensor.lanes) == (part.ctypes.data, 1, 2, 2, 64, 1)
        assert tensor.shape[:2] == [15, 2] and tensor.strides[:2] == [12, 1] and tensor.byte_offset == 0
        versioned = raw["id"].__dlpack__(max_version=(1, 1), dl_device=(1, 0), copy=False)
        managed = in_capsule(versioned, b"dltensor_versioned", Versioned)
        assert (managed.major, managed.flags, managed.tensor.code, managed.tensor.bits) == (1, 1, 1, 32)  # read-only
        for wrong in ({"copy": True}, {"dl_device": (2, 0)}):
            with pytest.raises(BufferError):
                part.__dlpack__(**wrong)
        del part, array, plain  # what nobody took is given back with its capsule
    with pytest.raises(BufferError, match=BUFFER):
        sim.step()
    del versioned
    assert sim.step() == 1


def test_what_arrays_on_a_gpu_are_handed_on_as():
    """With an array of the host in place of one on a GPU: the numbers are there, whatever the memory."""
    sim = on_cpu(PILE)
    with sim.raw() as raw:
        array, view = DeviceArray(raw._fields["velocity"]), raw["velocity"]
        expected = {"version": 3, "shape": (216, 3), "strides": (32, 8), "typestr": "<f8", "data": (view.ctypes.data, True), "stream": None}
        assert array.__cuda_array_interface__ == expected
        assert (len(array), array.dtype, array.__dlpack_device__()[0]) == (216, view.dtype, 2)
        plain, versioned = array.__dlpack__(), array.__dlpack__(max_version=(1, 0))
        tensor = in_capsule(plain, b"dltensor", Managed)
        assert (tensor.data, tensor.ndim, tensor.bits) == (view.ctypes.data, 2, 64)
        managed = in_capsule(versioned, b"dltensor_versioned", Versioned)
        assert (managed.flags, managed.tensor.data) == (1, view.ctypes.data)
        with pytest.raises(TypeError, match="GPU"):
            numpy.asarray(array)
        with pytest.raises(BufferError):
            array.__dlpack__(dl_device=(1, 0))
        del array, view, plain, versioned
    assert sim.step() == 1


def test_arrays_on_a_gpu_tell_where_they_are():
    """What the engine's arrays on a GPU are handed on as; where there is one, the numbers too."""
    try:
        sim = scree.Simulation(PILE, device="cuda")
    except scree.SceneError as error:
        pytest.skip(str(error))
    sim.step(10)
    with sim.raw() as raw:
        array = raw["position"]
        shown = array.__cuda_array_interface__
        assert shown["version"] == 3 and shown["shape"] == (216, 3) and shown["strides"] == (32, 8) and shown["typestr"] == "<f8"
        assert array.__dlpack_device__() == (2, 0)
        capsule = array.__dlpack__()
        tensor = in_capsule(capsule, b"dltensor", Managed)
        assert (tensor.data, tensor.device_type, tensor.device_id) == (shown["data"][0], 2, 0)
        with pytest.raises(TypeError, match="GPU"):
            numpy.asarray(array)


def test_pictures_of_a_simulation_in_memory(tmp_path):
    with on_cpu(PILE, output=tmp_path / "run") as sim:
        sim.run(until=0.02)
        drawn = sim.picture(size=(320, 200))
        sim.picture(tmp_path / "now.png", size=(320, 200), colour="radius")
        contacts = sim.picture(size=(320, 200), colour="coordination")
    run = scree.open_run(tmp_path / "run")
    run.picture(tmp_path / "frame.png", size=(320, 200))
    assert drawn == (tmp_path / "frame.png").read_bytes()  # that of the frame of the same step
    run.picture(tmp_path / "frame.png", size=(320, 200), colour="coordination")
    assert contacts == (tmp_path / "frame.png").read_bytes()
    assert (tmp_path / "now.png").read_bytes() != drawn
    sim = on_cpu(PILE)
    first = sim._repr_png_()
    assert first[:8] == b"\x89PNG\r\n\x1a\n" and sim._repr_png_() is first
    assert "<table>" in sim._repr_html_() and "data:image/png;base64," in sim._repr_html_()
    sim.step(2000)
    assert sim._repr_png_() != first
    for wrong, error in (({"colour": "nothing"}, "no such field"), ({"size": (4, 4)}, "from 16 to"), ({"file": tmp_path / "x.jpg"}, "ends in .png")):
        with pytest.raises(ValueError, match=error):
            sim.picture(**wrong)


@pytest.mark.parametrize("name", ["mill", "blocks", "gas"])
def test_pictures_show_walls_where_they_are_and_every_kind_of_body(tmp_path, name):
    with on_cpu(scree.Scene(SCENES / f"{name}.toml"), output=tmp_path / "run") as sim:
        sim.step(150)
        drawn = sim.picture(size=(200, 150))
    scree.open_run(tmp_path / "run").picture(tmp_path / "last.png", size=(200, 150))
    assert drawn == (tmp_path / "last.png").read_bytes()


@pytest.mark.parametrize("what", ["sim.step(50)", "sim.run(until=sim.time + 1)", "sim.run(until=sim.time + 1, every=1e-4, callback=look)", "sim.step(5), sim.bodies.position"])
def test_python_ends_in_order_while_a_daemon_thread_steps(what):
    code = (
        "import scree, threading, time\n"
        f"sim = scree.Simulation({str(PILE)!r}, device='cpu', threads=1)\n"
        "def look(s): time.sleep(0.001)\n"
        "def work():\n"
        f"    while True: {what}\n"
        "threading.Thread(target=work, daemon=True).start()\n"
        "time.sleep({wait})\n"
        "print('end', flush=True)\n"
    )
    for wait in (0.1, 0.25):
        done = subprocess.run([sys.executable, "-c", code.replace("{wait}", str(wait))], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


def test_the_thread_that_ends_python_may_still_step():
    code = (
        "import atexit, os, scree, sys, threading\n"
        f"sim = scree.Simulation({str(PILE)!r}, device='cpu', threads=1)\n"
        "atexit._run_exitfuncs()\n"  # as at the end
        "print(sim.step(3))\n"
        "refused = []\n"
        "def work():\n"
        "    try: sim.step()\n"
        "    except SystemExit: refused.append(1)\n"
        "thread = threading.Thread(target=work); thread.start(); thread.join(); print(refused)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "3\n[1]\n", "")


def test_threads_that_look_at_raw_arrays_at_a_time():
    """One simulation each; capsules are given back by whichever thread is last."""
    failed = []

    def work():
        sim = on_cpu(PILE)
        for _ in range(30):
            sim.step(2)
            with sim.raw() as raw:
                if not numpy.array_equal(numpy.from_dlpack(raw["position"]), raw["position"]):
                    failed.append(sim.time)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
