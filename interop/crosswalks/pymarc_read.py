"""Reads MARC files, ISO 2709 (.mrc) or XML (.xml), with pymarc.

Standard input: one file name a line. Standard output: one line of JSON for each record: its file,
positions 5 to 9 of the leader, and all fields as tag, indicators and pairs of code and value.

pymarc's strict reader takes the namespace of MARCXML only; MarcXchange has its own. UNIMARC states
UTF-8 in field 100 and not in the leader, so its reader needs the character set.
"""
import json
import sys

from pymarc import MARCReader, parse_xml_to_array

UNIMARC = b"450 "

for name in sys.stdin.read().splitlines():
    with open(name, "rb") as f:
        head = f.read(400)
    unimarc = head[20:24] == UNIMARC
    if name.endswith(".xml"):
        records = parse_xml_to_array(name, strict=b"marcxchange" not in head)
    else:
        with open(name, "rb") as f:
            records = list(MARCReader(f, to_unicode=True, force_utf8=unimarc, utf8_handling="strict"))
    for record in records:
        fields = []
        for f in record.get_fields():
            if f.tag < "010":
                fields.append([f.tag, "", [["", f.data]]])
            else:
                fields.append([f.tag, "".join(f.indicators), [[s.code, s.value] for s in f.subfields]])
        print(json.dumps({"file": name, "leader": str(record.leader)[5:10], "fields": fields}))
