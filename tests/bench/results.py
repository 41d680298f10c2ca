"""Tiny results of tools/bench for the tests, with numbers that are easy to divide, and how to run the programs on them."""
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MACHINE = {"processor": "Some Processor", "cores": 2, "vector_instructions": "avx2", "compiler": "none", "date": "2026-01-01"}


def bed_row(bodies, threads, seconds, bytes_per_body=500):
    """`seconds` of pieces of ten steps; processor time is twice that."""
    return {"bodies": bodies, "precision": "double", "threads": threads, "steps": 10, "wall_seconds": seconds, "cpu_seconds": [2 * s for s in seconds],
            "particle_steps_per_second": bodies * 10 / min(seconds), "particle_steps_per_second_median": bodies * 10 / min(seconds),
            "cpu_seconds_per_wall_second": threads, "bytes_per_body": bytes_per_body,
            "stage_microseconds_per_step": {"contacts": 6.0, "motion": 3.0, "pair list": 1.0, "measure": 90.0}}


def micro_part():
    return {"results": [{"primitive": "for_each triad", "n": 10 ** 7, "threads": 1, "wall_seconds_min": 0.02, "wall_seconds_median": 0.02,
                         "cpu_seconds_min": 0.02, "gigabytes_per_second": 10.0}]}


def result(rows, **more):
    return {"machine": MACHINE, "commit": "abc", "bed": {"equal": {"results": rows, "peak_memory_bytes": 7e6}}, **more}


def write(folder, name, content):
    path = Path(folder) / name
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def run(program, *words):
    """Exit status, output and errors together."""
    done = subprocess.run([sys.executable, "-B", str(ROOT / "bench" / program), *map(str, words)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr
