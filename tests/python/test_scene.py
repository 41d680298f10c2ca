"""Scenes from Python: dicts, the builder, overrides, and mistakes with their places."""

import copy
import pickle
import tomllib

import numpy
import pytest

import scree
from scree import _toml
from conftest import PILE


def test_builder_and_dict_and_text_say_the_same(balls):
    built = scree.Scene()
    built.time.end = 0.05
    built.domain(min=[-1, -1, -1], max=numpy.ones(3))
    built.material.add("glass", density=numpy.float64(2500), young="5 MPa", poisson=0.25, restitution=0.6, friction=0.4)
    built.shape.add("ball", kind="sphere", radius="5 mm")
    built.bodies.add(shape="ball", material="glass", place={"lattice": (3, 3, 3), "spacing": "12 mm", "jitter": 0.9})
    floor = built.wall.add(name="floor", kind="plane", point=[0, 0, 0], normal=[0, 0, 1], material="glass")
    floor.point = [0, 0, -0.01]
    given = scree.Scene(balls)
    assert built.resolved == given.resolved == scree.Scene.from_text(given.text).resolved
    assert scree.Scene(given.as_dict()).resolved == given.resolved


def test_changes_after_a_check_are_seen(balls):
    scene = scree.Scene(balls)
    assert "27" in scene.check(device="cpu")
    scene.bodies[0].place["lattice"] = [2, 2, 2]
    assert "27" not in scene.check(device="cpu").split("step")[0] and "8" in scene.check(device="cpu")


def test_copies_are_scenes_of_their_own(balls):
    for scene in (scree.Scene(balls), scree.Scene(PILE)):
        for other in (copy.deepcopy(scene), pickle.loads(pickle.dumps(scene))):
            assert other.resolved == scene.resolved
            other.time.end = 0.125
            next(iter(other.material.values())).friction = 0.0625
            assert "friction = 0.0625" in other.resolved and "friction = 0.0625" not in scene.resolved
            assert other.end == 0.125 != scene.end
            other.wall.add(name="another", kind="plane", point=[0, 0, -0.5], normal=[0, 0, 1], material=next(iter(other.material)))
            assert "another" in other.resolved


def test_text_that_toml_must_escape(balls):
    balls["title"] = 'a "quoted" \\ line, é'
    scene = scree.Scene(balls)
    assert scree.Scene.from_text(scene.resolved).resolved == scene.resolved
    hard = {"a b": 'x "y" \\ z\n\t\x07\x7f', "list": [1.5, float("inf"), -1e-300, True, "é"], "table": {"of": {"tables": [1, 2]}}, "many": [{"a": 1}, {"b.c": {"d": 2}}]}
    assert tomllib.loads(_toml.document(hard)) == hard


def test_overrides(balls):
    scene = scree.Scene(PILE, set=["time.end=0.5"])
    assert scene.end == 0.5
    assert scene.set({"time.end": 0.25, "material.grain.friction": 0.1}).end == 0.25
    assert scene.set("time.end=2 s").end == 2.0
    assert scene.end == 0.5
    assert scree.Scene(balls).set({"time.end": 1}).end == 1


def test_a_file_becomes_tables_once_they_are_asked_for():
    scene = scree.Scene(PILE)
    assert scene.material["grain"].friction == 0.5
    scene.material["grain"].friction = 0.25
    scene.measure.add(kind="momentum")
    assert "friction = 0.25" in scene.resolved and scene.resolved.count("[[measure]]") == 6
    assert scree.Scene(PILE).resolved.count("[[measure]]") == 5


def test_unknown_keys_get_the_message_of_the_schema(balls):
    balls["material"]["glass"]["fricton"] = 0.4
    with pytest.raises(scree.SceneError, match='unknown key "fricton".*did you mean "friction"') as caught:
        scree.Scene(balls).check()
    line = scree.Scene(balls).text.splitlines()[caught.value.line - 1]
    assert line[caught.value.column - 1 :].startswith("fricton")
    assert caught.value.file == "scene"


def test_places_in_files(tmp_path):
    file = tmp_path / "bad.toml"
    file.write_text(PILE.read_text().replace('end = "0.06 s"', 'end = "0.06 kg"'))
    with pytest.raises(scree.SceneError) as caught:
        scree.Scene(file)
    assert (caught.value.file, caught.value.line) == (str(file), 6)
    assert caught.value.column > 0 and str(caught.value).startswith(f"{file}:6:")
    assert isinstance(caught.value, ValueError)
    with pytest.raises(scree.SceneError) as caught:
        scree.Scene(tmp_path / "none.toml")
    assert caught.value.line is None


@pytest.mark.parametrize("value", [object(), b"x", {1: 2}])
def test_what_a_scene_cannot_hold(balls, value):
    balls["time"]["end"] = value
    with pytest.raises(TypeError):
        scree.Scene(balls).check()


def test_names_come_from_the_schema():
    scene = scree.Scene()
    assert {"material", "bodies", "wall", "time", "measure"} <= set(dir(scene))
    assert "friction" in dir(scene.material.add("m"))
    assert "[Pa]" in scene.material.help("young")
    with pytest.raises(AttributeError, match="no key \"bodys\""):
        scene.bodys
    assert "[[wall]]" in scree.scene_reference()


def test_relative_paths_start_at_the_scene(tmp_path, balls):
    (tmp_path / "balls.csv").write_text("x,y,z,radius\n0,0,0,0.005\n0,0,0.1,0.005\n")
    balls["bodies"] = [{"material": "glass", "place": {"file": "balls.csv"}}]
    scree.Scene(balls, folder=tmp_path).check(device="cpu")
    with pytest.raises(scree.SceneError, match="balls.csv"):
        scree.Scene(balls, folder=tmp_path / "elsewhere").check(device="cpu")
