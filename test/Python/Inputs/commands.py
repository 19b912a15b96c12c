"""Runs commands of the package within this process."""

import contextlib
import io


def run(main, *arguments):
    """Runs `main` with these arguments. Returns its exit status, standard output and standard
    error."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = main(list(arguments))
        except SystemExit as exit_:
            status = exit_.code
    return status, out.getvalue(), err.getvalue()
