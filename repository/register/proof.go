package register

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// Proofs are text in the form of c2sp.org/tlog-proof: they show, without the register, that it has a
// leaf.
const proofLine = "c2sp.org/tlog-proof@v1"

// maxProof is the maximum size in bytes of a proof: 64 hashes and a checkpoint.
const maxProof = 8<<10 + maxCheckpoint

// Proof returns a proof that a leaf is in the tree of the checkpoint.
func (r *Reader) Proof(index int64) ([]byte, error) {
	if index < 0 || index >= r.Head.Size {
		return nil, fmt.Errorf("register: there is no leaf %d: the tree has %d", index, r.Head.Size)
	}
	hashes, err := tlog.ProveRecord(r.Head.Size, index, r.folder.hashes(r.Head.tree()))
	if err != nil {
		return nil, err
	}
	b := fmt.Appendf(nil, "%s\nindex %d\n", proofLine, index)
	for _, h := range hashes {
		b = fmt.Appendf(b, "%s\n", h)
	}
	return append(append(b, '\n'), r.Head.Text...), nil
}

// CheckProof verifies a proof for a leaf: its form, as [Marshal] returns it. The checkpoint in the
// proof must be signed by the key. It returns the index of the leaf and the checkpoint.
func CheckProof(proof, leaf []byte, key string) (int64, Checkpoint, error) {
	fail := func(err error) (int64, Checkpoint, error) {
		return 0, Checkpoint{}, fmt.Errorf("register: the proof does not hold: %w", err)
	}
	head, signed, ok := bytes.Cut(proof, []byte("\n\n"))
	if len(proof) > maxProof || !ok {
		return fail(errors.New("it has no checkpoint, or is too long"))
	}
	lines := strings.Split(string(head), "\n")
	if lines[0] != proofLine || len(lines) < 2 {
		return fail(errors.New("it is of another form"))
	}
	if strings.HasPrefix(lines[1], "extra ") { // c2sp.org/tlog-proof: data of the application
		lines = lines[1:]
	}
	if len(lines) < 2 {
		return fail(errors.New("it has no index"))
	}
	number, ok := strings.CutPrefix(lines[1], "index ")
	index, err := strconv.ParseInt(number, 10, 64)
	if !ok || err != nil || index < 0 || strconv.FormatInt(index, 10) != number {
		return fail(errors.New("it has no index"))
	}
	var hashes tlog.RecordProof
	for _, line := range lines[2:] {
		h, err := base64.StdEncoding.DecodeString(line)
		if err != nil || len(h) != tlog.HashSize {
			return fail(fmt.Errorf("%q is not a hash", line))
		}
		hashes = append(hashes, tlog.Hash(h))
	}
	c, err := ParseCheckpoint(signed)
	if err != nil {
		return fail(err)
	}
	if !c.SignedBy(key) {
		return fail(errors.New("the key did not sign its checkpoint"))
	}
	if err := tlog.CheckRecord(hashes, c.Size, tlog.Hash(c.Root), index, tlog.RecordHash(leaf)); err != nil {
		return fail(err)
	}
	return index, c, nil
}
