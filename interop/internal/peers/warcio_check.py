"""Asks `warcio check` for its verdict on each file named on standard input, in the form described
in Asked.java."""
import argparse
import contextlib
import io
import signal
import sys

from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

PATIENCE_SECONDS = 10  # of processor time; wall-clock time means little on a busy machine


class NoEnd(Exception):
    """The file was given up."""


def give_up(_signal, _frame):
    raise NoEnd(f"no end after {PATIENCE_SECONDS} s")


def one_line(text):
    return " ".join(str(text).replace("|", " ").split())[:200]


def has_records(name):
    """Reports whether a file has records; check prints nothing about files without."""
    with open(name, "rb") as stream:
        return next(iter(ArchiveIterator(stream)), None) is not None


def judge(name):
    said = io.StringIO()
    checker = Checker(argparse.Namespace(inputs=[name], verbose=False))
    signal.setitimer(signal.ITIMER_PROF, PATIENCE_SECONDS)
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            invalid = checker.process_all() != 0
            if not invalid and not has_records(name):
                return "refused", "no records"
    except Exception as error:  # check does not catch these errors, either
        return "refused", f"breaks down: {type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    reasons = said.getvalue().replace(name, "").strip()
    if reasons.startswith("saw exception ArchiveLoadFailed: Unknown archive format"):
        return "refused", reasons
    return ("invalid" if invalid else "valid"), reasons


def main():
    signal.signal(signal.SIGPROF, give_up)
    out = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", errors="backslashreplace")
    for line in sys.stdin:
        name = line.rstrip("\n")
        verdict, reason = judge(name)
        out.write(f"{name}\t{verdict}\t{one_line(reason)}\n")
    out.flush()


main()
