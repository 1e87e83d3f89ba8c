#!/usr/bin/env python3
"""Verifies a register by docs/reference/370_register.md alone: the signature of the checkpoint, each
key, the tree hash, every tile, and an inclusion proof.

    reader.py FOLDER KEY [PROOF INDEX]    KEY: a verifier key that is trusted
    reader.py FOLDER KEY --runs AUDITS    AUDITS: the records of runs in a copy

Prints a line for each leaf: index, kind, time, fields; then one for each run. Exit status 1: something does not
hold."""

import base64, calendar, hashlib, hmac, json, os, re, struct, sys, time
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

def tree_hash(hashes):
    """RFC 6962, 2.1: the left part is the largest power of two below the number of leaves."""
    if len(hashes) < 2:
        return hashes[0] if hashes else hashlib.sha256().digest()
    left = 1 << (len(hashes) - 1).bit_length() - 1
    return hashlib.sha256(b"\1" + tree_hash(hashes[:left]) + tree_hash(hashes[left:])).digest()

def proof_root(leaf, index, size, path):
    """RFC 9162, 2.1.3.2."""
    fn, sn, root = index, size - 1, leaf
    for step in path:
        assert sn > 0, "the proof is too long"
        if fn & 1 or fn == sn:
            root = hashlib.sha256(b"\1" + step + root).digest()
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            root = hashlib.sha256(b"\1" + root + step).digest()
        fn, sn = fn >> 1, sn >> 1
    assert sn == 0, "the proof is too short"
    return root

def key_id(name, public):
    return hashlib.sha256(name.encode() + b"\n\1" + public).digest()[:4]
def verify(public, signature, text):
    Ed25519PublicKey.from_public_bytes(public).verify(signature, text)

def open_note(text, name, public):
    """Returns the lines of a signed note. One signature must be by this key."""
    body, signatures = text.rsplit("\n\n", 1)
    for line in signatures.splitlines():
        dash, signer, signature = line.split(" ")
        signature = base64.b64decode(signature)
        if dash == "\u2014" and signer == name and signature[:4] == key_id(name, public):
            verify(public, signature[4:], (body + "\n").encode())
            return body.split("\n")
    raise AssertionError("the key did not sign the checkpoint")

def tile(folder, level, n, width):
    parts = [f"{n % 1000:03}"]
    while n >= 1000:
        n //= 1000
        parts.insert(0, f"x{n % 1000:03}")
    path = os.path.join(folder, "tile", str(level), *parts) + ("" if width == 256 else f".p/{width}")
    with open(path, "rb") as file:
        return file.read()

