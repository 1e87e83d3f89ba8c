"""Lists the links that Python's html.parser finds in web pages: a and area with href, frame and
iframe with src.

Reads names of WARC files from standard input, one a line. Reads each 2xx response and each resource
with warcio, without framing and codings, as bytes (ISO 8859-1 maps each byte to a character). For
each file, writes tab-separated lines:

    file   NAME
    page   ORDER                  (number of the record in the file, from 1)
    link   BEGIN  END             (first and last byte of the start tag)
    complaint  TEXT
"""
import io
import sys
from html.parser import HTMLParser

from warcio.archiveiterator import ArchiveIterator

WANTED = {"a": "href", "area": "href", "frame": "src", "iframe": "src"}


class Anchors(HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=False)
        self.lines = [0]
        at = text.find("\n")
        while at >= 0:
            self.lines.append(at + 1)
            at = text.find("\n", at + 1)
        self.found = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        named = dict(reversed(attributes))  # the first attribute of a name counts
        if named.get(WANTED.get(tag)) is None:
            return
        line, column = self.getpos()
        begin = self.lines[line - 1] + column
        self.found.append((begin, begin + len(self.get_starttag_text()) - 1))


def read(name, out):
    with open(name, "rb") as stream:
        for order, record in enumerate(ArchiveIterator(stream, arc2warc=False), 1):
            if record.rec_type not in ("response", "resource", "conversion"):
                continue
            if record.http_headers and not record.http_headers.get_statuscode().startswith("2"):
                continue
            text = record.content_stream().read().decode("latin-1")
            if "<" not in text[:4096]:
                continue
            found = Anchors(text).found
            out.write(f"page\t{order}\n")
            for begin, end in found:
                out.write(f"link\t{begin}\t{end}\n")


def main():
    out = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8")
    for line in sys.stdin:
        name = line.rstrip("\n")
        out.write(f"file\t{name}\n")
        try:
            read(name, out)
        except Exception as error:  # any error of a peer is a complaint
            out.write(f"complaint\t{type(error).__name__}: {' '.join(str(error).split())[:200]}\n")
    out.flush()


main()
