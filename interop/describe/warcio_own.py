"""Writes a description by the elements of OCLC as a metadata record of JSON with warcio, as a script
of a library does. Reads the name of the WARC file from standard input."""
import io
import json
import sys

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

DESCRIPTION = {
    "Collector": "Royal Library", "Contributor": "", "Creator": ["Bureau de statistique", "Bureau voor de statistiek"],
    "Date": "2019-03-01", "Description": "Tables by municipality", "Extent": "1 website",
    "Genre/Form": "government websites", "Language": ["fr", "nl"], "Relation": "Statistics", "Rights": "on site",
    "Source of Description": "home page", "Subject": ["statistics"], "Title": {"fr": "Bureau"},
    "URL": "http://statistics.example/",
}

with open(sys.stdin.readline().strip(), "wb") as out:
    w = WARCWriter(out, gzip=True)
    head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
    page = w.create_warc_record("http://statistics.example/", "response", payload=io.BytesIO(b"<p>x"), http_headers=head)
    w.write_record(page)
    document = json.dumps(DESCRIPTION, ensure_ascii=False).encode()
    w.write_record(w.create_warc_record(
        "http://statistics.example/", "metadata", payload=io.BytesIO(document), warc_content_type="application/json",
        warc_headers_dict={"WARC-Refers-To": page.rec_headers.get_header("WARC-Record-ID")}))
