"""What docs/python.md shows runs as it stands, one block after the other, and so do the scripts of examples/python, each for a short while."""

import importlib
import re
import sys

import numpy
import pytest

from conftest import ROOT

sys.path.insert(0, str(ROOT / "examples" / "python"))


def test_page(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/python.md").read_text(), re.S)
    assert len(blocks) == 5
    names = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
    assert names["sim"].time > 0.4 and len(names["run"].frames) >= 2 and (tmp_path / "last.png").exists()
    out = capsys.readouterr().out
    assert "m high" in out and "is on top" in out


def test_dosing(capsys):
    assert importlib.import_module("dosing").main(150, 0.02, 1)[0] < 150
    assert "asked for 150.0 g" in capsys.readouterr().out


def test_mixing():
    curve = importlib.import_module("mixing").main(0.2)
    assert len(curve) == 4 and all(-0.2 < index < 1.2 for _, index in curve)


def test_bucket():
    """Episodes from one checkpoint, with one policy, are the same to the last bit."""
    first, second = importlib.import_module("bucket").main(2, 6)
    assert first == second


def test_fluidised_bed():
    """A slow gas takes the pressure of Ergun's law for a packed bed, within the unevenness of the bed in slices; where the flow is fast the bed
    rises; and gas and column bear its weight together, within what a bed that moves up and down is accelerated by."""
    curve = importlib.import_module("fluidised_bed").main(700, 0.04)
    _, fall, packed, by_gas, _, rest = curve[0]
    assert fall == pytest.approx(packed, rel=0.3) and by_gas < 0.2
    assert curve[-1][5] > 1.1 * rest
    assert numpy.mean([by_gas + by_column for *_, by_gas, by_column, _ in curve]) == pytest.approx(1, abs=0.1)
