"""Lists the revisit records of WARC files as warcio reads them, with its verdict on their digests.

Reads file names from standard input, one a line. For each, writes tab-separated lines:

    file       NAME
    revisit    ID  TARGET  PROFILE  REFERS-TO-URI  REFERS-TO-DATE  STATUS  LENGTH-OF-THE-BODY
    complaint  TEXT
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
            for record in ArchiveIterator(stream, check_digests="log"):
                body = record.raw_stream.read()
                if record.rec_type != "revisit":
                    continue
                get = record.rec_headers.get_header
                status = record.http_headers.get_statuscode() if record.http_headers else ""
                cells = [get("WARC-Record-ID"), get("WARC-Target-URI"), get("WARC-Profile"),
                         get("WARC-Refers-To-Target-URI"), get("WARC-Refers-To-Date"), status, str(len(body))]
                out.write("revisit\t" + "\t".join(one_line(c) for c in cells) + "\n")
    except Exception as error:  # any error of a peer is a complaint
        out.write(f"complaint\t{type(error).__name__}: {one_line(error)}\n")
    for line in said.getvalue().splitlines():
        out.write(f"complaint\t{one_line(line)}\n")


def main():
    out = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", errors="backslashreplace")
    for line in sys.stdin:
        name = line.rstrip("\n")
        out.write(f"file\t{name}\n")
        list_file(name, out)
        out.write("end\n")
    out.flush()


main()
