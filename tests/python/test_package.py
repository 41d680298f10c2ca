"""The package itself: its types, and a wheel of it in a new environment."""

import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

import pytest

import scree
from conftest import ROOT


def test_types_agree_with_the_package(tmp_path):
    pytest.importorskip("mypy")
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(
        "import scree\n"
        'scene = scree.Scene("a.toml", set={"time.end": 2})\n'
        "with scree.Simulation(scene, threads=2) as sim:\n"
        "    sim.run(until=1.0, every=0.1, callback=lambda s: s.time < 0.5)\n"
        "    height: float = float(sim.bodies.position[:, 2].max())\n"
        '    load = sim.walls["lid"].force[2]\n'
        'first: scree.Frame = scree.open_run("run").frames[0]\n'
    )
    wrong.write_text("import scree\nscree.Simulation(3).run(until='x')\n")
    environment = {**os.environ, "MYPY_CACHE_DIR": str(tmp_path), "MYPYPATH": str(ROOT / "python")}
    command = [sys.executable, "-m", "mypy", "--follow-imports=silent", str(ROOT / "python/scree/__init__.pyi"), str(right), str(wrong)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.stdout.count("error: ") == 2 and done.stdout.count("wrong.py:2: error: ") == 2, done.stdout + done.stderr


def test_every_public_name_has_a_type_and_a_line_of_help():
    types = (ROOT / "python/scree/__init__.pyi").read_text()
    for name in scree.__all__:
        assert f"class {name}" in types or f"def {name}(" in types or f"{name}:" in types, name
        if not name.startswith("__"):
            assert getattr(scree, name).__doc__, name
    for kind in (scree.Scene, scree.Simulation, scree.Run):
        for name in vars(kind):
            if not name.startswith("_"):
                assert f"def {name}(" in types or f"{name}:" in types, f"{kind.__name__}.{name}"


def test_import_brings_nothing_large():
    """What takes long to import comes when it is first needed (bench/python_cost tells the time)."""
    code = "import scree, sys; print(sorted({name.split('.')[0] for name in sys.modules} & {'pandas', 'matplotlib', 'h5py', 'scipy', 'IPython'}))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_wheel_holds_the_modules_of_all_levels(tmp_path, monkeypatch):
    """Of an x86-64 one for each level, by default; by `arch` of that processor alone; and what a build that is packed as it is has."""
    monkeypatch.syspath_prepend(str(ROOT / "python"))
    import build_wheel

    monkeypatch.setattr(build_wheel.platform, "machine", lambda: "x86_64")
    options = build_wheel.options_for({})
    assert (options["SCREE_HOST_ARCH"], options["SCREE_HOST_LEVELS"]) == ("x86-64-v2", "v3;v4")
    options = build_wheel.options_for({"arch": "native"})
    assert (options["SCREE_HOST_ARCH"], options["SCREE_HOST_LEVELS"]) == ("native", "")
    options = build_wheel.options_for({"arch": "x86-64", "levels": "v3"})
    assert (options["SCREE_HOST_ARCH"], options["SCREE_HOST_LEVELS"]) == ("x86-64", "v3")
    monkeypatch.setattr(build_wheel.platform, "machine", lambda: "aarch64")
    assert (build_wheel.options_for({})["SCREE_HOST_ARCH"], build_wheel.options_for({})["SCREE_HOST_LEVELS"]) == ("", "")

    plain = ["libscree_host_double", "libscree_host_mixed"]
    assert build_wheel.modules_of(tmp_path) == plain
    for levels, suffixes in (("", [""]), ("v3;v4", ["", "_v3", "_v4"])):
        (tmp_path / "CMakeCache.txt").write_text(f"SCREE_HOST_ARCH:STRING=x86-64-v2\nSCREE_HOST_LEVELS:STRING={levels}\nX:BOOL=ON\n")
        assert build_wheel.modules_of(tmp_path) == [name + suffix for suffix in suffixes for name in plain]


def test_the_wheel_for_gpus(tmp_path):
    """Its modules lie beside the library of the first wheel, which it asks for in its own version; without them it is not made."""
    (tmp_path / "bin").mkdir()
    command = [sys.executable, str(ROOT / "python/build_wheel.py"), "--cuda", str(tmp_path), f"prebuilt={tmp_path}"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and "no " + str(tmp_path / "bin/libscree_cuda_double.so") in done.stderr and "nvcc" in done.stderr
    host = pathlib.Path(scree._core.__file__).parent.parent.parent / "bin/libscree_host_double.so"
    for flavor in ("double", "mixed"):  # any module stands in for one that nvcc makes
        shutil.copy(host, tmp_path / f"bin/libscree_cuda_{flavor}.so")
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    wheel = pathlib.Path(done.stdout.split()[-1])
    version = scree.__version__
    assert wheel.name.startswith(f"scree_cuda-{version}-py3-none-linux_")
    with zipfile.ZipFile(wheel) as file:
        info = f"scree_cuda-{version}.dist-info"
        assert file.namelist() == ["scree/libscree_cuda_double.so", "scree/libscree_cuda_mixed.so", f"{info}/METADATA", f"{info}/WHEEL", f"{info}/RECORD"]
        assert f"Requires-Dist: scree (=={version})" in file.read(f"{info}/METADATA").decode()
        assert "Tag: py3-none-linux_" in file.read(f"{info}/WHEEL").decode()


def test_wheel_in_a_new_environment(tmp_path):
    pytest.importorskip("pip")
    build = pathlib.Path(os.environ["SCREE_PROGRAM"]).parent.parent
    if not (build / "bin/libscree_host_mixed.so").exists():
        pytest.skip("the module for single precision is not built")
    made = subprocess.run([sys.executable, str(ROOT / "python/build_wheel.py"), str(tmp_path), f"prebuilt={build}"], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    wheel = pathlib.Path(made.stdout.split()[-1])
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
    assert wheel.stat().st_size < 40e6
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", str(tmp_path / "venv")], check=True)
    python = tmp_path / "venv/bin/python"
    subprocess.run([sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-index", "--no-deps", wheel], check=True, env=environment)
    code = (
        "import scree, os; print(os.path.dirname(scree.__file__))\n"
        "for precision in ('double', 'mixed'):\n"
        f"    s = scree.Simulation({str(ROOT / 'examples/box_drop.toml')!r}, device='cpu', precision=precision)\n"
        "    print(s.step(20), len(s.bodies))\n"
    )
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(tmp_path / "venv")) and done.stdout.count("\n20 ") == 2
    assert shutil.which("ldd") is None or "not found" not in subprocess.run(["ldd", next((tmp_path / "venv").glob("lib/*/site-packages/scree/libscree.so.0"))], capture_output=True, text=True).stdout
