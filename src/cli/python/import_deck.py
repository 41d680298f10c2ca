"""What `scree import` does: an input deck of LAMMPS or LIGGGHTS as a scene, with what is not converted told on the terminal and in the scene's comments."""
import json
import os
import subprocess
import sys
from pathlib import Path

from deck_lines import Deck, DeckError
from deck_model import Model
from deck_scene import Scene


def write_whole(path, data):
    """Writes a file so that it is there whole or not at all."""
    temporary = path.with_name(path.name + ".tmp")
    try:
        temporary.write_bytes(data)
        os.replace(temporary, path)
    except OSError as problem:
        raise DeckError(f"cannot write {path}: {problem.strerror}") from None


def main(options):
    deck, output = Path(options["deck"]), Path(options["output"])
    if not deck.is_file():
        raise DeckError(f"{deck}: {'a folder, not an input deck' if deck.is_dir() else 'there is no such file'}")
    if output.exists() and output.samefile(deck):
        raise DeckError(f"-o {output}: this is the deck itself")
    if not output.resolve().parent.is_dir():
        raise DeckError(f"-o {output}: there is no folder {output.resolve().parent}")
    model = Model(Deck(deck)).read()
    if not model.bodies and not model.inserts and not model.walls:
        raise DeckError(f"{deck}: the deck makes neither bodies nor walls; is it an input deck? A data file or a dump is read by place = {{ file = ... }} of [[bodies]]")
    if not model.bodies and not model.inserts:
        model.remark(next(iter(model.fixes.values())), "the deck makes no bodies that are converted: put [[bodies]] in")
    scene = Scene(model, output)
    text = scene.text()
    text = scene._comments() + text[text.index("\n[time]\n"):]  # with what came up while it was written
    for path in (output, *scene.files):
        if path.exists() and not options["overwrite"]:
            raise DeckError(f"{path} is there already: --overwrite replaces it")
    for path, data in scene.files.items():
        write_whole(path, data)
    write_whole(output, text.encode())
    for command, what in model.notes:
        print(f"{command.place()}: not converted: {command.text[:80]}\n    {what}")
    for command, what in model.remarks:
        print(f"{command.place()}: note: {what}")
    print(f"{output}: {len(model.notes)} thing{'s' * (len(model.notes) != 1)} not converted, {len(model.remarks)} in another way; the scene's comments list them")
    sys.stdout.flush()
    done = subprocess.run([options["program"], "check", str(output)], capture_output=True, text=True, check=False)
    for line in (done.stdout + done.stderr).splitlines():
        if line.startswith(("warning", "error")):
            print(line.replace("error: ", "the scene needs a change before it runs: ", 1), file=sys.stderr)
    if done.returncode != 0:
        sys.exit(1)


if __name__ == "__main__":
    try:
        main(json.loads(sys.argv[1]))
    except DeckError as problem:
        print(f"error: {problem}", file=sys.stderr)
        sys.exit(2)
    except RecursionError:
        print("error: the deck's formulas or files refer to each other too deep to follow", file=sys.stderr)
        sys.exit(2)
