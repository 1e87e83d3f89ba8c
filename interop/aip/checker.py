"""Checks packages without any code of Quire: with lxml, reader.py, warcio and metsrw.

    checker.py SCHEMAS PACKAGE...

SCHEMAS is a folder with catalog.xml and drivers/. For each package writes tab-separated lines:

    problem  PACKAGE  TEXT
    checked  PACKAGE  NUMBERS   (a JSON object: how much of each kind was compared)

The checks: every file is listed, with its size and digest; each document is valid by its schema; all
identifiers are unique, and all references lead to something of the right kind, within and between
documents; every byte range has its size and digest, and those are also in PREMIS; ranges do not
overlap; counts and digests are those of warcio; metsrw lists all files."""
import collections
import gzip
import hashlib
import io
import json
import os
import posixpath
import re
import sys
import time
import urllib.parse

SCHEMAS = sys.argv[1]
os.environ["XML_CATALOG_FILES"] = os.path.join(SCHEMAS, "catalog.xml")  # before libxml2 begins

import metsrw
import reader
from lxml import etree
from reader import METS, XLINK
from warcio.archiveiterator import ArchiveIterator

KINDS = {"warcinfo", "response", "resource", "request", "metadata", "revisit"}  # that containerMD has


def digest(name, data):
    return hashlib.new(name.replace("-", "").lower(), data).hexdigest()


def texts(element, name):
    return ["".join(e.itertext()) for e in element.iterfind(".//{*}" + name)]