def leaves(folder, size):
    for n in range(0, size, 256):
        width, at = min(256, size - n), 0
        bundle = tile(folder, "entries", n // 256, width)
        for _ in range(width):
            (length,) = struct.unpack_from(">H", bundle, at)
            yield bundle[at + 2:at + 2 + length]
            at += 2 + length
        assert at == len(bundle), "bytes follow the bundle"

FIELDS = {1: ("version", ">32sI32s"), 2: ("event", ">32s32s"), 3: ("batch", ">16s32sQQQ"), 4: ("key", ">B32s64s"),
          5: ("setting", ">32s"), 6: ("tombstone", ">32s32s")}

def parse(leaf):
    form, kind, micros = struct.unpack_from(">BBQ", leaf)
    name, fields = FIELDS[kind]
    values, end = list(struct.unpack_from(fields, leaf, 10)), 10 + struct.calcsize(fields)
    if kind in (2, 3, 5):
        values.append(leaf[end + 1:end + 1 + leaf[end]].decode())
        end += 1 + leaf[end]
    assert form == 1 and end == len(leaf), "not the form of a leaf"
    return name, micros, values

class Tree:
    """A Merkle tree to which leaves and complete subtrees are appended: its subtrees, from left to right."""
    def __init__(self):
        self.size, self.parts = 0, []  # each part: number of leaves, hash

    def append(self, leaves, digest):
        assert leaves & (leaves - 1) == 0 and self.size % leaves == 0, "the subtree does not begin here"
        self.size += leaves
        self.parts.append((leaves, digest))
        while len(self.parts) > 1 and self.parts[-1][0] == self.parts[-2][0]:
            (n, left), (_, right) = self.parts[-2:]
            self.parts[-2:] = [(2 * n, hashlib.sha256(b"\1" + left + right).digest())]

    def add(self, entry):
        self.append(1, hashlib.sha256(b"\0" + entry).digest())

    def omit(self, lines, hashes):
        for digest in hashes:
            n = 1 << lines.bit_length() - 1
            while self.size % n:
                n >>= 1
            self.append(n, base64.b64decode(digest))
            lines -= n
        assert lines == 0, "the hashes are not those of the lines that were left out"

    def root(self, last=None):
        parts = [digest for _, digest in self.parts]
        if last is not None:
            copy = Tree()
            copy.size, copy.parts = self.size, list(self.parts)
            copy.add(last)
            return copy.root()
        if not parts:
            return hashlib.sha256().digest()
        root = parts.pop()
        while parts:
            root = hashlib.sha256(b"\1" + parts.pop() + root).digest()
        return root

def microseconds(text):
    """The time of a foot, in UTC, without parts of a microsecond."""
    whole, part = re.fullmatch(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?Z", text).groups()
    return calendar.timegm(time.strptime(whole, "%Y-%m-%dT%H:%M:%S")) * 10**6 + int((part or "0").ljust(6, "0")[:6])

def signed_by(keys, origin, signature, document):
    digest = base64.b64encode(hashlib.sha256(document).digest()).decode()
    head = ["quire.register/signature/1", origin, "audit", digest]
    for key in keys:
        try:
            return open_note(signature, origin, base64.b64decode(key.split("+", 2)[2])[1:])[:4] == head
        except (AssertionError, InvalidSignature):
            continue
    return False

def record(path, origin, keys):
    """Returns the fields of the leaf of a run, by its record. None: it has no leaf."""
    stay, may, foot, valid = Tree(), Tree(), None, False
    run = os.path.basename(path).split("-", 1)[1].removesuffix(".jsonl")
    for n, text in enumerate(open(path, "rb").read().split(b"\n")[:-1]):
        line = json.loads(text)
        if n == 0:
            if line["format"] < 3:
                return None
            assert line["run"] == run, "the head names another run"
            kind = line.get("type", "fixity check")
            salt = bytes.fromhex(line["salt"])
        entry = hmac.new(salt, b"line\0" + text, hashlib.sha256).digest()
        if n == 0:
            stay.add(entry)
        elif line.get("package"):
            (may if line["status"] == "good" and line["problems"] == 0 else stay).add(entry)
        elif "checkpoint" in line:
            may.add(entry)
        elif "finished" in line:
            foot, valid = line, False
            stay.add(entry)
        elif line.get("copied") is not None:
            stay.add(entry)
        elif "signature" in line:
            document = f"{run}\n{stay.size + may.size}\n{stay.root(may.root()).hex()}\n".encode()
            valid = signed_by(keys, origin, line["signature"], document)
            assert valid, f"line {n} is not a signature of the lines before it"
        elif "omitted" in line:
            may.omit(line["omitted"]["lines"], line["omitted"]["hashes"])
        elif "compaction" not in line:
            stay.add(entry)
    assert foot and valid, "the record has no signed foot"
    return (microseconds(foot["finished"]), [bytes.fromhex(run.replace("-", "")), stay.root(may.root()),
            stay.size + may.size, foot.get("done", 0), sum(c["problems"] for c in foot["copies"]), kind])

def check_runs(batches, audits, origin, keys):
    """Each record has its leaf, and each leaf its record."""
    found = {}
    for name in sorted(os.listdir(audits)):
        if name.startswith(".") or not name.endswith(".jsonl"):
            continue
        try:
            of = record(os.path.join(audits, name), origin, keys)
        except AssertionError as reason:
            raise AssertionError(f"{name}: {reason}")
        if of:
            found[of[1][0]] = of
    for index, micros, values in batches:
        assert values[0] in found, f"the record of leaf {index} is missing"
        assert found.pop(values[0]) == (micros, values), f"the record of leaf {index} has other lines"
        print("run", index, values[-1], "holds")
    assert not found, "the register does not have these runs: " + " ".join(run.hex() for run in found)

def main(folder, trusted, *proof):
    text = open(os.path.join(folder, "checkpoint"), encoding="utf-8").read()
    origin, size = text.split("\n")[0], int(text.split("\n")[1])
    keys, hashes, batches, last = [], [], [], None
    for index, leaf in enumerate(leaves(folder, size)):
        name, micros, values = parse(leaf)
        if name == "key":
            link, public, signature = values
            assert (link == 0) == (index == 0), "the first leaf, and no other, names the first key"
            new = f"{origin}+{key_id(origin, public).hex()}+{base64.b64encode(bytes([1]) + public).decode()}"
            if link == 1:
                root = base64.b64encode(tree_hash(hashes)).decode()
                verify(last, signature, f"quire.register/rotation/1\n{origin}\n{index}\n{root}\n{new}\n".encode())
            last = public
            keys.append(new)
        if name == "batch":
            batches.append((index, micros, values))
        hashes.append(hashlib.sha256(b"\0" + leaf).digest())
        print(index, name, micros, *(v.hex() if isinstance(v, bytes) else v for v in values))
    assert trusted in keys, "the register names another key"
    lines = open_note(text, origin, last)
    assert lines[2] == base64.b64encode(tree_hash(hashes)).decode(), "the leaves do not add up to the root"
    level, row = 0, hashes
    while row:
        for n in range(0, len(row), 256):
            part = row[n:n + 256]
            assert tile(folder, level, n // 256, len(part)) == b"".join(part), f"tile {level} {n // 256} is wrong"
        level, row = level + 1, [tree_hash(row[n:n + 256]) for n in range(0, len(row) - 255, 256)]
    if proof and proof[0] == "--runs":
        check_runs(batches, proof[1], origin, keys)
    elif proof:
        head, signed = open(proof[0], encoding="utf-8").read().split("\n\n", 1)
        kind, index, *path = head.split("\n")
        assert kind == "c2sp.org/tlog-proof@v1" and index == "index " + proof[1], "another proof"
        lines = open_note(signed, origin, last)
        root = proof_root(hashes[int(proof[1])], int(proof[1]), int(lines[1]), [base64.b64decode(h) for h in path])
        assert base64.b64encode(root).decode() == lines[2], "the proof does not hold"

try:
    main(*sys.argv[1:])
except Exception as reason:
    sys.exit(f"{type(reason).__name__}: {reason}")
