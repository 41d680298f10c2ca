"""Scree from Python: scenes, simulations that are stepped, looked at and changed, and runs that were written. See docs/python.md."""

import os as _os

# Threads that wait for each other are to sleep soon, as those of the program (src/base/brief_waits.hpp); OpenMP reads this as it is loaded.
_waits = not any(name in _os.environ for name in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT"))
if _waits:
    _os.environ["GOMP_SPINCOUNT"] = "3000"
from . import _core

if _waits:
    del _os.environ["GOMP_SPINCOUNT"]

from ._core import __version__, scene_reference
from ._errors import RunError, SceneError
from ._run import Frame, Run, open_run
from ._scene import Scene, keys
from ._simulation import Simulation

__all__ = ["Frame", "Run", "RunError", "Scene", "SceneError", "Simulation", "__version__", "keys", "open_run", "scene_reference"]
