"""Wrong input of the commands that are written in Python: by the program, or, which is quicker, by the class that checks the file first."""

import contextlib


def check_refusals(test, whole, cases, by_program, run, read, problem):
    """`cases` of (old, new, said): the text with `old` replaced by `new` is refused with `said`, and nothing is written. Where
    by_program(old, new), run(text) starts the program and returns its message; else read(text) is to throw `problem`."""
    for old, new, said in cases:
        with test.subTest(new=new):
            text = whole.replace(old, new, 1)
            test.assertNotEqual(text, whole)
            if by_program(old, new):
                message = run(text)
                test.assertTrue(message.startswith("error: "), message)
                test.assertNotIn("Traceback", message)
                test.assertFalse((test.folder / "out").exists())
            else:
                with contextlib.chdir(test.folder), test.assertRaises(problem) as caught:
                    read(text)
                message = str(caught.exception)
            test.assertIn(said, message)
