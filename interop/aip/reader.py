"""Reads a package of web archives. It was written from docs/reference/310_package-format.md alone, and
needs Python, lxml and, for bodies in these codings, brotli and zstandard.

    reader.py PACKAGE files             the files of the package
    reader.py PACKAGE streams           each bytestream in a container: place, URI, type, date, digest
    reader.py PACKAGE pages             the pages and the other objects, with their files and links
    reader.py PACKAGE events FILE-ID    the events of an object
    reader.py PACKAGE cat FILE-ID       the bytes of a file, as served
Writes a line of JSON for each, and the bytes for cat. Numbers in brackets are clauses of that page."""
import functools, gzip, hashlib, json, os, posixpath, sys, urllib.parse, zlib
from lxml import etree

METS = "{http://www.loc.gov/METS/}"
XLINK = "{http://www.w3.org/1999/xlink}"
DICTIONARY = b"\x5d\x2a\x4d\x18"  # the first frame of a zstd file with a dictionary (2.8.2)

def inflate(data, bits, step=64):
    """Undoes deflate, and with bits 31 each member of gzip, as far as possible (4.3)."""
    out, z, at = [], zlib.decompressobj(bits), 0
    try:
        while at < len(data):
            out.append(z.decompress(data[at:at + step]))
            at += step - len(z.unused_data)
            if z.eof and bits == 31:
                z = zlib.decompressobj(bits)
            elif z.eof:
                break
    except zlib.error:
        pass  # what precedes the damage is whole
    return b"".join(out)

def deflate(data):
    """The coding deflate: with or without the header of zlib (2.8.1)."""
    return inflate(data, 15) or inflate(data, -15)

def chunked(data):
    """Removes the framing of RFC 9112, 7.1."""
    out, at = [], 0
    while True:
        end = data.index(b"\n", at)
        size = int(data[at:end].split(b";")[0].strip(), 16)
        if size == 0:
            return b"".join(out)
        out.append(data[end + 1:end + 1 + size])
        at = data.index(b"\n", end + 1 + size) + 1

def unzstd(data, container=b""):
    """Undoes each frame, with the dictionary at the beginning of a container (2.8.2), which may be a frame itself."""
    import zstandard
    known = container[8:8 + int.from_bytes(container[4:8], "little")] if container[:4] == DICTIONARY else b""
    if known[:4] == b"\x28\xb5\x2f\xfd":
        known = unzstd(known)
    z = zstandard.ZstdDecompressor(dict_data=zstandard.ZstdCompressionDict(known))
    return z.stream_reader(data, read_across_frames=True).read()

UNDO = {"application/gzip": lambda b: inflate(b, 31), "gzip": lambda b: inflate(b, 31), "deflate": deflate,
        "chunked": chunked, "br": lambda b: __import__("brotli").decompress(b), "zstd": unzstd}

