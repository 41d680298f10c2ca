"""Runs the tests of one file with pytest; 77 where that, or NumPy, is not there.   run.py FILE"""

import pathlib
import sys

try:
    import numpy
    import pytest
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", str(pathlib.Path(__file__).parent / sys.argv[1])]))
