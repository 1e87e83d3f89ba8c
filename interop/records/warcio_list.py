"""Lists the records of ARC and WARC files as warcio reads them.

Reads file names from standard input, one a line. For each, writes tab-separated lines in the form
that JwarcList.java also writes and peers_test.go reads:

    file       NAME
    record     OFFSET  LENGTH  TYPE  TARGET    (LENGTH is -1 if the peer does not report it)
    complaint  TEXT            (warcio raised an error or printed a warning; listing of this file ends)
    end
"""
import contextlib
import io
import sys

from warcio.archiveiterator import ArchiveIterator


def one_line(text):
    return " ".join(str(text).split())[:300]


def list_file(name, out):
    said = io.StringIO()
    try:
        with open(name, "rb") as stream, contextlib.redirect_stderr(said):
            records = ArchiveIterator(stream)
            for record in records:
                target = record.rec_headers.get_header("WARC-Target-URI") or record.rec_headers.get_header("uri") or ""
                offset = records.get_record_offset()
                length = records.get_record_length()  # reads the block to its end
                kind = record.rec_type or ""
                out.write(f"record\t{offset}\t{length}\t{kind}\t{one_line(target)}\n")
    except Exception as error:  # any error of a peer is a complaint
        out.write(f"complaint\t{type(error).__name__}: {one_line(error)}\n")
    if said.getvalue().strip():
        out.write(f"complaint\t{one_line(said.getvalue())}\n")


def main():
    out = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", errors="backslashreplace")
    for line in sys.stdin:
        name = line.rstrip("\n")
        out.write(f"file\t{name}\n")
        list_file(name, out)
        out.write("end\n")
    out.flush()


main()