class Checker:
    def __init__(self, folder, schemas):
        self.folder, self.schemas = folder, schemas
        self.problems, self.numbers = [], collections.Counter()
        self.package = reader.Package(folder)
        self.documents = self.package.documents()

    def same(self, found, wanted, what):
        if found != wanted:
            self.problems.append(f"{what}: {str(found)[:300]}; want {str(wanted)[:300]}")

    def check(self):
        steps = [(f, d) for d in self.documents for f in (self.schema, self.references, self.ranges)]
        for step, *document in [(self.files,), *steps, *((f,) for f in (
                self.between, self.identifiers, self.structure, self.containers, self.metsrw))]:
            try:
                step(*document)
            except Exception as error:  # of a peer, on a damaged package
                self.problems.append(f"{step.__name__}: {type(error).__name__}: {error}")

    def files(self):
        """Files on disk are those of mets.xml, with size and SHA-512 (1.1, 1.2)."""
        there = {os.path.relpath(os.path.join(d, f), self.folder) for d, _, names in os.walk(self.folder) for f in names}
        self.listed = [f["path"] for f in self.package.files()]
        self.same(sorted([*self.listed, "mets.xml", "mets.xml.sha512"]), sorted(there), "files")
        for f in self.package.files():
            data = self.package.bytes(f["path"])
            self.same((len(data), digest("SHA-512", data)), (f["size"], f["sha512"]), f["path"])
            self.numbers["files"] += 1
        sidecar = digest("SHA-512", self.package.bytes("mets.xml")) + "  mets.xml\n"
        self.same(self.package.bytes("mets.xml.sha512").decode(), sidecar, "mets.xml.sha512")

    def schema(self, d):
        """A document is valid alone, by the driver of the versions that it states (2.15)."""
        legacy = any(w.get("MDTYPE", "").startswith("PREMIS") and w.get("MDTYPEVERSION") == "2.2" for w in d.root.iter(METS + "mdWrap"))
        schema = self.schemas["mets-all-legacy" if legacy else "mets-all"]
        if not schema.validate(d.root):
            self.problems.append(f"{d.name}: {schema.error_log.last_error}")
        self.numbers["documents"] += 1

    def references(self, d):
        """References within one document (4.1, 4.4): unique IDs, and targets of the right kind."""
        ids = collections.Counter(e.get("ID") for e in d.root.iter(METS + "*") if e.get("ID"))
        self.same([i for i, n in ids.items() if n > 1], [], d.name + ": IDs twice")
        sections = {"amdSec", "techMD", "rightsMD", "sourceMD", "digiprovMD"}
        kinds = {"ADMID": sections, "DMDID": {"dmdSec"}, "FILEID": {"file"}, "GROUPID": {"file"}}
        labels = collections.Counter(e.get(XLINK + "label") for e in d.root.iter(METS + "div") if e.get(XLINK + "label"))
        self.same([i for i, n in labels.items() if n > 1], [], d.name + ": labels twice")
        for e in d.root.iter(METS + "*"):
            for name, kind in kinds.items():
                for value in e.get(name, "").split():
                    self.numbers["references"] += 1
                    if name == "GROUPID" and d is not self.documents[0]:
                        continue
                    target = d.ids.get(value)
                    if target is None or etree.QName(target).localname not in kind:
                        self.problems.append(f"{d.name}: {name} {value} of {e.get('ID')} leads to nothing of this kind")
            if e.tag == METS + "smLink":
                self.numbers["links"] += 1
                for end in "from", "to":
                    self.same(e.get(XLINK + end) in labels, True, f"{d.name}: smLink {end} {e.get(XLINK + end)}")

    def ranges(self, d):
        """Every byte range has its size and digest, in METS and in its object, and none overlaps (4.1 to 4.3)."""
        for parent in d.root.iter(METS + "file"):
            last = -1
            parts = [p for p in parent.findall(METS + "file")]
            for part in sorted((p for p in parts if p.get("BEGIN")), key=lambda p: int(p.get("BEGIN"))):
                if int(part.get("BEGIN")) <= last:
                    self.problems.append(f"{d.name}: {part.get('ID')} overlaps another part")
                last = int(part.get("END"))
            for part in parts:
                data = d.delimited(part)
                self.same(str(len(data)), part.get("SIZE", str(len(data))), f"{d.name}: size of {part.get('ID')}")
                self.numbers["ranges"] += 1
                if part.get("CHECKSUM"):
                    self.numbers["digests"] += 1
                    self.same(digest(part.get("CHECKSUMTYPE"), data), part.get("CHECKSUM"), f"{d.name}: digest of {part.get('ID')}")
                    self.object_of(d, part)

    def object_of(self, d, part):
        """One level of the object of a part has its size and digest (4.1)."""
        owner = part if part.get("ADMID") else part.getparent()
        levels = [(x, s) for a in owner.get("ADMID", "").split() for c in d.ids[a].iterfind(".//{*}objectCharacteristics")
                  for x in texts(c, "messageDigest") for s in texts(c, "size") or [""]]
        self.same((part.get("CHECKSUM"), part.get("SIZE")) in levels, True, f"{d.name}: {part.get('ID')} is in its object")

    def between(self):
        """References from document to document (4.4.1)."""
        own = self.package.mets
        files = {f["path"]: (f["id"], str(f["size"]), f["sha512"]) for f in self.package.files()}
        for d in self.documents[1:]:
            self.same(d.root.get("OBJID"), own.root.get("OBJID") + "/" + d.name, d.name + ": OBJID")
        for d in self.documents:
            for e in d.root.iter(METS + "FLocat", METS + "mptr"):
                if e.get("LOCTYPE") != "URL":
                    continue
                path, _, name = e.get(XLINK + "href").partition("#")
                path = posixpath.normpath(posixpath.join(posixpath.dirname(d.name), urllib.parse.unquote(path)))
                self.same(path in self.listed, True, f"{d.name}: {path} is a file of the package")
                file = e.getparent()
                if name:
                    self.numbers["between documents"] += 1
                    target = self.package.document(path).ids.get(name)
                    self.same(target is not None, True, f"{d.name}: {path}#{name} exists")
                    if target is not None and file.tag == METS + "file":
                        for a in "SIZE", "CHECKSUM":
                            self.same(file.get(a), target.get(a), f"{d.name}: {a} of {name}")
                elif file.tag == METS + "file" and d is not own and file.get("SIZE"):
                    self.same((file.get("ID"), file.get("SIZE"), file.get("CHECKSUM")), files.get(path), f"{d.name}: {path}")

    def identifiers(self):
        """PREMIS identifiers are unique in the package, and each named one exists (2.18.4)."""
        for thing, names in {"object": ["linkingObjectIdentifierValue", "relatedObjectIdentifierValue", "relatedObjectIdentificationValue"],
                             "event": ["linkingEventIdentifierValue", "relatedEventIdentifierValue"],
                             "agent": ["linkingAgentIdentifierValue"]}.items():
            known = collections.Counter(v for d in self.documents for e in d.root.iterfind(METS + "amdSec//{*}" + thing)
                                        for v in texts(e, thing + "IdentifierValue")[:1])
            self.same([v for v, n in known.items() if n > 1], [], f"{thing} identifiers twice")
            used = {v for d in self.documents for n in names for v in texts(d.root, n)}
            self.same(sorted(used - set(known)), [], f"{thing} identifiers that name nothing")
            self.numbers["identifiers"] += len(known)

    def structure(self):
        """The structMaps of mets.xml: each file once in the physical one, and in the logical one (2.7)."""
        files = sorted(f["id"] for f in self.package.files())
        for kind in "logical", "physical":
            maps = [m for m in self.package.mets.root.iterfind(METS + "structMap") if m.get("TYPE") == kind]
            self.same(len(maps), 1, f"structMaps {kind}")
            found = [e.get("FILEID") for m in maps for e in m.iter(METS + "fptr") if e.get("FILEID") in files]
            self.same(sorted(found), files, f"files in the structMap {kind}")

    def containers(self):
        """Records by type, and digests of bodies, as warcio reads them."""
        streams = {(s["container"], s["offset"], s["served"]): s for d in self.documents for s in d.streams()}
        whole = self.package.mets.root.get("PROFILE").endswith((" (full)", " (linked)"))
        for f in self.package.files():
            if not re.fullmatch(r"FILE-c\d+", f["id"]):
                continue
            data = self.package.bytes(f["path"])
            zst = f["path"].endswith(".zst")
            if zst:  # warcio does not read it: its records, from the inflated container
                data = reader.unzstd(data, data)
            kinds, bodies = self.warcio(data, f["path"])
            if kinds is None:
                continue
            number = f["id"].removeprefix("FILE-")
            section = self.package.mets.ids["CMD-" + number]
            stated = {etree.QName(e).localname[:-7].lower(): int(e.get("number")) for e in section.iter("{*}*")
                      if etree.QName(e).localname.endswith("Records")}
            self.same({k: n for k, n in stated.items() if n}, {k: n for k, n in kinds.items() if k in KINDS}, f"{f['path']}: records by type")
            self.same(int(section.find(".//{*}entriesInformation").get("number")), sum(kinds.values()), f"{f['path']}: records")
            self.numbers["records"] += sum(kinds.values())
            if whole and not zst:
                self.bodies(f["path"], bodies, streams)

    def bodies(self, path, bodies, streams):
        for offset, (kind, size, raw, served) in bodies.items():
            if size == 0 or kind not in ("response", "resource", "conversion"):
                continue
            body = streams.get((path, offset, False))
            if body is None:
                self.problems.append(f"{path}: the {kind} at byte {offset} has no body in the METS")
                continue
            self.numbers["payloads"] += 1
            self.same(body["sha256"], raw, f"{path}: body at byte {offset}")
            document = self.package.document(body["document"])
            if "not known" in " ".join(self.properties(document, body["id"])):  # warcio gives what precedes the damage (2.9)
                continue
            content = streams.get((path, offset, True), body)
            self.same(content["sha256"], served, f"{path}: content at byte {offset}")

    def properties(self, d, name):
        return [v for a in d.ids[name].get("ADMID", "").split() for v in texts(d.ids[a], "significantPropertiesValue")]

    def warcio(self, data, path):
        """The records by type, and size and digests of each body; None if warcio does not read the container to its end."""
        kinds, bodies = collections.Counter(), {}
        try:
            for decoded in False, True:
                records = ArchiveIterator(io.BytesIO(data))
                for r in records:
                    body = (r.content_stream() if decoded else r.raw_stream).read()
                    offset = records.get_record_offset()
                    if decoded:
                        bodies[offset][3] = digest("SHA-256", body)
                    else:
                        kinds[r.rec_type] += 1
                        bodies[offset] = [r.rec_type, len(body), digest("SHA-256", body), ""]
        except Exception:  # any error of a peer
            self.numbers["containers that warcio refuses"] += 1
            return None, None
        return kinds, bodies

    def metsrw(self):
        """Archivematica's reader lists all files. It needs ADMID to name amdSecs (2.6)."""
        for file in self.package.mets.root.iterfind(METS + "fileSec/" + METS + "fileGrp/" + METS + "file"):
            for name in file.get("ADMID", "").split():
                self.same(self.package.mets.ids[name].tag, METS + "amdSec", f"ADMID {name} of {file.get('ID')}")
        # metsrw compares CREATEDATE as text ("…39Z" with "…39.7"): a METS of this very second is not read yet.
        if self.package.mets.root.find(METS + "metsHdr").get("CREATEDATE")[:19] == time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime()):
            time.sleep(1)
        entries = metsrw.METSDocument.fromfile(os.path.join(self.folder, "mets.xml")).all_files()
        found = sorted(urllib.parse.unquote(e.path) for e in entries if e.type == "Item")
        self.same(found, sorted(self.listed), "files that metsrw lists")
        self.numbers["files of metsrw"] += len(found)


def main(folders):
    schemas = {n: etree.XMLSchema(file=os.path.join(SCHEMAS, "drivers", n + ".xsd")) for n in ("mets-all", "mets-all-legacy")}
    for folder in folders:
        checker = Checker(folder, schemas)
        checker.check()
        for text in checker.problems:
            print("problem", folder, " ".join(text.split()), sep="\t")
        print("checked", folder, json.dumps(checker.numbers), sep="\t")


main(sys.argv[2:])
