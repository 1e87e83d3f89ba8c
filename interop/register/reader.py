#!/usr/bin/env python3
"""Verifies a register by docs/reference/370_register.md alone: the signature of the checkpoint, each
key, the tree hash, every tile, and an inclusion proof.

    reader.py FOLDER KEY [PROOF INDEX]    KEY: a verifier key that is trusted

Prints a line for each leaf: index, kind, time, fields. Exit status 1: something does not hold."""

import base64, hashlib, os, struct, sys
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

def main(folder, trusted, *proof):
    text = open(os.path.join(folder, "checkpoint"), encoding="utf-8").read()
    origin, size = text.split("\n")[0], int(text.split("\n")[1])
    keys, hashes, last = [], [], None
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
    if proof:
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
