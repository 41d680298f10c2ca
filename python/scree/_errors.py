"""What the package raises."""


class SceneError(ValueError):
    """What was asked for is wrong: a scene, a file, an option. The text says where and what to change.

    `file`, `line` and `column` are the place in the scene file, or in the text that `Scene.text` has of a scene made in Python; None where
    there is none.
    """

    file = None
    line = None
    column = None


class RunError(RuntimeError):
    """A run cannot go on for a reason found while it ran: bodies that overlap too far, numbers that are not finite, a full disk."""
