"""Reads the descriptions in WARC files with warcio, and their documents with Python's own parsers.

Reads file names from standard input, one a line, as one set. For each metadata record with a
Description-Standard, writes a line of JSON: its header fields, whether its digest matches, whether
the record that it refers to exists and the URL of that record, and the statements of its document:
lists of element, language, kind and value.
"""
import base64
import json
import sys
import xml.etree.ElementTree as ElementTree

import yaml
from warcio.archiveiterator import ArchiveIterator

SPACE = "{urn:x-quire:oclc-web-archiving:1}"
LANG = "{http://www.w3.org/XML/1998/namespace}lang"


def of_document(document):
    statements = []
    for s in document["statements"]:
        value = s["value"]
        if "bytes" in s:
            value = base64.b64decode(s["bytes"]).decode("utf-8")
        statements.append([s["element"], s.get("lang", ""), s.get("kind", ""), value])
    return statements


def of_xml(content):
    return [[e.tag.removeprefix(SPACE), e.get(LANG, ""), e.get("kind", ""), e.text or ""] for e in ElementTree.fromstring(content)]


def of_fields(content):
    statements = []
    for line in content.decode("utf-8").split("\r\n")[:-1]:
        name, value = line.split(": ", 1)
        last = statements[-1] if statements else None
        if last and name == last[0] + "-lang":
            last[1] = value
        elif last and name == last[0] + "-kind":
            last[2] = value
        elif last and name == last[0] + "-bytes":
            last[3] = base64.b64decode(value).decode("utf-8")
        else:
            statements.append([name, "", "", value])
    return statements


READERS = {
    "application/json": lambda content: of_document(json.loads(content)),
    "application/yaml": lambda content: of_document(yaml.safe_load(content)),
    "application/xml": of_xml,
    "application/warc-fields": of_fields,
}


def main():
    uris, described = {}, []
    for line in sys.stdin:
        with open(line.rstrip("\n"), "rb") as stream:
            for record in ArchiveIterator(stream, check_digests=True):
                header = record.rec_headers
                content = record.content_stream().read()
                uris[header.get_header("WARC-Record-ID")] = header.get_header("WARC-Target-URI")
                if header.get_header("Description-Standard"):
                    described.append((dict(header.headers), record.rec_type, content, record.digest_checker.passed))
    for header, kind, content, passed in described:
        refers = header["WARC-Refers-To"]
        print(json.dumps({
            "type": kind, "header": header, "digest": passed, "there": refers in uris, "uri": uris.get(refers) or "",
            "statements": READERS[header["Content-Type"]](content),
        }))


main()
