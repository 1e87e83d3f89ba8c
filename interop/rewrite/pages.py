"""Extracts pages and style sheets from containers with warcio.

Reads lines "FILE<tab>MOST<tab>FOLDER", writes each body to a file, and prints for each

    FILE-OF-BODY  KIND  URL  CONTENT-TYPE      (KIND is html or css)
"""
import os
import sys

from warcio.archiveiterator import ArchiveIterator


def take(name, most, folder):
    taken = 0
    with open(name, "rb") as stream:
        for record in ArchiveIterator(stream, arc2warc=True, no_record_parse=False):
            if record.rec_type not in ("response", "resource") or taken >= most:
                continue
            if record.http_headers is None or record.http_headers.get_statuscode() != "200":
                continue
            mime = record.http_headers.get_header("Content-Type") or ""
            kind = {"text/html": "html", "text/css": "css"}.get(mime.split(";")[0].strip().lower())
            url = record.rec_headers.get_header("WARC-Target-URI") or ""
            if kind is None or not url.startswith("http"):
                continue
            try:
                body = record.content_stream().read(2_000_000)
            except Exception:  # an unreadable body is not compared
                continue
            if b"\0" in body[:1000] or not body:
                continue
            path = os.path.join(folder, f"{len(os.listdir(folder)):06}")
            with open(path, "wb") as out:
                out.write(body)
            taken += 1
            print(path, kind, url.replace("\t", "%09"), mime.replace("\t", " ").strip(), sep="\t")


for line in sys.stdin:
    if line.strip():
        name, most, folder = line.rstrip("\n").split("\t")
        try:
            take(name, int(most), folder)
        except Exception as error:  # the other samples are compared even if a peer cannot read one
            print("unread", name, repr(error), sep="\t")
