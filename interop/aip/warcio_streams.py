"""Digests each record of WARC files as warcio reads it: the body as it is in the record, behind the
HTTP header (raw), and the body without chunked framing and content codings (content).

Reads file names from standard input, one a line. For each, writes tab-separated lines:

    file       NAME
    raw        OFFSET  TYPE  SIZE  SHA-256
    content    OFFSET  TYPE  SIZE  SHA-256
    complaint  TEXT            (warcio raised an error or printed a warning; reading of this file ends)
    end
"""
import contextlib
import hashlib
import io
import sys

from warcio.archiveiterator import ArchiveIterator


def one_line(text):
    return " ".join(str(text).split())[:300]


def digest(stream):
    seen, size = hashlib.sha256(), 0
    while piece := stream.read(65536):
        seen.update(piece)
        size += len(piece)
    return f"{size}\t{seen.hexdigest()}"


def read_file(name, kind, out):
    said = io.StringIO()
    try:
        with open(name, "rb") as stream, contextlib.redirect_stderr(said):
            records = ArchiveIterator(stream)
            for record in records:
                found = digest(record.raw_stream if kind == "raw" else record.content_stream())
                offset = records.get_record_offset()  # reads the rest of the record
                out.write(f"{kind}\t{offset}\t{record.rec_type}\t{found}\n")
    except Exception as error:  # any error of a peer is a complaint
        out.write(f"complaint\t{kind}: {type(error).__name__}: {one_line(error)}\n")
    if said.getvalue().strip():
        out.write(f"complaint\t{kind}: {one_line(said.getvalue())}\n")


def main():
    out = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", errors="backslashreplace")
    for line in sys.stdin:
        name = line.rstrip("\n")
        out.write(f"file\t{name}\n")
        read_file(name, "raw", out)
        read_file(name, "content", out)
        out.write("end\n")
    out.flush()


main()
