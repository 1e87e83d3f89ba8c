"""Reads the descriptions of catalogues in WARC files with warcio, and MARC in them with pymarc.

Reads lines from standard input: a folder, then file names. Writes each document of a metadata record
with a Description-Standard to the folder, and for each a line of JSON: its file there, the standard,
the media type, whether its digest matches, and the title as pymarc reads it (MARC only).
"""
import json
import os
import sys

from pymarc import parse_xml_to_array
from warcio.archiveiterator import ArchiveIterator

MARC = {"http://www.loc.gov/MARC21/slim": ("245", True), "info:lc/xmlns/marcxchange-v2": ("200", False)}

folder, *names = sys.stdin.read().splitlines()
n = 0
for name in names:
    with open(name, "rb") as f:
        for record in ArchiveIterator(f, check_digests=True):
            standard = record.rec_headers.get_header("Description-Standard")
            document = record.content_stream().read()
            if standard is None:
                continue
            n += 1
            path = os.path.join(folder, f"{n}.xml")
            with open(path, "wb") as out:
                out.write(document)
            title = None
            if standard in MARC:
                tag, strict = MARC[standard]
                title = parse_xml_to_array(path, strict=strict)[0][tag]["a"]
            print(json.dumps({"file": path, "standard": standard, "type": record.rec_headers.get_header("Content-Type"),
                              "digest": record.digest_checker.passed is not False, "title": title}))