class Document:
    """One METS document: mets.xml, or one that it names (2.18)."""

    def __init__(self, package, name):
        self.package, self.name = package, name
        opened = gzip.open if name.endswith(".gz") else open
        with opened(os.path.join(package.folder, name), "rb") as f:
            self.root = etree.parse(f, etree.XMLParser(huge_tree=True, resolve_entities=False)).getroot()
        self.ids = {e.get("ID"): e for e in self.root.iter(METS + "*") if e.get("ID")}

    def place(self, file):
        """The path of a file, or of the file around it, in the package (2.6), and the ID behind '#' (2.18.3)."""
        while file.find(METS + "FLocat") is None:
            file = file.getparent()
        return self.resolve(file.find(METS + "FLocat"))

    def resolve(self, pointer):
        path, _, name = pointer.get(XLINK + "href").partition("#")
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.name), urllib.parse.unquote(path))), name

    def delimited(self, file):
        """The bytes of a file element before its own transformFiles (2.8)."""
        if file.getparent().tag != METS + "file":
            return self.package.bytes(self.place(file)[0])
        whole = self.undone(file.getparent())
        begin, end = file.get("BEGIN"), file.get("END")
        return whole if begin is None else whole[int(begin):int(end) + 1 if end else None]

    @functools.lru_cache(16)
    def undone(self, file):
        """The bytes of a file element after its transformFiles: its parts count in these (2.8)."""
        path, name = self.place(file)
        if name:  # in the METS of pages: the file of another document (2.18.3)
            other = self.package.document(path)
            return other.undone(other.ids[name])
        data = self.delimited(file)
        for step in sorted(file.findall(METS + "transformFile"), key=lambda t: int(t.get("TRANSFORMORDER"))):
            name = step.get("TRANSFORMALGORITHM")
            member = name == "application/zstd"
            data = unzstd(data, self.package.bytes(path)) if member else UNDO[name](data)
        return data

    def streams(self):
        """The bodies, and the contents as served, in the records of containers (2.8.1)."""
        for file in self.root.iter(METS + "file"):
            chain = [*reversed(list(file.iterancestors(METS + "file"))), file]  # container, member or not, record, …
            at = next((n for n, e in enumerate(chain) if n > 0 and e.get("MIMETYPE") == "application/warc"), len(chain))
            if at + 1 >= len(chain):
                continue
            record, body = chain[at:at + 2]
            head = self.delimited(record).split(b"\r\n\r\n")[0].decode("utf-8", "replace").split("\r\n")
            fields = {k.strip().lower(): v.strip() for k, _, v in (line.partition(":") for line in head)}
            data = self.delimited(file)
            found = (str(len(data)), hashlib.sha256(data).hexdigest())
            yield {"document": self.name, "id": file.get("ID"), "container": self.place(file)[0],
                   "offset": int(chain[1].get("BEGIN")), "record": record.get("OWNERID"), "kind": fields.get("warc-type"),
                   "date": fields.get("warc-date"), "uri": body.get("OWNERID"), "type": file.get("MIMETYPE"),
                   "served": file is not body, "size": len(data), "sha256": found[1],
                   "as stated": found == (file.get("SIZE"), file.get("CHECKSUM"))}

    def pages(self):
        """The pages and associated objects of this document, with their links (2.10, 2.14)."""
        targets = {link.get(XLINK + "from"): link.get(XLINK + "to") for link in self.root.iter(METS + "smLink")}
        labels = {d.get(XLINK + "label"): d for d in self.root.iter(METS + "div") if d.get(XLINK + "label")}
        for div in self.root.iter(METS + "div"):
            if div.get("TYPE") not in ("web page", "associated object") or not div.findall(METS + "fptr"):
                continue
            links = []
            for link in div.findall(METS + "div"):
                area, to = link.find(METS + "fptr/" + METS + "area"), labels.get(targets.get(link.get(XLINK + "label")))
                if to is not None and to.get("TYPE") == "page of another harvest":  # (2.18.4)
                    path, name = self.resolve(to.find(METS + "mptr"))
                    to = self.package.document(path).ids[name]
                tag = self.undone(self.ids[area.get("FILEID")])[int(area.get("BEGIN")):int(area.get("END")) + 1]
                links.append({"type": link.get("TYPE"), "text": link.get("LABEL"),
                              "url": link.get("CONTENTIDS") or link.get("LABEL"), "tag": tag.decode("utf-8", "replace"), "to": to.get("LABEL") if to is not None else None})
            files = [e.get("FILEID") for e in div.find(METS + "fptr").iter() if e.get("FILEID")]
            elsewhere = div.find(METS + "mptr")  # the content of a revisit (2.10)
            yield {"document": self.name, "type": div.get("TYPE"), "uri": div.get("LABEL"), "date": div.get("ORDERLABEL"),
                   "file": files[0], "embeds": files[1:], "links": links,
                   "elsewhere": elsewhere.get(XLINK + "href") if elsewhere is not None else None}

class Package:
    def __init__(self, folder):
        self.folder, self.opened = folder, {}
        self.mets = self.document("mets.xml")

    def document(self, name):
        if name not in self.opened:
            self.opened[name] = Document(self, name)
        return self.opened[name]

    @functools.lru_cache(2)
    def bytes(self, path):
        with open(os.path.join(self.folder, path), "rb") as f:
            return f.read()

    def files(self):
        """All files except mets.xml and its digest (1.1)."""
        for file in self.mets.root.iterfind(METS + "fileSec//" + METS + "file[" + METS + "FLocat]"):
            if file.get("SIZE"):  # the others list a container again (4.2)
                yield {"id": file.get("ID"), "use": file.getparent().get("USE"), "path": self.mets.place(file)[0],
                       "type": file.get("MIMETYPE"), "size": int(file.get("SIZE")), "sha512": file.get("CHECKSUM")}

    def documents(self):
        """mets.xml and the documents that it names (2.18)."""
        return [self.mets] + [self.document(f["path"]) for f in list(self.files()) if f["use"] == "METS"]

    def file(self, name):
        """The document and the element of a file; records are in documents of their own (2.18)."""
        return next((d, d.ids[name]) for d in self.documents() if name in d.ids)

    def events(self, name):
        """The events that the PREMIS objects of a file name; identifiers are valid in the whole package (2.18.4)."""
        document, file = self.file(name)
        value = lambda e, name: ["".join(x.itertext()) for x in e.iterfind(".//" + "{*}" + name)]
        objects = [o for s in file.get("ADMID", "").split() for o in document.ids[s].iterfind(".//" + "{*}object")]
        named = {v for o in objects for v in value(o, "linkingEventIdentifierValue")}
        for d in self.documents():
            for event in d.root.iterfind(METS + "amdSec//" + "{*}event"):
                if value(event, "eventIdentifierValue")[0] in named:
                    yield {name: value(event, name) for name in ("eventType", "eventDateTime", "eventOutcome",
                           "eventOutcomeDetailNote", "linkingAgentIdentifierValue")}

def main(folder, what, name=""):
    package = Package(folder)
    if what == "cat":
        document, file = package.file(name)
        sys.stdout.buffer.write(document.undone(file))
    elif what in ("streams", "pages"):
        for document in package.documents():
            for line in getattr(document, what)():
                print(json.dumps(line))
    else:
        for line in package.events(name) if what == "events" else package.files():
            print(json.dumps(line))

if __name__ == "__main__":
    main(*sys.argv[1:])
