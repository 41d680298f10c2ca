"""Many runs of the program, several at a time, in one folder: what has been run there is kept, and what was cut off goes on from its checkpoint.

    DIR/runs/0007/       a run directory
    DIR/runs/0007.json   what came of it, written once it has ended: settings, `status` (done, failed or cut), reason, wall time, hash of its state;
                         `killed`, where signals ended it that this program had not sent, how often since it was last whole
    DIR/runs/0007.log    what the program said
    DIR/plan.json        the settings of each number
A run is known by its scene's text and all its settings, whatever asks for it; those that are the same are run once.
"""
import fcntl
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from scree_run import Problem, write_whole
from toml_places import shown_value

POLL_SECONDS = 0.02
KILL_SECONDS = 60  # that runs have to write a checkpoint once they are told to stop
INTERRUPTED = 130  # exit code of a run that was told to stop, and of this program then
MOST_KILLED = 2  # times that a signal may end a run, which then counts as failed: the second try would have gone well if the first had bad luck


class Scene:
    """A scene file and what is given to the program with it: `options` such as --precision."""

    def __init__(self, path, options=()):
        self.path, self.options = Path(path), list(options)
        try:
            self.hash = hashlib.sha256(self.path.read_bytes()).hexdigest()
        except OSError as problem:
            raise Problem(f"{path}: {problem.strerror}") from None

    def check(self, program, settings, table, places):
        """Throws Problem where the program would not run the scene with these settings: at the place of the key at fault, `places` by key, where it is
        one of `table`'s file, else as the program says it. Returns what the program said."""
        done = subprocess.run([program, "check", str(self.path), *as_options(settings), *self.options], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return done.stdout
        said = next((line for line in done.stderr.splitlines() if line.startswith("error: ")), done.stderr.strip()).removeprefix("error: ")
        found = re.match(r"--set ([^:]+): ", said)
        if found and found[1] in places:
            raise Problem(f"{places[found[1]]}: {said[found.end():]}; this is {found[1]} of {self.path}")
        raise Problem(f"{table.place('scene')}: the scene cannot run: {said}")


def as_options(settings):
    """A dictionary of values by key path as --set options."""
    return [word for key, value in settings.items() for word in ("--set", f"{key}={shown_value(value)}")]


class Job:
    """One run: a scene, its settings by key path, and words for people. `number` is given by the store."""

    def __init__(self, scene, settings, words=""):
        self.scene, self.settings, self.words, self.number = scene, settings, words, None

    def identity(self):
        what = [self.scene.hash, self.scene.options, sorted((key, shown_value(value)) for key, value in self.settings.items())]
        return hashlib.sha256(json.dumps(what).encode()).hexdigest()[:24]


class Store:
    """The folder of the runs. Throws Problem where it holds something else, or where runs of an earlier call still go on. `alone`: whether this call
    alone may use it; calls for single runs share it."""

    def __init__(self, folder, kind, overwrite=False, alone=True):
        self.folder, self.kind = Path(folder), kind
        self.plan_file, self.runs = self.folder / "plan.json", self.folder / "runs"
        self._lock = None
        if self.folder.exists() and not self.folder.is_dir():
            raise Problem(f"-o {folder}: this is a file; name a folder")
        there = self._read_plan()
        if not there and self.folder.is_dir() and any(self.folder.iterdir()):
            raise Problem(f"-o {folder}: this folder holds other things; name a new one, or one of an earlier {kind}")
        self.folder.mkdir(parents=True, exist_ok=True)
        self._take_lock(alone)
        there = self._read_plan()  # as the call before left it
        if overwrite and there:
            shutil.rmtree(self.runs, ignore_errors=True)
            for name in [*RESULT_FILES, "plan.json"]:
                (self.folder / name).unlink(missing_ok=True)
            self.numbers = {}
        self.runs.mkdir(exist_ok=True)
        if not self.plan_file.exists():
            self._write_plan()

    def _read_plan(self):
        """Takes the numbers of an earlier call. False: there was none."""
        self.numbers = {}
        if not self.plan_file.exists():
            return False
        try:
            plan = json.loads(self.plan_file.read_text(encoding="utf-8"))
            found, self.numbers = plan["kind"], dict(plan["numbers"].items())
        except (ValueError, KeyError, TypeError, AttributeError):
            raise Problem(f"{self.plan_file}: this is no plan of runs; name another folder by -o") from None
        if found != self.kind:
            raise Problem(f"-o {self.folder}: this folder is of a {found}; name another one")
        return True

    def _take_lock(self, alone):
        # Runs hold it as well, so that it is taken as long as one of them lives.
        self._lock = os.open(self.folder / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self._lock, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except OSError:
            raise Problem(f"{self.folder}: another call works here, or runs that it started still go on; wait for them, or end them") from None

    def lock(self):
        return self._lock

    def _write_plan(self):
        write_whole(self.plan_file, json.dumps({"kind": self.kind, "numbers": self.numbers}, indent=1))

    def add(self, jobs):
        """Gives each job its number: that of the same settings before, else a new one."""
        new, following = 0, 1 + max(self.numbers.values(), default=-1)
        for job in jobs:
            job.number = self.numbers.setdefault(job.identity(), following + new)
            new += job.number == following + new
        if new:
            self._write_plan()
        return new

    def directory(self, job):
        return self.runs / f"{job.number:04d}"

    def log(self, job):
        return self.runs / f"{job.number:04d}.log"

    def _record_file(self, job):
        return self.runs / f"{job.number:04d}.json"

    def record(self, job):
        """What came of a job; None where it has not ended."""
        try:
            return json.loads(self._record_file(job).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def write_record(self, job, record):
        write_whole(self._record_file(job), json.dumps(record, indent=1))

    def waiting(self, jobs, retry):
        """Those that are to be run, each number once: without a record, cut off, or with `retry` failed."""
        again = ("cut", "failed") if retry else ("cut",)
        first = {}
        for job in jobs:
            first.setdefault(job.number, job)
        return [job for job in first.values() if (record := self.record(job)) is None or record["status"] in again]


RESULT_FILES = ("results.csv", "points.csv", "results.h5", "sweep.sbatch", "report.html", "best.toml", "best.json", "evaluations.csv")


def summary_of(directory):
    try:
        return json.loads((directory / "summary.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


class Pool:
    """Runs jobs of a store, so many at a time. `limit` is the wall-clock time that a run may take [s], None for any."""

    def __init__(self, store, program, at_a_time, threads, limit=None, quiet=False):
        self.store, self.program, self.at_a_time, self.threads, self.limit, self.quiet = store, program, at_a_time, threads, limit, quiet
        self.stopped = False
        self._signals = 0
        self._going, self._line = {}, ""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) != signal.SIG_IGN:  # as nohup has it
                signal.signal(number, self._stop)

    def _stop(self, number, frame):
        self.stopped = True
        self._signals += 1

    def run(self, jobs):
        """Runs all, and writes their records. Once told to stop it lets those that run write their checkpoints, and returns."""
        self._started = time.monotonic()
        try:
            return self._run(list(jobs))
        except BaseException:
            for process in self._going:  # they write their checkpoints
                process.send_signal(signal.SIGTERM)
            raise

    def _run(self, waiting):
        done, failed, total, told = 0, 0, len(waiting), 0
        while waiting or self._going:
            while waiting and len(self._going) < self.at_a_time and not self.stopped:
                self._start(waiting.pop(0))
            if self.stopped:
                waiting = []
                told = self._tell_to_stop(told)
            for process in [one for one in self._going if one.poll() is not None]:
                record = self._end(process)
                done, failed = done + (record["status"] != "cut"), failed + (record["status"] == "failed")
            self._show(done, failed, total)
            time.sleep(POLL_SECONDS)
        self._clear()
        return done

    def _command(self, job):
        directory = self.store.directory(job)
        command = [self.program, "run", str(job.scene.path), *as_options(job.settings), "-o", str(directory), "-q", "--threads", str(self.threads), *job.scene.options]
        if directory.exists():
            command += ["--restart", str(directory / "checkpoint.h5")] if self._continues(job) else ["--overwrite"]
        return command

    def _continues(self, job):
        record = self.store.record(job)
        whole = record is None or record["status"] == "cut"
        return whole and (self.store.directory(job) / "checkpoint.h5").exists()

    def _start(self, job, earlier=0.0):
        command = self._command(job)
        if "--restart" in command:
            earlier = summary_of(self.store.directory(job)).get("wall_seconds", 0.0)
        with open(self.store.log(job), "w", encoding="utf-8") as log:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, pass_fds=(self.store.lock(),))
        self._going[process] = (job, time.monotonic(), earlier, "--restart" in command, [])

    def _tell_to_stop(self, told):
        if self._signals > told:
            for process in self._going:
                # A second time means now.
                process.send_signal(signal.SIGTERM if told == 0 else signal.SIGKILL)
        return self._signals

    def _end(self, process):
        job, start, earlier, restarted, limited = self._going.pop(process)
        code, directory = process.returncode, self.store.directory(job)
        if restarted and code == 2:
            # A checkpoint of another version of the program, or half a file: from the start, then.
            shutil.rmtree(directory, ignore_errors=True)
            if not self.stopped:
                self._start(job)
                return {"status": "cut"}
        summary = summary_of(directory) if code in (0, 1, INTERRUPTED) else {}
        said = [line.removeprefix("error: ") for line in self.store.log(job).read_text(encoding="utf-8", errors="replace").splitlines() if line.startswith("error: ")]
        reason, killed = summary.get("exit_reason", ""), (self.store.record(job) or {}).get("killed", 0)
        if code == 0:
            status = "done"
        elif limited:
            status, reason = "failed", f"stopped at its limit of {self.limit:g} s"
        elif code == INTERRUPTED or code < 0 and self.stopped:
            status, reason = "cut", reason or ended_by(code)
        elif code < 0:
            killed += 1
            status, reason = ("cut", ended_by(code)) if killed < MOST_KILLED else ("failed", f"{ended_by(code)}, as it was by a signal when it ran before")
        else:
            status, reason = "failed", summary.get("exit_message") or (said[0] if said else f"exit code {code}")
        record = {"settings": job.settings, "scene": str(job.scene.path), "status": status,
                  "exit_code": code, "reason": reason, "wall_seconds": round(earlier + time.monotonic() - start, 3)}
        record |= {key: summary.get(key) for key in ("bodies", "steps", "time", "state_hash", "version")}
        if killed and status != "done":
            record["killed"] = killed
        self.store.write_record(job, record)
        words = {"done": f"done in {record['wall_seconds']:.1f} s", "failed": f"FAILED: {reason}", "cut": f"cut off ({reason})"}[status]
        self._clear()
        if not self.quiet:
            print(f"{job.number:04d}  {job.words}  {words}", flush=True)
        return record

    def _show(self, done, failed, total):
        for process, (_, start, _, _, limited) in self._going.items():
            if self.limit and time.monotonic() - start > self.limit and not limited:
                limited.append(True)
                process.send_signal(signal.SIGTERM)
            if limited and time.monotonic() - start > self.limit + KILL_SECONDS:
                process.kill()
        if self.quiet or not sys.stderr.isatty():
            return
        left = ""
        if done:
            seconds = (time.monotonic() - self._started) / done * (total - done)
            left = f", about {seconds / 60:.0f} min left" if seconds > 100 else f", about {seconds:.0f} s left"
        line = f"{done} of {total} done{f', {failed} failed' if failed else ''}, {len(self._going)} running{' (stopping)' if self.stopped else left}"
        if line != self._line:
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
            self._line = line

    def _clear(self):
        if self._line:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._line = ""


def ended_by(code):
    """In words, from the exit code of a process that a signal ended."""
    try:
        return f"ended by signal {-code} ({signal.Signals(-code).name})"
    except ValueError:  # one of those for real time
        return f"ended by signal {-code}"


def threads_of(options, asked):
    """CPU threads of each run: of --threads, else what the file says (`asked`: what was read of it). Throws Problem, at the place in the file, where runs on this machine
    would be refused so many; runs of an array go to others."""
    if options["threads"]:
        return options["threads"]
    most = options["most_threads"]
    if asked.threads > most and not (options["slurm"] or options["collect"]):
        raise asked.table.problem(f"threads = {asked.threads}: at most {most} are taken on this machine", "threads")
    return asked.threads


def at_a_time(options, threads):
    """How many runs at a time: what was asked for, else as many as there are processors for their threads."""
    return options["jobs"] or max(1, len(os.sched_getaffinity(0)) // threads)
