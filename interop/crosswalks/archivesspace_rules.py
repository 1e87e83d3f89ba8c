"""Applies the rules of ArchivesSpace's importer to finding aids in EAD 2002.

The rules are those of its ead_converter.rb and of the schemas resource, archival_object, extent and
date: what a record must have, and what the converter finds in EAD. Standard input: one file name a
line. Standard output: one line for each rule that a finding aid breaks, and "resources N components
N agents N" at the end.
"""
import re
import sys
import xml.etree.ElementTree as etree

EAD = "{urn:isbn:1-931666-22-9}"
EXTENT = re.compile(r"^([0-9\.]+)+\s+(.*)$")
NORMAL = re.compile(r"^([0-9]{4}(\-(1[0-2]|0[1-9])(\-(0[1-9]|[12][0-9]|3[01]))?)?)$")
LEVELS = {"class", "collection", "file", "fonds", "item", "otherlevel", "recordgrp", "series", "subfonds", "subgrp", "subseries"}

count = {"resources": 0, "components": 0, "agents": 0}


def find(unit, path):
    return unit.findall("/".join(EAD + p for p in path.split("/")))


def text(e):
    return "".join(e.itertext()).strip()


def check(name, unit, resource):
    def wrong(why):
        print(f"{name}: {unit.tag.removeprefix(EAD)}: {why}")

    if unit.get("level") not in LEVELS:
        wrong(f"level {unit.get('level')}")
    if unit.get("level") == "otherlevel" and not unit.get("otherlevel"):
        wrong("otherlevel without other_level")
    if not any(text(t) for t in find(unit, "did/unittitle")):
        wrong("no title")
    ids = [text(i) for i in find(unit, "did/unitid")]
    if resource and (len(ids) != 1 or not 0 < len(ids[0]) <= 255):
        wrong(f"id_0 {ids}")
    dates = find(unit, "did/unitdate")
    if resource and not dates:
        wrong("no date")
    for d in dates:
        parts = [p for p in (d.get("normal") or "").split("/") if p]
        if not text(d) and not parts or any(not NORMAL.match(p) for p in parts):
            wrong(f"date {etree.tostring(d)}")
    extents = [e for e in find(unit, "did/physdesc/extent") if EXTENT.match(text(e))]
    if resource and not extents:
        wrong("no extent with a number and a type")
    languages = [l.get("langcode") for l in find(unit, "did/langmaterial/language")]
    if resource and not any(l and len(l) == 3 for l in languages):
        wrong(f"languages {languages}")
    for kind in ("persname", "corpname", "famname"):
        for path in (f"did/origination/{kind}", f"controlaccess/{kind}"):
            count["agents"] += len(find(unit, path))
    for dao in find(unit, "did/dao"):
        if not dao.get("{http://www.w3.org/1999/xlink}href"):
            wrong("a digital object without an address")


for name in sys.stdin.read().splitlines():
    root = etree.parse(name).getroot()
    language = root.find(f"{EAD}eadheader/{EAD}profiledesc/{EAD}langusage/{EAD}language")
    if language is None or not language.get("langcode") or not language.get("scriptcode"):
        print(f"{name}: no language and script of the finding aid")
    for resource in root.findall(EAD + "archdesc"):
        count["resources"] += 1
        check(name, resource, True)
        for component in resource.iter(EAD + "c"):
            count["components"] += 1
            check(name, component, False)
print(" ".join(f"{k} {v}" for k, v in count.items()))
