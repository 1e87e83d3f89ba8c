"""Indexes ARC and WARC files as pywb does.

Reads file names from standard input, one a line. For each, writes tab-separated lines:

    file       NAME
    capture    URL  TIMESTAMP  STATUS  DIGEST      (STATUS is - if there is none)
    complaint  TEXT
    end
"""
import io
import json
import logging
import sys

from pywb.indexer.cdxindexer import write_cdx_index


def one_line(text):
    return " ".join(str(text).split())[:300]


def index(name, out):
    cdx = io.BytesIO()
    try:
        with open(name, "rb") as stream:
            write_cdx_index(cdx, stream, name, cdxj=True, include_all=False)
    except Exception as error:  # any error of a peer is a complaint
        out.write(f"complaint\t{type(error).__name__}: {one_line(error)}\n")
    for line in cdx.getvalue().decode("utf-8", "backslashreplace").splitlines():
        _key, timestamp, fields = line.split(" ", 2)
        capture = json.loads(fields)
        out.write(f"capture\t{one_line(capture['url'])}\t{timestamp}\t{capture.get('status', '-')}\t{capture.get('digest', '-')}\n")


def main():
    logging.disable(logging.CRITICAL)
    out = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", errors="backslashreplace")
    for line in sys.stdin:
        name = line.rstrip("\n")
        out.write(f"file\t{name}\n")
        index(name, out)
        out.write("end\n")
    out.flush()


main()
