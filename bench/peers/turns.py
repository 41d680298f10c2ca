"""Codes that are timed in turns: each is started, warms up by itself, and then runs one piece whenever it is told to (bench/peers/turn)."""
import os
import select
import signal
import subprocess
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PATIENCE = 7200  # seconds for one piece: far longer than any, so that what hangs ends at last


class Failed(Exception):
    """A code could not be run or said that something is wrong."""


class Participant:
    """One code on one number of threads. `command(turn)` gives its words, `turn` being what it has to call between its pieces."""

    def __init__(self, name, command, folder):
        self.name, self.folder = name, Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        for pipe in ("said", "go"):
            (self.folder / pipe).unlink(missing_ok=True)
            os.mkfifo(self.folder / pipe)
        self.said = os.open(self.folder / "said", os.O_RDWR | os.O_NONBLOCK)  # held open for writing too: never at its end
        self.log = self.folder / "log"
        self.cpu, self.peak = [], 0  # processor seconds so far at each wait; bytes
        with self.log.open("w") as log:
            self.process = subprocess.Popen([str(word) for word in command(f"{HERE / 'turn'} {self.folder}")], cwd=self.folder, stdout=log,
                                            stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)

    def tail(self):
        lines = [line for line in self.log.read_text(errors="replace").splitlines() if line.strip()]
        return " | ".join(lines[-3:])[-500:]

    def wait(self):
        """Until the code waits for its turn."""
        end = time.monotonic() + PATIENCE
        while not select.select([self.said], [], [], 0.2)[0]:
            if self.process.poll() is not None:
                raise Failed(f"{self.name} ended by itself, with status {self.process.returncode}: {self.tail()}")
            if time.monotonic() > end:
                raise Failed(f"{self.name} took longer than {PATIENCE} s for one piece")
        cpu, peak = os.read(self.said, 4096).split()
        self.cpu.append(float(cpu))
        self.peak = max(self.peak, int(peak))

    def go(self):
        with (self.folder / "go").open("w") as pipe:
            pipe.write("go\n")

    def finish(self):
        """Lets it say what state it ends in; returns all it printed."""
        self.go()
        try:
            status = self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired as error:
            raise Failed(f"{self.name} did not end") from error
        if status != 0:
            raise Failed(f"{self.name} ended with status {status}: {self.tail()}")
        return self.log.read_text(errors="replace")

    def end(self):
        """Ends what still runs of it."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGCONT)
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.said)


def take_turns(starts, rounds, tell):
    """Starts and warms up all, one after the other, then `rounds` times one piece of each. `starts`: functions that start one each.
    Returns for each (participant, all it printed)."""
    everyone = []
    try:
        for start in starts:
            everyone.append(start())
            tell(f"  {everyone[-1].name} warms up")
            everyone[-1].wait()
        for k in range(rounds):
            tell(f"  round {k + 1} of {rounds}")
            for one in everyone:
                one.go()
                one.wait()
        return [(one, one.finish()) for one in everyone]
    finally:
        for one in everyone:
            one.end()
