"""Reads MARC files, ISO 2709 (.mrc) or MARCXML (.xml), with pymarc.

Standard input: one file name a line. Standard output: one line of JSON for each record: its file,
positions 5 to 9 of the leader, and all fields as tag, indicators and pairs of code and value.
"""
import json
import sys

from pymarc import MARCReader, parse_xml_to_array

for name in sys.stdin.read().splitlines():
    if name.endswith(".xml"):
        records = parse_xml_to_array(name, strict=True)
    else:
        with open(name, "rb") as f:
            records = list(MARCReader(f, to_unicode=True, force_utf8=False, utf8_handling="strict"))
    for record in records:
        fields = []
        for f in record.get_fields():
            if f.tag < "010":
                fields.append([f.tag, "", [["", f.data]]])
            else:
                fields.append([f.tag, "".join(f.indicators), [[s.code, s.value] for s in f.subfields]])
        print(json.dumps({"file": name, "leader": str(record.leader)[5:10], "fields": fields}))
